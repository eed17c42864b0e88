"""The product's settings, without its house to open."""

from api.serving import settings

globals().update({name: value for name, value in settings().items() if name != "post_worker_init"})

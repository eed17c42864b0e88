"""The settings of the product without its services and its projector."""

from api.server.serving import gunicorn_settings

HOOKS = ("when_ready", "pre_fork", "post_worker_init", "on_exit")
globals().update({name: value for name, value in gunicorn_settings().items() if name not in HOOKS})

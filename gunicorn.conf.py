"""What gunicorn reads by itself in a checkout; the wheel has ``api.server.gunicorn_conf``."""

from api.server.serving import settings

globals().update(settings())

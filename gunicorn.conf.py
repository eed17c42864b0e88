"""What gunicorn reads by itself in a checkout; the wheel has ``api.server.gunicorn_conf``."""

from api.server.serving import gunicorn_settings

globals().update(gunicorn_settings())

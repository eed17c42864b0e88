"""Settings of gunicorn, in the wheel: ``gunicorn -c python:api.server.gunicorn_conf …``."""

from __future__ import annotations

from api.server.serving import gunicorn_settings

globals().update(gunicorn_settings())

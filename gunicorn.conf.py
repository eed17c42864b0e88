"""Configuration of gunicorn for the Procfile; ``guinote serve`` uses the same settings."""

from api.server.serving import settings

globals().update(settings())

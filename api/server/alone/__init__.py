"""A house alone on its computer: one process, without gunicorn."""

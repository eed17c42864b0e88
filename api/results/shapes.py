"""Schema of the code with which the other side confirms."""

from __future__ import annotations

import marshmallow as ma

from api.http.shapes import Written


class CodeAnswer(Written):
    """A code, shown once: null when the request was answered before."""

    code = ma.fields.String(required=True, allow_none=True)

"""How long faults last."""

from __future__ import annotations

from typing import Final

LASTS_S: Final = 3.0

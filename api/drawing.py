"""Draws for players, partners and dealer."""

from __future__ import annotations

from typing import Any


def made(body: dict[str, Any], encuentro_id: Any, put: Any) -> Any:
    raise NotImplementedError


def view(answer: Any) -> dict[str, Any]:
    return {}

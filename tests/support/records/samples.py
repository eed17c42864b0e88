"""Partidas that other engines played (``tests/samples``)."""

from __future__ import annotations

import gzip
import json
from functools import cache
from typing import Any

from tests.support.places import ROOT

FILE = ROOT / "tests" / "samples" / "partidas.jsonl.gz"


@cache
def sample_lines() -> tuple[str, ...]:
    """A partida a line, as JSON."""
    return tuple(gzip.decompress(FILE.read_bytes()).decode().splitlines())


def samples() -> list[dict[str, Any]]:
    """Each partida, read anew: a test may change it."""
    return [json.loads(line) for line in sample_lines()]

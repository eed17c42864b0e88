"""What the tests of the analysis need, and what is said where it is not there."""

from __future__ import annotations

import os

import pytest

from dev import compiler
from referee.analysis.engine import is_analysis_available
from tests.support.analysis.building import NO_COMPILER

IN_CI = bool(os.environ.get("CI"))
NEEDS_ENGINE = pytest.mark.skipif(
    not is_analysis_available() and not IN_CI, reason="NO WASMTIME: the analysis was not tested"
)
NEEDS_COMPILER = pytest.mark.skipif(not compiler(), reason=NO_COMPILER)

"""The generated page of options and profiles is current."""

from __future__ import annotations

import importlib.util

from tests.support.places import ROOT

GENERATOR = ROOT / "docs" / "generate_profiles.py"


def test_the_page_of_options_and_profiles_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("generate_profiles", GENERATOR)
    assert spec
    assert spec.loader
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    assert generator.PAGE.read_text(encoding="utf-8") == generator.page()

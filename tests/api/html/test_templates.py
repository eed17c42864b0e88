"""Templates: what they ask of our objects is there."""

from __future__ import annotations

import pytest
from flask import Flask, render_template_string

from api.http.folders import use_templates
from referee.rules.profile.profile import profile


@pytest.fixture(scope="module")
def app() -> Flask:
    found = Flask("api")
    use_templates(found)
    return found


def test_an_attribute_that_one_of_our_objects_lacks_is_warned_of(app: Flask) -> None:
    with app.app_context():
        assert render_template_string("{{ one.id }}", one=profile("club")) == "club"
        with pytest.warns(UserWarning, match="Profile has no attribute colour"):
            assert render_template_string("{{ one.colour }}", one=profile("club")) == ""


def test_what_a_page_was_not_given_is_left_out_without_a_word(app: Flask) -> None:
    with app.app_context():
        text = "{{ nothing }}{{ answers.missing }}{% if nothing %}never{% endif %}"
        assert render_template_string(text, answers={}) == ""

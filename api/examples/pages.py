"""Pages of the examples: each rule with a record, and the same record under the contrary."""

from __future__ import annotations

from flask import Blueprint, Response

from api.examples import words
from api.examples.records import RuleRecord, rule_records
from api.html.pages import page
from api.http.access import guard
from api.http.languages import language
from api.http.problems import Problem
from api.profiles.words import options_by_group
from api.replay.pages import replay_page

blp = Blueprint("examples", __name__)
_ONE = "/reglas/ejemplos/<string(maxlength=40):name>"


def _find_record(name: str) -> RuleRecord:
    """A record by its name.

    :raises Problem: there is none
    """
    found = rule_records().get(name)
    if found is None:
        raise Problem("not_found")
    return found


@blp.get("/reglas/ejemplos")
@guard.open_to_all
def examples() -> Response:
    """Every rule with what happens in its record"""
    lang = language()
    return page(
        "examples/examples.html",
        groups=options_by_group(words.example_row(one, lang) for one in rule_records().values()),
    )


@blp.get(_ONE)
@guard.open_to_all
def example(name: str) -> Response:
    """A record of a rule, and what comes out under its value and under the contrary"""
    one = _find_record(name)
    others = [o.name for o in rule_records().values() if o.option == one.option and o != one]
    return page("examples/example.html", one=words.example_of(one, language()), others=others)


@blp.get(f"{_ONE}/repeticion")
@guard.open_to_all
def replay(name: str) -> Response:
    """The replay of a record under its own value"""
    one = _find_record(name)
    return _replay_response(one, is_contrary=False)


@blp.get(f"{_ONE}/contraria")
@guard.open_to_all
def contrary_replay(name: str) -> Response:
    """The replay of a record under the contrary value"""
    one = _find_record(name)
    if one.contrary is None:
        raise Problem("not_found")
    return _replay_response(one, is_contrary=True)


def _replay_response(one: RuleRecord, *, is_contrary: bool) -> Response:
    record = one.contrary if is_contrary and one.contrary else one.record
    return replay_page(
        words.replay_of_record(record),
        "",
        template="examples/replay.html",
        example=words.example_row(one, language()),
        value=words.option_value_in_words(one, record, language()),
        other="" if one.contrary is None else "repeticion" if is_contrary else "contraria",
    )

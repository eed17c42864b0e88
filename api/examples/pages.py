"""Pages of the examples: each rule with a record, and the same record under the contrary."""

from __future__ import annotations

from flask import Blueprint, Response

from api.examples import words
from api.examples.records import RuleRecord, rule_records_by_name
from api.html.pages import page
from api.http.access import guard
from api.http.languages import language
from api.http.problems import Problem
from api.profiles.words import group_option_rows
from api.replay.pages import replay_page

blp = Blueprint("examples", __name__)
_ONE = "/reglas/ejemplos/<string(maxlength=40):name>"


def _find_record(name: str) -> RuleRecord:
    """A record by its name.

    :raises Problem: there is none
    """
    found = rule_records_by_name().get(name)
    if found is None:
        raise Problem("not_found")
    return found


@blp.get("/reglas/ejemplos")
@guard.open_to_all
def show_examples() -> Response:
    """The page with every rule and what happens in its record"""
    lang = language()
    return page(
        "examples/examples.html",
        groups=group_option_rows(
            words.example_row(one, lang) for one in rule_records_by_name().values()
        ),
    )


@blp.get(_ONE)
@guard.open_to_all
def show_example(name: str) -> Response:
    """The page of a record: what comes out under the value of its rule and the contrary"""
    one = _find_record(name)
    others = [
        o.name for o in rule_records_by_name().values() if o.option == one.option and o != one
    ]
    return page(
        "examples/example.html", one=words.example_of_record(one, language()), others=others
    )


@blp.get(f"{_ONE}/repeticion")
@guard.open_to_all
def show_replay(name: str) -> Response:
    """The page with the replay of a record under its own value"""
    one = _find_record(name)
    return _replay_response(one, is_contrary=False)


@blp.get(f"{_ONE}/contraria")
@guard.open_to_all
def show_contrary_replay(name: str) -> Response:
    """The page with the replay of a record under the contrary value"""
    one = _find_record(name)
    if one.contrary is None:
        raise Problem("not_found")
    return _replay_response(one, is_contrary=True)


def _replay_response(one: RuleRecord, *, is_contrary: bool) -> Response:
    record = one.contrary if is_contrary and one.contrary else one.record
    return replay_page(
        words.replay_of_last_partida(record),
        "",
        template="examples/replay.html",
        example=words.example_row(one, language()),
        value=words.example_value_in_words(one, record, language()),
        other="" if one.contrary is None else "repeticion" if is_contrary else "contraria",
    )

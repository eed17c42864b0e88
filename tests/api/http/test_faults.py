"""Faults of fields: a code, and a text in the language of the reader."""

from __future__ import annotations

import ast
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import marshmallow as ma
import pytest

from api.encuentros import acts, schemas
from api.http import fields
from api.http.fields import GENERAL, FieldFault
from api.http.languages import LANGUAGES, texts_of_language
from api.http.rest import Page
from tests.support.servers.http_table import ENCUENTROS, HttpTable

API = Path(fields.__file__).parents[1]
CODES = {key.removeprefix("fault.") for key in texts_of_language("es") if key.startswith("fault.")}


@pytest.fixture(scope="module")
def table(shared_table: HttpTable) -> HttpTable:
    return shared_table


def shapes() -> list[type[ma.Schema]]:
    """Schemas of all requests."""
    named = [one for module in (acts, schemas) for one in vars(module).values()]
    taken = [one for one in named if isinstance(one, type) and issubclass(one, ma.Schema)]
    return [Page, *acts.SHAPES.values(), *taken]


def inner(field: Any) -> Iterator[Any]:
    """A field and those within it."""
    yield field
    for name in ("inner", "key_field", "value_field"):
        if (one := getattr(field, name, None)) is not None:
            yield from inner(one)


FIELDS = {
    type(one)
    for shape in shapes()
    for field in shape().declared_fields.values()
    for one in inner(field)
}


@pytest.mark.parametrize("field", sorted(FIELDS, key=str), ids=lambda one: one.__name__)
def test_whatever_a_field_says_by_itself_is_a_known_fault(
    field: type[ma.fields.Field[Any]],
) -> None:
    said: dict[str, str] = {}
    for above in reversed(field.__mro__):
        said |= getattr(above, "default_error_messages", {})
    assert {"required", "null"} <= set(said)
    assert [text for text in said.values() if fields.fault_of_message(text) is None] == []


def said_by(check: ma.validate.Validator, value: Any) -> str:
    with pytest.raises(ma.ValidationError) as error:
        check(value)
    return str(error.value.messages[0])


JUDGED = [
    (ma.validate.Length(1, 3), "", "length", {"min": "1", "max": "3"}),
    (ma.validate.Length(min=2), "a", "too_short", {"min": "2"}),
    (ma.validate.Length(max=2), "abc", "too_long", {"max": "2"}),
    (ma.validate.Length(equal=2), "abc", "length_equal", {"equal": "2"}),
    (ma.validate.Range(1, 3), 4, "range", {"min": "1", "max": "3"}),
    (ma.validate.Range(min=1), 0, "too_small", {"min": "1"}),
    (ma.validate.Range(max=1), 2, "too_large", {"max": "1"}),
    (ma.validate.OneOf(["A1", "B1"]), "Z", "not_one_of", {"choices": "A1, B1"}),
    (ma.validate.Regexp("a"), "b", "pattern", {}),
]


@pytest.mark.parametrize(("check", "value", "code", "facts"), JUDGED)
def test_what_a_check_says_is_known_with_its_facts(
    check: Any, value: Any, code: str, facts: dict[str, str]
) -> None:
    found = fields.fault_of_message(said_by(check, value))
    assert found == code
    assert found is not None
    assert found.facts == facts


def test_an_unknown_message_is_shown_unchanged_under_a_general_code() -> None:
    errors = {"json": {"seat": ["Something new."]}}
    assert fields.faults_in_words(errors, "es") == errors
    assert fields.fault_codes(errors) == {"json": {"seat": [GENERAL]}}


def literals(path: Path) -> Iterator[tuple[str, str]]:
    """Calls that report a fault of a field, and their literal."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            name = node.func.id if isinstance(node.func, ast.Name) else name
            yield name, str(node.args[0].value)


def test_every_fault_of_our_own_is_a_code_with_words() -> None:
    said = [one for path in sorted(API.rglob("*.py")) for one in literals(path)]
    ours = {code for name, code in said if name in ("FieldFault", "wrong")}
    assert len(ours) > 10
    assert ours - CODES == set()
    assert [text for name, text in said if name == "ValidationError"] == []


def test_no_fault_has_words_that_nothing_asks_for() -> None:
    source = "".join(path.read_text("utf-8") for path in sorted(API.rglob("*.py")))
    named = {f"not_a_{one}" for one in ("seat", "side", "card", "suit")}
    assert {code for code in CODES - named if f'"{code}"' not in source} == set()


WRONG: list[tuple[dict[str, Any], list[str], str]] = [
    ({}, ["profile"], "required"),
    ({"profile": None}, ["profile"], "null"),
    ({"profile": 3}, ["profile", "_schema"], "not_object"),
    ({"profile": {"id": 3}}, ["profile", "id"], "not_text"),
    ({"profile": {"id": "NO"}}, ["profile", "id"], "pattern"),
    ({"profile": {"id": "nobody"}}, ["profile", "id"], "no_such_profile"),
    ({"profile": {"id": "club"}, "x": 1}, ["x"], "unknown"),
    ({"profile": {"id": "club"}, "players": 7}, ["players"], "range"),
    ({"profile": {"id": "club"}, "players": "4"}, ["players"], "not_whole"),
    ({"profile": {"id": "club"}, "date": "hoy"}, ["date"], "not_a_day"),
    ({"profile": {"id": "club"}, "seats": []}, ["seats"], "not_object"),
    (
        {"profile": {"id": "club"}, "seats": {"Z": {"name": "Eva"}}},
        ["seats", "Z", "key"],
        "not_one_of",
    ),
    (
        {"profile": {"id": "club", "changes": {"swap": True}}},
        ["profile", "as"],
        "profile_name_missing",
    ),
]


def at(errors: Any, path: list[str]) -> Any:
    for name in path:
        errors = errors[name]
    return errors


@pytest.mark.parametrize(("body", "path", "code"), WRONG)
def test_a_wrong_field_is_named_with_its_code_and_in_four_languages(
    table: HttpTable, body: dict[str, Any], path: list[str], code: str
) -> None:
    said = set()
    for lang in LANGUAGES:
        answer = table.post(ENCUENTROS, body, **{"Accept-Language": lang})
        assert answer.status_code == 422
        assert at(answer.json["codes"], ["json", *path]) == [code]
        (words,) = at(answer.json["errors"], ["json", *path])
        said.add(words)
    assert len(said) == len(LANGUAGES)


@pytest.mark.parametrize(
    ("path", "sent", "lang"),
    [
        (f"{ENCUENTROS}/none", {}, "en"),
        (f"{ENCUENTROS}/none", {"Accept-Language": "fr-CA"}, "fr"),
        (f"{ENCUENTROS}/none", {"Accept-Language": "ca;q=0.5, en;q=0.1"}, "ca"),
        (f"{ENCUENTROS}/none?lang=es", {}, "es"),
        ("/nothing", {}, "es"),
        ("/nothing", {"Accept-Language": "en"}, "en"),
    ],
)
def test_an_error_is_in_the_language_asked_for_and_to_a_program_in_english(
    table: HttpTable, path: str, sent: dict[str, str], lang: str
) -> None:
    table.client.environ_base.pop("HTTP_ACCEPT_LANGUAGE", None)
    answer = table.client.get(path, headers={"Accept": "application/json", **sent, **table.owner()})
    assert answer.status_code == 404
    assert answer.json["title"] == texts_of_language(lang)["problem.not_found"]


def test_a_wrong_act_is_named_by_its_place(table: HttpTable) -> None:
    card = {"kind": "card", "seat": "Z9", "card": "XX"}
    answer = table.record(table.partida(), 0, {"kind": "time"}, card)
    assert answer.json["codes"]["json"]["acts"] == {
        "1": {"seat": ["not_a_seat"], "card": ["not_a_card"]}
    }
    assert answer.json["errors"]["json"]["acts"]["1"]["card"] == ["It must be a card, as 3O."]


def test_a_fault_of_a_named_list_has_words() -> None:
    named = {
        field.list_name.removesuffix("OrNone").lower()
        for shape in acts.SHAPES.values()
        for declared in shape().declared_fields.values()
        for field in inner(declared)
        if isinstance(field, acts.ListedString)
    }
    assert {f"not_a_{one}" for one in named} <= CODES
    assert named == {"seat", "side", "card", "suit"}


def test_a_fault_is_a_message_that_marshmallow_carries() -> None:
    error = ma.ValidationError(FieldFault("range", min=1, max=2))
    (carried,) = typing.cast("list[FieldFault]", error.messages)
    assert carried.facts == {"min": 1, "max": 2}


def test_the_page_on_http_names_every_fault() -> None:
    page = (API.parent / "docs" / "developing" / "http.md").read_text("utf-8")
    assert [code for code in CODES if f"`{code}`" not in page] == []

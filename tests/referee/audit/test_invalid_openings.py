"""Invalid openings of an encuentro: each is refused with its code."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.servers.http_table import ENCUENTROS, HttpTable


@pytest.fixture(scope="module")
def table(shared_table: HttpTable) -> HttpTable:
    return shared_table


OPENINGS: list[tuple[str, dict[str, Any], str]] = [
    ("no profile", {}, "invalid"),
    ("an unknown profile", {"profile": {"id": "mus"}}, "invalid"),
    ("a path as a profile", {"profile": {"id": "../club"}}, "invalid"),
    ("five players", {"profile": {"id": "club"}, "players": 5}, "invalid"),
    ("41 cards", {"profile": {"id": "club"}, "deck": 41}, "bad_profile"),
    ("three at a table for four", {"profile": {"id": "club"}, "players": 3}, "bad_profile"),
    ("a change without a name", {"profile": {"id": "club", "changes": {"swap": False}}}, "invalid"),
    ("the 31st of February", {"profile": {"id": "club"}, "date": "2026-02-31"}, "invalid"),
    ("the year 9999", {"profile": {"id": "club"}, "date": "9999-01-01"}, "invalid"),
    ("a day with a blank", {"profile": {"id": "club"}, "date": "2026-02-01 "}, "invalid"),
    ("a day in Arabic digits", {"profile": {"id": "club"}, "date": "٢٠٢٦-٠١-٠١"}, "invalid"),
    ("a name of 81", {"profile": {"id": "club"}, "seats": {"A1": {"name": "a" * 81}}}, "invalid"),
    ("a name of nothing", {"profile": {"id": "club"}, "seats": {"A1": {"name": ""}}}, "invalid"),
    (
        "a name of two lines",
        {"profile": {"id": "club"}, "seats": {"A1": {"name": "a\nb"}}},
        "invalid",
    ),
    ("a seat of nobody", {"profile": {"id": "club"}, "seats": {"A1": None}}, "invalid"),
    ("an unknown option", {"profile": {"id": "club", "changes": {"jokers": 2}}}, "invalid"),
    (
        "an option of the wrong kind",
        {
            "profile": {
                "id": "club",
                "changes": {"swap": "maybe"},
                "as": {"id": "x", "edition": "1"},
            }
        },
        "bad_profile",
    ),
    (
        "48 cards and ten in hand",
        {
            "profile": {
                "id": "club",
                "changes": {"hand_size": 10, "deck": 48},
                "as": {"id": "x", "edition": "1"},
            },
            "deck": 48,
        },
        "bad_profile",
    ),
    (
        "an edition of blanks",
        {
            "profile": {
                "id": "club",
                "changes": {"swap": False},
                "as": {"id": "x", "edition": "a b"},
            }
        },
        "bad_profile",
    ),
]


@pytest.mark.parametrize(
    ("body", "code"), [row[1:] for row in OPENINGS], ids=[row[0] for row in OPENINGS]
)
def test_a_nasty_opening_is_refused(table: HttpTable, body: dict[str, Any], code: str) -> None:
    answer = table.post(ENCUENTROS, body)
    assert (answer.status_code, answer.json["code"]) == (422, code), answer.text

"""Profiles over HTTP: their options in words, and in what two of them differ."""

from __future__ import annotations

from typing import Any

import pytest

from api.http.languages import LANGUAGES, option_words
from referee.rules.profile.checks import SETS
from referee.rules.profile.options import OPTION_NAMES
from referee.rules.profile.profile import (
    PROFILE_IDS,
    BadProfile,
    different_options,
    profile,
    profiles,
)
from tests.support.servers.http_table import HttpTable

PROFILES = "/api/v1/profiles"


@pytest.fixture(scope="module")
def client(shared_table: HttpTable) -> Any:
    """A client that has not signed in."""
    return shared_table.app.test_client()


def compared(client: Any, lang: str = "es", **query: Any) -> Any:
    return client.get(
        f"{PROFILES}/difference", query_string=query, headers={"Accept-Language": lang}
    )


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("profile_id", PROFILE_IDS)
def test_a_profile_has_every_option_in_words(client: Any, profile_id: str, lang: str) -> None:
    answer = client.get(f"{PROFILES}/{profile_id}", headers={"Accept-Language": lang})
    assert answer.headers["Content-Language"] == lang
    options = answer.json["options"]
    assert set(options) == set(OPTION_NAMES) - set(SETS)
    for name, view in options.items():
        assert view["title"] == option_words(name, lang)
        assert view["value_text"]


def test_a_value_that_depends_on_the_players_is_said_for_each_number(client: Any) -> None:
    options = client.get(f"{PROFILES}/sin-mazo").json["options"]
    assert options["hand_size"]["value"] == {"4": 10, "3": 13, "2": 10}
    assert options["hand_size"]["value_text"] == (
        "con 4 jugadores: 10; con 3 jugadores: 13; con 2 jugadores: 10"
    )


def test_each_case_of_a_renuncio_says_what_it_rests_on(client: Any) -> None:
    """The list of the rulebook of ``escuela`` does not name *trump*; the other cases stand there."""
    cases = {
        one: client.get(f"{PROFILES}/{one}").json["options"]["renuncio_cases"]["cases"]
        for one in PROFILE_IDS
    }
    assert cases["escuela"] == {
        "follow": "stated",
        "beat": "stated",
        "trump": "inferred",
        "out_of_turn_in_arrastre": "stated",
        "talk": "stated",
    }
    assert cases["ludoteka"] == dict.fromkeys(("follow", "beat", "trump"), "silent")
    assert {basis for one in cases if one != "escuela" for basis in cases[one].values()} == {
        "stated",
        "silent",
    }
    old = compared(client, one="escuela@2026-1", other="escuela", players=4).json["options"]
    assert all(row["option"] != "renuncio_cases" for row in old), "the value is the same"
    french = client.get(f"{PROFILES}/baraja-francesa").json["options"]
    assert (french["undertrump"]["basis"], french["undertrump"]["cases"]) == ("inferred", {})
    inferred = [name for name, one in french.items() if one["basis"] == "inferred"]
    assert "renuncio_cases" not in inferred


def test_a_difference_has_both_values_in_words_with_their_articles(client: Any) -> None:
    answer = compared(client, one="guinyot", other="ludoteka", players=4)
    assert answer.headers["Content-Language"] == "es"
    assert {name: answer.json[name] for name in ("one", "other", "players")} == {
        "one": "guinyot",
        "other": "ludoteka",
        "players": 4,
    }
    found = {row.pop("option"): row for row in answer.json["options"]}
    assert found["claim_by"] == {
        "title": "Quién puede cantar las 101",
        "value": "any_player",
        "value_text": "cualquier jugador",
        "article": {
            "profile": "guinyot",
            "section": "Les deu d'últimes",
            "basis": "stated",
            "basis_text": "lo dice el reglamento",
            "cases": {},
        },
        "other": "trick_winner",
        "other_text": "el que gana la baza",
        "other_article": {
            "profile": "ludoteka",
            "section": "Scoring the tricks",
            "basis": "stated",
            "basis_text": "lo dice el reglamento",
            "cases": {},
        },
    }
    assert "min_malas" not in found


def test_a_difference_is_that_of_the_number_of_players(client: Any) -> None:
    """Without a stock four have duties from the first trick; two draw, and have them later."""
    named = {
        players: [
            row["option"]
            for row in compared(client, one="club", other="sin-mazo", players=players).json[
                "options"
            ]
        ]
        for players in (2, 4)
    }
    assert "duties_from" in named[4]
    assert "pinta_from" in named[4]
    assert "duties_from" not in named[2]
    assert "pinta_from" not in named[2]


def test_another_deck_is_a_difference(client: Any) -> None:
    first = compared(client, one="club", other="escuela", players=2).json["options"][0]
    assert (first["option"], first["value"], first["other"]) == ("deck", [40], [40, 48])
    assert (first["value_text"], first["other_text"]) == ("40", "40, 48")


@pytest.mark.parametrize("profile_id", PROFILE_IDS)
def test_a_profile_does_not_differ_from_itself(client: Any, profile_id: str) -> None:
    answer = compared(client, one=profile_id, other=profile_id, players=4)
    assert answer.json["options"] == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("query", "codes"),
    [
        ({"other": "club", "players": 4}, {"one": ["required"]}),
        ({"one": "nobody", "other": "club", "players": 4}, {"one": ["not_one_of"]}),
        ({"one": "club", "other": "nobody", "players": 4}, {"other": ["not_one_of"]}),
        ({"one": "club", "other": "escuela", "players": 3}, {"players": ["players_not_allowed"]}),
        (
            {"one": "guinyot", "other": "escuela", "players": 3},
            {"players": ["players_not_allowed"]},
        ),
        ({"one": "club", "other": "escuela", "players": 5}, {"players": ["range"]}),
        ({"one": "club", "other": "escuela", "players": "x"}, {"players": ["not_whole"]}),
        ({"one": "club", "other": "escuela"}, {"players": ["required"]}),
        ({"one": "club", "other": "escuela", "players": 4, "x": 1}, {"x": ["unknown"]}),
    ],
)
def test_what_cannot_be_compared_is_named(
    client: Any, query: dict[str, Any], codes: dict[str, list[str]], lang: str
) -> None:
    answer = compared(client, lang, **query)
    assert answer.status_code == 422
    assert answer.content_type == "application/problem+json"
    assert answer.json["codes"] == {"query": codes}
    assert set(answer.json["errors"]["query"]) == set(codes)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_differing_is_what_two_tables_play_otherwise(players: int) -> None:
    able = [one for one in profiles() if players in one.players]
    for one in able:
        for other in able:
            names = different_options(one, other, players)
            first, second = one.options(players), other.options(players)
            unlike = {n for n in OPTION_NAMES if getattr(first, n) != getattr(second, n)}
            assert unlike <= set(names)
            assert set(names) - unlike <= {"deck"}
            assert names == different_options(other, one, players)


def test_profiles_differ_only_where_both_may_be_played() -> None:
    with pytest.raises(BadProfile):
        different_options(profile("guinyot"), profile("club"), 3)


def test_two_editions_of_a_profile_are_compared(client: Any) -> None:
    answer = compared(client, one="guinyot@2026-1", other="guinyot", players=4)
    (row,) = answer.json["options"]
    assert (row["option"], row["value"], row["other"]) == (
        "renuncio_costs",
        "when_denounced",
        "when_proved",
    )
    assert row["article"]["profile"] == "guinyot"
    assert (row["article"]["section"], row["article"]["basis"]) == ("", "silent")
    assert (answer.json["one"], answer.json["other"]) == ("guinyot@2026-1", "guinyot")

"""The club as a decider, and as a log: players, merges, pairs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections import players as club_rows
from projections.every import every_projection
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from projections.runner.views import Views
from projections.seasons.projection import encuentro_ids_of_persons
from referee.aggregates import club
from referee.aggregates.club import Club
from referee.audit.verify.club import differences_in_club
from referee.audit.verify.conclusions import differences_in_all_streams
from referee.errors import Refused, Stale
from referee.events import (
    ClubAct,
    Event,
    IncidentNoted,
    PairNamed,
    PlayerListed,
    PlayerRetired,
    PlayerReturned,
    PlayersMerged,
)
from referee.kinds import CLUB_ID
from referee.log.mapper import RecordedEvent
from referee.log.ports import Address
from referee.rules.articles import Rule
from tests.support.servers.one_log import META, new_log, new_referee

ALL = tuple(PlayerListed(one) for one in ("ana", "anna", "blas", "celia"))


def after(*acts: ClubAct) -> Club:
    state = club.INITIAL
    for act in acts:
        for event in club.decide(act, state):
            state = club.evolve(state, event)
    return state


def refused(act: ClubAct, *before: ClubAct) -> Rule:
    with pytest.raises(Refused) as caught:
        after(*before, act)
    return caught.value.rule


def test_what_is_said_of_a_player_last_counts_and_everything_said_is_remembered() -> None:
    state = after(PlayerListed("ana", "n1", "c1"), PlayerListed("ana", "", "c2"))
    assert (state.players["ana"].nickname, state.players["ana"].club) == ("", "c2")
    assert state.text_ids_of_person("ana") == {"n1", "c1", "c2"}


def test_who_plays_no_more_comes_back() -> None:
    aside = after(*ALL, PlayerRetired("ana"), PlayerRetired("blas"))
    assert aside.retired == {"ana", "blas"}
    back = after(*ALL, PlayerRetired("ana"), PlayerRetired("blas"), PlayerReturned("ana"))
    assert (back.retired, back.version) == ({"blas"}, aside.version + 1)
    assert refused(PlayerRetired("zoe"), *ALL) == Rule.PLAYER_UNKNOWN


def test_a_merge_is_followed_to_its_end() -> None:
    state = after(*ALL, PlayersMerged("anna", "ana"), PlayersMerged("celia", "anna"))
    assert [state.id_after_merges(one) for one in ("ana", "anna", "celia", "blas")] == [
        *("celia",) * 3,
        "blas",
    ]
    assert set(state.ids_of_player("celia")) == {"ana", "anna", "celia"}


def test_what_is_erased_with_a_player_is_all_that_was_said_of_them_and_their_pairs() -> None:
    state = after(
        PlayerListed("ana", "n1"),
        PlayerListed("anna", "n2"),
        PlayerListed("blas", "n3"),
        PairNamed("p", ("anna", "blas"), "t1"),
        PairNamed("p", ("blas", "anna"), "t2"),
        PlayersMerged("ana", "anna"),
    )
    assert state.text_ids_of_person("ana") == {"n1", "n2", "t1", "t2"}
    everything = ("ana", "anna", "n1", "n2", "t1", "t2")
    assert state.ids_to_erase("ana") == state.ids_to_erase("anna") == everything
    assert state.ids_to_erase("zoe") == ("zoe",)


def test_nobody_is_merged_in_a_circle_or_without_being_on_the_list() -> None:
    merged = (*ALL, PlayersMerged("ana", "anna"))
    assert refused(PlayersMerged("ana", "zoe"), *ALL) == Rule.PLAYER_UNKNOWN
    assert refused(PlayersMerged("zoe", "ana"), *ALL) == Rule.PLAYER_UNKNOWN
    assert refused(PlayersMerged("ana", "ana"), *ALL) == Rule.PLAYER_TWICE
    assert refused(PlayersMerged("anna", "ana"), *merged) == Rule.PLAYER_MERGED
    assert refused(PlayersMerged("blas", "anna"), *merged) == Rule.PLAYER_MERGED
    assert refused(PlayerListed("anna"), *merged) == Rule.PLAYER_MERGED


def test_partners_are_two() -> None:
    pair = PairNamed("p", ("ana", "blas"))
    assert refused(PlayersMerged("ana", "blas"), *ALL, pair) == Rule.PLAYERS_MET
    assert refused(PairNamed("p", ("ana", "ana")), *ALL) == Rule.PLAYER_TWICE
    assert refused(PairNamed("p", ("ana", "blas", "celia")), *ALL) == Rule.PLAYER_TWICE
    assert refused(PairNamed("p", ("ana", "zoe")), *ALL) == Rule.PLAYER_UNKNOWN


def test_two_players_are_one_pair() -> None:
    pair = PairNamed("p", ("ana", "blas"), "t1")
    assert refused(PairNamed("q", ("blas", "ana")), *ALL, pair) == Rule.PAIR_KNOWN
    assert refused(PairNamed("p", ("ana", "celia")), *ALL, pair) == Rule.PAIR_KNOWN
    again = after(*ALL, pair, PairNamed("p", ("blas", "ana"), "t2"))
    assert again.pairs_after_merges()["p"].name == "t2"


def test_pairs_that_a_merge_makes_the_same_are_one_with_the_older_name() -> None:
    state = after(
        *ALL,
        PairNamed("p", ("ana", "blas"), "t1"),
        PairNamed("q", ("anna", "blas"), "t2"),
        PlayersMerged("anna", "ana"),
    )
    standing = state.pairs_after_merges()
    assert list(standing) == ["p"]
    assert standing["p"].players == {"anna", "blas"}


PEOPLE = st.sampled_from(["ana", "anna", "blas", "celia", "zoe"])
ACTS = st.one_of(
    st.builds(PlayerListed, PEOPLE),
    st.builds(PlayersMerged, PEOPLE, PEOPLE),
    st.builds(PairNamed, st.sampled_from("pqr"), st.tuples(PEOPLE, PEOPLE)),
)


@given(st.lists(ACTS, max_size=25))
def test_whatever_happens_everybody_is_somebody_who_was_not_merged(acts: list[ClubAct]) -> None:
    state = club.INITIAL
    for act in acts:
        try:
            (event,) = club.decide(act, state)
        except Refused:
            continue
        state = club.evolve(state, event)
    assert not {state.id_after_merges(one) for one in state.players} & set(state.merged)
    standing = state.pairs_after_merges().values()
    assert all(len(one.players) == club.PARTNERS for one in standing)
    assert len({one.players for one in standing}) == len(standing)


def test_the_club_is_on_the_log_verified_and_in_rows(address: Address, tmp_path: Path) -> None:
    referee = new_log(address)
    referee.players.record([*ALL, PairNamed("p", ("anna", "blas"), "t")], META)
    again = new_referee(address, 500)
    again.players.record([PlayersMerged("ana", "anna")], META, 5)
    with pytest.raises(Stale):
        again.players.record([PlayersMerged("ana", "blas")], META, 5)
    with pytest.raises(Refused):
        again.players.record([PlayerListed("diego"), PlayersMerged("ana", "anna")], META)
    assert "diego" not in referee.players.club().players
    assert referee.players.club().id_after_merges("anna") == "ana"
    log, views = LogReader(address), Views(tmp_path / "views.db", every_projection())
    assert [one for one in differences_in_all_streams(log) if one.stream == str(CLUB_ID)] == []
    Runner(log, views).apply_next_batch()
    with views.reading() as cursor:
        assert club_rows.player_merges(cursor) == {"anna": "ana"}
        assert club_rows.pair_rows(cursor) == [club_rows.PairOfPlayers("p", "ana", "blas", "t")]
        assert encuentro_ids_of_persons(cursor, ("ana",)) == set()
    for one in (referee, again, log, views):
        one.close()


def test_rows_are_the_same_however_they_were_read(tmp_path: Path) -> None:
    referee = new_log(tmp_path / "log.db")
    log = LogReader(tmp_path / "log.db")
    slow, fast = (Views(tmp_path / f"{name}.db", every_projection()) for name in ("slow", "fast"))
    follower = Runner(log, slow)
    acts = (
        *ALL,
        PairNamed("p", ("ana", "blas"), "t1"),
        PairNamed("q", ("anna", "blas"), "t2"),
        PlayersMerged("anna", "ana"),
        PlayerListed("anna", "n"),
        PairNamed("p", ("blas", "anna"), "t3"),
        PlayersMerged("celia", "anna"),
    )
    for at, act in enumerate(acts):
        referee.players.record([act], META)
        follower.apply_next_batch()
        if at % 3 == 0:
            follower = Runner(log, slow)
    Runner(log, fast).apply_next_batch()
    found = []
    for views in (slow, fast):
        with views.reading() as cursor:
            found.append((club_rows.player_rows(cursor), club_rows.pair_rows(cursor)))
    assert found[0] == found[1]
    assert club_rows.Player("ana", "celia", "", "") in found[0][0]
    assert found[0][1] == [club_rows.PairOfPlayers("p", "blas", "celia", "t3")]
    for one in (referee, log, slow, fast):
        one.close()


def stored(*events: Event) -> list[RecordedEvent]:
    return [
        RecordedEvent(CLUB_ID, at, at, "2026-11-21T20:15:00.000Z", "owner", "x", "s" * 22, event)
        for at, event in enumerate(events, start=1)
    ]


def test_what_could_not_be_so_is_found_on_the_log() -> None:
    assert list(differences_in_club(stored(*ALL, PlayersMerged("ana", "anna")))) == []
    forged = stored(*ALL, PlayersMerged("ana", "zoe"))
    assert [one.what for one in differences_in_club(forged)] == ["impossible_act"]
    strange = stored(*ALL, IncidentNoted("late"))
    assert [one.what for one in differences_in_club(strange)] == ["foreign_event"]

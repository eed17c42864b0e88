"""The rules of the club: sets of rules stated, stated again, retired; what nobody could play by."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.club_rules import rows_of_club_rules
from projections.every import every_projection
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from projections.runner.views import Views
from referee.aggregates import club_rules as rules
from referee.aggregates.club_rules import RulesOfClub, profile_of_edition
from referee.audit.verify.conclusions import differences_in_all_streams
from referee.errors import Refused, Stale
from referee.events import RulesAct, RulesRetired, RulesStated
from referee.kinds import RULES_ID
from referee.log.sqlite.recorder import create_tables
from referee.rules.articles import Rule
from referee.rules.profile.options import EDITIONS, NEWEST
from referee.rules.profile.profile import PROFILE_IDS
from tests.support.servers.one_log import META, new_referee

PENA = RulesStated("n1", "t1", "guinyot", NEWEST, {"min_malas": 30, "target": 101})


def after(*acts: RulesAct) -> RulesOfClub:
    state = rules.INITIAL
    for act in acts:
        (event,) = rules.decide(act, state)
        state = rules.evolve(state, event)
    return state


def refused(act: RulesAct, *acts: RulesAct) -> Rule:
    with pytest.raises(Refused) as no:
        rules.decide(act, after(*acts))
    return no.value.rule


def test_a_set_of_rules_is_a_profile_with_what_the_club_changes() -> None:
    known = after(PENA).sets["n1"]
    made = profile_of_edition(known.newest_edition, known.newest_edition_number)
    assert (made.id, made.edition, made.base) == ("n1", "1", "guinyot")
    assert made.values["min_malas"] == 30
    assert (made.article("min_malas").profile, made.basis("min_malas")) == ("n1", "stated")
    assert made.article("swap").profile == "guinyot"


def test_rules_stated_with_other_changes_are_a_new_edition_and_the_earlier_stays() -> None:
    other = msgspec.structs.replace(PENA, changes={"min_malas": 25})
    known = after(PENA, other).sets["n1"]
    assert (known.newest_edition_number, known.editions) == (2, (PENA, other))
    assert profile_of_edition(known.editions[0], 1).values["min_malas"] == 30


def test_another_name_is_no_other_edition() -> None:
    known = after(PENA, msgspec.structs.replace(PENA, name="t2")).sets["n1"]
    assert (known.newest_edition_number, known.name) == (1, "t2")


def test_rules_stay_on_the_edition_of_their_base_until_the_club_takes_the_newer_one() -> None:
    earlier = msgspec.structs.replace(PENA, base_edition=EDITIONS[0])
    known = after(earlier, PENA).sets["n1"]
    first, second = (profile_of_edition(one, n) for n, one in enumerate(known.editions, 1))
    assert "vueltas_end" not in first.entries
    assert "vueltas_end" in second.entries


def test_retired_rules_are_offered_again_once_they_are_stated_again() -> None:
    assert after(PENA, RulesRetired("n1")).sets["n1"].is_retired
    assert refused(RulesRetired("n1"), PENA, RulesRetired("n1")) == Rule.RULES_RETIRED
    again = after(PENA, RulesRetired("n1"), PENA).sets["n1"]
    assert (again.is_retired, again.newest_edition_number) == (False, 1)


def test_what_is_not_there_is_not_retired() -> None:
    assert refused(RulesRetired("n2"), PENA) == Rule.RULES_UNKNOWN


@pytest.mark.parametrize(
    ("base", "edition", "changes"),
    [
        ("casa", NEWEST, {}),
        ("club", "1999-1", {}),
        ("club", NEWEST, {"two_for_seven": True, "swap": False}),
        ("club", NEWEST, {"min_malas": 66}),
        ("club", NEWEST, {"no_such_option": 1}),
        ("club", EDITIONS[0], {"vueltas_end": "at_target"}),
    ],
)
def test_rules_that_nobody_could_play_by_are_refused(base, edition, changes) -> None:
    wrong = RulesStated("n1", "t1", base, edition, changes)
    assert refused(wrong) == Rule.RULES_CONTRADICTORY
    assert refused(wrong, PENA) == Rule.RULES_CONTRADICTORY


@pytest.mark.parametrize("taken", [*PROFILE_IDS, "NO", "a b"])
def test_the_id_of_a_set_is_its_own(taken: str) -> None:
    assert refused(msgspec.structs.replace(PENA, rules=taken)) in (
        Rule.RULES_UNKNOWN,
        Rule.RULES_CONTRADICTORY,
    )


CHANGES = st.sampled_from(
    [{}, {"min_malas": 30}, {"swap": False}, {"swap": False, "two_for_seven": True}, {"x": 1}]
)
ACTS = st.one_of(
    st.builds(
        RulesStated,
        st.sampled_from(["n1", "n2", "club"]),
        st.sampled_from(["t1", "t2"]),
        st.sampled_from(["club", "sin-mazo", "casa"]),
        st.sampled_from(EDITIONS),
        CHANGES,
    ),
    st.builds(RulesRetired, st.sampled_from(["n1", "n2", "n3"])),
)


@given(st.lists(ACTS, max_size=25))
def test_whatever_happens_every_edition_can_be_played_by(acts: list[RulesAct]) -> None:
    state, before = rules.INITIAL, dict[str, tuple[RulesStated, ...]]()
    for act in acts:
        try:
            (event,) = rules.decide(act, state)
        except Refused:
            continue
        state = rules.evolve(state, event)
        for name, known in state.sets.items():
            assert known.editions[: len(before.get(name, ()))] == before.get(name, ())
        before = {name: known.editions for name, known in state.sets.items()}
    for known in state.sets.values():
        for number, stated in enumerate(known.editions, 1):
            assert profile_of_edition(stated, number).options_of_every_table()


@given(st.lists(ACTS, max_size=12), st.integers(1, 4))
def test_rows_followed_live_are_those_of_a_rebuild(tmp_path_factory, acts, batch) -> None:
    folder = tmp_path_factory.mktemp("rules")
    create_tables(folder / "log.db")
    referee = new_referee(folder / "log.db")
    log, views = LogReader(folder / "log.db"), Views(folder / "live.db", every_projection())
    live = Runner(log, views, batch=batch)
    for act in acts:
        try:
            referee.rules.record_rules_act(act, META)
        except Refused:
            continue
        live.apply_next_batch()
    again = Views(folder / "again.db", every_projection())
    Runner(log, again).rebuild()
    assert again.dump() == views.dump()
    assert list(differences_in_all_streams(log)) == []
    with views.reading() as cursor:
        found = [
            (one.rules, one.edition, one.name, one.retired) for one in rows_of_club_rules(cursor)
        ]
    sets = referee.rules.rules().sets
    assert found == [
        (name, number, known.name, known.is_retired)
        for name, known in sets.items()
        for number in range(1, known.newest_edition_number + 1)
    ]
    for one in (referee, views, again, log):
        one.close()


def test_rules_are_written_at_the_version_that_was_read(tmp_path) -> None:
    create_tables(tmp_path / "log.db")
    referee = new_referee(tmp_path / "log.db")
    referee.rules.record_rules_act(PENA, META, 0)
    with pytest.raises(Stale):
        referee.rules.record_rules_act(PENA, META, 0)
    assert referee.rules.record_rules_act(RulesRetired("n1"), META, 1).id == RULES_ID
    referee.close()


def test_an_act_that_was_impossible_is_found_on_the_log(tmp_path) -> None:
    create_tables(tmp_path / "log.db")
    referee = new_referee(tmp_path / "log.db")
    wrong = msgspec.structs.replace(PENA, changes=json.loads('{"target": 0}'))
    evolve_only = lambda act, _: (act,)  # noqa: E731 - a decider that refuses nothing
    decide, rules.decide = rules.decide, evolve_only
    try:
        referee.rules.record_rules_act(wrong, META)
    finally:
        rules.decide = decide
    log = LogReader(tmp_path / "log.db")
    assert [one.what for one in differences_in_all_streams(log)] == ["impossible_act"]
    for one in (referee, log):
        one.close()

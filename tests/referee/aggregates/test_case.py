"""The case: who may do what, when, and what a ruling has to say."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from referee.aggregates.case import ruling_act
from referee.aggregates.encuentro import freeze_profile
from referee.events import CaseRuling, Ground, Photo, RulingGiven
from referee.rules.articles import Rule
from referee.rules.profile.profile import profile
from tests.support.records.case_text import (
    ANA,
    CLUB,
    JUEZ,
    SOVEREIGN,
    UNREGULATED,
    Told,
    appealed,
    article,
    closed,
    opened,
    ruled,
    ruling,
    settled,
    witness,
)

PHOTO = Photo("ab" * 32, "image/jpeg")


def test_a_case_goes_from_its_opening_to_its_last_word() -> None:
    case = Told(opened())
    stages = [case.state.stage]
    for act in (witness(text="w"), ruled(), appealed(), settled(), closed()):
        case.tell(act)
        stages.append(case.state.stage)
    assert stages == ["open", "open", "ruled", "appealed", "settled", "closed"]
    assert case.state.version == 6


@pytest.mark.parametrize(
    "wrong, rule",
    [
        ({"side": "C"}, Rule.SIDE_UNKNOWN),
        ({"lines": (3, 11)}, Rule.LINE_UNKNOWN),
        ({"lines": (0,)}, Rule.LINE_UNKNOWN),
        ({"text": ""}, Rule.REASON_MISSING),
    ],
)
def test_what_no_case_can_be_opened_about(wrong, rule) -> None:
    Told().refuses(replace(opened(), **wrong), rule)


def test_a_case_is_opened_once_by_a_side_or_by_the_arbiter() -> None:
    Told(opened("")).refuses(opened(), Rule.CASE_RUNNING)
    Told(opened("C", players=3))


def test_evidence_is_lines_a_witness_or_a_photo() -> None:
    case = Told(opened(), witness(lines=(10,)), witness(text="w"), witness(photo=PHOTO))
    assert len(case.state.evidence) == 3
    case.refuses(witness(), Rule.EVIDENCE_UNUSABLE)
    case.refuses(witness(lines=(11,)), Rule.LINE_UNKNOWN)
    case.refuses(witness(side="C", text="w"), Rule.SIDE_UNKNOWN)
    for sha256, media in (("ab" * 31, "image/png"), ("AB" * 32, "image/png"), ("ab" * 32, "a/b")):
        case.refuses(witness(photo=Photo(sha256, media)), Rule.EVIDENCE_UNUSABLE)


def test_evidence_may_follow_a_ruling_but_not_the_end() -> None:
    case = Told(opened(), ruled(), witness(text="w"), appealed(), witness(text="w"), settled())
    case.tell(closed())
    for act in (witness(text="w"), ruled(), appealed(), settled(), closed()):
        case.refuses(act, Rule.CASE_CLOSED)


# --- the ground of a ruling ----------------------------------------------------------------------


def test_a_ruling_stores_the_option_its_value_and_its_article() -> None:
    escuela = freeze_profile(profile("escuela"), 4)
    ground = article("beat_partner", of=escuela)
    assert (ground.value, ground.profile, ground.basis) == (True, "escuela", "stated")
    assert ground.section
    case = Told(opened(), ruled(ground=ground), of=escuela)
    assert case.state.ruling == ruling(ground=ground)
    assert ruling_act(ruling(ground=ground)).article == f"beat_partner: {ground.section}"


def test_a_ruling_on_a_silent_option_must_say_so() -> None:
    guinyot = freeze_profile(profile("guinyot"), 4)
    assert guinyot.basis["overtrump"] == "silent"
    case = Told(opened(), of=guinyot)
    case.refuses(ruled(ground=article("overtrump", of=guinyot)), Rule.BASIS_DIFFERS)
    case.refuses(ruled(ground=article("overtrump", "stated", guinyot)), Rule.BASIS_DIFFERS)
    case.tell(ruled(ground=article("overtrump", "silent", guinyot)))
    said = case.state.ruling
    assert said is not None
    assert said.ground.basis == "silent"


def test_a_ruling_says_nothing_of_a_rulebook_that_is_not_so() -> None:
    case = Told(opened())
    option = next(name for name, basis in CLUB.basis.items() if basis == "stated")
    case.refuses(ruled(ground=article(option, "silent")), Rule.BASIS_DIFFERS)
    other = replace(article(option), value="something else")
    case.refuses(ruled(ground=other), Rule.BASIS_DIFFERS)
    case.refuses(ruled(ground=Ground("article", "no_such_option")), Rule.OPTION_UNKNOWN)
    case.refuses(ruled(ground=Ground("sovereign", option)), Rule.OPTION_UNKNOWN)


def test_a_ruling_may_be_about_what_nobody_regulated_or_sovereign_with_a_reason() -> None:
    for ground in (SOVEREIGN, UNREGULATED):
        Told(opened(), ruled(ground=ground))
        Told(opened()).refuses(ruled(ground=ground, text=""), Rule.REASON_MISSING)
    assert ruling_act(ruling(ground=UNREGULATED)).article == "not-regulated"


def test_a_ruling_is_an_act_of_the_partida() -> None:
    word = ruling("points", side="B", points=-20)
    expected = RulingGiven("points", "t", side="B", points=-20, article="sovereign")
    assert ruling_act(word) == expected


def test_a_warning_is_given_to_somebody() -> None:
    Told(opened()).refuses(ruled(effect="warning"), Rule.SIDE_UNKNOWN)
    Told(opened(), ruled(effect="warning", seat="B1"))


# --- who, and when -------------------------------------------------------------------------------


def test_nobody_judges_his_own_cause() -> None:
    Told(opened()).refuses(ruled(by=ANA), Rule.SAME_PERSON)
    Told(opened("", by=JUEZ), ruled(by=JUEZ))
    case = Told(opened(), ruled(by=JUEZ), appealed(by="blas"))
    for person in (JUEZ, "blas", ANA):
        case.refuses(settled(by=person), Rule.SAME_PERSON)


def test_a_case_is_ruled_once() -> None:
    Told(opened(), ruled()).refuses(ruled(), Rule.CASE_RULED)


def test_a_deadline_lies_ahead() -> None:
    Told(opened()).refuses(ruled(at=10, until=10), Rule.DEADLINE_PAST)


def test_an_appeal_is_made_by_a_side_in_time_with_a_reason_and_once() -> None:
    case = Told(opened()).refuses(appealed(), Rule.CASE_NOT_RULED).tell(ruled(until=40))
    case.refuses(appealed(at=41), Rule.APPEAL_LATE)
    case.refuses(appealed(side=""), Rule.SIDE_UNKNOWN)
    case.refuses(appealed(text=""), Rule.REASON_MISSING)
    case.tell(appealed(at=40)).refuses(appealed(), Rule.NOT_APPEALABLE)
    Told(opened(), ruled(until=None)).refuses(appealed(), Rule.NOT_APPEALABLE)


def test_an_appeal_is_decided_once_upheld_or_changed() -> None:
    case = Told(opened(), ruled(effect="warning", side="A"))
    case.refuses(settled(), Rule.NO_APPEAL).tell(appealed())
    case.refuses(settled(text=""), Rule.REASON_MISSING)
    case.refuses(settled(word=CaseRuling("none", SOVEREIGN)), Rule.REASON_MISSING)
    upheld = Told(opened(), ruled(effect="warning", side="A"), appealed(), settled())
    assert upheld.state.ruling == ruling("warning", side="A")
    changed = case.tell(settled(word=ruling("none")))
    assert changed.state.ruling == ruling("none")
    changed.refuses(settled(), Rule.NO_APPEAL)


def test_a_case_is_closed_when_nobody_can_appeal_any_more() -> None:
    case = Told(opened()).refuses(closed(), Rule.REASON_MISSING)
    Told(opened(), closed(text="withdrawn"))
    case.tell(ruled(until=40)).refuses(closed(at=40), Rule.APPEAL_RUNNING)
    case.refuses(closed(at=30, waived=("A",)), Rule.APPEAL_RUNNING)
    case.refuses(closed(waived=("C",)), Rule.SIDE_UNKNOWN)
    Told(opened(), ruled(until=40), closed(at=30, waived=("B", "A")))
    Told(opened(), ruled(until=40), closed(at=41))
    Told(opened(), ruled(until=None), closed(at=11))
    Told(opened(), ruled(), appealed()).refuses(closed(at=99), Rule.APPEAL_RUNNING)

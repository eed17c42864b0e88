"""The data of a replay: frames equal the table of the record, and a seat sees only what it saw."""

from __future__ import annotations

import random
from itertools import accumulate
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from projections.legality.evidence import ProofData
from projections.replay.frames import steps_of
from projections.replay.view import (
    ChangeData,
    ReplayViewData,
    apply_profile,
    ids_of_comparable_profiles,
    partida_as_seen_by,
    replay_view,
)
from projections.scores.partidas import PartidaData, partida_view
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.partida import Partida, evolve, fold
from referee.events import (
    CardDrawn,
    CardPlayed,
    Change,
    DealAnnulled,
    DealStarted,
    HandEntered,
    IncidentNoted,
    LogAmended,
    PintaTurned,
    StockEntered,
    TableAct,
)
from referee.rules.cards import mask_of_tokens
from referee.rules.profile.options import Options
from referee.rules.profile.profile import profile, profiles
from referee.rules.seats import SEATS
from referee.table.comparison import NotComparable
from tests.support.records.dealt_out import TABLES, Player, opened
from tests.support.records.playing import Crowd, options_of
from tests.support.records.true_hands import are_possible, deals, followed
from tests.support.servers.long_runs import RUNS

CLUB = freeze_profile(profile("club"), 4, 40)


def partida(*acts: Any, options: Options | None = None) -> Partida:
    return fold([opened(options or Options()), *acts])


def whole_frames(replay: ReplayViewData) -> list[dict[str, Any]]:
    """Every frame whole, as the page puts it together."""
    frame: dict[str, Any] = {}
    found = []
    for step in replay.steps:
        frame = {**frame, **msgspec.json.decode(msgspec.json.encode(step.set))}
        found.append({name: value for name, value in frame.items() if value is not None})
    return found


def same_table(frame: dict[str, Any], view: PartidaData) -> None:
    """A frame shows the table of the official view."""
    assert frame["phase"] == view.phase
    assert frame["score"] == view.totals
    assert frame["vueltas"] == view.in_vueltas
    if "laid" not in frame:
        return
    deal = view.deals[-1]
    assert frame["laid"] == [[p.seat, p.card, p.line] for p in deal.on_table]
    assert frame["tricks"] == len(deal.tricks)
    assert (frame["stock"], frame["pinta"], frame["trump"]) == (
        deal.stock,
        deal.pinta,
        deal.trump,
    )
    assert frame["sizes"] == [hand.size for hand in deal.hands.values()]
    if view.phase in ("free", "arrastre"):
        assert frame.get("turn") == deal.turn


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("observed", [True, False])
def test_each_frame_is_the_table_after_that_line(table, observed):
    options = options_of(table)
    player = Player(options, 7, observed=observed)
    player.breaches_left = 2
    player.partida()
    states = list(accumulate(player.acts, evolve, initial=partida(options=options)))
    replay = replay_view(states[-1], freeze_profile(*named(table)))
    for frame, state in zip(whole_frames(replay), states[1:], strict=True):
        same_table(frame, partida_view(state))


def named(table):
    name, players, deck = table
    return profile(name), players, deck


@settings(max_examples=13 * RUNS)
@given(st.integers(0, 10**9), st.sampled_from(TABLES))
def test_whatever_is_recorded_can_be_replayed(seed, table):
    crowd = Crowd(options_of(table), seed)
    for _ in range(60):
        crowd.tries(crowd.command())
    replay = replay_view(crowd.state, freeze_profile(*named(table)))
    assert [step.line for step in replay.steps] == [e.line for e in crowd.state.standing_acts]
    if replay.steps:
        same_table(whole_frames(replay)[-1], partida_view(crowd.state))
    msgspec.json.encode(replay)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_seen_and_deduced_is_true_and_the_truth_is_possible(seed):
    seen, _ = followed(Options(), seed, noted=True)
    acts = [written for _, written in deals(Options(), seed, noted=True) if written is not None]
    steps = [*steps_of(partida(*acts))]
    half = partida(*acts[: len(acts) // 2])
    assert [*steps_of(half)] == steps[: half.version]  # a frame is not told what follows it
    replayed = replay_view(partida(*acts), CLUB).deals
    for one in seen:
        if not one.hands or one.deal.is_counted:
            continue
        frame = steps[one.line - 1].frame
        letters = [frame[seat] for seat in one.deal.seats]
        cards = replayed[frame["deal"] - 1].cards
        for string, hand in zip(letters, one.hands, strict=True):
            sure = mask(cards, string, "sd")
            assert are_possible(((sure, mask(cards, string, "sdp")),), (hand,))
            assert string.count("s") + string.count("d") <= hand.bit_count()


def mask(cards, letters, wanted):
    return mask_of_tokens(c for c, letter in zip(cards, letters, strict=True) if letter in wanted)


# --- from a seat ---------------------------------------------------------------------------------


def open_record(seed: int, hidden: int, seat: str) -> list[TableAct]:
    """An open record broken off; ``hidden`` deals anew what this seat did not see."""
    player = Player(Options(), seed, observed=False)
    player.deal("B2")
    cut = random.Random(seed).randrange(8, len(player.acts))
    acts = player.acts[:cut]
    shown = {act.card for act in acts if isinstance(act, CardPlayed | PintaTurned)}
    own = {c for a in acts if isinstance(a, HandEntered) and a.seat == seat for c in a.cards}
    own |= {a.card for a in acts if isinstance(a, CardDrawn) and a.seat == seat}
    others = [a for a in acts if isinstance(a, HandEntered) and a.seat != seat]
    others += [a for a in acts if isinstance(a, StockEntered)]
    secret = sorted({c for a in others for c in a.cards} - shown - own)
    mixed = secret[:]
    random.Random(hidden).shuffle(mixed)
    new = dict(zip(secret, mixed, strict=True))

    def anew(act: TableAct) -> TableAct:
        if isinstance(act, HandEntered | StockEntered):
            cards = tuple(new.get(card, card) for card in act.cards)
            return msgspec.structs.replace(act, cards=cards)
        if isinstance(act, CardDrawn):
            return msgspec.structs.replace(act, card=new.get(act.card, act.card))
        return act

    return [anew(act) for act in acts]


@settings(max_examples=20 * RUNS)
@given(st.integers(0, 10**6), st.sampled_from(SEATS[4]), st.integers(1, 99))
def test_a_seat_is_shown_nothing_that_it_did_not_see(seed, seat, hidden):
    one, other = (partida(*open_record(seed, world, seat)) for world in (0, hidden))
    bytes_of = [
        msgspec.json.encode(replay_view(partida_as_seen_by(state, seat), CLUB))
        for state in (one, other)
    ]
    assert bytes_of[0] == bytes_of[1]
    whole = msgspec.json.encode(replay_view(one, CLUB))
    assert one == other or whole != msgspec.json.encode(replay_view(other, CLUB))


def test_a_seat_sees_its_own_hand_and_no_word_of_the_arbiter():
    acts = open_record(3, 0, "A1")
    acts.append(IncidentNoted("talk", "B1", "AO", "t1"))
    acts.append(LogAmended((Change(len(acts), "withdraw"),), "t2"))
    state = partida_as_seen_by(partida(*acts), "A1")
    replay = replay_view(state, CLUB)
    hands = [step.act for step in replay.steps if step.act["kind"] == "hand"]
    assert [hand["seat"] for hand in hands] == ["A1"]
    assert replay.amendments[0].text == ""
    assert not [step for step in replay.steps if step.act.get("text")]
    assert whole_frames(replay)[-1]["A1"].count("s") > 0


# --- beside the acts -----------------------------------------------------------------------------

FALSE = [("A1", "2C"), ("B1", "6E"), ("A2", "4C"), ("B2", "7C")]
PROOF = [("B2", "4E"), ("A1", "2E"), ("B1", "5C")]
START = [DealStarted("B2"), PintaTurned("4O")]
BARE = freeze_profile(profile("sin-mazo"), 4, 40)


def bare(*acts: Any) -> Partida:
    return partida(*START, *acts, options=profile("sin-mazo").options(4, 40))


def plays(*cards: tuple[str, str]) -> list[CardPlayed]:
    return [CardPlayed(seat, card) for seat, card in cards]


def test_a_renuncio_has_its_proof_and_the_line_since_which_it_is_known():
    replay = replay_view(bare(*plays(*FALSE, *PROOF)), BARE)
    (broken,) = [one for one in replay.verdicts if one.verdict == "unlawful"]
    assert (broken.line, broken.since, broken.rule) == (4, 9, "follow")
    assert broken.proof == ProofData([3, 4, 9], ["5C"])
    assert broken.article.profile == "sin-mazo"
    assert broken.slip.kind == "seats_swapped"


def test_a_correction_shows_the_lines_before_and_after():
    wrong = LogAmended((Change(4, "replace", CardPlayed("B1", "6C")),), "t1")
    back = LogAmended((Change(10, "withdraw"),))
    more = LogAmended((Change(5, "insert", IncidentNoted("talk", "B1")),))
    replay = replay_view(bare(*plays(*FALSE, *PROOF), wrong, back, more), BARE)
    first, second, third = replay.amendments
    (change,) = first.changes
    assert (first.stands, first.text, change.line) == (False, "t1", 4)
    assert (change.before["card"], change.after["card"]) == ("6E", "6C")
    assert second.changes[0] == ChangeData(10, "withdraw", None, None)
    assert (third.changes[0].before, third.stands) == (None, True)
    lines = [step.line for step in replay.steps]
    assert lines == [1, 2, 3, 4, 12, 5, 6, 7, 8, 9]


def test_a_deal_that_was_annulled_can_still_be_seen():
    replay = replay_view(bare(*plays(*FALSE), DealAnnulled(), *START, *plays(("A1", "2C"))), BARE)
    assert [(deal.line, deal.counts) for deal in replay.deals] == [(1, False), (8, True)]
    assert [len(deal.tricks) for deal in replay.deals] == [1, 0]
    assert whole_frames(replay)[-1]["deal"] == 2


def test_another_profile_judges_the_same_record_unless_it_deals_otherwise():
    player = Player(Options(), 4, observed=True)
    player.partida()
    state = partida(*player.acts)
    assert set(ids_of_comparable_profiles(state, profiles())) >= {"club", "escuela"}
    assert "sin-mazo" not in ids_of_comparable_profiles(state, profiles())
    other = apply_profile(state, profile("escuela"))
    assert replay_view(other, CLUB).steps
    with pytest.raises(NotComparable):
        apply_profile(state, profile("sin-mazo"))


def test_a_whole_partida_is_small():
    sizes = []
    for seed in range(8):
        for observed in (True, False):
            player = Player(Options(), seed, observed=observed)
            player.partida()
            sizes.append(len(msgspec.json.encode(replay_view(partida(*player.acts), CLUB))))
    assert max(sizes) < 80_000

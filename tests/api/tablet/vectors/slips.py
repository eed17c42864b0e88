"""Records with a slip of the recorder that shows when a card is keyed which cannot be laid."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import msgspec

from referee.aggregates.commands import Amend, Record
from referee.aggregates.partida import Partida, decide, fold
from referee.errors import Refused
from referee.events import CardPlayed, Change, TableAct
from referee.rules.cards import CARD, TOKENS, cards_in
from referee.rules.evidence.slips import neighbour_cards_on_pad
from referee.rules.profile.options import Options, deck_mask
from referee.rules.seats import SEATS
from tests.support.records.dealt_out import TABLES, Player, opened
from tests.support.records.playing import options_of


class Planted(NamedTuple):
    """A record, the card that cannot be recorded after it, and the slip that was made."""

    state: Partida
    act: CardPlayed
    slip: dict[str, Any]


def planted(seed: int) -> Planted | None:
    """A deal played out with one slip; None if it does not show."""
    chance = random.Random(seed)
    options = options_of(TABLES[seed % len(TABLES)])
    player = Player(options, seed, observed=True)
    player.deal(player.seats[0])
    acts = player.acts
    at = [place for place, act in enumerate(acts) if isinstance(act, CardPlayed)]
    slip = chance.choice([_mistaken, _twice, _seat_left_out])
    wrong = slip(options, acts, at, chance)
    if wrong is None:
        return None
    return _until_refused(options, *wrong)


Wrong = tuple[list[TableAct], dict[str, Any]]


def _mistaken(
    options: Options, acts: list[TableAct], at: list[int], chance: random.Random
) -> Wrong | None:
    """A card taken for its neighbour, which is laid later."""
    place = chance.choice(at)
    true = acts[place]
    assert isinstance(true, CardPlayed)
    later = {act.card for act in acts[place + 1 :] if isinstance(act, CardPlayed)}
    near = cards_in(neighbour_cards_on_pad(CARD[true.card], deck_mask(options)))
    cards = [TOKENS[card] for card in near if TOKENS[card] in later]
    if not cards:
        return None
    wrong = CardPlayed(true.seat, chance.choice(cards))
    return [*acts[:place], wrong, *acts[place + 1 :]], _replaced(place, true, "card_mistaken")


def _twice(
    options: Options, acts: list[TableAct], at: list[int], chance: random.Random
) -> Wrong | None:
    """A card tapped twice: the second counts for the next seat."""
    number = chance.randrange(len(at) - 1)
    first, second = acts[at[number]], acts[at[number + 1]]
    assert isinstance(first, CardPlayed)
    assert isinstance(second, CardPlayed)
    again = CardPlayed(second.seat, first.card)
    slip = {"slip": "entered_twice", "line": at[number] + 1, "changes": [], "act": None}
    return [*acts[: at[number + 1]], again], slip


def _seat_left_out(
    options: Options, acts: list[TableAct], at: list[int], chance: random.Random
) -> Wrong | None:
    """The card of the next seat counted for the one that was still to lay."""
    size = len(SEATS[options.players])
    number = chance.choice([n for n in range(len(at) - 1) if n % size != size - 1])
    true, after = acts[at[number]], acts[at[number + 1]]
    assert isinstance(true, CardPlayed)
    assert isinstance(after, CardPlayed)
    wrong = [*acts[: at[number]], CardPlayed(true.seat, after.card), after]
    return wrong, {**_replaced(at[number], after, "seats_swapped"), "act": None}


def _replaced(place: int, act: CardPlayed, slip: str) -> dict[str, Any]:
    change = {"line": place + 1, "how": "replace", "act": msgspec.to_builtins(act)}
    return {"slip": slip, "line": place + 1, "changes": [change]}


def _until_refused(options: Options, acts: list[TableAct], slip: dict[str, Any]) -> Planted | None:
    state = fold([opened(options)])
    for act in acts:
        try:
            state = decide(Record(act), state).state
        except Refused:
            is_new = state.version < slip["line"]
            found = _of_this_card(slip) if is_new else slip
            return Planted(state, act, found) if isinstance(act, CardPlayed) else None
    return None


def _of_this_card(slip: dict[str, Any]) -> dict[str, Any]:
    """The slip, when the wrong card itself cannot be recorded."""
    (change,) = slip["changes"]
    return {"slip": slip["slip"], "line": 0, "changes": [], "act": change["act"]}


def asked(one: Planted) -> dict[str, Any]:
    """Input for the browser."""
    assert one.state.opened is not None
    return {
        "setting": {"options": one.state.opened.options, "dealer_due": ""},
        "log": [{"line": r.line, "act": msgspec.to_builtins(r.act)} for r in one.state.log],
        "act": msgspec.to_builtins(one.act),
    }


def is_mended(one: Planted, suggested: dict[str, Any]) -> bool:
    """Whether the service records what is suggested."""
    state = one.state
    changes = msgspec.convert(suggested["changes"], tuple[Change, ...])
    try:
        if changes:
            state = decide(Amend(changes), state).state
        if suggested["act"]:
            act = msgspec.convert(suggested["act"], CardPlayed)
            state = decide(Record(act), state).state
    except Refused:
        return False
    return True

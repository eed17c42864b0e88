"""Which cards may be played: answers a question in plain JSON.

The duties of arrastre are assumed to apply. Cards are written as tokens of the Spanish pack under
every profile. A bad question is answered with ``{"error": {code, field, detail}}``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from referee.rules.cards import BIT, CARD, DECKS, SUITS, TOKENS, Card, Mask, Suit, mask_of
from referee.rules.duties import COMMON, Duty, lawful_plays, narrowing_duty, position_before_play
from referee.rules.profile.options import Options
from referee.rules.profile.profile import BadProfile, Profile, UnknownProfile, profile
from referee.rules.seats import SEATS, Seat

FIELDS = ("profile", "options", "players", "trump", "seat", "hand", "trick")
NEEDED = ("trump", "seat", "hand", "trick")
_STRICTEST: Mapping[str, bool | str] = {
    "beat_partner": True,
    "beat_after_trumped": True,
    "trump_partner": True,
    "undertrump": "forced",
}


class Unanswerable(Exception):  # noqa: N818 - an answer to a question, not a failure
    """A question that has no answer: a code, the field at fault and what was found there."""

    def __init__(self, code: str, field: str, detail: object = None) -> None:
        super().__init__(code)
        self.error = {"code": code, "field": field, "detail": detail}


@dataclass(frozen=True, slots=True)
class LawfulQuestion:
    """A question about lawful cards, read and found valid."""

    profile: Profile
    options: Options
    trump: Suit
    seat: Seat
    hand: tuple[Card, ...]
    plays: tuple[tuple[Seat, Card], ...]


def answer_lawful_question_in_json(line: str) -> dict[str, Any]:
    """Answer to a question in one line of JSON, as a dict; a fault is its ``error``, not raised.

    >>> answer_lawful_question_in_json('{"trump": "O"}')["error"]["code"]
    'missing-field'
    """
    try:
        asked = json.loads(line, object_pairs_hook=_refuse_duplicate_keys)
    except Unanswerable as wrong:
        return {"error": wrong.error}
    except (ValueError, RecursionError) as wrong:
        return {"error": Unanswerable("malformed-json", "", str(wrong)).error}
    return answer_lawful_question(asked)


def answer_lawful_question(asked: object) -> dict[str, Any]:
    """Dict of the lawful cards, the last duty that narrowed them and its article; or ``error``.

    >>> trick = [{"seat": "B2", "card": "RC"}]
    >>> asked = {"trump": "O", "seat": "A1", "hand": ["AO", "2E"], "trick": trick}
    >>> found = answer_lawful_question(asked)
    >>> found["lawful"], found["duty"]
    (['AO'], 'trump')
    """
    try:
        question = _read_question(asked)
    except Unanswerable as wrong:
        return {"error": wrong.error}
    options, hand = question.options, mask_of(question.hand)
    position = position_before_play(question.plays, question.seat, question.trump, options)
    allowed = lawful_plays(position, hand) if position else hand
    duty = narrowing_duty(position, hand) if position else None
    return {
        "lawful": [TOKENS[card] for card in question.hand if allowed & BIT[card]],
        "duty": (duty.rule.value if duty else "free") if position else "lead",
        "article": _article_behind_answer(question, duty, hand),
    }


def _article_behind_answer(
    question: LawfulQuestion, duty: Duty | None, hand: Mask
) -> dict[str, str]:
    """Article of the option that decided, else the one where the common duties are stated."""
    found = question.profile.article(
        _option_behind_answer(question, duty, hand), question.options.players
    )
    return {"profile": found.profile, "section": found.section, "basis": found.basis}


def _option_behind_answer(question: LawfulQuestion, duty: Duty | None, hand: Mask) -> str:
    """Option on which an answer rests; for a free choice, an option that could have limited it."""
    if duty:
        return duty.option
    for name, value in _STRICTEST.items():
        strict = replace(question.options, **{name: value})  # type: ignore[arg-type] # as typed there
        position = position_before_play(question.plays, question.seat, question.trump, strict)
        if position and lawful_plays(position, hand) != hand:
            return name
    return COMMON


def _refuse_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON object of these pairs; ``Unanswerable`` if a key is there twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twin = next(key for key in keys if keys.count(key) > 1)
        raise Unanswerable("duplicate-key", twin)
    return found


def _read_question(asked: object) -> LawfulQuestion:
    """Question as read from JSON. ``Unanswerable`` names the first thing wrong."""
    fields = _read_fields(asked, "", NEEDED, FIELDS)
    chosen, options = _profile_and_options(fields)
    trump = _read_choice(fields["trump"], "trump", tuple(SUITS), "unknown-suit")
    seats = SEATS[options.players]
    seat = _read_choice(fields["seat"], "seat", seats, "unknown-seat")
    hand = tuple(
        _read_card(token, f"hand[{index}]", options)
        for index, token in enumerate(_read_list(fields["hand"], "hand"))
    )
    plays = tuple(
        _read_play(play, f"trick[{index}]", options)
        for index, play in enumerate(_read_list(fields["trick"], "trick"))
    )
    _check_cards(hand, plays)
    _check_seats(seat, plays, len(seats))
    return LawfulQuestion(chosen, options, SUITS.index(trump), seat, hand, plays)


def _read_fields(
    given: object, where: str, needed: tuple[str, ...], known: tuple[str, ...]
) -> Mapping[str, Any]:
    """JSON object with all needed fields and none but the known."""
    if not isinstance(given, Mapping):
        raise Unanswerable("not-an-object", where)
    dot = f"{where}." if where else ""
    for name in given:
        if name not in known:
            raise Unanswerable("unknown-field", f"{dot}{name}")
    for name in needed:
        if name not in given:
            raise Unanswerable("missing-field", f"{dot}{name}")
    return given


def _read_list(given: object, field: str) -> list[Any]:
    if not isinstance(given, list):
        raise Unanswerable("not-a-list", field, given)
    return given


def _read_choice(given: object, field: str, allowed: tuple[str, ...], code: str) -> str:
    if not isinstance(given, str) or given not in allowed:
        raise Unanswerable(code, field, {"given": given, "allowed": list(allowed)})
    return given


def _read_card(token: object, field: str, options: Options) -> Card:
    if not isinstance(token, str) or token not in CARD:
        raise Unanswerable("unknown-card", field, token)
    if not DECKS[options.deck] & BIT[CARD[token]]:
        raise Unanswerable("card-not-in-deck", field, {"card": token, "deck": options.deck})
    return CARD[token]


def _read_play(given: object, field: str, options: Options) -> tuple[Seat, Card]:
    play = _read_fields(given, field, ("seat", "card"), ("seat", "card"))
    seat = _read_choice(play["seat"], f"{field}.seat", SEATS[options.players], "unknown-seat")
    return seat, _read_card(play["card"], f"{field}.card", options)


def _check_cards(hand: tuple[Card, ...], plays: tuple[tuple[Seat, Card], ...]) -> None:
    """Refuse an empty hand, and a card that is named twice."""
    if not hand:
        raise Unanswerable("empty-hand", "hand")
    places = [(card, f"hand[{index}]") for index, card in enumerate(hand)]
    places += [(card, f"trick[{index}].card") for index, (_, card) in enumerate(plays)]
    seen: dict[Card, str] = {}
    for card, field in places:
        if card in seen:
            raise Unanswerable("card-twice", field, {"also": seen[card]})
        seen[card] = field


def _check_seats(seat: Seat, plays: tuple[tuple[Seat, Card], ...], players: int) -> None:
    """Refuse a seat that has played already, and a trick in which nobody is left to play."""
    if len(plays) >= players:
        raise Unanswerable("trick-full", "trick", {"cards": len(plays), "players": players})
    seen: list[Seat] = []
    for index, (player, _) in enumerate(plays):
        if player in (seat, *seen):
            raise Unanswerable("seat-twice", f"trick[{index}].seat", player)
        seen.append(player)


def _profile_and_options(fields: Mapping[str, Any]) -> tuple[Profile, Options]:
    """Profile with its changed options, and the options of the table asked about."""
    name, changes = fields.get("profile", "club"), fields.get("options", {})
    players = fields.get("players", 4)
    if not isinstance(name, str):
        raise Unanswerable("unknown-profile", "profile", name)
    if not isinstance(changes, Mapping):
        raise Unanswerable("not-an-object", "options", changes)
    if isinstance(players, bool) or not isinstance(players, int):
        raise Unanswerable("wrong-value", "players", players)
    try:
        return _resolve_profile_and_options(name, json.dumps(changes, sort_keys=True), players)
    except UnknownProfile:
        raise Unanswerable("unknown-profile", "profile", name) from None
    except BadProfile as wrong:
        problem = wrong.problems[0]
        field = problem.options[0] if problem.options else ""
        dot = "" if problem.code == "players-not-allowed" else "options."
        detail = {"options": list(problem.options), **_plain_facts(problem.facts)}
        raise Unanswerable(problem.code, f"{dot}{field}", detail) from None


def _plain_facts(facts: Mapping[str, object]) -> dict[str, Any]:
    """Facts as JSON holds them."""
    found: dict[str, Any] = json.loads(json.dumps(dict(facts)))
    return found


@lru_cache(maxsize=256)
def _resolve_profile_and_options(name: str, changes: str, players: int) -> tuple[Profile, Options]:
    """Profile and options by the text of the question, cached: most lines have the same table.

    Without it a line of ``guinote lawful`` takes 2.8 to 3.3 times as long
    (docs/developing/performance.md).
    """
    chosen, changed = profile(name), json.loads(changes)
    if changed:
        chosen = chosen.changed(f"{name}-changed", chosen.edition, changed)
    return chosen, chosen.options(players)

"""Partidas recorded by other engines, one JSON object a line, read as acts of a record.

The format is theirs: cards ``<rank><suit>`` with ranks 1-7 and 10-12, seats from 0 in order of
play, and for each hand its deal, stock, trump card and events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from referee import events as ev
from referee.rules.cards import CARD
from referee.rules.seats import SEATS, SIDES, Seat, side_of

_RANKS: Final = {"1": "A", "10": "S", "11": "C", "12": "R"}


class BadSample(ValueError):  # noqa: N818 - an answer about a file
    """A sample that is not of the format: where, and what is wrong there."""

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(f"{field}: {detail}")
        self.field = field
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Sample:
    """A partida of another engine: what a profile must allow to hold it, and its deals."""

    game: int | None
    players: int
    deck: int
    hand_size: int
    deals: tuple[tuple[ev.TableAct, ...], ...]


def token_of_sample_card(card: str) -> str:
    """Token of a card in the notation of the samples.

    >>> [token_of_sample_card(one) for one in ("12O", "1B", "3C", "10E")]
    ['RO', 'AB', '3C', 'SE']
    """
    token = _RANKS.get(card[:-1], card[:-1]) + card[-1:]
    if token not in CARD:
        raise BadSample("card", card)
    return token


def _seat_or_side_in_field(places: Sequence[str], given: Mapping[str, Any], field: str) -> str:
    """The seat or side with the number in a field, counted from 0.

    :raises BadSample: there is none
    """
    number = given[field]
    if type(number) is not int or not 0 <= number < len(places):
        raise BadSample(field, f"{number}: not from 0 to {len(places) - 1}")
    return places[number]


def parse_sample(given: Mapping[str, Any], *, observed: bool = False) -> Sample:
    """A sample read from its JSON object; ``observed`` leaves out what only an open record tells.

    :raises BadSample: if the object is not of the format.
    """
    try:
        return _parse_partida_of_other_engine(given, observed=observed)
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise BadSample(str(error).strip("'"), "missing or of the wrong kind") from error


def _parse_partida_of_other_engine(given: Mapping[str, Any], *, observed: bool) -> Sample:
    players = int(given["players"])
    hands = list(given["hands"])
    if players not in SEATS or not hands:
        raise BadSample("players" if players not in SEATS else "hands", str(given["players"]))
    cards = [card for hand in hands for dealt in hand["deal"] for card in dealt]
    cards += [card for hand in hands for card in hand["stock"]]
    deals = []
    for number, hand in enumerate(hands, 1):
        acts = list(_acts_of_deal(hand, SEATS[players], observed=observed))
        if number == len(hands):
            acts += _acts_that_end_vueltas(given, hand, SEATS[players])
        deals.append(tuple(acts))
    return Sample(
        game=given.get("game"),
        players=players,
        deck=48 if any(card[:-1] in ("8", "9") for card in cards) else 40,
        hand_size=len(hands[0]["deal"][0]),
        deals=tuple(deals),
    )


def _acts_of_deal(
    hand: Mapping[str, Any], seats: tuple[Seat, ...], *, observed: bool
) -> Iterator[ev.TableAct]:
    pinta = token_of_sample_card(hand["trump_card"])
    yield ev.DealStarted(_seat_or_side_in_field(seats, hand, "dealer"))
    yield ev.PintaTurned(pinta)
    if not observed:
        for seat, cards in zip(seats, hand["deal"], strict=True):
            yield ev.HandEntered(seat, tuple(token_of_sample_card(card) for card in cards))
        yield ev.StockEntered(tuple(token_of_sample_card(card) for card in hand["stock"]))
    for event in hand["events"]:
        match event["t"]:
            case "play":
                yield ev.CardPlayed(
                    _seat_or_side_in_field(seats, event, "seat"),
                    token_of_sample_card(event["card"]),
                )
            case "draw":
                card = token_of_sample_card(event["card"])
                is_seen = not observed or card == pinta
                yield ev.CardDrawn(
                    _seat_or_side_in_field(seats, event, "seat"), card if is_seen else ""
                )
            case "cante":
                yield ev.CanteAnnounced(_seat_or_side_in_field(seats, event, "seat"), event["suit"])
            case "swap7":
                pinta = token_of_sample_card(event["gave"])
                yield ev.PintaSwapped(_seat_or_side_in_field(seats, event, "seat"), pinta)
            case "trick":
                pass
            case other:
                raise BadSample("t", str(other))


def _acts_that_end_vueltas(
    given: Mapping[str, Any], hand: Mapping[str, Any], seats: tuple[Seat, ...]
) -> list[ev.TableAct]:
    """Claim that ends the vueltas, by the winner whom the engine declared; else no act.

    :raises BadSample: it declared none, or one who does not play
    """
    if hand["hand"] != "vueltas":
        return []
    result, last = given["result"], hand["result"]
    if result.get("winner_team") is None:
        raise BadSample("winner_team", "no winner of the vueltas")
    side = _seat_or_side_in_field(SIDES[len(seats)], result, "winner_team")
    own = [seat for seat in seats if side_of(seat) == side]
    is_known = last.get("last_trick_winner") is not None
    took = _seat_or_side_in_field(seats, last, "last_trick_winner") if is_known else None
    return [ev.ClaimMade(took if took in own else own[0])]

"""Partidas of other engines, played with the public names alone: who, what is lawful, who wins."""

from __future__ import annotations

from typing import Any

from referee.library import Card, Deal, Hand, Partida, Seat, Suit, profile
from tests.support.records.samples import samples

CLUB = profile("club")


def deal_of(hand: dict[str, Any], seats: tuple[Seat, ...]) -> Deal:
    hands = tuple(Hand(map(Card.parse, cards)) for cards in hand["deal"])
    stock = tuple(map(Card.parse, hand["stock"]))
    return Deal(seats[hand["dealer"]], hands, Card.parse(hand["trump_card"]), stock)


def play(partida: Partida, event: dict[str, Any]) -> int:
    """Do what an event says, as far as it is an act; how many plays were compared."""
    seat = partida.seats[event.get("seat", 0)]
    match event["t"]:
        case "play":
            assert partida.whose_turn is seat
            card = Card.parse(event["card"])
            assert card in partida.lawful
            partida.push(card)
            return 1
        case "draw":
            assert Card.parse(event["card"]) in partida.hand(seat)
        case "cante":
            partida.push(f"canta {seat} {Suit(event['suit']).name.lower()}")
        case "swap7":
            assert f"cambia {seat}" in partida.announcements(seat)
            partida.push(f"cambia {seat}")
        case "trick":
            trick = partida.tricks[-1]
            assert trick.taker(partida.trump, CLUB) is partida.seats[event["winner"]]
            assert trick.points == event["points"]
    return 0


def test_partidas_of_other_engines_are_played_and_won_as_there() -> None:
    given, plays = samples(), 0
    assert len(given) == 40
    for one in given:
        cards = {card[:-1] for hand in one["hands"] for cards in hand["deal"] for card in cards}
        partida = Partida(CLUB, players=one["players"], deck=48 if cards & {"8", "9"} else 40)
        sides = list(partida.score)
        for hand in one["hands"]:
            partida.push(deal_of(hand, partida.seats))
            plays += sum(play(partida, event) for event in hand["events"])
        if partida.outcome is None:
            winner = sides[one["result"]["winner_team"]]
            took = partida.tricks[-1].taker(partida.trump, CLUB)
            own = [seat for seat in partida.seats if seat.side is winner]
            partida.push(f"101 {took if took in own else own[0]}")
        assert partida.findings == ()
        assert partida.outcome is not None
        assert partida.outcome.winner is sides[one["result"]["winner_team"]]
        assert list(partida.outcome.totals.values()) == one["result"]["points"]
    assert plays > 1500

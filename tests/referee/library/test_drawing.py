"""Drawings of tables: whole SVG, with the cards that are known and no others."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree as ET

import pytest

from referee.library import Deal, Partida, Seat, profile

SVG = "{http://www.w3.org/2000/svg}"


def shown(drawing: str) -> Counter[str]:
    """Cards of a drawing by what each says of itself."""
    titles = (one.text or "" for one in ET.fromstring(drawing).iter(f"{SVG}title"))
    return Counter(title for title in titles if len(title) == 2)


def dealt(plays: str = "") -> Partida:
    partida = Partida()
    partida.push(Deal.random(7))
    if plays:
        partida.push(plays)
    return partida


def test_a_table_shows_every_card_that_is_known():
    partida = dealt("A1 3B  B1 4O")
    hands = [str(card) for seat in partida.seats for card in partida.hand(seat)]
    assert shown(partida.svg()) == Counter([*hands, "3B", "4O", "CO"])
    assert partida._repr_html_() == partida.svg()


def test_a_seat_sees_its_own_cards_and_the_backs_of_the_others():
    partida = dealt("A1 3B  B1 4O")
    seen = partida.svg(Seat.A2)
    assert shown(seen) == Counter([*map(str, partida.hand(Seat.A2)), "3B", "4O", "CO"])
    backs = partida.svg().count("#7a2e2e"), seen.count("#7a2e2e")
    assert backs == (1, 1 + 5 + 5 + 6)


def test_a_table_says_whose_turn_it_is_and_the_points():
    drawing = dealt("A1 3B  B1 5O  A2 AB  B2 7O").svg()
    words = re.findall(r"<text[^>]*>([^<]*)</text>", drawing)
    assert {"● B2", "A1", "B1", "A2", "A 0 · B 21"} <= set(words)


def test_once_the_stock_is_drawn_the_trump_stays():
    partida = dealt()
    while partida.stock:
        partida.push(next(iter(partida.lawful)))
    titles = [one.text for one in ET.fromstring(partida.svg()).iter(f"{SVG}title")]
    assert titles[0] == str(partida.trump)


@pytest.mark.parametrize("name, players", [("sin-mazo", 3), ("club", 2)])
def test_all_hands_of_any_table_lie_within_the_drawing(name, players):
    partida = Partida(profile(name), players=players)
    partida.push(Deal.random(1, partida.options))
    places = re.findall(r"translate\(([\d.-]+) ([\d.-]+)\) scale", partida.svg())
    assert places
    assert all(0 <= float(x) <= 760 and 0 <= float(y) <= 470 for x, y in places)
    assert not shown(Partida(profile(name), players=players).svg())

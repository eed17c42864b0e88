"""Drawings of hands and tricks: whole SVG, with their cards."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from referee.rules import Card, Hand, Trick

SVG = "{http://www.w3.org/2000/svg}"


def titles(drawing: str) -> list[str | None]:
    return [one.text for one in ET.fromstring(drawing).iter(f"{SVG}title")]


@pytest.mark.parametrize(
    "value", [Hand.parse("AO 3O RC"), Trick.parse("A1 RO, B1 2C"), Hand(), Trick()]
)
def test_hands_and_tricks_show_their_cards(value):
    cards = value.cards if isinstance(value, Trick) else value
    assert titles(value.svg()) == [str(card) for card in cards]
    assert value._repr_html_() == value.svg()
    assert ET.fromstring(value.svg()).get("aria-label") == str(value)


def test_a_card_has_the_number_that_a_spanish_pack_prints():
    texts = [one.text for one in ET.fromstring(Hand(Card.deck(48)).svg()).iter(f"{SVG}text")]
    assert texts == [*"1 3 12 10 11 9 8 7 6 5 4 2".split()] * 4


def test_a_trick_names_its_seats():
    drawing = Trick.parse("A1 RO, B1 2C").svg()
    assert [one.text for one in ET.fromstring(drawing).iter(f"{SVG}text")] == [
        "12",
        "A1",
        "2",
        "B1",
    ]

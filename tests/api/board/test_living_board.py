"""A board while a table plays: which trick it is, the last one, the partidas of the coto; and what it keeps."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.browser.pages import site
from tests.support.read_pages import Reader
from tests.support.servers.club_tables import PEOPLE, Club, board_of, deal, trick, whole_deal

LAID = [
    {"kind": "card", "seat": seat, "card": card}
    for seat, card in zip(("A1", "B1", "A2", "B2"), ("AO", "3O", "RO", "2O"), strict=True)
]


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with site(tmp_path_factory.mktemp("club")) as served:
        yield Club(served)


def test_a_board_shows_the_trick_the_last_one_and_the_partidas_of_the_coto(club: Club) -> None:
    table = club.table(*PEOPLE[:4])
    club.won(table, *"ABAABA")
    partida = club.partida(table, *deal("B2", "7C"), *LAID[:3])
    club.read(partida)
    visitor = Reader(club.served)
    seen = visitor.page(board_of(table))
    assert seen.count(".last, .trick") == 0, "before the first trick is closed nothing is known"
    club.act(partida, *LAID[3:], LAID[0] | {"card": "4B"})
    club.read(partida)
    for path in (board_of(table), f"{board_of(table)}/emision"):
        seen = visitor.page(path)
        assert seen.text(".trick") == "Baza 2 de 10"
        assert seen.text(".last > p") == "Última baza: Pilar"
        shown = seen.values(".last li svg", "aria-label")
        assert shown == ["as de oros", "tres de oros", "rey de oros", "dos de oros"]
        assert seen.texts(".last .takes") == ["as de orosPilar"]
        assert seen.texts(".results li") == ["5 Joaquín · Chesús", "6 Pilar · Mari Carmen"]


def test_a_board_shows_no_card_where_it_would_count_for_a_side_or_the_club_keeps_it(
    club: Club,
) -> None:
    visitor = Reader(club.served)
    first = [*deal("B2", "7C"), *LAID]
    tables = {
        "in vueltas": (club.table(*PEOPLE[:4]), [*whole_deal("B2", 51), *deal("A1", "7C"), *LAID]),
        "a claim is possible": (club.table(*PEOPLE[:4], profile="baraja-francesa"), first),
        "nobody noted the cards": (club.table(*PEOPLE[:4]), [*deal("B2"), trick("A1", 4)]),
        "shown": (club.table(*PEOPLE[:4]), first),
    }
    for table, acts in tables.values():
        club.read(club.partida(table, *acts))
    found = {why: visitor.page(board_of(table)) for why, (table, _) in tables.items()}
    cards = {why: page.count(".last svg") for why, page in found.items()}
    assert cards == {**dict.fromkeys(tables, 0), "shown": 4}
    assert found["nobody noted the cards"].text(".last") == "Última baza: Pilar"
    settings = "/api/v1/settings"
    club.write(settings, {"record_audience": "with_code"}, club.read(settings)["version"])
    shown = board_of(tables["shown"][0])
    assert visitor.page(shown).count(".last") == 0
    public = club.read(f"/api/v1/public/encuentros/{shown.rpartition('/')[2]}")
    assert public["partida"]["deal"]["last"] is None

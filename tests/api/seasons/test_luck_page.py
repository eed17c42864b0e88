"""The luck of the deals on its page: the figures of the cards, by name, and only if the club says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from html import unescape
from typing import Any

import pytest

from projections.seasons.luck import PricedDeal, luck_in_deals
from referee.aggregates.partida import fold
from referee.analysis.deals import CannotAnalyse, arrastre_cards_with_positions
from referee.analysis.questions import points_left, position_value_or_none
from referee.rules.profile.options import Options
from referee.rules.seats import side_of
from referee.table.counts import score_items
from referee.table.state import Table
from tests.support.analysis.club_deals import PEOPLE, played_out
from tests.support.analysis.marks import NEEDS_ENGINE
from tests.support.records.dealt_out import Player, opened
from tests.support.servers.http_table import HttpTable

pytestmark = NEEDS_ENGINE
SETTINGS = "/api/v1/settings"
SEEDS = range(24)
DAY = date(2026, 10, 2)
ROW = re.compile(r'<tr><th scope="row">([^<]*)</th>((?:<td class="n">[^<]*</td>)+)</tr>')
SEASON = {"name": "Liga", "since": "2026-01-01", "scoring": {"encuentro_won": 2}, "of": "persons"}


class LuckClub:
    """A season with two evenings' tables noted card by card, and one without any card."""

    def __init__(self, table: HttpTable) -> None:
        self.table = table
        services = table.app.extensions["guinote"]()
        self.season, self.bare = self.made(SEASON), self.made({**SEASON, "name": "Solo resultados"})
        evening = {"season": self.season, "date": "2026-10-02", "profile": {"id": "club"}}
        session = self.posted("/api/v1/sessions", evening)
        played_out(services, SEEDS, DAY, held_in=session)

    def posted(self, path: str, body: dict[str, Any]) -> str:
        answer = self.table.post(path, body)
        assert answer.status_code == 201, answer.text
        return str(answer.headers["Location"]).rpartition("/")[2]

    def made(self, body: dict[str, Any]) -> str:
        return self.posted("/api/v1/seasons", body)

    def page(self, season: str, *, status: int = 200) -> str:
        answer = self.table.app.test_client().get(f"/temporadas/{season}/suerte")
        assert answer.status_code == status
        return str(answer.text)

    def choose(self, choice: str) -> None:
        version = self.table.get(SETTINGS).json["version"]
        assert self.table.post(SETTINGS, {"deal_luck": choice}, version).status_code == 200


@pytest.fixture(scope="module")
def club(shared_table: HttpTable) -> LuckClub:
    return LuckClub(shared_table)


def from_the_cards() -> list[PricedDeal]:
    """The arrastres of the season, counted trick by trick, with who sat where."""
    found = []
    for seed in SEEDS:
        table = fold([opened(Options()), *Player(Options(), seed).partida()]).table
        turn = seed % 4
        people = (*PEOPLE[turn:], *PEOPLE[:turn])
        pairs = tuple(sorted(people[0::2])), tuple(sorted(people[1::2]))
        found += [PricedDeal(*pairs, *one) for one in arrastres(table)]
    return found


def arrastres(table: Table) -> Iterator[tuple[float, float]]:
    """Par and what was made of each arrastre that was played out, above half, for side A."""
    for deal in table.all_deals:
        if not deal.is_played_out:
            continue
        try:
            first = arrastre_cards_with_positions(table, deal)[0]
        except CannotAnalyse:
            continue
        par, start = position_value_or_none(first.before, "A"), len(deal.tricks) - 6
        assert par is not None
        made = 0.0
        for number, trick in enumerate(deal.tricks[start:], start + 1):
            points = (trick.points or 0) + (10 if number == len(deal.tricks) else 0)
            made += points if side_of(trick.taker) == "A" else 0
        late = [c for c in deal.cantes if c.trick >= start and not c.void]
        late = [c for c in late if table.came_before(first.line, c.line)]
        made += sum(c.points / 2 * (1 if side_of(c.seat) == "A" else -1) for c in late)
        yield par - points_left(first.before) / 2, made - points_left(first.before) / 2
        assert score_items(deal, 10, table.ruled_out)


def number(points: float) -> str:
    return f"{points:+.1f}".replace("-", "−").replace(".", ",")


def test_it_is_off_until_the_club_wants_it(club: LuckClub) -> None:
    assert club.table.get(SETTINGS).json["deal_luck"] == "hidden"
    club.page(club.season, status=404)
    season = club.table.app.test_client().get(f"/temporadas/{club.season}").text
    assert "/suerte" not in season
    club.choose("shown")
    season = club.table.app.test_client().get(f"/temporadas/{club.season}").text
    assert f'href="/temporadas/{club.season}/suerte"' in season
    club.choose("hidden")
    club.page(club.season, status=404)


def test_the_figures_are_those_of_the_cards_by_name_and_without_places(club: LuckClub) -> None:
    club.choose("shown")
    expected = luck_in_deals(from_the_cards())
    assert expected.share is not None
    rows = ROW.findall(club.page(club.season))
    shown = {unescape(name): re.findall(r">([^<]*)</td>", cells) for name, cells in rows}
    assert list(shown) == sorted(shown, key=str.casefold)
    assert len(shown) == len(expected.pairs)
    for one in expected.pairs:
        assert one.within is not None
        low, high = number(one.beyond - one.within), number(one.beyond + one.within)
        assert shown[" · ".join(one.pair)] == [
            str(one.deals),
            number(one.par),
            number(one.made),
            f"entre {low} y {high}",
        ]


def test_a_season_without_cards_says_that_no_deal_was_noted(club: LuckClub) -> None:
    club.choose("shown")
    page = club.page(club.bare)
    assert "No se apuntó ningún reparto." in page
    assert ROW.findall(page) == []


def test_the_words_say_what_it_is_not(club: LuckClub) -> None:
    club.choose("shown")
    page = club.page(club.season)
    assert "No es una clasificación" in page
    assert "con las cartas como estaban" in page
    assert "unas 95 veces de cada 100" in page

"""Seats and dealer by the draw: the page gives the same outcome as the rules."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from referee.rules.cards import CARD, DECKS, TOKENS, cards_in
from referee.rules.draw import METHODS, SeatDraw, UnfinishedSeatDraw, draw_seats_by_program
from referee.rules.profile.options import Options
from tests.api.tablet.opening.opening_page import NEW, SEATS, Club, opened, shown, typed
from tests.support.page_in_node import PageInNode, expect
from tests.support.servers.served import Served

FOUR = ("Ana", "Blas", "Celia", "Diego")
METHOD = {"a_reyes": "A reyes", "a_la_mas_alta": "A la más alta", "por_palo": "Por palo"}


@pytest.fixture
def club(served: Served) -> Club:
    return Club(served)


@pytest.fixture
def page(tablet: PageInNode) -> Iterator[PageInNode]:
    with tablet.at(NEW):
        yield tablet


def begin(page: PageInNode, method: str, purpose: str, names: Sequence[str] = FOUR) -> None:
    """Players seated, and the draw begun."""
    page.locator("[name=players]").nth(4 - len(names)).check()
    typed(page, *names)
    page.locator(".who > button.plain").last.click()
    if len(names) == 4:
        page.locator("[name=purpose]").nth(["partners", "dealer"].index(purpose)).check()
    page.locator(".draw .pick label").filter(has_text=METHOD[method]).click()
    expect(page.locator(".fallen li.next")).to_have_count(1)


def key(page: PageInNode, card: str, count: int) -> None:
    """Key a card, and wait for the answer of the server."""
    page.locator(f"[data-card='{card}']").click()
    expect(page.locator(".got [role=img]")).to_have_count(count)


def state(method: Any, draw: SeatDraw, cards: list[tuple[str, str]]) -> Any:
    return METHODS[method](draw, [(who, CARD[card]) for who, card in cards])


@pytest.mark.parametrize(
    ("method", "purpose", "players", "chance"),
    [
        ("a_reyes", "partners", 4, "1"),
        ("a_reyes", "partners", 4, "2"),
        ("a_reyes", "dealer", 4, "3"),
        ("a_reyes", "dealer", 3, "4"),
        ("a_la_mas_alta", "partners", 4, "5"),
        ("a_la_mas_alta", "partners", 4, "6"),
        ("a_la_mas_alta", "dealer", 2, "7"),
        ("por_palo", "dealer", 4, "8"),
        ("por_palo", "dealer", 3, "9"),
    ],
)
def test_cards_keyed_as_they_fall_give_what_the_rules_say(
    page: PageInNode, club: Club, method: Any, purpose: Any, players: int, chance: str
) -> None:
    names = [f"{name} {chance}" for name in FOUR[:players]]
    places = SEATS[players]
    candidates = names if purpose == "partners" else places
    options = Options(players=players)
    draw = SeatDraw(candidates, purpose, options)
    begin(page, method, purpose, names)
    rng = random.Random(chance)
    deck: list[int] = []
    cards: list[tuple[str, str]] = []
    by_seat = dict(zip(places, names, strict=True))
    while isinstance(stands := state(method, draw, cards), UnfinishedSeatDraw):
        if len(stands.waiting) == len(candidates) or not deck:
            deck = rng.sample(cards_in(DECKS[40]), 40)
        who = stands.waiting[0] if method == "a_reyes" else rng.choice(stands.waiting)
        name = by_seat.get(who, who)
        page.locator(".fallen button").filter(
            has_text=name
        ).click() if method != "a_reyes" else None
        expect(page.locator(".fallen li.next button")).to_have_text(name)
        cards.append((who, TOKENS[deck.pop()]))
        key(page, cards[-1][1], len(cards))
    dealer = by_seat.get(stands.dealer, stands.dealer)
    expect(page.locator(".outcome")).to_contain_text(f"Da {dealer}")
    page.locator(".draw .main").click()
    seats = dict(stands.seats) or by_seat
    assert shown(page) == seats
    expect(page.locator(".stool").filter(has_text=dealer)).to_contain_text("da")
    encuentro = opened(page)
    assert club.seated(encuentro) == seats
    view = club.view(encuentro)
    (made,) = view["draws"]
    fell = [[view["names"].get(who, who), card] for who, card in made["cards"]]
    assert (made["method"], made["purpose"], fell) == (method, purpose, [[*one] for one in cards])
    assert view["names"].get(made["outcome"]["dealer"], made["outcome"]["dealer"]) == stands.dealer
    known = [one["name"] for one in club.persons()]
    assert sorted(name for name in known if name in names) == sorted(names)


def test_a_card_keyed_wrongly_is_taken_back(page: PageInNode) -> None:
    begin(page, "a_reyes", "partners")
    key(page, "2O", 1)
    key(page, "RC", 2)
    expect(page.locator("[data-card='2O']")).to_be_disabled()
    page.locator(".turn button").click()
    expect(page.locator(".got [role=img]")).to_have_count(1)
    expect(page.locator(".fallen li.next button")).to_have_text("Blas")
    key(page, "4C", 2)
    expect(page.locator(".fallen li.next button")).to_have_text("Celia")


def test_after_a_tie_the_deck_is_whole_again(page: PageInNode) -> None:
    begin(page, "a_la_mas_alta", "dealer")
    for count, card in enumerate(("AO", "AC", "2E", "4B"), 1):
        key(page, card, count)
    expect(page.locator(".ask .tag")).to_contain_text("2")
    expect(page.locator("[data-card='AO']")).to_be_enabled()
    assert page.locator(".fallen button:enabled").all_inner_texts() == ["Ana", "Blas"]
    key(page, "AO", 5)
    key(page, "3O", 6)
    expect(page.locator(".outcome")).to_contain_text("Da Ana")


@pytest.mark.parametrize(("purpose", "stated"), [("partners", ""), ("dealer", "Calamocha")])
def test_the_program_draws_from_a_seed_that_repeats_it(
    page: PageInNode, club: Club, purpose: Any, stated: str
) -> None:
    begin(page, "a_reyes", purpose)
    page.locator("[name=by]").last.check()
    page.fill("#seed", stated)
    page.locator(".seeded button").click()
    seed = page.locator(".outcome code").inner_text()
    assert seed == stated or (not stated and len(seed) >= 16)
    draw = SeatDraw(FOUR if purpose == "partners" else SEATS[4], purpose, Options())
    outcome, cards = draw_seats_by_program("a_reyes", draw, seed)
    drawn = page.locator(".got [role=img]").count()
    assert drawn == len(cards)
    page.locator(".draw .main").click()
    expect(page.locator(".who code")).to_have_text(seed)
    encuentro = opened(page)
    (made,) = club.view(encuentro)["draws"]
    assert made["seed"] == seed
    assert [card for _, card in made["cards"]] == [TOKENS[card] for _, card in cards]
    seats = dict(outcome.seats) or dict(zip(SEATS[4], FOUR, strict=True))
    assert club.seated(encuentro) == seats


def test_a_draw_cannot_be_repeated_until_it_suits(page: PageInNode, club: Club) -> None:
    begin(page, "a_reyes", "partners")
    page.locator("[name=by]").last.check()
    page.locator(".seeded button").click()
    seed = page.locator(".outcome code").inner_text()
    drawn = page.locator(".outcome p").first.inner_text()
    page.locator(".draw .title button").click()
    page.locator("[data-place=A1] .stool").tap()
    page.locator("[data-place=B1] .stool").tap()
    page.reload()
    begin(page, "a_reyes", "partners")
    page.locator("[name=by]").last.check()
    expect(page.locator("#seed")).to_have_count(0)
    expect(page.locator(".seeded code")).to_have_text(seed)
    page.locator(".seeded button").click()
    expect(page.locator(".outcome code")).to_have_text(seed)
    expect(page.locator(".outcome p").first).to_have_text(drawn)
    page.locator(".draw .main").click()
    (made,) = club.view(opened(page))["draws"]
    assert made["seed"] == seed
    expect(page.locator(".table .bar")).to_be_visible()
    page.goto(NEW)
    begin(page, "a_reyes", "partners")
    page.locator("[name=by]").last.check()
    expect(page.locator("#seed")).to_be_visible()


def test_who_changes_seats_after_the_draw_undoes_it(page: PageInNode, club: Club) -> None:
    begin(page, "por_palo", "dealer")
    key_one(page, "AO")
    page.locator(".draw .main").click()
    expect(page.locator(".stool .tag")).to_have_count(1)
    page.locator("[data-place=A1] .stool").tap()
    page.locator("[data-place=B1] .stool").tap()
    expect(page.locator(".stool .tag")).to_have_count(0)
    expect(page.locator(".open [role=status]")).to_contain_text("sorteo ya no vale")
    assert club.view(opened(page))["draws"] == []


def key_one(page: PageInNode, card: str) -> None:
    page.locator(f"[data-card='{card}']").click()
    expect(page.locator(".outcome")).to_be_visible()


def test_a_draw_begun_may_be_left(page: PageInNode) -> None:
    begin(page, "a_reyes", "partners")
    page.locator(".draw .title button").click()
    expect(page.locator(".draw")).to_have_count(0)
    assert shown(page) == dict(zip(SEATS[4], FOUR, strict=True))

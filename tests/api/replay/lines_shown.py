"""What the page of a replay shows of the analysis, and of a line that was not played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from playwright.sync_api import Page

from tests.support.page_in_node import PageInNode

UNPLAYED = ".felt.unplayed"
_CARDS = """() => {
  const card = (one) => one.querySelector("use").getAttribute("href").split("#")[1];
  const [felt, beside] = [".felt", ".beside"].map((one) => document.querySelector(one));
  const slider = document.querySelector(".slide input");
  return Array.from({ length: slider.max - slider.min + 1 }, (_, index) => {
    const press = new KeyboardEvent("keydown", { key: index ? "ArrowRight" : "Home", bubbles: true });
    document.body.dispatchEvent(press);
    const laid = felt.querySelector(`.trick [data-line="${-1 - index}"]`);
    const at = [...laid.classList].find((name) => felt.querySelector(`.seat.${name}`));
    const seats = [...felt.querySelectorAll(".seat")];
    return {
      seat: felt.querySelector(`.seat.${at}`).dataset.seat,
      card: card(laid),
      wrong: laid.classList.contains("wrong"),
      sung: [...beside.querySelectorAll(".said")].map((one) => one.textContent),
      hands: Object.fromEntries(seats.map((one) => [one.dataset.seat, [...one.querySelectorAll(".hand .seen")].map(card).sort()])),
      turn: felt.querySelector(".seat.turn")?.dataset.seat ?? "",
    };
  });
}"""
_NUMBERS = """() => Object.fromEntries([...document.querySelectorAll(".acts [data-line]")]
  .map((row) => [row.dataset.line, row.querySelector(".took [aria-hidden]")?.textContent])
  .filter(([, said]) => said))"""
_CHOICES = """() => Object.fromEntries([...document.querySelectorAll(".candidate")].map((one) => [
  one.dataset.card,
  [Number(one.querySelector("b").textContent), one.querySelector(".wrong") === null],
]))"""


class ShownCard(NamedTuple):
    """A card of a line: who laid it, what was sung after it, and the hands that are left.

    ``turn``: the seat that is to play next, empty at the end.
    """

    seat: str
    card: str
    wrong: bool
    sung: list[str]
    hands: dict[str, list[str]]
    turn: str


def line_shown(page: Page | PageInNode) -> list[ShownCard]:
    """Every card of the line, from its first one by the buttons to its end."""
    page.wait_for_function(f"() => document.querySelector('{UNPLAYED}') !== null")
    return [ShownCard(**one) for one in page.evaluate(_CARDS)]


def totals_shown(page: Page | PageInNode) -> list[int]:
    """Points of each side at the end of the deal, as the banner of a line says them."""
    parts = page.locator(".not-played .ends").inner_text().rstrip(".").split(" · ")
    return [int(part.rpartition(" ")[2]) for part in parts]


def choices_shown(page: Page | PageInNode) -> dict[str, tuple[int, bool]]:
    """What each card of the hand yields, and whether it is lawful, when all are known."""
    page.wait_for_function("() => !document.querySelector('.choices')?.textContent.includes('·')")
    found: dict[str, Any] = page.evaluate(_CHOICES)
    return {card: (value, is_lawful) for card, (value, is_lawful) in found.items()}


def numbers_of(answers: Iterable[Mapping[str, Any]], least: int = 1) -> dict[str, str]:
    """The numbers that the page should show by the answers of the program, by line."""
    found = {str(one["line"]): one["cost"] for one in answers if "cost" in one}
    return {
        line: f"−{cost}" if cost > 0 else f"+{-cost}"
        for line, cost in found.items()
        if abs(cost) >= least
    }


def numbers_shown(page: Page | PageInNode, count: int = 0) -> dict[str, str]:
    """The numbers in the list of acts by line, once there are as many."""
    if count:
        page.wait_for_function(f"() => Object.keys(({_NUMBERS})()).length === {count}")
    return dict(page.evaluate(_NUMBERS))

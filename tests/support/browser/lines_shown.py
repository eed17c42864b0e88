"""What the page of a replay shows of a line that was not played."""

from __future__ import annotations

from typing import Any, NamedTuple

from playwright.sync_api import Page

UNPLAYED = ".felt.unplayed"
_CARDS = """() => {
  const card = (one) => one.querySelector("use").getAttribute("href").split("#")[1];
  const slider = document.querySelector(".slide input");
  return Array.from({ length: slider.max - slider.min + 1 }, (_, index) => {
    const press = new KeyboardEvent("keydown", { key: index ? "ArrowRight" : "Home", bubbles: true });
    document.body.dispatchEvent(press);
    const laid = document.querySelector(`.trick [data-line="${-1 - index}"]`);
    const at = [...laid.classList].find((name) => document.querySelector(`.seat.${name}`));
    const seats = [...document.querySelectorAll(".seat")];
    return {
      seat: document.querySelector(`.seat.${at}`).dataset.seat,
      card: card(laid),
      wrong: laid.classList.contains("wrong"),
      sung: [...document.querySelectorAll(".beside .said")].map((one) => one.textContent),
      hands: Object.fromEntries(seats.map((one) => [one.dataset.seat, [...one.querySelectorAll(".hand .seen")].map(card).sort()])),
      turn: document.querySelector(".seat.turn")?.dataset.seat ?? "",
    };
  });
}"""
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


def line_shown(page: Page) -> list[ShownCard]:
    """Every card of the line, from its first one by the buttons to its end."""
    page.wait_for_selector(UNPLAYED)
    return [ShownCard(**one) for one in page.evaluate(_CARDS)]


def totals_shown(page: Page) -> list[int]:
    """Points of each side at the end of the deal, as the banner of a line says them."""
    parts = page.locator(".not-played .ends").inner_text().rstrip(".").split(" · ")
    return [int(part.rpartition(" ")[2]) for part in parts]


def choices_shown(page: Page) -> dict[str, tuple[int, bool]]:
    """What each card of the hand yields, and whether it is lawful, when all are known."""
    page.wait_for_function("() => !document.querySelector('.choices')?.textContent.includes('·')")
    found: dict[str, Any] = page.evaluate(_CHOICES)
    return {card: (value, is_lawful) for card, (value, is_lawful) in found.items()}

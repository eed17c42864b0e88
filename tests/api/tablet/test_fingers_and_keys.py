"""A table in a browser: by finger, by long presses and by keys, with the totals that are hidden in vueltas."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect

from referee.events import CardPlayed, ClaimMade, DealStarted, PintaTurned
from referee.rules.profile.profile import profile
from referee.rules.seats import SEATS
from tests.support.browser.form_keying import dealt
from tests.support.browser.keying import (
    HELD_MS,
    Keying,
    finger_on,
    first_deal,
    played,
    table,
    touched,
)
from tests.support.browser.table_states import NO_STOCK, OPENED, UNFOLLOWED
from tests.support.records.dealt_out import Account
from tests.support.servers.served import Served


def has_vueltas(account: Account) -> bool:
    return account.how == "claim" and sum(account.cantes.values()) > 0


def peek(keying: Keying, totals: dict[str, int]) -> None:
    """Totals are shown while a finger or a key is held, and no longer."""
    scores, button = keying.page.locator(".scores"), keying.page.locator(".scores .peek")
    expect(scores).to_contain_text("de memoria")
    assert not re.search(r"\d\d", scores.inner_text())
    with finger_on(button):
        expect(scores).to_contain_text(str(totals["A"]))
    expect(scores).not_to_contain_text(str(totals["A"]))
    button.focus()
    keying.page.keyboard.down(" ")
    expect(scores).to_contain_text(str(totals["B"]))
    keying.page.keyboard.up(" ")
    expect(scores).not_to_contain_text(str(totals["B"]))


def test_vueltas_are_keyed_by_finger_and_the_claim_is_held_by_finger_or_key(
    browser: Browser, served: Served
) -> None:
    acts, account = played(has_vueltas)
    totals, claim = account.totals(profile("club").options(4, 40)), acts[-1]
    assert isinstance(claim, ClaimMade)
    start = len(first_deal(acts))
    with table(browser, served, acts[:start]) as keying:
        keying.acts(acts[start:-1])
        peek(keying, totals)
        decided, claimer = (
            keying.page.locator(".decided h2"),
            keying.sheet(f'[data-seat="{claim.seat}"]'),
        )
        keying.tap(keying.button("¡101!"))
        claimer.focus()
        keying.page.keyboard.down("Enter")
        expect(decided).to_be_visible()
        keying.page.keyboard.up("Enter")
        assert keying.view()["decided"]["winner"] == account.winner
        keying.tap(keying.undo())
        keying.tap(keying.button("Sí, reabrir la partida"))
        expect(decided).to_have_count(0)
        keying.tap(keying.button("¡101!"))
        claimer.tap()
        touched(claimer, HELD_MS // 3)
        assert keying.view()["decided"] is None, "a stray touch claims nothing"
        with finger_on(claimer):
            expect(decided).to_be_visible()
        view = keying.view()
        assert (view["decided"]["winner"], view["decided"]["how"]) == (account.winner, "claim")
        assert view["totals"] == totals
        sums = keying.page.locator(".count .sum b").all_inner_texts()
        assert [int(text) for text in sums] == [totals["A"], totals["B"]]


def test_the_pad_is_played_with_keys_and_its_marks_are_seen(
    browser: Browser, served: Served
) -> None:
    with table(browser, served) as keying:
        keying.key("2O").focus()
        for pressed in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "Enter"):
            keying.page.keyboard.press(pressed)
        expect(keying.page.locator(".stock")).to_contain_text("espadas")
        keying.page.keyboard.type("rc")
        keying.page.keyboard.press("Enter")
        expect(keying.laid("RC")).to_be_visible()
        deal = keying.view()["deals"][0]
        assert (deal["pinta"], deal["on_table"][0]["card"]) == ("2E", "RC")
    with table(browser, served, UNFOLLOWED, of=NO_STOCK) as keying:
        proof, other = keying.key("6C").locator(".mark"), keying.key("6E").locator(".mark")
        keying.tap(keying.seat("B1"))
        expect(keying.seat("B1")).to_have_class(re.compile("chosen"))
        expect(proof).to_be_hidden()
        keying.tap(keying.seat("A2"))
        expect(proof).to_be_visible()
        expect(other).to_be_hidden()


_FEEL = """() => {
  window.felt = [];
  Object.defineProperty(navigator, "vibrate", { value: (time) => window.felt.push(time) > 0, configurable: true });
}"""


def felt(keying: Keying) -> list[int]:
    """Vibrations of a tap on a card, one on a button, and a button that is held."""
    keying.page.evaluate("felt.splice(0)")
    keying.cards("AC")
    expect(keying.laid("AC")).to_be_visible()
    keying.tap(keying.button("¡101!"))
    with finger_on(claimer := keying.sheet('[data-seat="A1"]')):
        expect(claimer).to_have_count(0)
    times = list(keying.page.evaluate("felt.slice(0, 3)"))
    for named in ("canta las 101", "as de copas"):
        expect(keying.undo()).to_contain_text(named)
        keying.tap(keying.undo())
    expect(keying.laid("AC")).to_have_count(0)
    return times


def test_taps_vibrate_where_there_is_vibration_and_people_want_motion(
    browser: Browser, served: Served
) -> None:
    with table(browser, served, OPENED) as keying:
        keying.page.evaluate(_FEEL)
        assert felt(keying) == [12, 12, 40]
        keying.page.emulate_media(reduced_motion="reduce")
        assert felt(keying) == []
        keying.page.emulate_media(reduced_motion="no-preference")
        keying.page.evaluate("Object.defineProperty(navigator, 'vibrate', { value: undefined })")
        assert felt(keying) == []


def test_a_long_press_by_finger_corrects_a_card_and_shows_its_points(
    browser: Browser, served: Served
) -> None:
    acts, _ = played(lambda account: len(account.takers) > 1)
    first = first_deal(acts)
    opening = acts[len(first)]
    assert isinstance(opening, DealStarted)
    eldest = SEATS[4].index(opening.dealer) + 1
    order = [SEATS[4][(eldest + place) % 4] for place in range(4)]
    plays = [CardPlayed(*one) for one in zip(order, ("AC", "2C", "4C", "5C"), strict=True)]
    second = [opening, PintaTurned("7O"), *plays]
    with table(browser, served, [*first, *second]) as keying:
        with finger_on(keying.laid("2C")):
            asked = keying.page.locator(".prompt.asks")
            expect(asked).to_contain_text("¿Qué carta era en realidad?")
        keying.tap(keying.key("3O"))
        hidden = keying.sheet(".peek")
        expect(hidden).to_have_text("Mantén el dedo para ver los tantos")
        with finger_on(hidden):
            expect(hidden).to_have_text(re.compile(" → .* → "))
        expect(hidden).to_have_text("Mantén el dedo para ver los tantos")
        keying.page.keyboard.press("Escape")
        expect(keying.page.locator("dialog.sheet")).to_have_count(0)
    with table(browser, served, dealt("AC", "2C")) as keying:
        with finger_on(keying.laid("2C")):
            expect(keying.page.locator(".prompt.asks")).to_be_visible()
        keying.tap(keying.key("4C"))
        expect(keying.laid("4C")).to_be_visible()

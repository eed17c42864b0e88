"""A renuncio denounced on the tablet: its verdict, its proof and what it would do, with a network and without."""

from __future__ import annotations

from typing import Any

from referee.events import CardPlayed, CardsShown, DealStarted, PintaTurned, TableAct
from tests.support.browser.keying import Keying, expect, table
from tests.support.browser.tablets import ENCUENTROS
from tests.support.page_in_node import PageInNode
from tests.support.servers.served import Served

NO_STOCK = ("sin-mazo", 4, 40)
SPOKEN = {"A1": "Ana", "B1": "Blas", "A2": "Celia", "B2": "Diego"}


def plays(said: str) -> list[TableAct]:
    """Cards laid: ``"A1 2C, B1 2E"``."""
    return [CardPlayed(*one.split()) for one in said.split(", ")]


# Ten cards each, trump oros: the duties hold from the first trick. B1 does not follow, at line 4.
BREACH = [DealStarted("B2"), PintaTurned("7O"), *plays("A1 2C, B1 2E, A2 4C, B2 5C")]
PROOF = plays("B2 4E, A1 5E, B1 6C, A2 6E")
COUNTED = [CardsShown(seat, void=("C",)) for seat in ("A1", "A2", "B2")]


def denounce(keying: Keying, by: str, against: str, trick: int) -> Any:
    """Taps: who accuses whom, of which trick. The panel that opens."""
    keying.tap(keying.page.locator(".bar button").last)
    keying.sheet(".choice button.option").first.tap()
    for place, seat in enumerate((by, against)):
        group = keying.sheet(".form > .choice").nth(place)
        group.get_by_role("button", name=SPOKEN[seat], exact=True).tap()
    keying.sheet(f'[data-trick="{trick}"]').tap()
    keying.sheet(".form .main").tap()
    return keying.sheet(".accused")


def evidence(keying: Keying, line: int) -> dict[str, Any]:
    """What the service says of an act."""
    path = f"{ENCUENTROS}/{keying.encuentro}/partidas/1/evidence"
    (found,) = [act for act in keying.club.ask("GET", path)["acts"] if act["line"] == line]
    return dict(found)


def test_a_renuncio_that_a_card_proves(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served, [*BREACH, *PROOF], of=NO_STOCK) as keying:
        panel = denounce(keying, "A1", "B1", 1)
        expect(panel).to_have_attribute("data-verdict", "proved")
        expect(panel).to_have_attribute("data-from", "service")
        expect(panel.locator(".verdict")).to_contain_text("Probado")
        expect(panel.locator("h3").first).to_contain_text("dos de espadas")
        of_service = evidence(keying, 4)
        assert (of_service["verdict"], of_service["since"], of_service["proof"]["lines"]) == (
            "unlawful",
            9,
            [3, 4, 9],
        )
        expect(panel).to_contain_text("Debía asistir al palo de salida.")
        assert of_service["article"]["profile"] == "sin-mazo"
        expect(panel).to_contain_text("Guiñote sin mazo")
        expect(panel.locator(".since")).to_contain_text("Se supo con: Blas juega el seis de copas")
        shown = [one.get_attribute("data-line") for one in panel.locator(".lines button").all()]
        assert shown == ["3", "4", "9"]
        expect(panel.locator('.lay [data-card="2E"].meant')).to_be_visible()
        panel.locator('[data-line="9"]').tap()
        expect(panel.locator('.lay [data-card="6C"].meant')).to_be_visible()
        expect(panel.locator(".lay")).to_contain_text("Baza 2")
        assert of_service["slip"] is not None
        expect(panel.locator(".slip")).to_be_visible()
        expect(panel.locator(".effect")).to_contain_text("Partida para Ana y Celia, por renuncio")
        view = keying.view()
        assert (view["decided"]["winner"], view["decided"]["how"]) == ("A", "renuncio")


def test_a_renuncio_that_only_the_count_proves_needs_the_service(
    tablet: PageInNode, served: Served
) -> None:
    acts = [*BREACH[:2], *plays("A1 2C, B1 2E, A2 4C, B2 2B"), *COUNTED]
    with table(tablet, served, acts, of=NO_STOCK) as keying:
        tablet.network(is_on=False)
        panel = denounce(keying, "A2", "B1", 1)
        expect(panel).to_have_attribute("data-verdict", "open")
        expect(panel).to_have_attribute("data-from", "here")
        expect(panel).to_contain_text("Sin conexión con el club")
        expect(panel.locator(".settles")).to_contain_text("de copas")
        expect(panel.locator(".settles")).not_to_contain_text("ocho")  # it is not in the deck
        expect(panel.locator(".settles")).not_to_contain_text("cuatro de copas")  # A2 laid it
        tablet.network(is_on=True)
        expect(panel).to_have_attribute("data-verdict", "proved")
        expect(panel).to_have_attribute("data-from", "service")
        expect(panel).to_contain_text("la cuenta de las que quedaban")
        of_service = evidence(keying, 4)
        assert (of_service["verdict"], of_service["by_count"]) == ("unlawful", True)
        expect(panel.locator(".effect")).to_contain_text("por renuncio")
        assert keying.view()["decided"]["winner"] == "A"


def test_a_renuncio_that_is_open_says_what_would_settle_it(
    tablet: PageInNode, served: Served
) -> None:
    with table(tablet, served, BREACH, of=NO_STOCK) as keying:
        panel = denounce(keying, "A1", "B1", 1)
        expect(panel).to_have_attribute("data-from", "service")
        expect(panel).to_have_attribute("data-verdict", "open")
        cards = evidence(keying, 4)["settles"]["cards"]
        assert "6C" in cards
        assert "5C" not in cards
        expect(panel).to_contain_text("Lo decidiría saber qué llevaba Blas:")
        follow = panel.locator(".settles li").filter(has_text="Debía asistir")
        expect(follow).to_contain_text("seis de copas")
        trump = panel.locator(".settles li").filter(has_text="Debía fallar con triunfo.")
        expect(trump).to_contain_text("as de oros")
        expect(panel.locator(".settles")).not_to_contain_text("cinco de copas")
        expect(panel.locator(".effect")).to_contain_text("Un renuncio probado cuesta la partida.")
        expect(panel.locator(".effect li").first).to_contain_text(
            "ganan Ana y Celia, por decisión del árbitro"
        )
        assert keying.view()["decided"] is None


def test_what_was_lawful_is_not_proved_with_a_network_or_without(
    tablet: PageInNode, served: Served
) -> None:
    with table(tablet, served, BREACH, of=NO_STOCK) as keying:
        tablet.network(is_on=False)
        panel = denounce(keying, "A1", "B2", 1)
        expect(panel).to_have_attribute("data-verdict", "not_proved")
        expect(panel.locator(".verdict")).not_to_contain_text("✓")
        expect(panel).to_have_attribute("data-from", "here")
        tablet.network(is_on=True)
        expect(panel).to_have_attribute("data-from", "service")
        expect(panel).to_have_attribute("data-verdict", "not_proved")
        expect(panel.locator(".verdict")).not_to_contain_text("✓")
        assert evidence(keying, 6)["verdict"] == "lawful"
        expect(panel).to_contain_text("Una denuncia sin fundamento cuesta un aviso.")
        expect(panel.locator(".charge")).to_have_count(0)


def test_it_is_looked_at_again_from_the_record(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served, [*BREACH, *PROOF], of=NO_STOCK) as keying:
        expect(denounce(keying, "A1", "B1", 1)).to_be_visible()
        keying.tap(keying.button("Cerrar"))
        keying.tap(keying.button("Bazas"))
        keying.sheet('.acts [data-line="11"]').tap()
        expect(keying.sheet(".accused")).to_have_attribute("data-verdict", "proved")

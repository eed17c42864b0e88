"""The grammar of acts: one form each, the keyword and its slots in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from referee.events import (
    Abandoned,
    CanteAnnounced,
    CardDrawn,
    CardPlayed,
    CardsShown,
    ClaimMade,
    Conceded,
    CountEntered,
    DealAnnulled,
    DealStarted,
    HandEntered,
    IncidentNoted,
    Misdealt,
    PintaSwapped,
    PintaTurned,
    PlayResumed,
    PlaySuspended,
    RenuncioDenounced,
    ResultEntered,
    RulingGiven,
    StockEntered,
    TableAct,
    TimeCalled,
    TrickEntered,
    TrickReviewed,
    TuteAnnounced,
    WrongDealFound,
    WrongDraw,
)
from referee.record.slots import (
    CardSlot,
    CardsSlot,
    NumberSlot,
    SeatSlot,
    SideSlot,
    Slot,
    StringSlot,
    SuitSlot,
    SuitsSlot,
    TextSlot,
    TotalsSlot,
    WordSlot,
)
from referee.record.words import DRAW, EFFECT, FAULT, HOW, INCIDENT, SHOWN, TUTE, WHOLE


@dataclass(frozen=True, slots=True)
class ActForm:
    """How one kind of act is written. ``fixed``: what the keyword itself says."""

    word: str
    act: Callable[..., TableAct]
    slots: tuple[Slot, ...] = ()
    fixed: dict[str, Any] = field(default_factory=dict)


SEAT, SIDE, TEXT = SeatSlot("seat"), SideSlot("side"), TextSlot("text", "")
CARD_OR_NONE = CardSlot("card", "")
SHOWN_SLOT = WordSlot("shown", None, words=SHOWN)
TOTALS = TotalsSlot("totals", {})

PLAY = ActForm("", CardPlayed, (SEAT, CardSlot("card")))
DRAWN = ActForm(DRAW, CardDrawn, (SEAT, CardSlot("card", or_none=True)))

FORMS: tuple[ActForm, ...] = (
    ActForm(
        "reparto",
        DealStarted,
        (SeatSlot("dealer"), NumberSlot("cut", None, "corte"), CardSlot("removed", "", "sin")),
    ),
    ActForm("malreparto", Misdealt, (TotalsSlot("hands", {}, of_seats=True),)),
    ActForm("tiene", WrongDealFound, (SEAT, NumberSlot("cards"))),
    ActForm("pinta", PintaTurned, (CardSlot("card"),)),
    ActForm(
        "cartas",
        HandEntered,
        (SEAT, CardsSlot("cards", (), with_unknown=True)),
        {"moment": "dealt"},
    ),
    ActForm(
        "ahora", HandEntered, (SEAT, CardsSlot("cards", (), with_unknown=True)), {"moment": "now"}
    ),
    ActForm("mazo", StockEntered, (CardsSlot("cards", ()),)),
    PLAY,
    DRAWN,
    ActForm("malrobo", WrongDraw, (SEAT, WordSlot("fault", words=FAULT), CARD_OR_NONE)),
    ActForm("canta", CanteAnnounced, (SEAT, SuitSlot("suit"), SHOWN_SLOT)),
    ActForm("cambia", PintaSwapped, (SEAT, CARD_OR_NONE)),
    ActForm("tute", TuteAnnounced, (SEAT, WordSlot("rank", words=TUTE), SHOWN_SLOT)),
    ActForm("mira", TrickReviewed, (SEAT, NumberSlot("trick"))),
    ActForm(
        "ensena",
        CardsShown,
        (
            SEAT,
            WordSlot("whole", False, words=WHOLE),
            CardsSlot("cards", ()),
            SuitsSlot("void", (), "sin"),
        ),
    ),
    ActForm(
        "incidente",
        IncidentNoted,
        (WordSlot("incident", words=INCIDENT), SeatSlot("seat", ""), CARD_OR_NONE, TEXT),
    ),
    ActForm(
        "renuncio",
        RenuncioDenounced,
        (SeatSlot("by"), SeatSlot("against", label="contra"), NumberSlot("trick", 0, "baza")),
    ),
    ActForm("101", ClaimMade, (SEAT,)),
    ActForm("cuenta", CountEntered, (TOTALS,)),
    ActForm("concede", Conceded, (SIDE,)),
    ActForm("abandona", Abandoned, (SIDE,)),
    ActForm("tiempo", TimeCalled),
    ActForm("pausa", PlaySuspended, (TEXT,)),
    ActForm("sigue", PlayResumed),
    ActForm("anula", DealAnnulled, (TEXT,), {"replayed": False}),
    ActForm("repite", DealAnnulled, (TEXT,), {"replayed": True}),
    ActForm("baza", TrickEntered, (SEAT, NumberSlot("points", None))),
    ActForm(
        "resultado",
        ResultEntered,
        (SideSlot("winner", or_none=True), WordSlot("how", words=HOW), TOTALS, TEXT),
    ),
    ActForm(
        "resuelve",
        RulingGiven,
        (
            WordSlot("effect", words=EFFECT),
            SideSlot("side", ""),
            SeatSlot("seat", ""),
            NumberSlot("points", 0, signed=True),
            NumberSlot("line", 0, "linea"),
            StringSlot("article", "", "articulo"),
            TEXT,
        ),
    ),
)
BY_WORD: dict[str, ActForm] = {form.word: form for form in FORMS if form.word}


def form_of(act: TableAct) -> ActForm:
    """Form in which an act is written."""
    return next(
        form
        for form in FORMS
        if form.act is type(act)
        and all(getattr(act, name) == value for name, value in form.fixed.items())
    )

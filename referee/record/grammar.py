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
class Form:
    """How one kind of act is written. ``fixed``: what the keyword itself says."""

    word: str
    act: Callable[..., TableAct]
    slots: tuple[Slot, ...] = ()
    fixed: dict[str, Any] = field(default_factory=dict)


SEAT, SIDE, TEXT = SeatSlot("seat"), SideSlot("side"), TextSlot("text", "")
CARD_OR_NONE = CardSlot("card", "")
SHOWN_SLOT = WordSlot("shown", None, words=SHOWN)
TOTALS = TotalsSlot("totals", {})

PLAY = Form("", CardPlayed, (SEAT, CardSlot("card")))
DRAWN = Form(DRAW, CardDrawn, (SEAT, CardSlot("card", or_none=True)))

FORMS: tuple[Form, ...] = (
    Form(
        "reparto",
        DealStarted,
        (SeatSlot("dealer"), NumberSlot("cut", None, "corte"), CardSlot("removed", "", "sin")),
    ),
    Form("malreparto", Misdealt, (TotalsSlot("hands", {}, of_seats=True),)),
    Form("tiene", WrongDealFound, (SEAT, NumberSlot("cards"))),
    Form("pinta", PintaTurned, (CardSlot("card"),)),
    Form(
        "cartas",
        HandEntered,
        (SEAT, CardsSlot("cards", (), with_unknown=True)),
        {"moment": "dealt"},
    ),
    Form(
        "ahora", HandEntered, (SEAT, CardsSlot("cards", (), with_unknown=True)), {"moment": "now"}
    ),
    Form("mazo", StockEntered, (CardsSlot("cards", ()),)),
    PLAY,
    DRAWN,
    Form("malrobo", WrongDraw, (SEAT, WordSlot("fault", words=FAULT), CARD_OR_NONE)),
    Form("canta", CanteAnnounced, (SEAT, SuitSlot("suit"), SHOWN_SLOT)),
    Form("cambia", PintaSwapped, (SEAT, CARD_OR_NONE)),
    Form("tute", TuteAnnounced, (SEAT, WordSlot("rank", words=TUTE), SHOWN_SLOT)),
    Form("mira", TrickReviewed, (SEAT, NumberSlot("trick"))),
    Form(
        "ensena",
        CardsShown,
        (
            SEAT,
            WordSlot("whole", False, words=WHOLE),
            CardsSlot("cards", ()),
            SuitsSlot("void", (), "sin"),
        ),
    ),
    Form(
        "incidente",
        IncidentNoted,
        (WordSlot("incident", words=INCIDENT), SeatSlot("seat", ""), CARD_OR_NONE, TEXT),
    ),
    Form(
        "renuncio",
        RenuncioDenounced,
        (SeatSlot("by"), SeatSlot("against", label="contra"), NumberSlot("trick", 0, "baza")),
    ),
    Form("101", ClaimMade, (SEAT,)),
    Form("cuenta", CountEntered, (TOTALS,)),
    Form("concede", Conceded, (SIDE,)),
    Form("abandona", Abandoned, (SIDE,)),
    Form("tiempo", TimeCalled),
    Form("pausa", PlaySuspended, (TEXT,)),
    Form("sigue", PlayResumed),
    Form("anula", DealAnnulled, (TEXT,), {"replayed": False}),
    Form("repite", DealAnnulled, (TEXT,), {"replayed": True}),
    Form("baza", TrickEntered, (SEAT, NumberSlot("points", None))),
    Form(
        "resultado",
        ResultEntered,
        (SideSlot("winner", or_none=True), WordSlot("how", words=HOW), TOTALS, TEXT),
    ),
    Form(
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
BY_WORD: dict[str, Form] = {form.word: form for form in FORMS if form.word}


def form_of(act: TableAct) -> Form:
    """Form in which an act is written."""
    return next(
        form
        for form in FORMS
        if form.act is type(act)
        and all(getattr(act, name) == value for name, value in form.fixed.items())
    )

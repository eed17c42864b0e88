"""What is on the log: acts that happened at a table, and official conclusions drawn from them.

An act takes a line of its stream and advances its version; a conclusion carries the line of the
act it follows from. Fields are plain: seats ``"A1"``, sides ``"A"``, cards ``"3O"``, suits
``"O"``. Names of persons and free texts are not here, only the random ids under which the erasable
store keeps them. ``kind`` is the name of an act on the wire.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

from referee.rules.options import Options

CardToken: TypeAlias = str
SeatName: TypeAlias = str
SideName: TypeAlias = str
SuitName: TypeAlias = Literal["", "O", "C", "E", "B"]
TextId: TypeAlias = str
PersonId: TypeAlias = str

Incident: TypeAlias = Literal[
    "talk", "signal", "exposed", "wrong_draw", "wrong_gathering", "late", "other"
]
DrawFault: TypeAlias = Literal["out_of_order", "two_cards", "none", "pinta_early"]
How: TypeAlias = Literal[
    "first_deal",
    "claim",
    "false_claim",
    "unclaimed",
    "tute",
    "renuncio",
    "concession",
    "abandonment",
    "ruling",
    "undecided",
]
Effect: TypeAlias = Literal[
    "partida", "points", "dealer", "annul_act", "annul_deal", "replay_deal", "warning", "none"
]


OptionValues: TypeAlias = dict[str, bool | int | str | list[str]]


def options_from(values: Mapping[str, bool | int | str | list[str]]) -> Options:
    """Options as they were frozen on the log, where lists stand for tuples."""
    thawed = {n: tuple(v) if isinstance(v, list) else v for n, v in values.items()}
    return Options(**thawed)  # type: ignore[arg-type]  # values were typed when they were frozen


class Fact(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Anything on the log: frozen, compared by value."""


class Act(Fact, frozen=True, tag_field="kind"):
    """Something that happened at the table, lawful or not."""


# --- acts of a partida ---------------------------------------------------------------------------


class DealStarted(Act, frozen=True, tag="deal"):
    """A seat dealt. ``cut``: cards in the smaller part, if seen; ``removed``: the dos left out."""

    dealer: SeatName
    cut: int | None = None
    removed: CardToken = ""


class Misdealt(Act, frozen=True, tag="misdeal"):
    """A wrong number of cards was dealt and the deal is void. ``hands``: cards of each seat."""

    hands: dict[SeatName, int] = {}


class WrongDealFound(Act, frozen=True, tag="wrong_deal"):
    """A seat was found to hold a wrong number of cards, and play goes on."""

    seat: SeatName
    cards: int


class PintaTurned(Act, frozen=True, tag="pinta"):
    """The card that names the trump suit."""

    card: CardToken


class HandEntered(Act, frozen=True, tag="hand"):
    """Cards of a seat in an open record: as dealt, or as held now."""

    seat: SeatName
    cards: tuple[CardToken, ...]
    moment: Literal["dealt", "now"] = "dealt"


class StockEntered(Act, frozen=True, tag="stock"):
    """Face-down cards of an open record in the order of drawing, the pinta not among them."""

    cards: tuple[CardToken, ...]


class CardPlayed(Act, frozen=True, tag="card"):
    """A seat laid a card, in its turn or not."""

    seat: SeatName
    card: CardToken


class CardDrawn(Act, frozen=True, tag="draw"):
    """A seat drew from the stock; the card if it was seen."""

    seat: SeatName
    card: CardToken = ""


class WrongDraw(Act, frozen=True, tag="wrong_draw"):
    """A draw against the order: early, twice, not at all, or of the pinta."""

    seat: SeatName
    fault: DrawFault
    card: CardToken = ""


class CanteAnnounced(Act, frozen=True, tag="cante"):
    """Rey and sota of a suit announced; no suit named means a 20 of a hidden suit.

    ``shown``: whether the cards were shown; None if nobody noted it.
    """

    seat: SeatName
    suit: SuitName = ""
    shown: bool | None = None


class PintaSwapped(Act, frozen=True, tag="swap"):
    """A seat took the pinta for the siete (48 cards: nueve) of trump, or for the card given."""

    seat: SeatName
    card: CardToken = ""


class TuteAnnounced(Act, frozen=True, tag="tute"):
    """Four reyes or four sotas announced by one seat; ``shown`` as for a cante."""

    seat: SeatName
    rank: Literal["R", "S"]
    shown: bool | None = None


class TrickReviewed(Act, frozen=True, tag="review"):
    """A seat looked at a closed trick of the running deal, counted from 1."""

    seat: SeatName
    trick: int


class CardsShown(Act, frozen=True, tag="show"):
    """Cards a seat showed, and suits it proved to hold none of. ``whole``: its whole hand."""

    seat: SeatName
    cards: tuple[CardToken, ...] = ()
    void: tuple[SuitName, ...] = ()
    whole: bool = False


class IncidentNoted(Act, frozen=True, tag="incident"):
    """Something besides the cards."""

    incident: Incident
    seat: SeatName = ""
    card: CardToken = ""
    text: TextId = ""


class RenuncioDenounced(Act, frozen=True, tag="denounce"):
    """A seat accuses another of a renuncio, in a trick of the running deal if it names one."""

    by: SeatName
    against: SeatName
    trick: int = 0


class ClaimMade(Act, frozen=True, tag="claim"):
    """A seat says that its side has 101."""

    seat: SeatName


class CountEntered(Act, frozen=True, tag="count"):
    """The tricks of a played-out deal were counted at the table, with the totals called if any."""

    totals: dict[SideName, int] = {}


class Conceded(Act, frozen=True, tag="concede"):
    """A side gives the partida up."""

    side: SideName


class Abandoned(Act, frozen=True, tag="abandon"):
    """A side left the table."""

    side: SideName


class TimeCalled(Act, frozen=True, tag="time"):
    """The time of the round is over. It decides nothing by itself."""


class PlaySuspended(Act, frozen=True, tag="suspend"):
    """Play stops for a while."""

    text: TextId = ""


class PlayResumed(Act, frozen=True, tag="resume"):
    """Play goes on."""


class DealAnnulled(Act, frozen=True, tag="annul"):
    """The deal counts for nothing; ``replayed``: the same dealer deals it again."""

    replayed: bool = False
    text: TextId = ""


class TrickEntered(Act, frozen=True, tag="trick"):
    """A trick of a record without cards: the seat that took it, and its points if counted."""

    seat: SeatName
    points: int | None = None


class ResultEntered(Act, frozen=True, tag="result"):
    """The outcome of a partida of which nothing else is recorded."""

    winner: SideName
    how: How = "first_deal"
    totals: dict[SideName, int] = {}


class RulingGiven(Act, frozen=True, tag="ruling"):
    """What the arbiter decided, with its reason. ``effect`` says which other fields matter.

    ``partida``: side wins; ``points``: side gets that many more (or fewer) points; ``dealer``: seat
    deals next; ``annul_act``: the act of that line counts for nothing.
    """

    effect: Effect
    text: TextId
    side: SideName = ""
    seat: SeatName = ""
    points: int = 0
    line: int = 0
    article: str = ""


TableAct: TypeAlias = (
    DealStarted
    | Misdealt
    | WrongDealFound
    | PintaTurned
    | HandEntered
    | StockEntered
    | CardPlayed
    | CardDrawn
    | WrongDraw
    | CanteAnnounced
    | PintaSwapped
    | TuteAnnounced
    | TrickReviewed
    | CardsShown
    | IncidentNoted
    | RenuncioDenounced
    | ClaimMade
    | CountEntered
    | Conceded
    | Abandoned
    | TimeCalled
    | PlaySuspended
    | PlayResumed
    | DealAnnulled
    | TrickEntered
    | ResultEntered
    | RulingGiven
)


class Change(Fact, frozen=True):
    """One correction: another act in the place of a line, before it, or nothing in its place."""

    line: int
    how: Literal["replace", "insert", "withdraw"]
    act: TableAct | None = None


class LogAmended(Act, frozen=True, tag="amend"):
    """Corrections made together. An inserted act is addressed by the line of this act."""

    changes: tuple[Change, ...]
    text: TextId = ""


PartidaAct: TypeAlias = TableAct | LogAmended

# --- conclusions of a partida --------------------------------------------------------------------


class Conclusion(Fact, frozen=True, tag_field="kind"):
    """Something official that follows from an act. It takes no line of its own."""


class Item(Fact, frozen=True):
    """Points with their reason: ``cards`` of a trick, ``ultimas``, ``cante``, ``ruling``."""

    side: SideName
    reason: Literal["cards", "ultimas", "cante", "ruling"]
    points: int
    line: int


class PartidaOpened(Conclusion, frozen=True, tag="partida_opened"):
    """A partida begins, under the options frozen for its encuentro."""

    encuentro: str
    number: int
    options: OptionValues
    profile_hash: str
    dealer_due: SeatName = ""


class DealerDue(Conclusion, frozen=True, tag="dealer_due"):
    """Another seat is due to deal first, because the partida before was amended."""

    seat: SeatName


class DealCounted(Conclusion, frozen=True, tag="deal_counted"):
    """A deal was played out and counted: its items, and the totals of the partida after it."""

    deal: int
    items: tuple[Item, ...]
    totals: dict[SideName, int]


class VueltasBegun(Conclusion, frozen=True, tag="vueltas_begun"):
    """Nobody has won yet: the partida goes on with this deal."""

    deal: int


class ClaimJudged(Conclusion, frozen=True, tag="claim_judged"):
    """A claim of 101 was counted: the claimer's total, and whether it reached the target."""

    seat: SeatName
    total: int
    reached: bool


class PartidaWon(Conclusion, frozen=True, tag="partida_won"):
    """The partida is decided. ``whole_match``: the loser loses the encuentro with it."""

    winner: SideName
    how: How
    totals: dict[SideName, int]
    whole_match: bool = False


TableConclusion: TypeAlias = DealCounted | VueltasBegun | ClaimJudged | PartidaWon


class ConclusionRevised(Conclusion, frozen=True, tag="conclusion_revised"):
    """An earlier conclusion no longer stands; what stands instead follows it, if anything does."""

    revised: TableConclusion


PartidaEvent: TypeAlias = (
    PartidaAct | PartidaOpened | DealerDue | TableConclusion | ConclusionRevised
)

# --- acts of an encuentro ------------------------------------------------------------------------


class FrozenProfile(Fact, frozen=True):
    """A profile as it was when the encuentro was opened: every value, and what it rests on.

    ``sources``: in whose rulebook the ``sections`` stand, by option.
    """

    id: str
    edition: str
    hash: str
    options: OptionValues
    basis: dict[str, str] = {}
    sections: dict[str, str] = {}
    sources: dict[str, str] = {}
    base: str = ""


class EncuentroOpened(Act, frozen=True, tag="open"):
    """Two sides (or two or three players) meet under a frozen profile."""

    profile: FrozenProfile
    place: TextId = ""
    date: str = ""


class DrawMade(Act, frozen=True, tag="draw_made"):
    """A draw for partners or for the dealer: the cards in the order they fell, and its outcome.

    ``candidates`` are persons (partners) or seats (dealer) in order of play; ``cards`` are pairs of
    candidate and card. ``seed``: what the cards were drawn from, when the program drew them.
    """

    method: Literal["a_reyes", "a_la_mas_alta", "por_palo"]
    purpose: Literal["players", "partners", "dealer"]
    candidates: tuple[str, ...]
    cards: tuple[tuple[str, CardToken], ...]
    outcome: dict[str, str]
    seed: str = ""


class PlayersSeated(Act, frozen=True, tag="seat"):
    """Who sits where."""

    seats: dict[SeatName, PersonId]


class PlayerSubstituted(Act, frozen=True, tag="substitute"):
    """Another person takes a seat, after a line of a partida."""

    seat: SeatName
    person: PersonId
    partida: int = 0
    line: int = 0
    text: TextId = ""


class PartidaStarted(Act, frozen=True, tag="start"):
    """The next partida begins."""

    number: int


class EncuentroRuled(Act, frozen=True, tag="rule"):
    """The arbiter decides the encuentro itself; an empty winner is a draw."""

    winner: SideName
    text: TextId


EncuentroAct: TypeAlias = (
    EncuentroOpened | DrawMade | PlayersSeated | PlayerSubstituted | PartidaStarted | EncuentroRuled
)

# --- conclusions of an encuentro -----------------------------------------------------------------


class OutcomeFollowed(Conclusion, frozen=True, tag="outcome_followed"):
    """How a partida of this encuentro stands: won, or undecided again after a correction."""

    partida: int
    winner: SideName
    how: How
    totals: dict[SideName, int]
    whole_match: bool = False


class CotoWon(Conclusion, frozen=True, tag="coto_won"):
    """A side made a coto with this partida."""

    coto: int
    winner: SideName
    partida: int


class EncuentroWon(Conclusion, frozen=True, tag="encuentro_won"):
    """The encuentro is decided; an empty winner is a draw."""

    winner: SideName
    partida: int


EncuentroConclusion: TypeAlias = CotoWon | EncuentroWon


class EncuentroRevised(Conclusion, frozen=True, tag="encuentro_revised"):
    """An earlier conclusion about cotos or the encuentro no longer stands."""

    revised: EncuentroConclusion


EncuentroEvent: TypeAlias = EncuentroAct | OutcomeFollowed | EncuentroConclusion | EncuentroRevised
Event: TypeAlias = PartidaEvent | EncuentroEvent

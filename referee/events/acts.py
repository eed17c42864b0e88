"""What happens at a table: the acts of a partida."""

from __future__ import annotations

from typing import Literal, TypeAlias

from referee.events.base import (
    Act,
    CardCount,
    CardToken,
    DealNumber,
    DrawFault,
    Effect,
    Fact,
    How,
    Incident,
    PointAdjustment,
    Points,
    SeatName,
    SideName,
    SuitName,
    TextId,
    TrickNumber,
)


class DealStarted(Act, frozen=True, tag="deal"):
    """A seat dealt. ``cut``: cards in the smaller part, if seen; ``removed``: the dos left out.

    ``cutter`` and ``packets``: who cut and how the cards were given, empty if nobody noted it.
    """

    dealer: SeatName
    cut: CardCount | None = None
    removed: CardToken = ""
    cutter: SeatName = ""
    packets: Literal["", "3+3", "one_by_one"] = ""


class Misdealt(Act, frozen=True, tag="misdeal"):
    """A wrong number of cards was dealt and the deal is void. ``hands``: cards of each seat."""

    hands: dict[SeatName, CardCount] = {}


class WrongDealFound(Act, frozen=True, tag="wrong_deal"):
    """A seat was found to hold a wrong number of cards, and play goes on."""

    seat: SeatName
    cards: CardCount


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


class SuitRequested(Act, frozen=True, tag="ask_suit"):
    """The suit of a 20 of a hidden suit is asked for. ``suit``: the answer, empty if none came."""

    by: SeatName
    seat: SeatName
    suit: SuitName = ""


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
    trick: TrickNumber


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
    """A seat accuses another of a renuncio.

    ``deal``: number of the deal in the partida; without it a trick is one of the running deal.
    Without a trick all those before the act are meant.
    """

    by: SeatName
    against: SeatName
    trick: TrickNumber = 0
    deal: DealNumber = 0


class ClaimMade(Act, frozen=True, tag="claim"):
    """A seat says that its side has 101."""

    seat: SeatName


class RestClaimed(Act, frozen=True, tag="claim_rest"):
    """A seat says that all tricks still to come are its own. It decides nothing by itself."""

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
    points: Points | None = None


class ResultEntered(Act, frozen=True, tag="result"):
    """The outcome of a partida as the players report it.

    ``text``: why it is recorded although it is impossible or unlikely.
    """

    winner: SideName
    how: How = "first_deal"
    totals: dict[SideName, int] = {}
    text: TextId = ""


class RulingGiven(Act, frozen=True, tag="ruling"):
    """What the arbiter decided, with its reason. ``effect`` says which other fields matter.

    ``partida``: side wins; ``points``: side gets that many more (or fewer) points; ``dealer``: seat
    deals next; ``annul_act``: the act of that line counts for nothing; ``renuncio``: it was one.
    """

    effect: Effect
    text: TextId
    side: SideName = ""
    seat: SeatName = ""
    points: PointAdjustment = 0
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
    | SuitRequested
    | PintaSwapped
    | TuteAnnounced
    | TrickReviewed
    | CardsShown
    | IncidentNoted
    | RenuncioDenounced
    | ClaimMade
    | RestClaimed
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

"""The display of a board: a public view in words and marks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from api.http.languages import say, use_card_pack
from api.http.renuncios import renuncio_in_words
from api.http.table_names import TableNames, use_table_names
from projections.board.views import (
    PublicCanteData,
    PublicDealData,
    PublicFactsData,
    PublicPartidaData,
    PublicTrickData,
)
from projections.legality.findings import ArticleData
from referee.events import SeatName, SideName
from referee.rules.counts import CANTE_OF_ANOTHER, CANTE_OF_TRUMP
from referee.rules.seats import SEATS, SIDES, side_of

PHASES = {
    "waiting": "board.phase_waiting",
    "dealing": "board.phase_dealing",
    "free": "board.phase_free",
    "arrastre": "board.phase_arrastre",
    "counting": "board.phase_counting",
    "decided": "board.phase_decided",
}
MADE = {"partidas": "board.partidas", "camas": "board.camas", "cotos": "board.cotos"}
LEGEND = {
    "partidas": "board.legend_partidas",
    "camas": "board.legend_camas",
    "cotos": "board.legend_cotos",
}
LONG_NAME = 14
MOST_MARKS = 12
"""Most marks; more are shown as a number, since marks cannot be counted from a distance."""


class BoardData(PublicFactsData, frozen=True):
    """The public view of an encuentro, with the names of its players.

    ``pairs``: names of the pairs that play in it as pairs, by side. ``article``: that the renuncio
    of its partida rests on.
    """

    seats: dict[SeatName, str | None]
    pairs: dict[SideName, str]
    partida: PublicPartidaData | None
    article: ArticleData | None


@dataclass(frozen=True, slots=True)
class Marks:
    """Partidas, camas or cotos of a side: the count, and the maximum if there is one."""

    kind: str
    made: int
    of: int
    text: str

    @property
    def are_drawn(self) -> bool:
        """Whether the count is drawn as marks, not written as a number."""
        return max(self.made, self.of) <= MOST_MARKS


@dataclass(frozen=True, slots=True)
class PlayerDisplay:
    """The player of a seat, and whether they deal or are mano."""

    name: str
    part: str


class CanteDisplay(NamedTuple):
    """A cante: seat, suit if it was named, points, the text, and whether it counts nothing."""

    name: str
    suit: str
    points: int
    text: str
    is_void: bool


def side_names_text(pair: str, players: Iterable[str]) -> str:
    """A side in one text for a spreadsheet: the name of the pair, if any, then its players.

    >>> side_names_text("Los Gavilanes", ["Ana", "Luis"]), side_names_text("", ["Ana", "Luis"])
    ('Los Gavilanes: Ana · Luis', 'Ana · Luis')
    """
    names = " · ".join(players)
    return f"{pair}: {names}" if pair else names


@dataclass(frozen=True, slots=True)
class SideDisplay:
    """A side: its players, its marks, its total as last counted, its cantes.

    ``pair``: name of the pair that plays; empty if it has none.
    """

    side: str
    players: tuple[PlayerDisplay, ...]
    marks: tuple[Marks, ...]
    said: tuple[int, str] | None
    cantes: tuple[CanteDisplay, ...]
    has_won: bool
    pair: str = ""

    @property
    def names(self) -> str:
        """The name of the pair, or the names of its players in one line."""
        return self.pair or " · ".join(player.name for player in self.players)

    @property
    def pair_and_players_text(self) -> str:
        """The side in one text for a spreadsheet."""
        return side_names_text(self.pair, [player.name for player in self.players])

    @property
    def is_long(self) -> bool:
        """Whether a name is too long to be written large."""
        return any(len(player.name) > LONG_NAME for player in self.players)


class PastPartidaDisplay(NamedTuple):
    """A decided partida: its number, the winners, and how if it is known.

    ``pair``: name of the pair that won; empty if it has none.
    """

    number: int
    pair: str
    players: tuple[str, ...]
    how: str

    @property
    def pair_or_winner_names(self) -> str:
        """The winners in one line."""
        return self.pair or " · ".join(self.players)


class LaidDisplay(NamedTuple):
    """A card of the last trick, who laid it, and whether it took the trick."""

    name: str
    card: str
    takes: bool


class TrickDisplay(NamedTuple):
    """The last trick: who took it, and its cards; none if nobody noted them."""

    taker: str
    cards: tuple[LaidDisplay, ...]


class RowPartidaDisplay(NamedTuple):
    """A partida in the row of its coto: its number, and who won it in one line."""

    number: int
    names: str


@dataclass(frozen=True, slots=True)
class TableDisplay:
    """A table.

    ``table``: its number in the room, in words; ``at``: the number, 0 if it has none. ``moment``:
    phase of the partida, or how it ended. ``past``: how the partida before it ended. ``trick``:
    which one is played, in words. ``row``: partidas of the coto that is played, or was played last.
    ``decided_last``: number of the latest decided partida; 0 before there is one.
    ``renuncio``: in words, if one has just decided a partida; ``article``: that it rests on.
    """

    id: str
    date: str
    at: int
    table: str
    sides: tuple[SideDisplay, ...]
    number: int
    moment: str
    in_vueltas: bool
    pinta: str
    pack: str
    past: PastPartidaDisplay | None
    trick: str
    last: TrickDisplay | None
    row: tuple[RowPartidaDisplay, ...]
    decided_last: int
    renuncio: str
    article: ArticleData | None
    result: str
    is_over: bool
    is_disputed: bool

    @property
    def sides_winner_first(self) -> tuple[SideDisplay, ...]:
        """The sides, the one that won first."""
        return tuple(sorted(self.sides, key=lambda side: not side.has_won))

    @property
    def winner(self) -> SideDisplay | None:
        """The side that won the encuentro; None while it runs, and for a draw."""
        return next((side for side in self.sides if side.has_won and self.is_over), None)


def table_display(view: BoardData, lang: str) -> TableDisplay:
    """A public view as a board shows it, in a language; suits have the names of its pack."""
    with use_card_pack(view.pack):
        return _build_display(view, lang)


def legend_of_marks(tables: Iterable[TableDisplay], lang: str) -> list[tuple[str, str]]:
    """What each kind of mark means, for the kinds that are drawn at tables in play."""
    marks = (one for it in tables if not it.is_over for side in it.sides for one in side.marks)
    drawn = {one.kind for one in marks if one.are_drawn}
    return [(kind, say(key, lang)) for kind, key in LEGEND.items() if kind in drawn]


def _build_display(view: BoardData, lang: str) -> TableDisplay:
    partida, decided = view.partida, view.decided
    deal = partida.deal if partida else None
    played = partida if partida and not partida.decided and decided is None else None
    return TableDisplay(
        id=view.id,
        date=view.date,
        at=view.table,
        table=say("board.table_n", lang, n=view.table) if view.table else "",
        sides=tuple(_side_display(view, side, lang) for side in SIDES[view.players]),
        number=partida.number if partida else 0,
        moment=_phase_words(view, lang),
        in_vueltas=played is not None and played.vueltas,
        pinta=deal.pinta if deal and played and played.phase != "waiting" else "",
        pack=view.pack,
        past=_last_partida_or_none(view, lang),
        trick=_trick_number_words(deal, lang)
        if deal and played and _is_trick_phase(played)
        else "",
        last=_last_trick(view, deal.last, lang) if deal and deal.last else None,
        row=_partidas_of_coto(view, lang),
        decided_last=view.partidas[-1].partida if view.partidas else 0,
        renuncio=_renuncio_words(view, lang),
        article=view.article,
        result=say(f"result.{view.result}", lang) if view.result else "",
        is_over=decided is not None,
        is_disputed=_is_result_disputed(view),
    )


def _is_result_disputed(view: BoardData) -> bool:
    """Whether a side does not agree with the result, so that nobody has won yet."""
    return view.result == "disputed"


def _phase_words(view: BoardData, lang: str) -> str:
    """The phase of play in words, or that the encuentro is over, disputed or called off."""
    if _is_result_disputed(view):
        return say("board.disputed", lang)
    if view.decided is not None:
        return say("board.over", lang)
    if view.is_called_off:
        return say("board.called_off", lang)
    if view.partida is None:
        return say("board.not_begun", lang)
    return say(PHASES[view.partida.phase], lang)


def _last_partida_or_none(view: BoardData, lang: str) -> PastPartidaDisplay | None:
    """How the last decided partida ended; None once the encuentro is decided."""
    if not view.partidas or view.decided is not None:
        return None
    last = view.partidas[-1]
    winners = tuple(player.name for player in _player_displays(view, last.winner, lang))
    is_reported = last.how != "first_deal" or any(last.totals.values())
    return PastPartidaDisplay(
        last.partida,
        view.pairs.get(last.winner, ""),
        winners,
        say(f"how.{last.how}", lang) if is_reported else "",
    )


def _is_trick_phase(partida: PublicPartidaData) -> bool:
    """Whether tricks are played at this moment."""
    return partida.phase in ("free", "arrastre")


def _trick_number_words(deal: PublicDealData, lang: str) -> str:
    """The number of the trick in play, in words.

    Empty before the first is closed, and where tricks are not noted.
    """
    n, of = deal.closed + 1, deal.tricks
    return say("board.trick", lang, n=n, of=of) if 1 < n <= of else ""


def _last_trick(view: BoardData, trick: PublicTrickData, lang: str) -> TrickDisplay | None:
    """The last trick of the deal that is played, or of the partida that has just ended."""
    partida = view.partida
    if view.decided is not None or not partida or partida.phase == "waiting":
        return None
    laid = tuple(
        LaidDisplay(_player_name(view, one.seat, lang), one.card, one.seat == trick.taker)
        for one in trick.cards
    )
    return TrickDisplay(_player_name(view, trick.taker, lang), laid)


def _renuncio_words(view: BoardData, lang: str) -> str:
    """The renuncio that decided the latest partida, in words."""
    lost = view.partida and view.partida.renuncio
    if not lost:
        return ""
    names = {seat: name or "" for seat, name in view.seats.items()}
    with use_table_names(TableNames(view.players, names, view.pairs)):
        return renuncio_in_words(lost, lang)


def _partidas_of_coto(view: BoardData, lang: str) -> tuple[RowPartidaDisplay, ...]:
    """The decided partidas of the coto in play; of the last coto while no other one has begun."""
    ends = [0, *(one.partida for one in view.standing.made)]
    last = view.partidas[-1].partida if view.partidas else 0
    begin = ends[-1] if ends[-1] < last else ends[-2] if len(ends) > 1 else 0
    return tuple(
        RowPartidaDisplay(
            one.partida,
            view.pairs.get(one.winner)
            or " · ".join(player.name for player in _player_displays(view, one.winner, lang)),
        )
        for one in view.partidas
        if one.partida > begin
    )


def _side_display(view: BoardData, side: SideName, lang: str) -> SideDisplay:
    partida, decided = view.partida, view.decided
    deal = partida.deal if partida else None
    is_played = partida and not partida.decided and partida.phase != "waiting"
    return SideDisplay(
        side=side,
        players=_player_displays(view, side, lang),
        marks=tuple(_marks_of_side(view, side, lang)),
        said=_total_and_words_or_none(partida, side, lang) if partida and decided is None else None,
        cantes=_cante_displays(view, deal, side, lang) if deal and is_played else (),
        has_won=decided is not None and decided.winner == side and not _is_result_disputed(view),
        pair=view.pairs.get(side, ""),
    )


def _cante_displays(
    view: BoardData, deal: PublicDealData, side: str, lang: str
) -> tuple[CanteDisplay, ...]:
    return tuple(
        CanteDisplay(
            _player_name(view, one.seat, lang),
            one.suit,
            one.points,
            _cante_words(one, lang),
            is_void=one.void,
        )
        for one in deal.cantes
        if side_of(one.seat) == side
    )


def _cante_words(cante: PublicCanteData, lang: str) -> str:
    if cante.points == CANTE_OF_TRUMP:
        return say("board.cante_40", lang)
    if not cante.suit:
        return say("board.cante_hidden", lang)
    key = "board.cante_20" if cante.points == CANTE_OF_ANOTHER else "board.cante"
    return say(key, lang, suit=cante.suit)


def _player_name(view: BoardData, seat: str, lang: str) -> str:
    """Name of the player of a seat; the seat itself if nobody sits there."""
    if seat in view.seats:
        return view.seats[seat] or say("grammar.nameless", lang)
    return say("board.seat", lang, place=seat)


def _player_displays(view: BoardData, side: str, lang: str) -> tuple[PlayerDisplay, ...]:
    """The players of a side, and their part in the deal."""
    partida = view.partida
    part: dict[str, str] = {}
    if partida and view.decided is None and not partida.decided:
        deal = partida.deal
        if partida.phase == "waiting":
            part = {partida.dealer_due: say("board.deals", lang)}
        elif deal:
            part = {deal.mano: say("board.mano", lang), deal.dealer: say("board.deals", lang)}
    return tuple(
        PlayerDisplay(_player_name(view, seat, lang), part.get(seat, ""))
        for seat in SEATS[view.players]
        if side_of(seat) == side
    )


def _total_and_words_or_none(
    partida: PublicPartidaData, side: str, lang: str
) -> tuple[int, str] | None:
    """A total as players say it, as a number and in words; None if points were not counted."""
    said = partida.said.get(side)
    if said is None or not any(partida.totals.values()):
        return None
    if said.points == 1:
        return 1, say("board.buena" if said.buenas else "board.mala", lang)
    return said.points, say("board.buenas" if said.buenas else "board.malas", lang)


def _marks_of_side(view: BoardData, side: str, lang: str) -> list[Marks]:
    """Marks of a side, from partidas to cotos, as far as the table counts them."""
    form, standing = view.format, view.standing
    if "partidas" in form:
        return [_marks_of_kind("partidas", standing.partidas[side], 0, lang)]
    cotos = _marks_of_kind("cotos", standing.cotos[side], form["cotos"], lang)
    if view.decided is not None or form["partidas_per_cama"] * form["camas_per_coto"] == 1:
        return [cotos]
    camas, each = standing.camas[side], form["camas_per_coto"]
    if form["partidas_per_cama"] == 1:
        return [_marks_of_kind("partidas", camas, each, lang), cotos]
    partidas = _marks_of_kind("partidas", standing.partidas[side], form["partidas_per_cama"], lang)
    return [partidas, _marks_of_kind("camas", camas, each, lang), cotos]


def _marks_of_kind(kind: str, made: int, of: int, lang: str) -> Marks:
    what = say(MADE[kind], lang)
    text = say("board.made_of" if of else "board.made", lang, what=what, n=made, of=of)
    return Marks(kind, made, of, text)

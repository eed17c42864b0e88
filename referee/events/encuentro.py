"""Events of an encuentro: its acts, and the conclusions from its partidas."""

from __future__ import annotations

from typing import Literal, TypeAlias

from referee.events.base import (
    Act,
    CardToken,
    Conclusion,
    Fact,
    How,
    OptionValues,
    PersonId,
    PrincipalId,
    SeatName,
    SideName,
    TextId,
)
from referee.events.case import CaseStage


class CodeGiven(Act, frozen=True, tag="code"):
    """A side got a code to confirm with; only its hash is kept. A later one replaces it."""

    side: SideName
    salt: str
    hash: str
    principal: PrincipalId = ""


class ResultReported(Act, frozen=True, tag="report"):
    """The result as it stands was reported: by a side, or by the arbiter (no side).

    ``entered_by``: an official of the club entered it, and nobody has to confirm it.
    """

    by: PersonId
    side: SideName = ""
    device: str = ""
    principal: PrincipalId = ""
    entered_by: Literal["", "official"] = ""


class ResultConfirmed(Act, frozen=True, tag="confirm"):
    """Another side confirmed it: signed in itself, or with its code (then its hash)."""

    by: PersonId
    side: SideName
    device: str = ""
    code: str = ""
    principal: PrincipalId = ""


class ResultDenied(Act, frozen=True, tag="deny"):
    """A side does not agree with the result as it was reported; no case is opened for that."""

    by: PersonId
    side: SideName
    device: str = ""
    principal: PrincipalId = ""


class ResultContested(Act, frozen=True, tag="contest"):
    """A side does not accept the result; ``case`` is the number of the case that it opens."""

    by: PersonId
    side: SideName
    case: int
    text: TextId


class ResultMadeOfficial(Act, frozen=True, tag="official"):
    """The acta is signed. Unless every side confirmed, the reason why not."""

    by: PersonId
    text: TextId = ""
    principal: PrincipalId = ""


class ResultReopened(Act, frozen=True, tag="reopen"):
    """A signed acta is opened again for a change: by two persons, for a reason."""

    by: PersonId
    second: PersonId
    text: TextId
    principal: PrincipalId = ""


class CaseFollowed(Conclusion, frozen=True, tag="case_followed"):
    """How a case stands; ``lines`` are those of the partida that only the case may change."""

    case: int
    partida: int
    stage: CaseStage
    lines: tuple[int, ...] = ()


ResultAct: TypeAlias = (
    CodeGiven
    | ResultReported
    | ResultConfirmed
    | ResultDenied
    | ResultContested
    | ResultMadeOfficial
    | ResultReopened
)


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


def article_of_option(profile: FrozenProfile, option: str) -> dict[str, str] | None:
    """Article on which an option rests: profile, option, section, basis; None of one unknown.

    The profile is that in whose rulebook it stands, as recorded when the encuentro was opened.
    """
    if option not in profile.options:
        return None
    return {
        "profile": profile.sources.get(option, profile.id),
        "option": option,
        "section": profile.sections.get(option, ""),
        "basis": profile.basis.get(option, "silent"),
    }


class EncuentroOpened(Act, frozen=True, tag="open"):
    """Two sides (or two or three players) meet under a frozen profile.

    ``held_in``: id of the session or the tournament that it belongs to. ``table``: number of its
    table in the room; 0 if it has none.
    """

    profile: FrozenProfile
    place: TextId = ""
    date: str = ""
    held_in: str = ""
    table: int = 0


class OpeningChanged(Act, frozen=True, tag="opening_change"):
    """The encuentro is played under another profile, at another place or on another day.

    Only before anything was played.
    """

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


class FinalScoreTold(Act, frozen=True, tag="final_score"):
    """The final score as somebody told it: cotos, or partidas where their number is fixed.

    Nothing is said about the partidas. A later one replaces it. ``side``: who told it, empty for
    nobody; ``entered_by``: an official of the club entered it.
    """

    score: dict[SideName, int]
    side: SideName = ""
    entered_by: Literal["", "official"] = ""


class FinalScoreWithdrawn(Act, frozen=True, tag="final_score_withdrawn"):
    """The final score told last is taken back: all stands as before it was told."""

    side: SideName = ""
    entered_by: Literal["", "official"] = ""


class EncuentroCalledOff(Act, frozen=True, tag="call_off"):
    """The encuentro is not played; nothing was recorded at it."""


EncuentroAct: TypeAlias = (
    EncuentroOpened
    | OpeningChanged
    | DrawMade
    | PlayersSeated
    | PlayerSubstituted
    | PartidaStarted
    | EncuentroRuled
    | FinalScoreTold
    | FinalScoreWithdrawn
    | EncuentroCalledOff
    | ResultAct
)


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


EncuentroEvent: TypeAlias = (
    EncuentroAct | OutcomeFollowed | CaseFollowed | EncuentroConclusion | EncuentroRevised
)

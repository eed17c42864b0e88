"""Acts of an encuentro about its result and its cases.

``by`` is what the sheet shows, empty if nobody is named; ``principal`` is who was signed in. Acts
of before have none.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from referee.events.base import Act, Conclusion, PersonId, PrincipalId, SideName, TextId
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

"""Events of a case: a dispute about a partida, its evidence, its ruling, its appeal.

Moments are UTC in ISO form, as in the envelope: an event whose rule depends on time carries the
time.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from referee.events.base import (
    Act,
    Effect,
    Fact,
    PersonId,
    PrincipalId,
    SeatName,
    SideName,
    TextId,
)

OptionValue: TypeAlias = bool | int | str | list[str]
Grounds: TypeAlias = Literal["article", "not_regulated", "sovereign"]
CaseStage: TypeAlias = Literal["open", "ruled", "appealed", "settled", "closed"]


class Ground(Fact, frozen=True):
    """What a ruling rests on: an article, the lack of one, or the arbiter's own reason.

    An article has the option, its value at this table, the rulebook and its heading. ``basis`` says
    whether the rulebook states it: stated, inferred or silent.
    """

    kind: Grounds
    option: str = ""
    value: OptionValue = ""
    profile: str = ""
    section: str = ""
    basis: Literal["", "stated", "inferred", "silent"] = ""


class CaseRuling(Fact, frozen=True):
    """What was ruled, on which ground. The fields matter as those of ``RulingGiven``."""

    effect: Effect
    ground: Ground
    text: TextId = ""
    side: SideName = ""
    seat: SeatName = ""
    points: int = 0
    line: int = 0


class Photo(Fact, frozen=True):
    """A picture kept elsewhere: SHA-256 of its bytes in hex, and its media type."""

    sha256: str
    media_type: str


class CaseOpened(Act, frozen=True, tag="case_opened"):
    """A side, or the arbiter (no side), disputes lines of a partida.

    ``seen``: lines that the partida had then. ``suspends``: play stops until the ruling.
    """

    encuentro: str
    number: int
    partida: int
    seen: int
    players: int
    by: PersonId
    text: TextId
    side: SideName = ""
    lines: tuple[int, ...] = ()
    suspends: bool = False


class RenuncioCost(Fact, frozen=True):
    """What the card of a line took beside the best lawful one, as it was worked out then.

    ``least``, ``most``: points that it took less, over all ways of the unseen cards, below 0 if it
    took more; in ``more`` and ``less`` of the ``ways`` in which it broke a duty. ``tried``: ways
    that were looked at, drawn with ``seed`` if there is one. ``turned``: whether the partida would
    have gone the other way. ``engine``: SHA-256 of the module that worked it out.
    """

    line: int
    seat: SeatName
    least: int
    most: int
    more: int
    less: int
    ways: int
    tried: int
    turned: Literal["yes", "no", "cannot_tell"]
    engine: str
    seed: int | None = None


class EvidenceAttached(Act, frozen=True, tag="evidence"):
    """Lines of the partida, the word of a witness, a photo: one of them or several.

    ``cost``: what the card of a line took, which the arbiter put on the acta.
    """

    by: PersonId
    seen: int
    side: SideName = ""
    lines: tuple[int, ...] = ()
    text: TextId = ""
    photo: Photo | None = None
    cost: RenuncioCost | None = None


class CaseRuled(Act, frozen=True, tag="case_ruled"):
    """The arbiter ruled. ``act``: line of the ruling in the partida.

    ``appeal_until``: the last moment for an appeal; empty: the ruling is final.
    """

    by: PersonId
    at: str
    verdict: CaseRuling
    act: int
    appeal_until: str = ""
    principal: PrincipalId = ""


class Appealed(Act, frozen=True, tag="appealed"):
    """A side does not accept the ruling, and says why."""

    side: SideName
    by: PersonId
    at: str
    text: TextId


class AppealDecided(Act, frozen=True, tag="appeal_decided"):
    """Another person decided the appeal.

    The ruling stands (no ``verdict``), or another one replaces it.

    ``act``: line of the new ruling in the partida; ``acts``: every line the change took there.
    """

    by: PersonId
    at: str
    text: TextId
    verdict: CaseRuling | None = None
    act: int = 0
    acts: tuple[int, ...] = ()
    principal: PrincipalId = ""


class CaseClosed(Act, frozen=True, tag="case_closed"):
    """The case is closed. ``waived``: sides that renounced an appeal."""

    by: PersonId
    at: str
    text: TextId = ""
    waived: tuple[SideName, ...] = ()


CaseAct: TypeAlias = (
    CaseOpened | EvidenceAttached | CaseRuled | Appealed | AppealDecided | CaseClosed
)
CaseEvent: TypeAlias = CaseAct

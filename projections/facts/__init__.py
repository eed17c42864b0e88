"""Facts of the log, such as events, as plain JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar, get_args

import msgspec

from referee import events
from referee.events import Fact
from referee.events.league import LeagueRules, PartidaTold
from referee.events.tournament import MeetingFollowed, TournamentPlan
from referee.table.counts import ClaimRead

FactData: TypeAlias = Mapping[str, Any]
"""A fact by the stored names of its fields; its kind determines the fields."""
FactViewT = TypeVar("FactViewT", bound=msgspec.Struct)
FactForm: TypeAlias = Literal["stored", "untagged", "whole"]
"""Which fields a fact has as plain values.

``stored``: its kind, and no fields at their default; ``untagged``: the same without the kind;
``whole``: every field, and no kind.
"""
MARK: Final = "x-fact"
"""Key of the mark of a fact in the schema of a view: its form, a name, the names of its types."""
FACTS: Final[dict[str, type]] = {}
"""Types of all facts that views hold as plain values, by name."""


def register_fact_mark(form: FactForm, name: str, kind: object) -> msgspec.Meta:
    """Register the types of a fact, and give the schema mark for plain values that stand for it."""
    kinds: tuple[type, ...] = get_args(kind) or (kind,)
    FACTS.update({one.__name__: one for one in kinds})
    mark = [form, name, *(one.__name__ for one in kinds)]
    return msgspec.Meta(extra_json_schema={MARK: mark})


TableActData: TypeAlias = Annotated[
    FactData, register_fact_mark("stored", "TableAct", events.TableAct)
]
PartidaActData: TypeAlias = Annotated[
    FactData, register_fact_mark("stored", "PartidaAct", events.PartidaAct)
]
PartidaEventData: TypeAlias = Annotated[
    FactData, register_fact_mark("stored", "PartidaEvent", events.PartidaEvent)
]
TableConclusionData: TypeAlias = Annotated[
    FactData, register_fact_mark("stored", "TableConclusion", events.TableConclusion)
]
EncuentroEventData: TypeAlias = Annotated[
    FactData, register_fact_mark("stored", "EncuentroEvent", events.EncuentroEvent)
]
EncuentroConclusionData: TypeAlias = Annotated[
    FactData, register_fact_mark("stored", "EncuentroConclusion", events.EncuentroConclusion)
]
ConclusionData: TypeAlias = Annotated[
    FactData,
    register_fact_mark(
        "stored",
        "Conclusion",
        events.PartidaOpened
        | events.DealerDue
        | events.TableConclusion
        | events.ConclusionRevised
        | events.OutcomeFollowed
        | events.CaseFollowed
        | events.EncuentroConclusion
        | events.EncuentroRevised
        | MeetingFollowed,
    ),
]
PartidaWonData: TypeAlias = Annotated[
    FactData, register_fact_mark("stored", "PartidaWon", events.PartidaWon)
]
ScoreItemData: TypeAlias = Annotated[
    FactData, register_fact_mark("stored", "ScoreItem", events.ScoreItem)
]
DrawMadeData: TypeAlias = Annotated[
    FactData, register_fact_mark("stored", "DrawMade", events.DrawMade)
]
ClaimReadData: TypeAlias = Annotated[FactData, register_fact_mark("whole", "ClaimRead", ClaimRead)]
PhotoData: TypeAlias = Annotated[FactData, register_fact_mark("whole", "Photo", events.Photo)]
AppealedData: TypeAlias = Annotated[
    FactData, register_fact_mark("whole", "Appealed", events.Appealed)
]
CaseClosedData: TypeAlias = Annotated[
    FactData, register_fact_mark("whole", "CaseClosed", events.CaseClosed)
]
DrawnTableFactData: TypeAlias = Annotated[
    FactData, register_fact_mark("stored", "DrawnTable", events.DrawnTable)
]
PlanData: TypeAlias = Annotated[
    FactData, register_fact_mark("whole", "TournamentPlan", TournamentPlan)
]
RulesOfLeagueData: TypeAlias = Annotated[
    FactData, register_fact_mark("whole", "LeagueRules", LeagueRules)
]
PartidaToldData: TypeAlias = Annotated[
    FactData, register_fact_mark("whole", "PartidaTold", PartidaTold)
]
_IN_TRAILS: Final = set(get_args(events.Event)) - set(get_args(events.HouseAct))
"""Events of streams that have a trail; that of the house has none."""
AnyEventData: TypeAlias = Annotated[
    FactData,
    register_fact_mark(
        "untagged", "Event", reduce(or_, sorted(_IN_TRAILS, key=lambda one: one.__name__))
    ),
]
_NOT_SHOWN: Final = frozenset({"principal"})
"""Fields that a view of the table leaves out; the trail and the proof have them."""


def view_of(kind: type[FactViewT], fact: Fact) -> FactViewT:
    """A fact converted to a view with fields of the same names."""
    return msgspec.convert(plain_values(fact), kind, from_attributes=True)


def plain_values(value: Any) -> Any:
    """A fact as plain JSON values, with defaults that the log omits, but without the principal."""
    if isinstance(value, Fact):
        kind = type(value)
        names = zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True)
        return {
            stored: plain_values(getattr(value, name))
            for stored, name in names
            if name not in _NOT_SHOWN
        }
    return list(value) if isinstance(value, tuple) else value

"""A partida as one seat knew it: its own cards, and what everybody could see or hear."""

from __future__ import annotations

from msgspec.structs import replace

from referee import events as ev
from referee.aggregates.partida import Partida, RecordedAct
from referee.rules.seats import Seat
from referee.table.readings import StandingAct, TableReading


def partida_of_seat(state: Partida, seat: Seat) -> Partida:
    """The partida as far as a seat knew it.

    Lines keep their numbers. Lines that this seat could not see and all texts of the arbiter are
    left out.
    """
    acts = (
        StandingAct(entry.line, act) for entry in state.acts if (act := _act_for(entry.act, seat))
    )
    log = (
        RecordedAct(one.line, visible)
        for one in state.log
        if (visible := _act_or_correction_for(one.act, seat))
    )
    return replace(state, reading=TableReading(state.start, tuple(acts)), log=tuple(log))


def _act_or_correction_for(act: ev.PartidaAct, seat: Seat) -> ev.PartidaAct | None:
    """An act, or the visible part of a correction."""
    if not isinstance(act, ev.LogAmended):
        return _act_for(act, seat)
    kept = [c for c in act.changes if c.act is None or _act_for(c.act, seat) is not None]
    changes = [ev.Change(c.line, c.how, c.act and _act_for(c.act, seat)) for c in kept]
    return ev.LogAmended(tuple(changes))


def _act_for(act: ev.TableAct, seat: Seat) -> ev.TableAct | None:
    """An act as a seat saw it; None if it saw nothing of it."""
    match act:
        case ev.StockEntered():
            return None
        case ev.HandEntered():
            return act if act.seat == seat else None
        case ev.CardDrawn() | ev.WrongDraw():
            return act if act.seat == seat else replace(act, card="")
        case ev.IncidentNoted():
            return replace(act, text="", card=act.card if act.incident == "exposed" else "")
        case ev.PlaySuspended() | ev.DealAnnulled() | ev.RulingGiven():
            return replace(act, text="")
        case _:
            return act

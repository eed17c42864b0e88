"""The reading of a record: acts folded under the options of the table.

``table_after_act`` never refuses: every log can be read. ``possible.refuse_impossible`` decides
before what may enter the log.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

import msgspec
from msgspec.structs import replace

from referee import events as ev
from referee.rules.articles import ABOUT
from referee.rules.cards import TOKENS
from referee.rules.profile.options import Options
from referee.table import announcements, cantes, deals, draws, endings, plays
from referee.table.conclusions import recompute_conclusions
from referee.table.state import NOTHING_SUNG, Line, Table, add_finding


class StandingAct(msgspec.Struct, frozen=True):
    """An act of the record as it stands after corrections, with its line."""

    line: Line
    act: ev.TableAct


def empty_table(options: Options, dealer_due: str = "") -> Table:
    """A table before its first deal."""
    return Table(options, dealer_due)


def table_after_acts(table: Table, entries: Iterable[StandingAct]) -> Table:
    """The table after these acts."""
    for entry in entries:
        table = table_after_act(table, entry.line, entry.act)
    return table


def table_after_act(table: Table, line: Line, act: ev.TableAct) -> Table:
    """The table after one act. Never refuses."""
    before = table
    table = apply_without_conclusions(replace(table, lines=(*table.lines, line)), line, act)
    table = _note_renuncios(before, table)
    if table.deal is not None and table.deal.sung is not NOTHING_SUNG:
        table = cantes.rejudge_cantes(table, line)
    return (
        recompute_conclusions(table, line) if _can_change_conclusion(before, table, act) else table
    )


def _can_change_conclusion(before: Table, table: Table, act: ev.TableAct) -> bool:
    """Whether an act can change a conclusion: most cards cannot.

    Verification of a log takes 1.4 times as long without this question.
    """
    if not isinstance(act, ev.CardPlayed | ev.CardDrawn | ev.CanteAnnounced | ev.PintaSwapped):
        return True
    deal = table.deal
    if table.options.vueltas_end == "at_target" and table.in_vueltas:
        return True
    return deal is not None and (
        deal.is_played_out or bool(deal.denunciations or table.confirmed or before.decided)
    )


def _note_renuncios(before: Table, table: Table) -> Table:
    """The table with findings on the plays that this act proved to be breaches.

    If an earlier duty was broken than known before, the finding is replaced. It is taken back if
    a hand had another number of cards.
    """
    if table.deal is None or before.deal is None or before.deal.line != table.deal.line:
        return table
    breaches, earlier = table.deal.breaches, before.deal.breaches
    if breaches is earlier:
        return table
    if gone := {breach.line for breach in earlier} - {breach.line for breach in breaches}:
        left = (f for f in table.findings if f.line not in gone or ABOUT[f.rule].kind != "duty")
        table = replace(table, findings=tuple(left))
    for breach in breaches:
        if breach in earlier:
            continue
        others = (
            f for f in table.findings if f.line != breach.line or ABOUT[f.rule].kind != "duty"
        )
        card, trick, since = TOKENS[breach.proof], str(breach.trick), breach.known_at
        table = add_finding(
            replace(table, findings=tuple(others)),
            breach.line,
            breach.rule,
            breach.seat,
            known_at=since,
            card=card,
            trick=trick,
        )
    return table


def apply_without_conclusions(before: Table, line: Line, act: ev.TableAct) -> Table:
    """The table after one act, without conclusions, in each reading of its draws."""
    table = apply_act_in_one_reading(before, line, act)
    if before.deal is None or before.deal.otherwise is None or table.deal is None:
        return table
    if table.deal.otherwise is not before.deal.otherwise:
        return table
    other = apply_act_in_one_reading(
        replace(before, deal=draws.deal_in_other_reading(before.deal)), line, act
    )
    return draws.choose_reading(before.deal, table, other, line)


def apply_act_in_one_reading(table: Table, line: Line, act: ev.TableAct) -> Table:  # noqa: C901, PLR0911, PLR0912 - one case an act
    """The table after one act, without conclusions, in the present reading of its draws."""
    match act:
        case ev.CardPlayed():
            return plays.table_after_play(table, line, act)
        case ev.CardDrawn():
            return draws.table_after_card_draw(table, line, act)
        case ev.CanteAnnounced():
            return cantes.table_after_cante(table, line, act)
        case ev.SuitRequested():
            return cantes.table_after_suit_request(table, line, act)
        case ev.PintaSwapped():
            return announcements.table_after_pinta_swap(table, line, act)
        case ev.TuteAnnounced():
            return cantes.table_after_tute(table, line, act)
        case ev.DealStarted():
            return deals.table_after_deal_start(table, line, act)
        case ev.PintaTurned():
            return deals.table_after_pinta(table, line, act)
        case ev.HandEntered():
            return deals.table_after_hand(table, line, act)
        case ev.StockEntered():
            return deals.table_after_stock(table, line, act)
        case ev.CardsShown():
            return deals.table_after_show(table, line, act)
        case ev.Misdealt():
            return deals.table_after_misdeal(table, line, act)
        case ev.WrongDealFound():
            return deals.table_after_wrong_hand_size(table, line, act)
        case ev.WrongDraw():
            return draws.table_after_wrong_draw(table, line, act)
        case ev.TrickEntered():
            return plays.table_after_trick(table, line, act)
        case ev.TrickReviewed():
            return endings.table_after_trick_review(table, line, act)
        case ev.IncidentNoted():
            return endings.table_after_incident(table, line, act)
        case ev.RenuncioDenounced():
            return endings.table_after_denunciation(table, line, act)
        case ev.ClaimMade():
            return endings.table_after_claim(table, line, act)
        case ev.CountEntered():
            return endings.table_after_count(table, line, act)
        case ev.Conceded():
            return endings.table_after_concession(table, line, act)
        case ev.Abandoned():
            return endings.table_after_abandonment(table, line, act)
        case ev.ResultEntered():
            return endings.table_after_result(table, line, act)
        case ev.DealAnnulled():
            return endings.table_after_deal_annulment(table, line, act)
        case ev.RulingGiven():
            return endings.table_after_ruling(table, line, act)
        case ev.PlaySuspended():
            return replace(table, suspended=True)
        case ev.PlayResumed():
            return replace(table, suspended=False)
        case ev.TimeCalled() | ev.RestClaimed():
            return table
        case _:
            assert_never(act)


class TableReading:
    """Acts in order of play, from a table before its first deal, and the table that they give.

    The table is read when it is asked for, on from the last one that was asked for before. To read
    every act anew at each question made an act cost eleven times as much
    (docs/developing/performance.md).
    """

    __slots__ = ("_known", "acts", "start")

    def __init__(
        self,
        start: Table,
        acts: tuple[StandingAct, ...] = (),
        known: tuple[int, Table] | None = None,
    ) -> None:
        """``known``: a number of the acts, and the table after them, if it was read already."""
        self.start, self.acts = start, acts
        self._known = known or (0, start)  # the table after so many of the acts

    def reading_after_act(self, act: StandingAct) -> TableReading:
        """The reading with one more act."""
        return TableReading(self.start, (*self.acts, act), self._known)

    def table(self) -> Table:
        """The table after all acts."""
        count, table = self._known
        if count < len(self.acts):
            table = table_after_acts(table, self.acts[count:])
            self._known = (len(self.acts), table)
        return table

    def __eq__(self, other: object) -> bool:
        """Whether acts and start are equal."""
        return isinstance(other, TableReading) and self._equality_key() == other._equality_key()

    def __hash__(self) -> int:
        """Hash of acts and start."""
        return hash(self._equality_key())

    def _equality_key(self) -> tuple[Table, tuple[StandingAct, ...]]:
        return self.start, self.acts

"""Exhibits of a case: the tricks of its acts as cards, and what the seen cards prove about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

import msgspec

from api.encuentros import views
from api.encuentros.evidence import evidence_with_sentences
from api.encuentros.words import act_namer_of_partida
from api.http.languages import language
from api.profiles import findings
from projections.legality.evidence import VerdictData, partida_evidence_view
from projections.legality.findings import WordedFindingData
from projections.replay.frames import state_at_line
from projections.scores.partidas import DealData, PlayData, partida_view
from projections.views import view_as
from referee.events import CardToken, RenuncioDenounced, SeatName, TableAct
from referee.rules.articles import ABOUT, Rule


class ExhibitPlayData(msgspec.Struct, frozen=True):
    """A card of a trick; whether it is disputed, and whether it is part of the proof."""

    seat: SeatName
    card: CardToken
    line: int
    is_disputed: bool
    is_proof: bool


class ExhibitTrickData(msgspec.Struct, frozen=True):
    """A trick that has something to do with a case; no ``taker``: it is not closed."""

    deal: int
    number: int
    pinta: CardToken
    taker: SeatName | None
    plays: list[ExhibitPlayData]


@dataclass(frozen=True, slots=True)
class Exhibits:
    """What a partida shows about some of its lines.

    ``acts``: every act that stands, by line. ``tricks``: those of the lines and of their proof.
    ``verdicts`` and ``findings``: of every act, by line.
    """

    lines: tuple[int, ...]
    acts: dict[int, TableAct]
    tricks: list[ExhibitTrickData]
    verdicts: dict[int, VerdictData]
    findings: dict[int, WordedFindingData]
    places: dict[int, tuple[int, int]]

    @property
    def verdicts_in_dispute(self) -> list[VerdictData]:
        """Verdicts on the disputed lines, the breaches first."""
        found = [self.verdicts[line] for line in self.lines if line in self.verdicts]
        return sorted(found, key=lambda one: one.verdict != "unlawful")

    @property
    def rule(self) -> Rule | None:
        """The rule that the first breach offends, else that of the first finding on these lines."""
        rules = [one.rule for one in self.verdicts_in_dispute if one.verdict == "unlawful"]
        rules += [self.findings[line].rule for line in self.lines if line in self.findings]
        return next((Rule(one) for one in rules if one), None)

    @property
    def accused_seats(self) -> list[SeatName]:
        """Seats whose acts are disputed: that of the first breach alone, if there is one."""
        found = [one.seat for one in self.verdicts_in_dispute if one.verdict == "unlawful"][:1]
        for line in () if found else self.lines:
            act = self.acts.get(line)
            seat = act.against if isinstance(act, RenuncioDenounced) else getattr(act, "seat", "")
            found += [seat] if seat else []
        return list(dict.fromkeys(found))

    @property
    def denunciation(self) -> RenuncioDenounced | None:
        """The denunciation among the disputed lines."""
        found = (self.acts.get(line) for line in self.lines)
        return next((one for one in found if isinstance(one, RenuncioDenounced)), None)


def exhibits_of_lines(
    encuentro_id: UUID, number: int, lines: Iterable[int], before: int | None = None
) -> Exhibits:
    """What a partida shows about these lines, as it stands; unknown lines are left out.

    ``before``: the line of a ruling. An act that it annulled is shown as it stood before.

    :raises NotFound: there is no such partida
    """
    found = exhibits_after_line(encuentro_id, number, lines, None)
    if before is None or all(line in found.acts for line in found.lines):
        return found
    return exhibits_after_line(encuentro_id, number, lines, before - 1)


def exhibits_after_line(
    encuentro_id: UUID, number: int, lines: Iterable[int], upto: int | None
) -> Exhibits:
    """What a partida shows about these lines as it stood after a line; None: as it stands.

    :raises NotFound: there is no such partida, or no such line in it
    """
    frozen, lang = findings.frozen_profile_of_encuentro(encuentro_id), language()
    state = views.call_on_history(encuentro_id, number, upto, state_at_line)
    view, called = partida_view(state), act_namer_of_partida(state)
    judged = evidence_with_sentences(partida_evidence_view(state, frozen), lang, called).acts
    verdicts = {one.line: one for one in judged}
    noticed = findings.findings_with_text_and_article(view.findings, encuentro_id)
    known = {entry.line for entry in state.log}
    disputed = tuple(line for line in lines if line in known)
    proof = {
        line
        for one in disputed
        if one in verdicts and verdicts[one].verdict == "unlawful"
        for line in _proof_lines(verdicts[one])
    }
    return Exhibits(
        disputed,
        {entry.line: entry.act for entry in state.standing_acts},
        [
            _trick_exhibit(deal, trick_number, taker, plays, disputed, proof)
            for deal in view.deals
            for trick_number, taker, plays in _tricks_with_number_and_taker(deal)
            if any(one.line in (*disputed, *proof) for one in plays)
        ],
        verdicts,
        {one.line: one for one in reversed(noticed)},
        {
            one.line: (deal.number, trick_number)
            for deal in view.deals
            for trick_number, _, plays in _tricks_with_number_and_taker(deal)
            for one in plays
        },
    )


def lines_with_breach_or_accusation(found: Exhibits) -> tuple[int, ...]:
    """Lines in dispute, with those of the breaches denounced and of the denunciations of them."""
    lines = list(found.lines)
    for line in found.lines:
        act = found.acts.get(line)
        if isinstance(act, RenuncioDenounced):
            lines[:0] = [
                one for one in _lines_of_denounced_breaches(found, line, act) if one not in lines
            ][:1]
        elif line in found.places:
            lines += [
                at
                for at, said in found.acts.items()
                if isinstance(said, RenuncioDenounced)
                and line in _lines_of_denounced_breaches(found, at, said)
            ]
    return tuple(dict.fromkeys(lines))


def _lines_of_denounced_breaches(
    found: Exhibits, line: int, said: RenuncioDenounced
) -> Iterator[int]:
    """Lines of the breaches that a denunciation means."""
    order = list(found.acts)
    for one in found.verdicts.values():
        deal, trick = found.places.get(one.line, (0, 0))
        if (
            one.verdict == "unlawful"
            and one.seat == said.against
            and one.rule
            and ABOUT[Rule(one.rule)].kind == "duty"
            and order.index(one.line) < order.index(line)
            and said.trick in (0, trick)
            and said.deal in (0, deal)
        ):
            yield one.line


def _tricks_with_number_and_taker(
    deal: DealData,
) -> Iterator[tuple[int, SeatName | None, list[PlayData]]]:
    """Tricks of a deal with their numbers and takers, the one on the table last."""
    for one in deal.tricks:
        yield one.number, one.taker, one.plays
    yield len(deal.tricks) + 1, None, deal.on_table


def _proof_lines(verdict: VerdictData) -> list[int]:
    """Lines that prove a breach, and the later line at which the card itself was seen."""
    later = verdict.later
    return [*verdict.proof.lines, *([] if later is None else [later.line])]


def _trick_exhibit(
    deal: DealData,
    number: int,
    taker: SeatName | None,
    plays: Sequence[PlayData],
    disputed: Sequence[int],
    proof: set[int],
) -> ExhibitTrickData:
    return ExhibitTrickData(
        deal=deal.number,
        number=number,
        pinta=deal.pinta,
        taker=taker,
        plays=[
            view_as(
                ExhibitPlayData,
                one,
                is_disputed=one.line in disputed,
                is_proof=one.line in proof and one.line not in disputed,
            )
            for one in plays
        ],
    )

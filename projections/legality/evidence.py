"""Evidence as plain JSON values: verdicts, what is known of hands, claims, other profiles."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from projections.facts import ClaimReadData
from projections.legality.findings import ArticleData, article_of_rule
from referee.aggregates.partida import Partida
from referee.events import CardToken, FrozenProfile, OptionValue, SeatName, SideName
from referee.rules.cards import TOKENS, mask_of, tokens_in
from referee.rules.profile.profile import Profile
from referee.table.accusations import line_and_seat_of_costly_renuncio, renuncios_of_deal
from referee.table.comparison import comparable_options_of_profile, compare_record_under_options
from referee.table.counts import assess_claim
from referee.table.state import NO_CARD, Deal, Line, Table
from referee.table.verdicts import Judged, evidence_by_deal, evidence_of, judge_acts


class ProofData(msgspec.Struct, frozen=True):
    """Proof of a verdict."""

    lines: list[int]
    cards: list[CardToken]


class SeenLaterData(msgspec.Struct, frozen=True):
    """A later line that shows more about a breach: the duty, or a card that was in the hand."""

    line: int
    cards: list[CardToken]


class SettlesData(msgspec.Struct, frozen=True):
    """Cards and tricks that would decide a verdict which is still open."""

    cards: list[CardToken]
    tricks: list[int]


class SlipData(msgspec.Struct, frozen=True, kw_only=True):
    """An error of the scorer that would explain an act. ``text``: in the reader's language."""

    kind: str
    lines: list[int]
    cards: list[CardToken]
    text: str | UnsetType = UNSET


class VerdictData(msgspec.Struct, frozen=True, kw_only=True):
    """An act of a player with its verdict. ``text``: in the reader's language."""

    line: int
    seat: SeatName
    verdict: str
    since: int | None
    rule: str | None
    article: ArticleData | None
    proof: ProofData
    by_count: bool
    later: SeenLaterData | None
    settles: SettlesData
    slip: SlipData | None
    text: str | UnsetType = UNSET


class ContradictionData(msgspec.Struct, frozen=True):
    """A deal whose record contradicts itself, and from which line."""

    deal: int
    line: int


class EvidenceOfPartidaData(msgspec.Struct, frozen=True):
    """Verdicts on the acts of a partida from the seen cards."""

    line: int
    acts: list[VerdictData]
    contradicted: list[ContradictionData]
    claim: ClaimReadData | None


class KnownHandData(msgspec.Struct, frozen=True, rename={"not_": "not"}):
    """What is known of a hand: cards that are certainly, possibly or certainly not in it."""

    size: int
    certain: list[CardToken]
    possible: list[CardToken]
    not_: list[CardToken]


class KnowledgeData(msgspec.Struct, frozen=True):
    """What is known of the hands of the running deal."""

    line: int
    deal: int | None
    hands: dict[SeatName, KnownHandData]


class OtherValueData(msgspec.Struct, frozen=True):
    """An option that has different values in two profiles."""

    option: str
    value: OptionValue
    other: OptionValue


class PartidaOutcomeData(msgspec.Struct, frozen=True, kw_only=True):
    """Winner of a partida, or nobody yet. ``text``: in the reader's language."""

    winner: SideName | None
    how: str | None
    totals: dict[SideName, int]
    text: str | UnsetType = UNSET


class OtherVerdictData(msgspec.Struct, frozen=True):
    """An act that another profile judges otherwise, and by which options."""

    line: int
    seat: SeatName
    answer: str
    rule: str | None
    other_answer: str
    other_rule: str | None
    by: list[str]


class ComparedData(msgspec.Struct, frozen=True):
    """Outcome and verdicts of one record under two profiles."""

    options: list[OtherValueData]
    outcome: PartidaOutcomeData
    other_outcome: PartidaOutcomeData
    outcome_by: list[str]
    acts: list[OtherVerdictData]


class ComparisonData(ComparedData, frozen=True):
    """Comparison of a record under its own profile and under another one, which is named."""

    profile: str


def partida_evidence_view(state: Partida, profile: FrozenProfile | None) -> EvidenceOfPartidaData:
    """Verdicts on all acts of the players with their proofs, and on the claim, if there was one."""
    table = state.table
    evidence = evidence_by_deal(table)
    read = assess_claim(table)
    return EvidenceOfPartidaData(
        line=state.version,
        acts=[
            verdict_view(one, profile) for one in judge_acts(table, state.standing_acts, evidence)
        ],
        contradicted=[
            ContradictionData(deal=number, line=max(found.broken, 0))
            for number, found in evidence.items()
            if found.broken
        ],
        claim=None if read is None else msgspec.to_builtins(read),
    )


def verdict_view(one: Judged, profile: FrozenProfile | None) -> VerdictData:
    """View of one act with its verdict."""
    return VerdictData(
        line=one.line,
        seat=one.seat,
        verdict=one.answer,
        since=one.since or None,
        rule=None if one.rule is None else one.rule.value,
        article=article_of_rule(one.rule, profile, one.option),
        proof=ProofData(lines=list(one.proof), cards=tokens_in(mask_of(one.cards))),
        by_count=one.by_count,
        later=None
        if one.later is None
        else SeenLaterData(line=one.later.line, cards=tokens_in(mask_of(one.later.cards))),
        settles=SettlesData(cards=tokens_in(mask_of(one.settles)), tricks=list(one.tricks)),
        slip=None
        if one.slip is None
        else SlipData(
            kind=one.slip.kind,
            lines=list(one.slip.lines),
            cards=tokens_in(mask_of(one.slip.cards)),
        ),
    )


def partida_knowledge_view(state: Partida) -> KnowledgeData:
    """What is known of every hand of the running deal: certain, possible, and how many cards."""
    deal = state.table.deal
    return KnowledgeData(
        line=state.version,
        deal=None if deal is None else deal.number,
        hands={} if deal is None else _hands_known_in_deal(deal),
    )


def _hands_known_in_deal(deal: Deal) -> dict[SeatName, KnownHandData]:
    evidence = evidence_of(deal)
    drawn = evidence.seats_that_must_have_drawn
    return {
        seat: KnownHandData(
            size=size + (place in drawn),
            certain=tokens_in(hand.certain),
            possible=tokens_in(hand.possible & ~hand.certain),
            not_=tokens_in(deal.deck & ~hand.possible),
        )
        for place, (seat, size, hand) in enumerate(
            zip(deal.seats, deal.sizes, evidence.knowledge(), strict=True)
        )
    }


def profile_comparison_view(state: Partida, other: Profile) -> ComparisonData:
    """Differences in outcome and verdicts under another profile, with the option that causes each.

    :raises NotComparable: the cards are dealt in another way
    """
    found = compare_record_under_options(
        state.table_at_start,
        state.standing_acts,
        comparable_options_of_profile(state.table_at_start.options, other),
    )
    return msgspec.convert({"profile": other.id, **msgspec.to_builtins(found)}, ComparisonData)


class RenuncioData(msgspec.Struct, frozen=True):
    """A renuncio that decided a partida.

    ``card``: that was laid; empty for conduct. ``proof``: the card that proves it; empty where
    there is none.
    """

    line: int
    seat: SeatName
    rule: str
    deal: int
    trick: int
    card: CardToken
    proof: CardToken


def deciding_renuncio(table: Table) -> RenuncioData | None:
    """The proved renuncio that decided a partida; None where something else did."""
    is_lost = table.decided is not None and table.decided.how == "renuncio"
    if not is_lost or table.options.renuncio_penalty == "replay_deal":
        return None
    found = line_and_seat_of_costly_renuncio(table)
    if found is None:
        return None
    line, seat = found
    for deal in table.all_deals:
        for one in renuncios_of_deal(table, deal):
            if one.line == line:
                return RenuncioData(
                    line=line,
                    seat=seat,
                    rule=one.rule.value,
                    deal=deal.number,
                    trick=one.trick,
                    card=_card_token_at_line(deal, line),
                    proof=_proof_token_at_line(deal, line),
                )
    return None


def _card_token_at_line(deal: Deal, line: Line) -> CardToken:
    return next((TOKENS[one.card] for one in deal.all_plays if one.line == line), "")


def _proof_token_at_line(deal: Deal, line: Line) -> CardToken:
    proofs = (one.proof for one in deal.breaches if one.line == line)
    return next((TOKENS[card] for card in proofs if card != NO_CARD), "")

"""The draw of a tournament: committed to before, revealed after, and repeatable by anybody.

Three files, each holding the one before: what is drawn (``Lots``), the commitment to a seed
published before the draw (``LotsCommitment``), and the draw as made (``RevealedLots``). Whoever
chooses the seed could try many; therefore others say the ``word`` after the commitment is
published.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
import rfc8785

from referee.aggregates.tournament.field import (
    FEWEST,
    Pair,
    bracket_size,
    check_pairs,
    first_ties,
    first_ties_without_byes,
    snake_groups,
)
from referee.aggregates.tournament.rules import TournamentRule
from referee.errors import Refused
from referee.rules.chance import shuffle_by_seed

SEAL: Final = b"guinote-lots-1\n"
COMMITMENT: Final = b"guinote-commitment-1\n"
MADE: Final = b"guinote-made-1\n"
LEAST_SEED: Final = 16

Version: TypeAlias = Literal["guinote-draw-1", "guinote-draw-2", "guinote-draw-3"]
LotsKind: TypeAlias = Literal["order", "knock_out", "all_play", "groups"]
_FIRST_TIES: Final = {"knock_out": first_ties, "all_play": first_ties_without_byes}
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]


class Lots(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Input of a draw.

    ``pairs``: the first ``seeded_count`` keep their places, strongest first; the others are drawn
    behind them. ``seeded_count`` is ``heads`` in the file. ``groups``: how many, for groups.
    ``word_from``: the source of the word, as text; ``""`` if there is none. ``apart``: pairs of one
    bar each, who do not meet in the first round if that can be; not in a file without any.
    ``kind``: ``all_play`` is a knock-out in which everybody plays the first round.
    """

    tournament: str
    kind: LotsKind
    pairs: tuple[Pair, ...]
    seeded_count: Count = msgspec.field(default=0, name="heads")
    groups: Count = 0
    word_from: str = ""
    apart: tuple[tuple[Pair, ...], ...] | msgspec.UnsetType = msgspec.UNSET

    @property
    def draw_version(self) -> Version:
        """The version of the draw: the second keeps pairs apart, in the third everybody plays."""
        if self.kind == "all_play":
            return "guinote-draw-3"
        return "guinote-draw-2" if self.apart else "guinote-draw-1"

    @property
    def first_round_place_count(self) -> int:
        """Number of places in the first round of a knock-out.

        A pair opposite an empty place has a bye.
        """
        number = len(self.pairs)
        return number + number % 2 if self.kind == "all_play" else bracket_size(number)


class LotsCommitment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is published before the draw."""

    version: Version
    draw: Lots
    commitment: str


class LotsOutcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The order drawn, and the ties of a knock-out or the groups that follow from it."""

    order: tuple[Pair, ...]
    ties: tuple[tuple[Pair, Pair], ...] = ()
    groups: tuple[tuple[Pair, ...], ...] = ()


class RevealedLots(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is published after the draw; ``seal`` is a hash of all the rest."""

    version: Version
    draw: Lots
    commitment: str
    seed: str
    word: str
    outcome: LotsOutcome
    seal: str


class LotsDifference(msgspec.Struct, frozen=True):
    """A field with a wrong value: as stated, and as computed."""

    field: str
    stated: object
    computed: object


def refuse_impossible_lots(lots: Lots) -> None:
    """Refuse a draw that cannot be made.

    :raises Refused: numbers of pairs, seeded pairs or groups that do not fit
    """
    check_pairs(lots.pairs)
    if lots.seeded_count > len(lots.pairs):
        raise Refused(TournamentRule.SEEDED_NUMBER, found=lots.seeded_count, most=len(lots.pairs))
    if lots.apart:
        _refuse_bad_separation(lots, lots.apart)
    if lots.kind != "groups":
        if lots.groups:
            raise Refused(TournamentRule.GROUPS_NOT_DRAWN, kind=lots.kind)
    elif not FEWEST <= lots.groups <= len(lots.pairs) // FEWEST:
        raise Refused(TournamentRule.GROUPS_NUMBER, found=lots.groups, least=FEWEST)


def _refuse_bad_separation(lots: Lots, apart: tuple[tuple[Pair, ...], ...]) -> None:
    if lots.kind not in _FIRST_TIES:
        raise Refused(TournamentRule.NOT_IN_THIS_FORMAT, format=lots.kind)
    named = [pair for group in apart for pair in group]
    for at, pair in enumerate(named):
        if pair not in lots.pairs:
            raise Refused(TournamentRule.PAIR_UNKNOWN, pair=pair)
        if pair in named[:at]:
            raise Refused(TournamentRule.PAIR_TWICE, pair=pair)


def commitment_of_lots(lots: Lots, seed: str) -> LotsCommitment:
    """The commitment to a seed for a draw. The seed stays secret until the draw is made.

    :raises Refused: the draw cannot be made; a seed so short that it can be guessed
    """
    refuse_impossible_lots(lots)
    if len(seed) < LEAST_SEED:
        raise Refused(TournamentRule.SEED_TOO_SHORT, found=len(seed), least=LEAST_SEED)
    return LotsCommitment(lots.draw_version, lots, _commitment_digest(lots, seed))


def reveal_lots(before: LotsCommitment, seed: str, word: str = "") -> RevealedLots:
    """The draw that the revealed seed and the word make, with its seal.

    :raises Refused: not the seed committed to; a word too many or too few
    """
    refuse_impossible_lots(before.draw)
    if _commitment_digest(before.draw, seed) != before.commitment:
        raise Refused(TournamentRule.SEED_NOT_COMMITTED)
    if bool(word) != bool(before.draw.word_from):
        raise Refused(TournamentRule.WORD_UNEXPECTED if word else TournamentRule.WORD_MISSING)
    lots, outcome = before.draw, outcome_of_lots(before.draw, seed, word)
    found = RevealedLots(lots.draw_version, lots, before.commitment, seed, word, outcome, "")
    return msgspec.structs.replace(found, seal=_seal_digest(found))


def outcome_of_lots(lots: Lots, seed: str, word: str) -> LotsOutcome:
    """Outcome from a seed and a word, which shuffle the pairs that are not seeded."""
    seeded, others = lots.pairs[: lots.seeded_count], lots.pairs[lots.seeded_count :]
    order = (*seeded, *shuffle_by_seed(SEAL, f"{seed}/{word}", others))
    if lots.apart:
        order = order_with_pairs_apart(
            order, lots.seeded_count, lots.apart, lots.first_round_place_count
        )
    return LotsOutcome(
        order,
        _FIRST_TIES[lots.kind](order) if lots.kind in _FIRST_TIES else (),
        snake_groups(order, lots.groups) if lots.kind == "groups" else (),
    )


def order_with_pairs_apart(
    order: Sequence[Pair], seeded_count: int, apart: Sequence[Sequence[Pair]], size: int
) -> tuple[Pair, ...]:
    """The order in which pairs of one bar do not meet in the first round, as far as that can be.

    From the first drawn pair to the last: one that would meet a pair of its bar changes places with
    the next drawn pair behind it, and from the end on from the first, by which neither meets one.
    ``size``: places of the first round.

    >>> order_with_pairs_apart(["a", "b", "c", "d"], 0, [["a", "d"]], 4)
    ('b', 'a', 'c', 'd')
    """
    bars = {pair: bar for bar, pairs in enumerate(apart) for pair in pairs}
    found, drawn = list(order), len(order) - seeded_count

    def meets_pair_of_same_bar(rank: int) -> bool:
        other, bar = size - 1 - rank, bars.get(found[rank])
        return other < len(found) and bar is not None and bar == bars.get(found[other])

    def swap(one: int, other: int) -> None:
        found[one], found[other] = found[other], found[one]

    for at in range(drawn):
        for step in range(1, drawn):
            rank, other = seeded_count + at, seeded_count + (at + step) % drawn
            if not meets_pair_of_same_bar(rank):
                break
            swap(rank, other)
            if meets_pair_of_same_bar(rank) or meets_pair_of_same_bar(other):
                swap(rank, other)
    return tuple(found)


def lots_differences(
    revealed: RevealedLots, published: str | None = None
) -> tuple[LotsDifference, ...]:
    """Fields in which a published draw differs from the one computed again.

    ``published``: The commitment of before the draw.

    :raises Refused: the draw cannot be repeated from it
    """
    refuse_impossible_lots(revealed.draw)
    outcome = outcome_of_lots(revealed.draw, revealed.seed, revealed.word)
    found = [
        LotsDifference("version", revealed.version, revealed.draw.draw_version),
        LotsDifference(
            "commitment", revealed.commitment, _commitment_digest(revealed.draw, revealed.seed)
        ),
        LotsDifference("outcome.order", revealed.outcome.order, outcome.order),
        LotsDifference("outcome.ties", revealed.outcome.ties, outcome.ties),
        LotsDifference("outcome.groups", revealed.outcome.groups, outcome.groups),
        LotsDifference("seal", revealed.seal, _seal_digest(revealed)),
    ]
    if published is not None:
        found.append(LotsDifference("published", revealed.commitment, published))
    if bool(revealed.word) != bool(revealed.draw.word_from):
        found.append(LotsDifference("word", revealed.word, revealed.draw.word_from))
    return tuple(one for one in found if one.stated != one.computed)


def _commitment_digest(lots: Lots, seed: str) -> str:
    return _hash(COMMITMENT, {"draw": msgspec.to_builtins(lots), "seed": seed})


def _seal_digest(revealed: RevealedLots) -> str:
    fields = msgspec.to_builtins(revealed)
    del fields["seal"]
    return _hash(MADE, fields)


def _hash(seal: bytes, value: dict[str, Any]) -> str:
    """SHA-256 of the canonical JSON (RFC 8785) of a value, in hexadecimal."""
    return hashlib.sha256(seal + rfc8785.dumps(value)).hexdigest()

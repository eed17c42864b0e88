"""Two logs that differ only in secrets have the same public answers, byte for byte.

Secret are the cards of the running deal (laid, held, drawn, in the stock), findings, incidents,
reviewed tricks, accusations and texts. The last trick alone is public in a first deal without
claims, so it is left out there; in every other deal it must be the same too. ``masked`` deals the same deal with other cards: all but the
pinta and the card that may take it change places.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeGuard

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from projections.board import projection as board
from projections.board.projection import etag, find_public_encuentro
from projections.every import every_projection
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from projections.runner.views import Views
from projections.views import view_as
from referee.aggregates.commands import Amend, PartidaCommand, Record
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.partida import fold
from referee.application import Referee
from referee.events import (
    CanteAnnounced,
    CardDrawn,
    CardPlayed,
    CardsShown,
    Change,
    ClaimMade,
    CountEntered,
    DealStarted,
    EncuentroOpened,
    HandEntered,
    IncidentNoted,
    PintaSwapped,
    PintaTurned,
    StockEntered,
    TableAct,
)
from referee.log.sqlite.recorder import create_tables
from referee.rules.cards import CARD, TOKENS, cards_in
from referee.rules.profile.options import Options, card_for_swap, deck_mask
from referee.rules.profile.profile import profile
from tests.support.records.dealt_out import TABLES, Player, opened
from tests.support.records.playing import options_of
from tests.support.servers.long_runs import RUNS
from tests.support.servers.one_log import ENCUENTRO, META, PARTIDA, new_referee

ANYWHERE = st.integers(0, 2**32)
SECRET = "a-secret-text"


def running_deal(options: Options, seed: int) -> tuple[list[TableAct], list[TableAct]]:
    """Deals that are over, and the acts of the next one until just before it is decided."""
    number = seed % 2
    acts = next(found for found in partidas(options, seed) if len(deals(found)) > number)
    starts = deals(acts)
    whole = acts[starts[number] :]
    state = fold([opened(options), *acts[: starts[number]]])
    running: list[TableAct] = []
    for act in whole:
        state = fold([act], state)
        table = state.table
        is_over = table.deal is None or table.deal.is_played_out or table.decided
        if is_over or isinstance(act, ClaimMade | CountEntered):
            break
        running.append(act)
    return acts[: starts[number]], running


def partidas(options: Options, seed: int) -> Iterable[list[TableAct]]:
    return (
        Player(options, seed + n, observed=bool(seed // 2 % 2)).partida() for n in itertools.count()
    )


def one_deal(options: Options, seed: int) -> list[TableAct]:
    player = Player(options, seed)
    player.deal("B1")
    return player.acts


def deals(acts: list[TableAct]) -> list[int]:
    return [at for at, act in enumerate(acts) if isinstance(act, DealStarted)]


def masked(
    acts: list[TableAct], options: Options, chance: random.Random, public: Collection[str] = ()
) -> list[TableAct]:
    """The same deal with other cards, but for the ``public`` ones."""
    (pinta,) = [act.card for act in acts if isinstance(act, PintaTurned)] or [""]
    if not pinta:
        return acts
    fixed = {pinta, TOKENS[card_for_swap(options, CARD[pinta] // 12)], *public}
    cards = [t for t in map(TOKENS.__getitem__, cards_in(deck_mask(options))) if t not in fixed]
    other = dict(zip(cards, chance.sample(cards, len(cards)), strict=True))

    def with_others(act: TableAct) -> TableAct:
        match act:
            case CardPlayed() | CardDrawn() | PintaSwapped():
                return msgspec.structs.replace(act, card=other.get(act.card, act.card))
            case HandEntered() | StockEntered():
                return msgspec.structs.replace(act, cards=tuple(other.get(c, c) for c in act.cards))
            case _:
                return act

    return [with_others(act) for act in acts]


def with_asides(acts: list[TableAct], chance: random.Random) -> list[PartidaCommand]:
    """The acts, with secret ones among them that are in no other log."""
    found: list[PartidaCommand] = []
    for line, act in enumerate(acts, 1):
        found.append(Record(act))
        if line > 2 and chance.random() < 0.15:
            seat = act.seat if isinstance(act, CardPlayed) else "A1"
            asides: list[TableAct] = [
                IncidentNoted(chance.choice(["talk", "signal", "late", "other"]), seat, "", SECRET),
                CardsShown(seat),
            ]
            found.append(Record(chance.choice(asides)))
    return found


def shows_last_trick(view: Mapping[str, Any]) -> bool:
    """Whether the last trick of the running deal may be shown: nobody can claim in it."""
    partida = view["partida"]
    return bool(
        partida
        and partida["deal"]
        and not partida["vueltas"]
        and view["profile"]["id"] != "baraja-francesa"
    )


def without_last_trick(view: Mapping[str, Any]) -> dict[str, Any]:
    """A public view without the last trick, where that may be shown."""
    if not shows_last_trick(view):
        return dict(view)
    partida = view["partida"]
    return {**view, "partida": {**partida, "deal": {**partida["deal"], "last": "public"}}}


class Screen:
    """A log, and every public answer that differs from the one before it."""

    def __init__(self, folder: Path, name: str, players: int, deck: int) -> None:
        folder.mkdir()
        create_tables(folder / "log.db")
        self.referee: Referee = new_referee(folder / "log.db")
        frozen = freeze_profile(profile(name), players, deck)
        self.referee.encuentros.open(EncuentroOpened(frozen), META, ENCUENTRO)
        self.referee.encuentros.start_partida(ENCUENTRO, META)
        self.log, self.views = (
            LogReader(folder / "log.db"),
            Views(folder / "v.db", every_projection()),
        )
        self.follower = Runner(self.log, self.views)
        self.answers: list[bytes] = []
        self.look()

    def look(self) -> None:
        while self.follower.apply_next_batch():
            pass
        with self.views.reading() as cursor:
            view = msgspec.to_builtins(find_public_encuentro(cursor, ENCUENTRO))
        assert view is not None
        view = without_last_trick(view)
        answer = msgspec.json.encode({"view": view, "etag": etag(view)})
        if self.answers[-1:] != [answer]:
            self.answers.append(answer)

    def do(self, *commands: PartidaCommand) -> None:
        """Record everything in one transaction, then query the public answers."""
        if commands:
            self.referee.encuentros.record_partida_acts(PARTIDA, commands, META)
            self.look()

    def close(self) -> None:
        for one in (self.referee, self.views, self.log):
            one.close()


def seen(
    folder: Path,
    table: tuple[str, int, int],
    commands: list[PartidaCommand],
    before: Iterable[TableAct] = (),
) -> list[bytes]:
    """Every different public answer, in order; ``before`` is recorded in one step."""
    screen = Screen(folder, *table)
    screen.do(*map(Record, before))
    for command in commands:
        screen.do(command)
    screen.close()
    return screen.answers


def pair(folder: Path, seed: int) -> tuple[list[bytes], list[bytes]]:
    """What the public saw of a deal, and of the same deal with other secrets."""
    table = TABLES[seed % len(TABLES)]
    options, chance = options_of(table), random.Random(seed)
    over, running = running_deal(options, seed)
    one = seen(folder / "one", table, [Record(act) for act in running], over)
    others = with_asides(masked(running, options, chance), chance)
    return one, seen(folder / "two", table, others, over)


@settings(max_examples=8 * RUNS)
@given(ANYWHERE)
def test_logs_that_differ_only_in_secrets_are_one_to_the_public(tmp_path_factory, seed):
    one, two = pair(tmp_path_factory.mktemp("pair"), seed)
    assert one == two
    assert SECRET.encode() not in b"".join(two)


def with_cantes(acts: list[TableAct], chance: random.Random) -> list[TableAct]:
    """The acts, half of the true cantes shown, and cantes among them that may be false."""
    found: list[TableAct] = []
    for at, act in enumerate(acts):
        is_cante = isinstance(act, CanteAnnounced)
        found.append(
            msgspec.structs.replace(act, shown=True) if is_cante and chance.random() < 0.5 else act
        )
        if at > 2 and isinstance(act, CardPlayed) and chance.random() < 0.1:
            suit = chance.choice(["O", "C", "E", "B", ""])
            found.append(CanteAnnounced(act.seat, suit))
    return found


@settings(max_examples=4 * RUNS)
@given(ANYWHERE)
def test_cantes_that_are_void_to_the_public_are_so_whatever_the_cards(tmp_path_factory, seed):
    """The cards that were shown are public, and stay; others disprove other cantes."""
    folder, table = tmp_path_factory.mktemp("pair"), TABLES[seed % len(TABLES)]
    options, chance = options_of(table), random.Random(seed)
    over, running = running_deal(options, seed)
    acts = with_cantes(running, chance)
    shown = {rank + act.suit for act in acts if is_shown(act) for rank in "RS"}
    one = seen(folder / "one", table, [Record(act) for act in acts], over)
    others = with_asides(masked(acts, options, chance, shown), chance)
    assert one == seen(folder / "two", table, others, over)


def is_shown(act: TableAct) -> TypeGuard[CanteAnnounced]:
    return isinstance(act, CanteAnnounced) and act.shown is True


@settings(max_examples=3 * RUNS)
@given(ANYWHERE)
def test_hands_entered_and_corrections_of_cards_show_nothing(tmp_path_factory, seed):
    """An observed record against an open one, with two cards that were recorded wrongly."""
    folder, table = tmp_path_factory.mktemp("pair"), ("club", 4, 40)
    acts = one_deal(options_of(table), seed)
    hidden = [act for act in acts if not isinstance(act, HandEntered | StockEntered)]
    hidden = [CardDrawn(a.seat) if isinstance(a, CardDrawn) else a for a in hidden]
    plays = [n for n, act in enumerate(hidden, 1) if isinstance(act, CardPlayed)]
    plain = [n for n in plays[:16] if hidden[n - 1].card[1] != hidden[1].card[1]]
    first, second = sorted(random.Random(seed).sample(plain, 2))
    one, two = hidden[first - 1], hidden[second - 1]
    slips = {first: CardPlayed(one.seat, two.card), second: CardPlayed(two.seat, one.card)}
    wrong = [Record(slips.get(line, act)) for line, act in enumerate(hidden[:-1], 1)]
    right = Amend((Change(first, "replace", one), Change(second, "replace", two)), SECRET)
    in_open = seen(folder / "open", table, [Record(act) for act in acts[:-1]])
    assert seen(folder / "observed", table, [*wrong, right]) == in_open


LEAKS: Mapping[str, Callable[[Any], Any]] = {
    "version": lambda state: state.version,
    "points": lambda state: [t.points for t in state.table.deal.tricks],
    "takers": lambda state: [t.taker for t in state.table.deal.tricks],
    "findings": lambda state: len(state.table.findings),
    "turn": lambda state: state.table.deal.turn,
    "void": lambda state: [cante.void for cante in state.table.deal.cantes],
}


class LeakingPartida(board.PublicPartidaData, frozen=True, kw_only=True):
    """The public view of a partida with a leak."""

    more: Any = None


def test_a_view_that_leaks_is_caught(tmp_path, monkeypatch):
    """Check of the tests above: each additional field in the view makes some pair differ."""
    honest = board.public_partida
    for name, leak in LEAKS.items():

        def leaking(state: Any, leak: Callable[[Any], Any] = leak) -> LeakingPartida:
            deal = state.table.deal
            return view_as(LeakingPartida, honest(state), more=leak(state) if deal else None)

        monkeypatch.setattr(board, "public_partida", leaking)
        monkeypatch.setattr(board, "PublicPartidaData", LeakingPartida)
        pairs = (pair_in(tmp_path / f"{name}{seed}", seed) for seed in range(4))
        assert any(one != two for one, two in pairs), name


def pair_in(folder: Path, seed: int) -> tuple[list[bytes], list[bytes]]:
    folder.mkdir()
    return pair(folder, seed)


def test_what_is_public_is_seen(tmp_path):
    """A deal has several answers: dealing, trump, arrastre and the count are public one by one."""
    acts = one_deal(options_of(("club", 4, 40)), 5)
    answers = seen(tmp_path / "one", ("club", 4, 40), [Record(act) for act in acts])
    assert len(answers) >= 5
    assert b'"phase":"arrastre"' in b"".join(answers)


@settings(max_examples=4 * RUNS)
@given(ANYWHERE)
def test_of_a_trick_before_the_last_one_nothing_is_left(tmp_path_factory, seed):
    """Two first deals whose last tricks are the same, and all others are not."""
    folder, options = tmp_path_factory.mktemp("tricks"), options_of(("club", 4, 40))
    acts = one_deal(options, seed)
    plays = [n for n, act in enumerate(acts) if isinstance(act, CardPlayed)]
    shown = acts[: plays[16 + seed % 5 * 4 - 1] + 1]
    last = {act.card for act in [a for a in shown if isinstance(a, CardPlayed)][-4:]}
    others = masked(shown, options, random.Random(seed), last)
    assert others != shown
    views = []
    for name, played in (("one", shown), ("two", others)):
        public = Screen(folder / name, "club", 4, 40)
        public.referee.encuentros.record_partida_acts(PARTIDA, list(map(Record, played)), META)
        while public.follower.apply_next_batch():
            pass
        with public.views.reading() as cursor:
            view = find_public_encuentro(cursor, ENCUENTRO)
        public.close()
        assert view is not None
        assert view.partida is not None
        views.append(view)
    assert {one.card for one in views[0].partida.deal.last.cards} == last
    assert msgspec.json.encode(views[0]) == msgspec.json.encode(views[1])

"""Two worlds that differ only in secrets look the same to the public, byte for byte.

Secret: the cards laid, held and drawn in the running deal, findings, incidents and texts. Public:
the dealer, the pinta, the phase, the cantes, how many tricks are closed, the last one in a first
deal, and every score that has been counted.
"""

from __future__ import annotations

import random
from uuid import UUID

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from projections.board.projection import etag, find_public_encuentro
from projections.every import every_projection
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from projections.runner.views import Views
from referee.aggregates.commands import Amend, PartidaCommand, Record
from referee.aggregates.encuentro import freeze_profile
from referee.application import Referee
from referee.events import (
    CanteAnnounced,
    CardPlayed,
    CardsShown,
    Change,
    DealStarted,
    EncuentroOpened,
    HandEntered,
    IncidentNoted,
    PintaTurned,
)
from referee.log.sqlite.recorder import create_tables
from referee.rules.cards import TOKENS, cards_in
from referee.rules.profile.options import Options, deck_mask
from referee.rules.profile.profile import profile
from referee.rules.seats import order_from
from tests.api.http.test_noninterference import without_last_trick
from tests.support.records.dealt_out import taker_of
from tests.support.servers.one_log import ENCUENTRO, META, PARTIDA, new_referee

PINTA, CUT = "7O", 6
OPENED = EncuentroOpened(freeze_profile(profile("club"), 4, 40))


def world(seed: int, tricks: int, cantes: list[tuple[int, str]]) -> list[PartidaCommand]:
    """Acts of a running deal: the cards by chance, what is announced as the plan says."""
    chance = random.Random(seed)
    cards = [TOKENS[card] for card in cards_in(deck_mask(Options())) if TOKENS[card] != PINTA]
    chance.shuffle(cards)
    seats = order_from("A1", 4)
    commands: list[PartidaCommand] = [Record(DealStarted("B2")), Record(PintaTurned(PINTA))]
    leader = "A1"
    for number in range(tricks):
        plays = [(seat, cards.pop()) for seat in order_from(leader, 4)]
        commands += [Record(CardPlayed(*play)) for play in plays]
        leader = taker_of(plays, PINTA[1], Options())
        for at, suit in cantes:
            if at == number:
                commands.append(Record(CanteAnnounced(seats[number % 4], suit)))
    return commands


def secrets_of(seed: int) -> list[PartidaCommand]:
    """Secret acts, as many in each world: hands, incidents, cards shown, a correction."""
    chance = random.Random(seed)
    kinds = ["talk", "signal", "late"]
    return [
        Record(IncidentNoted(chance.choice(kinds), chance.choice(["A1", "B2"]), "", f"text{seed}")),
        Record(IncidentNoted(chance.choice(kinds), chance.choice(["B1", "A2"]))),
    ]


class Public:
    """A log and what the public saw of it, after each commit."""

    def __init__(self, folder, salt: int) -> None:
        folder.mkdir()
        create_tables(folder / "log.db")
        self.referee: Referee = new_referee(folder / "log.db", salt)
        self.referee.encuentros.open(OPENED, META, ENCUENTRO)
        self.referee.encuentros.start_partida(ENCUENTRO, META)
        self.log, self.views = (
            LogReader(folder / "log.db"),
            Views(folder / "v.db", every_projection()),
        )
        self.follower = Runner(self.log, self.views)
        self.seen: list[tuple[str, str]] = []
        self.look()

    def look(self) -> None:
        while self.follower.apply_next_batch():
            pass
        with self.views.reading() as cursor:
            view = msgspec.to_builtins(find_public_encuentro(cursor, ENCUENTRO))
        assert view is not None
        view = without_last_trick(view)
        self.seen.append((str(view), etag(view)))

    def do(self, command: PartidaCommand) -> None:
        self.referee.encuentros.record_partida_acts(PARTIDA, [command], META)
        self.look()

    def close(self) -> None:
        for one in (self.referee, self.views, self.log):
            one.close()


@settings(max_examples=12)
@given(
    st.integers(0, 2**32),
    st.integers(0, 2**32),
    st.integers(1, 5),
    st.lists(st.tuples(st.integers(0, 4), st.sampled_from(["O", "C", ""])), max_size=2),
)
def test_worlds_that_differ_in_secrets_are_one_to_the_public(
    tmp_path_factory, first, second, tricks, cantes
):
    seen = []
    folder = tmp_path_factory.mktemp("worlds")
    for name, seed in (("one", first), ("two", second)):
        public = Public(folder / name, salt=seed + 1)
        for command in [*world(seed, tricks, cantes)[:2], *secrets_of(seed)]:
            public.do(command)
        for command in world(seed, tricks, cantes)[2:]:
            public.do(command)
        seen.append(public.seen)
        public.close()
    assert seen[0] == seen[1]


@pytest.mark.parametrize(
    "command",
    [
        Record(HandEntered("A1", ("AO", "3O", "RO", "SO", "CO", "6O"))),
        Record(CardsShown("B1", ("AC",))),
        Record(IncidentNoted("talk", "A1", "", "secret-text")),
        Amend((Change(3, "withdraw"),), "secret-text"),
        Record(CardPlayed("B2", "AB")),
    ],
)
def test_a_secret_act_changes_nothing_that_the_public_sees(tmp_path, command):
    public = Public(tmp_path / "one", salt=1)
    for act in (DealStarted("B2"), PintaTurned(PINTA), IncidentNoted("late", "A1")):
        public.do(Record(act))
    before = public.seen[-1]
    public.do(command)
    assert public.seen[-1] == before
    assert "secret" not in before[0]
    public.close()


def test_what_is_announced_does_change_it(tmp_path):
    """Check of the tests above: a changed view is detected."""
    public = Public(tmp_path / "one", salt=1)
    for act in (DealStarted("B2"), PintaTurned(PINTA), CanteAnnounced("A1", "C")):
        public.do(Record(act))
    assert len(set(public.seen)) == 4
    assert UUID(int=1) == ENCUENTRO
    public.close()

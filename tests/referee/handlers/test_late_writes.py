"""A correction that was drafted before the acta was signed comes too late for every writer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from referee.aggregates.commands import Amend
from referee.aggregates.encuentro import freeze_profile
from referee.application import Referee
from referee.errors import Refused
from referee.events import Change, EncuentroOpened, ResultMadeOfficial
from referee.kinds import partida_id
from referee.log.ports import Address
from referee.log.stores import create_tables
from referee.rules.articles import Rule
from referee.rules.profile.profile import profile
from tests.support.servers.one_log import A_WINS, ENCUENTRO, LATE, META, PARTIDA, new_referee

SIGNED = ResultMadeOfficial("juez", "t")
WITHDRAW = Amend((Change(1, "withdraw"),), "t")
"""The late write: it does not change the encuentro, so only its guard stops it."""


@pytest.fixture
def referee(address: Address) -> Iterator[Referee]:
    """An encuentro that A has won with two partidas."""
    create_tables(address)
    found = new_referee(address)
    frozen = freeze_profile(profile("club").changed("uno", "1", {"camas_per_coto": 1}), 4)
    found.encuentros.open(EncuentroOpened(frozen), META, ENCUENTRO)
    for number in (1, 2):
        found.encuentros.start_partida(ENCUENTRO, META)
        found.encuentros.record_partida_acts(partida_id(ENCUENTRO, number), [LATE, A_WINS], META)
    yield found
    found.close()


@pytest.fixture
def other(referee: Referee) -> Iterator[Referee]:
    """Another writer, with everything cached."""
    found = new_referee(referee.address, 5000)
    assert found.encuentros.encuentro(ENCUENTRO).win is not None
    assert found.encuentros.partida_by_id(PARTIDA).version == 2
    yield found
    found.close()


def refused(writer: Referee, expected: int | None) -> Rule | None:
    with pytest.raises(Refused) as caught:
        writer.encuentros.record_partida_acts(PARTIDA, [WITHDRAW], META, expected)
    return caught.value.rule


def test_one_who_kept_what_was_before_the_signature_is_held_by_it(
    referee: Referee, other: Referee
) -> None:
    referee.encuentros.record_encuentro_act(ENCUENTRO, SIGNED, META)
    assert refused(other, 2) == Rule.ACTA_SIGNED
    assert referee.encuentros.partida_by_id(PARTIDA).version == 2


def test_one_who_drafted_before_the_signature_and_saves_after_it_is_held_by_it(
    referee: Referee, other: Referee
) -> None:
    service = other.encuentros
    drafted = service._plan_partida_commands

    def late(*args: Any) -> Any:
        found = drafted(*args)
        service._plan_partida_commands = drafted  # type: ignore[method-assign]  # once only
        referee.encuentros.record_encuentro_act(ENCUENTRO, SIGNED, META)
        return found

    service._plan_partida_commands = late  # type: ignore[method-assign]  # a writer that takes its time
    assert refused(other, None) == Rule.ACTA_SIGNED
    assert referee.encuentros.partida_by_id(PARTIDA).version == 2


def test_one_who_kept_the_latest_writes_to_the_partida_alone(
    referee: Referee, other: Referee
) -> None:
    answer = other.encuentros.record_partida_acts(PARTIDA, [WITHDRAW], META, 2)
    assert {one.originator_id for one in answer.events} == {PARTIDA}
    assert referee.encuentros.partida_by_id(PARTIDA).version == 3

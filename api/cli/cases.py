"""Cases on the command line: how each dispute of an encuentro stands."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from uuid import UUID

import click
import msgspec

from api.cli.bench import print_json
from api.server import wiring
from referee.aggregates.case import Case
from referee.application import Referee
from referee.errors import NotFound
from referee.events import CaseRuling, SideName
from referee.kinds import partida_id
from referee.log.stores import is_there


@click.command()
@click.argument("encuentro", type=click.UUID)
@click.pass_obj
def cases(data: Path, encuentro: UUID) -> None:
    """Say of each case of an encuentro how it stands: one JSON line a case; nothing is changed."""
    where = wiring.files_of_folder(data)
    if not is_there(where.log):
        raise click.ClickException(f"no log {where.log}")
    with closing(wiring.open_referee(where)) as referee:
        try:
            followed = referee.encuentros.encuentro(encuentro).result.cases
        except NotFound:
            raise click.ClickException(f"no encuentro {encuentro}") from None
        for one in followed:
            view = case_summary(referee, encuentro, referee.cases.case(encuentro, one.case))
            print_json(view)


class WarningOutput(msgspec.Struct, frozen=True):
    """A warning that a case gave."""

    side: SideName
    line: int


class CaseLineOutput(msgspec.Struct, frozen=True):
    """A case in one line; ``article``: what the ruling in force rests on."""

    case: int
    partida: int
    lines: list[int]
    side: SideName | None
    state: str
    ruling: str | None
    article: dict[str, str] | None
    warnings: list[WarningOutput]


def case_summary(referee: Referee, encuentro: UUID, case: Case) -> CaseLineOutput:
    """A case in one line: what is disputed, the ruling in force with its article, its warnings."""
    opened, ruling = case.opened, case.ruling
    assert opened is not None
    table = referee.encuentros.partida_by_id(partida_id(encuentro, opened.partida)).table
    return CaseLineOutput(
        case=opened.number,
        partida=opened.partida,
        lines=list(opened.lines),
        side=opened.side or None,
        state=case.stage,
        ruling=None if ruling is None else ruling.effect,
        article=None if ruling is None else _ground_fields(ruling),
        warnings=[
            WarningOutput(side=side, line=line)
            for line, side in table.warnings
            if line in case.lines_of_rulings
        ],
    )


def _ground_fields(ruling: CaseRuling) -> dict[str, str]:
    """What a ruling rests on: an article of the frozen profile, or that there is none."""
    ground = ruling.ground
    if ground.kind != "article":
        return {"kind": ground.kind}
    names = ("kind", "profile", "option", "section", "basis")
    return {name: str(getattr(ground, name)) for name in names}

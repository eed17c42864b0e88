"""The replay on the command line: one HTML file of a partida."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import click

from api.cli.bench import bytes_of_file_or_stdin
from api.cli.persons import open_names
from api.encuentros.record_import import read_valid_record
from api.http.languages import LANGUAGES
from api.http.problems import Problem
from api.http.table_names import TableNames
from api.replay.file import replay_html
from api.replay.replays import ReplayRequest, ReplaySource, replay_of
from api.replay.texts import record_errors_with_words, replay_source_of_record
from api.server import wiring
from projections.replay.frames import state_at_line
from referee.errors import NotFound
from referee.events import options_from
from referee.kinds import partida_id
from referee.record import BadRecord


@click.command("replay")
@click.argument("source", metavar="FILE|ENCUENTRO")
@click.argument("number", type=click.IntRange(1), required=False, metavar="[N]")
@click.option("--seat", default="", help="Only what this seat knew.")
@click.option("--profile", default="", help="Judge by another profile, and say what changes.")
@click.option("--lang", type=click.Choice(LANGUAGES), default=LANGUAGES[0], show_default=True)
@click.pass_obj
def replay(
    data: Path, source: str, number: int | None, *, seat: str, profile: str, lang: str
) -> None:
    """Print the replay of a partida as one HTML file: of a text record, or of an encuentro."""
    found = (
        _source_of_log(data, UUID(source), number or 1)
        if _is_id(source)
        else _source_of_record_file(source, number, lang)
    )
    try:
        made = replay_of(found, ReplayRequest(seat, profile, lang=lang))
    except Problem as wrong:
        raise click.ClickException(str(wrong.more)) from None
    click.echo(replay_html(made), nl=False)


def _is_id(source: str) -> bool:
    try:
        UUID(source)
    except ValueError:
        return False
    return True


def _source_of_record_file(file: str, number: int | None, lang: str) -> ReplaySource:
    content = bytes_of_file_or_stdin(file)
    try:
        return replay_source_of_record(read_valid_record(content), number)
    except BadRecord as bad:
        for one in record_errors_with_words(bad, content, lang):
            click.echo(f"{file}:{one.line}:{one.column}: {one.text}", err=True)
        raise click.ClickException(f"{file}: no record") from None
    except LookupError:
        raise click.ClickException(f"{file}: no partida {number or ''}".rstrip()) from None


def _source_of_log(data: Path, encuentro: UUID, number: int) -> ReplaySource:
    where = wiring.files_of_folder(data)
    referee = wiring.open_referee(where)
    try:
        with open_names(data) as persons:
            state = state_at_line(referee.history(partida_id(encuentro, number)), None)
            match = referee.encuentros.encuentro(encuentro)
            assert match.opened is not None
            players = options_from(match.opened.profile.options).players
            named = {seat: persons.name(person) or "" for seat, person in match.seats}
            seated = TableNames(players, named)
            acts = [one.act for one in state.log]
            texts = {
                text: persons.text_by_id(text) for act in acts if (text := getattr(act, "text", ""))
            }
            return ReplaySource(state, match.opened.profile, seated, match.opened.date, texts.get)
    except NotFound:
        raise click.ClickException(f"no partida {number} of {encuentro}") from None
    finally:
        referee.close()

"""Commands that judge: partidas of files, whole or card by card, and positions; the profiles."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TextIO

import click
import msgspec
from msgspec.structs import asdict

from api.cli.bench import bytes_of_file_or_stdin, open_referee_or_temporary, print_json
from api.cli.referee_command import CannotReferee, FileReferee, profile_with_changes, referee_file
from api.profiles.rest import profile_row, profile_view
from api.server import wiring
from projections.legality.evidence import partida_evidence_view, profile_comparison_view
from referee.aggregates.partida import Partida
from referee.analysis.claims import judge_claims
from referee.analysis.engine import WHOLE_DEAL_NODES, is_analysis_available
from referee.analysis.reports import analyse_cards
from referee.events import FrozenProfile
from referee.rules.lawful import answer_lawful_question_in_json
from referee.rules.profile.profile import Profile, UnknownProfile, profile, profiles
from referee.system import exits
from referee.table.comparison import NotComparable

TWO = 2
changed_options = click.option(
    "--option", "changes", multiple=True, metavar="NAME=VALUE", help="A changed option."
)
observed_alone = click.option(
    "--observed", is_flag=True, help="Leave out hands, stock and cards drawn of samples."
)


@click.command("profiles")
@click.argument("name", required=False, metavar="[ID]")
def show_profiles(name: str | None) -> None:
    """List the profiles, or show one with the value, article and basis of every option."""
    if name is None:
        for one in profiles():
            print_json(profile_row(one))
        return
    try:
        view = msgspec.to_builtins(profile_view(profile(name)))
        click.echo(json.dumps(view, ensure_ascii=False, indent=2))
    except UnknownProfile:
        raise click.ClickException(f"no profile {name!r}") from None


@click.command("lawful")
@click.argument("source", type=click.File(encoding="utf-8"), default="-")
@click.pass_context
def print_lawful_cards(context: click.Context, source: TextIO) -> None:
    """Answer which cards may be played: JSON lines in, JSON lines out."""
    has_failed = False
    for line in source:
        found = answer_lawful_question_in_json(line)
        has_failed = has_failed or "error" in found
        print_json(found)
    context.exit(1 if has_failed else 0)


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--profile", "name", default=None, help="Profile to judge by; club if none is said.")
@changed_options
@observed_alone
@click.option("--store", help="Log to record into: a file, or a postgresql:// address.")
@click.pass_context
def referee(
    context: click.Context,
    files: tuple[str, ...],
    name: str | None,
    changes: tuple[str, ...],
    *,
    observed: bool,
    store: str | None,
) -> None:
    """Record partidas of files act by act and judge them, one JSON line each."""
    try:
        chosen = profile_with_changes(name or "club", changes) if name or changes else None
    except CannotReferee as fault:
        print_json({"error": fault.fault_data()})
        context.exit(1)
    has_failed = False
    with open_referee_or_temporary(store) as found:
        bench = FileReferee(found, wiring.now)
        game = 0
        for file in files:
            for view in referee_file(
                bench, bytes_of_file_or_stdin(file), chosen, observed=observed
            ):
                game += 1
                has_failed = has_failed or "error" in view
                line = {"game": game, "file": file, **view}
                print_json(line)
    context.exit(1 if has_failed else 0)


@click.command()
@click.argument("file")
@click.option("--profile", "name", default=None, help="Profile to judge by; club if none is said.")
@changed_options
@observed_alone
@click.pass_context
def evidence(
    context: click.Context, file: str, name: str | None, changes: tuple[str, ...], *, observed: bool
) -> None:
    """Judge every act of the partidas of a file: one JSON line an act, with what proves it."""
    chosen = _profile_of_options_or_none(context, name, changes)
    has_failed = False
    for game, view in _reports_of_partidas(file, chosen, partida_evidence_view, observed=observed):
        has_failed = _print_and_check_errors(game, view) or has_failed
        for act in view.get("acts", ()):
            print_json({"game": game, **act})
        if view.get("claim"):
            print_json({"game": game, "claim": view["claim"]})
    context.exit(1 if has_failed else 0)


@click.command("analyse")
@click.argument("file")
@click.option("--profile", "name", default=None, help="Profile to play by; club if none is said.")
@changed_options
@observed_alone
@click.option(
    "--nodes", default=WHOLE_DEAL_NODES, show_default=True, help="Work for a card, at most."
)
@click.pass_context
def analyse_arrastres(
    context: click.Context,
    file: str,
    name: str | None,
    changes: tuple[str, ...],
    *,
    observed: bool,
    nodes: int,
) -> None:
    """Print for each card of the arrastres of a file what it took, beside the best lawful card.

    With the cards as they lay and best play of all. Then each claim and concession, judged.
    Exit code 69 where there is no analysis.
    """
    if not is_analysis_available():
        click.echo("no analysis here: pip install 'guinote-referee[analysis]'", err=True)
        context.exit(exits.EX_UNAVAILABLE)

    def analysis_report(state: Partida, profile: FrozenProfile) -> dict[str, object]:
        del profile
        assert state.reading is not None
        claims = judge_claims(state.reading)
        reaches = ({"reach": one} for one in claims.reaches)
        rests = ({"rest": one} for one in claims.rests)
        return {"lines": [*analyse_cards(state.table, nodes), *reaches, *rests]}

    chosen = _profile_of_options_or_none(context, name, changes)
    has_failed = False
    for game, view in _reports_of_partidas(file, chosen, analysis_report, observed=observed):
        has_failed = _print_and_check_errors(game, view) or has_failed
        for line in view.get("lines", ()):
            print_json({"game": game, **line})
    context.exit(1 if has_failed else 0)


@click.command()
@click.argument("file")
@click.option(
    "--profile", "names", multiple=True, required=True, help="Twice: the profiles to compare."
)
@observed_alone
@click.pass_context
def compare(context: click.Context, file: str, names: tuple[str, ...], *, observed: bool) -> None:
    """Say of each partida of a file what changes under another profile, and by which option."""
    if len(names) != TWO:
        raise click.UsageError("--profile is given twice: the profile, and the other one")
    try:
        chosen, other = (profile_with_changes(name, ()) for name in names)
    except CannotReferee as fault:
        print_json({"error": fault.fault_data()})
        context.exit(1)

    def comparison_report(state: Partida, profile: FrozenProfile) -> dict[str, object]:
        del profile
        try:
            return asdict(profile_comparison_view(state, other))
        except NotComparable as wrong:
            fault = CannotReferee("not_comparable", ",".join(wrong.options), other.id)
            return {"error": fault.fault_data()}

    has_failed = False
    for game, view in _reports_of_partidas(file, chosen, comparison_report, observed=observed):
        has_failed = has_failed or "error" in view
        print_json({"game": game, **view})
    context.exit(1 if has_failed else 0)


def _profile_of_options_or_none(
    context: click.Context, name: str | None, changes: tuple[str, ...]
) -> Profile | None:
    """The profile of the options; None if the file is to name it."""
    try:
        return profile_with_changes(name or "club", changes) if name or changes else None
    except CannotReferee as fault:
        print_json({"error": fault.fault_data()})
        context.exit(1)


def _print_and_check_errors(game: object, view: dict[str, Any]) -> bool:
    """Print the errors of a partida; returns whether there were any."""
    for error in view.get("errors", [view["error"]] if "error" in view else []):
        print_json({"game": game, "error": error})
    return "error" in view


def _reports_of_partidas(
    file: str, chosen: Profile | None, say: Any, *, observed: bool
) -> Iterator[tuple[object, dict[str, Any]]]:
    """Record every partida of a file into a temporary log.

    Yields its number or name, and its report.
    """
    with open_referee_or_temporary(None) as found:
        bench = FileReferee(found, wiring.now, say)
        views = referee_file(bench, bytes_of_file_or_stdin(file), chosen, observed=observed)
        for number, view in enumerate(views, 1):
            rest = {**view}
            yield rest.pop("game", number), rest

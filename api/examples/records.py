"""Records of the rules: one for each option, played under its value and under the contrary.

The files are those of ``docs/law/records/``, which a wheel has in this folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast, get_args

from msgspec.structs import replace

from referee.aggregates.partida import Partida, fold_acts
from referee.events import FrozenProfile, OptionValue, PartidaOpened, options_from
from referee.record import TextRecord, parse_record, print_act
from referee.record.profiles import frozen_profile_of_record
from referee.rules.match_scores import Standing, match_standing
from referee.rules.profile.options import OPTION_NAMES
from referee.rules.profile.profile import profiles
from referee.rules.profile.values import Value, parse_value, plain_value
from referee.table.conclusions import dealer_of_next_partida

Difference: TypeAlias = Literal["winner", "finding", "cost", "match", "card"]
"""What an option decides in a record: who wins the partida; what is noted; what that costs; who
wins the encuentro; how the last card is written."""
DIFFERENCES: Final = get_args(Difference)
NOTHING: Final = "-"
_HERE = Path(__file__).parent


class RuleRecord(NamedTuple):
    """A record in which an option decides. ``contrary``: the same record under another value.

    There is none if every profile has the same value and no other is allowed.
    """

    name: str
    option: str
    differs: Difference
    text: str
    record: TextRecord
    contrary: TextRecord | None


class PlayedRecord(NamedTuple):
    """A record under its profile: each partida, and how the encuentro stands after them."""

    record: TextRecord
    profile: FrozenProfile
    partidas: tuple[Partida, ...]
    standing: Standing


def records_folder() -> Path:
    """Folder of the records: beside this module in a wheel, in ``docs`` in a checkout."""
    packed = _HERE / "records"
    return packed if packed.is_dir() else _HERE.parents[1] / "docs" / "law" / "records"


@cache
def rule_records_by_name() -> Mapping[str, RuleRecord]:
    """Every record by its name, in the order of the options."""
    read = [_read_record(file) for file in records_folder().glob("*.guinote")]
    return {
        one.name: one
        for one in sorted(read, key=lambda one: (OPTION_NAMES.index(one.option), one.name))
    }


def _read_record(file: Path) -> RuleRecord:
    text = file.read_text("utf-8")
    record = parse_record(text)
    differs = record.tags["Differs"]
    assert differs in DIFFERENCES, file
    changes = contrary_options(record)
    return RuleRecord(
        file.stem,
        record.tags["Shows"],
        cast("Difference", differs),
        text,
        record,
        _contrary_record(record, changes) if changes else None,
    )


def contrary_options(record: TextRecord) -> dict[str, Value]:
    """Options, with their values, in the tag ``Contrary``: the shown one among them.

    The others are those without which a profile with the contrary value would contradict itself.
    """
    named = (one.partition("=") for one in record.tags.get("Contrary", "").split())
    return {
        name: int(value) if name in ("players", "deck") else parse_value(name, value)
        for name, _, value in named
    }


def _contrary_record(record: TextRecord, changes: Mapping[str, Value]) -> TextRecord:
    """A record with the same acts under a profile with these options."""
    table: dict[str, Any] = {"players": record.players, "deck": record.deck, "pack": record.pack}
    table |= {name: value for name, value in changes.items() if name in table}
    options: dict[str, OptionValue] = {
        name: plain_value(value)
        for name, value in changes.items()
        if name not in ("players", "deck")
    }
    return replace(
        record,
        **table,
        profile="contrary",
        base=record.base or record.profile,
        options={**record.options, **options},
    )


def play_record(record: TextRecord) -> PlayedRecord:
    """Play a record: every partida of it, and the standing of the encuentro after them."""
    frozen = frozen_profile_of_record(record)
    options = options_from(frozen.options)
    partidas: list[Partida] = []
    for one in record.partidas:
        due = dealer_of_next_partida(partidas[-1].table) if partidas else ""
        opened = PartidaOpened("", one.number, frozen.options, frozen.hash, due)
        partidas.append(fold_acts(opened, one.acts))
    outcomes = [
        (one.number, state.table.decided.winner, state.table.decided.whole_match)
        for one, state in zip(record.partidas, partidas, strict=True)
        if state.table.decided is not None
    ]
    return PlayedRecord(record, frozen, tuple(partidas), match_standing(outcomes, options))


def outcome_in_tag(played: PlayedRecord, what: Difference) -> str:
    """What comes out of a played record, as the tags ``Outcome`` and ``Otherwise`` write it."""
    won = played.partidas[-1].table.decided
    findings = [one for partida in played.partidas for one in partida.table.findings]
    match what:
        case "winner":
            return f"{won.winner} {won.how}" if won else "undecided"
        case "finding":
            noted = sorted(f"{one.rule.value} {one.seat}".strip() for one in findings)
            return ", ".join(noted) or NOTHING
        case "cost":
            return ", ".join(filter(None, (dict(one.facts).get("costs") for one in findings)))
        case "match":
            return played.standing.match_winner or NOTHING
        case "card":
            return print_act(played.record.partidas[-1].acts[-1], pack=played.record.pack)


def profile_ids_with_value(option: str, value: OptionValue, players: int) -> list[str]:
    """Ids of profiles with this value of an option, or that allow it as an alternative."""
    found = []
    for one in profiles():
        if option in ("players", "deck"):
            held: tuple[object, ...] = one.players if option == "players" else one.decks
        else:
            at = players if players in one.players else one.players[0]
            held = (one.option_entry(option, at).value, *one.alternatives.get(option, ()))
        if value in [plain_value(each) for each in held]:  # type: ignore[arg-type] # numbers of players are plain
            found.append(one.id)
    return found

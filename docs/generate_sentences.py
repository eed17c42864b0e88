"""Page of the norms of the rulebooks, and of what in the program does each of them.

``python docs/generate_sentences.py`` writes ``docs/law/sentences.md`` from ``docs/law/sentences/``.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.rules.profile.profile import Profile, profiles
from referee.rules.profile.values import Value, print_value, read_json_value

LAW = Path(__file__).parent / "law"
PAGE, FOLDER = LAW / "sentences.md", LAW / "sentences"
NOTHING = "-"
CARRIERS = ("option", "rule", "fact", "not_representable")
HEADS = ("an option", "a rule", "common ground", "not representable")
INTRODUCTION = """\
# The rulebooks, sentence by sentence

<!-- Written by docs/generate_sentences.py from docs/law/sentences/. Do not edit. -->

What each rulebook demands, allows or defines, in the order of its sections and in words of this
project; advice and history are left out. Beside each norm stands what in the program does it:

- an **option** with the value that the profile has, or another value that the rulebook states;
- a **rule**, by the id that findings, refusals and decisions have;
- **common ground** of all profiles, by the module where it is fixed.

The last column is a test that fails if the norm is broken. What is *not representable* has a reason
instead. A test fails if an option, a rule, a module or a test of this page does not exist, if a
value is not the one of the profile, or if a value that a rulebook states has no sentence here.
"""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A norm of a rulebook, and what carries it.

    ``carrier`` is one of ``CARRIERS`` and ``by`` an option, the id of a rule, a module or a reason.
    ``players``: the only number of players for which the sentence speaks of ``value``; 0: all.
    """

    section: str
    says: str
    carrier: str
    by: str
    value: Value | None = None
    players: int = 0
    test: str = ""


def rulebooks() -> tuple[Profile, ...]:
    """Profiles that are a rulebook: all but ``club``."""
    return tuple(one for one in profiles() if one.title)


def sentences(profile_id: str) -> list[Sentence]:
    """Sentences of a rulebook, in its order. ``ValueError``: a row with a wrong set of keys."""
    source = FOLDER / f"{profile_id}.toml"
    return [_sentence(row) for row in tomllib.loads(source.read_text(encoding="utf-8"))["sentence"]]


def _sentence(row: Mapping[str, Any]) -> Sentence:
    carriers = [name for name in CARRIERS if name in row]
    if len(carriers) != 1:
        raise ValueError(row)
    (carrier,) = carriers
    wanted = {"section", "says", carrier, "value" if carrier == "option" else carrier}
    wanted |= {"test"} if carrier != "not_representable" else set()
    if wanted - set(row) or set(row) - wanted - ({"players"} if carrier == "option" else set()):
        raise ValueError(row)
    by = str(row[carrier])
    return Sentence(
        section=str(row["section"]),
        says=str(row["says"]),
        carrier=carrier,
        by=by,
        value=read_json_value(by, row["value"]) if carrier == "option" else None,
        players=int(row.get("players", 0)),
        test=str(row.get("test", "")),
    )


def page() -> str:
    """The whole page."""
    read = {one.id: sentences(one.id) for one in rulebooks()}
    lines = [INTRODUCTION, *_table(_count_rows(read)), ""]
    for one in rulebooks():
        lines += [f"## {one.id}", "", _counted(one, read[one.id]), ""]
        lines += [*_table(_rows(read[one.id])), ""]
    return "\n".join(lines)


def _table(rows: Iterable[Sequence[str]]) -> list[str]:
    head, *body = rows
    return ["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *body)]


def _count_rows(read: dict[str, list[Sentence]]) -> Iterable[Sequence[str]]:
    yield "profile", "sentences", *HEADS
    for name, found in read.items():
        counts = Counter(one.carrier for one in found)
        yield f"[`{name}`](#{name})", *map(str, (len(found), *map(counts.__getitem__, CARRIERS)))


def _counted(profile: Profile, found: list[Sentence]) -> str:
    sections = len({one.section for one in found})
    return f"*{profile.title}*: {len(found)} sentences from {sections} sections."


def _rows(found: list[Sentence]) -> Iterable[Sequence[str]]:
    yield "section", "what it says", "done by", "shown by"
    before = ""
    for one in found:
        yield one.section if one.section != before else "", one.says, _carrier(one), _test(one)
        before = one.section


def _carrier(one: Sentence) -> str:
    if one.carrier == "not_representable":
        return f"*not representable*: {one.by}"
    if one.carrier == "rule":
        return f"rule [`{one.by}`](rules.md)"
    if one.carrier == "fact":
        return f"`{one.by}`"
    assert one.value is not None
    said = f"[`{one.by}`](profiles.md#options) = `{print_value(one.by, one.value)}`"
    return f"{said} ({one.players} players)" if one.players else said


def _test(one: Sentence) -> str:
    if not one.test:
        return NOTHING
    path, _, name = one.test.partition("::")
    return f"[`{name.removeprefix('test_')}`](../../{path})"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

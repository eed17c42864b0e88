"""Page of the records of the rules.

``python docs/generate_records.py`` writes ``docs/law/records.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from api.examples.records import RuleRecord, profile_ids_with_value, rule_records_by_name
from referee.events import OptionValue
from referee.record import TextRecord
from referee.record.profiles import frozen_profile_of_record
from referee.rules.profile.values import print_value

PAGE = Path(__file__).parent / "law" / "records.md"
NOTHING = "-"
INTRODUCTION = """\
# The rules as records

<!-- Written by docs/generate_records.py from docs/law/records/. Do not edit. -->

For each option of the profiles one record, as short as it can be, in which that option decides.
Each is a [text record](record.md) of its own, and the first thing to try:

```console
$ guinote referee docs/law/records/overtrump.guinote
$ guinote referee docs/law/records/overtrump.guinote --profile club --option overtrump=false
$ guinote replay docs/law/records/overtrump.guinote > overtrump.html
```

The first prints that B wins by a renuncio, the second that A wins. The third makes a replay to look
at. In the service they are under `/reglas/ejemplos`: each with both values, and a replay of each.

The tags of a record say what it is for: `Shows` names the option, `About` says what happens,
`Contrary` gives the options of the contrary, `Outcome` what comes out under the profile of the
record, `Otherwise` what comes out of the same acts under the contrary. `Differs` says what is
compared:

- `winner`: who wins the partida, and how; `undecided` if it goes on;
- `finding`: what the program notes, and of whom; `-` for nothing;
- `cost`: what the breach that is noted costs, by which the arbiter rules;
- `match`: who has won the encuentro; `-` if it goes on;
- `card`: how the last card is written.

"""
AFTER = """\
A `*` stands where other options have to change too, since the profile would contradict itself
without them; the tag `Contrary` lists them. `club-101` and such are rules of a club's own: those of
the profile, and 101 may be said in the first deal, which makes the record short. Profiles are those
that have the value, or whose rulebook states it as another one. Two options can hold one value
only.
"""


def page() -> str:
    """The whole page."""
    head, *body = rows()
    lines = ["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *body)]
    return INTRODUCTION + "\n".join(lines) + "\n\n" + AFTER


def rows() -> Iterator[Sequence[str]]:
    """A row for each record, after the heading."""
    yield (
        *("option", "record", "what happens", "differs"),
        *("value", "profiles", "outcome", "contrary", "profiles", "outcome"),
    )
    for one in rule_records_by_name().values():
        tags = one.record.tags
        yield (
            f"`{one.option}`",
            f"[{one.name}](records/{one.name}.guinote)",
            tags["About"],
            one.differs,
            *_side(one, one.record, tags["Outcome"]),
            *(_side(one, one.contrary, tags["Otherwise"]) if one.contrary else [NOTHING] * 3),
        )


def _side(one: RuleRecord, record: TextRecord, outcome: str) -> Iterable[str]:
    """The value of a record, the profiles that have it, and what comes out."""
    value = frozen_profile_of_record(record).options[one.option]
    holders = ", ".join(
        f"`{each}`" for each in profile_ids_with_value(one.option, value, record.players)
    )
    return f"`{_written(one.option, value)}`{_mark(one, record)}", holders or NOTHING, outcome


def _written(option: str, value: OptionValue) -> str:
    return print_value(option, tuple(value) if isinstance(value, list) else value)


def _mark(one: RuleRecord, record: TextRecord) -> str:
    several = len(one.record.tags.get("Contrary", "").split()) > 1
    return "\\*" if several and record is one.contrary else ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

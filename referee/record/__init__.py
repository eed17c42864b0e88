"""The text record: a partida as a text file, its grammar, reader and printer.

``parse_record`` takes what people write, ``print_record`` writes one canonical form;
``docs/law/record.md`` has the grammar.
"""

from __future__ import annotations

from referee.record.check import find_encuentro_errors, find_record_errors
from referee.record.errors import BadRecord, Code, RecordError, Unprintable
from referee.record.lexicon import lines_of
from referee.record.parsing import (
    ReadRecord,
    TextPlace,
    parse_act,
    parse_record,
    read_record,
)
from referee.record.printing import print_act, print_record
from referee.record.record import (
    FindingText,
    PartidaText,
    TextRecord,
    normal_record,
    replace_text_ids,
)

__all__ = [
    "BadRecord",
    "Code",
    "FindingText",
    "PartidaText",
    "ReadRecord",
    "RecordError",
    "TextPlace",
    "TextRecord",
    "Unprintable",
    "find_encuentro_errors",
    "find_record_errors",
    "lines_of",
    "normal_record",
    "parse_act",
    "parse_record",
    "print_act",
    "print_record",
    "read_record",
    "replace_text_ids",
]

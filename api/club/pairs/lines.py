"""Pairs as lines of text: the players of each, known ones or new, and the name of the pair."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from api.club.messages import name_in_mixed_case, parse_pasted_list
from api.club.name_matches import NO_ANSWERS, KnownNames, answer_field_of_name
from api.club.players_csv import CellFault
from api.club.views import KnownPlayer, PartnersData
from api.http.fields import MAX_NAME, FieldFault
from api.http.languages import LANGUAGES, say
from api.http.names import fold_name, words_of_folded_name
from referee.aggregates.club import PARTNERS
from referee.events import PairId, PersonId

MOST: Final = 512
"""Pairs of one list; as many as a tournament can have."""
BETWEEN_PLAYERS: Final = " · "
"""What stands between the players of a side in a table that this program writes."""
_COLUMNS: Final = ("\t", ";", ",")
"""Separators of columns: the column after the players is the name of the pair."""
_BETWEEN: Final = re.compile(r"\s*[/;,\t&+·|]\s*|\s+[-\u2013\u2014]\s+")
_DASHED: Final = re.compile(r"\s*[/&+·|]\s*|\s+[-\u2013\u2014]\s+")
_AND: Final = re.compile(r"\s+(?:y|e|i|and|et)\s+", re.IGNORECASE)
_LARGEST: Final = 10_000

Identity: TypeAlias = tuple[PersonId, str]
"""A known person, or the name of a new one."""


class NamedPlayer(NamedTuple):
    """A player of a line: name and person; ``person`` is empty for a new player."""

    name: str
    person: PersonId

    @property
    def identity(self) -> Identity:
        """Key of a player in a list, the same for the same person.

        The id, or the name of a new player.
        """
        return (self.person, "" if self.person else fold_name(self.name))


class PairLine(NamedTuple):
    """A pair of a line. ``pair``: its id if the club knows it; ``name``: as typed, or empty."""

    line: int
    players: tuple[NamedPlayer, ...]
    strength: int = 0
    name: str = ""
    pair: PairId = ""


class SplitLine(NamedTuple):
    """A line in its parts, by each way in which it may be read, the likeliest first.

    ``columns``: cells of columns; ``parts``: read otherwise. ``name``: of the pair, if the line
    sets it apart.
    """

    number: int
    columns: tuple[tuple[str, ...], ...]
    parts: tuple[tuple[str, ...], ...]
    name: str = ""


class _Known(NamedTuple):
    """Players and named pairs of the club by name, and pairs by their players."""

    players: KnownNames
    answers: Mapping[str, str]
    named: Mapping[str, PartnersData]
    pairs: Mapping[frozenset[PersonId], PartnersData]
    are_asked: bool = False


def pairs_and_faults_in_text(
    text: str, known: Sequence[KnownPlayer], pairs: Sequence[PartnersData]
) -> tuple[list[PairLine], list[CellFault]]:
    """The pairs of a text, a line each, and what is wrong with it.

    >>> pairs, _ = pairs_and_faults_in_text("Los Gavilanes: Ana Gil y Luis Pardo", (), ())
    >>> ana, luis = pairs[0].players
    >>> ana.name, luis.name
    ('Ana Gil', 'Luis Pardo')
    """
    return pairs_and_faults_of_lines(split_lines_into_names(text), PARTNERS, known, pairs)


def split_lines_into_names(text: str) -> list[SplitLine]:
    """The lines of a pasted list of pairs, split into names; empty lines and headings are left out.

    A line has the names of the players between a slash, a comma, a semicolon, a tab, a dash
    between blanks or an "and". The name of the pair stands after an equals sign, before a colon or
    in a column after the players. A number at the end is the strength.
    """
    lines = [(number, line.strip()) for number, line in parse_pasted_list(text).lines]
    held = [(number, line) for number, line in lines if _split_parts(_BETWEEN, line)]
    if held and _is_heading(held[0][1]):
        held = held[1:]
    return [_split_line(number, line) for number, line in held]


def pairs_and_faults_of_lines(
    lines: Sequence[SplitLine],
    of_pair: int,
    known: Sequence[KnownPlayer],
    pairs: Sequence[PartnersData],
    answers: Mapping[str, str] = NO_ANSWERS,
    *,
    are_asked: bool = False,
) -> tuple[list[PairLine], list[CellFault]]:
    """The pair of each line, and the faults of lines that have none.

    A line is the name of a pair of the club, or the names of its players. A nickname in brackets
    identifies one of several players of a name, and so does an answer (by the field of the name) to
    the question who it is. ``of_pair``: how many play for a pair. ``are_asked``: a name that
    several have is asked about, and no fault.
    """
    found: list[PairLine] = []
    faults: list[CellFault] = []
    for line, read in zip(
        lines,
        pair_or_faults_of_each_line(lines, of_pair, known, pairs, answers, are_asked=are_asked),
        strict=True,
    ):
        if isinstance(read, PairLine):
            found.append(read)
        else:
            faults += [CellFault(line.number, 0, one) for one in read]
    if not found and not faults:
        faults.append(CellFault(1, 0, FieldFault("no_lines")))
    if len(found) > MOST:
        faults.append(CellFault(found[MOST].line, 0, FieldFault("too_many_lines", max=MOST)))
    return found, faults


def pair_or_faults_of_each_line(
    lines: Iterable[SplitLine],
    of_pair: int,
    known: Sequence[KnownPlayer],
    pairs: Sequence[PartnersData],
    answers: Mapping[str, str] = NO_ANSWERS,
    *,
    are_asked: bool = False,
) -> Iterator[PairLine | list[FieldFault]]:
    """For each line its pair, or what is wrong with it; there may be any number of lines."""
    club = _names_and_pairs_of_club(known, pairs if of_pair == PARTNERS else (), answers)
    club = club._replace(are_asked=are_asked)
    return (_pair_or_faults_of_line(line, of_pair, club) for line in lines)


def split_line_of_side(number: int, text: str) -> SplitLine:
    """A side as a table writes it: its names by each way to read it, the likeliest first.

    The name of its pair is apart.

    >>> split_line_of_side(1, "Los Gavilanes: Gil, Ana · Pardo, Luis").parts[0]
    ('Gil, Ana', 'Pardo, Luis')
    """
    rest, name = _rest_and_pair_name(text)
    exact = tuple(part.strip() for part in rest.split(BETWEEN_PLAYERS))
    return SplitLine(
        number, (), (exact, _split_parts(_BETWEEN, rest), _split_parts(_AND, rest)), name
    )


def doubts_about_pairs(found: Sequence[PairLine], pairs: Sequence[PartnersData]) -> list[CellFault]:
    """What a person has to confirm before these pairs are made, by line.

    A person in two lines, a name that another pair has, another name for a known pair.
    """
    seen: set[Identity] = set()
    named = {fold_name(one.name): one.pair for one in pairs if one.name}
    titles = {one.pair: one.name for one in pairs}
    doubts: list[CellFault] = []
    for one in found:
        for who in one.players:
            if who.identity in seen:
                doubts.append(CellFault(one.line, 0, FieldFault("player_in_two", text=who.name)))
            seen.add(who.identity)
        said, before = fold_name(one.name), titles.get(one.pair, "")
        if one.name and named.get(said, one.pair) != one.pair:
            doubts.append(CellFault(one.line, 0, FieldFault("pair_name_taken", text=one.name)))
        elif one.name and before and said != fold_name(before):
            fault = FieldFault("pair_renamed", before=before, text=one.name)
            doubts.append(CellFault(one.line, 0, fault))
        if one.name:
            named.setdefault(said, one.pair or f"line {one.line}")
    return doubts


# --- lines in parts ------------------------------------------------------------------------------


def _split_line(number: int, line: str) -> SplitLine:
    rest, name = _rest_and_pair_name(line)
    columns = tuple(_split_columns(one, rest) for one in _COLUMNS if one in rest)
    return SplitLine(
        number, columns, (_split_parts(_BETWEEN, rest), _split_parts(_AND, rest)), name
    )


def _rest_and_pair_name(line: str) -> tuple[str, str]:
    """A line without the name that is set apart, and this name."""
    before, equals, after = line.rpartition("=")
    if equals:
        return before, after.strip(' "')
    before, colon, after = line.partition(":")
    return (after, before.strip(' "')) if colon else (line, "")


def _split_columns(separator: str, line: str) -> tuple[str, ...]:
    cells = (one.strip(' "') for one in line.split(separator))
    return tuple(one for one in cells if one)


def _split_parts(separator: re.Pattern[str], line: str) -> tuple[str, ...]:
    return tuple(part for part in separator.split(line.strip()) if part)


def _is_heading(line: str) -> bool:
    """Whether a line is that of the headings of a table, in any language."""
    headings = {
        word
        for lang in LANGUAGES
        for word in words_of_folded_name(say("players.pair_headings", lang))
    }
    words = words_of_folded_name(re.sub(r"[\W\d_]+", " ", line))
    return len(words) > 1 and headings.issuperset(words)


# --- the pair of a line --------------------------------------------------------------------------


def _names_and_pairs_of_club(
    known: Sequence[KnownPlayer], pairs: Sequence[PartnersData], answers: Mapping[str, str]
) -> _Known:
    return _Known(
        KnownNames(known),
        answers,
        {fold_name(pair.name): pair for pair in pairs if pair.name},
        {frozenset(pair.players): pair for pair in pairs},
    )


def _pair_or_faults_of_line(
    line: SplitLine, of_pair: int, club: _Known
) -> PairLine | list[FieldFault]:
    """The pair of a line by the first reading that fits, or what is wrong with the line."""
    if (known := _pair_named_by_line(line, club)) is not None:
        return known
    found = next(_readings_with_player_count(line, of_pair, club), None)
    if found is None:
        return [FieldFault("players_wanted", n=of_pair)]
    names, name, strength = found
    read = [_player_or_fault(one, club) for one in names]
    faults = [one for one in read if isinstance(one, FieldFault)]
    if name and not _is_name(name):
        faults.append(FieldFault("length", min=1, max=MAX_NAME))
    players = tuple(one for one in read if isinstance(one, NamedPlayer))
    if not faults and len({one.identity for one in players}) < of_pair:
        faults.append(FieldFault("pair_of_one"))
    if faults:
        return faults
    pair = club.pairs.get(frozenset(one.person for one in players))
    return PairLine(line.number, players, strength, name, pair.pair if pair else "")


def _pair_named_by_line(line: SplitLine, club: _Known) -> PairLine | None:
    """The pair of the club whose name this line is; None if it is no such name."""
    for parts in () if line.name else (*line.columns, *line.parts):
        said, strength = _parts_and_strength(parts)
        if (pair := club.named.get(fold_name(" ".join(said)))) is not None:
            players = tuple(map(NamedPlayer, pair.names, pair.players))
            return PairLine(line.number, players, strength, "", pair.pair)
    return None


def _parts_and_strength(parts: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
    """Parts without the strength at their end, and the strength; 0 if they have none."""
    if parts and _is_strength(parts[-1]):
        return parts[:-1], int(parts[-1])
    return parts, 0


def _readings_with_player_count(
    line: SplitLine, of_pair: int, club: _Known
) -> Iterator[tuple[tuple[str, ...], str, int]]:
    """Readings with the right number of players: their names, name of the pair, strength."""
    for cells in line.columns:
        parts, strength = _parts_and_strength(cells)
        if of_pair == PARTNERS and not line.name:
            if len(parts) == PARTNERS and (both := _two_names_in_cell(parts[0], club)):
                yield both, parts[1], strength
            elif len(parts) == PARTNERS + 1:
                yield parts[:PARTNERS], parts[PARTNERS], strength
        if len(parts) == of_pair:
            yield parts, line.name, strength
    for some in line.parts:
        parts, strength = _parts_and_strength(some)
        if len(parts) == of_pair:
            yield parts, line.name, strength


def _two_names_in_cell(cell: str, club: _Known) -> tuple[str, ...]:
    """The names of two players in one cell; empty if the cell is the name of one player."""
    if club.players.players_of_name(cell):
        return ()
    ways = (_split_parts(one, cell) for one in (_DASHED, _AND))
    return next((two for two in ways if len(two) == PARTNERS), ())


def _is_strength(part: str) -> bool:
    return part.isascii() and part.isdecimal() and int(part) <= _LARGEST


def _is_name(part: str) -> bool:
    return 0 < len(part) <= MAX_NAME and part.isprintable()


def _player_or_fault(part: str, club: _Known) -> NamedPlayer | FieldFault:
    """The player with a name; a fault if there are several, or if it cannot be a name."""
    if not _is_name(part):
        return FieldFault("length", min=1, max=MAX_NAME)
    meant = club.players.player_meant(part, club.answers)
    are_several = (
        len(club.players.players_of_name(part)) > 1
        and answer_field_of_name(part) not in club.answers
    )
    if meant is None and are_several and not club.are_asked:
        return FieldFault("several_players", text=part)
    return (
        NamedPlayer(name_in_mixed_case(part), "")
        if meant is None
        else NamedPlayer(meant.name, meant.player)
    )

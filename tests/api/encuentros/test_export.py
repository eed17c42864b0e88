"""Text records: an encuentro that is exported, parsed and imported is the same."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest

from api.encuentros.record_export import text_record_of_encuentro
from api.encuentros.record_import import import_as_new_encuentro
from projections.runner.log import LogReader
from referee.aggregates.commands import Amend, Record, Undo
from referee.aggregates.encuentro import freeze_profile
from referee.application import Referee
from referee.audit.verify.conclusions import (
    differences_in_all_streams,
    differences_in_encuentro,
    differences_in_partida,
)
from referee.events import (
    CardPlayed,
    Change,
    ClaimMade,
    DealStarted,
    EncuentroOpened,
    EncuentroRuled,
    FinalScoreTold,
    FrozenProfile,
    IncidentNoted,
    PintaTurned,
    PlayersSeated,
    ResultEntered,
    RulingGiven,
)
from referee.kinds import partida_id
from referee.log.sqlite.recorder import create_tables
from referee.people.persons import Persons
from referee.record import PartidaText, TextRecord, normal_record, parse_record, print_record
from referee.record.profiles import CannotImport, frozen_profile_of_record
from referee.record.samples import parse_sample
from referee.rules.profile.options import EDITIONS, OPTION_NAMES
from referee.rules.profile.profile import profile
from referee.rules.seats import SEATS
from tests.support.records.samples import samples
from tests.support.servers.one_log import META, new_referee

CLUB = freeze_profile(profile("club"), 4)
OWN = freeze_profile(profile("club").changed("pena", "2", {"undertrump": "forced"}), 4)


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Referee]:
    create_tables(tmp_path / "log.db")
    with closing(new_referee(tmp_path / "log.db")) as found:
        yield found


@pytest.fixture
def persons(tmp_path: Path) -> Iterator[Persons]:
    ids = itertools.count(1)
    made = Persons(tmp_path / "persons.db", random=lambda n: next(ids).to_bytes(n, "big"))
    with closing(made) as found:
        yield found


def opened(referee: Referee, persons: Persons, frozen: FrozenProfile = CLUB) -> UUID:
    """An encuentro with seats, a place and a date."""
    place = persons.add_text("Casino de Huesca")
    act = EncuentroOpened(frozen, place, "2026-11-21")
    found = referee.encuentros.open(act, META).id
    seats = SEATS[int(str(frozen.options["players"]))]
    seated = {seat: persons.add_person(f"Jugadora {seat}") for seat in seats}
    referee.encuentros.record_encuentro_act(found, PlayersSeated(seated), META)
    return found


def official(referee: Referee, encuentro_id: UUID) -> tuple[Any, ...]:
    """Conclusions of an encuentro and its partidas."""
    state = referee.encuentros.encuentro(encuentro_id)
    partidas = [
        referee.encuentros.partida_by_id(partida_id(encuentro_id, one.partida)).stated
        for one in state.partidas
    ]
    return state.partidas, state.stated, state.win, partidas


def again(referee: Referee, persons: Persons, encuentro_id: UUID) -> TextRecord:
    """Export, print, parse, import, and compare; the record that was exported."""
    record = text_record_of_encuentro(referee, persons, encuentro_id)
    parsed = parse_record(print_record(record).encode())
    assert parsed == normal_record(record)
    imported = import_as_new_encuentro(referee, persons, parsed, META)
    assert official(referee, imported) == official(referee, encuentro_id)
    assert normal_record(text_record_of_encuentro(referee, persons, imported)) == parsed
    profiles = [referee.encuentros.encuentro(one).opened for one in (encuentro_id, imported)]
    assert profiles[0] is not None
    assert profiles[1] is not None
    assert profiles[0].profile == profiles[1].profile
    verified = {
        one.partida: referee.history(partida_id(imported, one.partida))
        for one in referee.encuentros.encuentro(imported).partidas
    }
    assert not differences_in_encuentro(referee.history(imported), verified)
    assert not [found for one in verified.values() for found in differences_in_partida(one)]
    return record


def won_by(referee: Referee, encuentro_id: UUID, *sides: str) -> None:
    for side in sides:
        answer = referee.encuentros.start_partida(encuentro_id, META)
        assert answer.lines
        number = len(referee.encuentros.encuentro(encuentro_id).partidas)
        referee.encuentros.record_partida_acts(
            partida_id(encuentro_id, number), [Record(ResultEntered(side))], META
        )


def test_cards_are_written_in_the_pack_on_the_table(referee: Referee, persons: Persons) -> None:
    french = opened(referee, persons, freeze_profile(profile("baraja-francesa"), 4))
    record = text_record_of_encuentro(referee, persons, french)
    assert record.pack == profile("baraja-francesa").options(4).pack != "spanish"
    assert f'[pack "{record.pack}"]' in print_record(record).lower()


def test_a_sample_comes_back_with_its_findings(referee: Referee, persons: Persons) -> None:
    for one in samples()[:12:4]:
        sample = parse_sample(one)
        frozen = freeze_profile(profile("club"), sample.players, sample.deck)
        found = opened(referee, persons, frozen)
        referee.encuentros.start_partida(found, META)
        acts = [Record(act) for deal in sample.deals for act in deal]
        referee.encuentros.record_partida_acts(partida_id(found, 1), acts, META)
        record = again(referee, persons, found)
        assert len(record.partidas[0].acts) == len(acts)


def test_the_header_says_whose_table_it_was(referee: Referee, persons: Persons) -> None:
    record = again(referee, persons, opened(referee, persons, OWN))
    assert (record.profile, record.edition, record.base) == ("pena", "2", "club")
    assert record.hash == OWN.hash
    assert record.options == {"undertrump": "forced"}
    assert (record.place, record.date) == ("Casino de Huesca", "2026-11-21")
    assert record.seats["B2"] == "Jugadora B2"


def test_every_profile_comes_back(referee: Referee, persons: Persons) -> None:
    for name in ("guinyot", "escuela", "ludoteka", "baraja-francesa", "sin-mazo"):
        one = profile(name)
        for players, deck in itertools.product(one.players, one.decks):
            found = opened(referee, persons, freeze_profile(one, players, deck))
            record = again(referee, persons, found)
            assert (record.profile, record.options) == (name, {})


def test_amendments_texts_and_undone_lines_come_back(referee: Referee, persons: Persons) -> None:
    found = opened(referee, persons)
    referee.encuentros.start_partida(found, META)
    first = partida_id(found, 1)
    known, erased = persons.add_text("habló antes"), persons.add_text("nadie lo sabrá")
    referee.encuentros.record_partida_acts(
        first,
        [
            Record(DealStarted("A1")),
            Record(PintaTurned("4C")),
            Record(CardPlayed("B1", "AO")),
            Record(IncidentNoted("talk", "B2", text=known)),
            Record(IncidentNoted("late", "A1", text=erased)),
        ],
        META,
    )
    reason = persons.add_text("era el tres")
    change = Change(3, "replace", CardPlayed("B1", "3O"))
    referee.encuentros.record_partida_acts(
        first, [Amend((change,), reason), Record(CardPlayed("A2", "4O")), Undo()], META
    )
    persons.erase(erased)
    record = again(referee, persons, found)
    assert set(record.texts.values()) == {"habló antes", "era el tres"}


def test_a_won_encuentro_is_won_by_the_same_side(referee: Referee, persons: Persons) -> None:
    found = opened(referee, persons)
    while referee.encuentros.encuentro(found).win is None:
        won_by(referee, found, "A")
    record = again(referee, persons, found)
    assert len(record.partidas) == len(referee.encuentros.encuentro(found).partidas)


def test_a_partida_undecided_after_the_next_began_comes_back(
    referee: Referee, persons: Persons
) -> None:
    found = opened(referee, persons)
    won_by(referee, found, "A", "B")
    referee.encuentros.record_partida_acts(partida_id(found, 1), [Undo()], META)
    again(referee, persons, found)
    assert referee.encuentros.encuentro(found).partidas_after_undecided == (2,)


@pytest.mark.parametrize("winner", ["A", ""])
def test_a_ruling_on_the_encuentro_comes_back(
    referee: Referee, persons: Persons, winner: str
) -> None:
    found = opened(referee, persons)
    won_by(referee, found, "B")
    referee.encuentros.record_encuentro_act(
        found, EncuentroRuled(winner, persons.add_text("no volvieron")), META
    )
    record = again(referee, persons, found)
    assert record.tags == {"Ruled": winner or "-", "Ruled-For": "no volvieron"}


def test_erased_names_stay_erased(referee: Referee, persons: Persons) -> None:
    found = opened(referee, persons)
    seats = dict(referee.encuentros.encuentro(found).seats)
    persons.erase(seats["A2"])
    record = again(referee, persons, found)
    assert sorted(record.seats) == ["A1", "B1", "B2"]


TWICE = PartidaText(
    1, (DealStarted("A1"), PintaTurned("4C"), CardPlayed("B1", "AO"), CardPlayed("B1", "AO"))
)


@pytest.mark.parametrize(
    ("record", "code", "field"),
    [
        (TextRecord(profile="nobody"), "unknown_profile", "profile"),
        (TextRecord(profile="club", hash="0" * 64), "other_edition", "hash"),
        (TextRecord(profile="club", players=2, deck=48), "profile", "deck"),
        (
            TextRecord(profile="x", base="club", options={"undertrump": "so"}),
            "profile",
            "undertrump",
        ),
        (TextRecord(profile="club", tags={"Ruled": "Z"}), "bad_value", "Ruled"),
        (TextRecord(profile="club", seats={"A1": "a" * 999}), "too_long", "texts"),
        (TextRecord(profile="club", partidas=(TWICE,)), "card-played-before", "partida 1, act 4"),
    ],
)
def test_what_cannot_be_imported_leaves_nothing(
    referee: Referee, persons: Persons, record: TextRecord, code: str, field: str
) -> None:
    with pytest.raises(CannotImport) as caught:
        import_as_new_encuentro(referee, persons, record, META)
    assert (caught.value.code, caught.value.field) == (code, field)
    assert not referee.position()


@pytest.mark.parametrize("own", [False, True], ids=["of the six", "a club's own"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_record_is_imported_under_its_own_edition(
    referee: Referee, persons: Persons, edition: str, own: bool
) -> None:
    """A 20 that had to be shown counts under the first edition, and is void under the second."""
    chosen = profile("club", edition)
    chosen = chosen.changed("casa", "7", {"tute": True}) if own else chosen
    found = opened(referee, persons, freeze_profile(chosen, 4))
    referee.encuentros.start_partida(found, META)
    acts = parse_record(TWENTY_NOT_SHOWN).partidas[0].acts
    stream = partida_id(found, 1)
    referee.encuentros.record_partida_acts(stream, [Record(act) for act in acts], META)
    table = referee.encuentros.partida_by_id(stream).table
    assert table.deal is not None
    assert table.deal.cantes[0].void == (edition != "2026-1")
    record = again(referee, persons, found)
    assert record.edition == ("7" if own else edition)
    assert list(record.options) == (["tute"] if own else [])
    untagged = msgspec.structs.replace(record, hash="")
    newest = frozen_profile_of_record(
        msgspec.structs.replace(untagged, edition="" if own else "1999")
    )
    assert len(newest.options) == len(OPTION_NAMES)


def test_what_todays_law_concludes_otherwise_is_no_difference(
    referee: Referee, persons: Persons, tmp_path: Path
) -> None:
    found = {}
    for edition in EDITIONS:
        options = {"claim_in": "any_deal", "target": 31}
        own = profile("club", edition).changed("casa", "7", options)
        match = opened(referee, persons, freeze_profile(own, 4))
        referee.encuentros.start_partida(match, META)
        acts = (*parse_record(TWENTY_NOT_SHOWN).partidas[0].acts, ClaimMade("A1"))
        stream = partida_id(match, 1)
        referee.encuentros.record_partida_acts(stream, [Record(act) for act in acts], META)
        won = referee.encuentros.partida_by_id(stream).table.decided
        assert won is not None
        found[edition] = (stream, won.how)
    with closing(LogReader(tmp_path / "log.db")) as log:
        rows = list(differences_in_all_streams(log))
    assert [(one.what, one.stream, one.line) for one in rows] == [
        ("earlier_law", str(found["2026-1"][0]), 8)
    ]
    assert [one["kind"] for one in rows[0].stored] == [one["kind"] for one in rows[0].computed]
    assert (rows[0].stored[0]["total"], rows[0].computed[0]["total"]) == (31, 11)
    assert [how for _, how in found.values()] == ["claim", "false_claim"]


TWENTY_NOT_SHOWN = b"""partida 1
reparto B2
pinta 4O
A1 AC  B1 2C  A2 4C  B2 5C
canta A1 espadas tapadas
"""


def test_words_about_the_day_go_with_the_place_where_they_can_be_erased(
    referee: Referee, persons: Persons
) -> None:
    record = text_record_of_encuentro(referee, persons, opened(referee, persons))
    told = msgspec.structs.replace(record, date="la noche en que ganó Perico")
    found = import_as_new_encuentro(referee, persons, told, META)
    act = referee.encuentros.encuentro(found).opened
    assert act is not None
    assert act.date == ""
    assert persons.text_by_id(act.place) == "Casino de Huesca, la noche en que ganó Perico"


def test_a_long_text_in_place_of_an_article_is_not_imported(
    referee: Referee, persons: Persons
) -> None:
    ruling = RulingGiven("points", "t", "A", points=3, article="x" * 81)
    record = TextRecord(partidas=(PartidaText(1, (DealStarted("A1"), ruling)),), texts={"t": "Sí."})
    with pytest.raises(CannotImport) as cannot:
        import_as_new_encuentro(referee, persons, record, META)
    assert (cannot.value.code, cannot.value.field) == ("too_long", "article")
    short = msgspec.structs.replace(ruling, article="x" * 80)
    partida = PartidaText(1, (DealStarted("A1"), short))
    import_as_new_encuentro(
        referee, persons, msgspec.structs.replace(record, partidas=(partida,)), META
    )


def test_a_final_score_that_was_told_is_in_the_record(referee: Referee, persons: Persons) -> None:
    encuentro = opened(referee, persons)
    for score in ({"A": 2, "B": 0}, {"A": 1, "B": 2}):
        referee.encuentros.record_encuentro_act(encuentro, FinalScoreTold(score), META)
    record = text_record_of_encuentro(referee, persons, encuentro)
    assert record.tags == {"Final-Score": "1-2"}
    again = import_as_new_encuentro(referee, persons, parse_record(print_record(record)), META)
    assert referee.encuentros.encuentro(again).latest_final_score == {"A": 1, "B": 2}
    assert official(referee, again) == official(referee, encuentro)
    for text in ("2-2", "3-0", "x", "2"):
        wrong = msgspec.structs.replace(record, tags={"Final-Score": text})
        with pytest.raises(CannotImport) as refused:
            import_as_new_encuentro(referee, persons, wrong, META)
        assert (refused.value.code, refused.value.field) == ("bad_value", "Final-Score")

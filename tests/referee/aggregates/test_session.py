"""Sessions and seasons as deciders, and as a log."""

from __future__ import annotations

from contextlib import closing
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.runner.log import LogReader
from referee.aggregates import season, session
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.session import (
    Session,
    draw_by_fewest_meetings,
    draw_by_seed,
    draw_by_strength,
)
from referee.aggregates.session_tables import persons_by_seat, tables_by_seed, tables_by_strength
from referee.application import Referee
from referee.audit.verify.club import differences_in_season, differences_in_session
from referee.audit.verify.conclusions import differences_in_all_streams
from referee.errors import NotFound, Refused, Stale
from referee.events import (
    CalendarSet,
    Competitors,
    DrawnTable,
    EncuentroOpened,
    PairCame,
    PairLeft,
    PlannedSession,
    PlayerCame,
    PlayerLeft,
    PlayersSeated,
    ScoringSet,
    SeasonAct,
    SeasonClosed,
    SeasonOpened,
    SeasonScoring,
    SessionAct,
    SessionChanged,
    SessionClosed,
    SessionOpened,
    SessionReopened,
    TablesDrawn,
    TablesOpened,
    TablesTakenBack,
)
from referee.log.mapper import RecordedEvent
from referee.log.ports import Address
from referee.log.streams import WriteMetadata
from referee.rules.articles import Rule
from referee.rules.profile.profile import profile
from tests.support.servers.one_log import META, new_log, new_referee

SEASON, SESSION = UUID(int=50), UUID(int=51)
FOUR, TWO = (freeze_profile(profile("club"), players) for players in (4, 2))
OPENED = SessionOpened("2026-11-21", FOUR, season=str(SEASON))
EIGHT = [PlayerCame(person) for person in "abcdefgh"]
BY_HAND = TablesDrawn("hand", (DrawnTable(3, (("a", "b"), ("c", "d"))),))


def after(*acts: SessionAct) -> Session:
    state = session.INITIAL
    for act in acts:
        for event in session.decide(act, state):
            state = session.evolve(state, event)
    return state


def refused(act: SessionAct, *before: SessionAct) -> Rule:
    with pytest.raises(Refused) as caught:
        after(*before, act)
    return caught.value.rule


def test_players_come_and_leave() -> None:
    state = after(OPENED, *EIGHT, PlayerLeft("c"))
    assert state.present == tuple("abdefgh")
    assert refused(PlayerCame("a"), OPENED, PlayerCame("a")) == Rule.PLAYER_PRESENT
    assert refused(PlayerLeft("a"), OPENED) == Rule.PLAYER_ABSENT


def test_tables_are_opened_once_for_each_draw() -> None:
    drawn = after(OPENED, *EIGHT, BY_HAND)
    assert drawn.unopened_draw == BY_HAND
    playing = after(OPENED, *EIGHT, BY_HAND, TablesOpened(("x",)))
    assert (playing.unopened_draw, playing.encuentro_ids) == (None, ("x",))
    assert refused(TablesOpened(()), OPENED, *EIGHT) == Rule.NO_TABLES
    opened = (OPENED, *EIGHT, BY_HAND, TablesOpened(("x",)))
    assert refused(TablesOpened(("y",)), *opened) == Rule.NO_TABLES
    assert refused(TablesDrawn("hand", ()), OPENED, *EIGHT) == Rule.NO_TABLES


def test_who_played_attended_though_they_left_and_who_only_looked_in_did_not() -> None:
    state = after(OPENED, *EIGHT, BY_HAND, TablesOpened(("x",)), PlayerLeft("a"), PlayerLeft("h"))
    assert set(state.persons_who_played_or_are_there) == set("abcdefg")


def test_a_table_has_every_side_full_and_nobody_twice() -> None:
    for sides in (
        (("a", "b"),),
        (("a", "b"), ("c",)),
        (("a", "b"), ("c", "a")),
        (("a", "b"), ("c", "d"), ("e", "f")),
    ):
        wrong = TablesDrawn("hand", (DrawnTable(1, sides),))
        assert refused(wrong, OPENED, *EIGHT) == Rule.TABLES_INCOMPLETE
    one = DrawnTable(1, (("a", "b"), ("c", "d")))
    same_number = TablesDrawn("hand", (one, DrawnTable(1, (("e", "f"), ("g", "h")))))
    assert refused(same_number, OPENED, *EIGHT) == Rule.TABLES_INCOMPLETE
    stranger = TablesDrawn("hand", (DrawnTable(1, (("a", "b"), ("c", "z"))),))
    assert refused(stranger, OPENED, *EIGHT) == Rule.PLAYER_ABSENT


def test_a_draw_that_its_seed_or_its_strengths_do_not_give_is_refused() -> None:
    state = after(OPENED, *EIGHT)
    honest = draw_by_seed(state, "Calamocha", [("a", "h")])
    assert after(OPENED, *EIGHT, honest).unopened_draw == honest
    turned = TablesDrawn("seed", honest.tables[::-1], "Calamocha", honest.together)
    assert refused(turned, OPENED, *EIGHT) == Rule.TABLES_OTHERWISE
    strengths = {one: 1500 + place for place, one in enumerate("abcdefgh")}
    equal = draw_by_strength(state, strengths)
    assert after(OPENED, *EIGHT, equal).unopened_draw == equal
    half = dict.fromkeys("abcd", 1500)
    some = TablesDrawn("strength", tables_by_strength(half, (), 4), strengths=half)
    assert refused(some, OPENED, *EIGHT) == Rule.TABLES_OTHERWISE


def test_no_more_tables_are_drawn_than_the_room_has() -> None:
    small = SessionOpened("2026-11-21", FOUR, tables=1)
    assert len(draw_by_seed(after(small, *EIGHT), "any").tables) == 1


def test_the_second_draw_of_an_evening_is_another_one() -> None:
    state = after(OPENED, *EIGHT)
    first = draw_by_seed(state, "Calamocha")
    again = after(OPENED, *EIGHT, first, TablesOpened(("x", "y")))
    assert draw_by_seed(again, "Calamocha").tables != first.tables


def test_nothing_is_added_to_what_is_closed() -> None:
    assert refused(PlayerCame("a"), OPENED, SessionClosed()) == Rule.SESSION_CLOSED
    assert refused(OPENED, OPENED) == Rule.SESSION_CLOSED
    state = season.evolve(season.INITIAL, SeasonOpened("name"))
    for act in (SeasonOpened("other"), ScoringSet(SeasonScoring())):
        with pytest.raises(Refused) as caught:
            season.decide(act, season.evolve(state, SeasonClosed()))
        assert caught.value.rule == Rule.SEASON_CLOSED
    with pytest.raises(Refused):
        season.decide(SeasonOpened("other"), state)
    other = SeasonScoring(encuentro_won=3)
    assert season.evolve(state, ScoringSet(other)).scoring == other


# --- pairs ---------------------------------------------------------------------------------------

OF_PAIRS = SessionOpened("2026-11-21", FOUR, of="pairs")
PAIRS = [PairCame(f"pair {one}", (one, f"{one}2")) for one in "abcde"]


def test_pairs_come_stay_together_and_leave() -> None:
    state = after(OF_PAIRS, *PAIRS, PairLeft("pair c"))
    assert state.present == ("a", "a2", "b", "b2", "d", "d2", "e", "e2")
    drawn = draw_by_seed(state, "Calamocha", rested=dict.fromkeys(state.present, 0))
    sides = {frozenset(side) for table in drawn.tables for side in table.sides}
    assert sides == {frozenset((one, f"{one}2")) for one in "abde"}
    playing = session.evolve(session.evolve(state, drawn), TablesOpened(("x", "y")))
    assert {pair for table in playing.tables for pair in table.pairs} == {
        f"pair {one}" for one in "abde"
    }
    assert [(table.encuentro, table.number) for table in playing.tables] == [("x", 1), ("y", 2)]


def test_an_evening_of_pairs_takes_pairs_and_one_of_persons_takes_persons() -> None:
    assert refused(PlayerCame("z"), OF_PAIRS) == Rule.OTHER_COMPETITORS
    assert refused(PairCame("pair", ("a", "b")), OPENED) == Rule.OTHER_COMPETITORS
    assert refused(PAIRS[0], OF_PAIRS, PAIRS[0]) == Rule.PLAYER_PRESENT
    assert refused(PairCame("other", ("a", "z")), OF_PAIRS, *PAIRS) == Rule.PLAYER_PRESENT
    assert refused(PairCame("one", ("a", "a")), OF_PAIRS) == Rule.PLAYER_TWICE
    assert refused(PairLeft("pair a"), OF_PAIRS) == Rule.PLAYER_ABSENT
    parted = TablesDrawn("hand", (DrawnTable(1, (("a", "b"), ("a2", "b2"))),))
    assert refused(parted, OF_PAIRS, *PAIRS) == Rule.OTHER_COMPETITORS


def test_pairs_play_at_tables_of_four() -> None:
    assert refused(SessionOpened("2026-11-21", TWO, of="pairs")) == Rule.PAIRS_NEED_FOUR
    assert refused(SessionChanged("2026-11-21", TWO), OF_PAIRS) == Rule.PAIRS_NEED_FOUR


# --- who sits out --------------------------------------------------------------------------------


@given(
    st.integers(2, 13),
    st.sampled_from(["persons", "pairs"]),
    st.sampled_from([None, 1, 2]),
    st.sampled_from(["seed", "rotation", "strength"]),
)
def test_nobody_sits_out_twice_before_everybody_did_once(
    many: int, of: Competitors, room: int | None, method: str
) -> None:
    came = (
        [PairCame(f"pair {n}", (f"{n:02}a", f"{n:02}b")) for n in range(many)]
        if of == "pairs"
        else [PlayerCame(f"{n:02}") for n in range(many)]
    )
    opened = SessionOpened("2026-11-21", FOUR, tables=room or 0, of=of)
    state = after(opened, *came)
    for number in range(8):
        rested = {one: state.sit_out_counts.get(one, 0) for one in state.present}
        strengths = {one: 1500 + at for at, one in enumerate(sorted(state.present))}
        by_lot = draw_by_seed if method == "seed" else draw_by_fewest_meetings
        drawn = (
            draw_by_strength(state, strengths, rested=rested)
            if method == "strength"
            else by_lot(state, f"seed {number}", rested=rested)
        )
        if not drawn.tables:
            assert many * (2 if of == "pairs" else 1) < 4
            return
        assert session.decide(drawn, state) == (drawn,)
        state = session.evolve(state, drawn)
        state = session.evolve(state, TablesOpened(tuple(str(t.number) for t in drawn.tables)))
        times = [state.sit_out_counts.get(one, 0) for one in state.present]
        assert max(times) - min(times) <= 1


def test_a_draw_says_how_often_each_of_those_who_are_there_sat_out() -> None:
    state = after(OPENED, *EIGHT)
    some = draw_by_seed(state, "Calamocha", rested={"a": 1})
    assert refused(some, OPENED, *EIGHT) == Rule.TABLES_OTHERWISE


# --- changed, closed too early -------------------------------------------------------------------


def test_an_evening_closed_too_early_goes_on() -> None:
    state = after(OPENED, *EIGHT, SessionClosed(), SessionReopened(), PlayerLeft("a"))
    assert not state.is_closed
    assert refused(SessionReopened(), OPENED) == Rule.SESSION_OPEN


def test_day_season_and_rules_change_at_the_tables_too_until_something_is_recorded(
    address: Address,
) -> None:
    with closing(new_log(address)) as referee:
        seasons, encuentros = referee.seasons, referee.encuentros
        for season_id in (SEASON, UUID(int=52)):
            seasons.open_season(SeasonOpened("name"), META, season_id)
        seasons.open_session(OPENED, META, SESSION)
        seasons.record_session_acts(SESSION, [*EIGHT, BY_HAND], META)
        seasons.open_tables(SESSION, META)
        (table,) = map(UUID, seasons.session(SESSION).encuentro_ids)
        other = freeze_profile(profile("guinyot"), 4)
        change = SessionChanged("2026-11-28", other, place="place", season=str(UUID(int=52)))
        seasons.change_session(SESSION, change, META)
        opened = encuentros.encuentro(table).opened
        assert opened is not None
        assert (opened.date, opened.profile, opened.place) == ("2026-11-28", other, "place")
        assert opened.table == 3
        two = SessionChanged("2026-11-28", TWO)
        with pytest.raises(Refused) as caught:
            seasons.change_session(SESSION, two, META)
        assert caught.value.rule == Rule.SEATS_INCOMPLETE
        encuentros.start_partida(table, META)
        with pytest.raises(Refused) as caught:
            seasons.change_session(SESSION, change, META)
        assert caught.value.rule == Rule.ENCUENTRO_BEGUN
    with closing(LogReader(address)) as log:
        ours = {str(SESSION), str(table), str(SEASON)}
        assert {one.stream for one in differences_in_all_streams(log)} & ours == set()


def test_a_season_has_a_kind_and_a_calendar(address: Address) -> None:
    with closing(new_log(address)) as referee:
        referee.seasons.open_season(SeasonOpened("name", of="pairs"), META, SEASON)
        with pytest.raises(Refused) as caught:
            referee.seasons.open_session(OPENED, META, SESSION)
        assert caught.value.rule == Rule.OTHER_COMPETITORS
        days = (PlannedSession("2026-11-26", "20:30"), PlannedSession("2026-12-03"))
        referee.seasons.record_season_act(SEASON, CalendarSet(days), META)
        assert referee.seasons.season(SEASON).calendar == days


@given(
    st.sets(st.text("abcdef", min_size=3, max_size=3), max_size=40),
    st.integers(0, 6),
    st.sampled_from([2, 3, 4]),
    st.text("xyz", max_size=4),
)
def test_a_draw_seats_all_but_those_left_over(
    persons: set[str], pairs: int, players: int, seed: str
) -> None:
    ordered = sorted(persons)
    together = [tuple(ordered[at : at + 2]) for at in range(0, 2 * pairs, 2)]
    together = [side for side in together if len(side) == 2 and players == 4]
    strengths = {one: sum(map(ord, one)) for one in persons}
    for tables in (
        tables_by_seed(seed, "seal", persons, together, players),
        tables_by_strength(strengths, together, players),
    ):
        seated = [one for table in tables for side in table.sides for one in side]
        assert len(seated) == len(set(seated)) == players * (len(persons) // players)
        assert set(seated) <= persons
        sides = {side for table in tables for side in table.sides}
        assert all(side in sides or not set(side) & set(seated) for side in together)


def test_partners_sit_opposite() -> None:
    table = DrawnTable(1, (("a", "b"), ("c", "d")))
    assert persons_by_seat(table, 4) == {"A1": "a", "B1": "c", "A2": "b", "B2": "d"}
    assert persons_by_seat(DrawnTable(1, (("a",), ("b",), ("c",))), 3) == {
        "A1": "a",
        "B1": "b",
        "C1": "c",
    }


# --- on the log ----------------------------------------------------------------------------------


def an_evening(referee: Referee) -> tuple[str, ...]:
    """A season with an evening whose two tables play; their encuentros."""
    referee.seasons.open_season(SeasonOpened("name"), META, SEASON)
    referee.seasons.open_session(OPENED, META, SESSION)
    referee.seasons.record_session_acts(SESSION, EIGHT, META, 1)
    drawn = draw_by_seed(referee.seasons.session(SESSION), "Calamocha")
    referee.seasons.record_session_acts(SESSION, [drawn], META)
    referee.seasons.open_tables(SESSION, META)
    return referee.seasons.session(SESSION).encuentro_ids


def test_tables_are_opened_with_their_players_all_or_none(address: Address) -> None:
    referee = new_log(address)
    found = an_evening(referee)
    seated: list[str] = []
    for one in found:
        state = referee.encuentros.encuentro(UUID(one))
        assert state.opened is not None
        assert (state.opened.held_in, state.opened.date) == (str(SESSION), "2026-11-21")
        seated += dict(state.seats).values()
    assert sorted(seated) == list("abcdefgh")
    with pytest.raises(Refused):
        referee.seasons.open_tables(SESSION, META)
    log = LogReader(address)
    assert {one.stream for one in differences_in_all_streams(log)} & {
        str(SEASON),
        str(SESSION),
        *found,
    } == set()
    for one in (referee, log):
        one.close()


def test_tables_opened_by_mistake_are_taken_back_until_something_is_recorded(
    address: Address,
) -> None:
    with closing(new_log(address)) as referee:
        opened = an_evening(referee)
        referee.seasons.call_off_tables(SESSION, META)
        back = referee.seasons.session(SESSION)
        assert (back.tables, back.persons_who_played, back.unopened_draw) == (
            (),
            (),
            back.draws[-1],
        )
        assert all(referee.encuentros.encuentro(UUID(one)).is_called_off for one in opened)
        with pytest.raises(Refused) as none:
            referee.seasons.call_off_tables(SESSION, META)
        assert none.value.rule == Rule.NO_TABLES
        referee.seasons.open_tables(SESSION, META)
        first, *_ = again = referee.seasons.session(SESSION).encuentro_ids
        assert not set(again) & set(opened)
        referee.encuentros.start_partida(UUID(first), META)
        with pytest.raises(Refused) as late:
            referee.seasons.call_off_tables(SESSION, META)
        assert late.value.rule == Rule.ENCUENTRO_BEGUN
        assert referee.seasons.session(SESSION).encuentro_ids == again
    with closing(LogReader(address)) as log:
        ours = {str(SESSION), str(SEASON), *opened, *again}
        assert {one.stream for one in differences_in_all_streams(log)} & ours == set()


def test_who_sat_out_of_tables_that_were_taken_back_did_not_sit_out() -> None:
    nine = after(OPENED, *EIGHT, PlayerCame("i"))
    opening = (
        OPENED,
        *EIGHT,
        PlayerCame("i"),
        draw_by_seed(nine, "Calamocha"),
        TablesOpened(("x", "y")),
    )
    assert list(after(*opening).sit_out_counts.values()) == [1]
    assert after(*opening, TablesTakenBack()).sit_out_counts == {}
    assert session.evolve(nine, TablesTakenBack()).tables == ()
    assert refused(TablesTakenBack(), OPENED) == Rule.NO_TABLES


def test_a_request_sent_again_opens_nothing_twice(address: Address) -> None:
    referee = new_log(address)
    an_evening(referee)
    referee.seasons.record_session_acts(
        SESSION, [draw_by_seed(referee.seasons.session(SESSION), "again")], META
    )
    key = WriteMetadata("owner", "tablet", META.at, "key-of-tables", "body")
    first, again = (referee.seasons.open_tables(SESSION, key) for _ in range(2))
    assert (again.replayed, again.id, again.version) == (True, first.id, first.version)
    assert len(referee.seasons.session(SESSION).encuentro_ids) == 4
    referee.close()


def test_missing_and_changed_values_are_reported(address: Address) -> None:
    referee = new_log(address)
    with pytest.raises(NotFound):
        referee.seasons.open_session(OPENED, META, SESSION)
    referee.seasons.open_season(SeasonOpened("name"), META, SEASON)
    with pytest.raises(Stale):
        referee.seasons.open_season(SeasonOpened("name"), META, SEASON)
    referee.seasons.open_session(OPENED, META, SESSION)
    with pytest.raises(Stale):
        referee.seasons.open_session(OPENED, META, SESSION)
    with pytest.raises(Stale):
        referee.seasons.record_session_acts(SESSION, EIGHT, META, 9)
    with pytest.raises(Stale):
        referee.seasons.record_season_act(SEASON, SeasonClosed(), META, 2)
    referee.seasons.record_season_act(SEASON, SeasonClosed(), META, 1)
    with pytest.raises(Refused) as caught:
        referee.seasons.open_session(OPENED, META, UUID(int=52))
    assert caught.value.rule == Rule.SEASON_CLOSED
    again = new_referee(address, 900)
    assert again.seasons.session(SESSION) == referee.seasons.session(SESSION)
    for one in (referee, again):
        one.close()


class Opened:
    """Streams of the encuentros of tables, as somebody left them."""

    def __init__(self, *events: EncuentroOpened | PlayersSeated) -> None:
        self._events = events

    def history(self, stream: UUID, upto: int) -> list[RecordedEvent]:
        return stored(*self._events, stream=stream)[:upto]


def stored(*events: SessionAct | SeasonAct | EncuentroOpened | PlayersSeated, stream=SESSION):
    at = "2026-11-21T20:15:00.000Z"
    return [
        RecordedEvent(stream, n, n, at, "owner", "x", "s" * 22, event)
        for n, event in enumerate(events, start=1)
    ]


def test_what_could_not_be_is_found_on_the_log() -> None:
    begun = EncuentroOpened(FOUR, "", "2026-11-21", str(SESSION))
    seated = PlayersSeated({"A1": "a", "A2": "b", "B1": "c", "B2": "d"})
    sound = stored(OPENED, *EIGHT, BY_HAND, TablesOpened((str(UUID(int=9)),)))
    assert list(differences_in_session(sound, Opened(begun, seated))) == []
    moved = PlayersSeated({"A1": "c", "A2": "b", "B1": "a", "B2": "d"})
    for left in (Opened(), Opened(begun), Opened(begun, moved)):
        assert [one.what for one in differences_in_session(sound, left)] == ["tables_wrong"]
    forged = stored(OPENED, PlayerLeft("a"))
    assert [one.what for one in differences_in_session(forged, Opened())] == ["impossible_act"]
    foreign = stored(OPENED, SeasonClosed())
    assert [one.what for one in differences_in_session(foreign, Opened())] == ["foreign_event"]
    closed = stored(SeasonOpened("n"), SeasonClosed(), ScoringSet(SeasonScoring()))
    assert [one.what for one in differences_in_season(closed)] == ["impossible_act"]
    strange = stored(SeasonOpened("n"), PlayerCame("a"))
    assert [one.what for one in differences_in_season(strange)] == ["foreign_event"]

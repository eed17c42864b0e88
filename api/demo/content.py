"""The content of the demonstration, recorded as a club would record it.

All acts go through the services, so they are checked like others. Random values are seeded, so
every demonstration is the same.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from importlib import resources
from typing import Final
from uuid import UUID

from api.encuentros.record_import import import_as_new_encuentro
from api.http import moments
from api.http.languages import say
from referee import events as ev
from referee.aggregates.club_rules import profile_of_edition
from referee.aggregates.commands import command_to_repeat_act
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.session_tables import draw_seed_prefix, tables_by_seed
from referee.aggregates.tournament.entries import commitment_act_for_seed
from referee.aggregates.tournament.state import Meeting, Tournament
from referee.application import Referee
from referee.events.tournament import (
    ClockStarted,
    DrawCommitted,
    LotsDrawn,
    PairEntered,
    ResultTold,
    RoundDrawn,
    TableCalled,
    TablesAssigned,
    TournamentAct,
    TournamentOpened,
    TournamentPlan,
)
from referee.kinds import partida_id
from referee.log.mapper import timestamp_of_datetime
from referee.log.streams import WriteMetadata
from referee.people.persons import Persons
from referee.record import TextRecord, parse_record
from referee.rules.profile.options import NEWEST
from referee.rules.profile.profile import profile
from referee.rules.seats import SEATS, SIDES

SEASON: Final = UUID("6c1e6a2e-0f0a-5c55-9b52-64656d6f0001")
"""A fixed id, so that no data folder is filled twice."""
NAMES: Final = (
    *("Pilar Gracia", "Andrés Lahoz", "Jorge Marco", "Carmen Sanz", "Blas Artal", "Elena Bielsa"),
    *("Fermín Calvo", "Gloria Domec", "Hilario Escos", "Inés Ferrer", "Julián Gil"),
    *("Lucía Huerva", "Manuel Ibáñez", "Nieves Jarque", "Óscar Lacasa", "Rosa Maza"),
)
_PLAYERS: Final = 4
_RULES: Final = "d0e1f20345"
_WEEK: Final = timedelta(days=7)
_EVENINGS: Final = 4
_AT_AN_EVENING: Final = 12
_BEGIN: Final = "19:30"
_ROUNDS: Final = 2
_DISPUTED_LINE: Final = 42
_HOWS: Final[tuple[ev.How, ...]] = (
    "first_deal",
    "claim",
    "claim",
    "claim",
    "false_claim",
    "renuncio",
)
PLAN: Final = TournamentPlan("swiss", rounds=3, minutes=50)
_SEED: Final = "guinote-demo-sorteo"
_SEEDED_COUNT: Final = 2
_COTOS: Final = ((2, 0), (2, 1), (0, 2), (1, 2))
_PARTIDAS: Final = ((8, 3), (9, 7), (2, 8), (6, 9))


class Demo:
    """Fills an empty data folder."""

    def __init__(self, referee: Referee, persons: Persons, now: datetime, lang: str) -> None:
        self._referee, self._persons, self._now, self._lang = referee, persons, now, lang
        zone = moments.time_zone_or_utc(referee.settings.time_zone_name())
        self._today = moments.day_in_zone(zone, now)
        self._chance = random.Random("guinote demo")  # noqa: S311 - made-up results, not secrets
        self._profile: ev.FrozenProfile = freeze_profile(profile("club"), _PLAYERS, 40)
        self._rules = self._profile
        self._dealt = _partida_acts_by_winner()

    def fill(self) -> None:
        """Record the whole demonstration: rules, season, evenings, a tournament and a dispute.

        :raises Stale: the data folder was filled before
        """
        self._open_season()
        self._rules = self._make_rules()
        players = [self._persons.add_person(name) for name in NAMES]
        self._referee.players.record(
            [ev.PlayerListed(one) for one in players], self._meta(self._now)
        )
        for evening in range(_EVENINGS):
            self._record_evening(players, ago=(_EVENINGS - evening) * _WEEK)
        self._set_calendar()
        self._referee.settings.record_settings_acts(
            [ev.PuzzleAudienceChosen("everybody"), ev.DealLuckChosen("shown")],
            self._meta(self._now),
        )
        self._record_tournament(players)
        self._record_dispute(players)

    # --- the season ----------------------------------------------------------------------------

    def _make_rules(self) -> ev.FrozenProfile:
        """Record rules of the club, and return them frozen for its evenings."""
        changes: ev.RuleChanges = {"tute": True, "renuncio_until": "end_of_partida"}
        stated = ev.RulesStated(_RULES, self._store_text("rules"), "club", NEWEST, changes)
        self._referee.rules.record_rules_act(
            stated, self._meta(self._now - (_EVENINGS + 1) * _WEEK)
        )
        return freeze_profile(profile_of_edition(stated, 1), _PLAYERS, 40)

    def _open_season(self) -> None:
        ago = (_EVENINGS + 1) * _WEEK
        scoring = ev.SeasonScoring(encuentro_won=2, coto_won=1, attendance=1)
        name = self._store_text("season")
        opened = ev.SeasonOpened(name, (self._today - ago).isoformat(), "", scoring, rules=_RULES)
        self._referee.seasons.open_season(opened, self._meta(self._now - ago), SEASON)

    def _set_calendar(self) -> None:
        """Record the calendar of the season: the next evenings, the first of them today."""
        place = self._store_text("place")
        days = [self._today + week * _WEEK for week in range(_EVENINGS)]
        act = ev.CalendarSet(
            tuple(ev.PlannedSession(one.isoformat(), _BEGIN, place) for one in days)
        )
        self._referee.seasons.record_season_act(SEASON, act, self._meta(self._now), None)

    def _record_evening(self, players: list[ev.PersonId], ago: timedelta) -> None:
        """Record an evening of the season: who came, and two rounds of tables drawn by a seed."""
        meta = self._meta(self._now - ago)
        opened = ev.SessionOpened(
            (self._today - ago).isoformat(),
            self._rules,
            place=self._store_text("place"),
            season=str(SEASON),
        )
        evening = self._referee.seasons.open_session(opened, meta).id
        came = self._chance.sample(players, _AT_AN_EVENING)
        self._referee.seasons.record_session_acts(
            evening, [ev.PlayerCame(one) for one in came], meta
        )
        for number in range(1, _ROUNDS + 1):
            seed, seal = f"{opened.date} {number}", draw_seed_prefix(opened.date, number)
            drawn = tables_by_seed(seed, seal, came, (), _PLAYERS)
            self._referee.seasons.record_session_acts(
                evening, [ev.TablesDrawn("seed", drawn, seed)], meta
            )
            self._referee.seasons.open_tables(evening, meta)
            for encuentro in self._referee.seasons.session(evening).encuentro_ids[
                -_AT_AN_EVENING // _PLAYERS :
            ]:
                self._record_encuentro(UUID(encuentro), meta)
        self._referee.seasons.record_session_acts(evening, [ev.SessionClosed()], meta)

    def _record_encuentro(self, encuentro: UUID, meta: WriteMetadata) -> None:
        """Record an encuentro to its end, with a confirmed and signed result."""
        favourite = self._chance.choice("AB")
        while self._referee.encuentros.encuentro(encuentro).win is None:
            winner = favourite if self._chance.random() < 2 / 3 else "AB".replace(favourite, "")
            self._record_partida(encuentro, winner, meta)
        seats = dict(self._referee.encuentros.encuentro(encuentro).seats)
        for act, who in (
            (ev.ResultReported(seats["A1"], "A", "tablet"), meta),
            (ev.ResultConfirmed(seats["B2"], "B", "phone"), replace(meta, by="demo B")),
            (ev.ResultMadeOfficial(seats["A1"]), meta),
        ):
            self._referee.encuentros.record_encuentro_act(encuentro, act, who)

    def _record_partida(self, encuentro: UUID, winner: ev.SideName, meta: WriteMetadata) -> None:
        self._referee.encuentros.start_partida(encuentro, meta)
        number = len(self._referee.encuentros.encuentro(encuentro).partidas)
        result = ev.ResultEntered(winner, self._chance.choice(_HOWS))
        dealt = self._dealt[winner].pop(0) if number == 1 and self._dealt[winner] else (result,)
        self._referee.encuentros.record_partida_acts(
            partida_id(encuentro, number), [command_to_repeat_act(act) for act in dealt], meta
        )

    # --- the tournament ------------------------------------------------------------------------

    def _record_tournament(self, players: list[ev.PersonId]) -> None:
        opened = TournamentOpened(
            self._store_text("tournament"),
            self._profile,
            PLAN,
            self._store_text("place"),
            self._today.isoformat(),
        )
        meta = self._meta(self._now)
        DemoTournament(self._referee, self._persons, meta).record_tournament(opened, players)

    # --- the disputed hand ---------------------------------------------------------------------

    def _record_dispute(self, players: list[ev.PersonId]) -> None:
        """Record a hand with a renuncio that a later card proves, and its case.

        Its four players were entered again, and are merged with the players that the club has.
        """
        meta = self._meta(self._now)
        record = _read_record("renuncio")
        encuentro = import_as_new_encuentro(self._referee, self._persons, record, meta)
        seats = dict(self._referee.encuentros.encuentro(encuentro).seats)
        anew = [seats[seat] for seat in SEATS[_PLAYERS]]
        joined = [ev.PlayersMerged(*two) for two in zip(players, anew, strict=False)]
        self._referee.players.record([*map(ev.PlayerListed, anew), *joined], meta)
        why = self._store_text("why")
        opened = ev.CaseOpened(
            encuentro="",
            number=0,
            partida=1,
            seen=0,
            players=0,
            by=seats["A1"],
            text=why,
            side="A",
            lines=(_DISPUTED_LINE,),
        )
        self._referee.cases.open(encuentro, opened, meta)

    def _store_text(self, key: str) -> ev.TextId:
        return self._persons.add_text(say(f"demo.{key}", self._lang))

    def _meta(self, at: datetime) -> WriteMetadata:
        return WriteMetadata(by="demo", device="demo", at=at)


def _read_record(name: str) -> TextRecord:
    """A text record of the demonstration."""
    return parse_record(resources.files("api.demo").joinpath(f"{name}.guinote").read_text("utf-8"))


def _partida_acts_by_winner() -> dict[ev.SideName, list[tuple[ev.PartidaAct, ...]]]:
    """Acts of partidas played card by card, by winner: for problems, luck and the analysis."""
    return {
        winner: [one.acts for one in _read_record(f"won_by_{winner.lower()}").partidas]
        for winner in SIDES[_PLAYERS]
    }


class DemoTournament:
    """One tournament, from its opening to its second round."""

    def __init__(self, referee: Referee, persons: Persons, meta: WriteMetadata) -> None:
        self._referee, self._persons, self._meta = referee, persons, meta
        self._id = UUID(int=0)
        self._chance = random.Random("guinote demo tournament")  # noqa: S311 - made-up results

    def record_tournament(self, opened: TournamentOpened, players: Sequence[ev.PersonId]) -> None:
        """Record entries, a committed and revealed draw, a whole round and half of the next."""
        self._id = self._referee.tournaments.open(opened, self._meta).id
        pairs = zip(players[::2], players[1::2], strict=True)
        self._record_tournament_acts(*(PairEntered("", pair) for pair in pairs))
        kept = self._persons.add_text(_SEED)
        self._record_tournament_acts(
            commitment_act_for_seed(
                self._tournament, DrawCommitted(str(self._id), (), "", kept, _SEEDED_COUNT), _SEED
            )
        )
        self._record_tournament_acts(LotsDrawn(_SEED))
        self._record_tournament_acts(RoundDrawn(0, method="ahead"))
        self._record_paper_results(self._meetings_of_round(1))
        self._record_tournament_acts(RoundDrawn(0, method="ahead"))
        running = self._meetings_of_round(2)
        tables = tuple((one.id, at) for at, one in enumerate(running, 1))
        self._record_tournament_acts(
            TablesAssigned(tables), *(TableCalled(one.id) for one in running)
        )
        self._record_tournament_acts(
            ClockStarted(2, PLAN.minutes, timestamp_of_datetime(self._meta.at))
        )
        self._record_paper_results(running[:1])
        self._referee.tournaments.open_meeting_encuentro(self._id, running[-1].id, self._meta)

    def _record_paper_results(self, meetings: Sequence[Meeting]) -> None:
        """Record results of meetings that were written on paper."""
        for one in meetings:
            cotos, partidas = self._chance.choice(list(zip(_COTOS, _PARTIDAS, strict=True)))
            winner = one.pairs[cotos[0] < cotos[1]]
            self._record_tournament_acts(ResultTold(one.id, winner, cotos, partidas))

    @property
    def _tournament(self) -> Tournament:
        return self._referee.tournaments.tournament(self._id)

    def _meetings_of_round(self, number: int) -> list[Meeting]:
        return [one for one in self._tournament.meetings.values() if one.round == number]

    def _record_tournament_acts(self, *acts: TournamentAct) -> None:
        self._referee.tournaments.record(self._id, acts, self._meta)

"""Random seasons of pairs: the table equals an independent recount, live and rebuilt."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from projections.players import pair_merges
from projections.runner.views import Views
from projections.seasons.standings import SeasonStanding, standings_of_tallies, tally_by_competitor
from referee.aggregates.encuentro import standing_of
from referee.aggregates.session import draw_by_seed
from referee.audit.verify.conclusions import differences_in_all_streams
from referee.events import PairCame, PairLeft, PairNamed, SeasonOpened, SessionOpened
from tests.projections.seasons.test_counted import PEOPLE, PROFILES, SCORING, Season
from tests.support.servers.one_log import META
from tests.support.servers.read_side import assert_rebuilt_like_live

LEAGUE = UUID(int=78)
PAIRS = {f"{number:032x}": tuple(PEOPLE[at : at + 2]) for number, at in enumerate(range(0, 10, 2))}


class SeasonOfPairs(Season):
    """A random season to whose evenings pairs come, followed live."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(folder, seed)
        opened = SeasonOpened("n", scoring=SCORING, of="pairs")
        self.referee.seasons.open_season(opened, META, LEAGUE)
        self.referee.players.record([PairNamed(*one, "") for one in PAIRS.items()], META)

    def evening(self) -> None:
        day = f"2026-11-{self.chance.randint(1, 9):02}"
        opened = SessionOpened(day, PROFILES[0], season=str(LEAGUE), of="pairs")
        session = self.referee.seasons.open_session(opened, META).id
        self.sessions.append(session)
        there = self.chance.sample(list(PAIRS), self.chance.randint(2, len(PAIRS)))
        came = [PairCame(one, PAIRS[one]) for one in there]
        self.referee.seasons.record_session_acts(session, came, META)
        state = self.referee.seasons.session(session)
        rested = dict.fromkeys(state.present, 0)
        drawn = draw_by_seed(state, str(self.chance.random()), rested=rested)
        self.referee.seasons.record_session_acts(session, [drawn], META)
        self.referee.seasons.open_tables(session, META)
        if self.chance.random() < 0.3:
            left = self.chance.choice(there)
            self.referee.seasons.record_session_acts(session, [PairLeft(left)], META)

    def table(self, views: Views) -> list[SeasonStanding]:
        with views.reading() as cursor:
            kept = pair_merges(cursor)
            found = tally_by_competitor(cursor, "season", str(LEAGUE), kept, "pairs")
        return standings_of_tallies(found, SCORING)

    def recounted(self) -> dict[str, int]:
        """Points of every pair, counted from the streams without rows."""
        points: Counter[str] = Counter()
        kept = self.referee.players.club().pair_ids_after_merges()
        for session in self.sessions:
            state = self.referee.seasons.session(session)
            played = [pair for table in state.tables for pair in table.pairs]
            for pair in {kept[one] for one in (*played, *state.pairs)}:
                points[pair] += SCORING.attendance
            for table in state.tables:
                sides = dict(zip("AB", table.pairs, strict=True))
                encuentro = self.referee.encuentros.encuentro(UUID(table.encuentro))
                won = [one.winner for one in encuentro.partidas if one.how != "undecided"]
                for winner in filter(None, won):
                    points[kept[sides[winner]]] += SCORING.partida_won
                for made in standing_of(encuentro).made:
                    points[kept[sides[made.winner]]] += SCORING.coto_won
                if encuentro.win is not None and encuentro.win.winner:
                    points[kept[sides[encuentro.win.winner]]] += SCORING.encuentro_won
                elif encuentro.win is not None:
                    for pair in sides.values():
                        points[kept[pair]] += SCORING.encuentro_level
        return dict(points)


@settings(max_examples=8)
@given(st.integers(0, 2**32))
def test_the_table_of_a_season_of_pairs_is_what_a_recount_gives(tmp_path_factory, seed) -> None:
    season = SeasonOfPairs(tmp_path_factory.mktemp("pairs"), seed)
    for _ in range(50):
        season.happens()
    while season.live.apply_next_batch():
        pass
    rows = season.table(season.views)
    assert {row.person: row.points for row in rows} == season.recounted()
    encuentros = [season.referee.encuentros.encuentro(one) for one in season.encuentros]
    ended = [one.win.winner for one in encuentros if one.win is not None]
    assert sum(row.tally.won for row in rows) == len([one for one in ended if one])
    assert sum(row.tally.lost for row in rows) == len([one for one in ended if one])
    assert sum(row.tally.level for row in rows) == 2 * len([one for one in ended if not one])
    assert sum(row.tally.played for row in rows) == 2 * len(ended)
    assert_rebuilt_like_live(season.log, season.views, season.folder / "again.db")
    assert list(differences_in_all_streams(season.log)) == []
    season.close()

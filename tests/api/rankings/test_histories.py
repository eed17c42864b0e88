"""Whatever clubs publish and an organiser does with it, in any order: what holds of a ranking.

Three clubs sign by themselves; their publications are taken by the house of a ranking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from api.http.services import PendingTexts, Services
from api.rankings import publications, views
from projections.rankings.computation import PublishedClub, rank
from referee.audit.result_files import PublishedPerson, SignedResults
from referee.errors import Refused
from referee.events.rankings import ClubAdmitted, RankingOpened, StatedJoint, StatedResult
from referee.log.streams import WriteMetadata
from tests.support.proofs.signing_club import SigningClub
from tests.support.servers.http_table import HttpTable
from tests.support.servers.kept_apps import kept_table

CLUBS: Final = range(3)
PEOPLE: Final = range(4)
PAIRS: Final = (((0, 1), (2, 3), 1), ((0, 2), (1, 3), 2), ((0, 3), (1, 2), 0), ((0, 1), (2, 3), 2))
"""Who sat on which side, and which won."""


class History:
    """Clubs with the people who agreed, and a house that ranks them."""

    def __init__(self, here: Services) -> None:
        self.here, self.now = here, here.clock()
        self.signers = [SigningClub(number) for number in CLUBS]
        self.agreed: list[dict[int, str]] = [{} for _ in CLUBS]
        self.joints: dict[str, list[StatedJoint]] = {}
        self.issued: list[SignedResults | None] = [None for _ in CLUBS]
        self.taken: dict[int, SignedResults] = {}
        self.admitted: dict[int, str] = {}
        self.erased: set[tuple[int, str]] = set()
        self.count = 0
        self.ranking = self.open()

    def meta(self) -> WriteMetadata:
        return WriteMetadata("owner", "console", self.here.clock())

    def open(self) -> UUID:
        with PendingTexts(self.here.persons) as put:
            opened = RankingOpened(put.add_text("Provincia"))
        return self.here.referee.rankings.open(opened, self.meta()).id

    # --- what a club does --------------------------------------------------------------------

    def agree(self, club: int, person: int) -> None:
        self.count += 1
        self.agreed[club].setdefault(person, f"{club}{person}{self.count:030}")

    def withdraw(self, club: int, person: int) -> None:
        self.joints.pop(self.agreed[club].pop(person, ""), None)

    def join(self, club: int, person: int) -> None:
        """A person says that they are the one of the same number in the next club, who may too."""
        other = (club + 1) % len(CLUBS)
        mine, theirs = (self.agreed[one].get(person) for one in (club, other))
        if mine and theirs:
            self.count += 1
            pair = ((mine, other, theirs), (theirs, club, mine))
            for who, where, whom in pair[: 1 + self.count % 3 % 2]:
                joint = StatedJoint(f"{self.count:032}", self.signers[where].fingerprint, whom)
                self.joints.setdefault(who, []).append(joint)

    def publish(self, club: int, _: int) -> None:
        agreed = self.agreed[club]
        people = [
            PublishedPerson(who, f"Persona {club}-{person}", tuple(self.joints.get(who, ())))
            for person, who in sorted(agreed.items(), key=lambda one: one[1])
        ]
        day = str((self.now - timedelta(days=1)).date())
        results = tuple(
            StatedResult(
                day,
                "club",
                tuple(tuple(agreed.get(one, "") for one in side) for side in (a, b)),
                winner,
            )
            for a, b, winner in PAIRS
        )
        self.issued[club] = self.signers[club].publish(people, {day[:7]: results}, self.now)

    # --- what the organiser does -------------------------------------------------------------

    def admit(self, club: int, _: int) -> None:
        if club in self.admitted:
            return
        self.admitted[club] = admit(self, self.ranking, club)

    def take(self, club: int, _: int) -> None:
        issued = self.issued[club]
        if club in self.admitted and issued is not None:
            take(self, self.ranking, self.admitted[club], issued)
            self.taken[club] = issued

    def drop(self, club: int, _: int) -> None:
        if club not in self.admitted:
            return
        number = self.admitted.pop(club)
        publications.record_acts_and_erase_unused(
            self.here,
            self.ranking,
            lambda state, _: [publications.club_drop_event(self.here, state.clubs[number])],
            self.meta(),
        )
        self.taken.pop(club, None)

    def erase(self, club: int, person: int) -> None:
        """Somebody is erased in the house of the ranking, by the text of their name."""
        issued = self.taken.get(club)
        if issued is None or person >= len(issued.people):
            return
        who = issued.people[person].person
        taken = (
            self.here.referee.rankings.ranking_between_clubs(self.ranking)
            .clubs[self.admitted[club]]
            .taken
        )
        assert taken is not None
        self.here.persons.erase(*(one.name for one in taken.people if one.person == who))
        self.erased.add((club, who))


ACTS: Final[Mapping[str, Callable[[History, int, int], None]]] = {
    name: getattr(History, name)
    for name in ("agree", "withdraw", "join", "publish", "admit", "take", "drop", "erase")
}
STEPS = st.lists(
    st.tuples(st.sampled_from([*ACTS]), st.sampled_from(CLUBS), st.sampled_from(PEOPLE)),
    min_size=8,
    max_size=30,
)


def admit(history: History, ranking: UUID, club: int) -> str:
    with PendingTexts(history.here.persons) as put:
        act = ClubAdmitted(put.add_text(f"Club {club}"), history.signers[club].key)
    answer = history.here.referee.rankings.record(ranking, [act], history.meta())
    (made,) = (one.event for one in answer.events)
    assert isinstance(made, ClubAdmitted)
    return made.club


def take(history: History, ranking: UUID, number: str, issued: SignedResults) -> None:
    """Take a publication; the same one again changes nothing, as it was read by address."""
    checked = publications.check_signed_publication(history.here, msgspec.json.encode(issued))
    before = history.here.referee.rankings.ranking_between_clubs(ranking).version
    club = history.here.referee.rankings.ranking_between_clubs(ranking).clubs[number]
    is_same = club.taken is not None and club.taken.index == issued.event.index
    answer = publications.record_publication(history.here, ranking, number, checked, history.meta())
    assert (answer is None) == is_same
    after = history.here.referee.rankings.ranking_between_clubs(ranking).version
    assert after == before + (not is_same)


class Table(NamedTuple):
    """What a table shows, by persons of clubs: their figures, and their names."""

    figures: dict[tuple[tuple[str, str], ...], tuple[Any, ...]]
    names: dict[tuple[str, str], str]


def table_of(history: History, ranking: UUID) -> Table:
    here = history.here
    assert here.reads.wait(here.referee.position(), 20)
    view = views.ranking(ranking)
    keys = {one.club: one.fingerprint for one in view.clubs}
    names = {(keys[one.club], one.person): one.name for row in view.rows for one in row.members}
    figures = {
        tuple(sorted((keys[one.club], one.person) for one in row.members)): (
            *(row.place, row.rating, row.deviation, row.won, row.level),
            row.lost,
        )
        for row in view.rows
    }
    return Table(figures, names)


def computed_from(files: Mapping[int, SignedResults], history: History) -> dict[Any, Any]:
    """The table as anybody computes it of the files alone."""
    clubs = [
        PublishedClub(
            history.signers[club].fingerprint,
            [one.person_without_name for one in file.people],
            file.months,
        )
        for club, file in files.items()
    ]
    return {
        one.members: (one.place, one.rating, one.deviation, one.won, one.level, one.lost)
        for one in rank(clubs)
    }


def check(history: History) -> None:
    """What holds after each step."""
    found = table_of(history, history.ranking)
    assert found.figures == computed_from(history.taken, history)
    published = {
        (history.signers[club].fingerprint, one.person): one.name
        for club, file in history.taken.items()
        for one in file.people
    }
    erased = {(history.signers[club].fingerprint, who) for club, who in history.erased}
    for who, name in found.names.items():
        assert name == ("" if who in erased else published[who]), who
    kept = {text for _, text in history.here.persons.ids_and_texts() if text.startswith("Persona")}
    named = {name for who, name in published.items() if who not in erased}
    assert kept == named, "no name is kept that no publication of now has"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpTable]:
    with kept_table(tmp_path_factory.mktemp("house")) as table:
        yield table


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=STEPS)
@example(steps=[(act, 0, 0) for act in ("erase", "drop", "admit", "take", "drop", "admit", "take")])
@example(steps=[("join", 0, 0), ("join", 0, 0), *(("publish", club, 0) for club in CLUBS)])
def test_whatever_happens_a_ranking_has_what_its_clubs_publish_now(
    house: HttpTable, steps: list[tuple[str, int, int]]
) -> None:
    with house.app.test_request_context():
        history = History(house.app.extensions["guinote"]())
        for person in PEOPLE[:2]:
            for club in CLUBS:
                history.agree(club, person)
        for club in CLUBS:
            history.publish(club, 0)
            history.admit(club, 0)
            history.take(club, 0)
        for name, club, person in steps:
            ACTS[name](history, club, person)
            check(history)
        _check_order(history)
        for club in CLUBS:  # so that the next history finds no name
            history.drop(club, 0)
        check(history)


def _check_order(history: History) -> None:
    """The order in which clubs are admitted does not matter."""
    shown = table_of(history, history.ranking).figures
    other = history.open()
    for club, file in reversed(history.taken.items()):
        take(history, other, admit(history, other, club), file)
    assert table_of(history, other).figures == shown
    for number, one in history.here.referee.rankings.ranking_between_clubs(other).clubs.items():
        assert one.id == number
        publications.record_acts_and_erase_unused(
            history.here,
            other,
            lambda state, _, number=number: [
                publications.club_drop_event(history.here, state.clubs[number])
            ],
            history.meta(),
        )


def test_an_older_publication_is_refused_whatever_was_dropped(house: HttpTable) -> None:
    with house.app.test_request_context():
        history = History(house.app.extensions["guinote"]())
        history.agree(0, 0)
        history.publish(0, 0)
        old = history.issued[0]
        history.publish(0, 0)
        for act in (history.admit, history.take, history.drop, history.admit):
            act(0, 0)
        assert old is not None
        with pytest.raises(Refused, match="publication-older"):
            take(history, history.ranking, history.admitted[0], old)

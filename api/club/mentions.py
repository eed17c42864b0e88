"""Free texts in which the name of a person stands: what may be erased with the person."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

import msgspec

from api.http.access.prefix import prefix
from api.http.names import comparable_words, is_name_in
from referee.application import Referee
from referee.events import (
    CalendarSet,
    CaseAct,
    CaseOpened,
    ClubAct,
    ClubLogoChosen,
    DrawMade,
    EncuentroAct,
    Fact,
    FeesSet,
    FrozenProfile,
    PairNamed,
    PartidaOpened,
    PersonId,
    PlayerListed,
    RulesAct,
    RulesStated,
    RulingGiven,
    SeasonOpened,
    SessionAct,
    SettingsAct,
    TablesDrawn,
    TextId,
    WebhookAct,
)
from referee.events.league import LeagueAct
from referee.events.rankings import PublicationAct, RankingAct
from referee.events.road import RoadAct
from referee.events.tournament import (
    DrawCommitted,
    LotsDrawn,
    RepechageCommitted,
    RepechageDrawn,
    TournamentAct,
)
from referee.log.mapper import RecordedEvent
from referee.people.persons import Persons
from referee.people.references import references_in_fact

WordsPlace: TypeAlias = Literal[
    "account",
    "case",
    "fees",
    "league",
    "nowhere",
    "pair",
    "partida",
    "publication",
    "ranking",
    "road",
    "player",
    "rules",
    "season",
    "session",
    "settings",
    "table",
    "tournament",
    "webhook",
]
"""What words stand in; ``nowhere``: in the store of texts, and the log does not refer to them."""

IN_CLEAR: Final[dict[type[Fact], tuple[str, ...]]] = {
    RulingGiven: ("article",),
    DrawCommitted: ("word_from",),
    LotsDrawn: ("word",),
    RepechageDrawn: ("word",),
    DrawMade: ("seed",),
    TablesDrawn: ("seed",),
    FrozenProfile: ("id", "edition"),
}
"""Fields of the log that somebody may have worded, and that no text of the store holds."""
_MAY_HAVE_WORDS: Final = re.compile(
    r"(RulingGiven|LogAmended|RepechageDrawn|Draw\w+|LotsDrawn|TablesDrawn|\w+Opened|\w+Changed)\."
)
_PARTICLES: Final = frozenset(("del", "las", "los", "les", "san", "van", "von"))
_SHORTEST: Final = 3
_PLACES: Final[tuple[tuple[WordsPlace, tuple[type[Fact], ...]], ...]] = (
    ("case", get_args(CaseAct)),
    ("tournament", get_args(TournamentAct)),
    ("league", get_args(LeagueAct)),
    ("road", get_args(RoadAct)),
    ("publication", get_args(PublicationAct)),
    ("ranking", get_args(RankingAct)),
    ("fees", (FeesSet,)),
    ("season", (SeasonOpened, CalendarSet)),
    ("session", get_args(SessionAct)),
    ("rules", get_args(RulesAct)),
    ("settings", get_args(SettingsAct)),
    ("webhook", get_args(WebhookAct)),
    ("pair", (PairNamed,)),
    ("player", get_args(ClubAct)),
    ("table", get_args(EncuentroAct)),
)


class Mention(NamedTuple):
    """Words with the name of a person in them.

    ``text``: id under which they can be erased; empty: they stand where they are for ever.
    ``is_whole``: the whole name or the nickname stands there, not only a part of the name.
    ``line``: of a partida, else 0. ``path``: the page that shows them; empty if none does.
    """

    place: WordsPlace
    words: str
    text: TextId = ""
    is_whole: bool = False
    at: str = ""
    line: int = 0
    path: str = ""


class _Sought(NamedTuple):
    """Names of a person to look for in texts: whole names, and the words that they consist of."""

    whole: Sequence[tuple[str, ...]]
    parts: frozenset[str]

    def match_words(self, words: str) -> bool | None:
        """Whether one of the whole names is in some words; None if not even a part of a name is."""
        spoken = comparable_words(words)
        if any(is_name_in(name, spoken) for name in self.whole):
            return True
        return None if self.parts.isdisjoint(spoken) else False


def mentions(
    referee: Referee, persons: Persons, accounts: Mapping[str, str], person: PersonId
) -> list[Mention]:
    """Where the name of a person stands, the whole name first; what goes with them is left out.

    ``accounts``: names of accounts, which have a page of their own to be taken back.
    """
    club = referee.players.club()
    kept = club.id_after_merges(person)
    ids = club.ids_of_player(kept)
    nicknames = [club.players[one].nickname for one in ids if one in club.players]
    named = [*persons.names_of(ids).values(), *persons.texts_of(filter(None, nicknames)).values()]
    sought = _names_to_find(name for name in named if name)
    own = club.texts_of(kept)
    found = [
        *_mentions_in_store(referee, [one for one in persons.texts() if one[0] not in own], sought),
        *_mentions_on_log(referee, sought),
        *(
            Mention("account", name, is_whole=is_whole, path=f"{prefix()}/casa")
            for name in accounts.values()
            if (is_whole := sought.match_words(name)) is not None
        ),
    ]
    return sorted(found, key=lambda one: not one.is_whole)


def _names_to_find(names: Iterator[str]) -> _Sought:
    whole = [words for name in names if (words := comparable_words(name))]
    parts = {word for words in whole for word in words if len(word) >= _SHORTEST}
    return _Sought(whole, frozenset(parts - _PARTICLES))


def _mentions_in_store(
    referee: Referee, texts: Sequence[tuple[TextId, str]], sought: _Sought
) -> Iterator[Mention]:
    """Texts of the store, with the first event that refers to each."""
    fitting = {one: words for one, words in texts if sought.match_words(words) is not None}
    if not fitting:
        return
    pattern = re.compile("|".join(fitting).encode())
    placed: dict[TextId, RecordedEvent] = {}
    for recorded in referee.events_where(lambda _, state: pattern.search(state) is not None):
        for table, one in references_in_fact(recorded.event):
            if table == "texts" and one in fitting:
                placed.setdefault(one, recorded)
    for one, words in fitting.items():
        is_whole = sought.match_words(words) or False
        if one not in placed:
            yield Mention("nowhere", words, one, is_whole)
        elif not _is_picture_or_seed(placed[one].event, one):
            yield _mention_at(referee, placed[one], words, one, is_whole=is_whole)


def _is_picture_or_seed(event: Any, text: TextId) -> bool:
    """Whether a stored text is a picture or a random seed, and so no words of a person."""
    return isinstance(event, ClubLogoChosen) or (
        isinstance(event, DrawCommitted | RepechageCommitted) and event.seed == text
    )


def _mentions_on_log(referee: Referee, sought: _Sought) -> Iterator[Mention]:
    """Words that stand on the log itself."""
    for recorded in referee.events_where(lambda name, _: bool(_MAY_HAVE_WORDS.match(name))):
        for words in dict.fromkeys(words_in_clear(recorded.event)):
            if (is_whole := sought.match_words(words)) is not None:
                yield _mention_at(referee, recorded, words, "", is_whole=is_whole)


def words_in_clear(value: Any) -> Iterator[str]:
    """Texts that people typed and that an event has in plain text, also in values inside it."""
    if isinstance(value, Fact):
        for name in IN_CLEAR.get(type(value), ()):
            yield getattr(value, name)
        for field in msgspec.structs.fields(value):
            yield from words_in_clear(getattr(value, field.name))
    elif isinstance(value, tuple):
        for one in value:
            yield from words_in_clear(one)


def _mention_at(
    referee: Referee, recorded: RecordedEvent, words: str, text: TextId, *, is_whole: bool
) -> Mention:
    event: Any = recorded.event
    place: WordsPlace = next(
        (name for name, kinds in _PLACES if isinstance(event, kinds)), "partida"
    )
    line = recorded.line if place == "partida" else 0
    path = _PATHS[place](referee, recorded)
    return Mention(place, words, text, is_whole, recorded.at, line, path)


def _path_of_case(referee: Referee, recorded: RecordedEvent) -> str:
    opened = referee.history(recorded.originator_id)[0].event
    return (
        f"{prefix()}/e/{opened.encuentro}/c/{opened.number}"
        if isinstance(opened, CaseOpened)
        else ""
    )


def _path_of_fees(referee: Referee, recorded: RecordedEvent) -> str:
    is_season = isinstance(referee.history(recorded.originator_id)[0].event, SeasonOpened)
    return f"{prefix()}/{'temporadas' if is_season else 'jornadas'}/{recorded.originator_id}/cuotas"


def _path_of_partida(referee: Referee, recorded: RecordedEvent) -> str:
    opened = referee.history(recorded.originator_id)[0].event
    return (
        f"{prefix()}/e/{opened.encuentro}/p/{opened.number}"
        if isinstance(opened, PartidaOpened)
        else ""
    )


def _path_of_player(_: Referee, recorded: RecordedEvent) -> str:
    event = recorded.event
    return (
        f"{prefix()}/jugadores/{event.person}"
        if isinstance(event, PlayerListed)
        else f"{prefix()}/jugadores/"
    )


def _path_of_rules(_: Referee, recorded: RecordedEvent) -> str:
    return (
        f"{prefix()}/reglas/{recorded.event.rules}"
        if isinstance(recorded.event, RulesStated)
        else ""
    )


def _path_maker(folder: str) -> Callable[[Referee, RecordedEvent], str]:
    return lambda _, recorded: f"{prefix()}/{folder}/{recorded.originator_id}"


_PATHS: Final[Mapping[str, Callable[[Referee, RecordedEvent], str]]] = {
    "case": _path_of_case,
    "fees": _path_of_fees,
    "partida": _path_of_partida,
    "player": _path_of_player,
    "pair": lambda _, __: f"{prefix()}/jugadores/parejas",
    "rules": _path_of_rules,
    "settings": lambda _, __: f"{prefix()}/casa/marca",
    "season": _path_maker("temporadas"),
    "session": _path_maker("jornadas"),
    "table": _path_maker("e"),
    "tournament": _path_maker("torneos"),
    "league": _path_maker("ligas"),
    "road": _path_maker("caminos"),
    "webhook": lambda _, __: f"{prefix()}/casa/avisos",
    "ranking": _path_maker("clasificaciones"),
}

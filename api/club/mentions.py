"""Free texts in which the name of a person stands: what may be erased with the person."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

import msgspec

from api.http.access.prefix import prefix
from api.http.names import are_name_words_in_text, words_of_folded_text
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
from referee.people.references import tables_and_ids_in_fact

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

    def has_full_name_or_none(self, words: str) -> bool | None:
        """Whether one of the whole names is in some words; None if not even a part of a name is."""
        spoken = words_of_folded_text(words)
        if any(are_name_words_in_text(name, spoken) for name in self.whole):
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
    named = [
        *persons.names_of(ids).values(),
        *persons.texts_by_id(filter(None, nicknames)).values(),
    ]
    sought = _names_to_find(name for name in named if name)
    own = club.text_ids_of_person(kept)
    found = [
        *_mentions_in_store(
            referee, [one for one in persons.ids_and_texts() if one[0] not in own], sought
        ),
        *_mentions_on_log(referee, sought),
        *(
            Mention("account", name, is_whole=is_whole, path=f"{prefix()}/casa")
            for name in accounts.values()
            if (is_whole := sought.has_full_name_or_none(name)) is not None
        ),
    ]
    return sorted(found, key=lambda one: not one.is_whole)


def _names_to_find(names: Iterator[str]) -> _Sought:
    whole = [words for name in names if (words := words_of_folded_text(name))]
    parts = {word for words in whole for word in words if len(word) >= _SHORTEST}
    return _Sought(whole, frozenset(parts - _PARTICLES))


def _mentions_in_store(
    referee: Referee, texts: Sequence[tuple[TextId, str]], sought: _Sought
) -> Iterator[Mention]:
    """Mentions in texts of the store, each with the first event that refers to the text."""
    fitting = {
        one: words for one, words in texts if sought.has_full_name_or_none(words) is not None
    }
    if not fitting:
        return
    pattern = re.compile("|".join(fitting).encode())
    placed: dict[TextId, RecordedEvent] = {}
    for recorded in referee.events_of_wanted_rows(
        lambda _, state: pattern.search(state) is not None
    ):
        for table, one in tables_and_ids_in_fact(recorded.event):
            if table == "texts" and one in fitting:
                placed.setdefault(one, recorded)
    for one, words in fitting.items():
        is_whole = sought.has_full_name_or_none(words) or False
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
    """Mentions in words that the events themselves have in plain text."""
    for recorded in referee.events_of_wanted_rows(
        lambda name, _: bool(_MAY_HAVE_WORDS.match(name))
    ):
        for words in dict.fromkeys(plain_texts_of_event(recorded.event)):
            if (is_whole := sought.has_full_name_or_none(words)) is not None:
                yield _mention_at(referee, recorded, words, "", is_whole=is_whole)


def plain_texts_of_event(value: Any) -> Iterator[str]:
    """Texts that people typed and that an event has in plain text, also in values inside it."""
    if isinstance(value, Fact):
        for name in IN_CLEAR.get(type(value), ()):
            yield getattr(value, name)
        for field in msgspec.structs.fields(value):
            yield from plain_texts_of_event(getattr(value, field.name))
    elif isinstance(value, tuple):
        for one in value:
            yield from plain_texts_of_event(one)


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


def _path_of_case_event(referee: Referee, recorded: RecordedEvent) -> str:
    opened = referee.history(recorded.originator_id)[0].event
    return (
        f"{prefix()}/e/{opened.encuentro}/c/{opened.number}"
        if isinstance(opened, CaseOpened)
        else ""
    )


def _path_of_fees_event(referee: Referee, recorded: RecordedEvent) -> str:
    is_season = isinstance(referee.history(recorded.originator_id)[0].event, SeasonOpened)
    return f"{prefix()}/{'temporadas' if is_season else 'jornadas'}/{recorded.originator_id}/cuotas"


def _path_of_partida_event(referee: Referee, recorded: RecordedEvent) -> str:
    opened = referee.history(recorded.originator_id)[0].event
    return (
        f"{prefix()}/e/{opened.encuentro}/p/{opened.number}"
        if isinstance(opened, PartidaOpened)
        else ""
    )


def _path_of_player_event(_: Referee, recorded: RecordedEvent) -> str:
    event = recorded.event
    return (
        f"{prefix()}/jugadores/{event.person}"
        if isinstance(event, PlayerListed)
        else f"{prefix()}/jugadores/"
    )


def _path_of_rules_event(_: Referee, recorded: RecordedEvent) -> str:
    return (
        f"{prefix()}/reglas/{recorded.event.rules}"
        if isinstance(recorded.event, RulesStated)
        else ""
    )


def _path_function_in_folder(folder: str) -> Callable[[Referee, RecordedEvent], str]:
    return lambda _, recorded: f"{prefix()}/{folder}/{recorded.originator_id}"


_PATHS: Final[Mapping[str, Callable[[Referee, RecordedEvent], str]]] = {
    "case": _path_of_case_event,
    "fees": _path_of_fees_event,
    "partida": _path_of_partida_event,
    "player": _path_of_player_event,
    "pair": lambda _, __: f"{prefix()}/jugadores/parejas",
    "rules": _path_of_rules_event,
    "settings": lambda _, __: f"{prefix()}/casa/marca",
    "season": _path_function_in_folder("temporadas"),
    "session": _path_function_in_folder("jornadas"),
    "table": _path_function_in_folder("e"),
    "tournament": _path_function_in_folder("torneos"),
    "league": _path_function_in_folder("ligas"),
    "road": _path_function_in_folder("caminos"),
    "webhook": lambda _, __: f"{prefix()}/casa/avisos",
    "ranking": _path_function_in_folder("clasificaciones"),
}

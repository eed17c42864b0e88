"""Acts about players and pairs, for the HTTP interface and for the pages."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from api.club import views as club_views
from api.club.mentions import Mention, mentions
from api.club.name_matches import NO_ANSWERS, OTHER, KnownNames, answer_field_of_name
from api.club.phones.book import erase_earlier_phones, phone_acts, phone_ids_left_at_entry
from api.club.players_csv import PlayerLine
from api.club.views import UNLISTED, KnownPlayer
from api.http.access.security import note_security
from api.http.bodies import Body
from api.http.fields import FieldFault
from api.http.names import fold_name
from api.http.problems import Problem
from api.http.services import PendingTexts, await_end_of_log, current_services, pending_texts
from api.publication.issue import issue_changes, withdraw_persons
from referee.aggregates.club import PARTNERS, Club
from referee.errors import NotFound, Refused
from referee.events import (
    ClubAct,
    PairId,
    PairNamed,
    PersonId,
    PlayerListed,
    PlayerRetired,
    PlayerReturned,
    PlayersMerged,
    TextId,
)
from referee.log.streams import Answer, WriteMetadata
from referee.rules.articles import Rule

NO_PHONES: Final[Mapping[int, str]] = {}
ImportState: TypeAlias = Literal["new", "known", "edited", "repeated"]
ClubDraft: TypeAlias = Callable[[PendingTexts], Sequence[ClubAct]]
_ID_BYTES: Final = 16


def record_club_acts(make: ClubDraft, meta: WriteMetadata, version: int | None = None) -> Answer:
    """Record the acts that ``make`` drafts, with the texts that it adds."""
    with pending_texts() as put:
        return put.erase_if_replayed(
            current_services().referee.players.record(make(put), meta, version)
        )


def _earlier_answer(meta: WriteMetadata) -> Answer | None:
    """The stored answer to this request if it was recorded before; None if it is new."""
    return current_services().referee.answer_to(meta)


def player_and_pair_ids_of_answer(answer: Answer) -> dict[str, list[str]]:
    """Ids of the players listed and the pairs named by a recorded write, in order."""
    acts = [one.event for one in answer.events]
    return {
        "players": [one.person for one in acts if isinstance(one, PlayerListed)],
        "pairs": [one.pair for one in acts if isinstance(one, PairNamed)],
    }


# --- players -------------------------------------------------------------------------------------


def record_new_player(body: Mapping[str, str], meta: WriteMetadata) -> Answer:
    """Add a player; ``body`` has name, nickname and club."""

    def draft_player_acts(put: PendingTexts) -> Sequence[ClubAct]:
        said = put.add_texts([body.get("nickname", ""), body.get("club", "")])
        return [PlayerListed(put.add_person(body["name"]), *said)]

    return record_club_acts(draft_player_acts, meta)


def record_player_edit(
    person: PersonId, body: Mapping[str, str], meta: WriteMetadata, version: int
) -> Answer:
    """Change name, nickname or club of a player; fields missing in the body stay.

    :raises NotFound: there is no such player
    """
    if answer := _earlier_answer(meta):
        return answer
    before = club_views.player(person)
    listed = current_services().referee.players.club().players.get(person, UNLISTED)

    def draft_player_acts(put: PendingTexts) -> Sequence[ClubAct]:
        said = [
            getattr(listed, one)
            if body.get(one, getattr(before, one)) == getattr(before, one)
            else put.add_text(body[one])
            for one in ("nickname", "club")
        ]
        return [PlayerListed(person, *said)]

    answer = record_club_acts(draft_player_acts, meta, version)
    if body.get("name", before.name) != before.name:
        current_services().persons.rename(person, body["name"])
    return answer


def record_retirement_or_return(
    person: PersonId,
    plays: bool,  # noqa: FBT001 - it is the answer of a form
    meta: WriteMetadata,
    version: int,
) -> Answer:
    """Put a player aside who plays no more, or take them back.

    :raises NotFound: there is no such player
    """
    if answer := _earlier_answer(meta):
        return answer
    club_views.player(person)
    club = current_services().referee.players.club()
    act = PlayerReturned(person) if plays else PlayerRetired(person)
    return record_club_acts(lambda _: [*_acts_that_list([person], club), act], meta, version)


def mentions_of_person(person: PersonId) -> list[Mention]:
    """Where the name of a person stands besides what is erased with them."""
    here = current_services()
    return mentions(here.referee, here.persons, here.keys.account_names(), person)


def erase_names_and_texts(person: PersonId, texts: Sequence[TextId] = ()) -> bool:
    """Erase names of a person and of their pairs, and texts; returns whether any existed.

    ``texts``: others in which the name stands, chosen from those of ``mentions_of_person``.

    :raises NotFound: a text that the name does not stand in
    :raises TimeoutError: erased, but a reader still holds the old bytes
    """
    here = current_services()
    offered = {one.text for one in mentions_of_person(person) if one.text} if texts else set()
    if unknown := set(texts) - offered:
        raise NotFound(min(unknown))
    club = here.referee.players.club()
    ids = club.ids_of_player(club.id_after_merges(person))
    published = here.referee.publication.publication().every_name_id_of_persons(ids)
    others = (*texts, *phone_ids_left_at_entry(here.referee, ids), *published)
    for one in (person, *others):
        note_security("erased", about=one)
    try:
        return here.persons.erase(*club.ids_to_erase(person), *others)
    finally:
        withdraw_persons(here, ids)


def record_player_merge(
    body: Mapping[str, str], meta: WriteMetadata, version: int | None = None
) -> Answer:
    """Merge two persons. Data missing for the kept one are taken from the other.

    :raises NotFound: one of them is no player
    :raises Refused: they sat at one table, or the merge is impossible
    """
    if answer := _earlier_answer(meta):
        return answer
    kept, gone = body["kept"], body["gone"]
    await_end_of_log()
    if club_views.merge_preview(kept, gone).met:
        raise Refused(Rule.PLAYERS_MET)
    club = current_services().referee.players.club()
    one, other = (club.players.get(each, UNLISTED) for each in (kept, gone))
    both = PlayerListed(kept, one.nickname or other.nickname, one.club or other.club)
    acts = [both, *_acts_that_list([gone], club), PlayersMerged(kept, gone)]
    answer = record_club_acts(lambda _: acts, meta, club.version if version is None else version)
    issue_changes(current_services())
    return answer


def record_pair_name(body: Body, meta: WriteMetadata) -> Answer:
    """Name the pair of two players.

    :raises Problem: one of them is no player
    """
    if answer := _earlier_answer(meta):
        return answer
    club = current_services().referee.players.club()
    unknown = [one for one in body["players"] if not current_services().persons.is_named(one)]
    if unknown:
        raise Problem("invalid", errors={"json": {"players": [FieldFault("no_such_person")]}})

    def draft_pair_acts(put: PendingTexts) -> Sequence[ClubAct]:
        pair = PairNamed(
            secrets.token_hex(_ID_BYTES), tuple(body["players"]), put.add_text(body["name"])
        )
        return [*_acts_that_list(body["players"], club), pair]

    return record_club_acts(draft_pair_acts, meta, club.version)


def record_pair_rename(pair: PairId, name: str, meta: WriteMetadata, version: int) -> Answer:
    """Change or remove the name of a pair.

    :raises NotFound: there is no such pair
    """
    if answer := _earlier_answer(meta):
        return answer
    known = current_services().referee.players.club().pairs_after_merges().get(pair)
    if known is None:
        raise NotFound(pair)
    players = tuple(sorted(known.players))
    assert len(players) == PARTNERS
    return record_club_acts(
        lambda put: [PairNamed(pair, players, put.add_text(name))], meta, version
    )


def _acts_that_list(persons: Sequence[PersonId], club: Club) -> list[ClubAct]:
    """Acts that list persons who only sat at a table until now."""
    return [PlayerListed(one) for one in dict.fromkeys(persons) if one not in club.players]


# --- many players at once ------------------------------------------------------------------------


class ImportRow(NamedTuple):
    """A line of a file and its effect. ``player``: id; empty for a new player.

    ``before``: nickname and club that it would change.
    """

    line: PlayerLine
    state: ImportState
    player: PersonId = ""
    before: tuple[str, str] = ("", "")


def effects_of_import_lines(
    lines: Sequence[PlayerLine],
    known: Sequence[KnownPlayer],
    answers: Mapping[str, str] = NO_ANSWERS,
) -> list[ImportRow]:
    """Effect of each line of a file on the known players.

    Players are identified by name, and by nickname if names are equal, or by an answer (by the
    field of the name) to the question who it is. Empty cells change nothing.
    """
    names = KnownNames(known)
    seen: set[tuple[str, str]] = set()
    found = []
    for line in lines:
        key = (fold_name(line.name), fold_name(line.nickname))
        if key in seen:
            found.append(ImportRow(line, "repeated"))
            continue
        seen.add(key)
        answer = answers.get(answer_field_of_name(line.name), "")
        chosen = names.player_meant(line.name, answers) if answer else None
        same = [] if answer == OTHER else names.players_of_name(line.name)
        found.append(_effect_of_import_line(line, chosen, same))
    return found


def _effect_of_import_line(
    line: PlayerLine, chosen: KnownPlayer | None, candidates: Sequence[KnownPlayer]
) -> ImportRow:
    nickname = fold_name(line.nickname)
    fitting = sorted(
        (one for one in candidates if not nickname or fold_name(one.nickname) in ("", nickname)),
        key=lambda one: fold_name(one.nickname) != nickname,
    )
    one = chosen or next(iter(fitting), None)
    if one is None:
        return ImportRow(line, "new")
    before = (one.nickname, one.club)
    is_same = all(
        not said or fold_name(said) == fold_name(was)
        for said, was in zip((line.nickname, line.club), before, strict=True)
    )
    return ImportRow(line, "known" if is_same else "edited", one.player, before)


def record_imported_players(
    found: Sequence[ImportRow],
    meta: WriteMetadata,
    version: int,
    phones: Mapping[int, str] = NO_PHONES,
) -> Answer | None:
    """Record the new and edited players of a file; None if there is nothing to record.

    ``phones``: telephones by the line of their player, if the players agree.
    """
    if answer := _earlier_answer(meta):
        return answer
    doing = [one for one in found if one.state in ("new", "edited")]
    known = {one.player: phones[one.line.line] for one in found if one.line.line in phones}
    known.pop("", None)
    if not doing and not known:
        return None
    club = current_services().referee.players.club()

    def draft_import_acts(put: PendingTexts) -> Sequence[ClubAct]:
        new = iter(put.add_persons([one.line.name for one in doing if one.state == "new"]))
        persons = [one.player or next(new) for one in doing]
        said = [
            (one.line.nickname or one.before[0], one.line.club or one.before[1]) for one in doing
        ]
        nicknames = put.add_texts([one for one, _ in said])
        clubs = put.add_texts([one for _, one in said])
        listed = [PlayerListed(*one) for one in zip(persons, nicknames, clubs, strict=True)]
        reached = {
            who: phones[one.line.line]
            for who, one in zip(persons, doing, strict=True)
            if one.line.line in phones
        }
        return [*listed, *phone_acts({**known, **reached}, put, club, listed=persons)]

    answer = record_club_acts(draft_import_acts, meta, version)
    erase_earlier_phones(club, list(known), meta.by)
    return answer

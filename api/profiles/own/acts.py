"""Acts about the club's own rules, for the HTTP interface and for the pages."""

from __future__ import annotations

import secrets
from typing import Final

from msgspec.structs import replace

from api.http.bodies import Body
from api.http.fields import FieldFault
from api.http.names import words_of_folded_name
from api.http.problems import Problem
from api.http.services import current_services, pending_texts
from api.profiles.own.views import rules_in_log
from referee.aggregates.club_rules import profile_of_edition
from referee.errors import NotFound
from referee.events import RulesId, RulesRetired, RulesStated
from referee.log.streams import Answer, WriteMetadata
from referee.rules.profile.options import NEWEST

_ID_BYTES: Final = 5


def record_rules(
    body: Body, meta: WriteMetadata, version: int | None = None, rules: RulesId = ""
) -> Answer:
    """Record a set of rules of the club: a new set, or a new edition of one that exists.

    ``body`` has name, base, base_edition and changes.

    :raises NotFound: the club has no rules of this id
    :raises BadProfile: nobody could play by them; the options are named
    :raises Problem: other rules of the club have the name
    """
    if answer := current_services().referee.answer_to(meta):
        return answer
    before = rules_in_log(rules) if rules else None
    if rules and before is None:
        raise NotFound(rules)
    _refuse_taken_name(body["name"], rules)
    made = RulesStated(
        rules or secrets.token_hex(_ID_BYTES),
        "",
        body["base"],
        body["base_edition"],
        body["changes"],
    )
    profile_of_edition(made, 1)
    with pending_texts() as put:
        is_kept = before is not None and _text_of_name(before.name) == body["name"]
        name = before.name if before is not None and is_kept else put.add_text(body["name"])
        act = replace(made, name=name)
        return put.erase_if_replayed(
            current_services().referee.rules.record_rules_act(act, meta, version)
        )


def record_retirement(rules: RulesId, meta: WriteMetadata, version: int) -> Answer:
    """Offer a set of rules no more.

    :raises NotFound: the club has no rules of this id
    """
    if rules_in_log(rules) is None:
        raise NotFound(rules)
    return current_services().referee.rules.record_rules_act(RulesRetired(rules), meta, version)


def record_restoration(rules: RulesId, meta: WriteMetadata, version: int) -> Answer:
    """Offer a retired set of rules again.

    :raises NotFound: the club has no rules of this id
    """
    return _restate_rules(rules, meta, version)


def record_newer_base_edition(rules: RulesId, meta: WriteMetadata, version: int) -> Answer:
    """Put a set of rules on the newest edition of its base, with the same changes.

    :raises NotFound: the club has no rules of this id
    :raises BadProfile: the changes do not fit the newer edition
    """
    return _restate_rules(rules, meta, version, base_edition=NEWEST)


def _restate_rules(
    rules: RulesId, meta: WriteMetadata, version: int, base_edition: str = ""
) -> Answer:
    known = rules_in_log(rules)
    if known is None:
        raise NotFound(rules)
    last = known.newest_edition
    act = replace(last, name=known.name, base_edition=base_edition or last.base_edition)
    profile_of_edition(act, 1)
    return current_services().referee.rules.record_rules_act(act, meta, version)


def _refuse_taken_name(name: str, rules: RulesId) -> None:
    """Refuse a name that other rules of the club, not retired, already have.

    :raises Problem: the field is named
    """
    for other, known in current_services().referee.rules.rules().sets.items():
        if (
            other != rules
            and not known.is_retired
            and _is_same_name(_text_of_name(known.name), name)
        ):
            fault = FieldFault("rules_name_taken")
            raise Problem("invalid", errors={"json": {"name": [fault]}})


def _text_of_name(name: str) -> str:
    return current_services().persons.text_by_id(name) or ""


def _is_same_name(one: str, other: str) -> bool:
    return words_of_folded_name(one) == words_of_folded_name(other)


def rules_id_of_answer(answer: Answer) -> RulesId:
    """Id of the set of rules that a write is about."""
    acts = [one.event for one in answer.events]
    return next(one.rules for one in acts if isinstance(one, RulesStated | RulesRetired))

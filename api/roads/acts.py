"""Acts of a road in requests: their kinds, and the events that they become."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final, cast
from uuid import UUID

import marshmallow as ma
import msgspec
from marshmallow import validate

from api.club.name_matches import KnownNames
from api.club.views import players
from api.http import people
from api.http.acts import ActKinds, AskedAct, OneOfKindsField, store_act_texts
from api.http.bodies import MAX_BYTES
from api.http.fields import MAX_NAME, Int, RequestSchema, Text
from api.http.names import fold_name
from api.http.people import PersonIn
from api.http.services import PendingTexts, current_services
from referee.aggregates.road import FEWEST_PLACES, MOST_PLACES, Road, RoadRule
from referee.audit.checkpoint import is_public_key
from referee.audit.house_files import BrokenFile
from referee.audit.lists import CheckedList, read_signed_list
from referee.errors import Refused
from referee.events import Act, PersonId
from referee.events import road as ev
from referee.events.road import QualifierId
from referee.events.tournament import ListedPair

MOST_ACTS: Final = 100
_NUMBER: Final = r"\A[0-9]{1,4}\Z"
_ENTRY: Final = r"\A[0-9]{1,4}-[0-9]{1,4}\Z"
_LONGEST_KEY: Final = 400


def _pattern_field(pattern: str) -> ma.fields.String:
    return ma.fields.String(required=True, validate=validate.Regexp(pattern))


def _tournament_field(*, required: bool) -> ma.fields.UUID:
    return ma.fields.UUID(required=required)


class RoadIn(RequestSchema):
    """A new road to a final of this house."""

    name = Text(MAX_NAME, required=True)
    final = _tournament_field(required=True)
    places = Int(FEWEST_PLACES, MOST_PLACES, required=True)
    contact = Text(lines=True)


# --- acts, each by its kind ----------------------------------------------------------------------


class QualifierAddIn(RequestSchema):
    """A qualifier; without a tournament of this house its list comes from another."""

    name = Text(MAX_NAME, required=True)
    places = Int(1, MOST_PLACES, required=True)
    tournament = _tournament_field(required=False)


class QualifierChangeIn(RequestSchema):
    """Another name or number of places of a qualifier."""

    qualifier = _pattern_field(_NUMBER)
    name = Text(MAX_NAME, required=True)
    places = Int(1, MOST_PLACES, required=True)


class KeyTrustIn(RequestSchema):
    """The key of another house, compared with the one that it shows."""

    key = ma.fields.String(required=True, validate=validate.Length(1, _LONGEST_KEY))


class ListTakeIn(RequestSchema):
    """The list of a qualifier; of another house the file that it signed, as text."""

    qualifier = _pattern_field(_NUMBER)
    file = ma.fields.String(validate=validate.Length(1, MAX_BYTES))
    same = ma.fields.List(Text(MAX_NAME), validate=validate.Length(max=2 * MOST_PLACES))


class PairInviteIn(RequestSchema):
    """A pair that plays the final without a qualifier."""

    players: Any = ma.fields.List(
        ma.fields.Nested(PersonIn), required=True, validate=validate.Length(1, 2)
    )
    reason = Text(lines=True)


class PlaceRenounceIn(RequestSchema):
    """A pair that does not come to the final."""

    entry = _pattern_field(_ENTRY)
    reason = Text(lines=True)


class PlaceReclaimIn(RequestSchema):
    """A pair that comes after all."""

    entry = _pattern_field(_ENTRY)


class FinalEnterIn(RequestSchema):
    """Those with a place are entered in the final."""


class ListNames:
    """Who is meant by the names of a list.

    A pair with both names of one on the road is that pair. Another name means the player of the
    house who alone has it; but those who share it on this list are all new, and so is a namesake of
    somebody who came to the road otherwise, unless it is one of ``same``.
    """

    def __init__(
        self,
        state: Road,
        qualifier: QualifierId,
        pairs: Sequence[tuple[str, ...]],
        same: Iterable[str] = (),
    ) -> None:
        own = state.qualifiers.get(qualifier)
        self._pairs, self._same = pairs, {*map(fold_name, same)}
        self._known = KnownNames(players())
        before = [one.players for one in own.taken.pairs] if own and own.taken else []
        others = [one.players for one in state.invitations.values()]
        for one in state.qualifiers.values():
            if one.id != qualifier and one.taken is not None:
                others += [listed.players for listed in one.taken.pairs]
        on_road = dict.fromkeys([*before, *others])
        self._names = current_services().persons.names_of({w: None for p in on_road for w in p})
        self._there = self._pairs_by_names(on_road)
        self._others = dict.fromkeys(who for pair in others for who in pair)
        self._times = Counter(self._identity(name) for names in pairs for name in names)

    def find_or_add_players(self, put: PendingTexts) -> list[tuple[PersonId, ...]]:
        """Ids of the players of each pair; names that nobody has yet are stored as new persons."""
        there = {names: iter(found) for names, found in self._there.items()}
        found: list[tuple[PersonId, ...]] = [
            next(there.get(_fold_names(names), iter(())), ())
            or tuple(map(self._person_meant_or_empty, names))
            for names in self._pairs
        ]
        both = zip(self._pairs, found, strict=True)
        new = [n for names, pair in both for n, who in zip(names, pair, strict=False) if not who]
        made = iter(put.add_persons(new))
        return [tuple(who or next(made) for who in pair) for pair in found]

    def namesakes_taken_as_new(self) -> list[str]:
        """Names that are taken as new, though one person of another list has them."""
        strange = [names for names in self._pairs if _fold_names(names) not in self._there]
        every = [
            name for names in strange for name in names if self._times[self._identity(name)] == 1
        ]
        return [
            one
            for one in every
            if len(self._namesakes_on_road(one)) == 1 and not self._person_meant_or_empty(one)
        ]

    def _pairs_by_names(
        self, pairs: Iterable[tuple[PersonId, ...]]
    ) -> dict[tuple[str, ...], list[tuple[PersonId, ...]]]:
        found = defaultdict(list)
        for pair in pairs:
            found[_fold_names(self._names[one] or one for one in pair)].append(pair)
        return dict(found)

    def _person_meant_or_empty(self, name: str) -> PersonId:
        """The person whom a name of the list means; empty for somebody new."""
        if self._times[self._identity(name)] > 1:
            return ""
        if elsewhere := self._namesakes_on_road(name):
            is_same = fold_name(name) in self._same and len(elsewhere) == 1
            return elsewhere[0] if is_same else ""
        return self._house_player_or_empty(name)

    def _namesakes_on_road(self, name: str) -> list[PersonId]:
        """Persons of this name who are on the road by another list or an invitation."""
        folded, here = fold_name(name), self._house_player_or_empty(name)
        return [
            one
            for one in self._others
            if one == here or fold_name(self._names[one] or "") == folded
        ]

    def _house_player_or_empty(self, name: str) -> PersonId:
        found = self._known.players_of_name(name)
        return found[0].player if len(found) == 1 else ""

    def _identity(self, name: str) -> str:
        return self._house_player_or_empty(name) or fold_name(name)


def _fold_names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(map(fold_name, names)))


_SHAPES: Final[dict[type[Act], type[RequestSchema]]] = {
    ev.QualifierAdded: QualifierAddIn,
    ev.QualifierChanged: QualifierChangeIn,
    ev.KeyTrusted: KeyTrustIn,
    ev.ListTaken: ListTakeIn,
    ev.PairInvited: PairInviteIn,
    ev.PlaceRenounced: PlaceRenounceIn,
    ev.PlaceReclaimed: PlaceReclaimIn,
    ev.FinalEntered: FinalEnterIn,
}
KINDS: Final = ActKinds("RoadAct", _SHAPES)


class RoadActsIn(RequestSchema):
    """Acts of a road; all are recorded, or none."""

    acts = ma.fields.List(
        OneOfKindsField(KINDS), required=True, validate=validate.Length(1, MOST_ACTS)
    )


def build_event_of_act(state: Road, asked: AskedAct, put: PendingTexts) -> ev.RoadAct:
    """The event that an act becomes, with its texts and persons stored.

    :raises Refused: the file of a list is not as it was signed
    :raises Problem: a person is unknown
    """
    values = store_act_texts(asked, put)
    if asked.struct is ev.ListTaken and "file" in values:
        checked, qualifier = read_signed_list_text(values["file"]), values["qualifier"]
        names = name_matcher_of_list(state, qualifier, checked, values.get("same", ()))
        return _list_act(names, qualifier, checked, put)
    if asked.struct is ev.PairInvited:
        found = people.ids_of_persons("players", dict(enumerate(values["players"])), put)
        values["players"] = tuple(found.values())
    if asked.struct is ev.KeyTrusted and not is_public_key(values["key"]):
        raise Refused(RoadRule.FIELD_BROKEN, field="key")
    values.pop("same", None)
    if isinstance(values.get("tournament"), UUID):
        values["tournament"] = str(values["tournament"])
    return cast("ev.RoadAct", msgspec.convert(values, asked.struct))


def read_signed_list_text(text: str) -> CheckedList:
    """The signed list in a file of another house, once its signature was checked.

    :raises Refused: it is not as it was signed; the field is named
    """
    try:
        return read_signed_list(text.encode("utf-8", "replace"))
    except BrokenFile as broken:
        if broken.pair_number_or_zero:
            facts = {"field": broken.field, "line": broken.pair_number_or_zero}
            raise Refused(RoadRule.LINE_BROKEN, **facts) from None
        raise Refused(RoadRule.FIELD_BROKEN, field=broken.field) from None


def _list_act(
    names: ListNames, qualifier: str, checked: CheckedList, put: PendingTexts
) -> ev.ListTaken:
    signed = checked.signed
    listed = tuple(
        ListedPair(one.place, one.pair, players)
        for one, players in zip(signed.pairs, names.find_or_add_players(put), strict=True)
    )
    return ev.ListTaken(qualifier, listed, checked.key.text, signed.tournament, signed.event.index)


def name_matcher_of_list(
    state: Road, qualifier: str, checked: CheckedList, same: Iterable[str]
) -> ListNames:
    """Matcher of a signed list's names. ``same``: those that mean somebody on the road already."""
    return ListNames(state, qualifier, [one.players for one in checked.signed.pairs], same)

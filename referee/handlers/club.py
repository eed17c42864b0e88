"""Commands to the club: its players and pairs, access, rules, settings, webhooks, the house."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from referee import events as ev
from referee.aggregates import access as roles
from referee.aggregates import club
from referee.aggregates import club_rules as rules
from referee.aggregates.access import Access
from referee.aggregates.club import Club
from referee.aggregates.club_rules import RulesOfClub
from referee.aggregates.house import House
from referee.aggregates.settings import ClubSettings
from referee.aggregates.webhooks import Webhooks
from referee.events import AccessAct, DevicePaired, HolderId, PrincipalId, RoleGranted
from referee.handlers.handler import Handler
from referee.kinds import (
    ACCESS,
    ACCESS_ID,
    CLUB,
    CLUB_ID,
    HOUSE,
    HOUSE_ID,
    RULES,
    RULES_ID,
    SETTINGS,
    SETTINGS_ID,
    WEBHOOKS,
    WEBHOOKS_ID,
)
from referee.log.streams import (
    Answer,
    PendingWrite,
    WriteMetadata,
)


class PlayerHandler(Handler):
    """Reads and records the club's players and pairs."""

    def club(self) -> Club:
        """Players, merges and pairs as they stand now."""
        return self._writer.stream_or_empty(CLUB, CLUB_ID).state

    def record(
        self, acts: Sequence[ev.ClubAct], meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """Record acts of the club, one or thousands, in one transaction.

        :raises Refused: one of them cannot be so
        :raises Stale: the club is at another version than expected
        """
        assert acts
        return self._writer.plan_and_save(self._plan_acts, meta, acts, expected)

    def _plan_acts(self, acts: Sequence[ev.ClubAct], expected: int | None) -> PendingWrite:
        stream = self._writer.stream_or_empty(CLUB, CLUB_ID, expected)
        return PendingWrite(*CLUB.grow_and_place_by_acts(stream, acts, club.decide))


class RulesHandler(Handler):
    """Reads and records the rules of the club."""

    def rules(self) -> RulesOfClub:
        """The sets of rules as they stand now."""
        return self._writer.stream_or_empty(RULES, RULES_ID).state

    def record_rules_act(
        self, act: ev.RulesAct, meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """Record an act about the club's own sets of rules.

        :raises Refused: it cannot be so
        :raises Stale: the rules are at another version than expected
        """
        return self._writer.plan_and_save(self._plan_act, meta, act, expected)

    def _plan_act(self, act: ev.RulesAct, expected: int | None) -> PendingWrite:
        stream = self._writer.stream_or_empty(RULES, RULES_ID, expected)
        return PendingWrite(*RULES.grow_and_place_events(stream, rules.decide(act, stream.state)))


class SettingsHandler(Handler):
    """Reads and records the settings of the club."""

    def settings(self) -> ClubSettings:
        """The settings as they stand now."""
        return self._writer.stream_or_empty(SETTINGS, SETTINGS_ID).state

    def four_eyes_choice(self) -> ev.FourEyes:
        """The choice of the club that is in force on acts that want two persons.

        The second is required, or its absence is noted.
        """
        return self.settings().four_eyes_choice_in_force

    def time_zone_name(self) -> str:
        """Name of the time zone of the club, as it is in force now."""
        return self.settings().time_zone_in_force

    def are_seasons_public(self) -> bool:
        """Whether people without an account see seasons, evenings and their results."""
        return self.settings().league_audience_in_force == "everybody"

    def are_team_leagues_public(self) -> bool:
        """Whether people without an account see leagues of teams.

        They do unless the club chose otherwise.
        """
        return self.settings().league_audience != "club"

    def puzzle_audience(self) -> ev.PuzzleAudience:
        """Who is shown the problem of the week, as it is in force now."""
        return self.settings().puzzle_audience_in_force

    def audience_of_records(self) -> ev.RecordAudience:
        """Who sees the record of a decided partida, as it is in force now."""
        return self.settings().record_audience_in_force

    def are_records_public(self) -> bool:
        """Whether everybody sees the record of a decided partida."""
        return self.audience_of_records() == "everybody"

    def is_deal_luck_shown(self) -> bool:
        """Whether seasons show the luck of the deals."""
        return self.settings().deal_luck_in_force == "shown"

    def record_settings_acts(
        self, acts: Sequence[ev.SettingsAct], meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """Record choices that were made together.

        :raises Stale: the settings are at another version than expected
        """
        return self._writer.plan_and_save(self._plan_choices, meta, acts, expected)

    def _plan_choices(self, acts: Sequence[ev.SettingsAct], expected: int | None) -> PendingWrite:
        stream = self._writer.stream_or_empty(SETTINGS, SETTINGS_ID, expected)
        return PendingWrite(*SETTINGS.grow_and_place_events(stream, acts))


class HouseHandler(Handler):
    """Founds the house, names its notary, and records that an older copy was taken back."""

    def house(self) -> House:
        """The house as it stands now."""
        return self._writer.stream_or_empty(HOUSE, HOUSE_ID).state

    def record_founding(self, meta: WriteMetadata) -> None:
        """Record the founding of the house, unless the log has an event about the house already."""
        if not self.house().version:
            self._record(ev.HouseFounded(), meta, lambda house: not house.version)

    def note_restoration(self, signed: int, kept: int, meta: WriteMetadata) -> None:
        """Record that the log has fewer events than were signed, on purpose."""
        self._record(ev.HouseRestored(signed, kept), meta)

    def name_notary(self, key: str, meta: WriteMetadata, *, instead_of: str) -> None:
        """Record which notary signs the checkpoints, unless another was named meanwhile."""
        self._record(ev.NotaryNamed(key), meta, lambda house: house.notary == instead_of)

    def _record(
        self, act: ev.HouseAct, meta: WriteMetadata, only: Callable[[House], bool] = lambda _: True
    ) -> None:
        self._writer.plan_and_save(self._plan_act, meta, act, only)

    def _plan_act(self, act: ev.HouseAct, only: Callable[[House], bool]) -> PendingWrite:
        stream = self._writer.stream_or_empty(HOUSE, HOUSE_ID)
        return PendingWrite(
            *HOUSE.grow_and_place_events(stream, (act,) if only(stream.state) else ())
        )


class AccessHandler(Handler):
    """Reads and records roles."""

    def access(self) -> Access:
        """Who holds which role now."""
        return self._writer.stream_or_empty(ACCESS, ACCESS_ID).state

    def principal_id_of_holder(self, by: HolderId) -> PrincipalId:
        """The person that a holder counts as where the rules want two different persons."""
        return self.access().principal_id_of_holder(by)

    def active_descendants_of_holder(self, by: HolderId) -> list[HolderId]:
        """Active holders who have their role from a holder, directly or through others."""
        access, granted = self.access(), self._granter_grantee_pairs()
        found: dict[HolderId, None] = {by: None}
        while more := [to for who, to in granted if who in found and to not in found]:
            found |= dict.fromkeys(more)
        return [one for one in found if one != by and access.active_holder(one)]

    def holders_without_granter(self) -> frozenset[HolderId]:
        """Active holders whose roles were all given by holders who have been revoked since."""
        access, granted = self.access(), self._granter_grantee_pairs()
        vouched = {to for who, to in granted if access.active_holder_or_owner(who)}
        return frozenset(to for _, to in granted if to not in vouched and access.active_holder(to))

    def _granter_grantee_pairs(self) -> list[tuple[HolderId, HolderId]]:
        """Who gave a role, and to whom, in order: the envelopes name the author of every grant."""
        history = self._writer.history(ACCESS_ID) if self.access().version else []
        return [
            (at.by, at.event.device if isinstance(at.event, DevicePaired) else at.event.account)
            for at in history
            if isinstance(at.event, RoleGranted | DevicePaired)
        ]

    def record(self, act: AccessAct, meta: WriteMetadata) -> Answer:
        """Record a grant, a pairing or a revocation.

        :raises Refused: if it may not be done
        """
        return self.record_all([act], meta)

    def record_all(self, acts: Sequence[AccessAct], meta: WriteMetadata) -> Answer:
        """Record several acts about roles, all or none, each with the writer as its author.

        :raises Refused: if one may not be done
        """
        return self._writer.plan_and_save(
            self._plan_acts, meta, [replace(act, by=meta.by) for act in acts]
        )

    def _plan_acts(self, acts: Sequence[AccessAct]) -> PendingWrite:
        stream = self._writer.stream_or_empty(ACCESS, ACCESS_ID)
        return PendingWrite(*ACCESS.grow_and_place_by_acts(stream, acts, roles.decide))


class WebhookHandler(Handler):
    """Reads and records webhooks."""

    def webhooks(self) -> Webhooks:
        """The webhooks as they stand now."""
        return self._writer.stream_or_empty(WEBHOOKS, WEBHOOKS_ID).state

    def record_webhook_act(
        self, act: ev.WebhookAct, meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """Record an act about the webhooks of the club.

        :raises Stale: the webhooks are at another version than expected
        """
        return self._writer.plan_and_save(self._plan_act, meta, act, expected)

    def _plan_act(self, act: ev.WebhookAct, expected: int | None) -> PendingWrite:
        stream = self._writer.stream_or_empty(WEBHOOKS, WEBHOOKS_ID, expected)
        return PendingWrite(*WEBHOOKS.grow_and_place_events(stream, (act,)))

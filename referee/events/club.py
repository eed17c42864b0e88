"""Events about the club: players, access, its own rules, settings, webhooks, its house."""

from __future__ import annotations

from typing import Literal, TypeAlias

from referee.events.base import Act, PersonId, TextId

PairId: TypeAlias = str
Role: TypeAlias = Literal["admin", "director", "arbiter", "scorer", "spectator"]
Scope: TypeAlias = Literal["read:public", "read:official", "record", "organise"]
"""What an app may do for whoever made its token, as far as they may do it themselves."""
HolderId: TypeAlias = str
RulesId: TypeAlias = str
WebhookId: TypeAlias = str
RuleValue: TypeAlias = bool | int | str | list[str | int]
RuleChanges: TypeAlias = dict[str, RuleValue | dict[str, RuleValue]]
"""Changed options by name; a value may be a table by number of players."""
FourEyes: TypeAlias = Literal["required", "noted"]
"""Where the law wants two persons: the second is required, or its absence is noted."""

LeagueAudience: TypeAlias = Literal["everybody", "club"]
"""Who finds seasons, evenings and their results: everybody without an account, or the club."""

PuzzleAudience: TypeAlias = Literal["everybody", "club", "nobody"]
"""Who is shown the problem of the week: everybody, who may read the records, or there is none."""


RecordAudience: TypeAlias = Literal["everybody", "with_code", "club"]
"""Who sees the record of a decided partida: everybody, who has its code, or the club."""

DealLuck: TypeAlias = Literal["shown", "hidden"]
"""Whether season pages show what each pair was dealt in arrastre beside what it made."""


StudyConsent: TypeAlias = Literal["given", "none"]
"""Whether the decided partidas of the club may be exported for study, without any person."""


class PlayerListed(Act, frozen=True, tag="player"):
    """A person is a player of the club; listed again, with their current data."""

    person: PersonId
    nickname: TextId = ""
    club: TextId = ""


class PlayersMerged(Act, frozen=True, tag="merge"):
    """Two listed persons are one: whatever ``gone`` did, ``kept`` did."""

    kept: PersonId
    gone: PersonId


class PairNamed(Act, frozen=True, tag="pair_name"):
    """Two players are a pair with a name; named again, with another one.

    ``players``: two of them, in no order.
    """

    pair: PairId
    players: tuple[PersonId, ...]
    name: TextId = ""


class PlayerRetired(Act, frozen=True, tag="player_retired"):
    """A player plays no more: their results stay, and nobody offers them for something new."""

    person: PersonId


class PlayerReturned(Act, frozen=True, tag="player_returned"):
    """A player who played no more plays again."""

    person: PersonId


class PhoneNoted(Act, frozen=True, tag="phone"):
    """A player agrees that the organisers keep their telephone; noted again, another one.

    ``phone``: a text, so that it is erased as a name is. ``date``: the day on which it was noted.
    ``season``: after which it is forgotten; empty: some time after that day.
    """

    person: PersonId
    phone: TextId
    date: str
    season: str = ""


ClubAct: TypeAlias = (
    PlayerListed | PlayersMerged | PairNamed | PlayerRetired | PlayerReturned | PhoneNoted
)


class RoleGranted(Act, frozen=True, tag="grant"):
    """An account has this role from now on, and no other one.

    ``encuentro``: the only table for which it is valid; empty for every table.
    """

    account: HolderId
    role: Role
    encuentro: str = ""
    by: HolderId = ""


class DevicePaired(Act, frozen=True, tag="pair"):
    """A device has a role, most often at one table."""

    device: HolderId
    role: Role
    encuentro: str = ""
    by: HolderId = ""


class TokenMade(Act, frozen=True, tag="token"):
    """An app may act for whoever makes this token, within its scopes, for some days.

    ``encuentro``: the only table for which it is valid; empty for every table. ``origins``: sites
    whose pages may use it in a browser.
    """

    token: HolderId
    scopes: tuple[Scope, ...]
    days: int
    encuentro: str = ""
    origins: tuple[str, ...] = ()
    by: HolderId = ""


class AccessRevoked(Act, frozen=True, tag="revoke"):
    """An account or a device loses its role, or a token its scopes."""

    holder: HolderId
    by: HolderId = ""


AccessAct: TypeAlias = RoleGranted | DevicePaired | TokenMade | AccessRevoked


class RulesStated(Act, frozen=True, tag="rules"):
    """The club states a set of rules: a profile, of an edition, and what the club changes in it.

    Stated again, with other changes, they are a new edition of the set.
    """

    rules: RulesId
    name: TextId
    base: str
    base_edition: str
    changes: RuleChanges = {}


class RulesRetired(Act, frozen=True, tag="rules_retire"):
    """A set of rules is not offered any more; stated again, it is offered as before."""

    rules: RulesId


RulesAct: TypeAlias = RulesStated | RulesRetired


class FourEyesChosen(Act, frozen=True, tag="four_eyes"):
    """The club chose whether two principals are required where the law wants two persons."""

    choice: FourEyes


class TimeZoneChosen(Act, frozen=True, tag="time_zone"):
    """The club chose the time zone of its pages, sheets and files: a name of the tz database."""

    zone: str


class LeagueAudienceChosen(Act, frozen=True, tag="league_audience"):
    """The club chose who finds its league: everybody, or only who may read its records."""

    audience: LeagueAudience


class PuzzleAudienceChosen(Act, frozen=True, tag="puzzle_audience"):
    """The club chose whether it has a problem of the week, and who is shown it."""

    audience: PuzzleAudience


class DealLuckChosen(Act, frozen=True, tag="deal_luck"):
    """The club chose whether seasons show the luck of the deals."""

    choice: DealLuck


class RecordAudienceChosen(Act, frozen=True, tag="record_audience"):
    """The club chose who sees the record of a decided partida: its replay, its proof, its door."""

    audience: RecordAudience


class StudyConsentChosen(Act, frozen=True, tag="study_consent"):
    """The club chose whether its decided partidas may be exported for study."""

    choice: StudyConsent


class ClubNamed(Act, frozen=True, tag="club_named"):
    """The name that the pages carry; empty: none of the club's own."""

    name: TextId = ""


class ClubColourChosen(Act, frozen=True, tag="club_colour"):
    """The colour of the club, as ``#1f5c43``; empty: that of the program."""

    colour: str = ""


class ClubLogoChosen(Act, frozen=True, tag="club_logo"):
    """The logo of the club, a picture kept as a text; empty: none."""

    logo: TextId = ""


SettingsAct: TypeAlias = (
    FourEyesChosen
    | TimeZoneChosen
    | LeagueAudienceChosen
    | PuzzleAudienceChosen
    | DealLuckChosen
    | RecordAudienceChosen
    | StudyConsentChosen
    | ClubNamed
    | ClubColourChosen
    | ClubLogoChosen
)


class HouseFounded(Act, frozen=True, tag="house_founded"):
    """The first event of a new log. A log of before begins with another, and is a house as well."""


class HouseRestored(Act, frozen=True, tag="house_restored"):
    """An older copy of the log was restored on purpose.

    ``signed``: events under the latest checkpoint, or that were shown, whichever are more.
    ``kept``: those of them that the copy may have.
    """

    signed: int
    kept: int


class NotaryNamed(Act, frozen=True, tag="notary_named"):
    """A notary is named, whose checkpoints of the log count from now on.

    ``key``: Its public key in a line.
    """

    key: str


HouseAct: TypeAlias = HouseFounded | HouseRestored | NotaryNamed


class WebhookSet(Act, frozen=True, tag="webhook"):
    """A webhook as it is from now on: its address, and the kinds of notifications that it gets.

    The secret by which its receiver knows the house is not here.
    """

    webhook: WebhookId
    name: TextId
    address: str
    notified: tuple[str, ...]
    is_on: bool = True


class WebhookSecretRenewed(Act, frozen=True, tag="webhook_secret"):
    """A webhook has another secret; the one of before is good for a day."""

    webhook: WebhookId


class WebhookRemoved(Act, frozen=True, tag="webhook_removed"):
    """Nothing is sent to a webhook any more, and its secret is forgotten."""

    webhook: WebhookId


WebhookAct: TypeAlias = WebhookSet | WebhookSecretRenewed | WebhookRemoved

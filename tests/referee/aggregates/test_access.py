"""Access as a decider, and as a log: grants, pairings, revocations."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace as other
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from projections.runner.log import LogReader
from referee.aggregates import access
from referee.aggregates.access import (
    OWNER,
    PERMISSIONS,
    SCOPES,
    Access,
    Holder,
    limit_permissions,
)
from referee.audit.verify.club import differences_in_access
from referee.audit.verify.conclusions import differences_in_all_streams
from referee.errors import Refused
from referee.events import (
    AccessAct,
    AccessRevoked,
    DevicePaired,
    Event,
    IncidentNoted,
    Role,
    RoleGranted,
    Scope,
    TokenMade,
)
from referee.kinds import ACCESS_ID
from referee.log.mapper import RecordedEvent
from referee.log.ports import Address
from referee.rules.articles import Rule
from tests.support.servers.one_log import ENCUENTRO, META, new_log, new_referee

TABLE = str(ENCUENTRO)


def after(*acts: AccessAct) -> Access:
    state = access.INITIAL
    for act in acts:
        for event in access.decide(act, state):
            state = access.evolve(state, event)
    return state


def refused(act: AccessAct, *before: AccessAct) -> Rule:
    with pytest.raises(Refused) as caught:
        after(*before, act)
    return caught.value.rule


def test_a_role_is_granted_changed_and_revoked() -> None:
    state = after(RoleGranted("ana", "arbiter"), RoleGranted("ana", "director"))
    assert state.active_holder("ana") == Holder("account", "director", "")
    gone = after(RoleGranted("ana", "admin"), AccessRevoked("ana"))
    assert gone.active_holder("ana") is None
    assert not gone.has_admin
    assert after(RoleGranted("ana", "admin")).has_admin


def test_who_was_revoked_does_not_come_back() -> None:
    granted = RoleGranted("ana", "arbiter")
    assert refused(granted, granted, AccessRevoked("ana")) == Rule.HOLDER_UNKNOWN
    assert refused(AccessRevoked("ana")) == Rule.HOLDER_UNKNOWN
    assert refused(AccessRevoked("ana"), granted, AccessRevoked("ana")) == Rule.HOLDER_UNKNOWN


def test_a_device_is_paired_once_and_is_no_account() -> None:
    paired = DevicePaired("tablet", "scorer", TABLE)
    assert after(paired).active_holder("tablet") == Holder("device", "scorer", TABLE)
    assert refused(paired, paired) == Rule.HOLDER_KNOWN
    assert refused(RoleGranted("tablet", "admin"), paired) == Rule.HOLDER_UNKNOWN
    assert refused(DevicePaired("ana", "arbiter"), RoleGranted("ana", "admin")) == Rule.HOLDER_KNOWN


def test_a_role_is_had_where_it_means_something() -> None:
    assert refused(RoleGranted("ana", "scorer")) == Rule.ROLE_WANTS_TABLE
    assert refused(RoleGranted("ana", "admin", TABLE)) == Rule.ROLE_OF_ALL_TABLES
    assert refused(DevicePaired("tablet", "director", TABLE)) == Rule.ROLE_OF_ALL_TABLES
    assert after(RoleGranted("ana", "arbiter", TABLE)).active_holder("ana")


# --- who grants ----------------------------------------------------------------------------------

ADMIN = RoleGranted("ana", "admin", by=OWNER)
GRANTS: list[tuple[Holder, AccessAct, bool]] = [
    (Holder("account", "director", ""), DevicePaired("x", "arbiter", by="who"), False),
    (Holder("account", "director", ""), DevicePaired("x", "scorer", TABLE, "who"), True),
    (Holder("account", "director", ""), RoleGranted("x", "spectator", by="who"), False),
    (Holder("account", "director", ""), AccessRevoked("ana", "who"), False),
    (Holder("account", "arbiter", ""), DevicePaired("x", "arbiter", by="who"), True),
    (Holder("account", "arbiter", TABLE), DevicePaired("x", "arbiter", TABLE, "who"), True),
    (Holder("account", "arbiter", TABLE), DevicePaired("x", "arbiter", by="who"), False),
    (Holder("device", "arbiter", ""), DevicePaired("x", "spectator", by="who"), False),
    (Holder("account", "admin", ""), RoleGranted("x", "admin", by="who"), True),
    (Holder("account", "admin", ""), DevicePaired("x", "admin", by="who"), False),
    (Holder("account", "admin", "", is_active=False), RoleGranted("x", "admin", by="who"), False),
    (Holder("account", "admin", ""), AccessRevoked("ana", "who"), True),
    (Holder("account", "admin", ""), RoleGranted("x", "arbiter", by="nobody"), False),
]


@pytest.mark.parametrize(("granter", "act", "may"), GRANTS)
def test_a_role_is_granted_by_who_has_every_permission_of_it(
    granter: Holder, act: AccessAct, *, may: bool
) -> None:
    state = replace(after(ADMIN), holders={**after(ADMIN).holders, "who": granter})
    if may:
        assert access.decide(act, state) == (act,)
    else:
        with pytest.raises(Refused) as caught:
            access.decide(act, state)
        assert caught.value.rule == Rule.MAY_NOT_GRANT


def token(*scopes: Scope, by: str = "ana", encuentro: str = "", **more: Any) -> TokenMade:
    return TokenMade("app", scopes, 30, encuentro, by=by, **more)


TOKENS: list[tuple[Holder, TokenMade, bool]] = [
    (Holder("account", "admin", ""), token("read:public", "organise", by="who"), True),
    (Holder("account", "director", ""), token("organise", "record", by="who"), True),
    (Holder("account", "arbiter", ""), token("record", "read:official", by="who"), True),
    (Holder("account", "arbiter", ""), token("organise", by="who"), False),
    (Holder("account", "arbiter", TABLE), token("record", by="who", encuentro=TABLE), True),
    (Holder("account", "arbiter", TABLE), token("record", by="who"), False),
    (Holder("account", "admin", ""), token(by="who"), False),
    (Holder("account", "scorer", TABLE), token("record", by="who", encuentro=TABLE), False),
    (Holder("account", "spectator", ""), token("read:public", by="who"), False),
    (Holder("device", "arbiter", ""), token("read:public", by="who"), False),
    (Holder("token", "admin", "", by="ana", scopes=("record",)), token("record", by="who"), False),
]


@pytest.mark.parametrize(("maker", "act", "may"), TOKENS)
def test_a_token_is_made_by_an_account_that_has_every_permission_of_its_scopes(
    maker: Holder, act: TokenMade, *, may: bool
) -> None:
    state = replace(after(ADMIN), holders={**after(ADMIN).holders, "who": maker})
    if may:
        assert access.decide(act, state) == (act,)
    else:
        with pytest.raises(Refused) as caught:
            access.decide(act, state)
        assert caught.value.rule == Rule.MAY_NOT_GRANT


def test_a_token_may_do_what_its_scopes_and_the_role_of_its_maker_both_allow() -> None:
    made = [ADMIN, RoleGranted("blas", "director", by="ana"), token("organise", by="blas")]
    held = after(*made).active_holder("app")
    assert held is not None
    assert held.permissions == SCOPES["organise"] | {"self"}
    lesser = after(*made, RoleGranted("blas", "arbiter", by="ana")).active_holder("app")
    assert lesser is not None
    assert "tournaments:run" not in lesser.permissions
    assert "encuentros:open" in lesser.permissions
    for role in get_args(Role):
        for scope in get_args(Scope):
            both = limit_permissions([scope], PERMISSIONS[role])
            assert both <= PERMISSIONS[role] & (SCOPES[scope] | {"self"})
            assert not both & {"access:manage", "devices:pair", "persons:erase", "rulings:give"}


def test_a_token_ends_with_its_maker_and_lets_nobody_in() -> None:
    made = [ADMIN, RoleGranted("blas", "admin", by="ana"), token("record", by="blas")]
    assert after(*made).active_token_ids_of_makers("blas") == ["app"]
    assert after(*made, AccessRevoked("blas", "ana")).active_holder("app") is None
    assert after(*made).principal_id_of_holder("app") == "blas"
    assert refused(token("record"), *made) == Rule.HOLDER_KNOWN
    assert refused(RoleGranted("app", "admin"), *made) == Rule.HOLDER_UNKNOWN
    for act in (DevicePaired("x", "spectator", by="app"), RoleGranted("x", "spectator", by="app")):
        assert refused(act, *made) == Rule.MAY_NOT_GRANT
    bound = RoleGranted("blas", "arbiter", TABLE, "ana")
    assert refused(token("record", by="blas"), ADMIN, bound) == Rule.MAY_NOT_GRANT
    there = [ADMIN, RoleGranted("blas", "arbiter", by="ana"), token("record", by="blas")]
    held = after(*there, bound).active_holder("app")
    assert held is not None
    assert held.encuentro == TABLE


def test_a_token_is_revoked_by_its_maker_and_by_who_manages_access() -> None:
    two = [ADMIN, *(RoleGranted(one, "arbiter", by="ana") for one in ("blas", "celia"))]
    made = [*two, token("record", by="blas")]
    assert refused(AccessRevoked("app", "celia"), *made) == Rule.MAY_NOT_GRANT
    for by in ("ana", "blas", OWNER):
        assert after(*made, AccessRevoked("app", by)).active_holder("app") is None


def test_the_last_admin_is_revoked_and_demoted_by_the_owner_alone() -> None:
    assert refused(AccessRevoked("ana", "ana"), ADMIN) == Rule.LAST_ADMIN
    assert refused(RoleGranted("ana", "arbiter", by="ana"), ADMIN) == Rule.LAST_ADMIN
    assert not after(ADMIN, AccessRevoked("ana", OWNER)).has_admin
    again = RoleGranted("ana", "admin", by="ana")
    second = RoleGranted("blas", "admin", by="ana")
    assert after(ADMIN, again, second, AccessRevoked("ana", "blas")).admin_ids == {"blas"}
    device = DevicePaired("tablet", "arbiter", by="ana")
    assert after(ADMIN, device, AccessRevoked("tablet", "ana")).has_admin


def test_acts_of_before_name_nobody_and_are_not_judged_by_the_later_law() -> None:
    paired_by_a_director = DevicePaired("tablet", "arbiter")
    assert after(paired_by_a_director).active_holder("tablet") == Holder("device", "arbiter", "")


def test_the_service_names_the_author_of_every_act(address: Address) -> None:
    with closing(new_log(address)) as referee:
        referee.roles.record(RoleGranted("ana", "admin", by="somebody"), META)
        referee.roles.record(RoleGranted("blas", "admin"), other(META, by="ana"))
        assert [one.by for one in referee.roles.access().holders.values()] == [OWNER, "ana"]
        with pytest.raises(Refused):
            referee.roles.record_all([AccessRevoked("blas"), AccessRevoked("celia")], META)
        assert referee.roles.access().active_holder("blas")  # all or none
        assert referee.roles.active_descendants_of_holder("ana") == ["blas"]
        assert referee.roles.active_descendants_of_holder(OWNER) == ["ana", "blas"]


ACTS = st.one_of(
    st.builds(
        RoleGranted,
        st.sampled_from("ab"),
        st.sampled_from(["admin", "arbiter", "scorer"]),
        st.sampled_from(["", TABLE]),
    ),
    st.builds(DevicePaired, st.sampled_from("bc"), st.just("scorer"), st.just(TABLE)),
    st.builds(TokenMade, st.sampled_from("cd"), st.just(("record",)), st.just(30)),
    st.builds(AccessRevoked, st.sampled_from("abcd")),
)


@given(st.lists(ACTS, max_size=12))
def test_whatever_happens_the_last_word_on_a_holder_counts(acts: list[AccessAct]) -> None:
    state, last = access.INITIAL, dict[str, AccessAct]()
    for act in acts:
        try:
            (event,) = access.decide(act, state)
        except Refused:
            continue
        state = access.evolve(state, event)
        match event:
            case AccessRevoked():
                last[event.holder] = event
            case DevicePaired():
                last[event.device] = event
            case RoleGranted():
                last[event.account] = event
            case TokenMade():
                last[event.token] = event
    for name, event in last.items():
        held = state.active_holder(name)
        if isinstance(event, AccessRevoked | TokenMade):  # nobody who has no role makes a token
            assert held is None
        else:
            assert held is not None
            assert (held.role, held.encuentro) == (event.role, event.encuentro)
    assert state.version <= len(acts)


def test_access_is_on_the_log_and_verified(address: Address) -> None:
    referee = new_log(address)
    for act in (RoleGranted("ana", "admin"), DevicePaired("tablet", "scorer", TABLE)):
        referee.roles.record(act, META)
    again = new_referee(address, 500)
    assert again.roles.access() == referee.roles.access()
    with pytest.raises(Refused):
        again.roles.record(DevicePaired("tablet", "scorer", TABLE), META)
    again.roles.record(AccessRevoked("tablet"), META)
    assert referee.roles.access().active_holder("tablet") is None
    log = LogReader(address)
    assert [one for one in differences_in_all_streams(log) if one.stream == str(ACCESS_ID)] == []
    for one in (referee, again, log):
        one.close()


def stored(*events: Event) -> list[RecordedEvent]:
    return [
        RecordedEvent(ACCESS_ID, at, at, "2026-11-21T20:15:00.000Z", "owner", "x", "s" * 22, event)
        for at, event in enumerate(events, start=1)
    ]


def test_what_could_not_be_granted_is_found_on_the_log() -> None:
    sound = stored(RoleGranted("ana", "admin"), AccessRevoked("ana"))
    assert list(differences_in_access(sound)) == []
    forged = stored(RoleGranted("ana", "admin"), AccessRevoked("blas"))
    assert [one.what for one in differences_in_access(forged)] == ["impossible_act"]
    outsider = stored(RoleGranted("ana", "arbiter", by=OWNER), AccessRevoked("ana", OWNER))
    assert list(differences_in_access(outsider)) == []
    by_ana = replace(outsider[1], by="ana", event=AccessRevoked("ana", "ana"))
    assert [one.what for one in differences_in_access([outsider[0], by_ana])] == ["impossible_act"]
    disguised = stored(RoleGranted("ana", "admin"), RoleGranted("blas", "admin", by="ana"))
    assert [one.what for one in differences_in_access(disguised)] == ["impossible_act"]
    strange = stored(RoleGranted("ana", "admin"), IncidentNoted("late"))
    assert [one.what for one in differences_in_access(strange)] == ["foreign_event"]
    assert [one.what for one in differences_in_access(sound[1:])] == [
        "version_gap",
        "line_gap",
        "impossible_act",
    ]

"""Access as a decider, and as a log: grants, pairings, revocations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.follower.log import LogReader
from referee.access import roles as access
from referee.access.roles import Access, Holder
from referee.access.service import ACCESS_ID
from referee.audit.verify.club import verify_access
from referee.audit.verify.conclusions import verify_all
from referee.errors import Refused
from referee.events import AccessAct, AccessRevoked, DevicePaired, Event, IncidentNoted, RoleGranted
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
    assert state.active("ana") == Holder("account", "director", "")
    gone = after(RoleGranted("ana", "admin"), AccessRevoked("ana"))
    assert gone.active("ana") is None
    assert not gone.has_admin
    assert after(RoleGranted("ana", "admin")).has_admin


def test_who_was_revoked_does_not_come_back() -> None:
    granted = RoleGranted("ana", "arbiter")
    assert refused(granted, granted, AccessRevoked("ana")) == Rule.HOLDER_UNKNOWN
    assert refused(AccessRevoked("ana")) == Rule.HOLDER_UNKNOWN
    assert refused(AccessRevoked("ana"), granted, AccessRevoked("ana")) == Rule.HOLDER_UNKNOWN


def test_a_device_is_paired_once_and_is_no_account() -> None:
    paired = DevicePaired("tablet", "scorer", TABLE)
    assert after(paired).active("tablet") == Holder("device", "scorer", TABLE)
    assert refused(paired, paired) == Rule.HOLDER_KNOWN
    assert refused(RoleGranted("tablet", "admin"), paired) == Rule.HOLDER_UNKNOWN
    assert refused(DevicePaired("ana", "arbiter"), RoleGranted("ana", "admin")) == Rule.HOLDER_KNOWN


def test_a_role_is_had_where_it_means_something() -> None:
    assert refused(RoleGranted("ana", "scorer")) == Rule.ROLE_WANTS_TABLE
    assert refused(RoleGranted("ana", "admin", TABLE)) == Rule.ROLE_OF_ALL_TABLES
    assert refused(DevicePaired("tablet", "director", TABLE)) == Rule.ROLE_OF_ALL_TABLES
    assert after(RoleGranted("ana", "arbiter", TABLE)).active("ana")


ACTS = st.one_of(
    st.builds(
        RoleGranted,
        st.sampled_from("ab"),
        st.sampled_from(["admin", "arbiter", "scorer"]),
        st.sampled_from(["", TABLE]),
    ),
    st.builds(DevicePaired, st.sampled_from("bc"), st.just("scorer"), st.just(TABLE)),
    st.builds(AccessRevoked, st.sampled_from("abc")),
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
    for name, event in last.items():
        held = state.active(name)
        if isinstance(event, AccessRevoked):
            assert held is None
        else:
            assert held is not None
            assert (held.role, held.encuentro) == (event.role, event.encuentro)
    assert state.version <= len(acts)


def test_access_is_on_the_log_and_verified(address: Address) -> None:
    referee = new_log(address)
    for act in (RoleGranted("ana", "admin"), DevicePaired("tablet", "scorer", TABLE)):
        referee.roles.admit(act, META)
    again = new_referee(address, 500)
    assert again.roles.access() == referee.roles.access()
    with pytest.raises(Refused):
        again.roles.admit(DevicePaired("tablet", "scorer", TABLE), META)
    again.roles.admit(AccessRevoked("tablet"), META)
    assert referee.roles.access().active("tablet") is None
    log = LogReader(address)
    assert [one for one in verify_all(log) if one.stream == str(ACCESS_ID)] == []
    for one in (referee, again, log):
        one.close()


def stored(*events: Event) -> list[RecordedEvent]:
    return [
        RecordedEvent(ACCESS_ID, at, at, "2026-11-21T20:15:00.000Z", "owner", "x", "s" * 22, event)
        for at, event in enumerate(events, start=1)
    ]


def test_what_could_not_be_granted_is_found_on_the_log() -> None:
    sound = stored(RoleGranted("ana", "admin"), AccessRevoked("ana"))
    assert list(verify_access(sound)) == []
    forged = stored(RoleGranted("ana", "admin"), AccessRevoked("blas"))
    assert [one.what for one in verify_access(forged)] == ["impossible_act"]
    strange = stored(RoleGranted("ana", "admin"), IncidentNoted("late"))
    assert [one.what for one in verify_access(strange)] == ["foreign_event"]
    assert [one.what for one in verify_access(sound[1:])] == [
        "version_gap",
        "line_gap",
        "impossible_act",
    ]

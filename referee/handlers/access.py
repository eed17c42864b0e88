"""Commands to access: who holds which role."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from referee.aggregates import access as roles
from referee.aggregates.access import Access
from referee.events import AccessAct, DevicePaired, HolderId, PrincipalId, RoleGranted
from referee.handlers.handler import Handler
from referee.kinds import ACCESS, ACCESS_ID
from referee.log.streams import Answer, PendingWrite, WriteMetadata


class AccessHandler(Handler):
    """Reads and records roles."""

    def access(self) -> Access:
        """Who holds which role now."""
        return self._writer.stream_or_empty(ACCESS, ACCESS_ID).state

    def principal(self, by: HolderId) -> PrincipalId:
        """Who acts where the rules want two persons."""
        return self.access().principal(by)

    def let_in(self, by: HolderId) -> list[HolderId]:
        """Active holders who have their role from somebody, and whom these let in in turn."""
        access, granted = self.access(), self._grants()
        found: dict[HolderId, None] = {by: None}
        while more := [to for who, to in granted if who in found and to not in found]:
            found |= dict.fromkeys(more)
        return [one for one in found if one != by and access.active(one)]

    def let_in_by_revoked(self) -> frozenset[HolderId]:
        """Active holders for whom nobody vouches now: all who gave them a role were revoked."""
        access, granted = self.access(), self._grants()
        vouched = {to for who, to in granted if access.granter(who)}
        return frozenset(to for _, to in granted if to not in vouched and access.active(to))

    def _grants(self) -> list[tuple[HolderId, HolderId]]:
        """Who gave a role, and to whom, in order: the envelopes name the author of every grant."""
        history = self._writer.history(ACCESS_ID) if self.access().version else []
        return [
            (at.by, at.event.device if isinstance(at.event, DevicePaired) else at.event.account)
            for at in history
            if isinstance(at.event, RoleGranted | DevicePaired)
        ]

    def admit(self, act: AccessAct, meta: WriteMetadata) -> Answer:
        """Record a grant, a pairing or a revocation.

        :raises Refused: if it may not be done
        """
        return self.admit_all([act], meta)

    def admit_all(self, acts: Sequence[AccessAct], meta: WriteMetadata) -> Answer:
        """Record several acts, all of them or none. Each names the writer as its author.

        :raises Refused: if one may not be done
        """
        return self._writer.write(self._plan, meta, [replace(act, by=meta.by) for act in acts])

    def _plan(self, acts: Sequence[AccessAct]) -> PendingWrite:
        stream = self._writer.stream_or_empty(ACCESS, ACCESS_ID)
        return PendingWrite(*ACCESS.grow_by(stream, acts, roles.decide))

"""Invitations and pairings of devices: offered, accepted with the grant of a role, and revoked.

The log is the authority. A key that outlives its right opens nothing: who offers a role must still
be allowed to grant it at the moment when it is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from referee.access.keys import DAY_S, Keys, Offer, OfferKind, OpenOffer
from referee.access.password_recovery import PasswordReset
from referee.aggregates.access import Access, HolderKind, may_grant, refuse_role_table_mismatch
from referee.errors import Refused
from referee.events import AccessRevoked, DevicePaired, HolderId, RoleGranted, TokenMade
from referee.handlers.club import AccessHandler
from referee.log.streams import WriteMetadata
from referee.rules.articles import Rule

LETS_IN: Final[dict[OfferKind, HolderKind]] = {"invitation": "account", "pairing": "device"}
"""Kind of a holder who takes an offer."""


class Admission:
    """Lets people and devices in, and ends what they may do."""

    def __init__(self, roles: AccessHandler, keys: Keys) -> None:
        self._roles, self._keys = roles, keys

    def make_offer(self, kind: OfferKind, offer: Offer) -> str:
        """Make an offer of a role; returns the secret by which it is accepted.

        :raises Refused: the role cannot be had there, or who offers it may not grant it
        """
        refuse_role_table_mismatch(offer.role, offer.encuentro)
        if not _may_still_grant(kind, offer, self._roles.access()):
            raise Refused(Rule.MAY_NOT_GRANT)
        return self._keys.make_offer(kind, offer)

    def find_offer(self, kind: OfferKind, secret: str) -> Offer | None:
        """The offer behind a secret, which stays open; None if it cannot be accepted now."""
        offer = self._keys.find_offer(kind, secret)
        stands = offer is not None and _may_still_grant(kind, offer, self._roles.access())
        return offer if stands else None

    def list_open_offers(self) -> list[OpenOffer]:
        """Every offer that can be accepted now."""
        access = self._roles.access()
        return [one for one in self._keys.offers() if _may_still_grant(one.kind, one.offer, access)]

    def accept_offer_or_none(
        self, kind: OfferKind, secret: str, holder: HolderId, at: datetime
    ) -> Offer | None:
        """Use up an offer and grant its role to a new holder; None if it is invalid or now refused.

        A revocation of who offered it may come first: then the decider refuses the grant.
        """
        offer = self._keys.try_use_up_offer(kind, secret)
        if offer is None:
            return None
        granted = RoleGranted if kind == "invitation" else DevicePaired
        act = granted(holder, offer.role, offer.encuentro)
        try:
            self._roles.record(act, WriteMetadata(by=offer.by, device=holder, at=at))
        except Refused:
            return None
        return offer

    def may_link_reset_password(self, reset: PasswordReset) -> bool:
        """Whether a link may reset a password.

        Its account is active, and an admin or the account itself made it.

        An account is the maker of a link that it got by mail.
        """
        access = self._roles.access()
        maker = access.active_holder_or_owner(reset.by)
        is_admin = maker is not None and "access:manage" in maker.permissions
        is_made_well = is_admin or reset.by == reset.holder
        return is_made_well and access.active_holder(reset.holder) is not None

    def make_app_token(self, act: TokenMade, name: str, mark: str, meta: WriteMetadata) -> str:
        """Make a token for an app; returns its secret. ``mark``: what else its validity depends on.

        Empty: a token was made by the same write before, whose secret nobody is shown again.

        :raises Refused: whoever makes it has not every permission of its scopes
        """
        if self._roles.record(act, meta).replayed:
            return ""
        lasts_s = act.days * DAY_S
        return self._keys.give_token("app", act.token, agent=name, mark=mark, lasts_s=lasts_s)

    def revoke_own_app_tokens(self, meta: WriteMetadata) -> list[HolderId]:
        """Revoke every app token that this account made; returns their ids."""
        if made := self._roles.access().active_token_ids_of_makers(meta.by):
            self.revoke_holders(made, meta)
        return made

    def change_role(self, granted: RoleGranted, meta: WriteMetadata) -> None:
        """Give an account another role, and withdraw what it offered under the old one.

        :raises Refused: if it may not be done
        """
        self._roles.record(granted, meta)
        self._keys.withdraw_offers_and_links(granted.account)

    def revoke_holders(self, holders: Sequence[HolderId], meta: WriteMetadata) -> None:
        """Revoke accounts, devices and tokens, all or none, and erase their names, keys and offers.

        The tokens that they made end before them.

        :raises Refused: if one may not be revoked
        """
        ended = list(
            dict.fromkeys([*self._roles.access().active_token_ids_of_makers(*holders), *holders])
        )
        self._roles.record_all([AccessRevoked(one) for one in ended], meta)
        self._keys.forget_holders(*ended)


def _may_still_grant(kind: OfferKind, offer: Offer, access: Access) -> bool:
    """Whether who made an offer may still grant what it offers."""
    return may_grant(
        access.active_holder_or_owner(offer.by), LETS_IN[kind], offer.role, offer.encuentro
    )

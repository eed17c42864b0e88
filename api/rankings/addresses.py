"""What a club publishes, read at the address that it gives."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import partial
from typing import Final

from api.http.services import house_part
from api.outgoing.transport import BadAddress, NotRead, OutgoingAddress, get
from api.rankings.publications import LARGEST, Fetch
from referee.aggregates.ranking.rules import RankingRule
from referee.errors import Refused

_AT_ONCE: Final = 2
"""Publications that a process reads at one time: another house may take ten seconds to answer."""
_HEADERS: Final = {
    "accept": "application/json",
    "accept-encoding": "identity",
    "user-agent": "guinote-rankings/1",
}
_WHY: Final[Mapping[str, RankingRule]] = {
    "address": RankingRule.ADDRESS_BAD,
    "not_found": RankingRule.ADDRESS_UNKNOWN,
    "inside": RankingRule.ADDRESS_INSIDE,
    "refused": RankingRule.ADDRESS_CLOSED,
    "certificate": RankingRule.ADDRESS_CERTIFICATE,
    "timeout": RankingRule.ADDRESS_SLOW,
    "broken": RankingRule.ADDRESS_BROKEN,
}
_turns = threading.BoundedSemaphore(_AT_ONCE)


def fetch_of_house() -> Fetch:
    """Reads addresses as the settings of the house that a request is of allow."""
    return fetch_by(str(house_part("webhook_setting") or "on"))


def fetch_by(setting: str) -> Fetch:
    """Reads addresses as a setting of ``GUINOTE_WEBHOOKS`` allows."""
    return partial(_fetch, setting)


def refuse_address(address: str, setting: str) -> None:
    """Refuse an address at which nothing is read: of HTTP, unless it may be inside.

    :raises Refused: it is one
    """
    try:
        is_secure = OutgoingAddress(address).is_secure
    except BadAddress:
        is_secure = False
    if not is_secure and setting != "local":
        raise Refused(RankingRule.ADDRESS_BAD)


def _fetch(setting: str, address: str) -> bytes:
    """What is at an address.

    :raises Refused: it cannot be had, or nothing is read at all
    """
    if setting == "off":
        raise Refused(RankingRule.READING_OFF)
    refuse_address(address, setting)
    if not _turns.acquire(blocking=False):
        raise Refused(RankingRule.READING_BUSY)
    try:
        return get(address, LARGEST, _HEADERS, is_inside_allowed=setting == "local")
    except NotRead as error:
        raise _refusal(error.why) from None
    finally:
        _turns.release()


def _refusal(why: str) -> Refused:
    if why == "too_large":
        return Refused(RankingRule.PUBLICATION_LARGE, most=LARGEST // 1024**2)
    if why.isdigit():
        return Refused(RankingRule.ADDRESS_STATUS, status=why)
    return Refused(_WHY.get(why, RankingRule.ADDRESS_BROKEN))

"""Upcasts: the body of an older version of an event, turned into that of the next version.

A row is never rewritten, so its leaf and every proof of it stay valid; it is upcast when it is
read. An upcast knows no class: what it returns is checked like a row of the next version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

EventBody: TypeAlias = dict[str, Any]
Upcast: TypeAlias = Callable[[EventBody], EventBody]


def upcast_address_subject(body: EventBody) -> EventBody:
    """Upcast of ``AddressRenewed.1``: its text ``subject`` becomes ``table`` or ``pair``.

    >>> [upcast_address_subject({"subject": one}) for one in ("table 3", "pair 0a1b")]
    [{'table': 3}, {'pair': '0a1b'}]

    :raises ValueError: it is neither a table nor a pair
    """
    kind, _, of = body["subject"].partition(" ")
    match kind:
        case "table":
            return {"table": int(of)}
        case "pair":
            return {"pair": of}
        case _:
            raise ValueError(kind)


def upcast_without_change(body: EventBody) -> EventBody:
    """Upcast that changes nothing: the later version of the event only allows further fields.

    >>> upcast_without_change({"word_from": "the raffle"})
    {'word_from': 'the raffle'}
    """
    return body


UPCASTS: Final[Mapping[str, Upcast]] = {
    "AddressRenewed.1": upcast_address_subject,
    "CorrectionSettled.1": upcast_without_change,  # drawn by the earlier method
    "DrawCommitted.1": upcast_without_change,  # its word_from was in clear
    "PairEntered.1": upcast_without_change,  # none after the draw of a knock-out
    "ResultTold.1": upcast_without_change,  # somebody won each walkover
    "RoundDrawn.1": upcast_without_change,  # drawn by the earlier method
    "TablesDrawn.1": upcast_without_change,  # its tables were not drawn by rotation
}
"""Upcasts by the older name."""

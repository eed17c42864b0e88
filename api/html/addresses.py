"""Full addresses for other devices.

What QR codes, links, printed sheets, calendars and mails lead to.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from flask import current_app, request, url_for

from api.http.access import records
from api.http.access.hosts import host_without_port, is_house_tls, is_loopback
from api.http.access.prefix import prefix
from api.http.access.reach import HouseReach

_PORTS = {"http": 80, "https": 443}


def origin_for_others() -> str:
    """Scheme and host by which other devices reach this site, to stand before a path.

    It is that of the request; for somebody who sits at this computer it is the one by which phones
    come in, if the house is open to them.
    """
    if not is_loopback(host_without_port(request.host)):
        is_ours = is_house_tls(request.environ)
        return (
            _origin_at(host_without_port(request.host)) if is_ours else request.host_url.rstrip("/")
        )
    reach: HouseReach | None = current_app.extensions.get("reach")
    addresses = reach.addresses_for_other_devices() if reach is not None else []
    return _origin_at(addresses[0]) if addresses else request.host_url.rstrip("/")


def root_for_others() -> str:
    """The full address of the first page as other devices reach it, with a slash at its end."""
    return f"{origin_for_others()}{prefix()}/"


def root_at(address: str) -> str:
    """The full address of this site under another host name or IP address of this computer."""
    return f"{_origin_at(address)}{prefix()}/"


def _origin_at(address: str) -> str:
    port = request_port()
    scheme = "http" if is_house_tls(request.environ) else request.scheme
    usual = "" if port == _PORTS[scheme] else f":{port}"
    return f"{scheme}://{address}{usual}"


def request_port() -> int:
    """The port of the address that was asked for."""
    _, _, typed = request.host.rpartition(":")
    return int(typed) if typed.isdecimal() else _PORTS[request.scheme]


def url_for_others(endpoint: str, **values: Any) -> str:
    """The full address of a page, as other devices reach it."""
    return f"{origin_for_others()}{url_for(endpoint, **values)}"


def encuentro_door_for_others(encuentro_id: UUID) -> str:
    """The address of the players' door of an encuentro, with its code where the club wants one."""
    code = records.query_with_record_code(encuentro_id)
    return url_for_others("pages.door.show_door", encuentro_id=encuentro_id, **code)


def is_only_here() -> bool:
    """Whether the addresses that are shown and printed now can be opened on this computer only."""
    return is_loopback(host_without_port(urlsplit(origin_for_others()).netloc))

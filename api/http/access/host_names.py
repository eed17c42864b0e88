"""Names and addresses of hosts, as they are compared and counted."""

from __future__ import annotations

import ipaddress
from typing import Any, Final

_NETWORK_V6: Final = 64


def host_name(asked: str) -> str:
    """A host as it is compared: without port, brackets and case.

    >>> [host_name(one) for one in ("Club.Example.:8443", "[::1]:80", "10.0.0.7", " a.local")]
    ['club.example', '::1', '10.0.0.7', 'a.local']
    """
    name = asked.strip().lower()
    if name.startswith("["):
        return name[1:].partition("]")[0]
    if name.count(":") == 1:
        name = name.partition(":")[0]
    return name.removesuffix(".")


def network_of(found: str) -> str:
    """An address as it is counted; empty if it is none.

    An address of IPv6 stands for its network, since a peer has all addresses of it.

    >>> [network_of(one) for one in ("10.0.0.7", "::ffff:10.0.0.7", "2001:db8::1:2", "")]
    ['10.0.0.7', '10.0.0.7', '2001:db8::/64', '']
    """
    try:
        address = ipaddress.ip_address(found)
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, _NETWORK_V6), strict=False))


def is_loopback(name: str) -> bool:
    """Whether a name is this computer, as names that end with ``.localhost`` are (RFC 6761)."""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def is_of_another_device(client: Any, server: Any) -> bool:
    """Whether a connection comes from elsewhere. ``client``, ``server``: addresses of sockets."""
    is_address = isinstance(client, tuple)
    return is_address and not is_loopback(client[0]) and client[0] != server[0]

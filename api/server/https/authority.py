"""The authority of the house: its certificate for HTTPS, made by one tap and renewed by itself.

It is limited to the local name and to addresses that routers give in homes and clubs. So a router
that gives another address needs nothing new on the phones, and who steals its key can impersonate
no site of the internet.
"""

from __future__ import annotations

import logging
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509

from api.accounts.house_https import SERVER_PEM, HouseHttps
from api.http.access.reach import LOCAL_NAME, own_addresses
from api.server.certificates import ROOT, Host, is_within, key_text, sign_certificate
from api.server.https.sockets import HouseTls
from projections.runner.runner import runner_lock
from referee.log.durable import FILE_MODE, replace_file
from referee.log.faults import repeat_in_thread

RENEWED_BEFORE: Final = timedelta(days=60)
LOOKED_EVERY_S: Final = 2.0
_NETWORKS: Final = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16")
"""Addresses that routers give, and those that computers give themselves (RFC 1918, 3927)."""
_log = logging.getLogger(__name__)


def house_https(folder: Path, *, is_offered: bool) -> HouseHttps:
    """HTTPS of a house, unless something else does it."""
    return HouseHttps(folder, keep_certificate if is_offered else None)


def house_tls(https: HouseHttps) -> HouseTls | None:
    """TLS for the doors of a server; None where something else does it."""
    return HouseTls(https.folder / SERVER_PEM) if https.is_offered else None


def keep_certificate(folder: Path) -> None:
    """Have a certificate for the addresses that this computer has now.

    :raises OSError: it cannot be written
    """
    certify(folder, own_addresses(), datetime.now(UTC))


def certify(folder: Path, addresses: list[Host], now: datetime) -> None:
    """Have a certificate for these addresses and the local name, good for the next weeks."""
    if _is_good(folder, addresses, now):
        return
    with runner_lock(folder, threading.Event()):  # one worker signs at one time
        if _is_good(folder, addresses, now):
            return
        hosts = (LOCAL_NAME, *_within(folder, addresses))
        certificate, key = sign_certificate(
            folder, hosts, now, limits=(LOCAL_NAME, *_NETWORKS, *addresses)
        )
        replace_file(folder / SERVER_PEM, certificate + key_text(key), FILE_MODE)


def _within(folder: Path, addresses: list[Host]) -> list[Host]:
    """Addresses for which the authority may sign: all of them if there is none yet."""
    try:
        root = x509.load_pem_x509_certificate((folder / ROOT).read_bytes())
    except OSError:
        return addresses
    return [one for one in addresses if is_within(root, one)]


def _is_good(folder: Path, addresses: list[Host], now: datetime) -> bool:
    """Whether the certificate names the addresses, and cannot be one for longer."""
    try:
        text = (folder / SERVER_PEM).read_bytes()
        root = x509.load_pem_x509_certificate((folder / ROOT).read_bytes())
    except OSError:
        return False
    found = x509.load_pem_x509_certificate(text)
    until = found.not_valid_after_utc
    names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    named = set(map(str, names.get_values_for_type(x509.IPAddress)))
    is_long = until - now > RENEWED_BEFORE or until >= root.not_valid_after_utc
    return is_long and named.issuperset(_within(folder, addresses))


def watch_certificate(https: HouseHttps) -> None:
    """Renew the certificate from now on, in a thread of its own."""
    if https.is_offered:
        repeat_in_thread("renewal of the certificate for HTTPS", https.renew, LOOKED_EVERY_S, _log)

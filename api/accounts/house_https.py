"""HTTPS of the house as pages know it: whether it is on, its authority, and who opened it.

Its files lie in the data folder and in no backup: they are of this computer, not of the club.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from referee.log.durable import FILE_MODE

SERVER_PEM: Final = "server.pem"
"""Certificate and key of the server in one file, so that both are replaced at once."""
_FOLDER: Final = "https"
_ROOT: Final = "root.crt"
_OPENED: Final = "opened"


class HouseHttps:
    """HTTPS of a data folder.

    ``keep``: Makes or renews the certificate, None where the house cannot offer HTTPS.
    """

    def __init__(self, folder: Path, keep: Callable[[Path], None] | None) -> None:
        self.folder, self._keep = folder / _FOLDER, keep

    @property
    def is_offered(self) -> bool:
        """Whether the house can offer HTTPS itself.

        Not where a proxy or another certificate does it.
        """
        return self._keep is not None

    def is_on(self) -> bool:
        """Whether the house speaks HTTPS now."""
        return self.is_offered and (self.folder / SERVER_PEM).exists()

    def turn_on(self) -> None:
        """Make an authority and a certificate; the next connection may be over HTTPS.

        :raises OSError: they cannot be written
        """
        if self._keep is not None:
            self._keep(self.folder)

    def renew_if_due(self) -> None:
        """Renew the certificate if it is time, or if this computer has another address.

        :raises OSError: it cannot be written
        """
        if self._keep is not None and self.is_on():
            self._keep(self.folder)

    def authority_certificate(self) -> bytes:
        """The certificate of the authority, as phones take it (DER)."""
        return ssl.PEM_cert_to_DER_cert((self.folder / _ROOT).read_text("ascii"))

    def fingerprint(self) -> str:
        """The SHA-256 of the authority, as phones show it."""
        return sha256(self.authority_certificate()).digest().hex(" ").upper()

    def note_opened(self) -> None:
        """Note that a device opened the house over HTTPS and trusts its certificate."""
        with suppress(OSError):
            (self.folder / _OPENED).touch(FILE_MODE)

    def was_opened_over_https(self) -> bool:
        """Whether a device has opened the house over HTTPS since that was turned on."""
        return (self.folder / _OPENED).exists()

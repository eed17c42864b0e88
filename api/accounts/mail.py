"""Mail: a short text to one address, by the server that the settings name, if they name one."""

from __future__ import annotations

import logging
import re
import smtplib
import ssl
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import Final, Literal, NamedTuple, TypeAlias
from urllib.parse import unquote, urlsplit

SERVER_VARIABLE: Final = "GUINOTE_SMTP"
"""``smtps://user@mail.example`` or ``smtp://user@mail.example:587``, without the password.

Mail goes over TLS, but to this computer; and with ``smtp+plain://``, to where it is said so.
"""
PASSWORD_VARIABLE: Final = "GUINOTE_SMTP_PASSWORD"  # noqa: S105 - the name of a setting
SENDER_VARIABLE: Final = "GUINOTE_SMTP_FROM"
Sent: TypeAlias = Literal["sent", "failed", "waiting"]
TIMEOUT_S: Final = 10.0
"""Of each step of the exchange with the server."""
PATIENCE_S: Final = 4.0
"""How long a request waits for it; after that it goes on by itself."""
_PORTS: Final = {"smtp": 587, "smtps": 465, "smtp+plain": 25}
_THIS_COMPUTER: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_THREADS: Final = 2
_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/^_{|}~-]+"
_ADDRESS: Final = re.compile(
    rf"(?=[^@]{{1,64}}@){_ATOM}(?:\.{_ATOM})*@[A-Za-z0-9-]{{1,63}}(?:\.[A-Za-z0-9-]{{1,63}})+"
)
"""Without ``=`` and ``?``, of which words in another alphabet are made in the head of a mail."""
_LONGEST: Final = 254
"""Characters of an address (RFC 5321)."""

_log = logging.getLogger(__name__)


def is_mail_address(text: str) -> bool:
    """Whether a text is one address of mail.

    >>> [is_mail_address(one) for one in ("ana@club.example", "ana", "a@b.c, d@e.f")]
    [True, False, False]
    """
    return len(text) <= _LONGEST and _ADDRESS.fullmatch(text) is not None


def normal_mail_address(address: str) -> str:
    """An address without what its holder may vary: capitals, and what follows a ``+``.

    >>> normal_mail_address("Ana+club@Club.example")
    'ana@club.example'
    """
    local, _, domain = address.lower().partition("@")
    return f"{local[:1]}{local[1:].partition('+')[0]}@{domain}"


class Letter(NamedTuple):
    """A mail that is to be sent: address, subject, text."""

    to: str
    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where mail is handed over. ``is_secret``: TLS from the first byte on.

    ``may_be_plain``: mail without a password may go to a server that has no TLS.
    """

    host: str
    port: int
    user: str
    password: str
    sender: str
    is_secret: bool
    may_be_plain: bool = False
    _threads: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(_THREADS, "mail"), repr=False
    )

    def send_and_wait(self, to: str, subject: str, text: str) -> Sent:
        """Hand a mail over; whether that is done, failed, or still going on."""
        letter = Letter(to, subject, text)
        going: Future[None] = self._threads.submit(self._hand_over, letter)
        try:
            going.result(PATIENCE_S)
        except TimeoutError:
            return "failed" if going.done() else "waiting"
        except (OSError, smtplib.SMTPException):
            return "failed"
        return "sent"

    def make_and_send_later(
        self, letters: Callable[[], Iterable[Letter]], if_failed: Callable[[], None] = lambda: None
    ) -> None:
        """Make letters and hand them over, in a thread of this server; nobody waits for it.

        ``if_failed``: what is done, in that thread, for a letter that was not taken.
        """
        self._threads.submit(self._make_and_send_each, letters, if_failed)

    def _make_and_send_each(
        self, letters: Callable[[], Iterable[Letter]], if_failed: Callable[[], None]
    ) -> None:
        try:
            for one in letters():
                try:
                    self._hand_over(one)
                except (OSError, smtplib.SMTPException):
                    if_failed()
        except Exception:  # noqa: BLE001 - nobody asks this thread what came of it
            _log.exception("no mail was made")

    def _hand_over(self, letter: Letter) -> None:
        """Send a letter to the mail server; a password goes over TLS only.

        :raises OSError: the server cannot be reached, or its certificate is wrong
        :raises SMTPException: it does not take the mail
        """
        made = EmailMessage()
        made["From"], made["To"] = Address(addr_spec=self.sender), Address(addr_spec=letter.to)
        made["Subject"] = letter.subject
        made["Date"], made["Message-ID"] = formatdate(), make_msgid(domain="guinote.invalid")
        made["Auto-Submitted"] = "auto-generated"
        made.set_content(letter.text)
        try:
            with self._connect() as server:
                if self.user:
                    server.login(self.user, self.password)
                server.send_message(made, self.sender, [letter.to])
        except (OSError, smtplib.SMTPException) as error:
            _log.warning("no mail was sent: %s", type(error).__name__)
            raise

    def _connect(self) -> smtplib.SMTP:
        trusted = ssl.create_default_context()
        if self.is_secret:
            return smtplib.SMTP_SSL(self.host, self.port, timeout=TIMEOUT_S, context=trusted)
        server = smtplib.SMTP(self.host, self.port, timeout=TIMEOUT_S)
        try:
            server.ehlo()
            if self.user or not self.may_be_plain or server.has_extn("starttls"):
                server.starttls(context=trusted)  # a server without it is refused
                server.ehlo()
        except BaseException:
            server.close()
            raise
        return server


def mail_server_from_settings(address: str, password: str, sender: str) -> MailServer | None:
    """The server that the settings name; None without one.

    >>> address = "smtps://ana%40club.example@mail.example"
    >>> found = mail_server_from_settings(address, "x", "mesas@club.example")
    >>> (found.host, found.port, found.user, found.is_secret)
    ('mail.example', 465, 'ana@club.example', True)

    :raises ValueError: the settings do not name a server and a sender
    """
    if not address:
        return None
    parts = urlsplit(address)
    if parts.scheme not in _PORTS or not parts.hostname or parts.password is not None:
        raise ValueError("not as smtps://user@mail.example, without a password")
    if not is_mail_address(sender):
        message = f"{SENDER_VARIABLE} is to name the address that mail comes from"
        raise ValueError(message)
    port = parts.port or _PORTS[parts.scheme]
    user = unquote(parts.username or "")
    may_be_plain = parts.scheme == "smtp+plain" or parts.hostname in _THIS_COMPUTER
    return MailServer(
        *(parts.hostname, port, user, password, sender, parts.scheme == "smtps"), may_be_plain
    )

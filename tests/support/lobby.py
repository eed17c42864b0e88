"""A visitor of the lobby of an installation, and its owner."""

from __future__ import annotations

from contextlib import closing
from http.client import HTTPResponse
from typing import Final
from urllib.parse import urlencode

from api.http.access.tokens import Owner
from tests.support.html import Html
from tests.support.installation import Installation
from tests.support.read_pages import Reader

_OF_A_PAGE: Final = {
    "Content-Type": "application/x-www-form-urlencoded",
    "Accept-Language": "es",
    "Sec-Fetch-Site": "same-origin",
}


class LobbyVisitor(Reader):
    """Who reads pages of the lobby and sends its forms."""

    def __init__(self, installation: Installation) -> None:
        super().__init__(installation)
        self.installation = installation
        self.place = f"http://{installation.host}:{installation.port}"

    def send(
        self, path: str, headers: dict[str, str] | None = None, /, **form: str
    ) -> HTTPResponse:
        """The answer to a form, of which ``self.shown`` is the page."""
        of_page = {"Referer": self.place + path, "Cookie": self.cookie}
        given = {**_OF_A_PAGE, **of_page, **(headers or {})}
        with closing(self.installation.connection()) as connection:
            connection.request("POST", path, urlencode(form), given)
            answer = connection.getresponse()
            self.shown = Html(answer.read().decode())
            return answer

    def sign_in(self) -> None:
        """Become the owner of the installation."""
        answer = self.send("/entrar", token=Owner(self.installation.clubs.path).token())
        assert (answer.status, answer.headers["Location"]) == (303, "/instalacion")
        self.cookie = answer.headers["Set-Cookie"].partition(";")[0]

    def invitation(self) -> str:
        """Path of a new invitation, which the owner makes on their page."""
        assert self.send("/instalacion/invitaciones").status == 200
        (link,) = self.shown.values(".offer a", "href")
        return "/" + str(link).split("/", 3)[3]

"""Pages of a running service as they are sent: their HTML, and the weight of all that a first visit loads."""

from __future__ import annotations

import gzip
import re
from contextlib import closing
from http.client import HTTPResponse
from urllib.parse import urljoin, urlsplit

from tests.support.html import Html
from tests.support.servers.cookies import cookie_of
from tests.support.servers.served import Served

HEAVIEST_PAGE = 150_000
_IMPORTED = re.compile(r"""(?:\bfrom|\bimport)\s*["']([^"']+)["']""")


class Reader:
    """Who reads pages without a browser: a visitor, the owner, or who has a cookie."""

    def __init__(self, served: Served, *, signed_in: bool = False, cookie: str = "") -> None:
        self.served = served
        self.cookie = cookie_of(served) if signed_in else cookie

    def get(self, path: str, **headers: str) -> tuple[HTTPResponse, bytes]:
        """Any answer to a request, with its content."""
        asked = {"Accept-Language": "es-ES", "Cookie": self.cookie, **headers}
        with closing(self.served.connection()) as connection:
            connection.request("GET", path, None, asked)
            answer = connection.getresponse()
            return answer, answer.read()

    def page(self, path: str, **headers: str) -> Html:
        """A page, which there must be."""
        answer, content = self.get(path, **headers)
        assert answer.status == 200, (path, answer.status, content.decode()[:1000])
        return Html(content.decode())

    def weight(self, path: str, *later: str, is_packed: bool = True) -> int:
        """Bytes of HTML, CSS and JavaScript of a page as sent at its first visit, or unpacked.

        ``later``: files that its scripts ask for by themselves.
        """
        waiting, weights = [path, *later], dict[str, int]()
        while waiting:
            one = waiting.pop()
            if one in weights:
                continue
            packed, text = self._file(one)
            weights[one] = packed if is_packed else len(text.encode())
            named = _IMPORTED.findall(text) if one != path else self._files_of(Html(text))
            waiting += [urlsplit(urljoin(one, name)).path for name in named]
        return sum(weights.values())

    def _file(self, path: str) -> tuple[int, str]:
        """Bytes that are sent, and their text."""
        answer, content = self.get(path, **{"Accept-Encoding": "gzip"})
        assert answer.status == 200, (path, answer.status)
        is_packed = answer.headers["Content-Encoding"] == "gzip"
        return len(content), (gzip.decompress(content) if is_packed else content).decode()

    @staticmethod
    def _files_of(page: Html) -> list[str]:
        """Style sheets and scripts that a page loads."""
        sheets = page.values("link[rel=stylesheet]", "href")
        return [one for one in (*sheets, *page.values("script[src]", "src")) if one]

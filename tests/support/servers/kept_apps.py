"""Applications that one test after another uses: routes, schemas and templates are prepared once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from flask import Flask

from api.http.access.tokens import Owner
from api.http.services import Services
from api.server import application, wiring
from tests.support.servers.http_table import HttpTable


class Deferred:
    """Placeholder for services and owner, which are others at each use of an application."""

    real: Any = None

    def __call__(self) -> Any:
        return self.real()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)


class KeptApp:
    """An application whose services and owner are set at each use."""

    def __init__(self, create_app: Callable[..., Flask], unusable: Sequence[type[Exception]]):
        self._services, self._owner = Deferred(), Deferred()
        self.app = create_app(self._services, self._owner, unusable)
        self._wsgi_app = self.app.wsgi_app

    def use(self, services: Callable[[], Services], owner: Owner) -> Flask:
        """The application with these services."""
        self._services.real, self._owner.real = services, owner
        self.app.wsgi_app = self._wsgi_app  # type: ignore[method-assign]  # without a proxy of before
        self.app.extensions["guinote"] = services
        return self.app


_free: list[KeptApp] = []


@contextmanager
def kept_app(folder: Path) -> Iterator[Flask]:
    """``wiring.app``, in an application that no other test uses now."""
    used: list[KeptApp] = []
    create_app = application.create_app

    def again(services: Any, owner: Any, unusable: Any) -> Flask:
        used.append(_free.pop() if _free else KeptApp(create_app, unusable))
        return used[0].use(services, owner)

    application.create_app = again
    try:
        app = wiring.app(folder)
    finally:
        application.create_app = create_app
    yield app
    _free.extend(used)


@contextmanager
def kept_table(folder: Path) -> Iterator[HttpTable]:
    """A club over HTTP in such an application."""
    with kept_app(folder) as app, closing(HttpTable(folder, app)) as found:
        yield found

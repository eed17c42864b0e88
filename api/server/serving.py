"""How gunicorn serves the application: two workers with few threads each, and a projector.

The worker is ``WholeRequestWorker``: gunicorn's ``gthread``, but it reads and closes in its main
loop, without waiting for a peer. With the stock worker as many slow peers as there are threads stop
the service (docs/developing/adr/0026-doors.md).

Writers wait for one SQLite file, so more threads would only wait longer; two processes use both
cores of a small machine. The program is loaded once, before the fork: this halves the work of a
start, and a worker that replaces a dead one is ready at once. Live streams have additional threads,
so they take none from other requests.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, Final

from gunicorn.app.base import BaseApplication

from api.club.phones.book import forget_phones_in_thread
from api.monitoring.log_lines import logging_settings
from api.monitoring.measures import Measures
from api.publication.issue import start_issue_thread
from api.server.certificates import TLS_VARIABLES
from api.server.clubs.folder import CLUBS_VARIABLE
from api.server.connections import gunicorn_tls_context
from api.server.faults.exits import STORE_ERRORS
from api.server.faults.read_only import run_when_writable
from api.server.house_backups import start_daily_backups
from api.server.https import house_tls, start_certificate_renewal
from api.server.local_network import start_worker_listener_updates
from api.server.restoration.preparation import is_restoration_pending
from api.server.serve_settings import bind_address, thread_count_in_settings
from api.server.side_processes import Projector, notary_process
from api.server.webhooks import start_webhook_thread
from api.server.worker import SETTINGS_READ, WholeRequestWorker
from referee.log.faults import error_in_one_line
from referee.log.ports import NewerData

DEFAULT_WORKERS: Final = 2
_may_begin_anew: Final = threading.Event()
"""Whether this process starts anew by itself; a gunicorn of somebody else would only end."""


def gunicorn_settings() -> dict[str, Any]:
    """Settings of gunicorn; ``GUINOTE_BIND``, ``_WORKERS``, ``_THREADS`` override the defaults."""
    SETTINGS_READ.set()
    memory = Path("/dev/shm")  # noqa: S108 - only the heartbeat of the workers is there
    hooks = _hooks_of_clubs() if os.environ.get(CLUBS_VARIABLE) else _hooks_of_house()
    return {
        "bind": bind_address(),
        "worker_class": WholeRequestWorker,
        "workers": int(os.environ.get("GUINOTE_WORKERS", str(DEFAULT_WORKERS))),
        "threads": thread_count_in_settings(),
        "timeout": 30,
        "graceful_timeout": 20,
        "keepalive": 5,
        "max_requests": 0,
        "preload_app": True,
        "control_socket_disable": True,
        "forwarded_allow_ips": "127.0.0.1,::1",
        "forwarder_headers": "",  # no header of a visitor changes the path, whatever a proxy passes
        "worker_tmp_dir": str(memory) if memory.is_dir() else None,
        "accesslog": None,
        "logconfig_dict": logging_settings(),
        "umask": 0o077,
        "limit_request_line": 4094,
        "pre_fork": assign_counter_row,
        **hooks,
        **_tls_settings(),
    }


def _hooks_of_house() -> dict[str, Any]:
    """Hooks of gunicorn for a house alone."""
    beside = (Projector("projections", "--attached"), notary_process())
    return {
        "on_starting": restore_and_check_stores,
        "when_ready": _hook_that_calls_all(one.start for one in beside),
        "post_worker_init": set_up_worker,
        "on_exit": _hook_that_calls_all(one.stop for one in beside),
    }


def _hooks_of_clubs() -> dict[str, Any]:
    """Hooks of gunicorn for an installation of many clubs, each looked at when it is opened."""
    from api.server.clubs.notary import clubs_notary_process  # noqa: PLC0415 - as below
    from api.server.clubs.serving import set_up_clubs_worker  # noqa: PLC0415 - a house alone has none of it

    beside = (
        Projector("api.server.clubs.projector"),
        clubs_notary_process(),
    )
    return {
        "when_ready": _hook_that_calls_all(one.start for one in beside),
        "post_worker_init": set_up_clubs_worker,
        "on_exit": _hook_that_calls_all(one.stop for one in beside),
    }


def restore_and_check_stores(arbiter: Any) -> None:
    """Restore a waiting backup and check every store before the workers start.

    End the process on a fault.

    Nothing of it is open when the workers are forked.
    """
    del arbiter
    from api.server import wiring  # noqa: PLC0415 - the environment says where the data are
    from api.server.faults.start_check import check_stores_or_exit  # noqa: PLC0415 - it needs the above
    from api.server.restoration.swap import finish_restoration  # noqa: PLC0415 - as above

    finish_restoration(wiring.files_of_folder())
    check_stores_or_exit(wiring.files_of_folder())


def _hook_that_calls_all(hooks: Iterable[Callable[[Any], None]]) -> Callable[[Any], None]:
    """A hook of gunicorn that calls several."""
    every = tuple(hooks)

    def call_hooks(arbiter: Any) -> None:
        for hook in every:
            hook(arbiter)

    return call_hooks


def _tls_settings() -> dict[str, Any]:
    """Settings of gunicorn for HTTPS with the certificate of the environment; empty without one."""
    certificate, key = (os.environ.get(name, "") for name in TLS_VARIABLES)
    if not (certificate and key):
        return {}
    return {"certfile": certificate, "keyfile": key, "ssl_context": gunicorn_tls_context}


def assign_counter_row(arbiter: Any, worker: Any) -> None:
    """Give a worker that is about to be forked a row of the shared numbers."""
    there = arbiter.WORKERS.values()
    measures: Measures = arbiter.app.wsgi().extensions["measures"]
    worker.row = measures.numbers.find_free_row(one.row for one in there)


def set_up_worker(worker: Any) -> None:
    """Open the log in the worker, after the fork, so that the first request does not wait.

    If a store cannot be opened now, each request retries. Streams end when the worker is
    stopped, since gunicorn would wait for them.
    """
    extensions = worker.app.callable.extensions
    extensions["measures"].numbers.use_row(worker.row)
    home = extensions["guinote"]
    stop: Any = signal.getsignal(signal.SIGTERM)

    def end_streams_and_stop(*which: Any) -> None:
        # In a thread of its own: the interrupted one may hold a lock.
        threading.Thread(target=home.end_streams, daemon=True).start()
        stop(*which)

    signal.signal(signal.SIGTERM, end_streams_and_stop)
    home.on_newer = partial(_end_server_for_newer_data, worker)
    extensions["log_check"].start(extensions["measures"].began)
    worker.house_tls = house_tls(extensions["https"])
    start_worker_listener_updates(worker, extensions["reach"], home.files.folder)
    start_certificate_renewal(extensions["https"])
    start_daily_backups(extensions["backups"])
    forget_phones_in_thread(home)
    start_issue_thread(home)
    if _may_begin_anew.is_set():
        extensions["backups"].restart = partial(os.kill, worker.ppid, signal.SIGTERM)
    try:
        if home().no_writes:
            # it ends, and the master starts another one
            run_when_writable(home.files.folder, lambda: os.kill(os.getpid(), signal.SIGTERM))
            return
    except NewerData as newer:
        _end_server_for_newer_data(worker, newer)
    except STORE_ERRORS as error:
        worker.log.warning("a store cannot be opened yet: %s", error_in_one_line(error))
    start_webhook_thread(worker.app.callable)


def _end_server_for_newer_data(worker: Any, newer: NewerData) -> None:
    """End the whole server, since a later release has written data that this one may misread."""
    worker.log.critical("%s", newer)
    os.kill(worker.ppid, signal.SIGTERM)


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn with these settings, in this process."""

    def load_config(self) -> None:
        """Load the settings."""
        for name, value in gunicorn_settings().items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """The application, made once before the fork; it has no open files then."""
        from api.server import wiring  # noqa: PLC0415 - the environment says where the data are
        from api.server.clubs.composition import clubs_app  # noqa: PLC0415 - as above

        return clubs_app() if os.environ.get(CLUBS_VARIABLE) else wiring.app()


def run() -> None:
    """Serve with gunicorn until stopped.

    Restart in the same process to restore a backup that a page chose.
    """
    from api.server import wiring  # noqa: PLC0415 - the environment says where the data are

    _may_begin_anew.set()
    try:
        Server().run()
    except SystemExit:
        if os.environ.get(CLUBS_VARIABLE) or not is_restoration_pending(
            wiring.files_of_folder().folder
        ):
            raise
        words = [one for one in sys.orig_argv[1:] if one != "--open"]
        os.execv(sys.executable, [sys.executable, *words])  # noqa: S606 - this program, as it was started

"""What a worker of gunicorn does for many clubs, beside answering."""

from __future__ import annotations

import signal
import threading
from functools import partial
from typing import Any

from api.server.clubs.composition import ClubsProcess
from api.server.clubs.daily import look_daily
from api.server.clubs.folder import ClubsFolder
from api.server.clubs.keeper import keep_notary
from api.server.clubs.pool import MOST_FILES
from api.server.clubs.projector import follow_clubs
from api.server.clubs.turns import REFUSED_FOR_S, FairTurns, host_of, request_path
from api.server.clubs.webhooks import watch_webhooks_of_clubs
from api.server.faults.early import EarlyRefusal
from api.server.serve_settings import path_below
from api.server.side_processes import takeover_timeout_s
from referee.system import ports


def begin_work(worker: Any) -> None:
    """Begin, after the fork: clubs are opened when asked for; this worker stands by to follow."""
    extensions = worker.app.callable.extensions
    extensions["measures"].numbers.use_row(worker.row)
    here: ClubsProcess = extensions["installation"]
    stop: Any = signal.getsignal(signal.SIGTERM)

    def stopping(*which: Any) -> None:
        # In a thread of its own: the interrupted one may hold a lock.
        threading.Thread(target=here.clubs.end_streams, daemon=True).start()
        stop(*which)

    signal.signal(signal.SIGTERM, stopping)
    ports.allow_files(MOST_FILES)
    worker.turns, worker.club_of = FairTurns(), here.folder.club_of
    worker.refusal_of = partial(
        _refuse, here.folder, EarlyRefusal(worker.app.callable, "busy", REFUSED_FOR_S)
    )
    here.clubs.watch()
    watch_webhooks_of_clubs(worker.app.callable, here.folder)
    ending = threading.Event()  # of the process, which ends these threads
    for work in (
        partial(follow_clubs, here.folder, ending, takeover_timeout_s()),
        partial(look_daily, here.folder, here.clubs),
        partial(keep_notary, here.folder),
    ):
        threading.Thread(target=work, daemon=True).start()


def _refuse(folder: ClubsFolder, refusal: EarlyRefusal, request: bytes) -> bytes:
    """The answer to a request that does not wait for its turn, in the words of its club."""
    host, path, below = host_of(request), request_path(request), path_below()
    if folder.is_of_all(host) and (name := folder.club_of(host, path)):
        below, path = f"{below}/{name}", path.removeprefix(f"/{name}")
    return refusal.answer_to(request, path, below)

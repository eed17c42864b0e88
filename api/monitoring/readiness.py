"""Whether the service can do its work: each store is written and read, each other part looked at.

A write reaches the disk and changes nothing. However many ask, a process checks once a second.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from api.http.clock.witnesses import Witness
from api.http.services import Services
from referee.audit.auditor import NotSigned
from referee.audit.notary import OF_ANOTHER
from referee.log.faults import error_in_one_line

FRESH_S: Final = 1.0
"""Time for which a report is given again."""
PATIENCE_S: Final = 2.0
"""Time that an asker waits for the check of another; then the check is too slow."""
MOST_BEHIND: Final = 1000
"""Lag of the views, in events, from which the process is not ready."""
LEAST_FREE: Final = 8 * 2**20
"""Bytes below which the disk is full: journals and the next backup of a page need some."""
DAMAGED: Final = "damaged"
"""Begins the fault of a log of which a page is."""
NOTARY_LATE_S: Final = 900.0
"""Age of the latest checkpoint from which a notary with something to sign is late."""

_WITNESSES: Final[Mapping[Witness, str]] = {
    "browsers": "the browsers of those who are signed in",
    "log": "the newest act",
    "notary": "what the notary signed",
}

PartName = Literal[
    "log", "names", "accounts", "security", "views", "notary", "clock", "webhooks", "disk"
]


class PartData(msgspec.Struct, frozen=True, kw_only=True):
    """State of a part. ``failed``: the service is not ready. ``late``, ``absent``: it is, still.

    ``fault``: what is wrong. ``behind``: events not in the views. ``age_s``: of the oldest of them,
    or of the checkpoint. ``here``: why the notary of this computer does not sign, if another one
    does. ``free``, ``size``: bytes of the disk.
    """

    status: Literal["ok", "late", "absent", "failed"]
    fault: str | UnsetType = UNSET
    behind: int | UnsetType = UNSET
    age_s: float | UnsetType = UNSET
    here: str | UnsetType = UNSET
    free: int | UnsetType = UNSET
    size: int | UnsetType = UNSET


class Report(dict[str, PartData]):
    """State of each part by its name."""

    def part(self, name: PartName) -> PartData:
        """State of a part; absent if it was not looked at."""
        return self.get(name) or PartData(status="absent")

    @property
    def is_ready(self) -> bool:
        """Whether no part has failed."""
        return all(part.status != "failed" for part in self.values())

    @property
    def is_log_damaged(self) -> bool:
        """Whether a page of the log is damaged."""
        return (self.part("log").fault or "").startswith(DAMAGED)

    @property
    def is_notary_late_or_failed(self) -> bool:
        """Whether the notary is late to sign, or looking at it failed."""
        return self.part("notary").status in ("late", "failed")

    @property
    def view_lag(self) -> int:
        """Events that the views do not have yet."""
        return self.part("views").behind or 0


class Readiness:
    """The report on readiness of a process, made again when somebody asks and it is a second old.

    ``damage``: what the last check of the whole log has found.
    """

    def __init__(
        self,
        services: Callable[[], Services],
        folder: Path,
        *,
        damage: Callable[[], str] = str,
        fresh_s: float = FRESH_S,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._services, self._folder, self._damage = services, folder, damage
        self._fresh_s, self._patience_s = fresh_s, patience_s
        self._turn = threading.Lock()
        self._report, self._made = Report(), float("-inf")

    def report(self) -> Report:
        """State of each part, not older than ``fresh_s``."""
        if not self._turn.acquire(timeout=self._patience_s):
            return Report(check=PartData(status="failed", fault="too slow"))
        try:
            if time.monotonic() >= self._made + self._fresh_s:
                self._report = Report(self._parts())
                self._made = time.monotonic()
            return self._report
        finally:
            self._turn.release()

    def _parts(self) -> Iterator[tuple[str, PartData]]:
        yield "disk", _part_or_failure(lambda: state_of_disk(self._folder))
        try:
            here = self._services()
        except Exception as error:  # noqa: BLE001 - whatever prevents the opening is the answer
            yield "opening", PartData(status="failed", fault=error_in_one_line(error))
            return
        if here.no_writes:  # what is checked below is a copy in memory
            yield "writing", PartData(status="failed", fault=here.no_writes)
        parts: dict[PartName, Callable[[], PartData]] = {
            "log": lambda: self._state_of_log(here),
            "names": lambda: _ok_part_after_check(here.persons.check_key_and_store),
            "accounts": lambda: _ok_part_after_check(here.keys.tables.check_by_writing),
            "security": lambda: _ok_part_after_check(here.security.check_by_writing),
            "views": lambda: state_of_views(here),
            "notary": lambda: state_of_notary(here),
            "clock": lambda: state_of_clock(here),
            "webhooks": lambda: state_of_webhooks(here),
        }
        for name, part in parts.items():
            yield name, _part_or_failure(part)

    def _state_of_log(self, here: Services) -> PartData:
        """State of the log: failed if it cannot be written or read, or a page of it is damaged."""
        if damage := self._damage():
            return PartData(status="failed", fault=f"{DAMAGED}: {damage}")
        return _ok_part_after_check(here.referee.check_by_writing)


def _ok_part_after_check(check: Callable[[], None]) -> PartData:
    check()
    return PartData(status="ok")


def _part_or_failure(part: Callable[[], PartData]) -> PartData:
    """State of a part; failed if looking at it raises an exception."""
    try:
        return part()
    except Exception as error:  # noqa: BLE001 - whatever is wrong, the part has failed
        return PartData(status="failed", fault=error_in_one_line(error))


def state_of_views(here: Services) -> PartData:
    """State of the views: how far they are behind the log.

    Failed if they know events that the log has lost.
    """
    if missed := here.reads.position_of_lost_event_or_zero():
        return PartData(status="failed", fault=f"acts up to {missed} were read and are lost")
    read, last = here.reads.position(), here.referee.position()
    behind = max(0, last - read)
    age_s = _age_s(here, here.referee.moment_text_at_or_none(read + 1)) if behind else 0.0
    return PartData(
        status="failed" if behind > MOST_BEHIND else "ok",
        behind=behind,
        age_s=age_s,
    )


def state_of_notary(here: Services) -> PartData:
    """State of the notary, by the age of its latest checkpoint.

    Failed if the log has fewer events than were signed.

    It is late at once if the notary of this computer says why it cannot sign.
    """
    idle, found = here.auditor.notary_idle_reason(), _state_of_checkpoint(here)
    if not idle:
        return found
    if idle not in OF_ANOTHER and found.status != "failed":
        return replace(found, status="late", here=idle)
    return replace(found, here=idle)


def _state_of_checkpoint(here: Services) -> PartData:
    try:
        checkpoint = here.auditor.require_latest_checkpoint()
    except NotSigned:
        return PartData(status="absent")
    last = here.referee.position()
    if last < checkpoint.size:
        fault = f"the log has {last} events, and {checkpoint.size} were signed"
        return PartData(status="failed", fault=fault)
    age_s = max(0.0, here.clock().timestamp() - checkpoint.published)
    is_late = age_s > NOTARY_LATE_S and last > checkpoint.size
    return PartData(status="late" if is_late else "ok", age_s=round(age_s, 1))


def state_of_clock(here: Services) -> PartData:
    """State of the clock of this computer: late if other clocks show that it is wrong."""
    found = here.clock_fault()
    if found is None:
        return PartData(status="ok")
    side = "behind" if found.behind_s > 0 else "ahead of"
    fault = f"{abs(found.behind_s):.0f} s {side} {_WITNESSES[found.witness]}"
    return PartData(status="late", fault=fault)


def state_of_webhooks(here: Services) -> PartData:
    """State of the webhooks: late if one is stopped because it has failed for days."""
    stopped = sum(
        one.stopped_at is not None for one in here.deliveries.progress_by_webhook().values()
    )
    return PartData(status="late", fault=f"{stopped} stopped") if stopped else PartData(status="ok")


def state_of_disk(folder: Path) -> PartData:
    """State of the disk of the data folder: failed if it is full."""
    size, _, free = shutil.disk_usage(folder)
    return PartData(status="ok" if free >= LEAST_FREE else "failed", free=free, size=size)


def _age_s(here: Services, moment: str | None) -> float:
    if moment is None:
        return 0.0
    since = datetime.fromisoformat(moment).astimezone(UTC)
    return round(max(0.0, (here.clock() - since).total_seconds()), 1)

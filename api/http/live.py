"""Live updates of boards by server-sent events, for public changes only.

One thread of the process queries the content of each board when the views have changed. A message
is sent if the tag of the content changed, so number, size and ids of messages reveal nothing that
is not public. A stream holds a thread of the server, so their number is limited: an address has
a share of the places, and a reader who is signed in takes the place of a stranger if none is free.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Final, Literal, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from referee.errors import NotFound
from referee.log.faults import FaultLog
from referee.system import ports

STREAMS_VARIABLE: Final = "GUINOTE_STREAMS"
DEFAULT_STREAMS: Final = 48
"""Most streams of a process at one time."""
SHARE: Final = 4
"""An address has one place in so many, and this number of places at least."""
PERIOD_S: Final = 0.1
AFRESH_S: Final = 5.0
"""Interval of queries without a change of the views: a name may be erased, or a day end."""
BEAT_S: Final = 15.0
LIFE_S: Final = 300.0
"""Life of a stream, which the client then opens again, so that a lost peer frees its place."""
_RETRY: Final = b"retry: 2000\n\n"
_BEAT: Final = b"event: beat\ndata: -\n\n"

_log = logging.getLogger(__name__)


class NoFreeStream(Exception):  # noqa: N818 - what is the case, as the other refusals
    """No stream is free, or the process is about to end."""


class StreamEventData(msgspec.Struct, frozen=True, kw_only=True):
    """view: the whole view, with its tag as id; beat: nothing new."""

    event: Literal["view", "beat"]
    id: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")] | UnsetType = UNSET
    data: str


class ChangeEventData(msgspec.Struct, frozen=True):
    """change: the tag of a view, a space, its address after ``/public/``; beat: nothing new."""

    event: Literal["change", "beat"]
    data: str


class BoardMessage(NamedTuple):
    """Content of a board: its hash, and one line of JSON."""

    tag: str
    body: bytes

    def view_event_bytes(self) -> bytes:
        """Bytes of the event for a stream of one board."""
        return b"id: %s\nevent: view\ndata: %s\n\n" % (self.tag.encode(), self.body)

    def change_event_bytes(self, name: str) -> bytes:
        """Bytes of the event for a stream of several boards: the name of this one, and its tag."""
        return b"event: change\ndata: %s %s\n\n" % (self.tag.encode(), name.encode())


class StreamReader(NamedTuple):
    """Who reads a stream. ``address``: empty if it is not known, and then it has no share.

    ``is_known``: a paired device, or somebody who is signed in. ``connection``: descriptor of the
    socket, open until the stream is closed.
    """

    address: str = ""
    is_known: bool = False
    connection: int | None = None


@dataclass(slots=True, eq=False)
class _Channel:
    """Content of one address, for all its watchers."""

    ask: Callable[[], BoardMessage]
    shown: BoardMessage


_UNKNOWN: Final = StreamReader()


def _board_contents(asks: Mapping[str, Callable[[], BoardMessage]]) -> dict[str, BoardMessage]:
    """Present content of each of these boards that exists.

    :raises NotFound: there is none
    """
    shown: dict[str, BoardMessage] = {}
    for name, ask in asks.items():
        with suppress(NotFound):
            shown[name] = ask()
    if not shown:
        raise NotFound(" ".join(asks))
    return shown


def stream_limit() -> int:
    """Number of streams of a process, from the environment."""
    return max(0, int(os.environ.get(STREAMS_VARIABLE, str(DEFAULT_STREAMS))))


class StreamPlaces:
    """Places for streams that several hubs of a process share; each has a third of them at most.

    ``strangers``: streams of strangers, the oldest first.
    """

    PART: Final = 3

    def __init__(self, places: int) -> None:
        self._free, self.most = places, max(1, places // self.PART)
        self._share = max(SHARE, places // self.PART)
        self._asking: Counter[str] = Counter()  # strangers, by address
        self._turn = threading.Lock()
        self.strangers: dict[LiveStream, None] = {}

    def try_take_place(self, reader: StreamReader) -> bool:
        """Take a place for a reader; returns whether there was one.

        Strangers have a share by address.
        """
        with self._turn:
            is_over = not reader.is_known and self._asking[reader.address] >= self._share
            is_free = self._free > 0 and not (reader.address and is_over)
            if is_free:
                self._count_place(reader, 1)
        return is_free

    def take_next_released_place(self, reader: StreamReader) -> None:
        """Take the place that is released next, though none is free now."""
        with self._turn:
            self._count_place(reader, 1)

    def take_place_of_stranger(self, reader: StreamReader) -> LiveStream:
        """Take the place of a stranger's stream, which is returned, in the hub with most strangers.

        :raises NoFreeStream: there is none, or this reader is a stranger too
        """
        with self._turn:
            there = [one for one in list(self.strangers) if not one.is_left]
            if not (reader.is_known and there):
                raise NoFreeStream
            of_hubs = Counter(one.hub for one in there)
            left = next(one for one in there if one.hub is of_hubs.most_common(1)[0][0])
            left.is_left = True
            self._count_place(reader, 1)
        return left

    def release_place(self, reader: StreamReader) -> None:
        """Make the place of a reader free again."""
        with self._turn:
            self._count_place(reader, -1)

    def _count_place(self, reader: StreamReader, taken: int) -> None:
        self._free -= taken
        if not reader.is_known:
            self._asking[reader.address] += taken
            if not self._asking[reader.address]:
                del self._asking[reader.address]


class LiveHub:
    """Live streams of this process, and the thread that asks the boards for changes.

    ``position``: log position of the views. ``chance``: returns a number from 0 to 1, which spreads
    the ends of streams. ``beat_s`` and ``life_s`` may be set before a stream begins.
    ``on_count`` is told how many streams are open. ``shared``: places of all hubs of the process.
    """

    def __init__(
        self,
        position: Callable[[], int],
        slots: int,
        chance: Callable[[], float],
        shared: StreamPlaces | None = None,
    ) -> None:
        self._position, self._chance = position, chance
        self._shared = shared or StreamPlaces(StreamPlaces.PART * slots)
        self._free = min(slots, self._shared.most)
        self._share = max(SHARE, self._free // SHARE)
        self._news = threading.Condition()
        self._wanted = threading.Event()
        self._channels: dict[str, _Channel] = {}
        self._watches: dict[LiveStream, None] = {}  # the oldest first
        self._asking: Counter[str] = Counter()  # strangers, by address
        self._thread: threading.Thread | None = None
        self._at, self._looked = -1, 0.0
        self._faults = FaultLog(_log)
        self.is_closing = False
        self.on_count: Callable[[int], None] = lambda _: None
        self.beat_s, self.life_s = BEAT_S, LIFE_S

    def open_stream(
        self, name: str, ask: Callable[[], BoardMessage], reader: StreamReader = _UNKNOWN
    ) -> LiveStream:
        """Open a stream of a board. ``ask``: returns the content of the board.

        :raises NoFreeStream: no place is free for this reader
        """
        return self.open_stream_of_boards({name: ask}, reader)

    def open_stream_of_boards(
        self, asks: Mapping[str, Callable[[], BoardMessage]], reader: StreamReader = _UNKNOWN
    ) -> LiveStream:
        """Open one stream of several boards, those that exist; it takes one place.

        :raises NoFreeStream: no place is free for this reader
        :raises NotFound: none of the boards is there
        """
        with self._news:
            left = self._take_place_maybe_of_stranger(reader)
        if left is not None:
            left.hub.wake_streams()
        try:
            at, shown = self._position(), _board_contents(asks)
        except BaseException:
            self._release_place(reader)
            raise
        with self._news:
            if self._channels:
                self._at = min(self._at, at)  # includes writes made meanwhile
            else:
                self._at, self._looked = at, time.monotonic()
            channels = {
                name: self._channels.setdefault(name, _Channel(asks[name], one))
                for name, one in shown.items()
            }
            watch = LiveStream(self, channels, reader)
            self._watches[watch] = None
            if not reader.is_known:
                self._shared.strangers[watch] = None
            self.on_count(len(self._watches))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="live", daemon=True)
                self._thread.start()
        self._wanted.set()
        return watch

    def refresh_boards(self) -> None:
        """Ask every board for its content, and wake the streams of those that changed."""
        with self._news:
            channels = list(self._channels.values())
        for channel in channels:
            try:
                shown = channel.ask()
            except Exception as error:  # noqa: BLE001 - it is logged, and the other boards go on
                self._faults.note("a board could not be looked at", error)
                continue
            if shown.tag != channel.shown.tag:
                with self._news:
                    channel.shown = shown
                    self._news.notify_all()

    def close(self) -> None:
        """End every stream; the boards are not asked any more."""
        self.is_closing = True
        self._wanted.set()
        with self._news:
            self._news.notify_all()
        if self._thread is not None:
            self._thread.join(AFRESH_S)

    def draw_lifetime_s(self) -> float:
        """Seconds that a stream which begins now will live, drawn at random by each call."""
        return self.life_s * (0.8 + 0.4 * self._chance())

    def wait(
        self, watch: LiveStream, seen: Mapping[str, str], timeout_s: float
    ) -> dict[str, BoardMessage]:
        """Wait for content that a stream has not sent yet, by name of the board; may be empty."""

        def unseen_content() -> dict[str, BoardMessage]:
            shown = {name: one.shown for name, one in watch.channels.items()}
            return {name: one for name, one in shown.items() if one.tag != seen.get(name)}

        with self._news:
            self._news.wait_for(
                lambda: self.is_closing or watch.is_left or unseen_content(), max(0.0, timeout_s)
            )
            return unseen_content()

    def remove_stream(self, watch: LiveStream) -> None:
        """Remove a stream from the hub."""
        with self._news:
            del self._watches[watch]
            self._shared.strangers.pop(watch, None)
            self.on_count(len(self._watches))
            kept = {name for one in self._watches for name in one.channels}
            for name in watch.channels.keys() - kept:
                del self._channels[name]
        self._release_place(watch.reader)

    def _take_place_maybe_of_stranger(self, reader: StreamReader) -> LiveStream | None:
        """Take a place, if need be from the oldest stream of a stranger, which is returned."""
        if self.is_closing or (not reader.is_known and self._has_its_share(reader.address)):
            raise NoFreeStream
        left: LiveStream | None = None
        if self._free <= 0:
            strangers = [one for one in self._watches if not (one.reader.is_known or one.is_left)]
            if not (reader.is_known and strangers):
                raise NoFreeStream
            left = strangers[0]
            left.is_left = True
            self._shared.take_next_released_place(reader)
        elif not self._shared.try_take_place(reader):
            left = self._shared.take_place_of_stranger(reader)
        self._free -= 1
        self._asking[reader.address] += not reader.is_known
        return left

    def wake_streams(self) -> None:
        """Wake the streams, so that those whose place was taken end."""
        with self._news:
            self._news.notify_all()

    def _has_its_share(self, address: str) -> bool:
        return bool(address) and self._asking[address] >= self._share

    def _release_place(self, reader: StreamReader) -> None:
        self._shared.release_place(reader)
        with self._news:
            self._free += 1
            self._asking[reader.address] -= not reader.is_known
            if not self._asking[reader.address]:
                del self._asking[reader.address]

    def _run(self) -> None:
        while not self.is_closing:
            if not self._channels:
                self._wanted.clear()
                self._wanted.wait(AFRESH_S)
                continue
            try:
                self._refresh_boards_if_due()
            except Exception as error:  # noqa: BLE001 - it is logged, and boards must go on
                self._faults.note("the boards could not be looked at; it is tried again", error)
            time.sleep(PERIOD_S)

    def _refresh_boards_if_due(self) -> None:
        self._end_disconnected()
        at, now = self._position(), time.monotonic()
        if at != self._at or now - self._looked >= AFRESH_S:
            self._at, self._looked = at, now
            self.refresh_boards()

    def _end_disconnected(self) -> None:
        """End the streams whose clients have disconnected, and free their places at once."""
        with self._news:
            sockets = ((one.reader.connection, one) for one in self._watches)
            readers = {socket: one for socket, one in sockets if socket is not None}
        left = [readers[connection] for connection in ports.find_hung_up_descriptors(readers)]
        if left:
            with self._news:
                for one in left:
                    one.is_left = True
                self._news.notify_all()


class LiveStream:
    """One stream of server-sent events, closed with its answer."""

    def __init__(self, hub: LiveHub, channels: dict[str, _Channel], reader: StreamReader) -> None:
        self.hub, self._is_open = hub, True
        self.channels, self.reader = channels, reader
        self.is_left = False

    def events(self, seen: str) -> Iterator[bytes]:
        """The bytes of a stream of one board: its content unless it was seen, and each change."""
        return self._message_bytes(
            dict.fromkeys(self.channels, seen), lambda _, shown: shown.view_event_bytes()
        )

    def changes(self) -> Iterator[bytes]:
        """Bytes of a stream of several boards: name and tag of each, then of each change."""
        return self._message_bytes({}, lambda name, shown: shown.change_event_bytes(name))

    def _message_bytes(
        self, seen: dict[str, str], message: Callable[[str, BoardMessage], bytes]
    ) -> Iterator[bytes]:
        hub = self.hub
        end = time.monotonic() + hub.draw_lifetime_s()
        beat = time.monotonic() + hub.beat_s
        yield _RETRY
        while True:
            for name, shown in hub.wait(self, seen, min(beat, end) - time.monotonic()).items():
                seen[name] = shown.tag
                yield message(name, shown)
            now = time.monotonic()
            if hub.is_closing or self.is_left or now >= end:
                return
            if now >= beat:
                beat = now + hub.beat_s
                yield _BEAT

    def close(self) -> None:
        """Free the place of the stream."""
        if self._is_open:
            self._is_open = False
            self.hub.remove_stream(self)

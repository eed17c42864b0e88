"""The form of the lines on stderr: text for a person, or JSON for a collector.

Lines of ``logging``, gunicorn's among them, and those of requests have one form. A traceback never
has the values of variables, which may be names.
"""

from __future__ import annotations

import json
import logging
import os
import re
from contextvars import ContextVar
from logging.config import dictConfig
from typing import Any, BinaryIO, Final

import msgspec
import structlog
from structlog.stdlib import ProcessorFormatter
from structlog.typing import EventDict, FilteringBoundLogger, Processor, WrappedLogger

from referee.access.security_log import LOGGER as SECURITY

FORMAT_VARIABLE: Final = "GUINOTE_LOG_FORMAT"
FORMATS: Final = ("text", "json")
REQUEST: Final = ContextVar("request", default="")
"""Id of the request that is answered in this thread."""
_FIRST: Final = ("at", "level", "event")
_OURS: Final = ("api", "projections", "referee", "guinote")

_TIMES: Final = structlog.processors.TimeStamper(fmt="iso", utc=True, key="at")
_COMMON: Final[tuple[Processor, ...]] = (structlog.processors.add_log_level, _TIMES)


def log_format() -> str:
    """The form of log lines that the environment asks for: text or JSON.

    :raises SystemExit: there is no such form
    """
    found = os.environ.get(FORMAT_VARIABLE, FORMATS[0])
    if found not in FORMATS:
        raise SystemExit(f"{FORMAT_VARIABLE}: text or json")
    return found


def logging_settings() -> dict[str, Any]:
    """Settings of ``logging`` for a process, as ``dictConfig`` takes them.

    An entry of the security log is a line of JSON already, and stays as it is.
    """
    log_format()
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "lines": {"()": f"{__name__}.line_formatter"},
            "entries": {"format": "%(message)s"},
        },
        "handlers": {
            name: {
                "class": "logging.StreamHandler",
                "formatter": name,
                "stream": "ext://sys.stderr",
            }
            for name in ("lines", "entries")
        },
        "root": {"level": "WARNING", "handlers": ["lines"]},
        "loggers": {
            **{name: {"level": "INFO"} for name in _OURS},
            "gunicorn.error": {"handlers": [], "propagate": True},
            SECURITY: {"level": "INFO", "handlers": ["entries"], "propagate": False},
        },
    }


def set_up_logging() -> None:
    """Have this process write its lines in the form that is asked for."""
    dictConfig(logging_settings())


def line_formatter() -> logging.Formatter:
    """Formatter of the lines of ``logging``."""
    return ProcessorFormatter(
        foreign_pre_chain=[*_COMMON, structlog.stdlib.add_logger_name, _add_request_id],
        processors=[
            ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            _line_renderer(),
        ],
    )


def requests_log(file: BinaryIO) -> FilteringBoundLogger:
    """Logger of the requests, whose lines bring their own time; it writes without ``logging``."""
    log: FilteringBoundLogger = structlog.wrap_logger(
        structlog.BytesLogger(file),
        processors=[structlog.processors.add_log_level, _line_renderer(), _encode],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        cache_logger_on_first_use=True,
    ).bind()
    return log


def _encode(_: WrappedLogger, __: str, line: Any) -> bytes:
    return str(line).encode()


def _add_request_id(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Add to a log line the id of the request during which it is written, if there is one."""
    if name := REQUEST.get():
        event["request"] = name
    return event


def _line_renderer() -> Processor:
    return _render_json if log_format() == "json" else _render_text


_PLAIN: Final = re.compile(r"[!#-<>-~]+")
"""Printable ASCII without a space, a quotation mark or an equals sign."""


def _render_json(_: WrappedLogger, __: str, event: EventDict) -> str:
    first = {key: event.pop(key) for key in _FIRST}
    return msgspec.json.encode({**first, **event}, enc_hook=str).decode()


def _render_text(_: WrappedLogger, __: str, event: EventDict) -> str:
    """One line in the form of logfmt, and the lines of a traceback after it, each indented.

    So nothing that a stranger sent begins a line of its own, or is a command to a terminal.
    """
    at, level, what = (event.pop(key) for key in _FIRST)
    traceback = event.pop("exception", "")
    more = "".join([f" {key}={_quote(value)}" for key, value in event.items()])
    line = f"at={at} level={level} event={_quote(what)}{more}"
    return "\n  ".join((line, *map(_escape_all_but_printable, traceback.splitlines())))


def _quote(value: object) -> str:
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text).replace("\x7f", "\\u007f")


def _escape_all_but_printable(line: str) -> str:
    """A line in which every character but printable ASCII is escaped."""
    return "".join(one if " " <= one <= "~" else ascii(one)[1:-1] for one in line)

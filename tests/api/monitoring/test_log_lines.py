"""Lines of the log: one form, one line each, and no value of a variable."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from api.monitoring.log_lines import line_formatter, log_format, requests_log
from api.monitoring.requests import AnsweredRequest, RequestLines
from tests.support.servers.http_table import HttpTable
from tests.support.waiting import wait_for


def line_of(message: str, *, error: BaseException | None = None) -> str:
    about = None if error is None else (type(error), error, error.__traceback__)
    record = logging.LogRecord("api.server", logging.ERROR, "x.py", 1, message, (), about)
    return line_formatter().format(record)


def caught() -> ValueError:
    name = "Pilar"
    try:
        raise ValueError(f"{len(name)} letters")
    except ValueError as error:
        return error


def test_a_line_of_text_is_one_line_whatever_is_in_it() -> None:
    line = line_of("asked for\nlevel=info event=forged")
    assert len(line.splitlines()) == 1
    assert "level=error" in line
    assert "logger=api.server" in line


def test_nothing_in_a_line_of_text_is_a_command_to_a_terminal() -> None:
    sent = "\x1b[2J\x7f\x9b2J\u2028at=forged \u202e"
    for line in (line_of(sent), line_of("it failed", error=ValueError(sent))):
        assert line.isascii()
        assert line.replace("\n", "").isprintable()


def test_no_line_of_a_traceback_is_taken_for_a_line_of_the_log() -> None:
    first, *others = line_of(
        "it failed", error=ValueError("a\nat=2026 level=info\x0bb")
    ).splitlines()
    assert first.startswith("at=")
    assert any("level=info" in line for line in others)
    assert all(line.startswith("  ") for line in others)


def test_a_line_of_json_has_its_traceback_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUINOTE_LOG_FORMAT", "json")
    line = line_of("it failed", error=caught())
    assert len(line.splitlines()) == 1
    found = json.loads(line)
    assert list(found)[:3] == ["at", "level", "event"]
    assert (found["level"], found["event"]) == ("error", "it failed")
    assert "ValueError: 5 letters" in found["exception"]
    assert "in caught" in found["exception"]


def test_a_traceback_has_no_value_of_a_variable() -> None:
    assert "Pilar" not in line_of("it failed", error=caught())


def test_there_are_two_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUINOTE_LOG_FORMAT", "xml")
    with pytest.raises(SystemExit, match="GUINOTE_LOG_FORMAT"):
        log_format()


def test_a_log_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    answered = AnsweredRequest(0.0, "GET", "/reglas", "200", 0.012, None, "abc")
    with Path("/dev/full").open("wb", buffering=0) as full:
        lines = RequestLines(requests_log(full))
        lines.add(answered)
        lines.flush()
    with (tmp_path / "lines").open("wb", buffering=0) as file:
        lines = RequestLines(requests_log(file))
        lines.add(answered._replace(by="owner"))
        wait_for(lambda: (tmp_path / "lines").stat().st_size, "a line")
        lines.flush()  # waits for the thread, which may still be at it when the line is there
    assert (tmp_path / "lines").read_text() == (
        "at=1970-01-01T00:00:00.000Z level=info event=request method=GET route=/reglas status=200"
        " ms=12.0 by=owner request=abc\n"
    )


@pytest.mark.parametrize(
    "sent, is_kept",
    [
        ("tablet-7.41_x", True),
        ("x" * 64, True),
        ("x" * 65, False),
        ("two words", False),
        ("ñ", False),
    ],
)
def test_the_id_of_a_request_is_taken_if_it_is_plain(
    table: HttpTable, sent: str, is_kept: bool
) -> None:
    for path in ("/reglas", "/nothing", "/api/v1/encuentros"):
        answer = table.client.get(path, headers={"X-Request-Id": sent.encode().decode("latin-1")})
        (given,) = answer.headers.getlist("X-Request-Id")
        assert (given == sent) is is_kept, path
        assert given.isascii()

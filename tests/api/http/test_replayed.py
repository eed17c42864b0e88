"""Every write is answered again with the same bytes: at once, and after all that came later."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support.servers.documented import document_of, operation_of
from tests.support.servers.every_write import play_everything
from tests.support.servers.http_table import HttpTable
from tests.support.servers.kept_apps import kept_app

WITHOUT_KEY = {
    "delete_person": "a person is erased once; then there is nobody: 404",
    "delete_ranking_people": "as above",
    "delete_token": "as above",
    "delete_webhook": "as above",
    "delete_sign_ins_own": "its token opens nothing after it: 401",
    "post_sign_ins_own_renewal": "another token takes the place of the one that asks",
}
SHOWN_ONCE: dict[str, dict[str, Any]] = {
    "post_encuentro_result_codes": {"code": None},
    "post_webhooks": {"secret": ""},
    "post_webhook_secret": {"secret": ""},
}
"""What is not shown again: a secret, of which a hash is kept, or which is sealed."""
NOT_REPLAYED = (
    *("post_sign_ins", "post_tokens", "post_webhook_messages"),
    *("post_ranking_club_reading", "post_rankings_files"),
)
"""Whoever sends it again gets another token, or asks again for the message, or for the file."""
USED_UP = {"post_pairings": "a code opens one device: whoever sends it again is refused"}
HEADERS = ("ETag", "Location", "Guinote-Position", "Content-Type")


class Sent(NamedTuple):
    """A request as it was sent, and the answer to it."""

    operation: str
    path: str
    body: Any
    headers: dict[str, str]
    answer: Any


class Repeating(HttpTable):
    """A club whose writes are all sent twice."""

    def __init__(self, folder: Path, app: Any) -> None:
        super().__init__(folder, app)
        self.sent: list[Sent] = []
        self.differing: dict[str, tuple[str, ...]] = {}

    def post(
        self,
        path: str,
        body: Any = None,
        version: int | str | None = None,
        key: str | None = None,
        **headers: str,
    ) -> Any:
        given = key or self.key()
        answer = super().post(path, body, version, given, **headers)
        if answer.status_code < 300:
            sent = self.headers_of_write(version, given, **headers)
            operation = operation_of(self.app, path, "POST")
            self.sent.append(Sent(operation, path, {} if body is None else body, sent, answer))
            if differ := again(self, self.sent[-1]):
                self.differing[operation] = differ
        return answer


def again(table: HttpTable, one: Sent) -> tuple[str, ...]:
    """What is not the same when a request is sent again."""
    second = table.client.post(one.path, json=one.body, headers=one.headers)
    if one.operation in USED_UP:
        return () if second.status_code == 422 else (f"status {second.status_code}",)
    if one.operation in NOT_REPLAYED:
        is_same = second.status_code == one.answer.status_code
        return () if is_same else (f"status {second.status_code}",)
    first = one.answer
    differ = [name for name in HEADERS if first.headers.get(name) != second.headers.get(name)]
    if first.status_code != second.status_code:
        differ.append(f"status {second.status_code} {second.text}")
    is_preview = one.operation.endswith(("_preview", "_check"))
    if not is_preview and second.headers.get("Idempotent-Replayed") != "true":
        differ.append("Idempotent-Replayed")
    hidden = SHOWN_ONCE.get(one.operation)
    shown = {**first.json, **hidden} if hidden else None
    if second.json != shown if shown else second.data != first.data:
        differ.append(f"body {second.text}, before {first.text}")
    return tuple(differ)


@pytest.fixture(scope="module")
def repeating(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Repeating]:
    folder = tmp_path_factory.mktemp("repeated")
    with kept_app(folder) as app, closing(Repeating(folder, app)) as table:
        play_everything(table)
        yield table


def test_every_write_is_answered_again_with_the_same_bytes(repeating: Repeating) -> None:
    assert repeating.differing == {}
    document = document_of(repeating.app)
    writing = {
        one["operationId"]
        for methods in document["paths"].values()
        for method, one in methods.items()
        if method in ("post", "put", "patch", "delete")
    }
    assert writing - {one.operation for one in repeating.sent} == set(WITHOUT_KEY)


def test_and_by_another_process_after_all_that_came_later(repeating: Repeating) -> None:
    repeating.close()  # the next request opens everything anew, from the disk
    recorded = [one for one in repeating.sent if not one.operation.endswith(("_preview", "_check"))]
    differing = {one.operation: differ for one in recorded if (differ := again(repeating, one))}
    names = ("post_webhook", "post_webhook_secret", "post_webhook_messages")
    of_removed = [differing.pop(name) for name in names]
    assert all(any(one.startswith("status 404") for one in differ) for differ in of_removed)
    assert differing.pop("post_ranking_club_reading") == ("status 409",)  # the club was left out
    assert differing == {}

"""The verifiers of the documentation, in Python and in JavaScript, on messages as they are sent."""

from __future__ import annotations

import json
import re
import subprocess
import time
from typing import Any

import pytest

from api.webhooks.messages import WebhookMessage, signature_headers
from tests.support.places import ROOT

SECRET, FORMER, OTHER = (f"whsec_{text}" for text in ("c2VjcmV0", "Zm9ybWVy", "b3RoZXI="))
BODY = '{"type":"partida.ended","data":{"how":"«ñ»"}}'.encode()
PAGE = (ROOT / "docs/developing/webhooks.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


def by_python(secret: str, headers: dict[str, str], body: bytes) -> bool:
    names: dict[str, Any] = {}
    exec(block("python"), names)
    return bool(names["verify"](secret, headers, body))


def by_javascript(secret: str, headers: dict[str, str], body: bytes) -> bool:
    asked = ", ".join(map(json.dumps, (secret, headers, body.decode())))
    script = f"{block('javascript')}\nconsole.log(verify({asked}));"
    ran = subprocess.run(
        ["node", "--input-type=module", "-e", script], capture_output=True, text=True, check=True
    )
    return ran.stdout == "true\n"


def sent(*secrets: str, at: float | None = None) -> dict[str, str]:
    message = WebhookMessage("msg_0a1b", "partida.ended", "", BODY)
    return signature_headers(message, secrets, int(time.time() if at is None else at))


@pytest.mark.parametrize("verify", [by_python, by_javascript])
def test_a_verifier_of_the_page_knows_what_is_of_the_house(verify):
    assert verify(SECRET, sent(SECRET), BODY)
    assert verify(FORMER, sent(SECRET, FORMER), BODY), "while another secret is taken over"
    assert not verify(OTHER, sent(SECRET, FORMER), BODY)
    assert not verify(SECRET, sent(SECRET), BODY.replace(b"ended", b"begun"))
    assert not verify(SECRET, sent(SECRET, at=time.time() - 3_600), BODY)
    assert not verify(SECRET, {**sent(SECRET), "webhook-id": "msg_another"}, BODY)


@pytest.mark.parametrize("language", ["python", "javascript"])
def test_a_verifier_has_about_fifteen_lines(language):
    assert len(block(language).strip().splitlines()) <= 16

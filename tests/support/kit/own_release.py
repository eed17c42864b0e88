"""A release of this checkout, signed with a fresh key, and whether the commands of the page take it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.support.kit import own_wheel
from tests.support.places import ROOT

CHANGED: Final = ("*.whl", "*.zip", "requirements.lock", "SHA256SUMS", "SHA256SUMS.sig")
"""Files of which a byte must not be another."""


def why_none() -> str:
    """What is missing for it; empty if nothing is."""
    if own_wheel.uv() is None:
        return own_wheel.NO_UV
    if shutil.which("openssl") is None or shutil.which("sha256sum") is None:
        return "NO OPENSSL: no release was checked by the commands of the page; install openssl 3"
    return ""


def made(folder: Path) -> Path:
    """The folder of a release that was made as the page says."""
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "release.key").write_bytes(pem)
    (folder / "made").mkdir()
    (folder / "made" / "guinote-windows.zip").write_bytes(b"as if it were made before")
    script = [sys.executable, ROOT / "deploy" / "release.py", str(own_wheel.uv())]
    subprocess.run(
        [*script, folder / "release.key", folder / "made"], check=True, stdout=subprocess.DEVNULL
    )
    return folder / "made"


def is_right(folder: Path) -> bool:
    """Whether every command of the page succeeds there."""
    page = (ROOT / "docs" / "operating" / "upgrade.md").read_text("utf-8")
    (block,) = re.findall(r"(?ms)^## Is it the release\?\n.*?^```sh\n(.*?)^```", page)
    return subprocess.run(["sh", "-ec", block], cwd=folder, capture_output=True).returncode == 0


def changed(release: Path, copy: Path, name: str) -> Path:
    """A copy in which a bit of one file is another."""
    shutil.copytree(release, copy)
    (file,) = copy.glob(name)
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    return copy

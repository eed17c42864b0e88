"""A release: made with a fresh key, checked by the commands of the page, refused if it changed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.support.kit import own_wheel
from tests.support.places import ROOT

NO_OPENSSL = "NO OPENSSL: no release was checked by the commands of the page; install openssl 3"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a release that was made as the page says."""
    if own_wheel.uv() is None:
        pytest.skip(own_wheel.NO_UV)
    if shutil.which("openssl") is None or shutil.which("sha256sum") is None:
        pytest.skip(NO_OPENSSL)
    folder = tmp_path_factory.mktemp("release")
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "release.key").write_bytes(pem)
    script = [sys.executable, ROOT / "deploy" / "release.py", own_wheel.uv()]
    subprocess.run([*script, folder / "release.key", folder / "made"], check=True)
    return folder / "made"


def check(folder: Path) -> bool:
    """Whether every command of the page succeeds there."""
    page = (ROOT / "docs" / "operating" / "upgrade.md").read_text("utf-8")
    (block,) = re.findall(r"(?ms)^## Is it the release\?\n.*?^```sh\n(.*?)^```", page)
    return subprocess.run(["sh", "-ec", block], cwd=folder, capture_output=True).returncode == 0


def test_a_release_has_its_hashes_and_no_secret(release: Path) -> None:
    sums = (release / "SHA256SUMS").read_text().splitlines()
    named = {line.split()[1] for line in sums}
    assert {path.name for path in release.iterdir()} == named | {
        *("SHA256SUMS", "SHA256SUMS.sig", "release.pub")
    }
    assert any(re.fullmatch(r"guinote_referee-.*\.whl", name) for name in named)
    assert "requirements.lock" in named
    assert b"PRIVATE" not in b"".join(path.read_bytes() for path in release.iterdir())
    assert check(release)


@pytest.mark.parametrize("name", ["*.whl", "requirements.lock", "SHA256SUMS", "SHA256SUMS.sig"])
def test_a_release_of_which_a_byte_changed_is_refused(
    release: Path, tmp_path: Path, name: str
) -> None:
    copy = Path(shutil.copytree(release, tmp_path / "copy"))
    (file,) = copy.glob(name)
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    assert not check(copy)


def test_a_release_that_another_key_signed_is_refused(release: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(release, tmp_path / "copy"))
    sums = (copy / "SHA256SUMS").read_bytes()
    (copy / "SHA256SUMS.sig").write_bytes(Ed25519PrivateKey.generate().sign(sums))
    assert not check(copy)

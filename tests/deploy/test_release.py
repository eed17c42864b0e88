"""A release: made with a fresh key, checked by the commands of the page, refused if it changed."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.support.kit import own_release


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a release that was made as the page says."""
    if why_none := own_release.why_none():
        pytest.skip(why_none)
    return own_release.made(tmp_path_factory.mktemp("release"))


def test_a_release_has_its_hashes_and_no_secret(release: Path) -> None:
    sums = (release / "SHA256SUMS").read_text().splitlines()
    named = {line.split()[1] for line in sums}
    assert {path.name for path in release.iterdir()} == named | {
        *("SHA256SUMS", "SHA256SUMS.sig", "release.pub")
    }
    assert any(re.fullmatch(r"guinote_referee-.*\.whl", name) for name in named)
    assert {"requirements.lock", "guinote-windows.zip"} <= named
    assert b"PRIVATE" not in b"".join(path.read_bytes() for path in release.iterdir())
    assert own_release.is_right(release)


@pytest.mark.parametrize("name", own_release.CHANGED)
def test_a_release_of_which_a_byte_changed_is_refused(
    release: Path, tmp_path: Path, name: str
) -> None:
    assert not own_release.is_right(own_release.changed(release, tmp_path / "copy", name))


def test_a_release_that_another_key_signed_is_refused(release: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(release, tmp_path / "copy"))
    sums = (copy / "SHA256SUMS").read_bytes()
    (copy / "SHA256SUMS.sig").write_bytes(Ed25519PrivateKey.generate().sign(sums))
    assert not own_release.is_right(copy)

"""A release that somebody changed on its way."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.chaos.houses import ChaosHouse
from tests.support.kit import own_release


def release_changed(_: ChaosHouse) -> str:
    """A byte of the wheel, the lock, the hashes or the signature is another: it is refused."""
    with TemporaryDirectory() as name:
        release = own_release.made(Path(name))
        assert own_release.is_right(release), "a release that is as it was made"
        for number, file in enumerate(own_release.CHANGED):
            copy = own_release.changed(release, Path(name) / str(number), file)
            assert not own_release.is_right(copy), f"{file} with another byte was taken"
    return f"the release taken, {len(own_release.CHANGED)} changed ones refused"

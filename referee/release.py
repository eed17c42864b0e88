"""The release of this program: the one home of its version, which the project file reads here."""

from __future__ import annotations

from typing import Final

RELEASE: Final = "0.3.0"
_HUNDRED: Final = 100


def number_of(release: str) -> int:
    """A release as one number, in the order of the releases.

    >>> number_of("0.2.0"), number_of("1.0.12")
    (200, 10012)
    """
    major, minor, patch = map(int, release.split("."))
    return (major * _HUNDRED + minor) * _HUNDRED + patch


def release_of(number: int) -> str:
    """The release of a number.

    >>> release_of(200), release_of(10012)
    ('0.2.0', '1.0.12')
    """
    rest, patch = divmod(number, _HUNDRED)
    major, minor = divmod(rest, _HUNDRED)
    return f"{major}.{minor}.{patch}"

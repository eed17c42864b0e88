"""The release of this program: the one home of its version, which the project file reads here."""

from __future__ import annotations

from typing import Final

RELEASE: Final = "0.3.0"
_HUNDRED: Final = 100


def release_as_number(release: str) -> int:
    """A release as one number, in the order of the releases.

    >>> release_as_number("0.2.0"), release_as_number("1.0.12")
    (200, 10012)
    """
    major, minor, patch = map(int, release.split("."))
    return (major * _HUNDRED + minor) * _HUNDRED + patch


def release_from_number(number: int) -> str:
    """The release that a number stands for.

    >>> release_from_number(200), release_from_number(10012)
    ('0.2.0', '1.0.12')
    """
    rest, patch = divmod(number, _HUNDRED)
    major, minor = divmod(rest, _HUNDRED)
    return f"{major}.{minor}.{patch}"

"""What a club chooses of its brand: checked, and the acts by which it is recorded."""

from __future__ import annotations

from typing import Final

from api.brand import colours
from api.brand.png import NoPicture, plain_png
from api.http.services import PendingTexts
from referee.events import ClubColourChosen, ClubLogoChosen, ClubNamed, SettingsAct
from referee.people.persons import LARGEST_PICTURE

LONGEST_CLUB_NAME: Final = 40


def is_club_name(text: str) -> bool:
    """Whether pages can show a name; an empty one is none.

    >>> [is_club_name(one) for one in ("Peña La Sota", "", "a" * 41)]
    [True, True, False]
    """
    return len(text) <= LONGEST_CLUB_NAME and (not text or text.isprintable())


def is_brand_colour(text: str) -> bool:
    """Whether a text is a colour; an empty one stands for that of the program."""
    return not text or colours.is_colour(text)


def read_logo(content: bytes) -> bytes:
    """A picture as pages show it; empty for none.

    :raises NoPicture: it is none that they can show
    """
    if len(content) > LARGEST_PICTURE:
        raise NoPicture("too large")
    return plain_png(content) if content else b""


def brand_acts(
    put: PendingTexts,
    name: str | None = None,
    colour: str | None = None,
    logo: bytes | None = None,
) -> list[SettingsAct]:
    """The acts of what is chosen, which was checked. None: it stays; empty: it is taken away."""
    acts: list[SettingsAct] = []
    if name is not None:
        acts.append(ClubNamed(put.text(name)))
    if colour is not None:
        acts.append(ClubColourChosen(colour))
    if logo is not None:
        acts.append(ClubLogoChosen(put.picture(logo)) if logo else ClubLogoChosen())
    return acts

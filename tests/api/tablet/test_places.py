"""Places of the seats on the felt: they go round in the direction of play."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from referee.rules.profile.profile import profile
from referee.rules.seats import SEATS
from tests.support.browser.static_files import serving

PLACES_OF = """async ([seats, direction]) =>
    (await import('/static/tablet/table/felt.js')).placesOf(seats, direction)"""
# From the near side: right, far side, left.
AGAINST_THE_CLOCK = {2: "sn", 3: "sew", 4: "senw"}
WITH_THE_CLOCK = {2: "sn", 3: "swe", 4: "swne"}


@pytest.mark.parametrize(
    "name, around", [("club", AGAINST_THE_CLOCK), ("baraja-francesa", WITH_THE_CLOCK)]
)
def test_the_seats_go_round_in_the_direction_of_play(
    browser: Browser, name: str, around: dict[int, str]
) -> None:
    direction = profile(name).options().direction
    with serving() as address:
        page = browser.new_page()
        page.goto(address)
        for players, places in around.items():
            found = page.evaluate(PLACES_OF, [SEATS[players], direction])
            assert found == dict(zip(SEATS[players], places, strict=True))
        page.close()

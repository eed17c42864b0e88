"""Places of the seats on the felt: they go round in the direction of play."""

from __future__ import annotations

import pytest

from referee.rules.profile.profile import profile
from referee.rules.seats import SEATS
from tests.support.javascript import node_page

PLACES_OF = """async (asked) => {
  const { placesOf } = await import("/static/tablet/table/felt.js");
  return asked.map((one) => placesOf(...one));
}"""
# From the near side: right, far side, left.
AGAINST_THE_CLOCK = {2: "sn", 3: "sew", 4: "senw"}
WITH_THE_CLOCK = {2: "sn", 3: "swe", 4: "swne"}


@pytest.mark.parametrize(
    "name, around", [("club", AGAINST_THE_CLOCK), ("baraja-francesa", WITH_THE_CLOCK)]
)
def test_the_seats_go_round_in_the_direction_of_play(name: str, around: dict[int, str]) -> None:
    direction = profile(name).options().direction
    with node_page() as page:
        found = page.evaluate(PLACES_OF, [[SEATS[players], direction] for players in around])
    wanted = [dict(zip(SEATS[of], places, strict=True)) for of, places in around.items()]
    assert found == wanted

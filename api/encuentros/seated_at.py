"""Players of an encuentro, for texts that name its seats and sides."""

from __future__ import annotations

from uuid import UUID

from api.encuentros.reading import ListedEncuentroData, NamedEncuentroData
from api.http.seated import TableNames
from api.http.services import Services
from projections.seasons.pairs import names_of_sides
from referee.events import options_from


def players_at_tables(view: NamedEncuentroData | ListedEncuentroData) -> TableNames:
    """Players of an encuentro by a view of it, without the names of pairs."""
    named = {seat: view["names"].get(person) for seat, person in view["seats"].items()}
    return TableNames(view["players"], {seat: name for seat, name in named.items() if name})


def seated_at(here: Services, encuentro_id: UUID, *, with_pairs: bool = True) -> TableNames:
    """Players of an encuentro, by its log and the file of names.

    ``with_pairs``: also the names of the pairs that play in it, which the read side knows.

    :raises NotFound: there is no such encuentro
    """
    match = here.referee.encuentros.encuentro(encuentro_id)
    persons = here.persons.names_of(person for _, person in match.seats)
    names = {seat: name for seat, person in match.seats if (name := persons[person])}
    assert match.opened is not None
    players = options_from(match.opened.profile.options).players
    if not with_pairs:
        return TableNames(players, names)
    with here.reads.reading() as rows:
        titles = names_of_sides(rows, [str(encuentro_id)]).get(str(encuentro_id), {})
    texts = here.persons.texts_of(titles.values()) if titles else {}
    pairs = {side: text for side, name in titles.items() if (text := texts[name])}
    return TableNames(players, names, pairs)

"""The result card of a partida, a picture to be shared: who won, how, the score and the club.

It says what the board says to everybody, and nothing of the cards.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple
from uuid import UUID

from api.brand.brand import brand
from api.brand.colours import Colour
from api.door.picture import LARGE, MIDDLE, SMALL, Box, Canvas, Pen, fit_text, text_width
from api.encuentros.views import table_names_of_encuentro
from api.http.languages import language, player_names_of_side, say, texts_of_language
from api.http.moments import day_words
from api.http.services import current_services
from api.http.table_names import use_table_names
from referee.aggregates.encuentro import UNDECIDED, Encuentro, options_of, standing_of
from referee.errors import NotFound
from referee.events import OutcomeFollowed
from referee.rules.seats import SIDES

WIDE, HIGH = 1200, 630
_EDGE: Final = 60
_DASH: Final = "\u2013"
_FELT: Final[Colour] = (0x1F, 0x5C, 0x43)
_PAPER: Final[Colour] = (0xFF, 0xFD, 0xF8)
_GOLD: Final[Colour] = (0xE3, 0xB4, 0x4F)
_ON_FELT: Final = Pen((0xFD, 0xFA, 0xF1), _FELT)
_INK: Final = Pen((0x22, 0x20, 0x1B), _PAPER)
_SOFT: Final = Pen((0x62, 0x5C, 0x50), _PAPER)
_ACCENT: Final = Pen((0x8A, 0x2B, 0x1D), _PAPER)


class CardWords(NamedTuple):
    """Texts of a result card. ``rows``: each side, its total and whether it won."""

    club: str
    day: str
    partida: str
    winner: str
    how: str
    rows: tuple[tuple[str, str, bool], ...]
    standing: str


def partida_result_png(encuentro_id: UUID, n: int) -> bytes:
    """The result card of a decided partida as a PNG, in the language of the reader.

    :raises NotFound: there is no such partida, or it is not decided
    """
    state = current_services().referee.encuentros.encuentro(encuentro_id)
    found = [one for one in state.partidas if one.partida == n and one.how != UNDECIDED]
    if not found:
        raise NotFound(str(n))
    with use_table_names(table_names_of_encuentro(current_services(), encuentro_id)):
        return draw_result_picture(_picture_texts(state, found[0]))


def _picture_texts(state: Encuentro, won: OutcomeFollowed) -> CardWords:
    assert state.opened is not None
    lang, sides = language(), SIDES[options_of(state).players]
    is_counted = any(won.totals.values())
    is_last = won.partida == max(one.partida for one in state.partidas)
    return CardWords(
        club=brand().name or say("page.title", lang),
        day=day_words(state.opened.date, texts_of_language(lang)) if state.opened.date else "",
        partida=f"{say('page.partida', lang)} {won.partida}",
        winner=say("conclusion.partida_won", lang, winner=won.winner),
        how=say(f"how.{won.how}", lang),
        rows=tuple(
            (
                player_names_of_side(side, lang),
                str(won.totals.get(side, 0)) if is_counted else "",
                side == won.winner,
            )
            for side in sides
        ),
        standing=_standing_text(state, lang) if is_last else "",
    )


def _standing_text(state: Encuentro, lang: str) -> str:
    """Partidas and cotos that each side has made, in words, as far as the table counts them."""
    options, standing = options_of(state), standing_of(state)
    is_fixed = options.match_format == "fixed_partidas"
    is_flat = not is_fixed and options.partidas_per_cama == 1
    counted = {"page.partidas": standing.camas if is_flat else standing.partidas}
    if not is_fixed:
        counted["page.cotos"] = standing.cotos
    return " · ".join(
        f"{say(key, lang)} {_DASH.join(str(made[side]) for side in SIDES[options.players])}"
        for key, made in counted.items()
    )


@lru_cache(maxsize=64)
def draw_result_picture(words: CardWords) -> bytes:
    """The result card with these texts, as a PNG."""
    picture, inside = Canvas(WIDE, HIGH, _FELT), WIDE - 2 * _EDGE
    day = text_width(words.day, SMALL)
    club = fit_text(words.club, MIDDLE, inside - day - _EDGE)
    picture.write(club, (_EDGE, 22), MIDDLE, _ON_FELT)
    picture.write(words.day, (WIDE - _EDGE - day, 36), SMALL, _ON_FELT)
    picture.fill(Box(0, 100, WIDE, 440), _PAPER)
    picture.fill(Box(0, 100, 16, 440), _GOLD)
    picture.write(words.partida, (_EDGE, 120), SMALL, _SOFT)
    size = LARGE if text_width(words.winner, LARGE) <= inside else MIDDLE
    picture.write(fit_text(words.winner, size, inside), (_EDGE, 158), size, _INK)
    picture.write(fit_text(words.how, MIDDLE, inside), (_EDGE, 258), MIDDLE, _ACCENT)
    for place, (side, total, has_won) in enumerate(words.rows):
        pen, top = _INK if has_won else _SOFT, 350 + place * (180 // len(words.rows))
        wide = text_width(total, MIDDLE)
        picture.write(fit_text(side, MIDDLE, inside - wide - _EDGE), (_EDGE, top), MIDDLE, pen)
        picture.write(total, (WIDE - _EDGE - wide, top), MIDDLE, pen)
    picture.write(fit_text(words.standing, MIDDLE, inside), (_EDGE, 555), MIDDLE, _ON_FELT)
    return picture.png()

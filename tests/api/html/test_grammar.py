"""Sentences about people and cards: articles, prepositions and numbers in four languages."""

from __future__ import annotations

import pytest

from api.http.languages import (
    LANGUAGES,
    card_name,
    is_name_of_one_side,
    join_names,
    player_names_of_side,
    say,
)
from api.http.table_names import TableNames, use_table_names

NAMED = TableNames(4, {"A1": "Ana", "B1": "Óscar", "A2": "Inés", "B2": "Hugo"})
BLANK = TableNames()
OF_PAIRS = TableNames(4, NAMED.names, {"A": "Los Reyes"})
ALONE = TableNames(3, {"A1": "Ana", "C1": "Yves"})

ACT = ("act.card", {"seat": "A1", "card": "AC"})
SOTA = ("act.card", {"seat": "B1", "card": "SO"})
HAND = ("act.hand", {"seat": "B1", "cards": ["3O"]})
ASKED = ("act.ask_suit", {"by": "B2", "seat": "A1", "suit": "O"})
LEFT = ("rule.no-cards-left", {"seat": "A1"})
WON = ("conclusion.partida_won", {"winner": "A"})
GIVES_UP = ("act.concede", {"side": "A"})
REPORTED = ("act.report", {"side": "A"})
CODE = ("rule.code-wrong", {"side": "A"})

SENTENCES = [
    ("es", NAMED, ACT, "Ana juega el as de copas"),
    ("es", NAMED, SOTA, "Óscar juega la sota de oros"),
    ("es", NAMED, HAND, "Cartas de Óscar: tres de oros"),
    ("es", BLANK, HAND, "Cartas del jugador 2: tres de oros"),
    ("es", NAMED, ASKED, "Hugo pregunta a Ana el palo: oros"),
    ("es", BLANK, ASKED, "El jugador 4 pregunta al jugador 1 el palo: oros"),
    ("es", BLANK, LEFT, "Al jugador 1 no le quedan cartas."),
    ("es", NAMED, WON, "Ganan Ana e Inés"),
    ("es", BLANK, WON, "Gana la pareja A"),
    ("es", ALONE, WON, "Gana Ana"),
    ("es", OF_PAIRS, WON, "Ganan Los Reyes"),
    ("es", NAMED, GIVES_UP, "Ana e Inés se rinden"),
    ("es", BLANK, GIVES_UP, "La pareja A se rinde"),
    ("es", NAMED, REPORTED, "Resultado dicho por Ana e Inés"),
    ("es", BLANK, CODE, "Esa clave no es la de la pareja A. Mira la tarjeta y prueba otra vez."),
    ("es", NAMED, ("act.report", {}), "Resultado dicho"),
    ("ca", NAMED, ACT, "Ana juga l'as de copes"),
    ("ca", NAMED, SOTA, "Óscar juga la sota d'oros"),
    ("ca", NAMED, HAND, "Cartes d'Óscar: tres d'oros"),
    ("ca", BLANK, HAND, "Cartes del jugador 2: tres d'oros"),
    ("ca", BLANK, ASKED, "El jugador 4 demana el pal al jugador 1: oros"),
    ("ca", NAMED, WON, "Guanyen Ana i Inés"),
    ("ca", BLANK, WON, "Guanya la parella A"),
    ("ca", BLANK, ("act.trick", {"seat": "A1", "points": 11}), "Basa per al jugador 1: 11"),
    ("ca", ALONE, ("act.report", {"side": "B"}), "Resultat dit pel jugador 2"),
    ("en", NAMED, ACT, "Ana plays the ace of copas"),
    ("en", NAMED, HAND, "Óscar's cards: three of oros"),
    ("en", BLANK, ASKED, "Player 4 asks player 1 for the suit: oros"),
    ("en", NAMED, WON, "Ana and Inés win"),
    ("en", BLANK, WON, "Pair A wins"),
    ("fr", NAMED, ACT, "Ana joue l'as de copas"),
    ("fr", NAMED, ("act.card", {"seat": "A1", "card": "8E"}), "Ana joue le huit d'espadas"),
    ("fr", NAMED, ("act.hand", {"seat": "B2", "cards": ["3O"]}), "Cartes d'Hugo : trois d'oros"),
    ("fr", BLANK, HAND, "Cartes du joueur 2 : trois d'oros"),
    ("fr", ALONE, ("act.hand", {"seat": "C1", "cards": ["3C"]}), "Cartes d'Yves : trois de copas"),
    ("fr", BLANK, ASKED, "Le joueur 4 demande la couleur au joueur 1 : oros"),
    ("fr", NAMED, WON, "Ana et Inés gagnent"),
    ("fr", BLANK, CODE, "Ce n'est pas le code de la paire A. Regardez la carte et réessayez."),
]


@pytest.mark.parametrize(("lang", "table", "said", "sentence"), SENTENCES)
def test_people_and_cards_stand_in_a_sentence_as_people_say_them(
    lang: str, table: TableNames, said: tuple[str, dict[str, object]], sentence: str
) -> None:
    key, facts = said
    with use_table_names(table):
        assert say(key, lang, **facts) == sentence


NAMES = [
    (["Ana", "Inés"], "Ana e Inés"),
    (["Ana", "Hilario"], "Ana e Hilario"),
    (["Ana", "Yolanda"], "Ana y Yolanda"),
    (["Ana", "Hieronimo"], "Ana y Hieronimo"),
    (["Ana", "Iago"], "Ana y Iago"),
    (["Ana", "Blas", "Celia"], "Ana, Blas y Celia"),
    (["Ana"], "Ana"),
    ([], ""),
]


@pytest.mark.parametrize(("names", "joined"), NAMES)
def test_names_are_joined_as_spanish_joins_them(names: list[str], joined: str) -> None:
    assert join_names(names, "es") == joined


def test_a_name_with_braces_stays_what_it_is() -> None:
    with use_table_names(TableNames(2, {"A1": "{0}", "B1": "{noun:x}"})):
        assert say("act.hand", "es", seat="B1", cards=["3O"]) == "Cartas de {noun:x}: tres de oros"
        assert player_names_of_side("A", "es") == "{0}"


@pytest.mark.parametrize(
    ("table", "name", "is_alone"),
    [
        (NAMED, "Ana", True),
        (OF_PAIRS, "Los Reyes", True),
        (NAMED, "Óscar", False),
        (NAMED, "Julia Juez", False),
        (TableNames(4, {"A1": "Ana", "B2": "Ana"}), "Ana", False),
        (BLANK, None, False),
    ],
)
def test_a_name_says_the_side_if_nobody_else_has_it(
    table: TableNames, name: str | None, *, is_alone: bool
) -> None:
    with use_table_names(table):
        assert is_name_of_one_side("A", name) is is_alone


@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_a_table_a_seat_has_its_code_as_on_the_log(lang: str) -> None:
    assert say("act.claim", lang, seat="A1").startswith("A1 ")


def test_a_seat_that_the_table_does_not_have_is_not_named() -> None:
    with use_table_names(TableNames(2, {"A1": "Ana"})):
        assert "«C1»" in say("rule.seat-unknown", "es", seat="C1")


def test_suits_are_elided_in_the_names_of_cards() -> None:
    assert [card_name("3E", lang) for lang in LANGUAGES] == [
        "tres de espadas",
        "tres d'espases",
        "three of espadas",
        "trois d'espadas",
    ]

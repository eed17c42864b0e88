"""How long an encuentro is: the five options about it as one answer."""

from __future__ import annotations

from typing import Final, NamedTuple, Self

from api.http.languages import say
from referee.events import RuleChanges
from referee.rules.profile.profile import Profile

LENGTH_OPTIONS: Final = (
    *("match_format", "partidas_per_cama", "camas_per_coto", "cotos_to_win", "fixed_partidas"),
)


OTHER_COTOS: Final = "cotos"
OTHER_FIXED: Final = "fixed"
"""Answers beside which the numbers are typed."""


class Length(NamedTuple):
    """How an encuentro is won: cotos of camas of partidas, or a fixed number of partidas."""

    match_format: str
    partidas_per_cama: int
    camas_per_coto: int
    cotos_to_win: int
    fixed_partidas: int

    @property
    def is_fixed(self) -> bool:
        """Whether the number of partidas is fixed."""
        return self.match_format == "fixed_partidas"

    @property
    def form_answer(self) -> str:
        """The answer as a form sends it.

        >>> [Length(kind, 1, 3, 2, 8).form_answer for kind in ("cotos", "fixed_partidas")]
        ['2x3x1', '8']
        """
        if self.is_fixed:
            return str(self.fixed_partidas)
        return f"{self.cotos_to_win}x{self.camas_per_coto}x{self.partidas_per_cama}"

    def words(self, lang: str) -> str:
        """The length as players say it.

        >>> Length("cotos", 1, 3, 2, 8).words("es"), Length("cotos", 2, 1, 1, 8).words("es")
        ('2 cotos de 3 partidas', '1 coto de 1 cama de 2 partidas')
        """
        if self.is_fixed:
            return say("length.fixed", lang, n=_amount_words("partidas", self.fixed_partidas, lang))
        cotos = _amount_words("cotos", self.cotos_to_win, lang)
        if self.partidas_per_cama == 1:
            partidas = _amount_words("partidas", self.camas_per_coto, lang)
            return say("length.of", lang, whole=cotos, part=partidas)
        camas = _amount_words("camas", self.camas_per_coto, lang)
        partidas = _amount_words("partidas", self.partidas_per_cama, lang)
        whole = say("length.of", lang, whole=cotos, part=camas)
        return say("length.of", lang, whole=whole, part=partidas)

    def with_form_answer(self, text: str) -> Self:
        """The length that an answer of the form says, the rest as in this one.

        ``ValueError``: It says none.

        >>> Length("cotos", 1, 3, 2, 8).with_form_answer("8").match_format
        'fixed_partidas'
        """
        parts = [int(one) for one in text.split("x") if one.isascii() and one.isdecimal()]
        match parts:
            case [fixed]:
                return self._replace(match_format="fixed_partidas", fixed_partidas=fixed)
            case [cotos, camas, partidas]:
                return self._replace(
                    match_format="cotos",
                    cotos_to_win=cotos,
                    camas_per_coto=camas,
                    partidas_per_cama=partidas,
                )
        raise ValueError(text)

    def changes_from(self, base: Self) -> RuleChanges:
        """Options in which this length differs from that of a base profile."""
        found: RuleChanges = {}
        for name in LENGTH_OPTIONS:
            if getattr(self, name) != getattr(base, name):
                found[name] = getattr(self, name)
        return found


_USUAL: Final = (
    Length("cotos", 1, 3, 2, 8),
    Length("cotos", 1, 3, 1, 8),
    Length("fixed_partidas", 1, 3, 2, 8),
)


def lengths_to_offer(*more: Length) -> list[Length]:
    """The lengths that are offered: the usual ones, and these."""
    found: dict[str, Length] = {}
    for one in (*_USUAL, *more):
        found.setdefault(one.form_answer, one)
    for one in more:
        found[one.form_answer] = one
    return list(found.values())


def length_of(one: Profile) -> Length:
    """How long an encuentro is under a profile, for its usual number of players."""
    return Length(*(one.option_entry(name).value for name in LENGTH_OPTIONS))  # type: ignore[arg-type] # as the options are typed


def _amount_words(what: str, number: int, lang: str) -> str:
    return say(f"length.{what}" if number > 1 else f"length.{what}_one", lang, n=number)

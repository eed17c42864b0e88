"""Schemas of answers about profiles."""

from __future__ import annotations

import marshmallow as ma

from api.http.answers import TypedField
from api.http.fields import ResponseSchema
from referee.events import OptionValue, OptionValues

_BY_PLAYERS = "the value, or an object of them by number of players"


class ProfileRow(ResponseSchema):
    """A profile, in a list."""

    id = ma.fields.String(required=True)
    name = ma.fields.String(required=True, metadata={"description": "what players call it"})
    edition = ma.fields.String(required=True)
    title = ma.fields.String(required=True, metadata={"description": "of its rulebook, or empty"})
    language = ma.fields.String(
        required=True, metadata={"description": "of its rulebook, or empty"}
    )
    players = TypedField(list[int], "how many may play", required=True)
    decks = TypedField(list[int], "cards of the decks that are allowed", required=True)
    pack = TypedField(OptionValue | dict[str, OptionValue], _BY_PLAYERS, required=True)
    direction = TypedField(OptionValue | dict[str, OptionValue], _BY_PLAYERS, required=True)
    match = TypedField(
        dict[str, OptionValue | dict[str, OptionValue]], "options of the match", required=True
    )


_OF_CASES = "of a value that is a list: what each of its cases rests on"


class ArticleView(ResponseSchema):
    """Where a value comes from."""

    profile = ma.fields.String(required=True, metadata={"description": "whose rulebook"})
    section = ma.fields.String(required=True, metadata={"description": "its heading, or empty"})
    basis = ma.fields.String(
        required=True, validate=ma.validate.OneOf(["stated", "inferred", "silent"])
    )
    basis_text = ma.fields.String(required=True, metadata={"description": "the basis in words"})
    cases = TypedField(dict[str, str], _OF_CASES, required=True)


class OptionView(ResponseSchema):
    """An option of a profile."""

    value = TypedField(OptionValue | dict[str, OptionValue], _BY_PLAYERS, required=True)
    title = ma.fields.String(required=True, metadata={"description": "the option in words"})
    value_text = ma.fields.String(required=True, metadata={"description": "the value in words"})
    about = ma.fields.String(required=True)
    allowed = TypedField(
        list[OptionValue], "every value, or the least and the most of a number", required=True
    )
    basis = ma.fields.String(required=True)
    section = ma.fields.String(required=True)
    cases = TypedField(dict[str, str], _OF_CASES, required=True)
    alternatives = TypedField(
        list[OptionValue], "values that the rulebook allows as well", required=True
    )


class ProfileView(ProfileRow):
    """A profile with the values of its options."""

    options = ma.fields.Dict(
        keys=ma.fields.String(), values=ma.fields.Nested(OptionView), required=True
    )


class DifferingOption(ResponseSchema):
    """An option that two profiles have differently."""

    option = ma.fields.String(required=True)
    title = ma.fields.String(required=True, metadata={"description": "the option in words"})
    value = TypedField(
        bool | int | str | list[str | int], "of one; of deck all allowed", required=True
    )
    value_text = ma.fields.String(required=True)
    article = ma.fields.Nested(ArticleView, required=True)
    other = TypedField(bool | int | str | list[str | int], "of the other", required=True)
    other_text = ma.fields.String(required=True)
    other_article = ma.fields.Nested(ArticleView, required=True)


class ProfileDifference(ResponseSchema):
    """What two profiles have differently, for a number of players."""

    component = "Difference"

    one = ma.fields.String(required=True)
    other = ma.fields.String(required=True)
    players = ma.fields.Integer(required=True)
    options = ma.fields.List(ma.fields.Nested(DifferingOption), required=True)


class FrozenView(ResponseSchema):
    """A profile as an encuentro would freeze it."""

    id = ma.fields.String(required=True)
    edition = ma.fields.String(required=True)
    hash = ma.fields.String(required=True)
    options = TypedField(OptionValues, "value of each option", required=True)
    basis = TypedField(dict[str, str], "what each value rests on", required=True)
    sections = TypedField(dict[str, str], "section of its rulebook, by option", required=True)
    sources = TypedField(dict[str, str], "in whose rulebook it stands, by option", required=True)
    base = ma.fields.String(metadata={"description": "the one of the six that was changed"})


class Profiles(ResponseSchema):
    """All profiles."""

    items = ma.fields.List(ma.fields.Nested(ProfileRow), required=True)
    next = ma.fields.String(required=True, allow_none=True)

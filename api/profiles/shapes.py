"""Schemas of answers about profiles."""

from __future__ import annotations

import marshmallow as ma

from api.http.fields import ResponseSchema


class ProfileRow(ResponseSchema):
    """A profile, in a list."""

    id = ma.fields.String(required=True)
    edition = ma.fields.String(required=True)


class ArticleView(ResponseSchema):
    """Where a value comes from."""

    profile = ma.fields.String(required=True, metadata={"description": "whose rulebook"})
    section = ma.fields.String(required=True, metadata={"description": "its heading, or empty"})
    basis = ma.fields.String(
        required=True, validate=ma.validate.OneOf(["stated", "inferred", "silent"])
    )


class OptionView(ResponseSchema):
    """An option of a profile."""

    value = ma.fields.Raw(
        required=True, metadata={"description": "the value, or an object of them by players"}
    )
    title = ma.fields.String(required=True, metadata={"description": "the option in words"})
    value_text = ma.fields.String(required=True, metadata={"description": "the value in words"})
    about = ma.fields.String(required=True)
    allowed = ma.fields.List(ma.fields.Raw(), required=True)
    basis = ma.fields.String(required=True)
    section = ma.fields.String(required=True)
    alternatives = ma.fields.List(ma.fields.Raw(), required=True)


class ProfileView(ProfileRow):
    """A profile with the values of its options."""

    options = ma.fields.Dict(
        keys=ma.fields.String(), values=ma.fields.Nested(OptionView), required=True
    )


class DifferingOption(ResponseSchema):
    """An option that two profiles have differently."""

    option = ma.fields.String(required=True)
    title = ma.fields.String(required=True, metadata={"description": "the option in words"})
    value = ma.fields.Raw(required=True, metadata={"description": "of one; of deck all allowed"})
    value_text = ma.fields.String(required=True)
    article = ma.fields.Nested(ArticleView, required=True)
    other = ma.fields.Raw(required=True, metadata={"description": "of the other"})
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
    options = ma.fields.Dict(required=True)
    basis = ma.fields.Dict(required=True)
    sections = ma.fields.Dict(required=True)


class Profiles(ResponseSchema):
    """All profiles."""

    items = ma.fields.List(ma.fields.Nested(ProfileRow), required=True)
    next = ma.fields.String(required=True, allow_none=True)

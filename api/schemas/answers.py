"""Shapes of answers, for the document of the API. Views have more than is named here."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from api.base import page_of
from api.schemas.fields import Shown


class Free(Shown):
    """An object whose members the page on HTTP describes."""


def obj(about: str, **more: Any) -> ma.fields.Dict:
    """An object, in the words of its description."""
    return ma.fields.Dict(metadata={"description": about}, **more)


def listed(about: str, **more: Any) -> ma.fields.List[Any]:
    """A list of objects."""
    return ma.fields.List(ma.fields.Dict(), metadata={"description": about}, **more)


class Written(Shown):
    """What a write recorded."""

    id = ma.fields.UUID(required=True)
    version = ma.fields.Integer(required=True, metadata={"description": "count of acts now"})
    position = ma.fields.Integer(required=True, metadata={"description": "to wait for in a read"})
    lines = ma.fields.List(ma.fields.Integer(), required=True)
    conclusions = listed("official conclusions that followed", required=True)
    findings = listed("what was noticed by these acts", required=True)
    decided = ma.fields.Dict(required=True, allow_none=True)


class Opened(Written):
    """A new partida or encuentro."""

    number = ma.fields.Integer(metadata={"description": "of the partida in its encuentro"})
    outcome = obj("what a draw came out as")
    seed = ma.fields.String(metadata={"description": "what the cards were drawn from"})


class Previewed(Shown):
    """What would change: score, partida, coto, encuentro, and of them only what differs."""

    version = ma.fields.Integer(
        required=True, metadata={"description": "to confirm with, in If-Match"}
    )
    before = obj("what differs, as it stands", required=True)
    after = obj("what differs, as it would stand", required=True)
    words = ma.fields.List(
        ma.fields.String(), required=True, metadata={"description": "the same in words"}
    )
    conclusions = listed("official conclusions that would follow", required=True)
    encuentro = listed("what would follow in the encuentro", required=True)


class CasePreviewed(Previewed):
    """What a ruling or the decision of an appeal would change."""

    partida_version = ma.fields.Integer(
        required=True, metadata={"description": "to confirm with, in the body"}
    )


class CodeAnswer(Written):
    """A code, told once: null when the request was answered before."""

    code = ma.fields.String(required=True, allow_none=True)


class CaseView(Shown):
    """A case, with the names and texts of its ids."""

    number = ma.fields.Integer(required=True)
    version = ma.fields.Integer(required=True)
    stage = ma.fields.String(required=True)


class Cases(Shown):
    """The cases of an encuentro, and its warnings by side."""

    items = ma.fields.List(ma.fields.Nested(CaseView), required=True)
    warnings = obj("side to warnings: partida, line", required=True)


class EncuentroView(Shown):
    """An encuentro, for those who run it."""

    id = ma.fields.UUID(required=True)
    version = ma.fields.Integer(required=True)


class PartidaView(Shown):
    """A partida, for those who run it."""

    version = ma.fields.Integer(required=True)


class Entry(Shown):
    """A line as it was recorded."""

    line = ma.fields.Integer(required=True)
    act = obj("an act, or an amendment (`kind` amend) with its changes", required=True)


class EntriesOfPartida(Shown):
    """The lines of a partida that the reader has not."""

    number = ma.fields.Integer(required=True)
    version = ma.fields.Integer(required=True, metadata={"description": "count of acts now"})
    dealer_due = ma.fields.String(required=True, metadata={"description": "a seat, or empty"})
    entries = ma.fields.List(ma.fields.Nested(Entry), required=True)


class Entries(Shown):
    """The partidas of an encuentro, line by line."""

    version = ma.fields.Integer(required=True, metadata={"description": "of the encuentro"})
    partidas = ma.fields.List(ma.fields.Nested(EntriesOfPartida), required=True)


class Finding(Shown):
    """What the program noticed about a line."""

    line = ma.fields.Integer(required=True)
    rule = ma.fields.String(required=True)
    seat = ma.fields.String(required=True)
    text = ma.fields.String(required=True)
    article = ma.fields.Dict(
        required=True,
        allow_none=True,
        metadata={"description": "profile, option, section, basis; null: it rests on no option"},
    )


class Findings(Shown):
    """Everything noticed in a partida so far as its cards are known."""

    version = ma.fields.Integer(required=True)
    findings = ma.fields.List(ma.fields.Nested(Finding), required=True)


class AuditEntry(Shown):
    """One event, with who, when and on which device."""

    line = ma.fields.Integer(required=True)
    at = ma.fields.String(required=True)
    by = ma.fields.String(required=True)
    device = ma.fields.String(required=True)


class ProfileRow(Shown):
    """A profile, in a list."""

    id = ma.fields.String(required=True)
    edition = ma.fields.String(required=True)


class ArticleView(Shown):
    """Where a value comes from."""

    profile = ma.fields.String(required=True, metadata={"description": "whose rulebook"})
    section = ma.fields.String(required=True, metadata={"description": "its heading, or empty"})
    basis = ma.fields.String(
        required=True, validate=ma.validate.OneOf(["stated", "inferred", "silent"])
    )


class OptionView(Shown):
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


class DifferingOption(Shown):
    """An option that two profiles have differently."""

    option = ma.fields.String(required=True)
    title = ma.fields.String(required=True, metadata={"description": "the option in words"})
    value = ma.fields.Raw(required=True, metadata={"description": "of one; of deck all allowed"})
    value_text = ma.fields.String(required=True)
    article = ma.fields.Nested(ArticleView, required=True)
    other = ma.fields.Raw(required=True, metadata={"description": "of the other"})
    other_text = ma.fields.String(required=True)
    other_article = ma.fields.Nested(ArticleView, required=True)


class Difference(Shown):
    """What two profiles have differently, for a number of players."""

    one = ma.fields.String(required=True)
    other = ma.fields.String(required=True)
    players = ma.fields.Integer(required=True)
    options = ma.fields.List(ma.fields.Nested(DifferingOption), required=True)


class FrozenView(Shown):
    """A profile as an encuentro would freeze it."""

    id = ma.fields.String(required=True)
    edition = ma.fields.String(required=True)
    hash = ma.fields.String(required=True)
    options = ma.fields.Dict(required=True)
    basis = ma.fields.Dict(required=True)
    sections = ma.fields.Dict(required=True)


class Hall(Shown):
    """The public views of all tables."""

    tables = listed("public views: those that play, then those that finished of late")
    tournaments = listed("those that call pairs to their tables, or whose clock runs")


class Moment(Shown):
    """Where a tournament is."""

    id = ma.fields.UUID(required=True)
    stage = ma.fields.String(required=True)
    version = ma.fields.Integer(required=True)
    hash = ma.fields.String(
        required=True, metadata={"description": "of all that its pages show; the tag of this view"}
    )


class EncuentroRow(Shown):
    """An encuentro, in a list."""

    id = ma.fields.UUID(required=True)
    partidas = ma.fields.Integer(required=True, metadata={"description": "partidas begun"})
    running = ma.fields.Integer(
        required=True, allow_none=True, metadata={"description": "the partida not decided"}
    )


AuditPage = page_of(AuditEntry, "AuditPage")
EncuentroPage = page_of(EncuentroRow, "EncuentroPage")


class Profiles(Shown):
    """All profiles."""

    items = ma.fields.List(ma.fields.Nested(ProfileRow), required=True)
    next = ma.fields.String(required=True, allow_none=True)


class ProofFile(Shown):
    """A proof, as the page on the audit describes it."""

    format = ma.fields.String(required=True)
    encuentro = ma.fields.UUID(required=True)
    key = ma.fields.String(required=True)
    checkpoint = ma.fields.String(required=True)
    recorded = ma.fields.Integer(required=True)
    events = listed("index, stream, version, name, state, entry, path", required=True)

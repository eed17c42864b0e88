"""Reader of the header: tags in square brackets; known ones are checked, others are kept."""

from __future__ import annotations

from typing import Any

from referee.events import OptionValue
from referee.record.errors import Code
from referee.record.lexicon import FORMAT, PACKS, SEAT_ORDER, Token
from referee.record.printing import FIXED_TAGS, KNOWN_TAGS, OPTION_NAME, OPTION_TAG, TAG_NAME
from referee.record.reader import FileState, Reader
from referee.rules.cards import DECKS, Pack
from referee.rules.profile.profile import PROFILE_IDS
from referee.rules.seats import SEATS

TRUTHS = {"true": True, "false": False}


class Header:
    """Tags of a header, as far as they are read."""

    def __init__(self, sheet: FileState) -> None:
        self.sheet = sheet
        self.fields: dict[str, Any] = {}
        self.options: dict[str, OptionValue] = {}
        self.seats: dict[str, str] = {}
        self.tags: dict[str, str] = {}
        self.places: dict[str, tuple[int, int]] = {}
        self._seen: set[str] = set()

    def read_tag(self, tokens: list[Token]) -> None:
        """Read one tag, from its opening bracket to its closing one.

        :raises Misread: for a tag that is malformed, repeated, or of a value it cannot have.
        """
        reader = Reader(tokens, self.sheet)
        reader.take_any_token("[")
        name = reader.take_any_token("tag")
        if name.kind != "word" or not TAG_NAME.fullmatch(name.text):
            raise reader.misread_exception(Code.TAG_MALFORMED, name)
        tag = KNOWN_TAGS.get(name.text.lower(), name.text)
        if tag == OPTION_TAG:
            self._read_option(reader)
        else:
            self._refuse_second_tag(reader, name, tag.lower())
            value = reader.take_any_token("string")
            if value.kind != "string":
                raise reader.misread_exception(Code.TAG_MALFORMED, value)
            self.places[tag.lower()] = (value.line, value.column)
            self._keep_tag(reader, tag, value)
        self._take_closing_bracket(reader)

    def record_fields(self) -> dict[str, Any]:
        """Fields of the record that the tags gave; a name of the six profiles is in lower case.

        The name of a club's own profile stays as the club writes it.
        """
        fields = dict(self.fields)
        of_the_six = "base" if fields.get("base") else "profile"
        named = fields.get(of_the_six, "").strip().lower()
        return {**fields, of_the_six: named} if named in PROFILE_IDS else fields

    def _take_closing_bracket(self, reader: Reader) -> None:
        end = reader.take_any_token("]")
        if end.kind != "mark" or end.text != "]":
            raise reader.misread_exception(Code.TAG_MALFORMED, end)

    def _refuse_second_tag(self, reader: Reader, name: Token, key: str) -> None:
        if key in self._seen:
            raise reader.misread_exception(Code.TAG_TWICE, name)
        self._seen.add(key)

    def _keep_tag(self, reader: Reader, tag: str, value: Token) -> None:
        if tag in SEAT_ORDER:
            if value.text:
                self.seats[tag] = value.text
        elif tag not in FIXED_TAGS:
            self.tags[tag] = value.text
        elif tag == "Guinote":
            if value.text != FORMAT:
                raise reader.misread_exception(Code.FORMAT_UNKNOWN, value)
        elif tag == "Pack":
            self._keep_card_pack(reader, value)
        elif tag in {"Players", "Deck"}:
            allowed = [str(number) for number in (SEATS if tag == "Players" else DECKS)]
            if value.text not in allowed:
                raise reader.misread_exception(Code.TAG_VALUE, value, tag=tag, allowed=allowed)
            self.fields[tag.lower()] = int(value.text)
        else:
            self.fields[tag.lower()] = value.text

    def _keep_card_pack(self, reader: Reader, value: Token) -> None:
        named = value.text.strip().lower()
        packs: dict[str, Pack] = {pack: pack for pack in PACKS}
        if named == "french":
            raise reader.misread_exception(Code.PACK_NOT_STATED, value, readings=list(PACKS[1:]))
        if named not in packs:
            raise reader.misread_exception(Code.TAG_VALUE, value, tag="Pack", allowed=list(PACKS))
        self.fields["pack"] = self.sheet.pack = packs[named]

    def _read_option(self, reader: Reader) -> None:
        name = reader.take_any_token("option")
        if name.kind != "word" or not OPTION_NAME.fullmatch(name.text.lower()):
            raise reader.misread_exception(Code.TAG_MALFORMED, name)
        option = name.text.lower()
        self._refuse_second_tag(reader, name, f"{OPTION_TAG} {option}")
        self.places[option] = (name.line, name.column)
        self.options[option] = self._read_option_value(reader)

    def _read_option_value(self, reader: Reader) -> OptionValue:
        if reader.is_number_next:
            return reader.take_number()
        if reader.word_at_cursor in TRUTHS:
            return TRUTHS[reader.take_any_token("value").word]
        token = reader.take_any_token("value")
        if token.kind == "string":
            return token.text
        if token.kind != "mark" or token.text != "(":
            raise reader.misread_exception(Code.TAG_MALFORMED, token)
        items = []
        while reader.token_at_cursor is not None and reader.token_at_cursor.kind == "string":
            items.append(reader.take_any_token("string").text)
        closing = reader.take_any_token(")")
        if closing.kind != "mark" or closing.text != ")":
            raise reader.misread_exception(Code.TAG_MALFORMED, closing)
        return items

"""Lists as people send them: lines of WhatsApp and of mail, with what is no name left out.

A line keeps its number. What is left out is told, so that whoever pastes sees it before anything is
written. Telephone numbers are left out of the names; the organiser says whether they are kept.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final, NamedTuple

from api.http.fields import FieldFault
from api.http.names import words_of_folded_name, words_of_folded_text

LeftOut = tuple[int, FieldFault]
"""What is left out of a line, by its number."""
WordsOfName = tuple[str, ...]
"""Words in the form for comparison."""

_INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200f\u202a-\u202c\u2060\u2066-\u2069\ufeff]")
_BLANK: Final = re.compile("[\u00a0\u2000-\u200a\u202f\u3000]")
_KEYCAPS: Final = re.compile("\\A\\s*(?:[0-9#*]\ufe0f?\u20e3|\U0001f51f)+[\\s.)\\-]*")
_PICTURES: Final = frozenset({"So", "Sk", "Co", "Cs"})
_JOINED: Final = frozenset("\ufe0e\ufe0f\u20e3\u2192\u2794")
_KEPT: Final = frozenset("°`^¨\u00b4|")

_HOUR: Final = r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s*[ap]\.?\s?m\.?)?"
_DAY: Final = r"\d{1,2}[/.]\d{1,2}[/.]\d{2,4}"
_STAMP: Final = re.compile(
    rf"\A(?:\[{_DAY},?\s+{_HOUR}\]|\[{_HOUR},\s*{_DAY}\]|{_DAY},?\s+{_HOUR}\s+-)\s*", re.IGNORECASE
)
_SENDER: Final = re.compile(r"\A[^:]{1,60}:\s*")
_QUOTED: Final = re.compile(r"\A(?:>\s?)+")
_SIGNATURE: Final = "-- "

_NUMBERED: Final = re.compile(
    r"\A\s*(?:(?:#|[nN][º°.]\s*)\d{1,3}[.):\-\s]*|\d{1,3}\s*(?:[.)º°ª:]+\s*[-\u2013]?|[-\u2013]))\s*(?=[^\W\d])"
)
_BARE_NUMBER: Final = re.compile(r"\A\s*\d{1,3}\s+(?=[^\W\d])")
_BULLET: Final = re.compile(r"\A\s*[-\u2013\u2014*•·▪>+]+\s+")
_NO_NAME: Final = re.compile(r"\A\s*\d{0,3}[\s.)º°ª:_\-\u2013*…]*\Z")
_EMPHASIS: Final = re.compile(r"(?<!\w)[*_]+(?=\S)|(?<=\S)[*_]+(?!\w)")
_STRUCK: Final = re.compile(r"\A\W*~[^~]+~\W*\Z")

_PHONE: Final = re.compile(
    r"(?:\b(?:tel[eé]fono|tel[eè]fon|t[eé]l[eé]phone|phone|tfno|tlfno|tlfn|tlf|telf|tfn|tel|"
    r"m[oó]vil|m[oò]bil|mob|whatsapp|wa)\b[\s.:]*)?"
    r"(?<!\w)\(?\+?\d(?:[ .()\-]{0,2}\d){8,14}(?!\w)",
    re.IGNORECASE,
)
_MAIL: Final = re.compile(r"[<(]?(?:mailto:)?[\w.+\-]+@[\w\-]+\.[\w.\-]+[>)]?")
_MARK: Final = re.compile(
    r"(?<!\w)(?:(?:no|sin|falta|ya|ha|han|tot|todo)\s+)?"
    r"(?:pagad[oa]s?|pagar|pagat|pagats|abonad[oa]s?|pdte\b\.?|pendientes?(?:\s+de\s+pago)?|pendent|"
    r"bizum|payée?s?|paid|unpaid|confirmad[oa]s?|confirmats?|confirmée?s?|confirmed|ok|"
    r"\d{1,3}(?:[.,]\d{1,2})?\s*(?:€|eur|euros?)(?!\w))(?!\w)",
    re.IGNORECASE,
)
_ENDS: Final = " -\u2013\u2014,:*_/+·|"
_HOLLOW: Final = re.compile(r"[(\[]\s*[)\]]")
_DOUBLED: Final = re.compile(r"\s*([-\u2013\u2014/,])(?:\s*[-\u2013\u2014/,])+\s*")
_STOP: Final = re.compile(r"(?<=\w{3})\.\Z")
"""A full stop after a word, and not after an initial."""
_TALK: Final = re.compile(
    r"(?:hola|buenas|buenos dias|bon dia|bona tarda|bonjour|bonsoir|hello|hi|dear|gracias|"
    r"muchas gracias|moltes gracies|gracies|merci|thanks|un saludo|saludos|salutacions|"
    r"atentamente|un abrazo|abrazos|cordialement|cordialment|kind regards|best regards|"
    r"regards|enviado|enviat|sent from|envoye|de:|para:|asunto:|cc:|from:|to:|subject:|objet:|"
    r"assumpte:|lista|listado|llista|llistat|liste|inscritos|inscrits|apuntados|apuntats|"
    r"participantes|participants|parejas|parelles|paires|pairs|torneo|torneig|tournoi|"
    r"tournament|campeonato|campionat|jornada|libre|vacante|lliure)(?!\w)"
)

_UPPER: Final = r"[A-ZÀ-ÖØ-Þ][A-ZÀ-ÖØ-Þ'\u2019\-]+"
_SURNAME_FIRST: Final = re.compile(
    rf"(?<!\w)({_UPPER}(?:\s{_UPPER})*),[ ]+([A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]+(?:\s[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]+)?)"
    r"(?!\w)"
)
_CAPITALS: Final = re.compile(rf"{_UPPER}(?:\s+{_UPPER})+")
_SMALL: Final = frozenset(
    ["de", "del", "la", "las", "los", "el", "y", "i", "e", "da", "do", "dels", "les", "von", "van"]
)


class CleanLine(NamedTuple):
    """A line of a list: its number, and the name in it; the name is empty if the line has none."""

    number: int
    text: str


class SeenPhone(NamedTuple):
    """A telephone of a line, as it stands there, and the words of the line that stand before it."""

    line: int
    number: str
    before: WordsOfName


class Message(NamedTuple):
    """The lines of a list, what is left out of them, and the telephones among that."""

    lines: tuple[CleanLine, ...]
    left_out: tuple[LeftOut, ...]
    phones: tuple[SeenPhone, ...] = ()

    @property
    def names_as_text(self) -> str:
        """The names read as one text, each on the line where it stood in the pasted list."""
        return "\n".join(one.text for one in self.lines)


def parse_pasted_list(text: str) -> Message:
    """A pasted list, parsed: the names by line, what was left out, and the telephones.

    >>> parse_pasted_list("1️⃣ *Pilar Gil* ✅ 600 123 456 PAGADO").lines
    (CleanLine(number=1, text='Pilar Gil'),)
    """
    lines = text.split("\n")
    are_numbered = sum(bool(_BARE_NUMBER.match(one)) for one in lines) > 1
    read: list[CleanLine] = []
    left_out: list[LeftOut] = []
    phones: list[SeenPhone] = []
    is_signature = False
    for number, line in enumerate(lines, 1):
        is_signature = is_signature or line.rstrip("\r") == _SIGNATURE
        found, out = (
            ("", []) if is_signature else _name_and_faults_in_line(line, are_numbered=are_numbered)
        )
        read.append(CleanLine(number, found))
        left_out += ((number, one) for one in out)
        phones += _phones_in_line(number, line) if found else ()
    return Message(tuple(read), tuple(left_out), tuple(phones))


def name_in_mixed_case(text: str) -> str:
    """A name that was typed in capitals, in upper and lower case; any other name as it is.

    >>> (
    ...     name_in_mixed_case("MARÍA DE LA PEÑA"),
    ...     name_in_mixed_case("Ana GIL"),
    ...     name_in_mixed_case("ANA"),
    ... )
    ('María de la Peña', 'Ana GIL', 'ANA')
    """
    return _capitalize_name(text) if _CAPITALS.fullmatch(text) else text


def _name_and_faults_in_line(line: str, *, are_numbered: bool) -> tuple[str, list[FieldFault]]:
    """The name in a line of a list, and faults that tell what was left out of the line."""
    stamped, is_sent = _text_and_whether_sent(line)
    if not is_sent:
        return "", [FieldFault("line_left_out", text=_excerpt_without_phones(stamped))]
    if _is_no_name(stamped):
        words = _excerpt_without_phones(stamped)
        return "", [FieldFault("line_left_out", text=words)] if words else []
    bare = _without_number(_without_emoji(_EMPHASIS.sub("", stamped)), are_numbered=are_numbered)
    kept, out = _line_and_contact_faults(bare)
    turned = _with_surname_last(kept)
    if turned != kept:
        out.append(FieldFault("read_as", text=turned[:80]))
    return turned, out


def _phones_in_line(number: int, line: str) -> Iterator[SeenPhone]:
    """The telephones of a line, without that of who sent it."""
    seen = _MAIL.sub(" ", _text_and_whether_sent(line)[0])
    for one in _PHONE.finditer(seen):
        yield SeenPhone(number, one[0], words_of_folded_text(seen[: one.start()]))


def _text_and_whether_sent(line: str) -> tuple[str, bool]:
    """A line of a chat without its time and sender, and whether a person wrote it."""
    said = _QUOTED.sub("", _BLANK.sub(" ", _INVISIBLE.sub("", line)))
    stamped = _STAMP.sub("", said)
    if stamped == said:
        return said, True
    sender = _SENDER.match(stamped)
    return (stamped, False) if sender is None else (stamped[sender.end() :], True)


def _is_no_name(line: str) -> bool:
    """Whether a line is a greeting, a heading, an empty place, or struck out."""
    bare = _without_emoji(line).strip(' "*_#!')
    if not bare or _NO_NAME.match(bare) or _STRUCK.match(line):
        return True
    if ";" in bare or "\t" in bare:
        return False
    talk = " ".join(words_of_folded_name(re.sub(r"\A[\W\d]+", "", bare)))
    return bare.endswith(":") or _TALK.match(talk) is not None


def _excerpt_without_phones(line: str) -> str:
    """The start of a line that was left out, for the message about it, without telephones."""
    return _PHONE.sub("…", _without_emoji(line)).strip()[:80] if _has_letters(line) else ""


def _has_letters(line: str) -> bool:
    return any(sign.isalpha() for sign in line)


def _without_number(line: str, *, are_numbered: bool) -> str:
    """A line without its number in the list and without its bullet."""
    for mark in (_BULLET, _NUMBERED, *([_BARE_NUMBER] if are_numbered else [])):
        line = mark.sub("", line, count=1)
    return line


def _without_emoji(line: str) -> str:
    """A line without emoji, and without a number that is made of them."""
    plain = _KEYCAPS.sub("", line, count=1)
    kept = "".join(" " if _is_emoji(sign) else sign for sign in plain if sign not in _JOINED)
    return line if kept == line else re.sub(r" {2,}", " ", kept).strip(" ")


def _is_emoji(sign: str) -> bool:
    return sign not in _KEPT and unicodedata.category(sign) in _PICTURES


def _line_and_contact_faults(line: str) -> tuple[str, list[FieldFault]]:
    """A line without telephones, mail and words about money, and faults that tell what went out."""
    out: list[FieldFault] = []
    kept = line
    for what, code in ((_MAIL, "mail_left_out"), (_PHONE, "phone_left_out")):
        kept, n = what.subn(" ", kept)
        out += [FieldFault(code)] if n else []
    marks = [one[0].strip() for one in _MARK.finditer(kept)]
    if marks:
        kept = _MARK.sub(" ", kept)
        out.append(FieldFault("marks_left_out", text=", ".join(marks)))
    return (_without_empty_brackets(kept) if out else line), out


def _without_empty_brackets(line: str) -> str:
    """A line without the brackets and separators around what was taken out."""
    closed = _HOLLOW.sub(" ", line)
    single = _DOUBLED.sub(r" \1 ", closed)
    return _STOP.sub("", re.sub(r" {2,}", " ", single).strip(_ENDS))


def _with_surname_last(line: str) -> str:
    """A line in which each surname in capitals is behind its first name."""
    return _SURNAME_FIRST.sub(
        lambda found: f"{found[2]} {_capitalize_name(found[1], begun=1)}", line
    )


def _capitalize_name(text: str, begun: int = 0) -> str:
    """Words in capitals, in upper and lower case as in a name.

    ``begun``: How many words of the name are before them.
    """
    words = enumerate(text.lower().split(), begun)
    return " ".join(one if one in _SMALL and at else _capitalize_word(one) for at, one in words)


def _capitalize_word(word: str) -> str:
    return re.sub(r"(?:\A|(?<=['\u2019\-]))[^\W\d]", lambda found: found[0].upper(), word)

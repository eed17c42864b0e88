"""Forms that a page offers, read from its HTML, with the values that they are preset with."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final

_TYPED: Final = {
    "number": "1",
    "date": "2026-11-26",
    "note": "Visto.",
    "because": "Visto.",
    "second": "Pilar",
}
"""What is typed in an empty field, by its kind or by its name."""


@dataclass
class OfferedForm:
    """A form that is sent by POST. ``asks``: it is opened first, or wants something typed or read.

    ``is_secret``: it wants a password or a code, which a test does not know.
    """

    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    asks: bool = False
    is_secret: bool = False
    buttons: int = 0


class PageForms(HTMLParser):
    """The forms and the links of a page. Empty fields that are required are filled in."""

    def __init__(self, path: str, text: str) -> None:
        super().__init__()
        self.forms: list[OfferedForm] = []
        self.links: list[str] = []
        self._path, self._details = path, 0
        self._form: OfferedForm | None = None
        self._area: list[str] | None = None
        self._select: tuple[str, list[str], str | None] | None = None
        self._name = ""
        self._radios: dict[str, tuple[str, bool]] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "a" and given.get("href", "").startswith("/"):
            self.links.append(given["href"])
        elif tag == "details":
            self._details += 1
        elif tag == "form" and given.get("method") == "post":
            self._form = OfferedForm(given.get("action") or self._path, asks=self._details > 0)
            self._form.asks |= self._form.action == self._path
            self._radios = {}
        elif self._form is not None:
            self._in_form(tag, given, self._form)

    def _in_form(self, tag: str, given: dict[str, str], form: OfferedForm) -> None:
        name = given.get("name", "")
        if tag == "input":
            self._input(given, name, form)
        elif tag == "button" and name and not form.buttons:
            form.fields.append((name, given.get("value", "")))
        elif tag == "textarea":
            self._name, self._area = name, []
            form.asks |= "hidden" not in given
        elif tag == "select":
            self._select = (name, [], None)
            form.asks = True
        elif tag == "option" and self._select is not None:
            one, options, chosen = self._select
            options.append(given.get("value", "\0"))
            self._select = (one, options, options[-1] if "selected" in given else chosen)
        form.buttons += tag == "button"

    def _input(self, given: dict[str, str], name: str, form: OfferedForm) -> None:
        kind, value = given.get("type", "text"), given.get("value", "")
        form.is_secret |= kind == "password" or (name == "code" and not value)
        form.asks |= kind != "hidden" and "required" in given
        if kind == "radio":
            known, is_chosen = self._radios.get(name, (value, False))
            is_now = "checked" in given
            self._radios[name] = (value if is_now else known, is_now or is_chosen)
        elif kind == "checkbox":
            is_on = "checked" in given or "required" in given
            form.fields += [(name, value or "on")] if is_on else []
        elif kind != "file" and name:
            typed = _TYPED.get(name) or (_TYPED.get(kind, "Rosa") if "required" in given else "")
            form.fields.append((name, value or typed))

    def handle_data(self, data: str) -> None:
        if self._area is not None:
            self._area.append(data)
        elif self._select is not None and self._select[1] and self._select[1][-1] == "\0":
            one, options, chosen = self._select
            options[-1] = data.strip()
            self._select = (one, options, options[-1] if chosen == "\0" else chosen)

    def handle_endtag(self, tag: str) -> None:
        form = self._form
        if tag == "details":
            self._details -= 1
        elif tag == "textarea" and form is not None and self._area is not None:
            typed = "".join(self._area) or _TYPED.get(self._name, "")
            form.fields.append((self._name, typed))
            self._area = None
        elif tag == "select" and form is not None and self._select is not None:
            name, options, chosen = self._select
            if options:
                form.fields.append((name, options[0] if chosen is None else chosen))
            self._select = None
        elif tag == "form" and form is not None:
            form.fields += [(name, value) for name, (value, _) in self._radios.items()]
            self.forms.append(form)
            self._form = None

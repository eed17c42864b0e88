"""Forms that a page offers, with the values that they are preset with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from selectolax.lexbor import LexborNode

from tests.support.html import Html

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


class PageForms:
    """The forms and the links of a page. Empty fields that are required are filled in."""

    def __init__(self, path: str, text: str) -> None:
        page = Html(text)
        self.links = [str(one) for one in page.values('a[href^="/"]', "href")]
        folded = {one.mem_id for one in page.all("details form")}
        self.forms = [
            _form(one, path, is_folded=one.mem_id in folded)
            for one in page.all('form[method="post"]')
        ]


def _form(node: LexborNode, path: str, *, is_folded: bool) -> OfferedForm:
    action = node.attributes.get("action") or path
    form = OfferedForm(action, asks=is_folded or action == path)
    radios: dict[str, list[dict[str, str]]] = {}
    buttons = 0
    for one in node.css("input, button, textarea, select"):
        given = {name: value or "" for name, value in one.attributes.items()}
        name = given.get("name", "")
        if one.tag == "input" and given.get("type") == "radio":
            radios.setdefault(name, []).append(given)
        elif one.tag == "input":
            _fill(form, given, name)
        elif one.tag == "textarea":
            form.asks |= "hidden" not in given
            form.fields.append((name, one.text() or _TYPED.get(name, "")))
        elif one.tag == "select":
            form.asks = True
            form.fields += [(name, value) for value in _chosen(one)]
        else:
            form.fields += [(name, given.get("value", ""))] if name and not buttons else []
            buttons += 1
    for name, choices in radios.items():
        form.asks |= any("required" in one for one in choices)
        chosen = [one for one in choices if "checked" in one] or choices[:1]
        form.fields.append((name, chosen[-1].get("value", "")))
    return form


def _fill(form: OfferedForm, given: dict[str, str], name: str) -> None:
    kind, value = given.get("type", "text"), given.get("value", "")
    form.is_secret |= kind == "password" or (name == "code" and not value)
    form.asks |= kind != "hidden" and "required" in given
    if kind == "checkbox":
        is_on = "checked" in given or "required" in given
        form.fields += [(name, value or "on")] if is_on else []
    elif kind != "file" and name:
        typed = _TYPED.get(name) or (_TYPED.get(kind, "Rosa") if "required" in given else "")
        form.fields.append((name, value or typed))


def _chosen(select: LexborNode) -> list[str]:
    """The value of a list that is preset: of the option that is chosen, or of the first."""
    options = select.css("option")
    chosen = [one for one in options if "selected" in one.attributes] or options[:1]
    given = [(one, one.attributes) for one in chosen[-1:]]
    return [(of["value"] or "") if "value" in of else one.text().strip() for one, of in given]

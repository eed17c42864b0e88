"""Conversion of bodies to acts of a case: persons and texts become ids."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from api.http.bodies import Body
from api.http.fields import FieldFault
from api.http.problems import Problem
from api.http.services import NOT_STORED, PendingTexts, current_services, timestamp_now
from api.profiles import findings
from referee import events as ev
from referee.aggregates.case import Case, ground_of_option
from referee.log.mapper import timestamp_of_datetime


class CaseActBuilder:
    """Converts bodies about one encuentro into acts; without pending texts nothing is stored."""

    def __init__(self, encuentro_id: UUID, put: PendingTexts | None = None) -> None:
        self.encuentro_id = encuentro_id
        self._put_text: Callable[[str], str] = put.add_text if put else lambda _: NOT_STORED
        self._put_person: Callable[[str], str] = put.add_person if put else lambda _: NOT_STORED
        self._met: dict[str, str] = {}

    # --- persons and texts ---------------------------------------------------------------------

    def id_of_known_or_new_person(self, who: Mapping[str, str], field: str = "by") -> str:
        """Id of a person given by id or by name.

        A name that the encuentro does not know makes a new person.

        :raises Problem: nobody has this id
        """
        if "person" in who:
            if not current_services().persons.is_named(who["person"]):
                raise Problem("invalid", errors={"json": {field: [FieldFault("no_such_person")]}})
            return who["person"]
        if not self._met:
            self._met = {_normalize_name(name): one for one, name in self._persons_with_names()}
        name = _normalize_name(who["name"])
        if name not in self._met:
            self._met[name] = self._put_person(who["name"])
        return self._met[name]

    def store_text_of_body(self, body: Body, field: str = "because") -> str:
        """Id of a text of a body; empty if it has none."""
        return self._put_text(body[field]) if body.get(field) else ""

    def _persons_with_names(self) -> Iterator[tuple[str, str]]:
        """Persons of the encuentro with their names: at the table, in its cases, in its result."""
        referee, persons = current_services().referee, current_services().persons
        state = referee.encuentros.encuentro(self.encuentro_id)
        found = [person for _, person in state.seats]
        result = state.result
        acts = [result.reported, *result.confirmed, result.official, *result.reopened]
        for one in result.cases:
            acts += acts_of_case(referee.cases.case(self.encuentro_id, one.case))
        found += [getattr(act, name, "") for act in acts for name in ("by", "second")]
        for person in dict.fromkeys(filter(None, found)):
            if name := persons.name(person):
                yield person, name

    # --- acts of a case ------------------------------------------------------------------------

    def opening_act(self, body: Body) -> ev.CaseOpened:
        """The act that opens a case, from a body; stores its text. The service adds the time."""
        return ev.CaseOpened(
            encuentro="",
            number=0,
            partida=body["partida"],
            seen=0,
            players=0,
            by=self.id_of_known_or_new_person(body["by"]),
            text=self.store_text_of_body(body),
            side=body["side"],
            lines=tuple(body["lines"]),
            suspends=body.get("suspends", False),
        )

    def evidence_act(self, body: Body) -> ev.EvidenceAttached:
        """The act that attaches evidence to a case, from a body; stores its text."""
        return ev.EvidenceAttached(
            by=self.id_of_known_or_new_person(body["by"]),
            seen=0,
            side=body["side"],
            lines=tuple(body["lines"]),
            text=self.store_text_of_body(body, "note"),
            photo=ev.Photo(**body["photo"]) if "photo" in body else None,
        )

    def ruling_act(self, body: Body) -> ev.CaseRuled:
        """The act of a ruling, with its time and the latest time for an appeal."""
        now, minutes = current_services().clock(), body["appeal_minutes"]
        until = timestamp_of_datetime(now + timedelta(minutes=minutes)) if minutes else ""
        ruling = self.ruling_of_verdict(body["verdict"])
        return ev.CaseRuled(
            self.id_of_known_or_new_person(body["by"]), timestamp_of_datetime(now), ruling, 0, until
        )

    def appeal_act(self, body: Body) -> ev.Appealed:
        """The act of an appeal, from a body; stores its text."""
        by = self.id_of_known_or_new_person(body["by"])
        return ev.Appealed(body["side"], by, timestamp_now(), self.store_text_of_body(body))

    def appeal_decision_act(self, body: Body) -> ev.AppealDecided:
        """The act that decides an appeal, from a body; stores its text."""
        ruling = self.ruling_of_verdict(body["verdict"]) if "verdict" in body else None
        by = self.id_of_known_or_new_person(body["by"])
        return ev.AppealDecided(by, timestamp_now(), self.store_text_of_body(body), ruling)

    def closing_act(self, body: Body) -> ev.CaseClosed:
        """The act that closes a case, from a body; stores its text."""
        waived = tuple(sorted(set(body["waived"])))
        by = self.id_of_known_or_new_person(body["by"])
        return ev.CaseClosed(by, timestamp_now(), self.store_text_of_body(body), waived)

    def ruling_of_verdict(self, body: Body) -> ev.CaseRuling:
        """What is ruled, from a body, with its article of the frozen profile; stores the text."""
        kept = ("effect", "side", "seat", "points", "line")
        values: dict[str, Any] = {name: body[name] for name in kept}
        return ev.CaseRuling(
            ground=self._ground(body["ground"]), text=self.store_text_of_body(body), **values
        )

    def _ground(self, body: Body) -> ev.Ground:
        if body["kind"] != "article":
            return ev.Ground(body["kind"])
        return ground_of_option(
            findings.frozen_profile_of_encuentro(self.encuentro_id), body["option"], body["basis"]
        )


def acts_of_case(case: Case) -> list[Any]:
    """Acts of a case."""
    acts = [case.opened, *case.evidence, case.ruled, case.appealed, case.decided, case.closed]
    return [act for act in acts if act is not None]


def _normalize_name(name: str) -> str:
    return " ".join(name.casefold().split())

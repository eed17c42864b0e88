"""Problems: every refusal over HTTP in one format, with a stable code."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from http import HTTPStatus
from typing import Any, Final

import msgspec
from flask import Response, current_app, render_template, request
from werkzeug.exceptions import HTTPException

from api.http import fields
from api.http.access.prefix import prefix
from api.http.languages import language, say, texts_of_language
from projections.legality.findings import article_of_rule
from referee.aggregates.league.state import LeagueRule
from referee.aggregates.publication import PublicationRule
from referee.aggregates.ranking import RankingRule
from referee.aggregates.road import RoadRule
from referee.errors import Refused
from referee.events import FrozenProfile
from referee.rules.articles import Rule
from referee.rules.draw import SeatDrawRule

MEDIA_TYPE = "application/problem+json"

PROBLEMS: dict[str, int] = {
    "bad_request": 400,
    "malformed_json": 400,
    "duplicate_key": 400,
    "bad_text": 400,
    "too_deep": 400,
    "not_utf8": 400,
    "body_cut": 400,
    "idempotency_key_missing": 400,
    "idempotency_key_bad": 400,
    "not_signed_in": 401,
    "revoked": 401,
    "forbidden": 403,
    "cross_site": 403,
    "out_of_scope": 403,
    "not_found": 404,
    "not_signed": 404,
    "no_analysis": 404,
    "method_not_allowed": 405,
    "not_acceptable": 406,
    "refused": 409,
    "conflict": 409,
    "not_decided": 409,
    "already_playing": 409,
    "bad_draw": 409,
    "bad_tournament": 409,
    "bad_league": 409,
    "bad_road": 409,
    "bad_publication": 409,
    "bad_ranking": 409,
    "names_lost": 409,
    "people_full": 409,
    "length_required": 411,
    "stale": 412,
    "too_large": 413,
    "media_type": 415,
    "invalid": 422,
    "bad_profile": 422,
    "key_reused": 422,
    "if_match_missing": 428,
    "too_many": 429,
    "too_fast": 429,
    "internal": 500,
    "busy": 503,
    "not_yet": 503,
    "read_only": 503,
    "streams_full": 503,
    "unavailable": 503,
    "disk_full": 507,
    "club_full": 507,
}
"""Status of every code; the code of a refused act is the id of its rule instead."""

_BY_STATUS: dict[int, str] = {
    400: "bad_request",
    401: "not_signed_in",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    409: "conflict",
    411: "length_required",
    412: "stale",
    413: "too_large",
    415: "media_type",
    422: "invalid",
    428: "if_match_missing",
    429: "too_many",
    500: "internal",
    503: "unavailable",
}


class Problem(HTTPException):
    """An HTTP refusal with its code and further members of the answer."""

    def __init__(self, code: str, *, headers: Mapping[str, str] | None = None, **more: Any) -> None:
        super().__init__()
        self.code = PROBLEMS[code]
        self.problem = code
        self.more = more
        self.problem_headers = dict(headers or {})


def _problem_body(
    status: int, code: str, detail: str, more: Mapping[str, object]
) -> dict[str, object]:
    family = code if code in PROBLEMS else "refused"
    return {
        "type": f"urn:guinote:problem:{family}",
        "title": say(f"problem.{family}", language()),
        "status": status,
        "code": code,
        "detail": detail,
        **more,
        **_errors_in_words_and_codes(more.get("errors")),
    }


def _errors_in_words_and_codes(errors: Any) -> dict[str, object]:
    """Members ``errors`` (in words) and ``codes`` of a problem; empty without validation errors."""
    if not errors:
        return {}
    return {
        "errors": fields.faults_in_words(errors, language()),
        "codes": fields.fault_codes(errors),
    }


def _wants_page() -> bool:
    """Whether the client wants an HTML page rather than JSON."""
    if request.path.startswith("/api/"):
        return False
    wanted = request.accept_mimetypes.best_match([MEDIA_TYPE, "text/html"])
    return wanted == "text/html" or "pages" in request.blueprints


def _problem_html(body: Mapping[str, object], status: int) -> str:
    """HTML text of a problem: in the frame of every page, if the stores can be asked for that."""
    if status < HTTPStatus.INTERNAL_SERVER_ERROR:
        try:
            return render_template("html/problem.html", problem=body)
        except Exception:
            current_app.logger.warning("a page is drawn without the stores", exc_info=True)
    return _render_without_stores(body)


def _render_without_stores(body: Mapping[str, object]) -> str:
    """HTML page of a problem that is made without asking a store."""
    lang = language()
    drawn = current_app.jinja_env.get_template("html/fault.html")
    return drawn.render(
        problem=body, lang=lang, prefix=prefix(), t=lambda key: texts_of_language(lang)[key]
    )


def problem_response(
    status: int, code: str, detail: str, more: Mapping[str, object], headers: Mapping[str, str]
) -> Response:
    """HTTP response of a problem: an HTML page for a browser, else JSON."""
    body = _problem_body(status, code, detail, more)
    if _wants_page():
        response = Response(_problem_html(body, status), status)
        if request.method == "GET" and "Retry-After" in headers:  # browsers retry after it
            response.headers["Refresh"] = headers["Retry-After"]
    else:
        payload = msgspec.json.encode(body, enc_hook=str)
        response = Response(payload, status, content_type=MEDIA_TYPE)
    response.headers.update(headers)
    response.headers["Content-Language"] = language()
    response.headers["Cache-Control"] = "no-store"
    return response


def answer_http_error(error: HTTPException) -> Response:
    """HTTP response to any HTTP error, as a problem."""
    if isinstance(error, Problem):
        detail = say(f"problem.{error.problem}.detail", language(), **error.more)
        return problem_response(
            error.code or 500, error.problem, detail, error.more, error.problem_headers
        )
    status = error.code or 500
    if error.response is not None:  # a redirect, or a finished response
        made = error.get_response()
        return Response(made.response, status, made.headers)
    code = _BY_STATUS.get(status, "bad_request" if status < 500 else "internal")  # noqa: PLR2004 - client or server
    data: Mapping[str, Any] = getattr(error, "data", None) or {}
    errors = data.get("errors") or data.get("messages")
    headers = dict(data.get("headers") or {})
    if methods := getattr(error, "valid_methods", None):
        headers["Allow"] = ", ".join(sorted(methods))
    more = {"errors": errors} if errors else {}
    return problem_response(status, code, say(f"problem.{code}.detail", language()), more, headers)


_FAMILIES: Final[Mapping[type[StrEnum], str]] = {
    Rule: "rule",
    LeagueRule: "league_rule",
    RoadRule: "road_rule",
    PublicationRule: "publication_rule",
    RankingRule: "ranking_rule",
}
"""Families of the texts of rules; those that are missing here are of tournaments."""
_CODES: Final[Mapping[type[StrEnum], str]] = {
    SeatDrawRule: "bad_draw",
    LeagueRule: "bad_league",
    RoadRule: "bad_road",
    PublicationRule: "bad_publication",
    RankingRule: "bad_ranking",
}
"""Codes of refusals by rules that are not of the law; the same holds here."""


def refusal_words(refused: Refused, lang: str) -> str:
    """Reason of a refusal in words."""
    if isinstance(refused.rule, SeatDrawRule):
        return say("problem.bad_draw.detail", lang, reason=refused.rule.value)
    family = _FAMILIES.get(type(refused.rule), "tournament")
    return say(f"{family}.{refused.rule.value}", lang, **refused.facts)


def refusal_response(refused: Refused, frozen: FrozenProfile | None = None) -> Response:
    """HTTP response to a refusal: its rule, the article if there is one, and the facts.

    A rule of tournaments has the code ``bad_tournament``, one of leagues ``bad_league``, one of
    roads ``bad_road``, one of draws for seats ``bad_draw``, and its id is the ``reason`` too.
    """
    rule, detail = refused.rule, refusal_words(refused, language())
    more: dict[str, object] = {"rule": rule.value, "facts": dict(refused.facts)}
    if not isinstance(rule, Rule):
        code = _CODES.get(type(rule), "bad_tournament")
        return problem_response(409, code, detail, {"reason": rule.value, **more}, {})
    if article := article_of_rule(rule, frozen):
        more["article"] = article
    return problem_response(409, rule.value, detail, more, {})

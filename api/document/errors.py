"""Errors of each operation: by status, with the codes that its answers may have.

What an operation may answer follows from what it asks for: a right, a body, a key, a version. Only
what is of one subject alone is named here. A test compares every error of the test run with this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from api.http import problems
from api.http.languages import say
from referee.rules.articles import ABOUT

READS_OF_VIEWS: Final = frozenset({"wait", "cursor", "If-None-Match"})
"""Parameters of those that read the views, which may be behind the log."""
STREAMS: Final = ("_stream", "_changes")
_UNSAID: Final = tuple(
    {"$ref": f"#/components/responses/{name}"} for name in ("UNPROCESSABLE_ENTITY", "DEFAULT_ERROR")
)
"""What the library says of errors: that they are problems."""


class ErrorGroup(NamedTuple):
    """Codes that an operation may answer with for one reason."""

    name: str
    codes: tuple[str, ...]


ANY = ErrorGroup(
    "Any",
    (
        *("internal", "unavailable", "read_only", "disk_full", "invalid"),
        *("cross_site", "too_fast"),
    ),
)
"""The store may fail in any of them, and every address is checked for unknown parameters. A token
of an app has a pace, and sites whose pages may use it."""
SIGN_IN = ErrorGroup(
    "SignIn", ("not_signed_in", "revoked", "forbidden", "out_of_scope", "too_many")
)
SUBJECT = ErrorGroup("Subject", ("not_found",))
"""Of what the path or the body names."""
BODY = ErrorGroup(
    "Body",
    (
        *("malformed_json", "duplicate_key", "bad_text", "too_deep", "not_utf8", "body_cut"),
        *("length_required", "too_large", "media_type"),
    ),
)
KEY = ErrorGroup(
    "Key", ("idempotency_key_missing", "idempotency_key_bad", "bad_request", "key_reused")
)
"""A key is of a device, whose name may be wrong."""
VERSION = ErrorGroup("Version", ("if_match_missing", "stale"))
WRITE = ErrorGroup("Write", ("refused", "names_lost", "people_full", "club_full"))
VIEWS = ErrorGroup("Views", ("not_yet",))
STREAM = ErrorGroup("Stream", ("streams_full",))
SPECIAL: Final[Mapping[str, ErrorGroup]] = {
    "post_encuentros": ErrorGroup("Opening", ("already_playing", "bad_profile")),
    "post_pairings": ErrorGroup("Guess", ("too_many",)),
    "post_sign_ins": ErrorGroup("Password", ("too_many", "busy")),
    "post_profiles_check": ErrorGroup("Profile", ("bad_profile",)),
    "post_sessions": ErrorGroup("Profile", ("bad_profile",)),
    "post_session_terms": ErrorGroup("Profile", ("bad_profile",)),
    "post_sessions_file": ErrorGroup("Profile", ("bad_profile",)),
    "post_sessions_file_preview": ErrorGroup("Profile", ("bad_profile",)),
    "post_club_rules": ErrorGroup("Profile", ("bad_profile",)),
    "post_club_rule": ErrorGroup("Profile", ("bad_profile",)),
    "post_draws_preview": ErrorGroup("TriedDraw", ("bad_draw", "bad_profile")),
    "post_encuentro_draws": ErrorGroup("Draw", ("bad_draw",)),
    "post_encuentro_result_confirmations": ErrorGroup("Guess", ("too_many", "busy")),
    "get_encuentro_proof": ErrorGroup("Signed", ("not_signed",)),
    "get_tournament_signed_list": ErrorGroup("SignedList", ("not_signed", "bad_tournament")),
    "get_log_checkpoint": ErrorGroup("Signed", ("not_signed",)),
    "get_publication": ErrorGroup("SignedResults", ("not_signed", "bad_publication")),
    **dict.fromkeys(
        ("get_ranking", "get_ranking_people", "get_ranking_club_publication"),
        ErrorGroup("TakenResults", ("bad_ranking",)),
    ),
    "get_puzzles": SUBJECT,
    "get_public_changes": SUBJECT,
    "get_readyz": ErrorGroup("Token", ("too_many",)),
    "get_tournament_meeting_choices": ErrorGroup("Choices", ("bad_tournament",)),
    "get_log_key": ErrorGroup("Signed", ("not_signed",)),
    "get_encuentro_partida_analysis": ErrorGroup("Analysis", ("not_decided", "no_analysis")),
    "get_encuentro_case_analysis": ErrorGroup("Analysis", ("not_decided", "no_analysis")),
    "post_encuentro_case_analysis": ErrorGroup("Analysis", ("not_decided", "no_analysis")),
}
"""Operations with errors of their own."""
SUBJECTS: Final[Mapping[str, ErrorGroup]] = {
    "/api/v1/tournaments": ErrorGroup("Tournament", ("bad_tournament", "bad_profile")),
    "/api/v1/leagues": ErrorGroup("League", ("bad_league",)),
    "/api/v1/roads": ErrorGroup("Road", ("bad_road", "bad_tournament")),
    "/api/v1/publication": ErrorGroup("Publication", ("bad_publication",)),
    "/api/v1/rankings": ErrorGroup("Ranking", ("bad_ranking",)),
}
"""Beginnings of the paths whose writes have errors of their own."""


def describe_errors(spec: Any) -> None:
    """Give every operation its errors: a response for each status, shared where it is the same."""
    for path, item in spec._paths.items():  # noqa: SLF001 - the library has no way to read it
        for method, operation in item.items():
            if "responses" in operation:
                shared = item.get("parameters", [])
                for status, response, name in error_responses_with_status_and_name(
                    _error_groups(path, method, operation, shared)
                ):
                    if operation["responses"].get(status, _UNSAID[0]) in _UNSAID:
                        spec.components.responses.setdefault(name, response)
                        operation["responses"][status] = {"$ref": f"#/components/responses/{name}"}


def _error_groups(
    path: str, method: str, operation: Mapping[str, Any], shared: list[Any]
) -> Iterator[ErrorGroup]:
    """Groups of errors that an operation may answer with."""
    names = {one.get("name") for one in operation.get("parameters", [])}
    is_write = method != "get"
    yield ANY
    if operation.get("security") != []:
        yield SIGN_IN
    if shared or is_write:
        yield SUBJECT
    if is_write:
        yield WRITE
        yield BODY
    if "Idempotency-Key" in names:
        yield KEY
    if "If-Match" in names:
        yield VERSION
    if names & READS_OF_VIEWS or not is_write:
        yield VIEWS
    if operation["operationId"].endswith(STREAMS):
        yield STREAM
    yield from (one for begin, one in SUBJECTS.items() if is_write and path.startswith(begin))
    if special := SPECIAL.get(operation["operationId"]):
        yield special


def error_responses_with_status_and_name(
    groups: Iterator[ErrorGroup],
) -> Iterator[tuple[str, dict[str, Any], str]]:
    """For each status that some groups have, three values.

    The status, its error response, its name as a component.

    >>> found = error_responses_with_status_and_name(iter([SUBJECT, VERSION]))
    >>> [(status, name) for status, _, name in found]
    [('404', 'Subject404'), ('412', 'Version412'), ('428', 'Version428')]
    """
    found: dict[int, dict[str, list[str]]] = {}
    for group in groups:
        for code in group.codes:
            of_status = found.setdefault(problems.PROBLEMS[code], {})
            of_status.setdefault(group.name, []).append(code)
    for status, by_group in sorted(found.items()):
        codes = sorted({code for some in by_group.values() for code in some})
        yield str(status), describe_error_response(status, codes), "".join(by_group) + str(status)


def describe_error_response(status: int, codes: list[str]) -> dict[str, Any]:
    """The error response of a status: what each of its codes means, and the codes for a program."""
    meanings = [f"`{code}`: {say(f'problem.{code}', 'en')}" for code in codes]
    ids = [one for code in codes for one in (IMPOSSIBLE if code == "refused" else (code,))]
    if "refused" in codes:
        meanings.append("the code is then the id of the rule")
    return {
        "description": f"{HTTPStatus(status).phrase}. {'; '.join(meanings)}",
        "content": {problems.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemShape"}}},
        "x-codes": ids,
    }


IMPOSSIBLE: Final = tuple(
    sorted(rule.value for rule, about in ABOUT.items() if about.kind == "impossible")
)
"""Rules by whose ids an act is refused."""

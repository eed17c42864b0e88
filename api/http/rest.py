"""Base of the API: strict requests, answers with versions as ETags, OpenAPI document."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias, TypeVar, cast
from uuid import UUID

import flask
import marshmallow as ma
import msgspec
from flask import Response, g, request
from flask_smorest import Api, Blueprint  # type: ignore[import-untyped]  # it has no types
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import HTTPException

from api.http import bodies, problems
from api.http.access.prefix import prefix
from api.http.answers import JsonSchema, TypedField
from api.http.fields import MAX_TEXT, FieldFault, QueryInt, ResponseSchema
from api.http.problems import Problem
from projections.legality.findings import ArticleData
from referee.events import Conclusion, Event
from referee.log.streams import Answer

RouteT = TypeVar("RouteT", bound=Callable[..., Any])


class Decorator(Protocol):
    """A decorator that keeps the type of a view."""

    def __call__(self, view: RouteT, /) -> RouteT:
        """The decorated view."""


_KEY = re.compile(r"[\x21-\x7e]{8,128}")
_TAG = re.compile(r'"(\d{1,9})"')
POSITION_HEADER = "Guinote-Position"
VIEW_HEADER = "Guinote-View"
IDEMPOTENCY_KEY: JsonSchema = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": True,
    "description": "Your own value for this request; sent again, it is answered again.",
    "schema": {"type": "string", "minLength": 8, "maxLength": 128, "pattern": "^[!-~]{8,128}$"},
}
IF_MATCH: JsonSchema = {
    "name": "If-Match",
    "in": "header",
    "required": True,
    "description": "The version (count of acts) that the request was made for.",
    "schema": {"type": "string", "pattern": '^"[0-9]{1,9}"$'},
}
IF_NONE_MATCH: JsonSchema = {
    "name": "If-None-Match",
    "in": "header",
    "description": "The ETag that the reader has; if it is the one of now, the answer is 304.",
    "schema": {"type": "string"},
}
WAIT: JsonSchema = {
    "name": "wait",
    "in": "query",
    "description": "Position of a write that the answer must have seen; also as Guinote-Position.",
    "schema": {"type": "integer", "minimum": 0, "maximum": 2**53},
}
LANG: JsonSchema = {
    "name": "lang",
    "in": "query",
    "description": "Language of texts: es, ca, en or fr; without it that of Accept-Language.",
    "schema": {"type": "string"},
}
_DESCRIBED = "described"
_REPLAYED = {
    "description": "true: this was recorded before, under the same key",
    "schema": {"type": "string", "enum": ["true"]},
}
_TAG_HEADER = {"description": "The version now", "schema": {"type": "string"}}


FactValue: TypeAlias = str | int | bool | list[str | int | bool | list[int]] | None
FaultFactsData: TypeAlias = dict[str, FactValue]


GivenData: TypeAlias = FactValue | dict[str, FactValue]
"""A fact, or what was given as a table by number of players."""


class ProfileProblemData(msgspec.Struct, frozen=True):
    """A contradiction in a profile."""

    code: str
    options: list[str]
    facts: dict[str, GivenData]


class ProblemShape(ResponseSchema):
    """Format of every error (RFC 9457)."""

    type = ma.fields.String(required=True)
    title = ma.fields.String(required=True)
    status = ma.fields.Integer(required=True)
    code = ma.fields.String(
        required=True, metadata={"description": "Stable: a code, or the id of the rule"}
    )
    detail = ma.fields.String(required=True)
    errors = TypedField(
        dict[str, Any], "422: place and field to messages, in the language of the reader"
    )
    codes = TypedField(
        dict[str, Any], "422: place and field to codes, in the shape of errors; they never change"
    )
    rule = ma.fields.String(metadata={"description": "409: id of the rule"})
    reason = ma.fields.String(metadata={"description": "409: what is wrong with a draw"})
    article = TypedField(ArticleData, "409: where the rule stands")
    facts = TypedField(FaultFactsData, "409: what speaks against the act; each rule has its own")
    version = ma.fields.Integer(metadata={"description": "412: the version now"})
    of = ma.fields.String(metadata={"description": "412: what was only seen, and is another"})
    problems = TypedField(
        list[ProfileProblemData], "422: what contradicts what in a profile, by option"
    )
    limit = ma.fields.Integer(metadata={"description": "400, 413: the most that is allowed"})
    behind = ma.fields.Integer(metadata={"description": "503: events still to be read"})
    parts = TypedField(dict[str, Any], "503: each part")


Documented: TypeAlias = Callable[["GuinoteApi"], None]
"""Function with which a room adds to the OpenAPI document before the routes do."""


class GuinoteApi(Api):  # type: ignore[misc]  # the library has no types
    """The API of the application, whose errors are problems and documented as such."""

    ERROR_SCHEMA = ProblemShape

    def __init__(self, app: flask.Flask, documented: Sequence[Documented]) -> None:
        self._documented = documented
        super().__init__(app)

    def handle_http_exception(self, error: HTTPException) -> Response:
        """HTTP response to any HTTP error, as a problem."""
        return problems.answer_http_error(error)

    def _register_responses(self) -> None:
        self._use_component_as_schema_name()
        self.ma_plugin.converter.add_attribute_function(_pattern_member_or_empty)
        for document in self._documented:
            document(self)
        self.DEFAULT_RESPONSE_CONTENT_TYPE = problems.MEDIA_TYPE
        super()._register_responses()
        del self.DEFAULT_RESPONSE_CONTENT_TYPE

    def _use_component_as_schema_name(self) -> None:
        """Use the ``component`` of a schema as its name in the document instead of its class name.

        Clients are generated from the document, so renaming a class must not change it.
        """
        converter = self.ma_plugin.converter
        name_of_class = converter.schema_name_resolver

        def component_name(schema: Any) -> str:
            shape = schema if isinstance(schema, type) else type(schema)
            return str(vars(shape).get("component") or name_of_class(schema))

        converter.schema_name_resolver = component_name


def _pattern_member_or_empty(
    _converter: object, _field: object, ret: JsonSchema, **_more: object
) -> JsonSchema:
    """Pattern of a text field for JSON Schema, with ``^`` and ``$`` as ends; or an empty dict."""
    pattern = str(ret.get("pattern", ""))
    return {"pattern": pattern.replace(r"\A", "^").replace(r"\Z", "$")} if pattern else {}


class _Parser(FlaskParser):
    """Parser of arguments that refuses ambiguous JSON."""

    def load_json(self, req: Any, schema: Any) -> Any:
        """The object in the body."""
        return bodies.read_json_body(req)


def _add_parameters(doc: JsonSchema, about: dict[str, Any], **_: Any) -> JsonSchema:
    """Add the parameters of ``describe`` to an operation of the document."""
    if more := about.get(_DESCRIBED):
        doc["parameters"] = [*doc.get("parameters", []), *more]
    return doc


class Noun(Blueprint):  # type: ignore[misc]  # the library has no types
    """A blueprint for the routes about one noun, such as players."""

    ARGUMENTS_PARSER = _Parser()

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self._prepare_doc_cbks.append(_add_parameters)

    if TYPE_CHECKING:  # the library is not typed; its decorators keep the type

        def route(self, rule: str, **options: Any) -> Decorator:
            """Decorator: the address of a view."""

        def arguments(self, schema: Any, **options: Any) -> Decorator:
            """Decorator: the schema of the request."""

        def response(self, status: int, schema: Any = None, **options: Any) -> Decorator:
            """Decorator: the schema of the answer."""

        def alt_response(self, status: int, *given: Any, **options: Any) -> Decorator:
            """Decorator: a further schema of the answer."""

        @staticmethod
        def doc(**options: Any) -> Decorator:
            """Decorator: data for the document only."""


def takes_headers_and_query(
    *, key: bool = False, match: bool = False, tag: bool = False, wait: bool = False
) -> Decorator:
    """Decorator: documents the headers and parameters of a route, and reads those required first.

    What was read is in ``g``, as ``idempotency_key`` and ``expected_version``. It stands before the
    schema of the query, whose parameters the route takes too; all others are refused.
    """
    given = [(key, IDEMPOTENCY_KEY), (match, IF_MATCH), (tag and not key, IF_NONE_MATCH)]
    parameters = [what for is_wanted, what in [*given, (wait, WAIT)] if is_wanted]

    def decorate(view: RouteT) -> RouteT:
        known = {"lang", *query_parameter_names(view), *(["wait"] if wait else [])}

        @functools.wraps(view)
        def read_then_call(*args: Any, **given: Any) -> Any:
            if unknown := set(request.args) - known:
                raise Problem(
                    "invalid", errors={"query": {one: [FieldFault("unknown")] for one in unknown}}
                )
            if key:
                g.idempotency_key = _require_idempotency_key()
            if match:
                g.expected_version = _require_version()
            return view(*args, **given)

        return document_parameters(*parameters, LANG)(cast("RouteT", read_then_call))

    return decorate


def query_parameter_names(view: Callable[..., Any]) -> set[str]:
    """Names of the parameters that the schemas of a view read from the address."""
    read = getattr(view, "_apidoc", {}).get("arguments", {}).get("parameters", [])
    return {name for one in read if one["in"] == "query" for name in one["schema"]().fields}


def document_parameters(*parameters: JsonSchema) -> Decorator:
    """Decorator: adds parameters to the documentation of a route.

    The library's own way, ``doc(parameters=...)``, puts them in the place of those of schemas.
    """

    def decorate(view: RouteT) -> RouteT:
        before = getattr(view, "_apidoc", {})
        kept = [*before.get(_DESCRIBED, []), *parameters]
        vars(view)["_apidoc"] = {**before, _DESCRIBED: kept}  # where the library looks
        return view

    return decorate


def answer_header_schemas(*, tag: bool = False, replayed: bool = False) -> dict[str, JsonSchema]:
    """Schemas of the headers of an answer by name, for its documentation."""
    found = {"ETag": _TAG_HEADER} if tag else {}
    return {**found, "Idempotent-Replayed": _REPLAYED} if replayed else found


def _require_idempotency_key() -> str:
    """Idempotency key of the request; refused if it is missing or malformed."""
    key = request.headers.get("Idempotency-Key", "")
    if not key:
        raise Problem("idempotency_key_missing")
    if not _KEY.fullmatch(key):
        raise Problem("idempotency_key_bad")
    return key


def refuse_body() -> None:
    """Refuse a body on a route without one, unless it is an empty object."""
    if bodies.read_json_body(request):
        raise Problem("invalid", errors={"json": {"_schema": [FieldFault("not_empty")]}})


def _require_version() -> int:
    """Version in the header ``If-Match``; refused if it is missing or no version."""
    sent = request.headers.get("If-Match", "").strip()
    if not sent:
        raise Problem("if_match_missing")
    tag = _TAG.fullmatch(sent)
    if tag is None:
        raise Problem("stale")
    return int(tag[1])


def reply(
    value: Any,
    status: int = 200,
    *,
    tag: str | int | None = None,
    headers: Mapping[str, str] | None = None,
    order: Literal["deterministic"] | None = None,
) -> Response:
    """HTTP response with a value as JSON, or 304 if the client has it already.

    ``order``: deterministic if the same value may come with its keys in another order.
    """
    if tag is not None and status == 200 and str(tag) in request.if_none_match:  # noqa: PLR2004 - OK
        response = Response(status=304)
    else:
        body = msgspec.json.encode(value, order=order)
        response = Response(body, status, content_type="application/json")
    if tag is not None:
        response.headers["ETag"] = f'"{tag}"'
    response.headers.setdefault("Cache-Control", "no-store")
    response.headers.update(headers or {})
    return response


def tag_of_view(view: Any) -> str:
    """ETag of a view: a hash of its content."""
    return hashlib.sha256(msgspec.json.encode(view, order="deterministic")).hexdigest()[:32]


def conclusions_among(events: Iterable[Event]) -> list[Event]:
    """Those of some events that are official conclusions."""
    return [event for event in events if isinstance(event, Conclusion)]


def response_to_write(
    answer: Answer,
    status: int = 200,
    *,
    location: str = "",
    **more: Any,
) -> Response:
    """HTTP response to a write, with its answer as JSON: id, version, position, conclusions."""
    events = [recorded.event for recorded in answer.events]
    body = {
        "id": str(answer.id),
        "version": answer.version,
        "position": answer.position,
        "lines": answer.lines,
        "conclusions": conclusions_among(events),
        "findings": [],
        "decided": None,
        **more,
    }
    headers = {POSITION_HEADER: str(answer.position)}
    if location:
        headers["Location"] = location
    if answer.replayed:
        headers["Idempotent-Replayed"] = "true"
    return reply(body, status, tag=answer.version, headers=headers, order="deterministic")


class VersionedView(Protocol):
    """A view that says of which version it is."""

    @property
    def version(self) -> int:
        """Number of events from which the view was made."""


def official_view_response(view: VersionedView) -> Response:
    """HTTP response with an official view, whose ETag is the version that a write needs.

    A view may change while its version does not (an outcome was followed, a name erased). Therefore
    *not modified* depends on the hash of the view, which has its own header.
    """
    view_tag = tag_of_view(view)
    is_known = view_tag in request.if_none_match
    response = Response(status=304) if is_known else reply(view)
    response.headers["ETag"] = f'"{view.version}"'
    response.headers[VIEW_HEADER] = f'"{view_tag}"'
    response.headers["Cache-Control"] = "no-store"
    return response


def encuentro_api_address(encuentro_id: UUID, number: int | None = None) -> str:
    """Address of an encuentro in the API, or of one of its partidas."""
    path = f"{prefix()}/api/v1/encuentros/{encuentro_id}"
    return path if number is None else f"{path}/partidas/{number}"


_SECURITY: Final[JsonSchema] = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "The owner's token, or one of a sign-in or a paired device, with its role.",
    },
    "app": {
        "type": "http",
        "scheme": "bearer",
        "description": "A token of an app. One of the scopes that are named is enough, as far as "
        "whoever made the token may do it.",
    },
    "app_sign_in": {
        "type": "http",
        "scheme": "bearer",
        "description": "A token of a sign-in of an app, whatever its scopes.",
    },
}


class Page(ma.Schema):
    """Cursor and limit of a page of a list."""

    class Meta:
        """Unknown query parameters are ignored: other schemas read them."""

        unknown = ma.EXCLUDE

    cursor = ma.fields.String(
        validate=ma.validate.Length(1, MAX_TEXT),
        metadata={"description": "Where the page begins: `next` of the page before."},
    )
    limit = QueryInt(1, 200, load_default=50, metadata={"description": "Most items of the page."})


def list_page_schema(shape: type[ma.Schema], name: str) -> type[ma.Schema]:
    """Schema of a list page with items of a schema."""
    return type(
        name,
        (ResponseSchema,),
        {
            "items": ma.fields.List(ma.fields.Nested(shape), required=True),
            "next": ma.fields.String(
                required=True, allow_none=True, metadata={"description": "cursor; null: the end"}
            ),
        },
    )


def configure_api(app: flask.Flask, documented: Sequence[Documented] = ()) -> GuinoteApi:
    """Set up and return an app's REST API. ``documented``: functions that add to its document."""
    app.config.update(
        API_TITLE="Guinote referee",
        API_VERSION="v1",
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/api",
        MAX_CONTENT_LENGTH=bodies.MAX_BYTES,
        MAX_FORM_MEMORY_SIZE=bodies.MAX_BYTES,
        API_SPEC_OPTIONS={
            "components": {"securitySchemes": _SECURITY},
        },
    )
    return GuinoteApi(app, documented)

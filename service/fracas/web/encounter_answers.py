"""How the endpoints of encounters answer, and how the OpenAPI document describes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from flask import Response, current_app
from flask_smorest import Api

from fracas.encounters.schemas import SCHEMAS
from fracas.engine.requests import EXPLAIN
from fracas.web.encounter_access import etag
from fracas.web.encounter_schemas import StaleSchema
from fracas.web.openapi import one_of, pascal
from fracas.web.parsing import Blueprint

_VERSIONS = r'^(\*|(W/)?"[^"]*"(, *(W/)?"[^"]*")*)$'
_PARAMETERS: Mapping[str, Any] = {
    "cards": {
        "in": "query",
        "name": "cards",
        "description": "Forms of the cards that are wanted besides.",
        "schema": {"$ref": "#/components/schemas/RequestCards"},
    },
    "explain": {
        "in": "query",
        "name": "explain",
        "description": "How the numbers of steps are explained: by the lines that count and the names of what is "
        "unknown, by all lines with their verdicts, or not at all.",
        "schema": {"type": "string", "enum": list(EXPLAIN), "default": EXPLAIN[0]},
    },
    "If-Match": {
        "in": "header",
        "name": "If-Match",
        "required": True,
        "description": 'The version that you have seen, such as `"12"`; `*` for any.',
        "schema": {"type": "string", "pattern": _VERSIONS},
    },
    "If-None-Match": {
        "in": "header",
        "name": "If-None-Match",
        "description": "The version that you have; if it still stands, the answer is 304.",
        "schema": {"type": "string"},
    },
    "Idempotency-Key": {
        "in": "header",
        "name": "Idempotency-Key",
        "required": True,
        "description": "A word of your own for this command; sent again with it, the command is not repeated.",
        "schema": {"type": "string", "pattern": "^[ -~]+$", "minLength": 1, "maxLength": 200},
    },
}


_EMPTY = {204: "There is nothing to come any more.", 304: "It is as you have seen it."}


def answer(data: Any, status: int = 200, version: int | None = None, **headers: str) -> Response:
    """JSON as the role may see it, which no cache may give to another."""
    text = current_app.json.dumps(data)
    if version is not None:
        headers["ETag"] = etag(version)
    headers["Vary"] = "Authorization"
    return current_app.response_class(text, status, headers, mimetype="application/json")


def answer_text(text: str, kind: str) -> Response:
    """Text of a media type."""
    response = current_app.response_class(
        text.encode("utf-8", "replace"), content_type=f"{kind}; charset=utf-8"
    )
    response.vary.add("Authorization")
    return response


def nothing(status: int = 204, version: int | None = None) -> Response:
    """An answer without a body."""
    response = current_app.response_class(status=status)
    response.headers.remove("Content-Type")
    response.vary.add("Authorization")
    if version is not None:
        response.headers["ETag"] = etag(version)
    return response


def documenting(blp: Blueprint) -> Callable[..., Any]:
    """Names in the OpenAPI document the statuses of failures, all with the one error body, parameters, and a
    media type that a caller may also ask for.

    It is one wrapper around a view; flask-smorest's own way is one a status, and each costs time.
    """

    def documents(
        *statuses: int, parameters: tuple[str, ...] = (), body: Any = None, also: str = ""
    ) -> Callable[[Any], Any]:
        reported: dict[str, Any] = {"responses": {status: _response(status) for status in statuses}}
        if also:
            reported["responses"][200] = {"content": {also: {"schema": {"type": "string"}}}}
        if parameters:  # in place of those that flask-smorest would find
            reported["parameters"] = [_PARAMETERS[name] for name in parameters]
        if body is not None:
            reported["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
        if 401 in statuses:
            reported["security"] = [{"token": []}]
        document: Callable[[Any], Any] = blp.doc(**reported)
        return document

    return documents


def _response(status: int) -> dict[str, Any]:
    if status in _EMPTY:
        return {"description": _EMPTY[status]}
    name = "Stale" if status == 412 else "Error"
    schema = {"$ref": f"#/components/schemas/{name}"}
    return {"description": HTTPStatus(status).phrase, "content": {"application/json": {"schema": schema}}}


def describe(api: Api) -> None:
    """Components of the OpenAPI document: the commands, distinguished by their field ``command``, and the token."""
    names = {}
    for word, schema in SCHEMAS.items():
        names[word] = f"Command{pascal(word)}"
        found = _plain(api.ma_plugin.converter.schema2jsonschema(schema))
        described = {
            "type": "object",
            "description": (type(schema).__doc__ or "").strip(),
            "properties": {"command": {"type": "string", "const": word}, **found.get("properties", {})},
            "required": ["command", *found.get("required", ())],
            "additionalProperties": False,
        }
        api.spec.components.schema(names[word], described)
    api.spec.components.schema("Command", one_of("command", names, "Something to be done in a fight."))
    api.spec.components.schema("Stale", schema=StaleSchema())
    scheme = {"type": "http", "scheme": "bearer", "description": "A token of the encounter."}
    api.spec.components.security_scheme("token", scheme)


def _plain(schema: Any) -> Any:
    """Patterns without what only Python knows, and the size of objects by its own name."""
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {name: _plain(part) for name, part in schema.items()}
    if schema.get("type") == "object" and isinstance(schema.get("maxLength"), int):
        plain["maxProperties"] = plain.pop("maxLength")
    if isinstance(pattern := schema.get("pattern"), str):
        plain["pattern"] = "^" + pattern.removesuffix(r"\Z") + "$"
    return plain

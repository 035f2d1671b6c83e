"""The OpenAPI document: what a client generator needs to make a client that can say no wrong.

A request names its ruleset and procedure, and each procedure has a request of its own with its own situation. What
several procedures of a ruleset read, such as a combatant or a weapon, is one component with all that any of them reads;
what one procedure reads of it exactly is in ``/v1/rulesets/{id}``.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from threading import Lock
from typing import Any, NamedTuple

from flask import Blueprint, Response, current_app, request

from fracas.engine.game import Game, Games
from fracas.kernel.ruleset import Procedure
from fracas.kernel.vocabulary import Field, Record, field_schema
from fracas.packs.entries import HouseRule

Json = dict[str, Any]
Describe = Callable[[], Json]
"""Gives the document as flask-smorest makes it."""

_OR_NAME = "OrName"
_SAID = ", or fields of one, or both."
"""Ends the name of the component for a record that may be given by the name of an entry alone."""

OPERATIONS: Mapping[str, Mapping[str, str]] = {
    "/health": {"get": "getHealth"},
    "/v1/rulesets": {"get": "listRulesets"},
    "/v1/rulesets/{id}": {"get": "getRuleset"},
    "/v1/exchange": {"post": "getExchange"},
    "/v1/rulesets/{id}/balance": {"get": "getBalance"},
    "/v1/packs": {"get": "listPacks"},
    "/v1/packs/{id}": {"get": "getPack"},
    "/v1/packs/{id}/{kind}": {"get": "listEntries"},
    "/v1/entries/{id}": {"get": "getEntry"},
    "/v1/packs/check": {"post": "checkPacks"},
    "/v1/packs/reload": {"post": "reloadPacks"},
    "/v1/resolve": {"post": "resolve"},
    "/v1/resolve/continue": {"post": "continueStep"},
    "/v1/odds": {"post": "getOdds"},
    "/v1/forecast": {"post": "getForecast"},
    "/foundry/module.json": {"get": "getFoundryModule"},
    "/foundry/fracas.zip": {"get": "getFoundryArchive"},
    "/foundry/readme": {"get": "getFoundryReadme"},
    "/foundry/documents": {"get": "getFoundryDocuments"},
    "/foundry/mappings": {"get": "getFoundryMappings"},
    "/v1/encounters": {"get": "listEncounters", "post": "beginEncounter"},
    "/v1/encounters/{id}": {"get": "getEncounter", "delete": "deleteEncounter"},
    "/v1/encounters/{id}/commands": {"post": "giveCommand"},
    "/v1/encounters/{id}/actions": {"get": "listActions"},
    "/v1/encounters/{id}/surroundings": {"get": "getSurroundings"},
    "/v1/encounters/{id}/odds": {"post": "getFightOdds"},
    "/v1/encounters/{id}/exchange": {"post": "getFightExchange"},
    "/v1/encounters/{id}/forecast": {"post": "getFightForecast"},
    "/v1/encounters/{id}/spots": {"post": "findSpots"},
    "/v1/encounters/{id}/events": {"get": "listEvents"},
    "/v1/encounters/{id}/log": {"get": "getLog"},
    "/v1/encounters/{id}/steps/{step}": {"get": "getStep"},
    "/v1/encounters/{id}/tickets": {"post": "makeTicket"},
    "/v1/encounters/{id}/tokens": {"get": "listTokens", "post": "addToken"},
    "/v1/encounters/{id}/tokens/{token}": {"delete": "revokeToken"},
    "/v1/encounters/{id}/tokens/{token}/rotate": {"post": "rotateToken"},
}
"""What a client generator calls each operation."""
_OF_REQUEST = ("ruleset", "procedure", "situation", "options")
"""Fields of a request that each procedure has in its own way."""


def pages(describe: Describe, games: Games) -> Blueprint:
    """``/openapi.json``: made when it is first asked for, and again when packs have changed."""
    blp = Blueprint("openapi", __name__)
    document = Document(describe, games)

    @blp.route("/openapi.json")
    def openapi() -> Response:
        written = document.written()
        packed = request.accept_encodings.quality("gzip") > 0
        response = current_app.response_class(
            written.packed if packed else written.plain, mimetype="application/json"
        )
        if packed:
            response.headers["Content-Encoding"] = "gzip"
        response.vary.add("Accept-Encoding")
        response.headers["Cache-Control"] = "no-cache"
        response.set_etag(f"{written.digest}-gzip" if packed else written.digest)
        response.make_conditional(request)
        return response

    return blp


class Written(NamedTuple):
    """The document as it is sent."""

    plain: bytes
    packed: bytes
    digest: str


class Document:
    """The document of a service."""

    def __init__(self, describe: Describe, games: Games) -> None:
        self._describe, self._games = describe, games
        self._lock = Lock()
        self._known: tuple[str, Written] | None = None

    def written(self) -> Written:
        """The document under the packs as they are now."""
        with self._lock:
            packs = self._games.library.digest
            if self._known is None or self._known[0] != packs:
                text = current_app.json.dumps(described(self._describe(), self._games)).encode()
                digest = hashlib.sha256(text).hexdigest()[:32]
                self._known = packs, Written(text, gzip.compress(text, 6), digest)
            return self._known[1]


def described(spec: Json, games: Games) -> Json:
    """The document with the requests of all procedures in place of the general one."""
    schemas = spec["components"]["schemas"]
    general = schemas["Request"]["properties"]
    common = {name: schema for name, schema in general.items() if name not in _OF_REQUEST}
    for name, schema in common.items():
        schemas[f"Request{pascal(name)}"] = schema
    shared = {name: _to(f"Request{pascal(name)}") for name in common}
    of_rulesets = [f"{pascal(id)}Request" for id in games.ids()]
    for id in games.ids():
        schemas.update(_of_ruleset(games.game(id), shared))
    schemas["Request"] = {  # a discriminator names objects, and these are themselves one of several
        "description": "A combat step to resolve, or to give the odds of. In its situation a field that is left out, "
        "or null, is unknown; a record that packs have entries for is a slug, fields, or both with `use`.",
        "oneOf": [_to(name) for name in of_rulesets],
    }
    for path, methods in OPERATIONS.items():
        for method, name in methods.items():
            spec["paths"][path][method]["operationId"] = name
    schemas = {name: _without_defaults(schemas[name]) for name in sorted(schemas)}
    paths, responses = _named_errors(spec["paths"])
    responses = {**spec["components"].get("responses", {}), **responses}
    return {
        **spec,
        "paths": paths,
        "components": {**spec["components"], "schemas": schemas, "responses": responses},
    }


def _named_errors(paths: Json) -> tuple[Json, Json]:
    """The paths with the name of each plain error response in its place, and these responses by name."""
    named: Json = {}
    plain = {"application/json": {"schema": _to("Error")}}

    def response(status: str, given: Json) -> Json:
        if status == "default" or given.get("content") != plain or given.keys() != {"description", "content"}:
            return given
        name = HTTPStatus(int(status)).name
        named[name] = given
        return {"$ref": f"#/components/responses/{name}"}

    def operation(given: Any) -> Any:
        if not isinstance(given, dict) or "responses" not in given:
            return given
        responses = {str(status): response(str(status), one) for status, one in given["responses"].items()}
        return {**given, "responses": responses}

    made = {path: {method: operation(one) for method, one in found.items()} for path, found in paths.items()}
    return made, named


def _of_ruleset(game: Game, shared: Mapping[str, Json]) -> Json:
    """The components of a ruleset: its records, situations and requests."""
    start = pascal(game.ruleset.id)
    made: Json = {f"{start}Options": _options(game)}
    records: dict[str, _Shared] = {}
    requests = {}
    for procedure in game.ruleset.procedures.values():
        for record in procedure.vocabulary.records.values():
            name = _name_of(start, record)
            records.setdefault(name, _Shared(record, {})).add(procedure, record)
        name = requests[procedure.id] = f"{start}{pascal(procedure.id)}Request"
        situation = f"{start}{pascal(procedure.id)}Situation"
        made[situation] = _situation(start, procedure)
        made[name] = _closed(
            {
                "ruleset": {"type": "string", "const": game.ruleset.id},
                "procedure": {"type": "string", "const": procedure.id},
                "situation": _to(situation),
                "options": _to(f"{start}Options"),
                **shared,
            },
            ("ruleset", "procedure", "situation"),
            f"{procedure.label}. {procedure.doc}",
        )
    for name, one in records.items():
        made[name] = one.schema(game.ruleset.label)
        if one.record.entry_kind:
            either = [{"type": "string", "maxLength": 200}, _to(name)]
            made[f"{name}{_OR_NAME}"] = {"description": "A slug, fields, or both.", "anyOf": either}
    made[f"{start}Request"] = one_of("procedure", requests, f"A procedure of {game.ruleset.label}.")
    return made


class _Shared(NamedTuple):
    """A record that several procedures read, with the fields that any of them reads."""

    record: Record
    fields: dict[str, list[Field]]

    def add(self, procedure: Procedure, record: Record) -> None:
        for field in procedure.vocabulary.fields_of(record.path).values():
            self.fields.setdefault(field.path.rpartition(".")[2], []).append(field)

    def schema(self, ruleset: str) -> Json:
        kind = self.record.entry_kind
        properties = {name: _leaf(fields) for name, fields in self.fields.items()}
        if not kind:
            return _closed(properties, (), self.record.label)
        use = f"Slug or id of a pack's {kind}; its fields count where none are given."
        own = {"use": {"type": "string", "maxLength": 200, "description": use, "x-entry-kind": kind}}
        doc = f"A {kind} of {ruleset}, with the fields that any of its procedures reads."
        return _closed(own | properties, (), doc)


def _situation(start: str, procedure: Procedure) -> Json:
    vocabulary = procedure.vocabulary
    properties: Json = {}
    for record in vocabulary.records.values():
        name = _name_of(start, record)
        doc = "" if record.doc.endswith(_SAID) else record.doc  # what it may be, its schema says
        given = ". ".join(part.rstrip(".") for part in (record.label, doc) if part)
        own = {"description": f"{given}.", **_to(f"{name}{_OR_NAME}")}
        properties[record.path] = own if record.entry_kind else _to(name)
    properties |= {field.path: _leaf([field]) for field in vocabulary.fields_of("").values()}
    return _closed(properties, (), f"{procedure.label}.")


def _leaf(fields: Iterable[Field]) -> Json:
    """A field as several procedures read it: every value that any of them takes."""
    first, *others = fields
    choices = dict.fromkeys(first.choices)
    for other in others:
        choices |= dict.fromkeys(other.choices)
        first = first._replace(least=min(first.least, other.least), most=max(first.most, other.most))
    schema = field_schema(first._replace(choices=tuple(choices)))
    docs = {field.meaning for field in (first, *others)}
    title, doc = schema.pop("title"), first.meaning if len(docs) == 1 else ""
    schema.pop("description", None)
    if first.type == "choice":  # in this form a generator makes one type of the words
        words = [word for word in schema["enum"] if word is not None]
        schema = {"anyOf": [{"type": "string", "enum": words}, {"type": "null"}]}
    return {"description": f"{title}. {doc}".strip(), **schema}


def _options(game: Game) -> Json:
    """The house rules of the packs in use."""
    return _closed(
        {id: _house_rule(rule) for id, rule in game.house_rules.items()},
        (),
        "House rules other than their defaults.",
    )


def _house_rule(rule: HouseRule) -> Json:
    given = f"{rule.label}. {rule.doc}".strip()
    if rule.type == "choice":
        return {"type": "string", "enum": list(rule.choices), "description": given}
    return {"type": {"flag": "boolean", "whole": "integer"}.get(rule.type, "number"), "description": given}


def _name_of(start: str, record: Record) -> str:
    """The component of a record: one for all that are filled in by the same kind of entry."""
    return start + pascal(record.entry_kind or record.path.rpartition(".")[2])


def one_of(name: str, components: Mapping[str, str], description: str) -> Json:
    """A schema of several components, distinguished by the value of a property."""
    references = {word: f"#/components/schemas/{component}" for word, component in components.items()}
    return {
        "description": description,
        "oneOf": [{"$ref": reference} for reference in references.values()],
        "discriminator": {"propertyName": name, "mapping": references},
    }


def _closed(properties: Json, required: Iterable[str], description: str) -> Json:
    schema: Json = {"type": "object", "description": description, "properties": properties}
    if needed := list(required):
        schema["required"] = needed
    return {**schema, "additionalProperties": False}


def _to(component: str) -> Json:
    return {"$ref": f"#/components/schemas/{component}"}


def pascal(name: str) -> str:
    """The name of a component: ``Sr4RangedAttack`` of ``sr4-ranged-attack``."""
    return "".join(part[:1].upper() + part[1:] for part in name.replace("_", "-").split("-"))


def _without_defaults(schema: Any) -> Any:
    """A schema without defaults: generators take a field that has one for a field that must be there."""
    if isinstance(schema, list):
        return [_without_defaults(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {
        name: _without_defaults(part)
        for name, part in schema.items()
        if name not in ("default", "properties")
    }
    if "properties" in schema:  # one of which may be called so
        plain["properties"] = {name: _without_defaults(part) for name, part in schema["properties"].items()}
    return plain

"""How bodies and queries are read: JSON only, of limited size and depth, with every fault in one answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NoReturn

from flask import abort
from flask_smorest import Blueprint as SmorestBlueprint
from marshmallow import Schema, ValidationError
from webargs.flaskparser import FlaskParser

from fracas.engine.loading import MAX_DEPTH, check_depth, problems_of, without_doubles
from fracas.errors import InputError


class Parser(FlaskParser):
    """Reads a JSON body strictly, and turns marshmallow's messages into our problems."""

    def load_json(self, req: Any, schema: Schema) -> Any:
        if not req.is_json:
            abort(415, "the body must be JSON, and Content-Type must say application/json")
        try:
            data = json.loads(req.get_data(cache=False), object_pairs_hook=without_doubles)
        except RecursionError:
            raise InputError.one("", "too-deep", f"nested more than {MAX_DEPTH} levels deep") from None
        except ValueError as error:
            abort(400, f"the body is no JSON: {error}")
        if not isinstance(data, dict):
            raise InputError.one("", "wrong-type", "an object is expected")
        check_depth(data)
        return data

    def handle_error(
        self, error: ValidationError, req: Any, schema: Schema, *, error_status_code: Any, error_headers: Any
    ) -> NoReturn:
        assert isinstance(error.messages, dict)
        _, messages = next(iter(error.messages.items()))
        raise problems_of(messages, schema)


class Blueprint(SmorestBlueprint):
    """flask-smorest's blueprint with our parser."""

    ARGUMENTS_PARSER = Parser()


def documents_refusals(blp: Blueprint, schema: Schema) -> Callable[[Any], Any]:
    """Names in the OpenAPI document the ways in which a body is refused; all have the one error body."""

    def document(view: Any) -> Any:
        for status in (400, 403, 413, 415, 422):
            view = blp.alt_response(status, schema=schema)(view)
        return view

    return document

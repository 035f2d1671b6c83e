"""Codes of faults come with the fields and checks of our schemas, whatever sentences marshmallow has for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from marshmallow import fields, validate

from fracas.encounters.schemas import SCHEMAS, NewEncounterSchema
from fracas.engine.game import Games
from fracas.engine.loading import Message, Schema, load
from fracas.engine.requests import RequestSchema
from fracas.errors import InputError
from fracas.web.event_schemas import EventsQuerySchema
from fracas.web.foundry import FoundryQuerySchema
from fracas.web.library_schemas import SearchSchema
from fracas.web.offer_schemas import ActionsQuerySchema
from fracas.web.schemas import ContinueSchema
from fracas.web.step_schemas import StepQuerySchema
from fracas.web.token_schemas import NewTokenSchema


def parts(field: Any) -> Iterator[Any]:
    """A field and those within it."""
    yield field
    for name in ("inner", "key_field", "value_field"):
        if isinstance(inner := getattr(field, name, None), fields.Field):
            yield from parts(inner)
    if isinstance(schema := getattr(field, "schema", None), Schema):
        for inner in schema.fields.values():
            yield from parts(inner)


def test_every_message_has_a_code(games: Games) -> None:
    read = [RequestSchema(games), NewEncounterSchema(), *SCHEMAS.values(), ContinueSchema(), NewTokenSchema()]
    read += [
        FoundryQuerySchema(),
        SearchSchema(),
        ActionsQuerySchema(),
        StepQuerySchema(),
        EventsQuerySchema(),
    ]
    seen = 0
    for schema in read:
        for declared in schema.fields.values():
            for field in parts(declared):
                messages = [*field.error_messages.values()]
                messages += [check.error for check in field.validators if hasattr(check, "error")]
                assert all(isinstance(message, Message) for message in messages), (schema, field.name)
                seen += len(messages)
    assert seen > 500


class Everything(Schema):
    text = fields.String(required=True, validate=validate.Length(max=3))
    whole = fields.Integer(strict=True, validate=validate.Range(1, 5))
    truth = fields.Boolean()
    word = fields.String(validate=validate.OneOf(("one", "two")))
    form = fields.String(validate=validate.Regexp("[a-z]+", error="small letters are expected"))
    many = fields.List(fields.Integer(strict=True), validate=validate.Length(max=2))
    named = fields.Dict(keys=fields.String(), values=fields.Integer(strict=True))


@pytest.mark.parametrize(
    ("data", "faults"),
    [
        ({}, {"text": ("missing-field", "this field is needed")}),
        ({"text": None}, {"text": ("wrong-type", "a text is expected, not null")}),
        ({"text": 5}, {"text": ("wrong-type", "a text is expected")}),
        ({"text": "long"}, {"text": ("out-of-range", "at most 3 characters are expected")}),
        ({"text": "", "whole": 6}, {"whole": ("out-of-range", "1 to 5 is expected, not 6")}),
        ({"text": "", "whole": 1.5}, {"whole": ("wrong-type", "a whole number is expected")}),
        ({"text": "", "truth": "maybe"}, {"truth": ("wrong-type", "true or false is expected")}),
        (
            {"text": "", "word": "three"},
            {"word": ("unknown-choice", "'three' is not known here; known: one, two")},
        ),
        ({"text": "", "form": "5"}, {"form": ("invalid", "small letters are expected")}),
        ({"text": "", "many": [1, 2, 3]}, {"many": ("out-of-range", "at most 2 items are expected")}),
        ({"text": "", "many": [1, "x"]}, {"many[1]": ("wrong-type", "a whole number is expected")}),
        ({"text": "", "many": 3}, {"many": ("wrong-type", "a list is expected")}),
        ({"text": "", "other": 3}, {"other": ("unknown-field", "'other' is no field here")}),
    ],
)
def test_a_fault_has_its_code_and_our_sentence(data: Any, faults: Any) -> None:
    with pytest.raises(InputError) as caught:
        load(Everything(), data)
    assert {problem.path: (problem.code, problem.message) for problem in caught.value.problems} == faults

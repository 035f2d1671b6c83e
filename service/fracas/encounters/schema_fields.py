"""The fields of commands' schemas: texts, numbers and lists of limited size, each with its description."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from fracas.engine.loading import StrictBoolean
from fracas.engine.requests import NAME

ID = validate.Regexp(
    r"[a-z0-9][a-z0-9-]{0,63}\Z", error="small letters, digits and hyphens are expected, at most 64"
)
WORD = validate.Length(min=1, max=100)
MAX_LIST = 64
MAX_THERE = 200
"""Combatants who are in a fight at a time; a command may name them all."""


def text(description: str, **kwargs: Any) -> fields.String:
    """A text of the length of a name, unless `validate` says otherwise."""
    kwargs.setdefault("validate", NAME)
    return fields.String(metadata={"description": description}, **kwargs)


def maybe(description: str, **kwargs: Any) -> fields.String:
    """A text that may be left out, or null."""
    return text(description, load_default=None, allow_none=True, **kwargs)


def flag(description: str, default: bool | None = False) -> StrictBoolean:
    """True or false; a default of None may be null."""
    return StrictBoolean(
        load_default=default, allow_none=default is None, metadata={"description": description}
    )


def whole(description: str, least: int, most: int, **kwargs: Any) -> fields.Integer:
    """A whole number."""
    return fields.Integer(
        strict=True, validate=validate.Range(least, most), metadata={"description": description}, **kwargs
    )


def words(description: str, most: int = MAX_LIST, **kwargs: Any) -> fields.List[str]:
    """A list of words."""
    return fields.List(
        fields.String(validate=WORD),
        validate=validate.Length(max=most),
        metadata={"description": description},
        **kwargs,
    )


class Object(fields.Dict):
    """An object of limited size, whose fields something else checks."""

    def __init__(self, description: str, most: int = MAX_LIST, **kwargs: Any) -> None:
        super().__init__(
            keys=fields.String(validate=WORD),
            load_default=dict,
            validate=validate.Length(max=most),
            metadata={"description": description},
            **kwargs,
        )


class Number(fields.Float):
    """A number, and no text of one."""

    def _validated(self, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.make_error("invalid")
        return float(super()._validated(value))


def number(description: str, least: float, most: float, **kwargs: Any) -> Number:
    """A number within bounds."""
    return Number(validate=validate.Range(least, most), metadata={"description": description}, **kwargs)


def maybe_number(description: str, least: float, most: float) -> Number:
    """A number that may be left out, or null."""
    return number(description, least, most, load_default=None, allow_none=True)

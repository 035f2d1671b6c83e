"""What all schemas of answers have in common."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import Schema, fields

FACT: dict[str, Any] = {"type": ["string", "number", "boolean", "null"]}


class Facts(fields.Dict):
    """Named facts: numbers, words, true or false, null. They are made by the rules and pass unchanged."""

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> Any:
        return value


def moment(description: str, **kwargs: Any) -> fields.Integer:
    reported = f"{description} Milliseconds since the epoch."
    return fields.Integer(metadata={"description": reported}, **kwargs)


def named_facts(description: str, **kwargs: Any) -> fields.Field[Any]:
    return Facts(metadata={"description": description, "additionalProperties": FACT}, **kwargs)


class Answer(Schema):
    """A part of an answer: all its fields are always there, but those that it may lack."""

    may_lack: ClassVar[tuple[str, ...]] = ()

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        field_obj.required = field_name not in self.may_lack


def object_field(description: str, **kwargs: Any) -> fields.Field[Any]:
    """An object of which the document says no more than this."""
    return fields.Raw(metadata={"type": "object", "description": description}, **kwargs)


def whose(description: str = "") -> fields.List[str]:
    """Ids of combatants."""
    return fields.List(fields.String(), metadata={"description": description} if description else {})

"""Schemas of rulesets, packs and entries."""

from __future__ import annotations

from typing import ClassVar

from marshmallow import fields, validate

from fracas.engine.loading import Schema
from fracas.web.answers import FACT, Answer
from fracas.web.schemas import RULE, PackRefSchema


class HouseRuleSchema(Answer):
    """A house rule."""

    may_lack: ClassVar[tuple[str, ...]] = ("source", "provenance", "confidence")
    id = fields.String()
    type = fields.String()
    label = fields.String()
    doc = fields.String()
    default = fields.Raw(metadata=FACT)
    choices = fields.List(fields.String())
    former = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        metadata={"description": "What choices were called before."},
    )
    labels = fields.Dict(
        keys=fields.String(), values=fields.String(), metadata={"description": "Of choices."}
    )
    source = fields.Dict(metadata={"description": "Where the rule stands."})
    provenance = fields.String(
        validate=validate.OneOf(("default",)),
        metadata={"description": "No source gives this default: the authors of the pack chose it."},
    )
    confidence = fields.String(
        validate=validate.OneOf(("M", "L")),
        metadata={"description": "How sure the default is: middling or low."},
    )


class ClueSchema(Answer):
    """Something that may be known when a decision is asked, and that conditions of policies may go by."""

    id = fields.String()
    label = fields.String()
    words = fields.List(
        fields.String(), metadata={"description": "The words it may be; none for a whole number."}
    )


class DecisionInfoSchema(Answer):
    """A decision that a procedure may ask for."""

    id = fields.String()
    label = fields.String()
    options = fields.List(fields.String())
    default = fields.String()
    clues = fields.List(fields.Nested(ClueSchema()))


class MeasureInfoSchema(Answer):
    """A number that odds give."""

    id = fields.String()
    label = fields.String()


class ProcedureSchema(Answer):
    """A procedure, its numbers, its decisions, and the JSON Schema of its situation."""

    id = fields.String()
    label = fields.String()
    doc = fields.String()
    targets = fields.Dict(keys=fields.String(), values=fields.String())
    decisions = fields.List(fields.Nested(DecisionInfoSchema()))
    measures = fields.List(fields.Nested(MeasureInfoSchema()))
    terms = fields.List(fields.String(), metadata={"description": "Words that predicates may use."})
    situation = fields.Raw(metadata={"type": "object"})


class RulesetSummarySchema(Answer):
    """A ruleset."""

    id = fields.String()
    label = fields.String()
    compatible_with = fields.String()
    procedures = fields.List(fields.String())
    packs = fields.List(fields.Nested(PackRefSchema()))


class RulesetSchema(Answer):
    """A ruleset with its procedures and house rules."""

    may_lack: ClassVar[tuple[str, ...]] = ("economy",)
    id = fields.String()
    label = fields.String()
    compatible_with = fields.String()
    packs = fields.List(fields.Nested(PackRefSchema()))
    options = fields.List(fields.Nested(HouseRuleSchema()))
    economy = fields.Raw(
        metadata={
            "type": "object",
            "description": "What combatants may spend on actions, and what types of action cost.",
        }
    )
    procedures = fields.List(fields.Nested(ProcedureSchema()))


class PackSchema(Answer):
    """A pack's manifest and the number of its entries by kind."""

    id = fields.String()
    title = fields.String()
    version = fields.String()
    ruleset = fields.String()
    status = fields.String()
    manifest = fields.Raw(metadata={"type": "object"})
    entries = fields.Dict(keys=fields.String(), values=fields.Integer())


class PackProblemSchema(Answer):
    """A fault of a pack, with its place."""

    file = fields.String()
    line = fields.Integer(allow_none=True)
    column = fields.Integer(allow_none=True)
    code = fields.String()
    message = fields.String()
    hint = fields.String(allow_none=True)


class ReloadedSchema(Answer):
    """A pack that is in service."""

    id = fields.String()
    title = fields.String()
    version = fields.String()
    ruleset = fields.String()
    status = fields.String()


class PackReportSchema(Answer):
    """What a check of packs found."""

    ok = fields.Boolean(metadata={"description": "No problem was found."})
    packs = fields.List(fields.String(), metadata={"description": "Ids of the packs that were checked."})
    entries = fields.Integer(metadata={"description": "Entries and changes that they hold."})
    examples = fields.Integer(metadata={"description": "Worked examples that were run."})
    problems = fields.List(fields.Nested(PackProblemSchema))
    warnings = fields.List(
        fields.Nested(PackProblemSchema),
        metadata={"description": "What is no fault and probably not meant, such as a misspelt word."},
    )


class EntrySchema(Answer):
    """An entry of a pack."""

    may_lack: ClassVar[tuple[str, ...]] = ("rule",)
    id = fields.String()
    kind = fields.String()
    slug = fields.String()
    label = fields.String()
    pack = fields.String()
    data = fields.Raw(metadata={"type": "object"})
    meta = fields.Raw(metadata={"type": "object"})
    rule = fields.String(metadata={"description": RULE})


class SearchSchema(Schema):
    """How to search entries."""

    q = fields.String(
        load_default="",
        validate=validate.Length(max=80),
        metadata={"description": "Words of the label or slug."},
    )
    limit = fields.Integer(load_default=200, validate=validate.Range(1, 1000))

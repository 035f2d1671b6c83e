"""Marshmallow schemas of answers; those of requests lie in `fracas.engine.requests`."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import fields, post_dump, validate

from fracas.engine.cards import cards_field
from fracas.engine.loading import Schema
from fracas.engine.requests import WHEN
from fracas.web.answers import Answer, named_facts
from fracas.web.card_schemas import CardsSchema


class PackRefSchema(Answer):
    """A pack and its version."""

    id = fields.String()
    version = fields.String()


RULE = "Section of the rulebook, such as /book/sr4/8.2."


class TallyEntrySchema(Answer):
    """One line of a number's explanation."""

    may_lack: ClassVar[tuple[str, ...]] = (
        "id",
        "verdict",
        "reason",
        "origin",
        "source",
        "rule",
        "section",
        "provenance",
        "confidence",
    )
    id = fields.String(
        metadata={
            "description": "Slug of the modifier, or name of the base part; left out of short explanations."
        }
    )
    label = fields.String()
    value = fields.Integer(
        allow_none=True, metadata={"description": "What it adds; null where not computed."}
    )
    verdict = fields.String(
        validate=validate.OneOf(("applied", "failed", "unknown", "suppressed", "capped")),
        metadata={
            "description": "Applied and capped count; the others say why not. A line without it counts."
        },
    )
    reason = fields.String(
        metadata={"description": "The term that failed, the field not given, or what suppresses."}
    )
    origin = fields.String(validate=validate.OneOf(("base", "pack", "hand", "rule")))
    source = fields.String(metadata={"description": "Id of the pack entry."})
    rule = fields.String(metadata={"description": RULE})
    section = fields.String(
        metadata={
            "description": "Section of a modifier if it is not that of the answer; in short explanations."
        }
    )
    provenance = fields.String(
        validate=validate.OneOf(("default",)),
        metadata={"description": "No source gives this number: the authors of the pack chose it."},
    )
    confidence = fields.String(
        validate=validate.OneOf(("M", "L")),
        metadata={"description": "How sure the number is, where it is not: middling or low."},
    )


class TallySchema(Answer):
    """A number as the sum of an explained list."""

    to = fields.String(metadata={"description": "What the number is, such as attack.pool."})
    label = fields.String()
    total = fields.Integer()
    entries = fields.List(fields.Nested(TallyEntrySchema()))


class RollSchema(Answer):
    """Dice that were thrown."""

    label = fields.String()
    by = fields.String()
    dice = fields.String(metadata={"description": "What was asked, such as 11d6 >= 5."})
    sides = fields.Integer()
    faces = fields.List(fields.Integer())
    source = fields.String(validate=validate.OneOf(("system", "seed", "supplied", "none")))
    draw = fields.Integer(allow_none=True, metadata={"description": "First draw of a committed seed."})
    result = named_facts("What the faces mean: hits, ones, glitch, total.")


class DecisionTakenSchema(Answer):
    """A decision that was taken."""

    may_lack: ClassVar[tuple[str, ...]] = ("roll",)
    decision = fields.String()
    by = fields.String()
    choice = fields.String()
    how = fields.String(validate=validate.OneOf(("chosen", "default", "policy")))
    roll = fields.String()


class EffectSchema(Answer):
    """One change to apply to a sheet. Numbers that a ruleset adds to it, such as `set_grip`, pass unchanged."""

    may_lack: ClassVar[tuple[str, ...]] = (
        "what",
        "amount",
        "state",
        "unit",
        "length",
        "limits",
        "most",
        "towards",
        "when",
        "turns",
        "while_",
    )

    class Meta:
        unknown = "include"

    type = fields.String(
        validate=validate.OneOf(
            ("mark", "spend", "gain", "add-condition", "remove-condition", "item", "move", "schedule", "join")
        )
    )
    who = fields.String()
    what = fields.String()
    amount = fields.Integer(allow_none=True)
    state = fields.String()
    unit = fields.String()
    length = fields.Integer()
    limits = fields.String(metadata={"description": "A resource of which no more than `most` is left."})
    most = fields.Integer()
    towards = fields.String(metadata={"description": "Whom a condition concerns."})
    when = fields.String(metadata={"description": "The moment at which something happens by itself."})
    turns = fields.Integer(metadata={"description": "How many turns later that is."})
    while_ = fields.String(
        data_key="while",
        attribute="while",
        metadata={"description": "The condition that must last until then."},
    )

    @post_dump(pass_original=True)
    def with_details(self, dumped: dict[str, Any], original: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Rulesets give effects details of their own."""
        return {**original, **dumped}


class GroupSchema(Answer):
    """Dice to throw at once."""

    label = fields.String()
    by = fields.String()
    count = fields.Integer()
    sides = fields.Integer()
    exploding = fields.Boolean()


class OptionSchema(Answer):
    """Something that may be chosen."""

    id = fields.String()
    label = fields.String()
    cost = fields.Dict(keys=fields.String(), values=fields.Integer())


class AwaitsSchema(Answer):
    """The question that waits."""

    may_lack: ClassVar[tuple[str, ...]] = (
        "dice",
        "groups",
        "decision",
        "default",
        "options",
        "about",
        "by",
        "reaction",
    )
    kind = fields.String(validate=validate.OneOf(("roll", "decision")))
    dice = fields.String()
    groups = fields.List(fields.Nested(GroupSchema()))
    decision = fields.String()
    by = fields.String()
    default = fields.String()
    options = fields.List(fields.Nested(OptionSchema()))
    about = named_facts("What the person who decides may know.")
    reaction = fields.Boolean(metadata={"description": "How a target reacts to what is done to it."})


class CommittedSchema(Answer):
    """Committed dice: the SHA-256 of the seed at once, the seed at the end."""

    may_lack: ClassVar[tuple[str, ...]] = ("seed",)
    commitment = fields.String()
    draws = fields.Integer()
    seed = fields.String()


class RefusalSchema(Answer):
    """Why the action is impossible."""

    may_lack: ClassVar[tuple[str, ...]] = ("rule", "provenance", "confidence")
    code = fields.String()
    label = fields.String()
    source = fields.String()
    rule = fields.String(metadata={"description": RULE})
    provenance = fields.String(validate=validate.OneOf(("default",)))
    confidence = fields.String(validate=validate.OneOf(("M", "L")))


class StepSchema(Answer):
    """What every answer about a combat step begins with."""

    may_lack: ClassVar[tuple[str, ...]] = (
        "summary",
        "refusals",
        "facts",
        "modifiers",
        "packs",
        "unknown_",
        "rule",
    )
    status = fields.String(validate=validate.OneOf(("resolved", "waiting", "refused")))
    summary = fields.String(
        metadata={"description": "What happened, is asked or is impossible, in one sentence."}
    )
    ruleset = fields.String()
    procedure = fields.String()
    rule = fields.String(metadata={"description": RULE})
    packs = fields.List(fields.Nested(PackRefSchema()))
    refusals = fields.List(fields.Nested(RefusalSchema()))
    modifiers = fields.List(fields.Nested(TallySchema()))
    facts = named_facts("What follows from the situation.")
    unknown_ = fields.List(
        fields.String(),
        data_key="unknown",
        attribute="unknown",
        metadata={"description": "Fields of the situation that would decide further modifiers."},
    )


class AnswerSchema(StepSchema):
    """A combat step: resolved, waiting for an answer, or refused."""

    may_lack: ClassVar[tuple[str, ...]] = (
        "rolls",
        "decisions",
        "outcome",
        "effects",
        "awaits",
        "continuation",
        "committed",
        "refusals",
        "facts",
        "summary",
        "modifiers",
        "unknown_",
        "cards",
        "rule",
    )
    rolls = fields.List(fields.Nested(RollSchema()))
    decisions = fields.List(fields.Nested(DecisionTakenSchema()))
    outcome = named_facts("What happened, and the numbers on the way.")
    effects = fields.List(fields.Nested(EffectSchema()))
    awaits = fields.Nested(AwaitsSchema())
    continuation = fields.String()
    committed = fields.Nested(CommittedSchema())
    cards = fields.Nested(CardsSchema())


class OutcomeChanceSchema(Answer):
    """One outcome and its chance."""

    may_lack: ClassVar[tuple[str, ...]] = ("weight",)
    chance = fields.Float()
    weight = fields.String(metadata={"description": "Exact numerator over the branch's total."})
    outcome = named_facts("The outcome.")


class BranchSchema(Answer):
    """The distribution of one branch; a procedure with one target has one, without a name."""

    may_lack: ClassVar[tuple[str, ...]] = ("total", "branch")
    branch = fields.String()
    total = fields.String()
    outcomes = fields.List(fields.Nested(OutcomeChanceSchema()))


class MeasureSchema(Answer):
    """An expectation over the outcomes; a chance, for what is true or false."""

    id = fields.String()
    label = fields.String()
    value = fields.Float()


class AttributionSchema(Answer):
    """What a modifier changes: each measure with it, less the same without it."""

    to = fields.String()
    id = fields.String()
    label = fields.String()
    value = fields.Integer()
    change = fields.Dict(keys=fields.String(), values=fields.Float())


class GlitchSchema(Answer):
    """The chance that a throw glitches."""

    roll = fields.String()
    glitch = fields.Float()
    critical = fields.Float()


class PolicySchema(Answer):
    """A decision taken every time, or every time a condition holds; all others take their default."""

    may_lack: ClassVar[tuple[str, ...]] = ("by", "roll", "when")
    decision = fields.String()
    by = fields.String()
    roll = fields.String()
    choose = fields.String()
    when = fields.Raw(metadata=WHEN)


class OddsSchema(StepSchema):
    """The exact distribution over outcomes."""

    may_lack: ClassVar[tuple[str, ...]] = (
        "branches",
        "measures",
        "attribution",
        "glitches",
        "policy",
        "refusals",
        "facts",
        "summary",
        "modifiers",
        "unknown_",
        "rule",
    )
    branches = fields.List(fields.Nested(BranchSchema()))
    measures = fields.List(fields.Nested(MeasureSchema()))
    attribution = fields.List(fields.Nested(AttributionSchema()))
    glitches = fields.List(fields.Nested(GlitchSchema()))
    policy = fields.List(fields.Nested(PolicySchema()))


class ProblemSchema(Answer):
    """One fault."""

    path = fields.String(metadata={"description": "The field."})
    code = fields.String()
    message = fields.String()
    hint = fields.String(allow_none=True)


class ErrorSchema(Answer):
    """The body of every failure."""

    code = fields.String()
    status = fields.Integer()
    message = fields.String()
    errors = fields.List(fields.Nested(ProblemSchema()))


class HealthSchema(Answer):
    """The service works."""

    status = fields.String()
    version = fields.String()
    packs = fields.Integer()
    left_out = fields.List(
        fields.String(), metadata={"description": "Folders of packs that are left out for their faults."}
    )


class ContinueSchema(Schema):
    """The answer to a waiting step. Without `dice` and `choose` the service rolls."""

    continuation = fields.String(required=True, validate=validate.Length(max=200_000))
    choose = fields.String(load_default=None, allow_none=True, validate=validate.Length(max=64))
    dice = fields.List(
        fields.List(
            fields.Integer(strict=True, validate=validate.Range(1, 1000)), validate=validate.Length(max=400)
        ),
        load_default=None,
        allow_none=True,
        validate=validate.Length(max=64),
        metadata={"description": "Dice that people threw: one list a group, in the order asked."},
    )
    cards = cards_field()

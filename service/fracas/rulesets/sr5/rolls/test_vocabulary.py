"""What a request may say of tests outside of attacks: rulebook sections 8.1 to 8.3."""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.fields import fields, flag, number, vocabulary, whole
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.sr5.combatant import combatant_fields
from fracas.rulesets.sr5.rolls.limits import BONUS, LIMITS
from fracas.rulesets.sr5.words import ATTRIBUTES, SKILLS

TESTER, OPPONENT = "tester", "opponent"
OPPOSING = "opposing."
"""What is asked of the opponent stands in this record; what is asked of the tester, in the situation itself."""


def _side_fields(who: str) -> Iterator[Field]:
    yield from combatant_fields(who)
    yield from fields(
        who,
        pool=whole("Pool", "Dice before modifiers, in place of attribute and skill.", most=60),
        specialized=flag("Specialized", "The specialization covers this test."),
        essence=number("Essence", "For the Social limit.", most=20),
    )
    for limit in ("Mental", "Social"):
        yield Field(
            f"{who}.{BONUS[limit.lower()]}",
            "whole",
            f"{limit} limit of drugs",
            f"Points that drugs and the like add to the {limit} limit.",
            least=-20,
            most=20,
        )
    yield from fields(
        who,
        perception_bonus=whole("Perception of drugs", "Dice that they add to Perception.", most=20),
        skill=whole("Skill rating", "0 if defaulted.", derived_from=f"{who}.skills"),
    )


def _asked(prefix: str) -> Iterator[Field]:
    yield Field(f"{prefix}attribute", "choice", "Attribute", choices=ATTRIBUTES, example="reaction")
    yield Field(
        f"{prefix}second_attribute",
        "choice",
        "Second attribute",
        "Of a test of two attributes, in place of a skill.",
        choices=ATTRIBUTES,
    )
    yield Field(f"{prefix}skill", "choice", "Skill", choices=SKILLS)
    yield Field(f"{prefix}limit", "choice", "Limit", "Left out: none.", choices=LIMITS)
    yield Field(f"{prefix}limit_value", "whole", "Limit in figures", "Such as a Force or a rating.", most=60)


_THRESHOLD = Field("threshold", "whole", "Threshold", "Hits needed; 1 unless said.", least=1, most=50)
_RECORDS = (Record(TESTER, "Tester", "combatant"), Record("teamwork", "What helpers' own tests brought"))
_FIELDS = (
    *_side_fields(TESTER),
    *_asked(""),
    *fields(
        "teamwork",
        hits=whole("Hits of helpers", "A die each, up to the skill of the tester.", most=200),
        helpers=whole("Helpers with hits", "Each raises the limit by 1.", most=50),
    ),
)

SUCCESS_TEST = vocabulary(
    *_RECORDS,
    _FIELDS,
    _THRESHOLD,
    fields("", sprint=flag("Sprint", "Each hit carries the tester further than a run.")),
    fields(
        "tester",
        metres_run=whole("Metres of a run", most=1000),
        metres_per_hit=whole("Metres for each hit of a sprint", most=100, example=2),
    ),
)
OPPOSED_TEST = vocabulary(
    *_RECORDS,
    Record(OPPONENT, "Opponent", "combatant"),
    Record(OPPOSING.rstrip("."), "What the opponent rolls"),
    _FIELDS,
    _side_fields(OPPONENT),
    _asked(OPPOSING),
)
EXTENDED_TEST = vocabulary(
    *_RECORDS,
    _FIELDS,
    _THRESHOLD,
    fields(
        "",
        rolls_most=whole("Rolls at most", "As many as there is time for.", least=1, most=60),
        hits_before=whole("Hits so far", "Of rolls made earlier in this test.", most=200),
        rolls_before=whole("Rolls so far", "Made earlier in this test: a die less for each.", most=60),
    ),
)
LAST_ACTION = vocabulary(*_RECORDS[:1], _side_fields(TESTER), _asked(""))
"""Of Dead Man's Trigger, whose attributes and threshold are settled."""

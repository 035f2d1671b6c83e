"""What a request may say of Success, Extended and Initiative Tests: rulebook sections 1, 2 and 4.2."""

from __future__ import annotations

from fracas.kernel.fields import choice, fields, flag, person, vocabulary, whole
from fracas.kernel.vocabulary import Record
from fracas.rulesets.sr4.fights.worlds import world_fields
from fracas.rulesets.sr4.vocabulary import ATTRIBUTES, SKILLS, burning_edge, combatant_fields

HELPER = "helper"
"""The record of a helper who may spend his own Edge on the test of the leader (rulebook section 2)."""

TEST_RECORDS = (
    Record("tester", "Tester", "combatant"),
    Record("teamwork", "What helpers' own tests brought"),
    person(HELPER, "Helper", "Who may spend Edge on the test of the one he helps.", helps=True),
)
TEST_FIELDS = (
    *combatant_fields("tester"),
    *fields(
        "tester",
        pool=whole("Pool", "Dice before modifiers, in place of attribute and skill.", most=60),
        specialized=flag("Specialized"),
    ),
    burning_edge("tester"),
    *fields(
        "",
        attribute=choice("Attribute", choices=ATTRIBUTES),
        second_attribute=choice(
            "Second attribute", "Of a test of two attributes, in place of a skill.", choices=ATTRIBUTES
        ),
        skill=choice("Skill", choices=SKILLS),
        threshold=whole("Threshold", "Hits needed.", most=50, example=2),
    ),
    *fields(
        "teamwork",
        hits=whole("Hits of helpers", "A die each, up to the skill of the tester.", most=200),
        critical_glitch=flag("A helper's critical glitch", "No helper's hits count."),
    ),
    *(
        field
        for field in combatant_fields(HELPER)
        if field.path.removeprefix(f"{HELPER}.")
        in ("name", "edge", "edge_points", "edge_group", "burns_edge")
    ),
)
"""What a Success Test and an Extended Test have in common."""

SUCCESS_TEST = vocabulary(
    *TEST_RECORDS,
    TEST_FIELDS,
    fields("", wounded_only=flag("For the wounded only", "Who has no box filled succeeds without a roll.")),
)

INITIATIVE_TEST = vocabulary(
    Record("tester", "Tester", "combatant"),
    combatant_fields("tester"),
    fields(
        "tester",
        initiative=whole(
            "Initiative attribute",
            "Without wounds, in place of Reaction + Intuition; such as that of another world.",
            most=100,
        ),
    ),
    burning_edge("tester"),
    fields("tester", passes=whole("Initiative Passes", "In each Combat Turn.", least=1, most=10)),
    world_fields("tester"),
)

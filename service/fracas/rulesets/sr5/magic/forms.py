"""Complex forms, which technomancers thread: rulebook section 12.5. They are worked as spells are."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel.fields import fields, person, text, vocabulary, whole
from fracas.kernel.procedures import Attempt
from fracas.rulesets.sr5.combatant import DEVICE, PERSONA, RESONANCE, SCORE, SLEAZE
from fracas.rulesets.sr5.magic import magicians
from fracas.rulesets.sr5.magic.magicians import CASTER
from fracas.rulesets.sr5.magic.working import CASTING, OF_SPELLS, POWER_RESIST, WorkSpell

FORMS = "complex-forms"
"""The table of the packs."""
_ATTACK = whole("Attack", most=20, example=5)


class ThreadForm(WorkSpell):
    """Resonance + Software [Level] against what resists the form, then fading."""

    label = "Thread a complex form"
    vocabulary = vocabulary(
        person(CASTER, "Technomancer"),
        *CASTING,
        OF_SPELLS,
        fields(CASTER, resonance=RESONANCE),
        fields("target", **DEVICE, **PERSONA, attack=_ATTACK, sleaze=SLEAZE, overwatch=SCORE),
        fields(
            "",
            act=text("Complex form", "A row of the packs' table.", most=60, example="resonance-spike"),
            force=whole("Level", "Also the limit.", 1, 50, example=5),
        ),
    )
    targets: Mapping[str, str] = {
        "threading.pool": "Threading pool",
        "threading.limit": "Limit",
        POWER_RESIST: "Pool against the form",
        "drain.value": "Fading",
        magicians.DRAIN_POOL: "Fading resistance pool",
    }
    words = ("Level", "Form")
    table = FORMS
    pool = "threading.pool"
    resistance = POWER_RESIST

    def against_drain(self, it: Attempt) -> None:
        magicians.resist_fading(it)
        magicians.limit_level(it)

"""Complex forms, which technomancers thread, and sprites: rulebook section 12.5. They are worked as spells are, and
called as spirits."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel.fields import entry, fields, person, text, vocabulary, whole
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import require
from fracas.kernel.tally import Refusal
from fracas.rulesets.sr5.combatant import DEVICE, PERSONA, RESONANCE, SCORE, SLEAZE
from fracas.rulesets.sr5.magic import magicians
from fracas.rulesets.sr5.magic.magicians import CASTER, CASTER_FIELDS, OF_A_SPIRIT, SPECIALIZED, ConjuringTest
from fracas.rulesets.sr5.magic.working import CASTING, OF_SPELLS, POWER_RESIST, WorkSpell

FORMS = "complex-forms"
"""The table of the packs."""
_ATTACK = whole("Attack", most=20, example=5)
_TIMES = 2
OF_SPRITES = {magicians.SPIRIT_POOL: "Dice of the sprite", magicians.DRAIN_POOL: "Fading resistance pool"}


def resist_fading(it: Attempt) -> None:
    """Make the pool against fading: Willpower and Resonance, which stands for the Magic of others.

    Raises:
        InputError: one of them is not given.
    """
    require(it.facts, [("caster.resonance", "Resonance of the technomancer")])
    it.facts["caster.magic"] = it.facts["caster.resonance"]
    magicians.make_drain_pool(it, "resonance", "resonance")


def limit_level(it: Attempt) -> None:
    """Refuse a Level above twice the Resonance."""
    if it.facts["force"] > _TIMES * it.facts["caster.resonance"]:
        it.refused.append(Refusal("above_resonance", "No Level is above twice the Resonance"))


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
        resist_fading(it)
        limit_level(it)


_WHO = person(CASTER, "Technomancer"), CASTER_FIELDS, SPECIALIZED, fields(CASTER, resonance=RESONANCE)


class _SpriteTest(ConjuringTest):
    """What compiling and decompiling have in common."""

    talent = "resonance"
    strength = "Level"
    gone = "decompiled"
    by_force = True

    def resist(self, it: Attempt) -> None:
        resist_fading(it)
        if not self.spirit:
            limit_level(it)


class CompileSprite(_SpriteTest):
    """Resonance + Compiling [Level] against the Level; net hits are tasks, fading is twice the hits of the sprite."""

    label = "Compile a sprite"
    vocabulary = vocabulary(
        *_WHO,
        fields(
            "",
            force=whole("Level", "Of the sprite; also the limit.", 1, 50, example=4),
            spirit=entry("Sprite", "It joins the fight if it comes.", entry_kind="combatant"),
        ),
    )
    targets: Mapping[str, str] = {"compiling.pool": "Compiling pool", **OF_SPRITES}
    skill = "compiling"


class DecompileSprite(_SpriteTest):
    """Resonance + Decompiling [Level] against the Level; net hits take tasks, fading is twice the sprite's hits."""

    label = "Decompile a sprite"
    vocabulary = vocabulary(
        *_WHO,
        person("target", "Sprite"),
        fields(
            "target",
            **OF_A_SPIRIT,
            binder_resonance=whole(
                "Resonance of the maker", "More dice for the sprite; 0 unless registered.", most=50
            ),
        ),
    )
    targets: Mapping[str, str] = {"decompiling.pool": "Decompiling pool", **OF_SPRITES}
    skill = "decompiling"
    spirit = "target"

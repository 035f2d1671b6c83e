"""What follows from the situation of an attack in close combat before any modifier is judged.

Rulebook sections 6 and 10. The line of figures with which a combatant strikes is that of the weapon, of a blade fixed
to a gun, or of a gun's butt.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fracas.kernel.ruleset import Asked
from fracas.kernel.tables import rows_of
from fracas.rulesets.imperium.attacks.close_combat_stages import ATTACKER, TARGET, Breakage
from fracas.rulesets.imperium.attacks.weapon_facts import (
    common_facts,
    encumbered,
    uses_one_arm,
    without_powers,
)
from fracas.rulesets.imperium.checks.faults import Dice, Faults, dice_of
from fracas.rulesets.imperium.checks.percentile import Percentile

GUNS = ("pistol", "basic", "heavy")
POWER = "power"
BUTT = "rifle-butt"
"""The weapon that a gun without a blade is."""


class Line(NamedTuple):
    """The figures with which a combatant strikes.

    Attributes:
        name: what it is, for the explanation.
        ws_modifier: 0 for a pistol that is fired.
        features: of the weapon itself; a blade on a gun has none.
    """

    name: str
    damage: Dice
    ws_modifier: int
    features: tuple[str, ...]


def attack_facts(asked: Asked, faults: Faults) -> dict[str, Any]:
    """The facts of the attack; what is missing or wrong is noted in the faults."""
    facts = common_facts(asked, faults)
    facts.setdefault("attack.shot", False)
    _accessory(asked, facts)
    facts |= encumbered(asked, facts, "weapon", ATTACKER, uses_one_arm(facts))
    if "weapon.excess" in facts and not _is_fitted(asked, facts):
        more = facts.get("accessory.encumbrance", 0)
        facts |= encumbered(
            asked,
            {**facts, "weapon.encumbrance": facts["weapon.encumbrance"] + more},
            "weapon",
            ATTACKER,
            uses_one_arm(facts),
        )
    _parrying(asked, facts, faults)
    if "target.stunned" not in facts and "target.stunned_actions" in facts:
        facts["target.stunned"] = facts["target.stunned_actions"] > 0
    return facts


def _is_fitted(asked: Asked, facts: Mapping[str, Any]) -> bool:
    """Whether the accessory is among what the weapon says is fixed to it."""
    used = asked.said.used.get("accessory")
    said = any(path.startswith("accessory.") for path in asked.said.facts)
    return not said or any(mod.id == used for mod in facts.get("weapon.mods", ()))


def _accessory(asked: Asked, facts: dict[str, Any]) -> None:
    """A blade fixed to a gun is what it strikes with, unless the request names another."""
    if any(path.startswith("accessory.") for path in facts) or facts.get("attack.shot"):
        return
    if facts.get("weapon.type") not in GUNS:
        return
    for mod in facts.get("weapon.mods", ()):
        if "ws_modifier" in mod.data:
            for name in ("damage", "ws_modifier", "parry_penalty", "requires", "fits"):
                if name in mod.data:
                    value = mod.data[name]
                    facts[f"accessory.{name}"] = tuple(value) if isinstance(value, list) else value
            facts["accessory.name"] = mod.label
            return


def line_of(asked: Asked, facts: Mapping[str, Any], faults: Faults) -> Line:
    """With what the attacker strikes."""
    features = tuple(facts.get("weapon.features", ()))
    named = facts.get("weapon.name", "Weapon")
    if facts.get("attack.shot"):
        return Line(named, faults.dice(facts, "weapon.damage", "the damage of the pistol"), 0, features)
    if any(path.startswith("accessory.") for path in facts):
        damage = faults.dice(facts, "accessory.damage", "the damage of the accessory")
        modifier = faults.number(facts, "accessory.ws_modifier", "the WS modifier of the accessory")
        return Line(facts.get("accessory.name", "Accessory"), damage, modifier, ())
    if facts.get("weapon.type") in GUNS:
        butt = asked.catalog.entry("weapon", BUTT)
        if butt is None:
            faults.need("accessory.damage", "the damage of a gun's butt, which the packs in use do not have")
            return Line(named, Dice(()), 0, ())
        damage = dice_of(str(butt.data.get("damage", "0"))) or Dice(())
        return Line(butt.label, damage, butt.data.get("ws_modifier", 0), ())
    damage = faults.dice(facts, "weapon.damage", "the damage of the weapon")
    modifier = faults.number(facts, "weapon.ws_modifier", "the WS modifier of the weapon")
    return Line(named, damage, modifier, features)


def _parrying(asked: Asked, facts: dict[str, Any], faults: Faults) -> None:
    """What the target parries with: the weapon, or a gun's blade or butt."""
    if not facts.get("target.object"):
        without_powers(facts, TARGET, "parry", faults)
    facts |= encumbered(asked, facts, "parry", TARGET, bool(facts.get("parry.one_handed")))
    if facts.get("parry.type") not in GUNS:
        return
    blades = [mod.data for mod in facts.get("parry.mods", ()) if "parry_penalty" in mod.data]
    butt = asked.catalog.entry("weapon", BUTT)
    line = blades[0] if blades else butt.data if butt else {}
    facts.setdefault("parry.parry_penalty", line.get("parry_penalty", 0))
    facts.setdefault("parry.may_parry", line.get("may_parry", True))


def breakage_of(asked: Asked, facts: Mapping[str, Any], line: Line) -> Breakage | None:
    """What a parry of this attack may break (section 10.3); None for nothing.

    A shot breaks nothing and is broken by nothing (ours).
    """
    if facts.get("attack.shot"):
        return None
    theirs = tuple(facts.get("parry.features", ()))
    for whose, power, other in ((ATTACKER, theirs, line.features), (TARGET, line.features, theirs)):
        chance = _chance(asked, other) if POWER in power else 0
        if chance > 0:
            return Breakage(whose, _thing(asked, whose), Percentile(chance))
    return None


def _chance(asked: Asked, features: tuple[str, ...]) -> int:
    """The chance that a weapon breaks, by its features: of several that the table names the least."""
    rows = rows_of(asked.catalog, "power-weapon-breakage")
    known: list[int] = [rows[word]["chance"] for word in features if word in rows]
    return min(known, default=int(rows["other"]["chance"]))


def _thing(asked: Asked, whose: str) -> str:
    """How effects name the weapon: the attacker's by its record, the target's by its slug."""
    if whose == ATTACKER:
        return "weapon"
    used = asked.said.used.get("parry", "")
    return used.rpartition("/")[2] or "parry"

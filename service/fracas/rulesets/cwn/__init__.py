"""Cities Without Number: an unofficial ruleset, compatible with the game of that name."""

from __future__ import annotations

from fracas.kernel.ruleset import Comparison, Ruleset, Sample, Worth, no_better
from fracas.kernel.vocabulary import EntryLookup, PackEntry
from fracas.rulesets.cwn.attacks.facts import KIND_OF
from fracas.rulesets.cwn.fights.sheet import FIGHT
from fracas.rulesets.cwn.fights.turns import TURNS
from fracas.rulesets.cwn.procedures import ATTACKS, PROCEDURES, struck
from fracas.rulesets.cwn.samples import AREAS, ARM, FIGHTER, NEAR, STAT_BLOCK, samples, strikes_only_by_itself

_STANDARD = (
    "An attack bonus of +2 and a skill of 1, with attributes of 12, at a target with 10 hit points, a Trauma Target of "
    "6 and no Soak, at normal range or hand to hand. The damage counts Shock and Traumatic Hits."
)


def _compared(weapon: PackEntry, armor: int, lookup: EntryLookup) -> Sample | None:
    """None for what strikes an area, executes only, or strikes by itself. What names no skill, a stat block fires."""
    data = weapon.data
    kind = str(data.get("type"))
    elsewhere = data.get("area") or data.get("execution_only") or strikes_only_by_itself(weapon)
    if elsewhere or "damage" not in data or kind in AREAS:
        return None
    near = min(NEAR, data["range_normal"]) if "range_normal" in data else NEAR
    distance = ARM if KIND_OF.get(kind) == "melee" else near
    target = {"trauma_target": 6, "hp": 10, "named": True, "soak": 0, "ranged_ac": armor, "melee_ac": armor}
    given = {
        "attacker": FIGHTER if "skills" in data else STAT_BLOCK,
        "target": target,
        "weapon": {"use": weapon.id},
        "attack": {"rested": True} if "unrested" in data else {},
    }
    return Sample("attack", {**given, "distance": distance})


def _class_of(weapon: PackEntry) -> str:
    """By how it is held. What belongs to a stat block, or follows from how well a combatant punches, is no choice."""
    data = weapon.data
    kind = str(data.get("type"))
    if "skills" not in data or data.get("adds_punch"):
        return ""
    if data.get("of_body") or data.get("mount"):
        return f"{'body' if data.get('of_body') else 'vehicle'}-{kind}"
    if kind == "gun":
        sizes = ("pistol_sized", "pistol"), ("heavy", "heavy-gun"), ("two_handed", "long-gun")
        return next((size for field, size in sizes if data.get(field)), "one-handed-gun")
    if kind == "melee":
        return "two-handed-melee" if data.get("two_handed") else "one-handed-melee"
    return kind


_MORE = ("magazine", "can_burst", "can_suppress", "wrecks_machines")
COMPARISON = Comparison(
    "Armor Class",
    range(10, 21),
    _STANDARD,
    _compared,
    "hit",
    "damage",
    distances=(15, 40, 120, 300),
    class_of=_class_of,
    worth=(
        Worth("cost"),
        Worth("encumbrance"),
        Worth("non_lethal", of=no_better),
        *(Worth(name, more=True, missing=0) for name in _MORE),
    ),
)

RULESET = Ruleset(
    "cwn",
    "Cities Without Number",
    "Cities Without Number",
    {procedure.id: procedure for procedure in PROCEDURES},
    field_sets={FIGHT.id: FIGHT},
    samples=samples,
    turns=TURNS,
    comparison=COMPARISON,
    attacks=ATTACKS,
    struck=struck,
    game_systems=("fracas.exports.foundry.swnr",),
)

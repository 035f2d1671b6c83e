"""Barriers before a target, of things, people and magic: rulebook sections 11.8 and 16.

Body and own armor make a barrier of a combatant; what goes through them, or stops in them, hits them as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.errors import InputError, suggestion
from fracas.kernel.composing import Wrapper
from fracas.kernel.procedures import mean, where
from fracas.kernel.required import has_record, require
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Facts, Fork, Shared, Stage
from fracas.kernel.tables import rows_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import EntryLookup
from fracas.rulesets.sr4.harms.damage import Compare, Plan
from fracas.rulesets.sr4.harms.harm import Damage, half, penetrated, rating_of
from fracas.rulesets.sr4.ranged.ranged_vocabulary import RATING, SHIELD
from fracas.rulesets.sr4.rolls.sides import Passing, Receiver, RollRules, Spent
from fracas.rulesets.sr4.sheet import armor_entries


def find_barrier(facts: dict[str, Any], lookup: EntryLookup) -> None:
    """Put the numbers of the material where none are given. `InputError`: the packs have no such material."""
    material = facts.get("barrier.material")
    if material is None:
        return
    rows = rows_of(lookup, "barriers")
    if material not in rows:
        path, message = "situation.barrier.material", f"no barrier is made of {material!r}"
        raise InputError.one(path, "unknown-entry", message, suggestion(material, rows))
    for name in ("armor", "structure"):
        facts.setdefault(f"barrier.{name}", rows[material][name])


def barrier_base(facts: Mapping[str, Any], damage: Damage, options: Mapping[str, Any]) -> list[Entry]:
    """The armor of the barrier, and what the attack takes off it."""
    label = str(facts.get("barrier.material", "barrier")).replace("-", " ").capitalize()
    return penetrated([Entry("barrier", label, facts["barrier.armor"])], damage, options, avoided=False)


def sheltered(
    entries: Sequence[Entry], facts: Mapping[str, Any], damage: Damage, options: Mapping[str, Any]
) -> list[Entry]:
    """The armor of a target behind a barrier, that of the barrier added. Armor penetration counts once: where it found
    nothing of the target's own, the barrier counts as it is after penetration."""
    if RATING not in facts:
        return list(entries)
    counted = any(entry.id.startswith("ap-") and entry.verdict == "applied" for entry in entries)
    whole = facts["barrier.armor"]
    share = half(whole, options) if damage.halves else whole
    value = share if counted else facts[RATING]
    return [*entries, Entry("barrier", "Armor of the barrier", value, origin="rule")]


IN_THE_WAY = "in_the_way"
"""The fact by which the outcome of the one who is in the way is reported from that of the target."""


def has_combatant_in_the_way(facts: Mapping[str, Any]) -> bool:
    return has_record(facts, SHIELD)


def find_body(facts: dict[str, Any], armor_kind: str) -> None:
    """Put the armor of the one in the way, or of the magic before the target, in place of a barrier's; a barrier that
    is given counts before magic. `InputError`: too little is known, or there are two barriers."""
    given = next((name for name in ("barrier.material", "barrier.armor") if name in facts), None)
    if not has_combatant_in_the_way(facts):
        magic = facts.get("target.spell_barrier", 0)
        if magic and given is None:
            facts["barrier.armor"] = magic
        return
    if given is not None:
        message = "a combatant is in the way already: name one of the two barriers"
        raise InputError.one(f"situation.{given}", "two-barriers", message)
    armor = armor_entries(facts, SHIELD, armor_kind)
    needed = {"body": "Body of the one in the way", "willpower": "Willpower of the one in the way"}
    if armor is None:
        pieces = f"the armor of the one in the way: a list of pieces | {SHIELD}.{armor_kind}"
        needed = {"armor": pieces, **needed}
    require(facts, ((f"{SHIELD}.{name}", what) for name, what in needed.items()))
    facts["barrier.armor"] = rating_of(armor or ())


def find_attacked(facts: dict[str, Any], armor_kind: str) -> None:
    """Put in the numbers of magic before a combatant, or of a person, as a barrier's. `InputError`: `find_body`."""
    magic = facts.get(f"{SHIELD}.spell_barrier", 0)
    if not magic:
        find_body(facts, armor_kind)
        facts.setdefault("barrier.structure", facts[f"{SHIELD}.body"])
        return
    lost = facts.get(f"{SHIELD}.barrier_damage", 0)
    for name, value in (("armor", magic), ("structure", magic), ("damage", lost)):
        facts.setdefault(f"barrier.{name}", value)


class ThroughCombatant(Passing, kind="sr4.through-somebody"):
    """Takes the test of a shot through a combatant, who is hit by any net hit. `then`: takes it for the target. `body`:
    what the one in the way resists. `structure`: boxes above which they shield nobody."""

    then: Receiver
    body: Shared[Plan]
    structure: int
    rules: RollRules

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        stage = self.then.on_result(net, scoreless, edge_spent)
        return with_body(stage, self.body, self.structure, net, self.rules) if net > 0 else stage


def with_body(stage: Stage, body: Shared[Plan], structure: int, net: int, rules: RollRules) -> Fork:
    """A stage, and beside it what these net hits do to the one who is in the way."""
    hit = Compare(body, rules).on_result(net, False, (0, 0))
    return Fork((("", stage), (SHIELD, InTheWay(structure).put(hit))))


class InTheWay(Wrapper, kind="sr4.in-the-way"):
    """What becomes of the one who is in the way; for `structure` see `ThroughCombatant`."""

    structure: int

    def notes(self, outcome: Stage) -> Facts:
        facts = outcome.notes()
        damage: Any = facts["damage"]
        return {**facts, IN_THE_WAY: True, "shields_no_more": damage > self.structure}


def with_bystander(measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """Measures of the target alone, and what the one who is in the way takes."""

    boxes = mean("damage", "Expected boxes of the person in the way", "shield")
    of_target = (where(measure, IN_THE_WAY, True, holds=False) for measure in measures)
    return (*of_target, where(boxes, IN_THE_WAY, True))

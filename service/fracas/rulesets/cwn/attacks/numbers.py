"""The numbers of an attack, each the sum of an explained list.

Rulebook sections 4.1 to 4.3 and 4.7 (attack bonus, Armor Class), 5.2 to 5.4 (damage, trauma, Shock).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from fracas.kernel.procedures import Attempt
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import PackEntry
from fracas.kernel.written_dice import dice_of
from fracas.rulesets.cwn.attacks.facts import BASE_TRAUMA_TARGET, UNTRAINED, explodes, rolls_trauma
from fracas.rulesets.cwn.attacks.rolling import Guard
from fracas.rulesets.cwn.checks.saves import modifier_of
from fracas.rulesets.cwn.checks.skill_check import check_tally
from fracas.rulesets.cwn.vocabulary import Known, Names

TARGETS = {
    "attack.bonus": "Attack bonus",
    "target.ac": "Armor Class",
    "damage.bonus": "Damage bonus",
    "damage.swarm": "Damage a swarm adds, up to the weapon's maximum",
    "shock.damage": "Shock",
    "shock.ac": "Highest AC that Shock harms",
    "shock.immunity": "What stops Shock (above 0: it is stopped)",
    "trauma.bonus": "Trauma Die bonus",
    "trauma.target": "Trauma Target",
}
SHOCK_SHIELD = "shock-shield"
"""Slug of the modifier that stops one Shock and is used up by it."""
OF_ATTACKERS = ("attack.bonus", "damage.bonus", "damage.swarm", "shock.damage", "shock.ac", "trauma.bonus")
"""The attacker's numbers; the others are those of the one who is attacked."""


def named(record: str) -> str:
    """A record as a label begins with it."""
    return record.replace("_", " ").capitalize()


def targets_of(records: Iterable[str], *names: str) -> dict[str, str]:
    """These tallies, or all, of those who are struck in the target's place, with their labels."""
    return {f"{who}.{to}": f"{named(who)}: {TARGETS[to]}" for who in records for to in names or TARGETS}


def owners_in(targets: Iterable[str]) -> dict[str, str]:
    """Whose number each of these is that is one of an attack, be it of the target or of another who is struck."""
    owners: dict[str, str] = {}
    for to in targets:
        record, _, own = to.partition(".") if to not in TARGETS else ("target", "", to)
        if own in TARGETS:
            owners[to] = "attacker" if own in OF_ATTACKERS else record
    return owners


class Guards(NamedTuple):
    """What the target has against the attack as it stands, and under Total Defense; None where that is no matter."""

    now: Guard
    raised: Guard | None


def numbers_of(it: Attempt, *, raise_defense: bool, harms: bool = True) -> Guards:
    """Make all numbers of one attack, or those of the attack roll alone; the facts lack nothing that they need."""
    facts, shock = it.facts, tuple[Tally, ...]()
    _number(it, "attack.bonus", *attack_base(it))
    ac = armor_class(it)
    if harms:
        damage(it)
        if facts.get("attack.swarm_others"):
            _number(it, "damage.swarm")
        if facts["attack.kind"] == "melee" and "weapon.shock" in facts:
            shock = shock_of(it)
        if rolls_trauma(facts):
            trauma_of(it)
    if not raise_defense:
        return Guards(guard_of(ac, *shock), None)
    braced = it.of(it.record, {**facts, "target.total_defense": True})
    braced.made = {}
    stopped = (*shock[:2], _number(braced, "shock.immunity")) if shock else ()
    return Guards(guard_of(ac, *shock), guard_of(armor_class(braced), *stopped))


def _number(it: Attempt, to: str, *base: Entry) -> Tally:
    """A number of an attack, of the target or another who is struck; hand modifiers of the attack count for each."""
    typed = [one for one in it.request.hand if one.to == to] if it.record and to in OF_ATTACKERS else []
    more = (Entry(f"typed-{at}", one.label, one.value, origin="rule") for at, one in enumerate(typed, 1))
    return it.tally(to, *base, *more)


def shock_of(it: Attempt) -> tuple[Tally, Tally, Tally]:
    """The Shock, the highest AC that it harms, and what stops it."""
    shock = _number(it, "shock.damage", of_weapon(it, it.facts["weapon.shock"]), *of_attribute(it))
    highest = _number(it, "shock.ac", of_weapon(it, it.facts["weapon.shock_ac"]))
    shock = it.keep(shock.at_least(0, "Shock never falls below 0"))
    return shock, highest, _number(it, "shock.immunity")


def damage(it: Attempt) -> Tally:
    """What is added to the dice of the damage."""
    attribute = not explodes(it.facts) or it.options["explosives_add_attr"]
    return _number(it, "damage.bonus", *_plus(it, "weapon.damage"), *(of_attribute(it) if attribute else ()))


def of_weapon(it: Attempt, value: int) -> Entry:
    """A part of a number that the weapon gives."""
    entry = it.request.entry("weapon")
    label = it.facts.get("weapon.name") or (entry.label if entry else "Weapon")
    return Entry("weapon", label, value, source=entry.id if entry else "")


def _plus(it: Attempt, field: str) -> list[Entry]:
    """What is added to the weapon's dice of this field; none for 0."""
    dice = dice_of(it.facts, field)
    return [of_weapon(it, dice.plus)] if dice and dice.plus else []


def of_attribute(it: Attempt) -> list[Entry]:
    """The attribute's modifier, which attack, damage and Shock share; none with a stat block."""
    if it.facts["attacker.stat_block"]:
        return []
    name = it.facts.get("attack.attribute", "attribute")
    return [Entry(name, name.capitalize(), it.facts["attack.attribute_modifier"])]


def attack_base(it: Attempt) -> list[Entry]:
    """The attack bonus before modifiers: a stat block's, or base bonus, attribute and skill (section 4.1)."""
    facts = it.facts
    if facts["attacker.stat_block"]:
        kind = "melee" if facts["attack.kind"] == "melee" else "ranged"
        printed = facts[f"attacker.attack_bonus_{kind}"]
        return [Entry("stat-block", "Attack bonus of the stat block", printed)]
    base = Entry("base", "Base attack bonus", facts["attacker.base_attack_bonus"])
    level, name = facts["attack.skill_level"], facts.get("attack.skill", "skill").capitalize()
    untrained = Entry("untrained", f"Untrained in {name}", UNTRAINED)
    return [base, *of_attribute(it), untrained if level < 0 else Entry("skill", name, level)]


def trauma_of(it: Attempt) -> tuple[Tally, Tally]:
    """The bonus on the Trauma Die, and the Trauma Target."""
    facts = it.facts
    if facts["target.printed_trauma_target"]:
        base = [Entry("trauma-target", "Trauma Target", facts["target.trauma_target"])]
    else:
        worn = (_of_armor(piece, "trauma_target") for piece in facts["target.armor"])
        base = [Entry("base", "Base", BASE_TRAUMA_TARGET), *(piece for piece in worn if piece.value)]
    bonus, target = (
        _number(it, "trauma.bonus", *_plus(it, "weapon.trauma_die")),
        _number(it, "trauma.target", *base),
    )
    if facts.get("target.machine"):
        target = it.keep(target.at_least(BASE_TRAUMA_TARGET, "A machine's is never below 6"))
    return bonus, target


def armor_class(it: Attempt) -> Tally:
    """Best base + Dexterity + accessories and shield, or the number given (section 4.7)."""
    facts = it.facts
    kind = "melee" if facts["attack.kind"] == "melee" else "ranged"
    if f"target.{kind}_ac" in facts:
        return _number(it, "target.ac", Entry("ac", f"{kind.capitalize()} AC", facts[f"target.{kind}_ac"]))
    body = facts.get("target.cyber_ac", 0)
    bare = Entry("cyber-ac", "Armored body", body) if body > 10 else Entry("unarmored", "Without armor", 10)
    suits, added = [bare], list[Entry]()
    for piece in facts["target.armor"]:
        (added if piece.data.get("accessory") else suits).append(_of_armor(piece, f"{kind}_ac"))
    dexterity = facts.get("target.dexterity_modifier")
    if dexterity is None:
        dexterity = modifier_of(facts, "target", "dexterity")
    best = max(suits, key=lambda suit: suit.value or 0)
    return _number(it, "target.ac", best, Entry("dexterity", "Dexterity", dexterity), *added)


def _of_armor(piece: PackEntry, field: str) -> Entry:
    return Entry(piece.slug, piece.label, piece.data.get(field, 0), source=piece.id)


def guard_of(
    ac: Tally, shock: Tally | None = None, shock_ac: Tally | None = None, immunity: Tally | None = None
) -> Guard:
    """What a miss deals to this AC, and whether only a shield in hand stops it (section 5.4)."""
    if shock is None or shock_ac is None or immunity is None or ac.total > shock_ac.total:
        return Guard(ac.total, 0, False)
    if immunity.total <= 0:
        return Guard(ac.total, shock.total, False)
    stops = {entry.id for entry in immunity.entries if entry.value and entry.verdict in ("applied", "capped")}
    return Guard(ac.total, 0, stops == {SHOCK_SHIELD})


def combat_check(
    request: AttemptRequest, facts: Known, to: str, label: str, skills: Names, attributes: Names
) -> Tally:
    """The attacker's check with the skill of the attack, or else one of `skills`; level and modifier given in place of
    skills and scores count. `InputError`: what it needs is missing."""
    if "attacker.skill_level" in facts and "attacker.attribute_modifier" in facts:
        attribute = Entry("attribute", "Attribute", facts["attacker.attribute_modifier"])
        base = [attribute, Entry("skill", "Skill", facts["attacker.skill_level"])]
        return request.rules.tally(to, label, base, facts, request.hand)
    used = (facts["attack.skill"],) if "attack.skill" in facts else skills
    return check_tally(request, facts, "attacker", to, label, used, attributes)

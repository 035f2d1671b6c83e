"""The numbers of an attack, each the sum of an explained list.

Rulebook sections 4.1 to 4.3 and 4.7 (attack bonus, Armor Class), 5.2 to 5.4 (damage, trauma, Shock).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.tally import Entry, Rules, Tally
from fracas.kernel.vocabulary import PackEntry
from fracas.kernel.written_dice import dice_of
from fracas.rulesets.cwn.attacks.facts import BASE_TRAUMA_TARGET, UNTRAINED, explodes, rolls_trauma
from fracas.rulesets.cwn.attacks.rolling import Guard
from fracas.rulesets.cwn.checks.saves import PHYSICAL, modifier_of, save_name
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


def targets_of(records: Iterable[str]) -> dict[str, str]:
    """All of these tallies of those who are struck in the target's place, with their labels."""
    return {f"{who}.{to}": f"{named(who)}: {label}" for who in records for to, label in TARGETS.items()}


def owners_in(targets: Iterable[str]) -> dict[str, str]:
    """Whose number each of these is that is one of an attack, be it of the target or of another who is struck."""
    owners: dict[str, str] = {}
    for to in targets:
        record, _, own = to.partition(".") if to not in TARGETS else ("target", "", to)
        if own in TARGETS:
            owners[to] = "attacker" if own in OF_ATTACKERS else record
    return owners


class Numbers(NamedTuple):
    """The tallies of one attack, by what they are in any attack; those that it does not use are absent.

    Attributes:
        guard: what the target has against the attack as it stands.
        raised: the same if Total Defense is taken; None where `raise_defense` was not asked for.
    """

    made: Mapping[str, Tally]
    guard: Guard
    raised: Guard | None


def rules_for(rules: Rules, record: str) -> Rules:
    """The rules, with the modifiers of the target's numbers also for another combatant who is struck."""
    known = rules.by_target
    own = {f"{record}.{to}": known[to] for to in (*TARGETS, save_name(PHYSICAL)) if to in known}
    return rules._replace(by_target={**known, **own})


class Reckoner:
    """Makes the tallies of one attack; `record` is of the one who is struck in the target's place, "" for nobody."""

    def __init__(self, request: AttemptRequest, facts: Known, record: str = "") -> None:
        self._request = request._replace(rules=rules_for(request.rules, record)) if record else request
        self._facts, self._record = facts, record
        entry = request.entry("weapon")
        label = facts.get("weapon.name") or (entry.label if entry else "Weapon")
        self._weapon = Entry("weapon", label, 0, source=entry.id if entry else "")

    def numbers(self, *, raise_defense: bool, harms: bool = True) -> Numbers:
        """All of them, or those of the attack roll alone; the facts lack nothing that they need."""
        facts = self._facts
        ac = self.armor_class()
        made = {"attack.bonus": self._tally("attack.bonus", *self._attack_base()), "target.ac": ac}
        shock: tuple[Tally, ...] = ()
        if harms:
            made["damage.bonus"] = self.damage()
            if facts.get("attack.swarm_others"):
                made["damage.swarm"] = self._tally("damage.swarm")
            if facts["attack.kind"] == "melee" and "weapon.shock" in facts:
                shock = self.shock()
                made |= zip(("shock.damage", "shock.ac", "shock.immunity"), shock, strict=True)
            if rolls_trauma(facts):
                made |= zip(("trauma.bonus", "trauma.target"), self.trauma(), strict=True)
        raised = None
        if raise_defense:
            braced = Reckoner(self._request, {**facts, "target.total_defense": True}, self._record)
            stopped = (*shock[:2], braced.immunity()) if shock else ()
            raised = guard_of(braced.armor_class(), *stopped)
        return Numbers(made, guard_of(ac, *shock), raised)

    def armor_class(self) -> Tally:
        return self._tally("target.ac", *self._ac_base())

    def shock(self) -> tuple[Tally, Tally, Tally]:
        """The Shock, the highest AC that it harms, and what stops it."""
        shock = self._tally("shock.damage", self._of_weapon(self._facts["weapon.shock"]), *self._attribute())
        highest = self._tally("shock.ac", self._of_weapon(self._facts["weapon.shock_ac"]))
        return shock.at_least(0, "Shock never falls below 0"), highest, self.immunity()

    def immunity(self) -> Tally:
        return self._tally("shock.immunity")

    def damage(self) -> Tally:
        """What is added to the dice of the damage."""
        attribute = not explodes(self._facts) or self._request.options["explosives_add_attr"]
        own = self._attribute() if attribute else ()
        return self._tally("damage.bonus", *self._plus("weapon.damage"), *own)

    def _tally(self, to: str, *base: Entry) -> Tally:
        name, label = to, TARGETS[to]
        if self._record:
            name, label = f"{self._record}.{to}", f"{named(self._record)}: {label}"
            if to in OF_ATTACKERS:  # what is typed in for the attack counts the one who is struck
                typed = enumerate((one for one in self._request.hand if one.to == to), start=1)
                base += tuple(Entry(f"typed-{at}", one.label, one.value, origin="rule") for at, one in typed)
        return self._request.rules.tally(name, label, base, self._facts, self._request.hand)

    def _of_weapon(self, value: int) -> Entry:
        return self._weapon._replace(value=value)

    def _plus(self, field: str) -> list[Entry]:
        """What is added to the weapon's dice of this field; none for 0."""
        dice = dice_of(self._facts, field)
        return [self._of_weapon(dice.plus)] if dice and dice.plus else []

    def _attribute(self) -> list[Entry]:
        """The attribute's modifier, which attack, damage and Shock share; none with a stat block."""
        if self._facts["attacker.stat_block"]:
            return []
        name = self._facts.get("attack.attribute", "attribute")
        return [Entry(name, name.capitalize(), self._facts["attack.attribute_modifier"])]

    def _attack_base(self) -> list[Entry]:
        facts = self._facts
        if facts["attacker.stat_block"]:
            kind = "melee" if facts["attack.kind"] == "melee" else "ranged"
            printed = facts[f"attacker.attack_bonus_{kind}"]
            return [Entry("stat-block", "Attack bonus of the stat block", printed)]
        base = Entry("base", "Base attack bonus", facts["attacker.base_attack_bonus"])
        level, name = facts["attack.skill_level"], facts.get("attack.skill", "skill").capitalize()
        untrained = Entry("untrained", f"Untrained in {name}", UNTRAINED)
        return [base, *self._attribute(), untrained if level < 0 else Entry("skill", name, level)]

    def trauma(self) -> tuple[Tally, Tally]:
        """The bonus on the Trauma Die, and the Trauma Target."""
        facts = self._facts
        if facts["target.printed_trauma_target"]:
            base = [Entry("trauma-target", "Trauma Target", facts["target.trauma_target"])]
        else:
            worn = (_of_armor(piece, "trauma_target") for piece in facts["target.armor"])
            base = [Entry("base", "Base", BASE_TRAUMA_TARGET), *(piece for piece in worn if piece.value)]
        target = self._tally("trauma.target", *base)
        if facts.get("target.machine"):
            target = target.at_least(BASE_TRAUMA_TARGET, "A machine's is never below 6")
        return self._tally("trauma.bonus", *self._plus("weapon.trauma_die")), target

    def _ac_base(self) -> list[Entry]:
        """Best base + Dexterity + accessories and shield, or the number given (section 4.7)."""
        facts = self._facts
        kind = "melee" if facts["attack.kind"] == "melee" else "ranged"
        if f"target.{kind}_ac" in facts:
            return [Entry("ac", f"{kind.capitalize()} AC", facts[f"target.{kind}_ac"])]
        body = facts.get("target.cyber_ac", 0)
        bare = Entry("cyber-ac", "Armored body", body)
        if body <= 10:
            bare = Entry("unarmored", "Without armor", 10)
        suits: list[Entry] = [bare]
        added: list[Entry] = []
        for piece in facts["target.armor"]:
            (added if piece.data.get("accessory") else suits).append(_of_armor(piece, f"{kind}_ac"))
        dexterity = facts.get("target.dexterity_modifier")
        if dexterity is None:
            dexterity = modifier_of(facts, "target", "dexterity")
        best = max(suits, key=lambda suit: suit.value or 0)
        return [best, Entry("dexterity", "Dexterity", dexterity), *added]


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

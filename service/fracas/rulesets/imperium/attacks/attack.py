"""What shots, throws and blows have in common: the attacker's weapon and arm, the one who is attacked, ammunition,
reins.

Rulebook sections 3.2 (merged actions), 6 (Encumbrance, and riders with both hands off the reins), 8.4 (arms), 10.4
(accessories) and 10.5 (force weapons).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel import percentiles
from fracas.kernel.composing import with_effects
from fracas.kernel.forms import Part, Waiting, rolls
from fracas.kernel.procedures import Attempt
from fracas.kernel.stage import Effect, Fact, Shared, Stage, used_up
from fracas.kernel.steps import ended
from fracas.kernel.tables import row_of
from fracas.rulesets.imperium.attacks.vocabulary import PEOPLE
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.checks.percentile import Passing, Percentile
from fracas.rulesets.imperium.harms import machines
from fracas.rulesets.imperium.harms.bodies import DEAD, OWED, PRONE, Body, as_numbered, body_of
from fracas.rulesets.imperium.harms.damage import Protection, protection_of
from fracas.rulesets.imperium.harms.injury import AT_ONCE, Harm
from fracas.rulesets.imperium.harms.substances import taken_in
from fracas.rulesets.imperium.vocabulary import (
    BLESSED,
    DAEMON,
    LOCATIONS,
    MACHINE,
    allows,
    is_merged,
    with_grants,
)

ATTACKER, TARGET = "attacker", "target"
PSYCHIC, FORCE = "psychic-powers", "force"
RIDER, MOUNT, EITHER = "rider", "mount", "either"
"""What the firer shoots at."""
NO_MOUNT = Percentile(0)
ONE_ARM = "one-arm"
"""The row of the table ``halving`` for the Strength of one arm."""
_MUNDANE = ("damage", "ws_modifier", "parry_penalty", "may_parry", "encumbrance")
"""What a force weapon has of its ordinary counterpart for a combatant without psychic powers."""


def common_facts(it: Attempt) -> dict[str, Any]:
    """The facts of an attempt with the house rules and what both kinds of attack derive alike."""
    facts = it.facts = with_grants(it.facts, ATTACKER, *PEOPLE)
    for name, value in it.options.items():
        facts.setdefault(f"option.{name}", value)
    facts.setdefault("target.conscious", True)
    for weapon in ("weapon", "parry"):
        if f"{weapon}.fixed" in facts:
            facts[f"{weapon}.mods"] = (*facts.get(f"{weapon}.mods", ()), facts[f"{weapon}.fixed"])
    facts["action.merged"] = is_merged(facts)
    without_powers(it, ATTACKER, "weapon")
    injuries = facts.get("attacker.injuries")
    if injuries is not None:  # of two arms the worse
        arms = (facts["action.arm"],) if uses_one_arm(it) else ("right", "left")
        facts["action.arm_injury"] = max(injuries.get(f"{arm}-arm", 0) for arm in arms)
    return facts


def without_powers(it: Attempt, who: str, weapon: str) -> None:
    """A force weapon is its ordinary counterpart to a combatant without psychic powers (section 10.5).

    One without a counterpart stays what it is (ours).
    """
    facts = it.facts
    if FORCE not in facts.get(f"{weapon}.features", ()):
        return
    if f"{who}.grants" not in facts:
        it.faults.need(f"{who}.traits", "the abilities of the user of a force weapon; an empty list for none")
        return
    counterpart = facts.get(f"{weapon}.mundane_weapon")
    if counterpart is None or allows(facts, who, PSYCHIC):
        return
    its = counterpart.data
    facts |= {f"{weapon}.{name}": its[name] for name in _MUNDANE if name in its}


def encumber(it: Attempt, weapon: str, who: str, one_handed: bool, more: int = 0) -> None:
    """Note how far a weapon, what is fixed to it, and `more` exceed the Strength that counts, if that is known."""
    facts = it.facts
    if f"{weapon}.encumbrance" not in facts or f"{who}.strength" not in facts:
        return
    strength = facts[f"{who}.strength"]
    if one_handed:
        divisor = row_of(it.lookup, "halving", ONE_ARM)["divisor"]
        strength = percentiles.part_of(strength, (1, divisor), it.options["rounding"])
    more += sum(mod.data.get("encumbrance", 0) for mod in facts.get(f"{weapon}.mods", ()))
    facts[f"{weapon}.excess"] = max(0, facts[f"{weapon}.encumbrance"] + more - strength)


def uses_one_arm(it: Attempt) -> bool:
    return bool(it.facts.get("action.arm", "both") != "both")


class Victim(Part, kind="imperium.victim"):
    """The one who is attacked.

    Attributes:
        who: the record.
        body: None where the Toughness is not known, and of an object.
        inert: an object, which has no injuries.
        aimed_at: `RIDER`, `MOUNT` or `EITHER`; then `mount` is the chance that the mount is struck.
        hull: of a vehicle, which has plates in place of armor, and neither locations nor injuries.
        poison: slug of what a wound is poisoned with; "" for nothing.
        under_fire: tests Nerve after an attack, by the house rule ``pinning``; `covered`: is behind cover.
    """

    who: str
    protection: Protection
    body: Shared[Body] | None
    inert: bool
    aimed_at: str
    mount: Percentile
    hull: Shared[machines.Hull] | None = None
    poison: str = ""
    under_fire: bool = False
    covered: bool = False

    def facts(self, harm: Harm) -> dict[str, Fact]:
        """What blows did, for the explanation."""
        return self.hull.value.facts(harm.net) if self.hull else harm.facts()

    def suffers(self, harm: Harm) -> Iterator[Effect]:
        """What to apply."""
        if self.hull:
            yield from self.hull.value.effects(self.who, harm.net)
        elif not self.inert:
            yield from harm.effects(self.who)
            if self.poison and harm.net and harm.out != DEAD:
                yield taken_in(self.who, self.poison)

    def shaken(
        self, harm: Harm, *, hit: bool, shots: int = 1, among: bool = False, flames: bool = False
    ) -> Iterator[Effect]:
        """The test of Nerve after an attack (section 20): of those hit who have not fallen, of those shot at
        several times, and of those `among` a blast or flames."""
        if not self.under_fire or harm.out or not (among or shots >= MANY_SHOTS or (hit and not harm.prone)):
            return
        seen = {"set_pinning.hit": hit, "set_pinning.flames": flames, "set_pinning.cover": self.covered}
        when: list[tuple[str, Fact]] = [("when", AT_ONCE), ("while", "not pinned")]
        when += [(name, True) for name, holds in seen.items() if holds]
        yield Effect("schedule", self.who, "pinning-test", None, tuple(when))

    def broken_by(self, fired: Stage) -> Stage:
        """The attack, and after it what may break of a vehicle."""
        return machines.Breaking(self.who, self.hull).around(fired) if self.hull else fired


def victim_of(
    it: Attempt, who: str, aimed_at: str = RIDER, mount: Percentile = NO_MOUNT, dice: Total | None = None
) -> Victim:
    """The one who is attacked, or the attacker where a blow in return strikes, which is not the weapon's; the attempt
    keeps the number of their test.

    Args:
        dice: of the damage; None for those of the weapon.
    """
    facts, by = it.facts, TARGET if who == ATTACKER else ATTACKER
    if f"{who}.{machines.HULL}" in facts:
        dice = dice or percentile.dice_if_given(it, "weapon.damage")
        pierced, halves = facts.get("weapon.plates_less", 0), bool(facts.get("weapon.halves_armor"))
        facing = facts.get(f"{who}.facing", facts.get("attack.direction", machines.FACINGS[0]))
        plates = Protection(
            (machines.plates_against(it, who, facing, dice, pierced, halves),) * len(LOCATIONS), (), 0
        )
        return Victim(who, plates, None, True, RIDER, NO_MOUNT, machines.hull_of(it, who))
    inert, protection = bool(facts.get(f"{who}.object")), protection_of(it, who)
    spared = by == TARGET or allows(facts, who, MACHINE) or allows(facts, who, DAEMON)
    poison = "" if spared or "weapon.blast" in facts else getattr(facts.get("weapon.poison"), "slug", "")
    if allows(facts, who, DAEMON) and not allows(facts, by, BLESSED):
        protection = protection.plus(row_of(it.lookup, "daemons", "unblessed")["armor"])
    covered = bool(facts.get(f"{who}.cover") or facts.get(f"{who}.behind_cover"))
    if facts.get("weapon.halves_armor") and by == ATTACKER:
        protection = protection.halved()
    body = None if inert else body_of(it, who)
    shaken = not inert and _tests_nerve(it, who)
    return Victim(who, protection, body, inert, aimed_at, mount, None, poison, shaken, covered)


def _tests_nerve(it: Attempt, who: str) -> bool:
    """Whether a combatant can be pinned, as far as that is known (section 20)."""
    facts = it.facts
    if not it.options["pinning"] or f"{who}.nerve" not in facts or allows(facts, who, "fearless"):
        return False
    return not facts.get(f"{who}.pinned") and not facts.get(f"{who}.undaunted")


def numbered(it: Attempt, victim: Victim) -> Victim:
    """With the number that the attempt has of their test."""
    return victim._replace(body=as_numbered(it, victim.who, victim.body))


class Rounds(Part, kind="imperium.rounds"):
    """Ammunition: shots that are fired, and those left after it (None when the request did not say)."""

    used: int
    left: int | None

    def facts(self) -> dict[str, Fact]:
        return {} if self.left is None else {"rounds_left": self.left}

    def effects(self) -> Iterator[Effect]:
        return used_up(ATTACKER, "weapon", self.used)


NO_ROUNDS = Rounds(0, None)


def rounds_of(it: Attempt) -> Rounds:
    """Ammunition used, of weapons that have any."""
    used = it.facts.get("fire.uses", it.facts.get("fire.shots", 1))
    left = it.facts.get("weapon.rounds")
    if left is None and "weapon.capacity" not in it.facts:
        return NO_ROUNDS
    return Rounds(used, None if left is None else max(0, left - used))


MANY_SHOTS = 3
"""Shots at one person after which they test Nerve, hit or not."""
HEAVY = "heavy"


def with_recoil(it: Attempt, fired: Stage) -> Stage:
    """The shots of a heavy weapon that is not braced; those who are not strong enough lose an action by them."""
    facts = it.facts
    braced = any(facts.get(f"{ATTACKER}.{state}") for state in ("braced", "prone", "mounted"))
    if facts.get("weapon.type") != HEAVY or braced or f"{ATTACKER}.strength" not in facts:
        return fired
    row = row_of(it.lookup, "bracing", "recoil")
    if facts[f"{ATTACKER}.strength"] >= row["strength"]:
        return fired
    return with_effects(fired, (Effect("mark", ATTACKER, OWED, row["actions"]),))


REINS = "reins.chance"
OF_RIDERS = {REINS: "Chance to stay mounted with both hands off the reins"}


def reins_number(it: Attempt) -> None:
    """Make the number of the Initiative Test of a rider who lets go of the reins, where there is one."""
    both_arms = it.facts.get("action.arm") == "both"
    if not it.facts.get("attacker.mounted") or not it.facts.get("attacker.hands_off", both_arms):
        return
    if row_of(it.lookup, "mounted", "no-hands-tests-initiative")["value"]:
        what = "the Initiative of a rider who lets go of the reins"
        percentile.number_of_test(it, REINS, ATTACKER, "initiative", what=what)


def in_the_saddle(it: Attempt, attack: Stage) -> Stage:
    """The attack, after the test of a rider who lets go of the reins."""
    chance = it.known(REINS)
    return attack if chance is None else LettingGo(percentile.of_chance(it, chance), attack)


class LettingGo(Waiting, kind="imperium.letting-go"):
    """Waits for the rider's test. Who falls does not get to attack (ours)."""

    test: Percentile
    then: Stage
    awaits = rolls("reins", ATTACKER, lambda self: Passing(self.test))

    def advance(self, answer: Any) -> Stage:
        falls = Effect("remove-condition", ATTACKER, "mounted"), Effect("add-condition", ATTACKER, PRONE)
        return self.then if answer else ended({"result": "fell", "hit": False}, *falls)

"""Close combat: an attack, dodging it, and striking back (rulebook sections 6, 7, 8.1, 10 and 21).

What raises and lowers the numbers, and what makes an attack impossible, is data (``datapacks/imperium-core``); here is
the order of things. A combatant strikes with the figures of the weapon, of a blade fixed to a gun, or of a gun's butt.
A dodge is offered when a blow has hit, and costs an action of the coming round. A blow that was parried or dodged by
far may be answered with one of their own, which costs nothing and cannot be answered again: see the packs' table
``defense``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fracas.dice.totals import Total
from fracas.kernel import percentiles
from fracas.kernel.composing import ThenAlso, with_roles
from fracas.kernel.forms import Continuation, Part
from fracas.kernel.percentiles import matched
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.required import has_record
from fracas.kernel.ruleset import DecisionInfo
from fracas.kernel.stage import Shared, Stage, share
from fracas.kernel.steps import Choice
from fracas.kernel.tables import row_of, rows_of
from fracas.kernel.tally import Entry, Tally, tally_of
from fracas.rulesets.imperium.attacks import attack, blows, plasma
from fracas.rulesets.imperium.attacks.attack import ATTACKER, NO_ROUNDS, TARGET
from fracas.rulesets.imperium.attacks.blows import Assault, Attack, Breakage, Force, Fought, Struck
from fracas.rulesets.imperium.attacks.vocabulary import CLOSE_COMBAT
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.checks.percentile import Halving, Percentile, dice_in, dice_of
from fracas.rulesets.imperium.harms import fire
from fracas.rulesets.imperium.harms.bodies import INJURY_TEST
from fracas.rulesets.imperium.harms.damage import CRITICAL, FORCE_WEAPON, DiceParts, Factors, factors
from fracas.rulesets.imperium.harms.injury import MEASURES
from fracas.rulesets.imperium.harms.machines import HULL
from fracas.rulesets.imperium.vocabulary import allows

DEFENSE = "defense"
DODGE, COUNTER = "dodge.chance", "counter.chance"
COUNTER_DAMAGE = "counter.damage"
DODGING, COUNTERING = "dodge", "counter-attack"
STAND, EVADE, STRIKE, HOLD = "stand", "dodge", "strike", "hold"
_SWAPPED = ((ATTACKER, TARGET), (TARGET, ATTACKER))


def numbers(it: Attempt) -> None:
    """Make the numbers of the dodge and of the blow in return, where there are such."""
    facts = it.facts
    if not facts.get("attack.shot") and may_dodge(it):
        percentile.number_of_test(it, DODGE, TARGET, "initiative")
    strikes = dice_of(facts.get("parry.damage", "")) is not None and not facts.get("attack.shot")
    known = (f"{TARGET}.weapon_skill", "parry.ws_modifier", f"{ATTACKER}.armor", f"{ATTACKER}.toughness")
    if not strikes or not all(path in facts for path in known) or not _able(it):
        return
    base = [Entry("weapon-skill", "Weapon Skill", facts[f"{TARGET}.weapon_skill"])]
    weapon = facts.get("parry.name", "Weapon")
    held = "accessory" if has_record(facts, "accessory") else "weapon"
    lines = (
        ("weapon", weapon, "parry.ws_modifier"),
        ("parry-penalty", "Parry Penalty", f"{held}.parry_penalty"),
    )
    base += [Entry(id, label, facts[path], origin="rule") for id, label, path in lines if facts.get(path)]
    percentile.keep_chance(it, COUNTER, *base)
    plus = dice_of(facts["parry.damage"])
    it.tally(COUNTER_DAMAGE, *((Entry("weapon", weapon, plus.plus),) if plus and plus.plus else ()))
    attack.victim_of(it, ATTACKER)


def _able(it: Attempt) -> bool:
    facts = it.facts
    if f"{TARGET}.{HULL}" in facts:
        return False
    stunned = facts.get(f"{TARGET}.stunned", facts.get(f"{TARGET}.stunned_actions", 0) > 0)
    return bool(facts.get(f"{TARGET}.aware") and facts.get(f"{TARGET}.conscious", True) and not stunned)


def may_dodge(it: Attempt) -> bool:
    """Whether the target may dodge an attack, as far as is known, and is asked."""
    facts, row = it.facts, row_of(it.lookup, DEFENSE, "dodge")
    if not it.options["dodging"] or DODGING not in it.request.open or f"{TARGET}.initiative" not in facts:
        return False
    most = 1 if it.options["one_action_rounds"] else row["most_owed"]
    free = not facts.get(f"{TARGET}.mounted") and not facts.get(f"{TARGET}.prone")
    owes = facts.get(f"{TARGET}.owed_actions", 0)
    return _able(it) and free and not facts.get("parry.excess") and owes < most


def reactions(it: Attempt, assault: Assault) -> Assault:
    """The attack with what its target may do about it."""
    row, dodge, counter = row_of(it.lookup, DEFENSE, "counter-attack"), None, None
    if DODGE in it.made:
        owed = row_of(it.lookup, DEFENSE, "dodge")["actions"]
        dodge = Dodge(percentile.of_number(it, DODGE), owed)
    if COUNTER in it.made:
        struck = attack.numbered(it, attack.victim_of(it, ATTACKER))._replace(who=TARGET)
        dice, test = dice_of(it.facts["parry.damage"]), percentile.of_number(it, COUNTER)
        assert dice is not None
        back = Assault(
            struck,
            test,
            test,
            assault.bands,
            dice.dice,
            it.total(COUNTER_DAMAGE),
            factors(it.lookup, CRITICAL),
            None,
            None,
            NO_ROUNDS,
        )
        counter = Counter(share(back), row["margin"], COUNTERING in it.request.open)
    return assault._replace(dodge=dodge, counter=counter)


class Dodge(Part, kind="imperium.dodge"):
    """A dodge that is possible; `owed`: actions that it costs."""

    test: Percentile
    owed: int

    def offered(self, struck: Struck) -> Stage:
        """The decision of a defender who is hit."""
        return dodging(TARGET, struck.warded(), "dodge", self.test, Dodged(struck))


class Counter(Part, kind="imperium.counter"):
    """A blow in return that is possible.

    Attributes:
        margin: by so much the attack must be parried or dodged.
        asks: whether to strike is asked.
    """

    assault: Shared[Assault]
    margin: int
    asks: bool

    def after(self, fought: Fought, margin: int) -> Stage:
        """What follows an attack that was parried or dodged by some margin."""
        if margin < self.margin or fought.broken == TARGET:
            return fought
        back = ThenAlso(fought, with_roles(Attack(self.assault), _SWAPPED), "counter_")
        ways = (STRIKE, "Strike back", (), back), (HOLD, "Do not strike back", (), fought)
        return Choice(COUNTERING, TARGET, ways) if self.asks else back


def dodging(who: str, stands: Stage, label: str, test: Percentile, dodged: Continuation) -> Choice:
    """The decision whether to dodge a hit: the stage of those who do not, or the test with its label, and what comes
    of it."""
    evades = percentile.Testing(label, who, test, dodged)
    ways = (
        (STAND, "Stand the blow", (), stands),
        (EVADE, "Dodge, for an action of the coming round", (), evades),
    )
    return Choice(DODGING, who, ways)


class Dodged(Continuation, kind="imperium.dodged"):
    """What comes of it: no hit; or the hit, which a matched failure makes critical."""

    struck: Struck

    def on_result(self, test: Percentile, face: int) -> Stage:
        plan = self.struck.assault.value
        if not test.passes(face):
            critical = self.struck.critical or matched(face)
            return self.struck._replace(critical=critical, owed=plan.dodge.owed).warded()
        end = self.struck.end()._replace(result="dodged", owed=plan.dodge.owed, critical=False)
        return plan.counter.after(end, test.margin(face)) if plan.counter else end


CHANCE, DAMAGE, PARRY = "close-combat.chance", "close-combat.damage", "parry.penalty"
FORCE_CHANCE = "force.chance"
GUNS = ("pistol", "basic", "heavy")
BUTT = "rifle-butt"
"""The weapon that a gun without a blade is."""
_OF_BLADES = ("damage", "ws_modifier", "parry_penalty", "requires", "fits")
"""What an accessory has of a blade that is fixed to a gun."""
_PARRIED = "parry-penalty"
"""The line of the chance that the target's Parry Penalty makes."""


class CloseCombat(Procedure):
    """Roll to hit, Parry Penalty, location, damage, armor and injuries; power weapons and force weapons."""

    label = "Attack in close combat"
    vocabulary = CLOSE_COMBAT
    decisions = (
        DecisionInfo(blows.FORCE_TEST, "Use the power of a force weapon", blows.WAYS, blows.TEST),
        DecisionInfo(DODGING, "Dodge the blow", (STAND, EVADE), STAND),
        DecisionInfo(COUNTERING, "Strike back", (STRIKE, HOLD), STRIKE),
    )
    targets: Mapping[str, str] = {
        CHANCE: "Chance to hit",
        DAMAGE: "Points added to the damage",
        PARRY: "Parry Penalty of the target, which is added to the chance",
        FORCE_CHANCE: "Chance to use the power of a force weapon",
        DODGE: "Chance to dodge",
        COUNTER: "Chance to hit in return",
        COUNTER_DAMAGE: "Points added to the damage in return",
        **INJURY_TEST.targets(ATTACKER, TARGET),
        **fire.FIRE_TEST.targets(TARGET),
        **attack.OF_RIDERS,
    }
    owners: Mapping[str, str] = dict.fromkeys((PARRY, DODGE, COUNTER, COUNTER_DAMAGE), TARGET)
    measures = (
        chance("hit", "Chance to hit"),
        chance("critical", "Chance of a critical hit"),
        chance("parried", "Chance that the attack is parried"),
        chance("broken", "Chance that a weapon breaks", but=("none",)),
        *MEASURES,
    )
    inner = (PARRY,)

    def numbers(self, it: Attempt) -> None:
        attack_facts(it)
        line, halvings = line_of(it), percentile.merged_halvings(it)
        it.shown["strikes_with"] = line.name
        if halvings:
            it.shown["halved"] = ", ".join(one.id for one in halvings)
        base = [Entry("weapon-skill", "Weapon Skill", it.need("attacker.weapon_skill", "the Weapon Skill"))]
        if line.ws_modifier:
            base.append(Entry("weapon", line.name, line.ws_modifier))
        parry = it.request.rules.tally(PARRY, self.targets[PARRY], (), it.facts, it.request.hand)
        if parry.total:
            base.append(Entry(_PARRIED, "Parry Penalty of the target", parry.total, origin="rule"))
        percentile.keep_chance(it, CHANCE, *base, halvings=halvings)
        it.keep(parry)
        plus = Entry("weapon", line.name, line.damage.plus)
        it.tally(DAMAGE, *((plus,) if plus.value else ()))
        chamber = None
        if it.facts["attack.shot"]:
            chamber = plasma.chamber_of(it)
            if it.facts.get("weapon.ignites"):
                fire.keep_test(it, TARGET)
        it.plan = line, halvings, attack.victim_of(it, TARGET, dice=line.damage), chamber
        _force_number(it, line)
        attack.reins_number(it)
        numbers(it)

    def first(self, it: Attempt) -> Stage:
        line, halvings, victim, chamber = it.plan
        made, bands = it.made[CHANCE], percentile.location_bands(it.lookup)
        test = percentile.of_number(it, CHANCE)
        unparried = percentile.of_chance(it, _unparried(made, halvings, it.options["rounding"]))
        dice, critical = _damage_dice(it.facts, line), factors(it.lookup, CRITICAL)
        rounds = attack.rounds_of(it) if it.facts.get("attack.shot") else attack.NO_ROUNDS
        struck, plus, breakage = attack.numbered(it, victim), it.total(DAMAGE), breakage_of(it, line)
        assault = Assault(struck, test, unparried, bands, dice, plus, critical, _force(it), breakage, rounds)
        rouses = bool(it.facts.get("attack.charge") and it.facts.get("target.pinned"))
        assault = assault._replace(rouses=rouses)
        fought: Stage = Attack(share(reactions(it, assault)))
        if (kindling := fire.kindling_of(it, TARGET)) is not None:
            fought = kindling.around(fought)
        if chamber is not None:
            fought = plasma.Discharge(fought, plasma.numbered(it, chamber))
        return struck.broken_by(attack.in_the_saddle(it, fought))


class Line(NamedTuple):
    """The figures with which a combatant strikes.

    Attributes:
        name: what it is, for the explanation.
        ws_modifier: 0 for a pistol that is fired.
        features: of the weapon itself; a blade on a gun has none.
    """

    name: str
    damage: Total
    ws_modifier: int
    features: tuple[str, ...] = ()


def attack_facts(it: Attempt) -> None:
    """Add what follows for an attack; what is missing or wrong is noted."""
    facts = attack.common_facts(it)
    if facts.setdefault("attack.shot", False):
        plasma.set_up(it)
    _take_blade(facts)
    more = 0 if _is_fitted(it) else facts.get("accessory.encumbrance", 0)
    attack.encumber(it, "weapon", ATTACKER, attack.uses_one_arm(it), more)
    _parry(it)
    if "target.stunned_actions" in facts:
        facts.setdefault("target.stunned", facts["target.stunned_actions"] > 0)


def _is_fitted(it: Attempt) -> bool:
    """Whether the accessory is among what the weapon says is fixed to it."""
    given = it.request.input
    fitted = any(mod.id == given.used.get("accessory") for mod in it.facts.get("weapon.mods", ()))
    return fitted or not has_record(given.facts, "accessory")


def _take_blade(facts: dict[str, Any]) -> None:
    """A blade fixed to a gun is what it strikes with, unless the request names another."""
    if has_record(facts, "accessory") or facts.get("attack.shot") or facts.get("weapon.type") not in GUNS:
        return
    if blade := next((mod for mod in facts.get("weapon.mods", ()) if "ws_modifier" in mod.data), None):
        own = {name: blade.data[name] for name in _OF_BLADES if name in blade.data} | {"name": blade.label}
        own = {name: tuple(its) if isinstance(its, list) else its for name, its in own.items()}
        facts |= {f"accessory.{name}": its for name, its in own.items()}


def line_of(it: Attempt) -> Line:
    """With what the attacker strikes."""
    facts, features = it.facts, tuple(it.facts.get("weapon.features", ()))
    named = facts.get("weapon.name", "Weapon")
    if facts.get("attack.shot"):
        return Line(
            named, percentile.dice_given(it, "weapon.damage", "the damage of the pistol"), 0, features
        )
    if has_record(facts, "accessory"):
        damage = percentile.dice_given(it, "accessory.damage", "the damage of the accessory")
        modifier = it.need("accessory.ws_modifier", "the WS modifier of the accessory")
        return Line(facts.get("accessory.name", "Accessory"), damage, modifier)
    if facts.get("weapon.type") in GUNS:
        butt = it.lookup.entry("weapon", BUTT)
        if butt is None:
            it.faults.need(
                "accessory.damage", "the damage of a gun's butt, which the packs in use do not have"
            )
            return Line(named, percentile.NOTHING, 0)
        damage = dice_of(str(butt.data.get("damage", "0"))) or percentile.NOTHING
        return Line(butt.label, damage, butt.data.get("ws_modifier", 0))
    damage = percentile.dice_given(it, "weapon.damage", "the damage of the weapon")
    return Line(named, damage, it.need("weapon.ws_modifier", "the WS modifier of the weapon"), features)


def _parry(it: Attempt) -> None:
    """What the target parries with: the weapon, or a gun's blade or butt."""
    facts = it.facts
    if not facts.get("target.object"):
        attack.without_powers(it, TARGET, "parry")
    attack.encumber(it, "parry", TARGET, bool(facts.get("parry.one_handed")))
    if facts.get("parry.type") not in GUNS:
        return
    blades = [mod.data for mod in facts.get("parry.mods", ()) if "parry_penalty" in mod.data]
    butt = it.lookup.entry("weapon", BUTT)
    line = blades[0] if blades else butt.data if butt else {}
    facts.setdefault("parry.parry_penalty", line.get("parry_penalty", 0))
    facts.setdefault("parry.may_parry", line.get("may_parry", True))


def breakage_of(it: Attempt, line: Line) -> Breakage | None:
    """What a parry of this attack may break (section 10.3); None for nothing.

    A shot breaks nothing and is broken by nothing (ours). Effects name the attacker's weapon by its record, and the
    target's by its slug. Of several features of a weapon that the table names the least chance counts.
    """
    if it.facts.get("attack.shot"):
        return None
    rows = rows_of(it.lookup, "power-weapon-breakage")
    parry = it.request.input.slug("parry") or "parry"
    mine, theirs = line.features, tuple(it.facts.get("parry.features", ()))
    for whose, item, power, other in ((ATTACKER, "weapon", theirs, mine), (TARGET, parry, mine, theirs)):
        known = [rows[word]["chance"] for word in other if word in rows]
        chance = min(known, default=rows["other"]["chance"]) if "power" in power else 0
        if chance > 0:
            return Breakage(whose, item, Percentile(chance))
    return None


def _unparried(chance: Tally, halvings: tuple[Halving, ...], rounding: str) -> int:
    """The chance without the Parry Penalty, halved like the other."""
    entries = tuple(entry for entry in chance.entries if entry.id != _PARRIED)
    return percentiles.halved_again(tally_of(chance.to, chance.label, entries), halvings, rounding).total


def _damage_dice(facts: Mapping[str, Any], line: Line) -> DiceParts:
    """The dice of the weapon, and of some weapons more against what stands still (section 10.3)."""
    counts = facts.get("target.object") and not facts.get("attack.shot")
    more = dice_of(facts.get("weapon.stationary_damage", "")) if counts else None
    return (*line.damage.dice, *(more.dice if more else ()))


def _force_number(it: Attempt, line: Line) -> None:
    """Make the number of the Willpower Test of a psyker with a force weapon, where its power is at work (10.5)."""
    if attack.FORCE not in line.features or not allows(it.facts, ATTACKER, attack.PSYCHIC):
        return
    rows = rows_of(it.lookup, "force-weapons")
    if rows["characters-only"]["value"] and it.facts.get("target.object"):
        return
    name = rows["test"]["value"]
    what = f"the {name} of the user of a force weapon"
    percentile.number_of_test(it, FORCE_CHANCE, ATTACKER, name, what=what)


def _force(it: Attempt) -> Force | None:
    chance = it.known(FORCE_CHANCE)
    if chance is None:
        return None
    rows = rows_of(it.lookup, "force-weapons")
    bonus, doubled = dice_in("force-weapons", rows["bonus"]["value"]), factors(it.lookup, FORCE_WEAPON)
    unpassed = doubled if rows["doubled-without-test"]["value"] else Factors()
    asks = blows.FORCE_TEST in it.request.open
    return Force(percentile.of_chance(it, chance), asks, bonus.dice, bonus.plus, doubled, unpassed)

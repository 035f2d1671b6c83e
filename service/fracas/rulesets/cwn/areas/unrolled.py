"""What strikes several people without an attack roll: suppressive fire and Whirlwind Assault.

Rulebook sections 5.4, 5.6 (two rounds, and an Evasion save of everybody in a cone), 10.2 (Shock to every foe in melee
range) and R11. The one who fails a save against suppressive fire suffers half the weapon's damage, rounded up,
multiplied where the own Trauma Die says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fracas.kernel.forms import Outcome, Waiting, rolls
from fracas.kernel.procedures import Attempt, Procedure
from fracas.kernel.required import Faults
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.stage import Effect, Facts, Fork, Shared, Stage, share
from fracas.kernel.written_dice import dice_text
from fracas.rulesets.cwn.areas import area_stages, area_victims
from fracas.rulesets.cwn.areas.area_stages import SHOCKED, Area, Victim, reached, strike, untouched
from fracas.rulesets.cwn.areas.blast import AREA_MEASURES
from fracas.rulesets.cwn.attacks import numbers
from fracas.rulesets.cwn.attacks.attack import DECISIONS, body_of, damage_dice
from fracas.rulesets.cwn.attacks.attack_vocabulary import AREA, PEOPLE, SUPPRESSION
from fracas.rulesets.cwn.attacks.blows import NO_ROUNDS, Rounds, costs_of
from fracas.rulesets.cwn.attacks.facts import BULLETS, require_ac, require_body
from fracas.rulesets.cwn.attacks.numbers import TARGETS as OF_AN_ATTACK
from fracas.rulesets.cwn.attacks.numbers import owners_in
from fracas.rulesets.cwn.attacks.rolling import IRON_HAND
from fracas.rulesets.cwn.checks.saves import EVASION
from fracas.rulesets.cwn.harms.harm import DEAD, DEFEATED, MORTALLY_WOUNDED, Hurt, after_harm, risk_of

ROUNDS = 2
TOTAL = "total"
"""Cover behind which nothing of a combatant is to be seen: hard cover."""
BURST = "fire"
"""The branch of the shooter; the others are named after the records of the people."""
_DAMAGE = "damage.bonus"


def _targets(*of_each: str, own: Sequence[str] = ()) -> dict[str, str]:
    """The attacker's `own` numbers, those of each who may be struck, and their saves, with their labels."""
    plain = {to: OF_AN_ATTACK[to] for to in (*own, *of_each)}
    return {**plain, **numbers.targets_of(PEOPLE, *of_each), **area_victims.SAVE_TARGETS}


class Suppressed(Waiting, kind="cwn.suppressed"):
    """Waits for the damage that everybody in the cone shares; see `blast_stages.Explosion`."""

    area: Shared[Area]
    victims: tuple[Shared[Victim], ...]
    rounds: Rounds
    awaits = rolls("damage", "attacker", lambda self: self.area.value.request)

    def advance(self, answer: Any) -> Stage:
        return sweep(self.area, self.victims, self.rounds, area_stages.dealt(self.area.value, answer))


class Fired(Outcome, kind="cwn.suppressive-fire"):
    """What the shooter has made of it; `damage`: what a failed save costs, -1 where each victim has a roll."""

    damage: int
    rounds: Rounds

    def notes(self) -> Facts:
        damage = {"half_damage": self.damage} if self.damage >= 0 else {}
        return {"result": "fired", **damage, **self.rounds.facts()}

    def changes(self) -> Iterator[Effect]:
        return costs_of(self.rounds, (), "target")


def sweep(area: Shared[Area], victims: tuple[Shared[Victim], ...], rounds: Rounds, damage: int) -> Fork:
    """The fork: the fire itself, and what it means for everybody in the cone."""
    struck: list[tuple[str, Stage]] = []
    for one in victims:
        then = strike(area, one, max(0, damage)) if reached(area, one, 0, 0) else untouched(area, one)
        struck.append((one.value.who, then))
    return Fork(((BURST, Fired(damage, rounds)), *struck))


class SuppressiveFire(Procedure):
    """No attack roll: everyone in the cone saves or takes half of the damage."""

    vocabulary = SUPPRESSION
    decisions = tuple(info._replace(context=()) for info in DECISIONS if info.id == IRON_HAND)
    targets = _targets("trauma.bonus", "trauma.target", own=(_DAMAGE,))
    owners = owners_in(targets)
    measures = AREA_MEASURES
    inner = targets.keys() - {_DAMAGE}

    def numbers(self, it: Attempt) -> None:
        facts = it.facts = _derive(it.request, it.faults)
        it.shown |= {name: facts[name] for name in ("attack.lethal", "fire.steady") if name in facts}
        places = {}
        for who in area_victims.people_of(facts):  # what is given of no one in particular is of the target
            general = it.request.input.facts.get("distance", 0.0) if who == "target" else 0.0
            places[who] = area_victims.Place(float(facts.get(f"{who}.distance", general)), 0.0, 0.0)
            if facts.get(f"{who}.cover") == TOTAL:
                facts[f"{who}.protections"] = (*facts.get(f"{who}.protections", ()), area_victims.HEAVY_COVER)
        wards = IRON_HAND in it.request.open and facts.get("weapon.type") in BULLETS
        weapon = it.request.entry(
            "weapon"
        )  # what keeps its fire from a combatant, such as ears against sound
        stops = weapon.data.get("blast", {}).get("stopped_by", ()) if weapon else ()
        by = (area_victims.HEAVY_COVER, *stops)
        threat = area_victims.Threat(True, EVASION, stopped_by=by, wards=wards)
        seen = area_victims.as_targets(it, facts, threat, places)
        if not it.faults.problems:
            numbers.damage(it)
            it.plan = area_victims.expose(it, facts, threat, seen, places)

    def first(self, it: Attempt) -> Stage:
        left = it.facts.get("weapon.rounds")
        counted = left is not None or "weapon.magazine" in it.facts
        rounds = Rounds.of(ROUNDS, left) if counted else NO_ROUNDS
        shared, reach = bool(it.options["shared_area_damage"]), it.facts.get("weapon.range_normal")
        dice = damage_dice(it.facts)
        area = share(Area(dice, it.total(_DAMAGE), shared, True, area_stages.NOTHING, True, True, reach))
        if any(reached(area, victim, 0, 0) and area_stages.shares_damage(area, victim) for victim in it.plan):
            return Suppressed(area, it.plan, rounds)
        return sweep(area, it.plan, rounds, -1)


def _derive(request: AttemptRequest, faults: Faults) -> dict[str, Any]:
    """The facts of the shot; nothing of an attack roll is needed but the attribute, which the damage adds."""
    mounts = set(request.input.facts.get("fire.mounts", ()))
    if request.input.facts.get("attacker.prone"):
        mounts.add("prone")
    weapon = request.entry("weapon")
    wanted = weapon.data.get("suppress_needs", ()) if weapon else ()
    given = dict(request.input.facts)
    if mounts:
        given.setdefault("attack.rested", True)
    given.setdefault("distance", 0)  # a cone is aimed at nobody
    facts = area_victims.derive_unrolled(request.with_facts(given), faults)
    facts.pop("range.band", None)
    if "attack.pierces" not in request.input.facts and not facts.get("attack.pierces"):
        facts.pop("attack.pierces", None)
    facts["fire.steady"] = not wanted or not mounts.isdisjoint(wanted)
    if "weapon.damage" not in facts:
        faults.need("weapon.damage", "the damage of the weapon, such as 2d8")
    dice_text(facts, "weapon.damage", faults)
    return facts


KILLED = "has-killed"
"""The condition of the one who may attack again after the first kill of a round: the focus at level 2."""
FELLED = (DEAD, MORTALLY_WOUNDED, DEFEATED)


class Shocked(Outcome, kind="cwn.shocked"):
    """What the Shock did to a combatant; `shield`: something that stops one Shock a round has stopped it."""

    who: str
    shock: int
    shield: bool
    hurt: Hurt

    def notes(self) -> Facts:
        result = SHOCKED if self.shock else "unharmed"
        return {"result": result, "shock_damage": self.shock, **self.hurt.facts()}

    def changes(self) -> Iterator[Effect]:
        yield from costs_of(NO_ROUNDS, ("shock-shield",) if self.shield else (), self.who)
        yield from self.hurt.effects(self.who)
        if self.hurt.down in FELLED:
            yield Effect("add-condition", "attacker", KILLED)


class Whirlwind(Procedure):
    """Every enemy in reach suffers the weapon's Shock; nothing is rolled."""

    label = "Whirlwind Assault"
    vocabulary = AREA
    targets = _targets("target.ac", "shock.damage", "shock.ac", "shock.immunity")
    owners = owners_in(targets)
    measures = AREA_MEASURES
    inner = targets

    def numbers(self, it: Attempt) -> None:
        facts = it.facts = area_victims.derive_unrolled(it.request, it.faults)
        for name in ("shock", "shock_ac"):
            it.need(f"weapon.{name}", "the Shock of the weapon, and the highest AC that it harms")
        people = area_victims.people_of(facts)
        if not people:
            it.faults.need("target", "a foe in melee range")
        seen = {who: area_victims.as_target(facts, who) for who in people}
        for who in people:
            victim_faults = area_victims.FaultsOf(it.faults, who)
            require_ac(seen[who], victim_faults)
            require_body(seen[who], victim_faults)
        it.plan = []
        for who in people if not it.faults.problems else ():
            one = it.of(who, seen[who])
            guard = numbers.guard_of(numbers.armor_class(one), *numbers.shock_of(one))
            body = body_of(it.request, seen[who])
            hurt = Hurt.by(body, guard.shock, guard.shock if body.soaks_shock else 0)
            risk, save = risk_of(it.request, facts, who, who)
            then = after_harm(Shocked(who, guard.shock, guard.shield, hurt), who, risk)
            it.plan.append((who, then))
            if save is not None and then.awaits is not None:
                it.keep(save)

    def first(self, it: Attempt) -> Stage:
        return Fork(tuple(it.plan))

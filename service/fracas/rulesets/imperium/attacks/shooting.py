"""Shots and throws: rulebook sections 5, 7, 8.1 and 11.

What raises and lowers the chance, and what makes a shot impossible, is data (``datapacks/imperium-core``); here is the
order of things. Single shots and semi-automatic fire have one target. Full automatic fire may have several, among which
the shots are split; what bursts harms everybody in reach. Each further target of full automatic fire stands where a
shot has its target, so that the same modifiers count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.required import has_record, in_place_of
from fracas.kernel.ruleset import DecisionInfo, Measure
from fracas.kernel.stage import Fork, Stage, share
from fracas.kernel.tables import row_of, rows_of
from fracas.kernel.tally import Entry
from fracas.rulesets.imperium.attacks import attack, grenades, plasma
from fracas.rulesets.imperium.attacks import shots as stages
from fracas.rulesets.imperium.attacks.attack import ATTACKER, TARGET
from fracas.rulesets.imperium.attacks.close_combat import DEFENSE, DODGE, DODGING, EVADE, STAND, may_dodge
from fracas.rulesets.imperium.attacks.vocabulary import OTHERS, PEOPLE, SHOOTING
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.harms import fire
from fracas.rulesets.imperium.harms.bodies import INJURY_TEST
from fracas.rulesets.imperium.harms.damage import CRITICAL, factors
from fracas.rulesets.imperium.harms.injury import MEASURES, unhurt

CHANCE, DAMAGE = "shooting.chance", "shooting.damage"
AT_OTHERS = {f"{who}.{CHANCE}": f"{who.replace('_', ' ').capitalize()}: chance to hit" for who in OTHERS}
THROWN = "thrown"
_EXTREME = "extreme"


class Shooting(Procedure):
    """Roll to hit of each shot, location, damage, armor and injuries; in any firing mode, or thrown."""

    label = "Shot or throw"
    vocabulary = SHOOTING
    decisions = (DecisionInfo(DODGING, "Dodge the shot", (STAND, EVADE), STAND),)
    targets: Mapping[str, str] = {
        CHANCE: "Chance to hit",
        DAMAGE: "Points added to the damage",
        DODGE: "Chance to dodge",
        **AT_OTHERS,
        **INJURY_TEST.targets(ATTACKER, *PEOPLE),
        **fire.FIRE_TEST.targets(*PEOPLE),
        **grenades.FLASH_TEST.targets(*PEOPLE),
        **attack.OF_RIDERS,
    }
    owners: Mapping[str, str] = {**dict.fromkeys(AT_OTHERS, "attacker"), DODGE: TARGET}
    measures = (
        chance("hit", "Expected number of people hit"),
        chance("critical", "Expected number of people hit critically"),
        Measure("hits", "Expected number of hits", lambda its: float(its.get("hits", its.get("hit")) or 0)),
        *MEASURES,
    )

    def numbers(self, it: Attempt) -> None:
        shot_facts(it)
        facts = it.facts
        others = [who for who in OTHERS if has_record(facts, who)]
        bursts = "weapon.blast" in facts
        mode = facts.get("fire.mode")
        splits = mode is None or row_of(it.lookup, "fire-modes", mode)["split"]
        if others and not bursts and not splits:
            message = "only full automatic fire and what bursts concern several people"
            it.faults.wrong(others[0], "too-many-targets", message)
        aims, shots = 1 + (0 if bursts else len(others)), facts.get("fire.shots", 1)
        if aims > shots:
            message = f"{shots} shots cannot be split over {aims} targets"
            it.faults.wrong("fire.shots", "too-few-shots", message)
        it.shown |= {name: facts[name] for name in ("range.band", "fire.mode", "fire.shots") if name in facts}
        skill = it.need("attacker.ballistic_skill", "the Ballistic Skill")
        harms = "weapon.damage" in facts or not grenades.is_special(facts)
        dice = percentile.NOTHING
        if harms:
            dice = percentile.dice_given(it, "weapon.damage", "the damage of the weapon")
        further = [] if bursts else [_against(it, who) for who in others]
        for one in further:
            it.refused += it.request.rules.refusals(one.facts)
        for one in (it, *further):
            halvings = percentile.halvings_of(it.lookup, halving_reasons(one))
            base = Entry("ballistic-skill", "Ballistic Skill", skill)
            percentile.keep_chance(one, CHANCE, base, halvings=halvings)
            if one is it and halvings:
                it.shown["halved"] = ", ".join(half.id for half in halvings)
        if harms:
            plus = Entry("weapon", facts.get("weapon.name", "Weapon"), dice.plus)
            it.tally(DAMAGE, *((plus,) if dice.plus else ()))
        victims = [attack.victim_of(it, who, *aimed_at(it, who)) for who in (TARGET, *others)]
        for who in (TARGET, *others):
            if facts.get("weapon.ignites"):
                fire.keep_test(it, who)
            grenades.keep_test(it, who)
        attack.reins_number(it)
        if it.options["dodge_shots"] and not bursts and may_dodge(it):
            percentile.number_of_test(it, DODGE, TARGET, "initiative")
        it.plan = dice.dice, split(shots, aims), victims, plasma.chamber_of(it)

    def first(self, it: Attempt) -> Stage:
        _, shares, victims, chamber = it.plan
        victims = [attack.numbered(it, one) for one in victims]
        away = "weapon.blast" in it.facts and (_is_away(it) or grenades.scatter_of(it) is not None)
        if len(victims) > len(shares) or away or grenades.is_special(it.facts):
            fired: Stage = _burst(it, *victims)
        else:
            stages = [(one.who, _firing(it, one, share)) for one, share in zip(victims, shares, strict=True)]
            fired = stages[0][1] if len(stages) == 1 else Fork(tuple(stages))
        for one in victims:
            if (kindling := fire.kindling_of(it, one.who)) is not None:
                fired = kindling.around(fired)
            for after in grenades.afterwards(it, one):
                fired = after.around(fired)
        if chamber is not None:
            fired = plasma.Discharge(fired, plasma.numbered(it, chamber))
        for one in victims:
            fired = one.broken_by(fired)
        return attack.in_the_saddle(it, attack.with_recoil(it, fired))


def shot_facts(it: Attempt) -> None:
    """Add what follows for the shot at the target; what is missing or wrong is noted."""
    facts = attack.common_facts(it)
    attack.encumber(it, "weapon", "attacker", attack.uses_one_arm(it))
    if "weapon.mods" in facts:
        fitted = [mod.data["silencer"] for mod in facts["weapon.mods"] if "silencer" in mod.data]
        facts["weapon.silencer"] = fitted[0] if fitted else "none"
    _announce(it)
    plasma.set_up(it)
    it.need("distance", "the distance to the target in yards")
    _range(it)


def _announce(it: Attempt) -> None:
    """Firing mode and number of shots, where there is no choice."""
    facts = it.facts
    modes = facts.get("weapon.modes", ())
    if "fire.mode" not in facts and len(modes) == 1:
        facts["fire.mode"] = modes[0]
    mode = it.need("fire.mode", "the firing mode, which is announced before the dice", "")
    if not mode or "fire.shots" in facts:
        return
    shots = row_of(it.lookup, "fire-modes", mode)["shots"]
    least = facts.get("weapon.semi_least")
    if shots is None and mode == "semi-auto" and least == facts.get("weapon.semi_most"):
        shots = least
    if shots is None:
        it.faults.need("fire.shots", "the number of shots of this action")
    else:
        facts["fire.shots"] = shots


def _range(it: Attempt) -> None:
    """The range band, by the table ``shooting-bands`` (section 5.1)."""
    if "distance" not in it.facts:
        return
    bands = rows_of(it.lookup, "shooting-bands")
    for band, row in bands.items():
        if band == _EXTREME and it.facts.get("weapon.without_extreme_range"):
            continue
        if row["until"] is None:
            it.facts["range.band"] = band
            return
        limit = _limit(it, row["until"])
        if limit is None:  # the rest is as likely missing
            for until in dict.fromkeys(other["until"] for other in bands.values() if other["until"]):
                _limit(it, until)
            return
        if it.facts["distance"] <= limit * row["factor"]:
            it.facts["range.band"] = band
            return


def _limit(it: Attempt, name: str) -> float | None:
    """A range of the weapon in yards; of what is thrown a part of the Strength."""
    if it.facts.get("weapon.type") != THROWN:
        limit: float | None = it.need(f"weapon.{name}", f"the {name} range of the weapon in yards", None)
        return limit
    divisor = it.need(f"weapon.throw_{name}", f"what divides the Strength for a {name} throw", None)
    strength = it.need("attacker.strength", "the Strength of the thrower", None)
    return None if divisor is None or strength is None else strength / divisor


def _against(it: Attempt, who: str) -> Attempt:
    """The attempt as it is for a further target, who stands where the target does; nobody else is there."""
    seen = {"target.conscious": True} | in_place_of(it.facts, who, without=(*PEOPLE, "armor", "range"))
    seen.pop("distance", None)
    if f"{who}.distance" in it.facts:
        seen["distance"] = it.facts[f"{who}.distance"]
    else:
        it.faults.need(f"{who}.distance", "the distance to this target in yards")
    one = it.of(who, seen)
    _range(one)
    return one


def halving_reasons(it: Attempt) -> Iterator[str]:
    """What halves the chance of these shots, as rows of the table ``halving``."""
    if it.facts["action.merged"]:
        yield percentile.MERGED_ACTION
    if rows_of(it.lookup, "shooting-bands").get(it.facts.get("range.band", ""), {}).get("halved"):
        yield percentile.EXTREME_RANGE
    mode = it.facts.get("fire.mode")
    if mode is not None and row_of(it.lookup, "fire-modes", mode)["halved"]:
        yield percentile.FULL_AUTOMATIC


def split(shots: int, targets: int) -> list[int]:
    """The shots of full automatic fire by target: evenly, and what is left over to the first ones (ours)."""
    each, over = divmod(shots, targets)
    return [each + (at < over) for at in range(targets)]


def report_of(it: Attempt) -> str:
    """When the weapon is heard (section 5.4); of what is thrown nothing is known."""
    if it.facts.get("weapon.type") == THROWN or "weapon.mods" not in it.facts:
        return stages.UNTOLD
    silencers = [mod.data for mod in it.facts["weapon.mods"] if "silencer" in mod.data]
    if not silencers:
        return stages.CERTAIN
    fails = any(one.get("heard_on_matched_failure") for one in silencers)
    return stages.ONLY_WHEN_MATCHED if fails else stages.NEVER


def aimed_at(it: Attempt, who: str) -> tuple[str, percentile.Percentile]:
    """Whether rider or mount is shot at, and the chance that the mount is struck where both may be (section 5.3).

    The one who has aimed chooses; who says nothing, or throws what bursts (ours), aims at the rider.
    """
    if not it.facts.get(f"{who}.mounted") or "weapon.blast" in it.facts:
        return attack.RIDER, attack.NO_MOUNT
    unaimed = "not-aimed-small-rider" if it.facts.get(f"{who}.small") else "not-aimed"
    row = "aimed" if it.facts.get("attacker.aim") else unaimed
    chance = row_of(it.lookup, "mounted-target", row)["hits_mount"]
    if chance is None:
        mount = it.facts.get("fire.aims_at") == attack.MOUNT
        return attack.MOUNT if mount else attack.RIDER, attack.NO_MOUNT
    return attack.EITHER, percentile.Percentile(chance)


def _firing(it: Attempt, victim: attack.Victim, shots: int) -> Stage:
    first = victim.who == TARGET
    test = percentile.of_number(it, CHANCE if first else f"{victim.who}.{CHANCE}")
    bands, dice, plus = percentile.location_bands(it.lookup), it.plan[0], it.total(DAMAGE)
    rounds, critical = attack.rounds_of(it) if first else attack.NO_ROUNDS, factors(it.lookup, CRITICAL)
    firing = stages.Firing(victim, test, bands, shots, dice, plus, critical, report_of(it), rounds)
    if first and DODGE in it.made:
        owed = row_of(it.lookup, DEFENSE, "dodge")["actions"]
        firing = firing._replace(dodge=percentile.of_number(it, DODGE), owed=owed)
    return stages.Shot(share(firing), shots, 0, 0, 0, 0, False, unhurt(victim.body))


def _is_away(it: Attempt) -> bool:
    """Whether what bursts was thrown at a place, and the target is not in its reach."""
    return bool(it.facts.get(f"{TARGET}.blast_distance", 0) > it.facts.get("weapon.blast", 0))


def _burst(it: Attempt, hit: attack.Victim, *near: attack.Victim) -> Stage:
    reach, facts = it.facts["weapon.blast"], it.facts
    others = (grenades.bystander_of(it, one, facts.get(f"{one.who}.from_target", 0) <= reach) for one in near)
    direct = grenades.bystander_of(it, hit, not _is_away(it))
    test, bands = percentile.of_number(it, CHANCE), percentile.location_bands(it.lookup)
    plus, critical = it.total(DAMAGE) if it.plan[0] else 0, factors(it.lookup, CRITICAL)
    damage = it.plan[0], plus, critical, attack.rounds_of(it)
    blast = stages.Blast(
        test, bands, *damage, hit, tuple(others), direct.struck, direct.result, grenades.scatter_of(it)
    )
    return stages.Throw(share(blast))

"""Suppressive fire: rulebook section 8.7.

    test -> fork: the zone, and for each person in it: getting away -> resistance

The hits of the shooter are the threshold that everybody exposed in the zone must reach with Reaction and Edge, at once
or when entering it later. Who fails is hit by the weapon's own damage. The test is that of a ranged attack, so that
every modifier of its numbers counts here too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.fields import choice, fields, flag, whole
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.procedures import Attempt, chance, mean
from fracas.kernel.required import has_record, require
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.stage import Effect, Facts, Fork, Shared, Stage, share
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Field
from fracas.rulesets.sr4 import sheet
from fracas.rulesets.sr4.harms.damage import OF_ALL, AttackOutcome, Plan, fired
from fracas.rulesets.sr4.ranged import ranged_attack, shooting
from fracas.rulesets.sr4.ranged.ranged_vocabulary import VICTIMS, reaching
from fracas.rulesets.sr4.ranged.shooting import ATTACK
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Reaching, RollRules, Side, Spent, Striking, side_of
from fracas.rulesets.sr4.sheet import spent_edge
from fracas.rulesets.sr4.vocabulary import FULL_DEFENSE, SOAK_BONUS, combatant_fields, dice, named

OPENS, ENTERED = "opens", "entered"
_OPENS_FIRE = (
    "The shooter opens fire, unless a combatant enters the zone afterwards, moves in it, or leaves cover."
)
_KEPT_DOWN = "Hits of the shooter, against which those who enter later roll."


def _victim(who: str) -> Iterator[Field]:
    yield from combatant_fields(
        who,
        pool=dice("Pool to get away", "Dice before modifiers, in place of the attributes."),
        unaware=flag("Unaware or surprised", "Cannot try to get away."),
        prone=flag("Prone", "Those who lie in the zone are safe from it."),
        full_defense=FULL_DEFENSE,
        soak_bonus=SOAK_BONUS,
    )


ZONE, SUPPRESSING = "zone", "suppressing"
"""The branch of the shooter, beside those of the people; and their condition, until the next own Action Phase."""


class Exposed(Part, kind="sr4.exposed"):
    """One in the zone, by record. `avoid`: the test to get away; None for who cannot. `plan`: what a hit does."""

    who: str
    avoid: Side | None
    plan: Shared[Plan]


class Lying(Part, kind="sr4.lying"):
    """A combatant in the zone who lies prone, and is safe."""

    who: str
    plan: Shared[Plan]


class Suppress(Striking, kind="sr4.suppress"):
    """Takes the test of the shooter: its hits are the threshold.

    Attributes:
        rounds: ammunition spent.
        own: what the shooter resists when explosive ammunition misfires; None where nothing is known of it.
        misfires: the ammunition goes off in the weapon on a critical glitch.
        rules: of the tests that follow.
    """

    people: tuple[Shared[Exposed | Lying], ...]
    rounds: int
    own: Shared[Plan] | None
    misfires: bool
    rules: RollRules

    def on_reported_result(self, net: int, scoreless: bool, glitch: int, edge_spent: Spent) -> Stage:
        spent = edge_spent[0]
        if glitch != ranged_attack.CRITICAL_GLITCH or not self.misfires:
            return fire_zone(Zone(net, self.rounds, spent), net, self.people, self.rules)
        zone = ranged_attack.misfired(Zone(0, self.rounds, spent), self.own, self.rules, spent)
        return fire_zone(zone, 0, self.people, self.rules)

    def on_skip(self) -> Stage:
        """Without dice nobody is kept down."""
        return fire_zone(Zone(0, 0, 0), 0, self.people, self.rules)


def fire_zone(
    zone: Stage, threshold: int, people: Sequence[Shared[Exposed | Lying]], rules: RollRules
) -> Fork:
    """The fork: the zone itself, and what it means for everybody in it."""
    down = ((one.value.who, _keep_down(one.value, threshold, rules)) for one in people)
    return Fork(((ZONE, zone), *down))


def _keep_down(one: Exposed | Lying, threshold: int, rules: RollRules) -> Stage:
    if threshold <= 0 or isinstance(one, Lying):
        return AttackOutcome("safe", 0, "", one.plan, 0, (0, 0))
    if one.avoid is None:
        return ranged_attack.struck(one.plan, rules)
    return dice_test.start(one.avoid, None, Avoid(threshold, one.plan, rules), rules)


class Avoid(Reaching, kind="sr4.avoid-suppression"):
    """Takes the test to get away: as many hits as the threshold, or the weapon hits."""

    fact = "avoid_threshold"
    threshold: int
    plan: Shared[Plan]
    rules: RollRules

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        if net >= self.threshold:
            return AttackOutcome("avoided", 0, "", self.plan, 0, (0, edge_spent[0]))
        return ranged_attack.struck(self.plan, self.rules, spent=edge_spent[0])


class Zone(Outcome, kind="sr4.suppressed-zone"):
    """What the shooter has made of it. `threshold`: the hits; 0 is no threat. `rounds`: ammunition spent; 0 where the
    zone was there already. `edge_spent`: points of Edge that they have spent."""

    threshold: int
    rounds: int
    edge_spent: int

    def notes(self) -> Facts:
        return {"result": SUPPRESSING if self.threshold else "no-threat", "threshold": self.threshold}

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge("attacker", self.edge_spent)
        if not self.rounds:
            return
        yield from fired(self.rounds)
        if self.threshold:
            lasts = (("set_suppression", self.threshold),)
            yield Effect("add-condition", "attacker", SUPPRESSING, None, lasts)


ROUNDS = 20
_PEOPLE = ("target", *VICTIMS)
_AVOID = "avoid.pool"

GROUPS = {to: tuple(f"{who}.{to}" for who in _PEOPLE) for to in ("armor.rating", "resist.pool")}
"""Changes of a number under attack count for those suppressed as well, see `TurnRules.groups`."""


class SuppressiveFire(dice_test.TestingProcedure):
    """A test whose hits are the threshold for everyone in the zone; those who fail to get away are hit."""

    vocabulary = reaching(
        "A victim exposed in the zone, beside the target.",
        _victim,
        fields("", zone=choice("Zone", _OPENS_FIRE, choices=(OPENS, ENTERED))),
        fields("attacker", suppression=whole("Threshold of the zone", _KEPT_DOWN, most=60, example=3)),
    )
    targets = {
        **{to: shooting.TARGETS[to] for to in (shooting.COMPENSATION, ATTACK, "armor.rating", "resist.pool")},
        **{f"{who}.{_AVOID}": f"{named(who)}: pool to get away" for who in _PEOPLE},
        **{f"{who}.armor.rating": f"{named(who)}: armor after penetration" for who in _PEOPLE},
        **{f"{who}.resist.pool": f"{named(who)}: damage resistance pool" for who in _PEOPLE},
    }
    owners = dict.fromkeys(("armor.rating", "resist.pool"), "target")
    measures = (  # over all branches together: one person makes of each number a chance
        mean("threshold", "Expected threshold"),
        chance("result", "Expected number of people hit", "hit", among=("hit",)),
        *OF_ALL,
    )
    inner = tuple(to for to in targets if to != ATTACK and not to.endswith(_AVOID))

    def numbers(self, it: Attempt) -> None:
        facts, people = it.facts, [who for who in _PEOPLE if has_record(it.facts, who)]
        opens = facts.setdefault("zone", OPENS) == OPENS
        shooting.derive_plain(facts)
        require(facts, _needed(facts, people))
        for name in ("fire.mode", "fire.spread", *(() if opens else ("weapon.rounds",))):
            facts.pop(name, None)  # the rounds of a zone that is entered are fired already
        facts |= {"fire.rounds": ROUNDS, "fire.length": "full", "fire.burst_bonus": 0}
        facts |= {"recoil.own": 0, "recoil.factor": 1}  # suppressive fire ignores recoil
        shooting.derive_shooter(facts, it.request)
        shooting.make_pools(it, attacks=opens)
        own = ranged_attack.own_of(it) if opens else None
        it.shown = {"zone": facts["zone"], **ranged_attack.shown(facts)}
        plans = {}
        for who in people:
            if not facts.get(f"{who}.prone") and not facts.get(f"{who}.unaware"):
                sheet.make_pool(it, f"{who}.{_AVOID}", *_avoid_base(who, facts, it.request))
            plans[who] = ranged_attack.struck_by(it, who, who)
        it.plan = plans, own

    def first(self, it: Attempt) -> Stage:
        facts, (plans, own), rules = it.facts, it.plan, RollRules.of(it.options)
        exposed = tuple(share(_exposed(who, plan, it)) for who, plan in plans.items())
        if ATTACK not in it.made:
            threshold = facts["attacker.suppression"]
            return fire_zone(Zone(threshold, 0, 0), threshold, exposed, rules)
        then = Suppress(exposed, ROUNDS, own, ranged_attack.misfires(facts), rules)
        return dice_test.plain(it, "attack", ATTACK, then, who="attacker", reports_glitch=then.misfires)


def _exposed(who: str, plan: Shared[Plan], it: Attempt) -> Exposed | Lying:
    """A combatant in the zone, with the dice to get away."""
    if it.facts.get(f"{who}.prone"):
        return Lying(who, plan)
    dice = it.known(f"{who}.{_AVOID}")
    return Exposed(who, None if dice is None else side_of("avoid", who, dice, it.facts, it.request), plan)


def _avoid_base(who: str, facts: Mapping[str, Any], request: AttemptRequest) -> list[Entry]:
    """Reaction and Edge, the attribute: it costs no point; on full defense what that adds."""
    entries = sheet.pool_given(facts, f"{who}.pool") or [
        Entry("reaction", "Reaction", facts[f"{who}.reaction"]),
        Entry("edge", "Edge", facts[f"{who}.edge"]),
    ]
    entries += sheet.full_defense_entries(facts, who)
    entries += sheet.by_rule("wounds", "Wounds", sheet.wound_modifier(facts, who, request.options))
    lost = sheet.encumbrance(facts, who, request.options)
    return entries + sheet.by_rule("encumbrance", "Armor encumbrance", lost)


def _needed(facts: Mapping[str, Any], people: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(field, what the rule needs) of the shot, and of everybody in the zone."""
    if facts["zone"] == ENTERED:
        yield "attacker.suppression", "the threshold of the zone"
    else:
        yield from shooting.needed_to_attack(facts)
    yield from shooting.needed_of_damage(facts)
    for who in people:
        if not facts.get(f"{who}.unaware") and f"{who}.pool" not in facts:
            for name in ("reaction", "edge"):
                yield f"{who}.{name}", f"{name.capitalize()}, or {who}.pool in place of Reaction + Edge"
        yield f"{who}.body", "Body of everybody in the zone"
        if not (f"{who}.ballistic" in facts and f"{who}.impact" in facts):
            yield f"{who}.armor", "the armor worn: a list of pieces (empty for none), or ballistic and impact"
        if shooting.shocks(facts):
            yield f"{who}.willpower", "Willpower, for the after-effect of electricity"
    if facts["zone"] == ENTERED and not people:
        yield "victim_1", "a combatant who enters the zone"

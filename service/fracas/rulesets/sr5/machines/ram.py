"""Ramming: a machine strikes another one, or somebody on foot (rulebook section 12.4).

test against the defense -> fork: what the target takes, and what the machine that rams takes
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from fracas.kernel.fields import fields, flag, person, vocabulary, whole
from fracas.kernel.monitors import half_up
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import in_place_of, reported_as, require
from fracas.kernel.stage import Fork, Shared, Stage, share
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Record
from fracas.rulesets.sr5.attacks.attack import defense_base
from fracas.rulesets.sr5.combatant import EVASION, resisting_fields
from fracas.rulesets.sr5.harms import damage
from fracas.rulesets.sr5.harms.damage import (
    MISS,
    NO_ATTACK,
    AttackOutcome,
    Plan,
    plan_of,
    resist,
    soak,
)
from fracas.rulesets.sr5.harms.damage_resistance import impact
from fracas.rulesets.sr5.machines.driving import MACHINE
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import FLOOR, LIMIT_FLOOR, Contested, side_of
from fracas.rulesets.sr5.rolls.written_pools import written_pool
from fracas.rulesets.sr5.sheet import derive_resisting

RAMMER = "attacker"
POOL, LIMIT, DEFENSE = "ramming.pool", "ramming.limit", "ram-defense.pool"
_NUMBERS = {name: MACHINE[name] for name in ("handling", "pilot", "maneuvering")}


class Ram(dice_test.TestingProcedure):
    """The driver's pool [Handling] against a defense; Body and speed decide what both take."""

    vocabulary = vocabulary(
        person(RAMMER, "Machine that rams", "With the pool of its driver, or its Pilot and an autosoft."),
        person("target", "Target"),
        Record("damage", "What hurts"),
        damage.DAMAGE_ELEMENT,
        *map(resisting_fields, (RAMMER, "target")),
        fields(
            RAMMER,
            pool=whole("Pool of the driver", "Dice before modifiers.", most=60),
            **_NUMBERS,
        ),
        fields(
            "target",
            pool=whole("Defense pool", "Dice before modifiers, such as those of its driver.", most=60),
            unaware=flag("Unaware", "Or without control: no defense at all."),
            evasion=EVASION,
        ),
        fields("", impact_speed=whole("Impact speed", "Metres a turn.", 1, 2000, unit="metres", example=24)),
    )
    targets: Mapping[str, str] = {
        POOL: "Pool",
        LIMIT: "Limit",
        DEFENSE: "Defense pool",
        **damage.TARGETS,
        **{f"{RAMMER}.{to}": f"Of the machine that rams: {label}" for to, label in damage.TARGETS.items()},
    }
    owners: Mapping[str, str] = {DEFENSE: "target", **dict.fromkeys(damage.TARGETS, "target")}
    measures = damage.MEASURES
    inner: Collection[str] = (damage.ARMOR, f"{RAMMER}.{damage.ARMOR}")

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        with it.faults.collect():
            for who in (RAMMER, "target"):
                derive_resisting(facts, who)
            require(
                facts,
                [("impact_speed", "the impact speed"), (f"{RAMMER}.body", "Body of the machine that rams")],
            )
            it.tally(POOL, *written_pool(facts, RAMMER, "pilot + maneuvering"), least=0, floor=FLOOR)
            require(facts, [(f"{RAMMER}.handling", "Handling, the limit")])
            handling = Entry("handling", "Handling", facts[f"{RAMMER}.handling"])
            it.tally(LIMIT, handling, least=0, floor=LIMIT_FLOOR)
            if not facts.get("target.unaware"):
                it.tally(DEFENSE, *defense_base(facts), least=0, floor=FLOOR)
            it.plan = impact(it.lookup, facts[f"{RAMMER}.body"], facts["impact_speed"])
            for one in self._both(it):
                with reported_as({"target": one.record or "target"}):
                    resist(one, [("impact", "the impact", it.plan[1])])

    def _both(self, it: Attempt) -> Iterator[Attempt]:
        """The attempt as it is for the target, and for the machine that rams."""
        yield it
        yield it.of(RAMMER, in_place_of(it.facts, RAMMER))

    def first(self, it: Attempt) -> Stage:
        dv, (hit, back) = it.plan[0], self._both(it)
        defended = not it.facts.get("target.unaware")
        plans = plan_of(hit, dv, "physical", defended=defended), plan_of(back, half_up(dv), "physical")
        side = side_of(it, "attack", RAMMER, it.total(POOL), it.total(LIMIT))
        defense = it.known(DEFENSE)
        other = None if defense is None else side_of(it, "defense", "target", defense)
        return dice_test.start(side, other, Rammed(share(plans[0]), share(plans[1])))


class Rammed(Contested, kind="sr5.rammed"):
    """Takes the test: net hits add to what the target takes, not to what the machine that rams takes."""

    target: Shared[Plan]
    rammer: Shared[Plan]

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        net = hits - other_hits
        if net <= 0:
            return AttackOutcome(MISS, 0, "", self.target, spent)
        struck = soak(self.target, self.target.value.value + net, net, spent)
        return Fork((("target", struck), (RAMMER, soak(self.rammer, self.rammer.value.value, 0, (0, 0)))))

    def on_skip(self) -> Stage:
        return AttackOutcome(NO_ATTACK, 0, "", self.target, (0, 0))

"""From the result of an attack test to boxes on a monitor: the stages after the opposed test.

Rulebook section 8.4, steps 4 to 8, and 8.6.
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.forms import Outcome, Part
from fracas.kernel.procedures import chance
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage
from fracas.rulesets.sr5.harms.harm import PRONE, dazed, facts_after, knocks_down, marks
from fracas.rulesets.sr5.harms.monitors import Monitors, boxes_held
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Receiver, Side, spent_edge

HIT, GRAZE, MISS, NO_ATTACK = "hit", "graze", "miss", "no-attack"


class Plan(Part, kind="sr5.plan"):
    """What the stages after the opposed test need.

    Attributes:
        value: Damage Value before net hits.
        armor: modified armor; 0 or more.
        track: ``physical`` or ``stun``, before the comparison.
        resist: the resistance test.
        edge_points: points of Edge that the target has left before the attack.
        limit: the target's Physical limit, which as many boxes of one attack knock down; -1: not known.
        defended: the target made a defense, which counts against the next one.
        monitors: None when the situation does not report them.
        stops: what is lower than the armor does nothing: a vehicle, or hardened armor.
        automatic: hits of the resistance that come without dice.
        vehicle: it takes no Stun but from electricity, and does not fall.
        electric: the damage is electric.
        touch: net hits add no damage.
        falls: who takes enough boxes falls.
        rounds, recoil: ammunition spent, and how much of it counts as recoil.
        who: the record of the target.
        by: the record of who attacks.
        weapon: the record of the weapon.
        loss: points of Initiative that a called shot takes on a hit.
        loses_later: they come off the next roll, and not at once.
        used: the condition of an active defense, which serves against a single attack; "" for none.
        dazed: minutes for which dumpshock hampers the target; 0 for damage that is none.
    """

    value: int
    armor: int
    track: str
    resist: Side
    edge_points: int
    limit: int
    defended: bool
    monitors: Monitors | None
    stops: bool = False
    automatic: int = 0
    vehicle: bool = False
    electric: bool = False
    touch: bool = False
    falls: bool = True
    rounds: int = 0
    recoil: int = 0
    who: str = "target"
    weapon: str = "weapon"
    by: str = "attacker"
    loss: int = 0
    loses_later: bool = False
    used: str = ""
    dazed: int = 0


class Compare(Receiver, kind="sr5.compare"):
    """Takes the attack test: more hits than the defense are a hit, as many a graze, fewer a miss.

    Against a combatant who makes no defense an attack without hits is a miss.
    """

    plan: Shared[Plan]

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        plan = self.plan.value
        net = hits - other_hits
        if net <= 0:
            result = GRAZE if net == 0 and plan.defended else MISS
            return AttackOutcome(result, 0, "", self.plan, spent)
        return soak(self.plan, plan.value + (0 if plan.touch else net), net, spent)

    def forgo(self) -> Stage:
        """An attacker without dice makes no attack."""
        return AttackOutcome(NO_ATTACK, 0, "", self.plan, (0, 0))

    def short(self, hits: int, other_hits: int) -> int:
        return 1 + other_hits - hits


def soak(plan: Shared[Plan], dv: int, net: int, spent: tuple[int, int]) -> Stage:
    """The modified Damage Value against the modified armor, then the resistance test.

    Args:
        dv: modified Damage Value.
        net: net hits, for the explanation.
        spent: points of Edge of attacker and target so far.
    """
    about = plan.value
    lower = dv < about.armor
    if dv <= 0 or (about.stops and lower) or (about.vehicle and about.track == "stun" and not about.electric):
        return AttackOutcome(HIT, 0, "", plan, spent)
    if about.vehicle:
        track = "physical"
    else:
        track = "stun" if lower else about.track
    side = about.resist
    if about.edge_points <= spent[1]:
        side = side.without_points()
    return dice_test.start(side, None, Soak(dv, track, plan, net, spent))


class Soak(Receiver, kind="sr5.soak"):
    """Takes the resistance test: each hit lowers the modified Damage Value by one."""

    dv: int
    track: str
    plan: Shared[Plan]
    net: int
    spent: tuple[int, int]

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        mine, theirs = self.spent
        left = self.dv - hits - self.plan.value.automatic
        return AttackOutcome(HIT, max(0, left), self.track, self.plan, (mine, theirs + spent[0]))

    def short(self, hits: int, other_hits: int) -> int:
        return self.dv - hits - self.plan.value.automatic

    def notes(self) -> Facts:
        plan = self.plan.value
        facts: dict[str, Fact] = {
            "net_hits": self.net,
            "modified_dv": self.dv,
            "modified_armor": plan.armor,
            "converted_to_stun": self.track != plan.track and not plan.vehicle,
        }
        return facts | ({"automatic_hits": plan.automatic} if plan.automatic else {})


class AttackOutcome(Outcome, kind="sr5.attack-outcome"):
    """How an attack ended.

    Attributes:
        result: ``hit``, ``graze`` (contact only), ``miss``, or ``no-attack`` (a pool of 0 dice).
        damage: boxes after resistance.
        track: ``physical`` or ``stun``; "" where there is no damage to resist.
        spent: points of Edge of attacker and target.
    """

    result: str
    damage: int
    track: str
    plan: Shared[Plan]
    spent: tuple[int, int]

    @property
    def knockdown(self) -> bool:
        plan = self.plan.value
        return plan.falls and not plan.vehicle and knocks_down(self.damage, plan.limit)

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"result": self.result, "damage": self.damage, "track": self.track or None}
        plan = self.plan.value
        if self.result in (HIT, GRAZE):
            facts |= {"contact": True, "knockdown": self.knockdown}
        if plan.stops and self.result == HIT and not self.track:
            facts["bounced"] = True
        if plan.monitors is not None:
            facts |= facts_after(plan.monitors.after(self.damage, self.track))
        return facts

    def changes(self) -> Iterator[Effect]:
        plan = self.plan.value
        yield from spent_edge(*zip((plan.by, plan.who), self.spent, strict=True))
        if self.result != NO_ATTACK:
            if plan.rounds:
                yield Effect("item", plan.by, plan.weapon, -plan.rounds, (("state", "rounds"),))
            if plan.recoil:
                yield Effect("gain", plan.by, "rounds-fired", plan.recoil)
            if plan.defended:
                yield Effect("gain", plan.who, "defenses-made", 1)
            if plan.used:
                yield Effect("remove-condition", plan.who, plan.used)
        if plan.loss and self.result == HIT:
            how, what = ("gain", "initiative-loss") if plan.loses_later else ("spend", "initiative")
            yield Effect(how, plan.who, what, plan.loss)
        yield from marks(plan.who, plan.monitors, self.damage, self.track)
        yield from dazed(plan.who, plan.dazed)
        if self.knockdown:
            yield Effect("add-condition", plan.who, PRONE)


MEASURES = (
    chance("result", "Chance to hit", "hit", among=(HIT,)),
    Measure("damage", "Expected boxes", boxes_held),
    Measure(
        "physical",
        "Chance of Physical damage",
        lambda facts: float(bool(facts.get("damage") and facts.get("track") == "physical")),
    ),
    chance("knockdown", "Chance of a knockdown"),
    chance("unconscious", "Chance to take the target out", "down"),
)
"""What the odds of every attack report."""

"""What damage does: from the result of an attack test to boxes on the monitors, and what full monitors mean.

Rulebook sections 8.4 (steps 4 to 8), 8.5, 8.6, 11.6 and 12. Every procedure that does damage takes its stages, facts
and effects from here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fracas.kernel import monitors
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.monitors import STABILIZED, half_up
from fracas.kernel.procedures import Attempt, chance
from fracas.kernel.required import require
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage, used_up
from fracas.kernel.tally import FLOOR, Entry, Tally
from fracas.kernel.vocabulary import Field
from fracas.rulesets.sr5 import sheet
from fracas.rulesets.sr5.combatant import ELEMENTS
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Contested, Receiver, Side, side_of, spent_edge

HIT, GRAZE, MISS, NO_ATTACK = "hit", "graze", "miss", "no-attack"
DEVICE = "device-damage"
"""The track of the boxes of a device."""
PRONE, DISABLED, DAZED = "prone", "disabled", "dumpshock"
_GREAT_DAMAGE = 10


def knocks_down(boxes: int, limit: int) -> bool:
    """Whether the boxes of one attack make a combatant fall: as many as the Physical limit, or 10.

    Args:
        limit: below 0 where nobody knows it.
    """
    return boxes > 0 and (boxes >= _GREAT_DAMAGE or 0 <= limit <= boxes)


def hurt(filled: sheet.Monitors | None, boxes: int, track: str) -> dict[str, Fact]:
    """The monitors after damage, for the explanation; nothing where the situation does not report them."""
    return {} if filled is None else monitors.facts_after(filled.after(boxes, track), DISABLED)


def marks(who: str, filled: sheet.Monitors | None, boxes: int, track: str) -> list[Effect]:
    """Boxes on the tracks, and what full monitors mean. Without monitors, the boxes on their track only."""
    if not boxes:
        return []
    if filled is None:
        return [Effect("mark", who, track, boxes)]
    after = filled.after(boxes, track)
    effects = monitors.marked(who, after.physical - filled.physical, after.stun - filled.stun)
    effects += monitors.states(who, after, DISABLED)
    if filled.stabilized and after.dying and after.physical > filled.physical:
        effects.append(Effect("remove-condition", who, STABILIZED))
    begins = after.dying and not after.dead and (filled.stabilized or not filled.now().dying)
    return effects + ([monitors.bled(who, filled.bleeds)] if begins else [])


def dazed(who: str, minutes: int) -> list[Effect]:
    """What dumpshock leaves for some minutes, whether or not a box gets through."""
    time = (("length", minutes), ("unit", "minute"))
    return [Effect("add-condition", who, DAZED, None, time)] if minutes else []


def healed(who: str, filled: sheet.Monitors, physical: int, stun: int) -> list[Effect]:
    """Boxes that are no longer filled, and what ends with a full monitor."""
    left = filled._replace(physical=filled.physical - physical, stun=filled.stun - stun)
    return monitors.emptied(who, physical, stun, filled.now(), left.now())


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
        circuits: electricity that gets through also fills the Matrix monitor.
        stops_equal: what equals the armor does nothing either: Immunity to Normal Weapons.
    """

    value: int
    armor: int
    track: str
    resist: Side
    edge_points: int
    limit: int
    defended: bool
    monitors: sheet.Monitors | None
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
    circuits: bool = False
    stops_equal: bool = False

    def fried(self, boxes: int) -> int:
        """Boxes of the Matrix monitor that electricity fills besides, without resistance."""
        return boxes // 2 if self.circuits and self.electric else 0


class Compare(Contested, kind="sr5.compare"):
    """Takes the attack test: more hits than the defense are a hit, as many a graze, fewer a miss.

    Against a combatant who makes no defense an attack without hits is a miss.
    """

    plan: Shared[Plan]

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        plan = self.plan.value
        net = hits - other_hits
        if net <= 0:
            result = GRAZE if net == 0 and plan.defended else MISS
            return AttackOutcome(result, 0, "", self.plan, spent)
        return soak(self.plan, plan.value + (0 if plan.touch else net), net, spent)

    def on_skip(self) -> Stage:
        """An attacker without dice makes no attack."""
        return AttackOutcome(NO_ATTACK, 0, "", self.plan, (0, 0))


def soak(plan: Shared[Plan], dv: int, net: int, spent: tuple[int, int]) -> Stage:
    """The modified Damage Value against the modified armor, then the resistance test.

    Args:
        dv: modified Damage Value.
        net: net hits, for the explanation.
        spent: points of Edge of attacker and target so far.
    """
    about = plan.value
    lower = dv < about.armor
    stopped = dv <= about.armor if about.stops_equal else lower
    if (
        dv <= 0
        or (about.stops and stopped)
        or (about.vehicle and about.track == "stun" and not about.electric)
    ):
        return AttackOutcome(HIT, 0, "", plan, spent)
    track = "physical" if about.vehicle else "stun" if lower else about.track
    side = about.resist.with_points(about.edge_points - spent[1])
    return dice_test.start(side, None, Soak(dv, track, plan, net, spent))


class Soak(Receiver, kind="sr5.soak"):
    """Takes the resistance test: each hit lowers the modified Damage Value by one."""

    dv: int
    track: str
    plan: Shared[Plan]
    net: int
    spent: tuple[int, int]

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        mine, theirs = self.spent
        left = self.dv - hits - self.plan.value.automatic
        return AttackOutcome(HIT, max(0, left), self.track, self.plan, (mine, theirs + spent[0]))

    def hits_needed(self, hits: int, other_hits: int) -> int:
        return self.dv - hits - self.plan.value.automatic

    def notes(self) -> Facts:
        plan = self.plan.value
        facts: dict[str, Fact] = {"net_hits": self.net, "modified_dv": self.dv, "modified_armor": plan.armor}
        facts["converted_to_stun"] = self.track != plan.track and not plan.vehicle
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
        if fried := plan.fried(self.damage):
            facts["matrix_damage"] = fried
        facts |= hurt(plan.monitors, self.damage, self.track)
        return facts

    def changes(self) -> Iterator[Effect]:
        plan = self.plan.value
        yield from spent_edge(*zip((plan.by, plan.who), self.spent, strict=True))
        if self.result != NO_ATTACK:
            yield from used_up(plan.by, plan.weapon, plan.rounds)
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
        if fried := plan.fried(self.damage):
            yield Effect("mark", plan.who, DEVICE, fried)
        yield from dazed(plan.who, plan.dazed)
        if self.knockdown:
            yield Effect("add-condition", plan.who, PRONE)


MEASURES = (
    chance("result", "Chance to hit", "hit", among=(HIT,)),
    Measure("damage", "Expected boxes", sheet.boxes_held),
    chance("damage", "Chance of Physical damage", "physical", where={"track": "physical"}),
    chance("knockdown", "Chance of a knockdown"),
    chance("unconscious", "Chance to take the target out", "down"),
)
"""What the odds of every attack report."""

ARMOR, SOAK = "armor.value", "soak.pool"
TARGETS = {ARMOR: "Armor", SOAK: "Damage resistance pool"}
"""The numbers with which a combatant resists."""
DAMAGE_ELEMENT = Field("damage.element", "choice", "Element", choices=ELEMENTS, example="fire")
ARMOR_FLOOR = "Armor never falls below 0"
VALUE_FLOOR = "A Damage Value never falls below 0"

Penetration = Sequence[tuple[str, str, int]]
"""(id, label, points) of all that lowers the armor, or raises it; negative points lower it."""


def past_immunity(facts: dict[str, Any]) -> None:
    """Take Immunity to Normal Weapons away, which spells and powers pass by."""
    if facts.get("target.immunity"):
        facts |= {"target.armor_value": 0, "target.hardened_armor": False}


def resist(it: Attempt, penetration: Penetration) -> None:
    """Make the modified armor of the target and its resistance pool.

    Raises:
        InputError: Body or armor is missing.
    """
    require(it.facts, [("target.body", "Body of the victim")])
    less = [Entry(f"ap-{id}", f"AP of {what}", by, origin="rule") for id, what, by in penetration if by]
    armor = it.tally(ARMOR, *sheet.worn_armor(it.facts, "target"), *less, least=0, floor=ARMOR_FLOOR)
    body = Entry("body", "Body", it.facts["target.body"])
    dice_test.make_pool(it, SOAK, body, Entry("armor", "Modified armor", armor.total))


def plan_of(it: Attempt, value: int, track: str, element: str = "", **more: Any) -> Plan:
    """What follows a hit on the target, with the numbers of `resist` where they are made.

    Args:
        value: Damage Value before net hits.
        element: see `combatant.ELEMENTS`; "" for none.
        more: further fields of the plan.
    """
    facts, armor = it.facts, it.made.get(it.named(ARMOR))
    vehicle, hardened = bool(facts.get("target.vehicle")), bool(facts.get("target.hardened_armor"))
    falls_at = None if vehicle else sheet.physical_limit(facts, "target")
    limit, side = -1 if falls_at is None else falls_at, side_of(it, "soak", "target", it.known(SOAK) or 0)
    points, filled = facts.get("target.edge_points", 0), sheet.Monitors.of(facts, "target")
    stops, worn = bool(armor) and (vehicle or hardened), armor.total if armor else 0
    hits = half_up(max(0, _unpenetrated(armor))) if armor and hardened else 0
    electric, loss = element == "electricity", facts.get("attacker.called_initiative", 0)
    plan = Plan(value, worn, track, side, points, limit, False, filled, stops, hits, vehicle, electric)
    later = bool(it.options["frozen_initiative"])
    immune = facts.get("target.immunity") and it.options["immunity_edge"] == "not_above"
    more.setdefault("stops_equal", bool(hardened and immune))
    more.setdefault("circuits", vehicle and it.options["electricity_matrix"] == "half")
    return plan._replace(who=it.record or "target", loss=loss, loses_later=later, **more)


def _unpenetrated(armor: Tally) -> int:
    """The armor before anything penetrates it."""
    gone = (line for line in armor.entries if line.id == FLOOR or line.id.startswith("ap-"))
    return armor.total - sum(line.value or 0 for line in gone if line.origin == "rule")

"""From the result of an attack test to boxes on a monitor: the stages after the opposed test.

Rulebook sections 7 (steps 3 to 6), 11.3, 11.4, 11.6 (electricity) and 11.7.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.forms import Outcome, Part
from fracas.kernel.monitors import boxes_held, wounds
from fracas.kernel.procedures import Attempt, chance
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage
from fracas.rulesets.sr4.harms import harm
from fracas.rulesets.sr4.reloading import used_up
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Reaching, Receiver, Resisting, RollRules, Side, Spent, side_of
from fracas.rulesets.sr4.sheet import DISRUPTED, WRECKED, Monitors, pain, spent_edges

SECOND_ROUNDS = "rounds-fired-second"
"""The track that counts, of the rounds fired, those of a second firearm."""


class Plan(Part, kind="sr4.plan"):
    """What the stages after the opposed test need.

    Attributes:
        value: DV before net hits, called shots and ammunition counted.
        burst: DV that is added after the comparison.
        armor: armor after penetration.
        track: ``physical`` or ``stun``, before the comparison.
        resist: the resistance test.
        edge_points: the target's Edge points left before the attack.
        grazing: ``all``: a tie is a grazing hit; ``hits``: only with hits on both sides; ``off``.
        contact: the attack does its damage by contact, also on a grazing hit.
        knockdown: boxes of one hit above this knock down; so do 10.
        rounds: ammunition spent.
        defended: the target made a defense, which counts against the next one.
        monitors: None when the situation does not report them.
        pain: (boxes a track ignores, boxes a wound modifier).
        shock_pool: dice of the test against electricity before wounds; -1 where there is none.
        charges: charges of the weapon that a hit discharges.
        element: ``electricity`` (its after-effect), ``fire`` or ``acid`` (they go on); "" where nothing follows.
        had: DV of the fire or acid of that sort that is on the target already.
        hard: a vehicle: what does not exceed its armor, and Stun, does nothing (section 11.9).
        falls: who takes enough boxes falls; a vehicle does not.
        who: the record of the target.
        weapon: the record of the weapon.
        hardened: what does not exceed its armor does nothing, as of a vehicle, but Stun beyond it does (section 30.2).
        lasts: the boxes do not regenerate (section 33.3).
        piece: what it uses up of what is thrown or shot piece by piece, see `reloading.piece_used`.
    """

    value: int
    burst: int
    armor: int
    track: str
    resist: Side
    edge_points: int
    grazing: str
    contact: bool
    knockdown: int
    rounds: int
    defended: bool
    monitors: Monitors | None
    pain: tuple[int, int]
    shock_pool: int
    charges: int = 0
    element: str = ""
    had: int = 0
    hard: bool = False
    falls: bool = True
    who: str = "target"
    weapon: str = "weapon"
    piece: str = ""
    hardened: bool = False
    lasts: bool = False

    @property
    def bounces(self) -> bool:
        """Something may do nothing to it, though it hits."""
        return self.hard or self.hardened

    def stops(self, dv: int, track: str) -> bool:
        """Whether a modified DV of this kind does nothing to a machine or a being with hardened armor."""
        return (self.hard and track == "stun") or (self.bounces and dv <= self.armor)

    @classmethod
    def of(
        cls, it: Attempt, value: int, armor: int, dice: int, track: str, element: str = "", **more: Any
    ) -> Plan:
        """What a ``target`` resists with `dice`, by its sheet. `element`: of the damage. `more`: other fields."""
        facts, options = it.facts, it.options
        vehicle = bool(facts.get("target.vehicle"))
        shocks = element == harm.ELECTRICITY and not vehicle
        resist = side_of("soak", "target", dice, facts, it.request)
        points, body = facts.get("target.edge_points", 0), facts.get("target.body", 0)
        defended, grazes = not facts.get("target.unaware"), grazing(options)
        track = "physical" if vehicle and element == harm.ELECTRICITY else track
        monitors, each = Monitors.of(facts, "target", options), pain(facts, "target")
        shock = harm.shock_dice(facts, options) if shocks else -1
        had, goes_on = harm.had_of(facts, element), "" if vehicle else element
        own = resist, points, grazes, False, body, 0, defended, monitors, each, shock
        plan = cls(value, 0, armor, track, *own)
        hardened = bool(harm.hardened_entries(facts, "target"))
        plan = plan._replace(element=goes_on, had=had, hard=vehicle, falls=not vehicle, hardened=hardened)
        plan = plan._replace(lasts=harm.lasts(facts, options))
        return plan._replace(**more)


def grazing(options: Mapping[str, Any]) -> str:
    """Which ties graze, see `Plan`."""
    if not options["grazing_hits"]:
        return "off"
    return "all" if options["graze_on_zero"] else "hits"


class Compare(Receiver, kind="sr4.compare"):
    """Takes the attack test: hit, grazing hit or miss; then the Damage Value against the armor."""

    plan: Shared[Plan]
    rules: RollRules

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        plan = self.plan.value
        grazes = net == 0 and plan.defended and ties_graze(plan.grazing, scoreless)
        if net <= 0 and not (grazes and plan.contact):
            return AttackOutcome("graze" if grazes else "miss", 0, "", self.plan, 0, edge_spent)
        dv = plan.value + net
        converted = plan.track == "physical" and dv <= plan.armor
        if plan.stops(dv, plan.track):
            return AttackOutcome("hit", 0, "", self.plan, 0, edge_spent)
        track = "stun" if converted else plan.track
        result = "graze_contact" if net == 0 else "hit"
        hit = Hit(result, dv + plan.burst, track, self.plan, net, edge_spent, self.rules)
        side = plan.resist
        if plan.edge_points <= edge_spent[1] and (side.edge or side.edge_after):
            side = side.without_points()
        return dice_test.start(side, None, hit, self.rules)

    def on_each_result(self, counts: Sequence[int], edge_spent: Spent, met: dict[Any, Any]) -> list[Stage]:
        missed = self.on_result(-1, False, edge_spent)
        return [missed if net < 0 else self.on_result(net, False, edge_spent) for net in counts]

    def on_skip(self) -> Stage:
        return AttackOutcome("no-attack", 0, "", self.plan, 0, (0, 0))

    def hits_needed(self, net: int, scoreless: bool) -> int:
        plan = self.plan.value
        return short_of_contact(net, scoreless, plan.grazing if plan.contact and plan.defended else "off")


def ties_graze(grazing: str, scoreless: bool) -> bool:
    """Whether a tie is a grazing hit, see `Plan.grazing`; `scoreless`: both sides had no hit."""
    return grazing == "all" or (grazing == "hits" and not scoreless)


def short_of_contact(net: int, scoreless: bool, grazing: str) -> int:
    """Hits that an attack lacks; where it is enough to graze, see `Plan.grazing`, a tie may do."""
    return -net if ties_graze(grazing, scoreless) else 1 - net


class Hit(Resisting, kind="sr4.hit"):
    """Takes the resistance test."""

    result: str
    dv: int
    track: str
    plan: Shared[Plan]
    net: int
    edge_spent: Spent
    rules: RollRules

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        result, dv, track, plan, attack_net, spent, rules, _ = self
        if edge_spent[0]:
            spent = (spent[0], spent[1] + edge_spent[0])
        outcome = AttackOutcome(result, max(0, dv - net), track, plan, 0, spent)
        return outcome if not plan.value.element else _follow(outcome, attack_net, dv, rules)

    def on_each_result(self, counts: Sequence[int], edge_spent: Spent, met: dict[Any, Any]) -> list[Stage]:
        result, dv, track, plan, _, spent, *_ = self
        if edge_spent[0] or plan.value.element:
            return super().on_each_result(counts, edge_spent, met)
        key = (result, track, plan, spent)
        ends: list[AttackOutcome] = met.get(key) or met.setdefault(key, [])
        while len(ends) <= dv or not ends:  # what protects a victim of an area may leave less than nothing
            ends.append(AttackOutcome(result, len(ends), track, plan, 0, spent))
        return [ends[dv - net] if net < dv else ends[0] for net in counts]

    def notes(self) -> Facts:
        plan = self.plan.value
        facts = {"net_hits": self.net, "modified_dv": self.dv - plan.burst, "modified_armor": plan.armor}
        return facts | {"converted_to_stun": self.track != plan.track, "dv": self.dv}


def _follow(outcome: AttackOutcome, net: int, dv: int, rules: RollRules) -> Stage:
    """What an element does besides: the test against electricity, or fire and acid that go on. Fire stays where the
    modified DV exceeded the armor against it; acid stays until it is washed off."""
    plan = outcome.plan.value
    if plan.element == harm.ELECTRICITY:
        return shock_test(outcome, plan, net, rules)
    goes = harm.stays_with(plan.element, dv - plan.burst, plan.armor)
    return outcome._replace(lasting=goes) if goes else outcome


def shock_test(outcome: Any, plan: Any, net: int, rules: RollRules) -> Stage:
    """The test against electricity, with the wounds that the hit has just brought.

    Args:
        outcome: has a field `shock_turns`, which shows how the test ended.
        plan: that it strikes, with the fields of a `Plan`.
        net: net hits of the attack.
    """
    dice = plan.shock_pool
    if plan.monitors is not None:
        after = plan.monitors.after(outcome.damage, outcome.track)
        dice -= wounds(after.physical, after.stun, plan.pain, plan.monitors.single)
    return dice_test.start(Side("electric", plan.who, max(0, dice)), None, Shock(outcome, net), rules)


class Shock(Reaching, kind="sr4.shock"):
    """Takes the test against electricity; the outcome, with `shock_turns`, learns how it ended."""

    fact, threshold = "electric_threshold", 3
    outcome: Any
    net: int

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        turns = 2 + self.net
        ended: Stage = self.outcome._replace(shock_turns=turns if net < self.threshold else -turns)
        return ended


class AttackOutcome(Outcome, kind="sr4.attack-outcome"):
    """How an attack ended.

    Attributes:
        result: ``hit``, ``miss``, ``graze``, ``graze_contact``, or ``no-attack`` (a pool of 0 dice).
        damage: boxes after resistance.
        track: ``physical`` or ``stun``; "" without a hit.
        shock_turns: electricity: above 0, Combat Turns of being incapacitated; below 0, of -2 dice; 0 for none.
        lasting: DV of fire or acid that stays on the target; 0 for none.
        edge_spent: points of Edge of attacker and target.
    """

    result: str
    damage: int
    track: str
    plan: Shared[Plan]
    shock_turns: int
    edge_spent: Spent
    lasting: int = 0

    @property
    def knockdown(self) -> bool:
        plan = self.plan.value
        return plan.falls and harm.knocks_down(self.damage, plan.knockdown)

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"result": self.result, "damage": self.damage, "track": self.track or None}
        if self.result in ("hit", "graze_contact"):
            facts["knockdown"] = self.knockdown
        plan = self.plan.value
        if harm.loses_control(self, plan):
            facts["crash_test"] = True
        if plan.bounces and self.result == "hit" and not self.track:
            facts["bounced"] = True
        if plan.monitors is not None:
            facts |= harm.facts_after(plan.monitors, self.damage, self.track)
            if plan.monitors.after(0, "physical").unconscious:
                facts["down_before"] = True
        return facts | harm.facts_of_elements(self.shock_turns, plan.element, self.lasting)

    def changes(self) -> Iterator[Effect]:
        plan = self.plan.value
        yield from spent_edges(("attacker", plan.who), self.edge_spent)
        if plan.rounds and self.result != "no-attack":
            yield from fired(plan.rounds, weapon=plan.weapon)
        if plan.piece and self.result != "no-attack":
            yield from used_up(plan.weapon, plan.piece)
        if plan.charges and self.result in ("hit", "graze_contact"):
            yield Effect("item", "attacker", plan.weapon, -plan.charges, (("state", "charges"),))
        if plan.defended and self.result != "no-attack":
            yield Effect("gain", plan.who, "defenses-made", 1)
        yield from harm.suffered(self, plan)


def fired(rounds: int, attacks: int = 1, weapon: str = "weapon") -> Iterator[Effect]:
    """What shooting takes: rounds of a weapon, which count for recoil, as attacks do."""
    yield Effect("item", "attacker", weapon, -rounds, (("state", "rounds"),))
    yield Effect("gain", "attacker", "rounds-fired", rounds)
    if weapon != "weapon":
        yield Effect("gain", "attacker", SECOND_ROUNDS, rounds)
    if attacks:
        yield Effect("gain", "attacker", "attacks-made", attacks)


_DOWN = ("unconscious", WRECKED, DISRUPTED)
OF_A_HIT = (
    chance("result", "Chance to hit", "hit", among=("hit", "graze_contact")),
    Measure("damage", "Expected boxes", boxes_held),
    chance("damage", "Chance of Physical damage", "physical", where={"track": "physical"}),
    chance("knockdown", "Chance of a knockdown"),
    Measure("down", "Chance to take the target out", lambda facts: float(any(map(facts.get, _DOWN)))),
)

OF_ALL = (
    Measure("damage", "Expected boxes of all together", boxes_held),
    chance("unconscious", "Expected number taken out", "down"),
)
"""The same over several people, in branches."""

"""Several attacks of one action: the stages around those of a single attack. Rulebook sections 8.4, 8.8 and 8.9.

    a spread:  attack roll -> fork: what was fired, and one branch for each target, which defends and resists
    attacks:   attack -> fork: its outcome, and the next attack, which begins where that one left off

Each outcome is a branch of its own, so that odds need not distinguish what the next attack does not depend on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from fracas.kernel.composing import Within, labelled
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.monitors import DEAD, DYING, UNCONSCIOUS, wounds
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Fork, Shared, Stage, share
from fracas.rulesets.sr4.harms.damage import Plan, fired
from fracas.rulesets.sr4.harms.harm import GOES_ON, without
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import CRITICAL_SUCCESS, Receiver, RollRules, Side, Spent, Striking
from fracas.rulesets.sr4.sheet import EDGE_ATTRIBUTE, Monitors, spent_edge

FIRED = "fired"
"""The branch that shows what was fired; the others are attacks."""


class Firing(Part, kind="sr4.firing"):
    """One attack of several, ready to begin.

    Attributes:
        branch: its name among them.
        attack: the attack roll.
        defense: the defense roll; None where the target makes none.
        then: takes the attack test.
        plan: what the stages after it need.
        rules: of the attack test.
        pools: of a second attack at the same target, its defense pool: one by one for each wound modifier more,
            standing and prone, without and with a defense in the first. Empty for another target.
    """

    branch: str
    attack: Side
    defense: Side | None
    then: Receiver
    plan: Shared[Plan]
    rules: RollRules
    pools: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()


class Carried(Part, kind="sr4.carried"):
    """What earlier attacks of the volley leave for the later ones.

    Attributes:
        fired: any attack was made.
        edge: the attacker has spent Edge, of which an action takes one point.
        target_edge: points that the target has spent. This and what follows counts for the same target alone.
        target_burned: points of the attribute that the target has burned.
        defended: the target has made a defense.
        physical, stun: boxes that it has taken.
        prone: knocked down.
        helpless: taken out, or paralyzed by electricity: no defense.
        lasting: DV of fire or acid.
    """

    fired: bool = False
    edge: bool = False
    target_edge: int = 0
    target_burned: int = 0
    defended: bool = False
    physical: int = 0
    stun: int = 0
    prone: bool = False
    helpless: bool = False
    lasting: int = 0


NOTHING = Carried()
_HELPLESS = (UNCONSCIOUS, DYING, DEAD, "incapacitated")
_LASTING = tuple(f"set_{field}" for _, field, _ in GOES_ON.values())


# One roll, compared with each.


class Pattern(Striking, kind="sr4.pattern"):
    """Takes the roll of a shot that spreads, against which all defend. `rounds`: that it takes; 0 if not counted."""

    firings: tuple[Shared[Firing], ...]
    rounds: int

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        against = ((one.value.branch, _withstand(one, net)) for one in self.firings)
        return Fork(((FIRED, Fired(self.rounds, 1, edge_spent[0])), *against))

    def on_skip(self) -> Stage:
        """An attacker without dice makes no attack."""
        outcomes = ((one.value.branch, one.value.then.on_skip()) for one in self.firings)
        return Fork(((FIRED, Fired(0, 0, 0)), *outcomes))


def _withstand(shared: Shared[Firing], hits: int) -> Stage:
    firing, struck = shared.value, Withstood(hits, shared)
    if firing.defense is None:
        return struck.on_result(0, False, (0, 0))
    return dice_test.start(firing.defense, None, struck, firing.rules)


class Withstood(Receiver, kind="sr4.withstood"):
    """Takes a defense against hits that are known already."""

    hits: int
    firing: Shared[Firing]

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return self.firing.value.then.on_result(self.hits - net, self.hits == net == 0, (0, edge_spent[0]))

    def hits_needed(self, net: int, scoreless: bool) -> int | None:
        short = self.firing.value.then.hits_needed(self.hits - net, self.hits == net == 0)
        return None if short is None else 1 - short

    def critical(self) -> int:
        return self.hits + CRITICAL_SUCCESS


# Attacks one after the other.


def begin(firings: tuple[Shared[Firing], ...], stray: int = 0, carried: Carried = NOTHING) -> Stage:
    """The next of several attacks, or where none is left the end; without dice an attack ends before it begins.
    `stray`: rounds that are spent beside those of the attacks. `carried`: what earlier ones have left."""
    if not firings:
        return Fired(stray if carried.fired else 0, 0, 0)
    firing = firings[0].value
    if not firing.pools:
        carried = Carried(carried.fired, carried.edge)
    stage = _opened(firing, carried)
    volley = Attacking(firing.branch, stage, carried, firings, stray)
    return volley.over(stage) if stage.awaits is None else volley


def _opened(firing: Firing, carried: Carried) -> Stage:
    """The first stage of an attack, as what came before has left things."""
    attack, defense, then, plan = firing.attack, firing.defense, firing.then, firing.plan.value
    if carried.edge:
        attack = attack.without_edge()
    if firing.pools:
        points, before = max(0, plan.edge_points - carried.target_edge), plan.monitors
        monitors = before and without(before, -carried.physical, -carried.stun)
        plan = plan._replace(edge_points=points, monitors=monitors, had=max(plan.had, carried.lasting))
        if carried.target_burned:
            plan = plan._replace(resist=plan.resist.less_burned(carried.target_burned))
            defense = defense and defense.less_burned(carried.target_burned)
        if carried.helpless:
            defense, plan = None, plan._replace(defended=False)
        elif defense is not None:
            by_wounds = firing.pools[carried.defended][carried.prone]
            more = _wounds(monitors, plan.pain) - _wounds(before, plan.pain)
            defense = defense._replace(pool=by_wounds[min(more, len(by_wounds) - 1)])
            if not points:
                defense = defense.without_points()
        then = _swapped(then, firing.plan, share(plan))
    return dice_test.start(attack, defense, then, firing.rules)


def _wounds(monitors: Monitors | None, pain: tuple[int, int]) -> int:
    return wounds(monitors.physical, monitors.stun, pain, monitors.single) if monitors else 0


def _swapped(value: Any, old: Shared[Plan], new: Shared[Plan]) -> Any:
    """A receiver with another plan, however deep it lies."""
    if value is old:
        return new
    if not isinstance(value, tuple):
        return value
    return tuple.__new__(type(value), (_swapped(part, old, new) for part in value))


class Attacking(Within, kind="sr4.attacking"):
    """One attack of several, under way.

    Attributes:
        branch: its name, which its facts and rolls bear.
        stage: of the attack.
        carried: what earlier ones have left.
        firings: this attack and those to come.
        stray: see `begin`.
    """

    branch: str
    stage: Stage
    carried: Carried
    firings: tuple[Shared[Firing], ...]
    stray: int

    @property
    def awaits(self) -> Awaited:
        return labelled(self.stage.awaits, f"{self.branch}.")

    def advance(self, answer: Any) -> Stage:
        stage = self.stage.advance(answer)
        return self.over(stage) if stage.awaits is None else self._replace(stage=stage)

    def over(self, outcome: Stage) -> Stage:
        """This attack has ended, and the next one begins."""
        firing, left = self.firings[0].value, self.firings[1:]
        if not left and not self.stray:
            return Fork(((self.branch, outcome),))
        rest = begin(left, self.stray, _carried(self.carried, outcome.effects(), firing.plan.value.who))
        name = FIRED if isinstance(rest, Fired) else ""
        return Fork(((self.branch, outcome), (name, rest)))

    def notes(self) -> Facts:
        boxes, carried = self.carried.physical + self.carried.stun, self.carried
        states = {"hurt_before": boxes, "prone_before": carried.prone, "helpless": carried.helpless}
        notes: dict[str, Fact] = {name: fact for name, fact in states.items() if fact}
        return {f"{self.branch}.{name}": fact for name, fact in {**notes, **self.stage.notes()}.items()}


def _carried(before: Carried, effects: Iterable[Effect], who: str) -> Carried:
    """What an attack leaves for the next, by its effects on the attacker and on its target."""
    found = before._asdict()
    for type, owner, what, amount, detail in effects:
        points = amount or 0
        if type == "spend" and owner == "attacker":
            found["edge"] = True
        elif type == "spend":
            found["target_burned" if what == EDGE_ATTRIBUTE else "target_edge"] += points
        elif type == "gain" and what == "attacks-made":
            found["fired"] = True
        elif owner == who and type == "gain" and what == "defenses-made":
            found["defended"] = True
        elif owner == who and type == "mark" and what in ("physical", "stun"):
            found[what] += points
        elif owner == who and type == "add-condition":
            found["prone"] = found["prone"] or what == "prone"
            found["helpless"] = found["helpless"] or what in _HELPLESS
            lasting = (value for name, value in detail if name in _LASTING and isinstance(value, int))
            found["lasting"] = max(found["lasting"], *lasting, 0)
    return Carried(**found)


class Fired(Outcome, kind="sr4.fired"):
    """What a volley takes altogether: `rounds` of the weapon, `attacks` made, points of `edge` of the attacker."""

    rounds: int
    attacks: int
    edge: int
    reports = ("rounds",)

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge("attacker", self.edge)
        if self.rounds:
            yield from fired(self.rounds, self.attacks)

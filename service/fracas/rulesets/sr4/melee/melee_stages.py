"""The stages that only a melee attack has: choices before the roll, attacks that mean to do no damage, and mishaps.

Rulebook sections 8.10 (knocking an item away), 9.1 (Reach, touching), 9.3 (the defense), 9.4, 9.5 (interception) and
12.1 (a glitch with a monofilament whip).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.composing import Wrapper, with_effects, with_roles
from fracas.kernel.forms import Outcome, Part, Waiting
from fracas.kernel.ruleset import ContextField, DecisionInfo
from fracas.kernel.stage import Awaited, Decision, Effect, Fact, Facts, Fork, Option, Shared, Stage
from fracas.rulesets.sr4.harms.damage import Hit, Plan, short_of_contact, ties_graze
from fracas.rulesets.sr4.ranged.ranged_attack import dropped
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Passing, Receiver, RollRules, Side, Spent
from fracas.rulesets.sr4.sheet import spent_edges

REACH_USE, DEFENSE = "reach-use", "melee-defense"
OWN_DICE, OTHERS_DICE = "own-dice", "dice-of-the-other"
METHODS = ("dodge", "parry", "block")
_LONGER = ContextField("reach", "Points by which one's Reach is longer")
_OF_METHODS = (ContextField(one, f"Dice to {one}") for one in METHODS)
_POOLS = (ContextField("attack_pool", "Dice of the attacker"), *_OF_METHODS)
DECISIONS = (
    DecisionInfo(REACH_USE, "How to use the longer Reach", (OWN_DICE, OTHERS_DICE), OWN_DICE, (_LONGER,)),
    DecisionInfo(DEFENSE, "How to defend", METHODS, METHODS[0], _POOLS, "defense_method"),
)


class Exchange(Part, kind="sr4.melee-exchange"):
    """A melee attack ready to be rolled, but for the choices; not a stage itself.

    Attributes:
        attack: the attacker's side.
        defense: the defender's side, whose pool the method gives; None without a defense.
        pools: the methods to choose from with their dice; "" for a pool that stands by itself.
        reach_use: what the longer Reach is used for; "" where nobody's is longer.
        then: takes the result of the test.
    """

    attack: Side
    defense: Side | None
    pools: tuple[tuple[str, int], ...]
    reach_use: str
    then: Receiver
    rules: RollRules

    def best(self) -> str:
        """The method with the most dice, the first of equals."""
        return max(self.pools, key=lambda pool: pool[1])[0]

    def begin(self) -> Stage:
        """The choice of the defense, or the roll where there is none. Nobody defends where no attack can come."""
        possible = (self.attack.pool or self.attack.edge or self.attack.burn) and not self.attack.burns
        if self.defense is not None and len(self.pools) > 1 and possible:
            return DefenseChoice(self)
        return self.defended(self.best() if self.defense is not None else "")

    def defended(self, method: str) -> Stage:
        """The roll, with this method of defense."""
        side = self.defense
        if side is not None:
            side = side._replace(pool=dict(self.pools)[method])
        # Without dice there may be no attack, and then nothing that was chosen is a fact of it.
        then = Settled(method, self.reach_use, self.then) if self.attack.pool else self.then
        return dice_test.start(self.attack, side, then, self.rules)


class ReachChoice(Waiting, kind="sr4.reach-choice"):
    """The one with the longer Reach, by so many points, takes dice, or takes them from the other: the exchange with
    dice of one's own, and the same with dice that the other loses."""

    by: str
    points: int
    own: Exchange
    others: Exchange

    @property
    def awaits(self) -> Awaited:
        dice = "1 die" if self.points == 1 else f"{self.points} dice"
        own, others = f"{dice} more of one's own", f"{dice} less for the other"
        roll = "attack" if self.by == "attacker" else "defense"
        options = (Option(OWN_DICE, own), Option(OTHERS_DICE, others))
        return Decision(REACH_USE, self.by, options, OWN_DICE, (("roll", roll), ("reach", self.points)))

    def advance(self, answer: str) -> Stage:
        return (self.own if answer == OWN_DICE else self.others).begin()


class DefenseChoice(Waiting, kind="sr4.defense-choice"):
    """The target says how it defends itself, knowing every pool."""

    exchange: Exchange

    @property
    def awaits(self) -> Awaited:
        exchange = self.exchange
        dice = {method: f"{pool} {'die' if pool == 1 else 'dice'}" for method, pool in exchange.pools}
        options = tuple(Option(method, f"{method.capitalize()} with {its}") for method, its in dice.items())
        about: tuple[tuple[str, Fact], ...] = (("roll", "defense"), ("attack_pool", exchange.attack.pool))
        return Decision(DEFENSE, "target", options, exchange.best(), (*about, *exchange.pools), True)

    def advance(self, answer: str) -> Stage:
        return self.exchange.defended(answer)


class Settled(Passing, kind="sr4.settled"):
    """What was chosen before the roll, for the explanation, around the receiver of the result."""

    method: str
    reach_use: str
    then: Receiver

    def notes(self) -> Facts:
        chosen = {"defense_method": self.method, "reach_use": self.reach_use}
        return {name: word for name, word in chosen.items() if word}


class Aim(Part, kind="sr4.aim"):
    """What an attack that does no damage is for, and what it takes.

    Attributes:
        what: ``touch``, ``subdue``, ``knockdown``, ``improve-hold``, ``throw-held``, ``keep-held``, ``trick``, or
            ``item`` for knocking something away.
        strength: what net hits add to: the Strength of the attacker, or for ``item`` the DV.
        resists: what must be exceeded: the Body of the target, for ``item`` its Strength.
        grazing, defended: as in an attack's plan.
        grip: net hits with which the attacker holds the target already; -1 where nobody knows.
        item: slug of the item that is struck away; "" where unknown. Of ``engulf`` the element, whose DV is `strength`,
            and net hits add to it where `grip` is not -1.
    """

    what: str
    strength: int
    resists: int
    grazing: str
    defended: bool
    grip: int = -1
    item: str = ""


class Attempted(Receiver, kind="sr4.attempt"):
    """Takes the attack test of an attack that does no damage."""

    aim: Shared[Aim]

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        aim = self.aim.value
        if net > 0:
            return AttemptOutcome("hit", net, self.aim, edge_spent)
        grazes = net == 0 and aim.defended and ties_graze(aim.grazing, scoreless)
        result = "miss" if not grazes else "graze_contact" if aim.what == "touch" else "graze"
        return AttemptOutcome(result, 0, self.aim, edge_spent)

    def on_skip(self) -> Stage:
        return AttemptOutcome("no-attack", 0, self.aim, (0, 0))

    def hits_needed(self, net: int, scoreless: bool) -> int:
        aim = self.aim.value
        if aim.what == "engulf":
            return 1 - net
        if aim.what == "touch":
            return short_of_contact(net, scoreless, aim.grazing if aim.defended else "off")
        return max(1, aim.resists - aim.strength + 1) - net


class AttemptOutcome(Outcome, kind="sr4.attempt-outcome"):
    """How an attack that does no damage ended: ``hit``, ``miss``, ``graze``, ``graze_contact`` (a touch), or
    ``no-attack`` (a pool of 0 dice), with the net hits of a hit."""

    result: str
    net: int
    aim: Shared[Aim]
    edge_spent: Spent

    @property
    def succeeded(self) -> bool:
        """The touch landed, the target is held (tighter) or thrown down, the item is gone."""
        aim = self.aim.value
        if aim.what in _WITHOUT_A_TEST:
            return True
        if aim.what == "engulf":
            return self.result == "hit"
        if aim.what == "touch":
            return self.result in ("hit", "graze_contact")
        return self.result == "hit" and aim.strength + self.net > aim.resists

    def notes(self) -> Facts:
        aim = self.aim.value
        facts: dict[str, Fact] = {"result": self.result, "damage": 0, "track": None}
        if self.result == "hit" and aim.what not in _WITHOUT_A_TEST:
            facts["net_hits"] = self.net
            if aim.what in ("subdue", "knockdown", "item"):
                facts |= {"power": aim.strength + self.net, "resists": aim.resists}
        facts[_NAMES[aim.what]] = self.succeeded
        if aim.what == "improve-hold" and self.succeeded:
            facts["grip_gained"] = self.net
        if self.grip >= 0:
            facts["grip"] = self.grip
        return facts

    @property
    def grip(self) -> int:
        """The grip afterwards: the net hits of subduing, and what tighter holds have added; -1 where nobody knows."""
        aim = self.aim.value
        if aim.what == "subdue":
            return self.net if self.succeeded else -1
        if aim.what == "improve-hold" and aim.grip >= 0:
            return aim.grip + (self.net if self.succeeded else 0)
        return aim.grip if aim.what == "keep-held" else -1

    def changes(self) -> Iterator[Effect]:
        aim = self.aim.value
        yield from spent_edges(("attacker", "target"), self.edge_spent)
        if aim.defended and self.result != "no-attack":
            yield Effect("gain", "target", "defenses-made", 1)
        if self.succeeded:
            yield from self._does(aim)
        elif aim.what == "improve-hold":  # a Complex Action was spent on it, whatever came of it
            yield holds(self.grip)

    def _does(self, aim: Aim) -> list[Effect]:
        falls = Effect("add-condition", "target", "prone")
        if aim.what == "engulf":
            dv = aim.strength + (self.net if aim.grip >= 0 else 0)
            known = (("set_engulfed_dv", dv), ("set_engulfed_by", aim.item), *_BY_ATTACKER)
            engulfing = Effect("add-condition", "attacker", "engulfing", None, (("towards", "target"),))
            return [Effect("add-condition", "target", "engulfed", None, known), engulfing]
        if aim.what == "subdue":
            return [Effect("add-condition", "target", HELD, None, _BY_ATTACKER), holds(self.grip)]
        if aim.what in ("improve-hold", "keep-held"):
            return [holds(self.grip)]
        if aim.what == "throw-held":
            return [falls, *let_go("target", "attacker")]
        if aim.what == "knockdown":
            return [falls]
        return [dropped("target", aim.item)] if aim.what == "item" and aim.item else []


HELD, HOLDING = "held", "holding"
"""Conditions of the packs: of who is held, towards the holder, and the other way round."""
_BY_ATTACKER = (("towards", "attacker"),)
_WITHOUT_A_TEST = ("throw-held", "keep-held")
_NAMES = {
    "touch": "touched",
    "subdue": "held",
    "engulf": "engulfed",
    "knockdown": "knockdown",
    "improve-hold": "improved",
    "throw-held": "knockdown",
    "keep-held": "held",
    "item": "item_dropped",
    "trick": "trick",
}
"""The fact that shows whether it succeeded."""


def let_go(held: str, holder: str) -> tuple[Effect, Effect]:
    """A hold ends, for both."""
    return (
        Effect("remove-condition", held, HELD, None, (("towards", holder),)),
        Effect("remove-condition", holder, HOLDING, None, (("towards", held),)),
    )


def holds(grip: int) -> Effect:
    """The attacker goes on holding the target, through the Action Phase to come; a grip below 0 is not known."""
    known = (("set_grip", grip),) if grip >= 0 else ()
    return Effect("add-condition", "attacker", HOLDING, None, (("towards", "target"), *known))


class Holding(Wrapper, kind="sr4.holding"):
    """Hurting a combatant that one holds: the hold goes on."""

    grip: int

    def effects(self, outcome: Stage) -> tuple[Effect, ...]:
        return (*outcome.effects(), holds(self.grip))


SCORCHED, STRIKES_BACK = "scorched", "counterstriking"
"""Conditions: of those who have struck an Energy Aura, which calls for what it does; of an adept who has defended."""


class Leading(Passing):
    """Takes the attack test, and adds what its net hits bring besides."""

    def brings(self, net: int) -> list[Effect]:
        """By net hits of the attacker, below 0 those of the defender."""
        raise NotImplementedError

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return with_effects(self.then.on_result(net, scoreless, edge_spent), self.brings(net))

    def on_reported_result(self, net: int, scoreless: bool, glitch: int, edge_spent: Spent) -> Stage:
        stage = self.then.on_reported_result(net, scoreless, glitch, edge_spent)
        return with_effects(stage, self.brings(net))


class Scorching(Leading, kind="sr4.scorching"):
    """A hit on a being with an Energy Aura of this element and DV burns the attacker (section 30.4)."""

    then: Receiver
    element: str
    dv: int

    def brings(self, net: int) -> list[Effect]:
        known = (("set_scorched_dv", self.dv), ("set_scorched_by", self.element), ("towards", "target"))
        return [Effect("add-condition", "attacker", SCORCHED, None, known)] if net > 0 else []


class StrikingBack(Leading, kind="sr4.striking-back"):
    """Net hits of an adept's defense, up to the level of Counterstrike, are dice on the next attack at the attacker."""

    then: Receiver
    level: int

    def brings(self, net: int) -> list[Effect]:
        dice = (("set_counterstrike_dice", min(self.level, -net)), ("towards", "attacker"))
        return [Effect("add-condition", "target", STRIKES_BACK, None, dice)] if net < 0 else []


def answered(then: Receiver, facts: Mapping[str, Any], options: Mapping[str, Any]) -> Receiver:
    """What takes a blow at a being with an Energy Aura, which spares a weapon of the Reach that the house rule
    ``aura_reach`` names, or at an adept who strikes back."""
    aura, dv = facts.get("target.aura"), facts.get("target.magic", facts.get("target.force", 0))
    if aura and dv and facts.get("weapon.reach", 0) < (options["aura_reach"] or 99):
        then = Scorching(then, aura, dv)
    level = 0 if facts.get("target.unaware") else facts.get("target.counterstrike", 0)
    return StrikingBack(then, level) if level else then


BACKLASH = "backlash"
"""The branch of what a weapon does to its own wielder, and its result."""


class Backfiring(Passing, kind="sr4.backfiring"):
    """Takes the attack test with a weapon that strikes its wielder on a glitch, whatever it does to the target.

    Attributes:
        then: takes the result for the target.
        plan: how the wielder resists; who resists is called the target in it.
        rules: of the wielder's resistance test.
    """

    then: Receiver
    plan: Shared[Plan]
    rules: RollRules

    def on_reported_result(self, net: int, scoreless: bool, glitch: int, edge_spent: Spent) -> Stage:
        stage = self.on_result(net, scoreless, edge_spent)
        if not glitch:
            return stage
        return Fork((("", stage), (BACKLASH, self._strike_back(bool(edge_spent[0])))))

    def _strike_back(self, edge_spent: bool) -> Stage:
        """The wielder resists; a point of Edge spent on the attack was that of the whole action."""
        plan = self.plan.value
        side = plan.resist.without_edge() if edge_spent else plan.resist
        track = "stun" if plan.track == "physical" and plan.value <= plan.armor else plan.track
        hit = Hit(BACKLASH, plan.value, track, self.plan, 0, (0, 0), self.rules)
        return with_roles(dice_test.start(side, None, hit, self.rules), (("target", "attacker"),))


class Intercepting(Passing, kind="sr4.intercepting"):
    """Takes the attack test of an interception: a hit ends the movement of the target."""

    then: Receiver

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return Intercepted().put(self.then.on_result(net, scoreless, edge_spent))

    def on_reported_result(self, net: int, scoreless: bool, glitch: int, edge_spent: Spent) -> Stage:
        return Intercepted().put(self.then.on_reported_result(net, scoreless, glitch, edge_spent))

    def on_skip(self) -> Stage | None:
        skipped = self.then.on_skip()
        return skipped and Intercepted().put(skipped)


class Intercepted(Wrapper, kind="sr4.intercepted"):
    """The outcome of an interception says whether the movement ends; what it does to its wielder is none."""

    def concerned(self, fork: Fork) -> Sequence[bool]:
        return [not name for name, _ in fork.branches]

    def notes(self, outcome: Stage) -> Facts:
        facts = outcome.notes()
        return {**facts, "movement_ends": facts.get("result") == "hit"}

    def effects(self, outcome: Stage) -> tuple[Effect, ...]:
        stops = Effect("remove-condition", "target", "running")
        ends = outcome.notes().get("result") == "hit"
        return (*outcome.effects(), stops) if ends else outcome.effects()

"""The stages of an attack: the attack roll, what may be declared after it, damage, the Trauma Die.

Rulebook sections 4.1, 5.1 (the order of everything), 5.3 to 5.5, 17 (R1, R2, R3, R15, R19).

Words in `spent`: the decisions that were used (``total-defense``, ``gunlink-reroll``, ``attacker-luck``,
``target-luck``) and what the attack used up (``charge``, ``shock-burst``, ``shock-shield``, ``skillplug``).
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from fracas.dice.requests import Total
from fracas.kernel.stage import Awaited, Decision, Effect, Facts, Option, Roll, Stage, stage_class
from fracas.rulesets.cwn.outcome import Body, Outcome, Rounds

TOTAL_DEFENSE = "total-defense"
GUNLINK_REROLL = "gunlink-reroll"
VETERANS_LUCK = "veterans-luck"
LUCK_OF = {"attacker": "attacker-luck", "target": "target-luck"}

DiceParts = tuple[tuple[int, int], ...]


@stage_class
class Guard(NamedTuple):
    """What the target has against the attack.

    Attributes:
        ac: the Armor Class to meet.
        shock: points of Shock that a miss deals; 0 where it deals none.
        shield: only something that stops one Shock a round, and is then used up, keeps it at 0.
    """

    ac: int
    shock: int
    shield: bool
    kind: Literal["cwn.guard"] = "cwn.guard"


@stage_class
class Natural(NamedTuple):
    """What the face of the attack die means by itself (4.1, R19).

    Attributes:
        fails_to: a face up to this one fails beyond repair (skillplugs); 0 for none.
    """

    fails_to: int
    one_misses: bool
    twenty_hits: bool
    kind: Literal["cwn.natural"] = "cwn.natural"


@stage_class
class Blow(NamedTuple):
    """The damage of a hit, and of a miss with some weapons.

    Attributes:
        dice: (count, sides) of every part; `plus` is added to them.
        swarm: points that a swarm adds, up to the greatest damage of dice and `plus`.
        floor_first: Shock raises the damage before the Trauma Rating multiplies it (R2).
        miss_dice: (count, sides) rolled on a miss, beside any Shock; `miss_plus` is added.
        shock_burst: a Shock Burst is used up by doing harm.
    """

    dice: DiceParts
    plus: int
    swarm: int
    floor_first: bool
    miss_dice: DiceParts
    miss_plus: int
    shock_burst: bool
    kind: Literal["cwn.blow"] = "cwn.blow"

    def swarmed(self, rolled: int) -> int:
        """The damage with the swarm's bonus, which cannot lift it above the attack's maximum (3.1)."""
        greatest = sum(count * sides for count, sides in self.dice) + self.plus
        return max(rolled, min(rolled + self.swarm, greatest))


@stage_class
class TraumaDie(NamedTuple):
    """The Trauma Die, the Trauma Target it must meet, and the factor of a Traumatic Hit."""

    dice: DiceParts
    plus: int
    target: int
    rating: int
    kind: Literal["cwn.trauma-die"] = "cwn.trauma-die"


@stage_class
class After(NamedTuple):
    """What is settled before the first roll about everything after the attack roll.

    It is apart from the rest so that attacks which differ in the attack roll alone share what comes after it.
    """

    blow: Blow
    trauma: TraumaDie | None
    body: Body
    rounds: Rounds
    kind: Literal["cwn.after"] = "cwn.after"


@stage_class
class Plan(NamedTuple):
    """Everything that is settled before the first roll.

    Attributes:
        bonus: added to the d20.
        raised: the target's guard under Total Defense; None unless that may be declared after the roll.
        rerolls: Gunlink rerolls that may be asked for.
        luck: whether attacker and target may be asked for Veteran's Luck.
    """

    bonus: int
    raised: Guard | None
    rerolls: int
    luck: tuple[bool, bool]
    natural: Natural
    after: After
    kind: Literal["cwn.plan"] = "cwn.plan"

    @property
    def keeps_total(self) -> bool:
        """Whether the attack's total still matters after it is compared with the Armor Class."""
        return self.raised is not None or self.rerolls > 0 or any(self.luck) or self.natural.fails_to > 0

    def least(self, ac: int) -> int:
        """The lowest total that hits."""
        natural = self.natural
        face = ac - self.bonus
        if natural.twenty_hits:
            face = min(face, 20)
        return self.bonus + max(face, natural.fails_to + 1, 2 if natural.one_misses else 1)


@stage_class
class Attack(NamedTuple):
    """Waits for the attack roll. Its answer is whether it hits, or the total where that still matters."""

    plan: Plan
    guard: Guard
    spent: tuple[str, ...]
    kind: Literal["cwn.attack"] = "cwn.attack"

    @property
    def awaits(self) -> Awaited:
        plan = self.plan
        target = None if plan.keeps_total else plan.least(self.guard.ac)
        return Roll(("attack",), ("attacker",), Total(((1, 20),), plan.bonus, target))

    def advance(self, answer: Any) -> Stage:
        plan = self.plan
        if not plan.keeps_total:
            return _resolved(plan, self.guard, self.spent, answer)
        if answer - plan.bonus <= plan.natural.fails_to:
            return _resolved(plan, self.guard, (*self.spent, "skillplug"), False)
        hit = answer >= plan.least(self.guard.ac)
        return Reaction(plan, self.guard, self.spent, answer, hit, False, 0).settled()

    def notes(self) -> Facts:
        return {"target_ac": self.guard.ac}

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class Reaction(NamedTuple):
    """The roll is seen; whoever it displeases may do something about it (R15).

    Attributes:
        total: of the attack roll.
        hit: how the attack stands now.
        by_luck: it stands so by somebody's luck, whatever the roll.
        at: how many of the questions that arise from this state are answered with no.
    """

    plan: Plan
    guard: Guard
    spent: tuple[str, ...]
    total: int
    hit: bool
    by_luck: bool
    at: int
    kind: Literal["cwn.reaction"] = "cwn.reaction"

    def questions(self) -> list[tuple[str, str]]:
        """(decision, who decides) of everything that may be declared in this state."""
        plan = self.plan
        questions = []
        if self.hit:
            if plan.raised is not None and not self.by_luck and TOTAL_DEFENSE not in self.spent:
                questions.append((TOTAL_DEFENSE, "target"))
        elif not self.by_luck and self.spent.count(GUNLINK_REROLL) < plan.rerolls:
            questions.append((GUNLINK_REROLL, "attacker"))
        who = "target" if self.hit else "attacker"
        if plan.luck[1 if self.hit else 0] and LUCK_OF[who] not in self.spent:
            questions.append((VETERANS_LUCK, who))
        return questions

    def settled(self) -> Stage:
        """This stage if it has a question left, or what follows."""
        if self.at < len(self.questions()):
            return self
        return _resolved(self.plan, self.guard, self.spent, self.hit)

    @property
    def awaits(self) -> Awaited:
        decision, who = self.questions()[self.at]
        options = OPTIONS[decision]
        about: tuple[tuple[str, int], ...] = (("attack_total", self.total), ("target_ac", self.guard.ac))
        if decision == TOTAL_DEFENSE and self.plan.raised is not None:
            about += (("target_ac_defended", self.plan.raised.ac),)
            options = (options[0], options[1]._replace(notes=(("target_ac", self.plan.raised.ac),)))
        return Decision(decision, who, options, options[0].id, about)

    def advance(self, answer: Any) -> Stage:
        decision, who = self.questions()[self.at]
        plan = self.plan
        if answer == OPTIONS[decision][0].id:
            return self._replace(at=self.at + 1).settled()
        if decision == TOTAL_DEFENSE:
            assert plan.raised is not None
            spent = (*self.spent, TOTAL_DEFENSE)
            hit = self.total >= plan.least(plan.raised.ac)
            return Reaction(plan, plan.raised, spent, self.total, hit, False, 0).settled()
        if decision == GUNLINK_REROLL:
            return Attack(plan, self.guard, (*self.spent, GUNLINK_REROLL))
        spent = (*self.spent, LUCK_OF[who])
        return Reaction(plan, self.guard, spent, self.total, not self.hit, True, 0).settled()

    def notes(self) -> Facts:
        return {"target_ac": self.guard.ac, "hit": self.hit}

    def effects(self) -> tuple[Effect, ...]:
        return ()


OPTIONS = {
    TOTAL_DEFENSE: (
        Option("decline", "Take the hit"),
        Option("defend", "Total Defense", (("main-action", 1),)),
    ),
    GUNLINK_REROLL: (
        Option("keep", "Let the miss stand"),
        Option("reroll", "Roll the attack again", ((GUNLINK_REROLL, 1),)),
    ),
    VETERANS_LUCK: (
        Option("decline", "Let it stand"),
        Option("use", "Turn the attack around", ((VETERANS_LUCK, 1),)),
    ),
}
"""The options of each decision; the first is the default and changes nothing."""


@stage_class
class Damage(NamedTuple):
    """Waits for the damage of a hit.

    Attributes:
        shock: the least damage; 0 where a miss would have dealt no Shock.
    """

    after: After
    shock: int
    spent: tuple[str, ...]
    kind: Literal["cwn.damage"] = "cwn.damage"

    @property
    def awaits(self) -> Awaited:
        return Roll(("damage",), ("attacker",), Total(self.after.blow.dice, self.after.blow.plus))

    def advance(self, answer: Any) -> Stage:
        rolled = max(0, answer)
        if self.after.trauma is not None:
            return Trauma(self.after, self.shock, self.spent, rolled)
        return _struck(self.after, self.shock, self.spent, rolled, False)

    def notes(self) -> Facts:
        return {"hit": True}

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class Trauma(NamedTuple):
    """Waits for the Trauma Die; `rolled` is the damage of dice and bonuses, the rest as in `Damage`."""

    after: After
    shock: int
    spent: tuple[str, ...]
    rolled: int
    kind: Literal["cwn.trauma"] = "cwn.trauma"

    @property
    def awaits(self) -> Awaited:
        die = self.after.trauma
        assert die is not None
        return Roll(("trauma",), ("attacker",), Total(die.dice, die.plus, die.target))

    def advance(self, answer: Any) -> Stage:
        return _struck(self.after, self.shock, self.spent, self.rolled, answer)

    def notes(self) -> Facts:
        return {"damage_rolled": self.rolled}

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class Graze(NamedTuple):
    """Waits for the damage that some weapons do on a miss (5.8), beside `shock` points of Shock."""

    after: After
    shock: int
    spent: tuple[str, ...]
    kind: Literal["cwn.graze"] = "cwn.graze"

    @property
    def awaits(self) -> Awaited:
        return Roll(
            ("miss_damage",), ("attacker",), Total(self.after.blow.miss_dice, self.after.blow.miss_plus)
        )

    def advance(self, answer: Any) -> Stage:
        return _missed(self.after, self.shock, self.spent, max(0, answer))

    def notes(self) -> Facts:
        return {"hit": False}

    def effects(self) -> tuple[Effect, ...]:
        return ()


def _resolved(plan: Plan, guard: Guard, spent: tuple[str, ...], hit: bool) -> Stage:
    """What follows when it is settled whether the attack hits."""
    after = plan.after
    if after.blow.shock_burst and (hit or guard.shock):
        spent = (*spent, "shock-burst")
    if hit:
        return Damage(after, guard.shock, spent)
    if guard.shield:
        spent = (*spent, "shock-shield")
    if after.blow.miss_dice:
        return Graze(after, guard.shock, spent)
    return _missed(after, guard.shock, spent, None)


def _missed(after: After, shock: int, spent: tuple[str, ...], rolled: int | None) -> Outcome:
    """A miss: Shock, and damage that is rolled on a miss (5.4)."""
    harm = rolled or 0
    soakable = harm + (shock if after.body.soaks_shock else 0)
    return Outcome.of(
        after.rounds,
        spent,
        after.body,
        rolled=rolled,
        shock=shock,
        damage=harm + shock,
        soakable=soakable,
    )


def _struck(after: After, shock: int, spent: tuple[str, ...], rolled: int, traumatic: bool) -> Outcome:
    """A hit: swarm bonus, Shock floor, Trauma Rating, in this order (5.1)."""
    blow = after.blow
    damage = blow.swarmed(rolled)
    swarmed = damage if blow.swarm else None
    factor = after.trauma.rating if traumatic and after.trauma else 1
    if blow.floor_first:
        floored = shock > damage
        damage = max(damage, shock) * factor
    else:
        floored = shock > damage * factor
        damage = max(damage * factor, shock)
    return Outcome.of(
        after.rounds,
        spent,
        after.body,
        hit=True,
        rolled=rolled,
        swarmed=swarmed,
        floored=floored,
        traumatic=traumatic,
        damage=damage,
        soakable=damage,
    )

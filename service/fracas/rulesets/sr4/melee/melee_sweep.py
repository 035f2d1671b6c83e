"""One Complex Action against several targets in reach: rulebook sections 2, 5.3, 8.9 and 9.1.

    test of the first -> fork: what it does to the first | test of the second -> fork: ...

The attack pool is split over them before modifiers, a die or more for each; every target is an attack of its own. Only
the attacker's Edge carries on: a point of it is spent once in an action.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.errors import InputError
from fracas.kernel.composing import Within, with_roles
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.procedures import Attempt, Procedure
from fracas.kernel.required import has_record, in_place_of, lacks, reported_as
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.stage import Awaited, Facts, Fork, Roll, Shared, Stage, share
from fracas.rulesets.sr4.melee import melee_attack
from fracas.rulesets.sr4.melee.melee_facts import ON_HELD, derive
from fracas.rulesets.sr4.melee.melee_vocabulary import MELEE_SWEEP, OF_EACH_TARGET, SWEPT
from fracas.rulesets.sr4.ranged.ranged_attack import shown
from fracas.rulesets.sr4.rolls.sides import Passing, Receiver, Spent, paid_otherwise, settled_payments
from fracas.rulesets.sr4.vocabulary import named


class Sweep(Part, kind="sr4.melee-sweep"):
    """All attacks of a sweep; not a stage itself.

    Attributes:
        targets: the records of those who are attacked, in order.
        fresh: the beginning of each attack, with Edge.
        spent: the same without, for an attacker who has spent a point of Edge on an attack before.
        then: what takes the result of each.
    """

    targets: tuple[str, ...]
    fresh: tuple[Any, ...]
    spent: tuple[Any, ...]
    then: tuple[Any, ...]


def begin(sweep: Shared[Sweep], at: int = 0, edge_spent: bool = False) -> Stage:
    """An attack of a sweep from its beginning; `edge_spent`: the attacker has spent Edge on one before."""
    attacks = sweep.value.spent if edge_spent else sweep.value.fresh
    return _stroke(sweep, at, edge_spent, attacks[at])


def _stroke(sweep: Shared[Sweep], at: int, edge_spent: bool, stage: Stage) -> Stage:
    decided, payments = settled_payments(stage)
    if not isinstance(decided, Decided):
        return Stroke(sweep, at, edge_spent, stage)
    found = sweep.value
    who = found.targets[at]
    outcome = decided.given(found.then[at])
    for whose, instead in payments:
        outcome = paid_otherwise(outcome, whose, instead)
    branch = who, with_roles(outcome, (("target", who),))
    if at + 1 == len(found.targets):
        return Fork((branch,))
    return Fork((branch, ("", begin(sweep, at + 1, edge_spent or bool(decided.edge_spent[0])))))


class Stroke(Within, kind="sr4.melee-stroke"):
    """One attack of a sweep until its test is decided; rolls and facts are named after its target. `edge_spent`: the
    attacker has spent Edge on an attack before this one. `stage`: of an attack on a ``target``."""

    sweep: Shared[Sweep]
    at: int
    edge_spent: bool
    stage: Stage

    @property
    def who(self) -> str:
        return self.sweep.value.targets[self.at]

    @property
    def awaits(self) -> Awaited:
        branch = Fork(((self.who, with_roles(self.stage, (("target", self.who),))),))
        awaited = branch.awaits
        if awaited is None or isinstance(awaited, Roll):
            return awaited
        about = ((name, f"{self.who}.{fact}" if name == "roll" else fact) for name, fact in awaited.context)
        return awaited._replace(context=tuple(about))

    def advance(self, answer: Any) -> Stage:
        return _stroke(self.sweep, self.at, self.edge_spent, self.stage.advance(answer))

    def notes(self) -> Facts:
        return {f"{self.who}.{name}": fact for name, fact in self.stage.notes().items()}


class Deciding(Passing, kind="sr4.melee-deciding"):
    """Takes the result of an attack's test and keeps it; `then` is what takes it in the end."""

    then: Receiver

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return Decided(net, scoreless, -1, edge_spent)

    def on_reported_result(self, net: int, scoreless: bool, glitch: int, edge_spent: Spent) -> Stage:
        return Decided(net, scoreless, glitch, edge_spent)

    def on_skip(self) -> Stage:
        return Decided(0, False, -1, (0, 0), True)


class Decided(Outcome, kind="sr4.melee-decided"):
    """The result of an attack's test, as a `Receiver` takes it; nobody ever waits for anything here. `glitch`: -1 for
    one that is not known. `skipped`: there was no attack, for want of dice."""

    net: int
    scoreless: bool
    glitch: int
    edge_spent: Spent
    skipped: bool = False

    def given(self, then: Receiver) -> Stage:
        """What follows from it."""
        skipped = then.on_skip() if self.skipped else None
        if skipped is not None:
            return skipped
        if self.glitch < 0:
            return then.on_result(self.net, self.scoreless, self.edge_spent)
        return then.on_reported_result(self.net, self.scoreless, self.glitch, self.edge_spent)


_DICE = "attacker.split_dice"


class MeleeSweep(Procedure):
    """The pool is split over several targets in reach; each is an attack with a roll of its own."""

    label = "Melee attack on several"
    vocabulary = MELEE_SWEEP
    decisions = melee_attack.MeleeAttack.decisions
    targets = melee_attack.TARGETS | {
        f"{who}.{to}": f"{named(who)}: {its}" for who in SWEPT[1:] for to, its in melee_attack.TARGETS.items()
    }
    owners = {
        **melee_attack.MeleeAttack.owners,
        **{f"{who}.{to}": "attacker" for who in SWEPT[1:] for to in melee_attack.OF_ATTACKERS},
    }
    measures = melee_attack.MeleeAttack.measures

    def numbers(self, it: Attempt) -> None:
        stated = it.request.input.facts
        people = [who for who in SWEPT if has_record(stated, who)]
        if "target" not in people:
            raise lacks("target", "a target to attack")
        if stated.get("aim") in ON_HELD:
            message = "nobody holds several people at once"
            raise InputError.one("situation.aim", "out-of-range", message)
        dice = _split(it.request, people)
        attempts = {}
        for who in people:
            with reported_as({"target": who}):
                facts = derive(it.request, _given_of(stated, who) | dice[who])
            attempts[who] = it.of("" if who == "target" else who, facts)
        it.plan = attempts, {who: _blow(one) for who, one in attempts.items()}
        for who, one in attempts.items():
            it.shown |= {f"{who}.{name}": fact for name, fact in shown(one.facts).items()}
        it.shown |= {f"{who}.split_dice": part for who in people for part in dice[who].values()}
        it.facts = dict(attempts["target"].facts)

    def leads_on(self, it: Attempt, to: str) -> bool:
        """See `MeleeAttack.leads_on`."""
        blow: melee_attack.Blow = it.plan[1][_of_whom(to)]
        return blow.others is not None

    def first(self, it: Attempt) -> Stage:
        attempts, blows = it.plan
        if it.instead is not None:
            who = _of_whom(it.instead.to)
            one = attempts[who]
            blows = {**blows, who: _blow(it.of(one.record, one.facts))}
        fresh = [blow.changed(lambda one: one._replace(then=Deciding(one.then))) for blow in blows.values()]
        poorer = [blow.changed(lambda one: one._replace(attack=one.attack.without_edge())) for blow in fresh]
        then = tuple(blow.own.then for blow in blows.values())
        begun, spent = (tuple(blow.begin() for blow in some) for some in (fresh, poorer))
        return begin(share(Sweep(tuple(blows), begun, spent, then)))


def _of_whom(to: str) -> str:
    """The target that a number is against."""
    return next((who for who in SWEPT[1:] if to.startswith(f"{who}.")), "target")


def _blow(one: Attempt) -> melee_attack.Blow:
    with reported_as({"target": one.record or "target"}):
        return melee_attack.blow_of(one)


def _given_of(facts: Mapping[str, Any], who: str) -> dict[str, Any]:
    """What is given of the attack on one target, as of a ``target``, with what the attacker has against that one."""
    stated = in_place_of(facts, who, without=SWEPT[1:])
    for field in OF_EACH_TARGET:
        if (path := f"target.{field}") in stated:
            stated[f"attacker.{field}"] = stated.pop(path)
    return stated


def _split(request: AttemptRequest, people: Sequence[str]) -> dict[str, dict[str, int]]:
    """The dice of each target, as the fact of the attack on it: as given, the rest evenly; none where there is one
    target only. `InputError`: the parts are not those of the pool, or a combatant would get no die."""
    facts = request.input.facts
    if len(people) < 2:
        return {who: {} for who in people}
    base = melee_attack.whole_pool(derive(request, _given_of(facts, "target") | {_DICE: 1}))
    whole = sum(entry.value or 0 for entry in base)
    dice = {who: facts[f"{who}.split_dice"] for who in people if f"{who}.split_dice" in facts}
    rest = [who for who in people if who not in dice]
    left = whole - sum(dice.values())
    if whole < len(people):
        message = f"a pool of {whole} cannot be split over {len(people)} targets"
        raise InputError.one(f"situation.{people[-1]}", "out-of-range", message)
    if left < len(rest) or (left and not rest):
        message = f"the parts are {sum(dice.values())} dice of the {whole}"
        message += f", and {len(rest)} more targets get a die each" if rest else ""
        raise InputError.one(f"situation.{next(iter(dice))}.split_dice", "out-of-range", message)
    dice |= {who: left // len(rest) + (at < left % len(rest)) for at, who in enumerate(rest)}
    return {who: {_DICE: part} for who, part in dice.items()}

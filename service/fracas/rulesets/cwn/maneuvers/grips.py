"""Shoves and grapples: pushing a combatant back or to the ground, getting hold, dragging, throwing, and getting free.

Rulebook section 8.1, grabbed drones among it. What a grapple does as each round ends is an attack with
``attack.hold``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from fracas.dice.totals import Total
from fracas.kernel.fields import choice, fields, flag, person, vocabulary
from fracas.kernel.forms import Outcome, Part, Waiting, rolls
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.required import has_record
from fracas.kernel.ruleset import DecisionInfo
from fracas.kernel.stage import Awaited, Decision, Effect, Fact, Facts, Option, Roll, Stage
from fracas.kernel.vocabulary import Field
from fracas.rulesets.cwn.attacks.attack import DECISIONS, may_defend, plan_of, shown_of, spent_at_once
from fracas.rulesets.cwn.attacks.attack_vocabulary import ATTACK, SCREENERS, numbered
from fracas.rulesets.cwn.attacks.blows import NO_ROUNDS, costs_of, reactions_of, squeezes
from fracas.rulesets.cwn.attacks.facts import derive_attacker, require_ac
from fracas.rulesets.cwn.attacks.numbers import TARGETS as OF_ATTACKS
from fracas.rulesets.cwn.attacks.numbers import named, numbers_of
from fracas.rulesets.cwn.attacks.rolling import Attack
from fracas.rulesets.cwn.checks.skill_check import CHECK_DICE, check_fields, number_of_check, wins_ties
from fracas.rulesets.cwn.vocabulary import implants

SIZES = ("alike", "larger", "barely-feasible")
HOLDERS = ("target", "holder_2", "holder_3", "holder_4")
"""The records of those who hold a combatant: the first is the one at which the action is aimed."""


_OF_BLOWS = ("attack.burst", "attack.swarm_others", "attack.dual_wield", "attack.both_in_range")
"""What makes sense of ordinary attacks alone; modifiers that read it do not apply."""


def words_of_attacks(*settled: str) -> Iterator[Field]:
    """The words of an attack, without those who screen; `settled` by the rule, and nothing to say."""
    for path, field in ATTACK.fields.items():
        if not path.startswith((*SCREENERS, "weapon_2.")) and path not in ("attack.hold", "attack.swarm"):
            fixed = path in settled or path in _OF_BLOWS
            yield field._replace(derived_from="weapon.type") if fixed else field


def _bout() -> Iterator[Field]:
    """The words of an attack in melee that ends in a contest."""
    yield from words_of_attacks("attack.kind", "attack.lethal", "attack.shock_burst", "attack.rested")
    yield from check_fields("target")
    yield from fields("attacker", augmentations=implants(SHARKSKIN))
    yield from _SIZE


_SIZES = "larger: clearly, of human shape; barely-feasible: so is a quadruped. Left out: alike."
_SIZE = fields("target", size=choice("Size for a shove or grapple", _SIZES, choices=SIZES))
SHARKSKIN = "sharkskin-electrodes"
RECORDS = tuple(record for path, record in ATTACK.records.items() if path not in (*SCREENERS, "weapon_2"))


class Ending(Protocol):
    """What follows a contest."""

    def settled(self, won: bool) -> Stage: ...


class Contest(Waiting, kind="cwn.contest"):
    """Waits for the check of the one who wants something.

    Attributes:
        who, bonus: the record, and what is added to the 2d6.
        others: (record, bonus, what they must roll beyond the first one's total to win: 0 where they win ties, or 1) of
            all who oppose; the first one must beat every one of them.
        end: gives what follows.
    """

    who: str
    bonus: int
    others: tuple[tuple[str, int, int], ...]
    end: Ending
    awaits = rolls("contest", lambda self: self.who, lambda self: Total(CHECK_DICE, self.bonus))

    def begun(self) -> Stage:
        """This stage, or what follows where nobody opposes."""
        return self if self.others else self.end.settled(True)

    def advance(self, answer: Any) -> Stage:
        return Opposed(answer, self.others, self.end)


class Opposed(Waiting, kind="cwn.opposed"):
    """Waits for the check of one who opposes a total of `total`; the rest as in `Contest`."""

    total: int
    others: tuple[tuple[str, int, int], ...]
    end: Ending

    @property
    def awaits(self) -> Awaited:
        who, bonus, beyond = self.others[0]
        return Roll((f"{who}.contest",), (who,), Total(CHECK_DICE, bonus, self.total + beyond))

    def advance(self, answer: Any) -> Stage:
        if not answer and len(self.others) > 1:
            return self._replace(others=self.others[1:])
        return self.end.settled(not answer)


class BoutEnd(Part):
    """What follows the contest after an attack; `spent` on the attack."""

    spent: tuple[str, ...]

    def missed(self, spent: tuple[str, ...]) -> Stage:
        """What follows an attack that misses."""
        raise NotImplementedError

    def settled(self, won: bool) -> Stage:
        raise NotImplementedError


class Grip(Part, kind="cwn.grip"):
    """What follows an attack that does no damage on the record `victim`: on a hit `then` begins, on a miss it is over.
    `name`: the word for what was tried."""

    victim: str
    name: str
    then: Contest

    def followed(self, guard: Any, spent: tuple[str, ...], hit: bool) -> Stage:
        """What follows when it is settled whether the attack hits."""
        end: Any = self.then.end
        return self.then._replace(end=end._replace(spent=spent)).begun() if hit else end.missed(spent)


STRENGTH = ("strength",)
FIRST, SECOND = "contest.first", "contest.second"
CONTESTS: Mapping[str, str] = {FIRST: "Check of who tries it", SECOND: "Check of who resists"}
OWNERS: Mapping[str, str] = {SECOND: "target"}


class Bout(Procedure):
    """An attack in melee without damage, then Strength and the best of `skills` against the same."""

    targets = {**{to: OF_ATTACKS[to] for to in ("attack.bonus", "target.ac")}, **CONTESTS}
    owners = OWNERS
    inner = ("target.ac",)
    skills: Sequence[str] = ()

    def resists(self, facts: Mapping[str, Any]) -> bool:
        """Whether the target does."""
        return True

    def end(self, it: Attempt) -> BoutEnd:
        """What follows the contest."""
        raise NotImplementedError

    def numbers(self, it: Attempt) -> None:
        it.facts |= {"attack.kind": "melee", "attack.rested": True}  # what a shot needs matters to no grip
        request = it.request.with_facts(it.facts)
        facts = it.facts = derive_attacker(request, it.faults)
        require_ac(facts, it.faults)
        it.shown |= shown_of(facts)
        if it.faults.problems:
            return
        it.plan = numbers_of(it, raise_defense=may_defend(request, facts), harms=False)
        number_of_check(it, FIRST, "attacker", self.skills, STRENGTH)
        if self.resists(facts):
            number_of_check(it, SECOND, "target", self.skills, STRENGTH)

    def first(self, it: Attempt) -> Stage:
        beyond = int(wins_ties(it.facts, "attacker", "target"))
        others = (("target", it.total(SECOND), beyond),) if SECOND in it.made else ()
        grip = Grip("target", self.id, Contest("attacker", it.total(FIRST), others, self.end(it)))
        plan = plan_of(it.request, it.facts, it.total("attack.bonus"), grip, it.plan.raised)
        return Attack(plan, it.plan.now, spent_at_once(it.facts))


SHOVE_RESULT = "shove-result"
PUSHED, PRONE = "push", "prone"
METRES = 3
_PUNCH = ("punch",)
_OF_SHOVE = (Option(PUSHED, "Push back up to 3 metres"), Option(PRONE, "Knock to the ground"))


class Shove(Bout):
    """An attack without damage and opposed checks of Strength; the target is pushed back or knocked prone."""

    vocabulary = vocabulary(*RECORDS, _bout())
    decisions = (*DECISIONS, DecisionInfo(SHOVE_RESULT, "Push back or knock prone", (PUSHED, PRONE), PUSHED))
    skills = ("exert", "punch")
    measures = (
        chance("hit", "Chance to hit"),
        chance("result", "Chance to shove", "success", among=("shoved",)),
    )

    def end(self, it: Attempt) -> ShoveEnd:
        return ShoveEnd((), SHOVE_RESULT in it.request.open)


class ShoveEnd(BoutEnd, kind="cwn.shove-end"):
    """What follows the contest of a shove; `asks`: the attacker chooses what comes of it."""

    asks: bool

    def missed(self, spent: tuple[str, ...]) -> Stage:
        return Shoved("miss", "", spent)

    def settled(self, won: bool) -> Stage:
        if not won:
            return Shoved("resisted", "", self.spent)
        return ShoveChoice(self.spent) if self.asks else Shoved("shoved", PUSHED, self.spent)


class ShoveChoice(Waiting, kind="cwn.shove-choice"):
    """Waits for what the shove does."""

    spent: tuple[str, ...]
    awaits = Decision(SHOVE_RESULT, "attacker", _OF_SHOVE, PUSHED)

    def advance(self, answer: Any) -> Stage:
        return Shoved("shoved", str(answer), self.spent)


def _tried(result: str, spent: tuple[str, ...]) -> dict[str, Fact]:
    return {"result": result, "hit": result != "miss", **reactions_of(spent)}


class Shoved(Outcome, kind="cwn.shoved"):
    """How a shove ended: ``miss``, ``resisted`` or ``shoved``; `how` it did, and what was spent on it."""

    result: str
    how: str
    spent: tuple[str, ...]

    def notes(self) -> Facts:
        how: dict[str, Fact] = {"shoved": self.how} if self.how else {}
        metres: dict[str, Fact] = {"pushed_m": METRES} if self.how == PUSHED else {}
        return {**_tried(self.result, self.spent), **how, **metres}

    def changes(self) -> Iterator[Effect]:
        yield from costs_of(NO_ROUNDS, self.spent, "target")
        if self.how == PRONE:
            yield Effect("add-condition", "target", "prone")


GRAPPLING, GRAPPLED = "grappling", "grappled"
_FREE, _HOLDS = flag("Both hands free"), flag("Holds a foe already")


class Grapple(Bout):
    """An unarmed attack without damage and opposed checks of Strength; a small drone does not resist."""

    vocabulary = vocabulary(*RECORDS, _bout(), fields("attacker", hands_free=_FREE, grappling=_HOLDS))
    decisions = DECISIONS
    skills = _PUNCH
    measures = (
        chance("hit", "Chance to hit"),
        chance("result", "Chance to get hold", "success", among=(GRAPPLED,)),
    )

    def resists(self, facts: Mapping[str, Any]) -> bool:
        return not facts.get("target.machine")

    def end(self, it: Attempt) -> GrappleEnd:
        skins = {who: it.facts.get(f"{who}.augmentations", ()) for who in ("attacker", "target")}
        shocking = (who for who, implants in skins.items() if SHARKSKIN in {one.slug for one in implants})
        return GrappleEnd((), tuple(shocking))


class GrappleEnd(BoutEnd, kind="cwn.grapple-end"):
    """What follows the contest of a grapple. `shocking`: those whose skin shocks the one in a grapple with them."""

    shocking: tuple[str, ...]

    def missed(self, spent: tuple[str, ...]) -> Stage:
        return Grappled("miss", (), spent)

    def settled(self, won: bool) -> Stage:
        return Grappled(GRAPPLED if won else "resisted", self.shocking if won else (), self.spent)


class Grappled(Outcome, kind="cwn.grappled"):
    """How it ended: ``miss``, ``resisted`` or ``grappled``; the rest as in `GrappleEnd`."""

    result: str
    shocking: tuple[str, ...]
    spent: tuple[str, ...]

    def notes(self) -> Facts:
        return _tried(self.result, self.spent)

    def changes(self) -> Iterator[Effect]:
        yield from costs_of(NO_ROUNDS, self.spent, "target")
        if self.result != GRAPPLED:
            return
        yield Effect("add-condition", "attacker", GRAPPLING, None, (("towards", "target"),))
        yield Effect("add-condition", "target", GRAPPLED, None, (("towards", "attacker"),))
        yield squeezes("grapple", 0)
        for who in self.shocking:
            yield squeezes("skin-of-grappler" if who == "attacker" else "skin-of-grappled", 0, who)


DRAG_RESULT = "drag-result"
DRAGGED, THROWN, FREED = "drag", "throw", "freed"
_METRES = {DRAGGED: 3, THROWN: 2}
_CHECKS = (check_fields("attacker"), check_fields("target"))
_OF_DRAG = (Option(DRAGGED, "Drag up to 3 metres"), Option(THROWN, "Throw 2 metres, to the ground"))


class EscapeGrapple(Procedure):
    """Opposed checks of Strength; the victim's has to beat that of every grappler."""

    label = "Break out of a grapple"
    vocabulary = vocabulary(
        person("escaper", "Who is held"),
        person("target", "Grappler"),
        *numbered(HOLDERS[1:], "Grappler", "Another who holds the same person.", first=2),
        (field for who in ("escaper", *HOLDERS) for field in check_fields(who)),
    )
    targets = {
        "escape.check": "Check to get free",
        **{f"escape.{who}": f"{named(who)}: check to hold on" for who in HOLDERS},
    }
    owners = {f"escape.{who}": who for who in HOLDERS}
    measures = (chance("escaped", "Chance to get free", "success"),)

    def numbers(self, it: Attempt) -> None:
        it.plan = [who for who in HOLDERS if who == HOLDERS[0] or has_record(it.facts, who)]
        number_of_check(it, "escape.check", "escaper", _PUNCH, STRENGTH)
        for who in it.plan:
            number_of_check(it, f"escape.{who}", who, _PUNCH, STRENGTH)

    def first(self, it: Attempt) -> Stage:
        ties = {who: int(wins_ties(it.facts, "escaper", who)) for who in it.plan}
        others = tuple((who, it.total(f"escape.{who}"), tie) for who, tie in ties.items())
        return Contest("escaper", it.total("escape.check"), others, EscapeEnd(tuple(it.plan)))


class EscapeEnd(Part, kind="cwn.escape-end"):
    """What follows the contest; `holders`: all who hold on."""

    holders: tuple[str, ...]

    def settled(self, won: bool) -> Stage:
        return Escaped(won, self.holders)


class Escaped(Outcome, kind="cwn.escaped"):
    """Whether a combatant got free of everybody who held on."""

    escaped: bool
    holders: tuple[str, ...]
    reports = ("escaped",)

    def changes(self) -> Iterator[Effect]:
        for who in self.holders if self.escaped else ():
            yield from freed("escaper", who)


def freed(held: str, holder: str) -> list[Effect]:
    """A combatant is no longer held by another."""
    grapple = ((held, GRAPPLED, holder), (holder, GRAPPLING, held))
    return [Effect("remove-condition", who, what, None, (("towards", to),)) for who, what, to in grapple]


class DragGrappled(Procedure):
    """Opposed checks of Strength; the winner drags or throws the victim, who is free otherwise."""

    label = "Drag or throw a grappled foe"
    vocabulary = vocabulary(person("attacker", "Grappler"), person("target", "Held"), *_CHECKS, _SIZE)
    decisions = (DecisionInfo(DRAG_RESULT, "Drag or throw", (DRAGGED, THROWN), DRAGGED),)
    targets = CONTESTS
    owners = OWNERS
    measures = (
        chance("result", "Chance to move them", "success", but=(FREED,)),
        chance("result", "Chance that they get free", "freed", among=(FREED,)),
    )

    def numbers(self, it: Attempt) -> None:
        number_of_check(it, FIRST, "attacker", _PUNCH, STRENGTH)
        number_of_check(it, SECOND, "target", _PUNCH, STRENGTH)

    def first(self, it: Attempt) -> Stage:
        others = (("target", it.total(SECOND), 0),)
        return Contest("attacker", it.total(FIRST), others, DragEnd(DRAG_RESULT in it.request.open))


class DragEnd(Part, kind="cwn.drag-end"):
    """What follows the contest; `asks`: the grappler chooses what comes of it."""

    asks: bool

    def settled(self, won: bool) -> Stage:
        if won and self.asks:
            return DragChoice()
        return Dragged(DRAGGED if won else FREED)


class DragChoice(Waiting, kind="cwn.drag-choice"):
    """Waits for what the grappler does with the victim."""

    awaits = Decision(DRAG_RESULT, "attacker", _OF_DRAG, DRAGGED)

    def advance(self, answer: Any) -> Stage:
        return Dragged(str(answer))


class Dragged(Outcome, kind="cwn.dragged"):
    """How it ended: ``drag``, ``throw`` or ``freed``. The one who is thrown is out of the grapple."""

    result: str

    def notes(self) -> Facts:
        moved = {"moved_m": _METRES[self.result]} if self.result in _METRES else {}
        return {"result": self.result, **moved}

    def changes(self) -> Iterator[Effect]:
        if self.result == THROWN:
            yield Effect("add-condition", "target", "prone")
        if self.result != DRAGGED:
            yield from freed("target", "attacker")

"""Attacks that do no damage and end in a contest of strength: what shoves and grapples share.

Rulebook sections 1.2 (ties go to the player character) and 8.1. Two people throw 2d6 each, and what follows knows how
to go on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import choice, entries, fields, flag, person, vocabulary
from fracas.kernel.forms import Part, Waiting
from fracas.kernel.procedures import Attempt, Procedure
from fracas.kernel.stage import Awaited, Roll, Stage
from fracas.kernel.vocabulary import Field
from fracas.rulesets.cwn.attacks.attack import instants_of, may_defend, natural_of, shown_of, spent_at_once
from fracas.rulesets.cwn.attacks.attack_vocabulary import ATTACK, SCREENERS
from fracas.rulesets.cwn.attacks.facts import derive_attacker, require_ac
from fracas.rulesets.cwn.attacks.numbers import TARGETS as OF_ATTACKS
from fracas.rulesets.cwn.attacks.numbers import Reckoner
from fracas.rulesets.cwn.attacks.rolling import Attack, Plan
from fracas.rulesets.cwn.checks.skill_check import CHECK_DICE, check_fields, number_of_check
from fracas.rulesets.cwn.vocabulary import focus_levels

ALIKE, LARGER, BARELY = "alike", "larger", "barely-feasible"
SIZES = (ALIKE, LARGER, BARELY)
HOLDERS = ("target", "holder_2", "holder_3", "holder_4")
"""The records of those who hold somebody: the first is whom the action is aimed at."""


_OF_BLOWS = ("attack.burst", "attack.swarm_others", "attack.dual_wield", "attack.both_in_range")
"""What makes sense of ordinary attacks alone; modifiers that read it do not apply."""


def _of_attacks(*settled: str) -> Iterator[Field]:
    """The words of an attack, without those who screen; `settled` by the rule, and nothing to say."""
    for path, field in ATTACK.fields.items():
        if not path.startswith((*SCREENERS, "weapon_2.")) and path not in ("attack.hold", "attack.swarm"):
            fixed = path in settled or path in _OF_BLOWS
            yield field._replace(derived_from="weapon.type") if fixed else field


def _bout() -> Iterator[Field]:
    """The words of an attack in melee that ends in a contest."""
    yield from _of_attacks("attack.kind", "attack.lethal", "attack.shock_burst", "attack.rested")
    yield from check_fields("target")
    yield from _implants("attacker")
    yield from _size("target")


def _size(who: str) -> tuple[Field, ...]:
    doc = "larger: clearly, of human shape; barely-feasible: so is a quadruped. Left out: alike."
    return fields(who, size=choice("Size for a shove or grapple", doc, choices=SIZES))


def _implants(who: str) -> Iterator[Field]:
    yield from fields(
        who,
        augmentations=entries(
            "Implants", "An empty list for none.", entry_kind="augmentation", example=["sharkskin-electrodes"]
        ),
    )


_RECORDS = tuple(record for path, record in ATTACK.records.items() if path not in (*SCREENERS, "weapon_2"))

SHOVE = vocabulary(*_RECORDS, _bout())
GRAPPLE = vocabulary(
    *_RECORDS,
    _bout(),
    fields("attacker", hands_free=flag("Both hands free"), grappling=flag("Holds a foe already")),
)
DRAG = vocabulary(
    person("attacker", "Grappler"),
    person("target", "Held"),
    check_fields("attacker"),
    check_fields("target"),
    _size("target"),
)
ESCAPE = vocabulary(
    person("escaper", "Who is held"),
    person("target", "Grappler"),
    *(
        person(who, f"Grappler {number}", "Another who holds the same person.", optional=True)
        for number, who in enumerate(HOLDERS[1:], start=2)
    ),
    (field for who in ("escaper", *HOLDERS) for field in check_fields(who)),
)
EXECUTION = vocabulary(
    *_RECORDS,
    _of_attacks("attack.snap", "attack.steadied", "attack.charge", "attack.charge_distance"),
    fields("attack", prepared=flag("A minute of preparation", "Undisturbed: of aiming, or close by.")),
    focus_levels("target", "alert"),
    focus_levels("attacker", "snipers-eye"),
)


class Contest(Waiting, kind="cwn.contest"):
    """Waits for the check of the one who wants something.

    Attributes:
        who, bonus: the record, and what is added to the 2d6.
        others: (record, bonus, what they must roll beyond the first one's total to win: 0 where they win ties, or 1) of
            all who oppose; the first one must beat every one of them.
        end: ``settled(won)`` gives what follows.
    """

    who: str
    bonus: int
    others: tuple[tuple[str, int, int], ...]
    end: Any

    def begun(self) -> Stage:
        """This stage, or what follows where nobody opposes."""
        if self.others:
            return self
        stage: Stage = self.end.settled(True)
        return stage

    @property
    def awaits(self) -> Awaited:
        return Roll(("contest",), (self.who,), Total(CHECK_DICE, self.bonus))

    def advance(self, answer: Any) -> Stage:
        return Opposed(answer, self.others, self.end)


class Opposed(Waiting, kind="cwn.opposed"):
    """Waits for the check of one who opposes a total of `total`; the rest as in `Contest`."""

    total: int
    others: tuple[tuple[str, int, int], ...]
    end: Any

    @property
    def awaits(self) -> Awaited:
        who, bonus, beyond = self.others[0]
        return Roll((f"{who}.contest",), (who,), Total(CHECK_DICE, bonus, self.total + beyond))

    def advance(self, answer: Any) -> Stage:
        if not answer and len(self.others) > 1:
            return self._replace(others=self.others[1:])
        stage: Stage = self.end.settled(not answer)
        return stage


def beyond_of(player: bool, other_player: bool) -> int:
    """What somebody must roll beyond the other's total to hold out against it: ties go to the player character.

    Between two of a kind things stay as they are, and whoever opposes wins the tie.
    """
    return 1 if player and not other_player else 0


class Grip(Part, kind="cwn.grip"):
    """What follows an attack that does no damage: on a hit `then` begins, on a miss it is over.

    Attributes:
        victim: the record of whoever is attacked.
        name: the word for what was tried, in the outcome.
        then: the `Contest`.
    """

    victim: str
    name: str
    then: Any

    def followed(self, guard: Any, spent: tuple[str, ...], hit: bool) -> Stage:
        """What follows when it is settled whether the attack hits."""
        if not hit:
            return self.then.end.missed(spent)  # type: ignore[no-any-return]
        contest: Contest = self.then
        return contest._replace(end=contest.end.with_spent(spent)).begun()


STRENGTH = ("strength",)
FIRST, SECOND = "contest.first", "contest.second"
CONTESTS: Mapping[str, str] = {FIRST: "Check of who tries it", SECOND: "Check of who resists"}
TARGETS: Mapping[str, str] = {
    "attack.bonus": OF_ATTACKS["attack.bonus"],
    "target.ac": OF_ATTACKS["target.ac"],
    **CONTESTS,
}
OWNERS: Mapping[str, str] = {SECOND: "target"}


class Bout(Procedure):
    """An attack in melee without damage, then Strength and a skill against the same.

    Attributes:
        skills: those that serve in the contest, the best counts.
    """

    targets: Mapping[str, str] = TARGETS
    owners: Mapping[str, str] = OWNERS
    inner: Collection[str] = ("target.ac",)
    skills: Sequence[str] = ()

    def resists(self, facts: Mapping[str, Any]) -> bool:
        """Whether the target does."""
        return True

    def end(self, it: Attempt) -> Any:
        """What follows the contest, see `Contest`."""
        raise NotImplementedError

    def numbers(self, it: Attempt) -> None:
        it.facts |= {"attack.kind": "melee", "attack.rested": True}  # what a shot needs matters to no grip
        asked = it.asked.saying(it.facts)
        facts = it.facts = derive_attacker(asked, it.faults)
        require_ac(facts, it.faults)
        it.shown |= shown_of(facts)
        if it.faults.problems:
            return
        it.plan = Reckoner(asked, facts).numbers(raise_defense=may_defend(asked, facts), harms=False)
        for tally in it.plan.made.values():
            it.keep(tally)
        number_of_check(it, FIRST, "attacker", self.skills, STRENGTH)
        if self.resists(facts):
            number_of_check(it, SECOND, "target", self.skills, STRENGTH)

    def first(self, it: Attempt) -> Stage:
        facts = it.facts
        beyond = beyond_of(bool(facts.get("attacker.player")), bool(facts.get("target.player")))
        others = (("target", it.total(SECOND), beyond),) if SECOND in it.made else ()
        grip = Grip("target", self.id, Contest("attacker", it.total(FIRST), others, self.end(it)))
        instants, natural = instants_of(it.asked, facts), natural_of(it.asked, facts)
        plan = Plan(it.total("attack.bonus"), it.plan.raised, instants, natural, grip)
        return Attack(plan, it.plan.guard, spent_at_once(facts))

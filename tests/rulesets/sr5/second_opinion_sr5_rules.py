"""The second opinion on sr5: dice, Edge, and an example on its way to an answer. See `second_opinion_sr5`."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

from plain_yaml import data_of
from second_opinion_sr5_people import CORE, HOUSE, Person, known
from second_opinions import PACKS, DiffersError, Entry, Facts


class MoreDiceError(DiffersError):
    """The example has no more dice, and the calculator asks for some."""

    def __init__(self, number: int) -> None:
        super().__init__(f"no dice are left for {number}d6")
        self.number = number


class Table:
    """Dice and decisions of an example, taken one after another."""

    def __init__(self, example: Entry) -> None:
        self._groups = [list(group) for group in example.get("dice", [])]
        self._decisions = list(example.get("decisions", []))

    def throw(self, number: int, sides: int = 6, *, explodes: bool = False) -> list[int]:
        """The next group of dice; `explodes`: each six stands for one more die, at the end of the group."""
        if number <= 0:
            return []
        if not self._groups:
            raise MoreDiceError(number)
        group = self._groups.pop(0)
        more = group.count(6) if explodes else 0
        if len(group) != number + more or not all(1 <= face <= sides for face in group):
            raise DiffersError(f"{group} is no throw of {number} dice")
        return group

    def chosen(self, decision: str, by: str, roll: str = "") -> str:
        """What somebody chooses; "none" if the example says nothing of it."""
        for place, made in enumerate(self._decisions):
            if (made["decision"], made.get("by", by), made.get("roll", roll)) == (decision, by, roll):
                self._decisions.pop(place)
                return str(made["choose"])
        return "none"

    def left_over(self) -> bool:
        """Whether dice or decisions were not used."""
        return bool(self._groups or self._decisions)


class Roll:
    """A roll: hits before the limit, the dice and ones that count for glitches, and what Edge did.

    Args:
        who: who rolls, and pays Edge.
        limit: the most hits kept; None for a test without one.
        earlier: attacks of the same action before this one. Edge is only offered for as many as there are points.
    """

    def __init__(
        self, case: Case, who: str, name: str, pool: int, limit: int | None = None, earlier: int = 0
    ) -> None:
        self.case, self.who, self.name = case, who, name
        self.pool, self.limit = max(0, pool), limit
        self.edge = case.person(who).get("edge", 0)
        self.earlier = earlier
        self.pushed = self.paid = self.canceled = self.lessened = False
        self.hits = self.dice = self.ones = 0

    def before(self) -> Roll:
        """Push the Limit before the roll: it is settled before any die of a comparison is thrown."""
        self.pushed = self._chosen("edge-before") == "push"
        if self.pushed:
            self._pay()
            self.limit = None
        return self

    def throw(self) -> Roll:
        """The dice."""
        self._add(self.pool + self.edge if self.pushed else self.pool, explodes=self.pushed)
        return self

    def after(self) -> Roll:
        """Edge after the roll: its dice, the misses again, or something against a glitch."""
        if not self.paid:
            choice = self._chosen("edge-after")
            if choice == "push-after":
                self._pay()
                self.limit = None
                self._add(self.edge, explodes=True)
            elif choice == "second-chance":
                self._pay()
                again = self.case.table.throw(self.dice - self.hits)
                self.hits += sum(face >= 5 for face in again)
        if not self.paid and self.glitch in ("glitch", "critical"):
            choice = self._chosen("close-call")
            self.canceled, self.lessened = choice == "cancel", choice == "lessen"
            if choice != "none":
                self._pay()
        self.case.out(
            **{
                f"{self.name}_hits": self.hits,
                f"{self.name}_ones": self.ones,
                f"{self.name}_glitch": self.glitch,
            }
        )
        return self

    def _chosen(self, decision: str) -> str:
        points = self.case.person(self.who).get("edge_points", 0)
        if self.earlier >= points or self.case.spent[self.who] >= points:
            return "none"
        return self.case.table.chosen(decision, self.who, self.name)

    def _pay(self) -> None:
        self.paid = True
        self.case.spent[self.who] += 1
        self.case.then("spend", self.who, "edge", amount=1)

    def _add(self, number: int, *, explodes: bool) -> None:
        faces = self.case.table.throw(number, explodes=explodes)
        first = faces[:number]
        self.hits += sum(face >= 5 for face in faces)
        self.dice += len(first)
        self.ones += first.count(1)

    @property
    def kept(self) -> int:
        """Hits that count."""
        return self.hits if self.limit is None else min(self.hits, max(0, self.limit))

    @property
    def glitch(self) -> str:
        """More than half of the dice show a one; critical without a hit."""
        if self.ones <= self.dice // 2 or not self.dice:
            return "none"
        if self.canceled:
            return "negated"
        return "glitch" if self.hits or self.lessened else "critical"


def alone(case: Case, who: str, name: str, pool: int, limit: int | None = None) -> Roll:
    """A roll that nobody opposes."""
    return Roll(case, who, name, pool, limit).before().throw().after()


def attempted(attack: Roll, defense: Roll | None) -> bool:
    """The dice of an attack; an attack without dice is none, and nobody defends."""
    attack.before()
    if not attack.pool and not attack.pushed:
        attack.case.out(result="no-attack", damage=0, track=None)
        return False
    both = [attack] if defense is None else [attack, defense]
    for step in (Roll.before, Roll.throw, Roll.after):
        for roll in both:
            if roll is not attack or step is not Roll.before:
                step(roll)
    return True


class Case:
    """An example on its way to an answer.

    Attributes:
        house: whether the house rules lie on top.
        prefix: of the facts of a part with a target of its own.
    """

    def __init__(self, example: Entry, house: bool) -> None:
        request = example["request"]
        self.said: Entry = request["situation"]
        self.house = house
        self.options: Entry = {**defaults(house), **request.get("options", {})}
        self.by_hand = request.get("modifiers", [])
        self.table = Table(example)
        self.outcome: Facts = {}
        self.totals: Facts = {}
        self.effects: list[Entry] = []
        self.refusals: set[str] = set()
        self.prefix = ""
        self.number = ""
        """Prefix of the numbers, where several targets have some of their own."""
        self.spent: Counter[str] = Counter()
        """Points of Edge by who spent them."""
        self._people: dict[str, Person] = {}

    def only(self, words: str) -> None:
        """Refuse to answer where the situation says more than these words."""
        known(self.said, words, "situation")

    def out(self, **facts: Any) -> None:
        """Facts of the outcome."""
        self.outcome.update({self.prefix + name: value for name, value in facts.items()})

    def total(self, name: str, number: int) -> int:
        """A number with what was added by hand."""
        name = self.number + name
        number += sum(one["value"] for one in self.by_hand if one["to"] == name)
        self.totals[name] = number
        return number

    def pool(self, name: str, number: int) -> int:
        """A number that is never below 0."""
        number = max(0, self.total(name, number))
        self.totals[self.number + name] = number
        return number

    def person(self, who: str) -> Person:
        """Somebody of the situation."""
        if who not in self._people:
            self._people[who] = Person(self.said.get(who), self.house)
        return self._people[who]

    def targets(self) -> list[str]:
        """The target and all further ones, in order."""
        return [name for name in ("target", *(f"target_{n}" for n in range(2, 7))) if name in self.said]

    def part(self, who: str) -> None:
        """From now on facts are those of one target of several."""
        self.prefix = f"{who}." if who else ""
        self.number = "" if who in ("", "target") else f"{who}."

    def then(self, type: str, who: str, what: str, **detail: Any) -> None:
        """An effect."""
        self.effects.append({"type": type, "who": who, "what": what, **detail})

    def asks(self, option: str, value: Any = True) -> bool:
        """Whether a house rule has this value; without the layer it has none."""
        return bool(self.options.get(option) == value)


@cache
def defaults(house: bool) -> dict[str, Any]:
    """What the options of the packs are unless said."""
    found: dict[str, Any] = {}
    for pack in (CORE, HOUSE) if house else (CORE,):
        manifest = data_of(PACKS / pack / "pack.yaml")
        found.update({name: rule["default"] for name, rule in manifest.get("options", {}).items()})
        found.update(manifest.get("option_defaults", {}))
    return found


def running(case: Case, person: Person) -> int:
    """By the house rules whoever runs has two dice less for almost everything (6.1)."""
    return -2 if case.house and person.get("running") else 0

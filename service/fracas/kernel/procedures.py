"""A form for procedures: a procedure says which numbers it needs and what the first stage is; the rest follows.

`Procedure.numbers` makes the numbers of one `Attempt` and notes what is missing; `Procedure.first` makes the first
stage of their totals. From these follow, in the same way for every procedure: a missing field is reported together with
all others; what is refused shows its numbers, and is refused even where something is missing; and the odds without one
line of a number (`Prepared.rebuild`) need no second preparation.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from fracas.kernel.required import Faults
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Fact, Stage
from fracas.kernel.tally import Entry, Refusal, Tally
from fracas.kernel.vocabulary import Catalog, Vocabulary


class Attempt:
    """One attempt: the facts of the situation, the numbers made of them, and what is missing.

    Attributes:
        facts: a copy of the situation, to which a procedure adds what follows from it.
        faults: what the situation lacks or contradicts.
        made: the numbers so far, by name.
        shown: derived facts for the explanation.
        refused: why the ruleset itself refuses the attempt, beyond the refusals of the packs.
    """

    def __init__(self, asked: Asked, labels: Mapping[str, str]) -> None:
        self.asked = asked
        self.facts: dict[str, Any] = dict(asked.said.facts)
        self.faults = Faults()
        self.made: dict[str, Tally] = {}
        self.shown: dict[str, Fact] = {}
        self.refused: list[Refusal] = []
        self._labels = labels
        self._again: dict[str, Callable[[Tally], Tally]] = {}

    @property
    def options(self) -> Mapping[str, Any]:
        """House rules, complete."""
        return self.asked.options

    @property
    def catalog(self) -> Catalog:
        """The entries of the packs."""
        return self.asked.catalog

    def need(self, path: str, what: str, instead: Any = 0) -> Any:
        """A fact without which the rule cannot do.

        Args:
            what: what the rule needs, in people's words: "Agility of the attacker".
            instead: what is returned where it is missing, so that the attempt goes on and finds what else is.
        """
        if path not in self.facts:
            self.faults.need(path, what)
        return self.facts.get(path, instead)

    def tally(self, to: str, *base: Entry, least: int | None = None, floor: str = "") -> Tally:
        """A number of these base lines and the modifiers of the packs.

        Args:
            least: the number is never below it; `floor` is the label of the line that raises it.
        """
        made = self.asked.rules.tally(to, self._labels[to], base, self.facts, self.asked.hand)
        if least is None:
            return self.keep(made)
        return self.keep(made.at_least(least, floor), lambda changed: changed.at_least(least, floor))

    def keep(self, tally: Tally, again: Callable[[Tally], Tally] | None = None) -> Tally:
        """Keep a number that a function of the ruleset has made.

        Args:
            again: what the rule has done with the sum, such as a floor or a halving, to be done again where odds leave
                out one line of it.
        """
        self.made[tally.to] = tally
        if again is not None:
            self._again[tally.to] = again
        return tally

    def finished(self, tally: Tally) -> Tally:
        """Another tally of the same name as one that is kept, after what the rule does with its sum."""
        return self._again[tally.to](tally) if tally.to in self._again else tally


class Procedure:
    """One combat step or sequence of a ruleset, see `ruleset.Procedure`.

    Attributes:
        id, label, doc: its name, and what it is, for people.
        vocabulary: what a request may say.
        decisions: those that it may ask for.
        targets: its numbers with their labels.
        measures: numbers worth a line in odds.
        inner: numbers on which other numbers depend: odds without one of their lines prepare the attempt again.
    """

    id: str
    label: str
    doc: str
    vocabulary: Vocabulary
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = {}
    measures: Sequence[Measure] = ()
    inner: Collection[str] = ()

    def numbers(self, it: Attempt) -> None:
        """Add to the facts what follows from them, note what is missing, and make the numbers.

        Raises:
            InputError: the situation lacks something without which nothing else can be said.
        """

    def first(self, it: Attempt, total: Mapping[str, int]) -> Stage:
        """The first stage with these totals, by the names of the numbers; nothing is missing here."""
        raise NotImplementedError

    def prepare(self, asked: Asked) -> Prepared:
        """Build the numbers and the first stage.

        Raises:
            InputError: everything that the situation lacks or contradicts.
        """
        it = Attempt(asked, self.targets)
        self.numbers(it)
        refusals = asked.rules.refusals(it.facts, it.refused)
        it.faults.check(refused=bool(refusals))
        made = tuple(it.made.values())
        if refusals:
            return Prepared(None, made, refusals, it.shown)
        total = {tally.to: tally.total for tally in made}

        def rebuild(changed: Tally) -> Stage | None:
            if changed.to in self.inner:
                return None
            return self.first(it, {**total, changed.to: it.finished(changed).total})

        return Prepared(self.first(it, total), made, (), it.shown, rebuild)


def chance(fact: str, label: str, id: str = "") -> Measure:
    """The chance of a fact of the outcome that is true or false; `id` is its name where the fact's does not do."""
    return Measure(id or fact, label, lambda facts: float(bool(facts.get(fact))))


def mean(fact: str, label: str, id: str = "") -> Measure:
    """The expected value of a fact of the outcome; None and a fact that is not there count as 0."""
    return Measure(id or fact, label, lambda facts: float(facts.get(fact) or 0))

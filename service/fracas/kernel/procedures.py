"""A form for procedures: a procedure says which numbers it needs and what the first stage is; the rest follows.

`Procedure.numbers` makes the numbers of one `Attempt` and notes what is missing; `Procedure.first` makes the first
stage of them. From these follow, in the same way for every procedure: a missing field is reported together with
all others; what is refused shows its numbers, and is refused even where something is missing; and the odds without one
line of a number (`Prepared.rebuild`) need no second preparation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from typing import Any

from fracas._former_names import formerly
from fracas.kernel.intents import Participant, StepContext
from fracas.kernel.required import Faults, has_record
from fracas.kernel.ruleset import AttemptRequest, DecisionInfo, Measure, Prepared
from fracas.kernel.ruleset import Procedure as AnyProcedure
from fracas.kernel.stage import Fact, Facts, Stage
from fracas.kernel.tally import Entry, Refusal, Tally
from fracas.kernel.vocabulary import EntryLookup, Vocabulary

__all__ = ["Attempt", "Procedure", "chance", "known_of_people", "mean", "owners_of", "people_of", "where"]


@formerly(asked="request", catalog="lookup")
class Attempt:
    """One attempt: the facts of the situation, the numbers made of them, and what is missing.

    Attributes:
        request: the situation, house rules, modifiers and packs.
        facts: a copy of the situation, to which a procedure adds what follows from it.
        faults: what the situation lacks or contradicts.
        made: the numbers so far, by name.
        shown: derived facts for the explanation.
        plan: what `Procedure.numbers` leaves for `Procedure.first`, beside the numbers.
        labels: of the numbers.
        refused: why the ruleset itself refuses the attempt, beyond the refusals of the packs.
        record: of the one whose numbers are made, where they are those of one among several; see `of`.
        common: numbers that all of these have in common.
        needed: fields that are declared as required, each with what the rule needs.
        instead: the number that `changed` has put in; None in the attempt as it was prepared.
    """

    def __init__(
        self, request: AttemptRequest, labels: Mapping[str, str], needed: Mapping[str, str] = {}
    ) -> None:
        self.request = request
        self.facts: dict[str, Any] = dict(request.input.facts)
        self.faults = Faults()
        self.made: dict[str, Tally] = {}
        self.shown: dict[str, Fact] = {}
        self.refused: list[Refusal] = []
        self.plan: Any = None
        self.instead: Tally | None = None
        self.labels = labels
        self.needed = needed
        self.record = ""
        self.common: Collection[str] = ()
        self._again: dict[str, Callable[[Tally], Tally]] = {}

    @property
    def options(self) -> Mapping[str, Any]:
        """House rules, complete."""
        return self.request.options

    @property
    def lookup(self) -> EntryLookup:
        """The entries of the packs."""
        return self.request.lookup

    def need(self, path: str, what: str = "", instead: Any = 0) -> Any:
        """A fact without which the rule cannot do.

        Args:
            what: what the rule needs, in people's words: "Agility of the attacker". A field that is declared as
                `required` says it itself.
            instead: what is returned where it is missing, so that the attempt goes on and finds what else is.
        """
        if path not in self.facts:
            self.faults.need(path, what or self.needed[path])
        return self.facts.get(path, instead)

    def tally(self, to: str, *base: Entry, least: int | None = None, floor: str = "") -> Tally:
        """A number of these base lines and the modifiers of the packs; where odds ask again, that which they put in.

        Args:
            least: the number is never below it; `floor` is the label of the line that raises it.
        """
        name, rules = self.named(to), self.request.rules
        if self.instead is not None and self.instead.to == name:
            return self.instead
        if name != to:
            known = rules.by_target
            rules = rules._replace(by_target={name: (*known.get(to, ()), *known.get(name, ()))})
        made = rules.tally(name, self.labels[name], base, self.facts, self.request.hand)
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

    def total(self, to: str) -> int:
        """The total of a number that is made."""
        return self.made[self.named(to)].total

    def known(self, to: str) -> int | None:
        """The total of a number; None where it is not made, such as the defense of those who make none."""
        made = self.made.get(self.named(to))
        return None if made is None else made.total

    def named(self, to: str) -> str:
        """The name of a number, which begins with the record of the one among several whose it is."""
        return f"{self.record}.{to}" if self.record and to not in self.common else to

    def of(self, record: str, facts: Mapping[str, Any], common: Collection[str] = ()) -> Attempt:
        """This attempt as it is for one among several, each of which has the same numbers.

        The names of the numbers begin with the record (``target_2.armor.value``), and the modifiers of the plain name
        count. Numbers and faults are those of the whole attempt.

        Args:
            record: "" for the one whose numbers have the plain names.
            facts: the situation as it is for this one.
            common: numbers that keep their plain names, such as that of the one roll against all.
        """
        one = copy(self)
        one.facts, one.record, one.common = dict(facts), record, common
        return one

    def changed(self, tally: Tally) -> Attempt:
        """This attempt with another tally in place of the one of its name, after what the rule does with its sum."""
        again = self._again.get(tally.to)
        other = copy(self)
        other.instead = again(tally) if again else tally
        other.made = {**self.made, tally.to: other.instead}
        return other


class _FromClass:
    """An attribute that a class has by its name or docstring where it does not have one of its own."""

    def __init__(self, of: Callable[[type[Any]], str]) -> None:
        self._of = of
        self._known: dict[type[Any], str] = {}

    def __get__(self, one: object, owner: type[Any]) -> str:
        found = self._known.get(owner)
        if found is None:
            found = self._known[owner] = self._of(owner)
        return found


def _words(name: str, between: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", between, name).lower()


class Procedure:
    """One combat step or sequence of a ruleset, see `ruleset.Procedure`.

    Attributes:
        id, label, doc: its name, and what it is, for people. If left out, id and label are the name of the class in
            words (``SkillCheck``: ``skill-check``, "Skill check"), and `doc` is its docstring.
        vocabulary: what a request may say.
        decisions: those that it may ask for.
        targets: its numbers with their labels.
        owners: whose number each is, as a record, where it is neither of the record that its name begins with nor of
            the first person; see `owners_of`.
        measures: numbers worth a line in odds.
        inner: numbers on which other numbers depend: odds without one of their lines prepare the attempt again.
    """

    id: str = _FromClass(lambda cls: _words(cls.__name__, "-"))  # type: ignore[assignment]
    label: str = _FromClass(lambda cls: _words(cls.__name__, " ").capitalize())  # type: ignore[assignment]
    doc: str = _FromClass(lambda cls: " ".join((cls.__doc__ or "").split()))  # type: ignore[assignment]
    vocabulary: Vocabulary
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = {}
    owners: Mapping[str, str] = {}
    measures: Sequence[Measure] = ()
    inner: Collection[str] = ()

    def numbers(self, it: Attempt) -> None:
        """Add to the facts what follows from them, note what is missing, and make the numbers.

        Raises:
            InputError: the situation lacks something without which nothing else can be found.
        """

    def first(self, it: Attempt) -> Stage:
        """The first stage; nothing is missing here. It goes by `Attempt.made` and what does not change with a number:
        odds ask again with another tally in its place."""
        raise NotImplementedError

    def leads_on(self, it: Attempt, to: str) -> bool:
        """Whether other numbers depend on this one; by default on `inner` ones. See `first` for those that do not."""
        return to in self.inner

    def prepare(self, request: AttemptRequest) -> Prepared:
        """Build the numbers and the first stage.

        Raises:
            InputError: everything that the situation lacks or contradicts.
        """
        it = Attempt(request, self.targets, self.vocabulary.needed)
        for path in it.needed:
            record = self.vocabulary.records.get(path.rpartition(".")[0])
            if record is None or not record.optional or has_record(it.facts, record.path):
                it.need(path)
        made_all = False
        with it.faults.collect():
            self.numbers(it)
            made_all = True
        if not made_all:
            it.faults.check()
        refusals = it.request.rules.refusals(it.facts, it.refused)
        it.faults.check(refused=bool(refusals))
        made = tuple(it.made.values())
        if refusals:  # a number that lacks something is none
            return Prepared(None, () if it.faults.problems else made, refusals, it.shown)

        def rebuild(changed: Tally) -> Stage | None:
            return None if self.leads_on(it, changed.to) else self.first(it.changed(changed))

        return Prepared(self.first(it), made, (), it.shown, rebuild)


def people_of(procedure: AnyProcedure) -> list[str]:
    """The records of combatants in a procedure, that of the one who acts first, then that of a single target."""
    return [path for path, its in procedure.vocabulary.records.items() if its.entry_kind == "combatant"]


def known_of_people(
    procedure: AnyProcedure, step: StepContext, at_first: Callable[[Participant], Facts]
) -> dict[str, dict[str, Any]]:
    """What a fight knows of the people in a step and their sheets do not have, by their records, of the fields that
    the procedure reads; see `intents.ActionRules.situate`.

    Args:
        at_first: the fields of a combatant, as they are before anything has happened.
    """
    fields = procedure.vocabulary.fields
    people = zip(people_of(procedure), (step.actor, step.target), strict=False)
    return {
        record: {
            name: value
            for name, value in at_first(who).items()
            if (field := fields.get(f"{record}.{name}")) and not field.derived_from and name not in who.sheet
        }
        for record, who in (*people, *step.others.items())
        if who is not None
    }


def owners_of(procedures: Iterable[AnyProcedure]) -> dict[str, str]:
    """Whose number each tally of these procedures is, for `TurnRules.tallies`.

    It is the number of the person whose record its name begins with (``victim_1.trauma.target``), or else of the first
    person of the procedure, unless the procedure says otherwise.
    """
    found: dict[str, str] = {}
    for procedure in procedures:
        people = people_of(procedure)
        for to in procedure.targets:
            begins = to.partition(".")[0]
            owner = begins if begins in people else next(iter(people), "")
            found.setdefault(to, procedure.owners.get(to, owner))
    return found


def chance(
    fact: str,
    label: str,
    id: str = "",
    *,
    among: Collection[Fact] | None = None,
    but: Collection[Fact] = (),
    where: Mapping[str, Fact] = {},
) -> Measure:
    """The chance of a fact of the outcome.

    Args:
        id: its name where the fact's does not do.
        among: the values that count; if left out, every one that is true.
        but: values that do not count.
        where: other facts that the outcome must have.
    """

    def of(facts: Facts) -> float:
        found = facts.get(fact)
        return float(found not in but and (bool(found) if among is None else found in among))

    def there(facts: Facts) -> float:
        return of(facts) if all(facts.get(name) == value for name, value in where.items()) else 0.0

    return Measure(id or fact, label, there if where else of)


def where(measure: Measure, fact: str, value: Fact, *, holds: bool = True) -> Measure:
    """The measure, 0 for an outcome whose fact has not this value; if it is not to hold, for one whose fact has it."""
    return measure._replace(
        of=lambda facts: measure.of(facts) if (facts.get(fact) == value) is holds else 0.0
    )


def mean(fact: str, label: str, id: str = "") -> Measure:
    """The expected value of a fact of the outcome; None and a fact that is not there count as 0."""
    return Measure(id or fact, label, lambda facts: float(facts.get(fact) or 0))

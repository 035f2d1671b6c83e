"""The contract between a ruleset and everything that uses one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from fracas._former_names import formerly, in_module
from fracas.kernel.entry_kinds import EntryKind, format_of
from fracas.kernel.stage import Fact, Stage
from fracas.kernel.tally import HandModifier, Refusal, Rules, Tally
from fracas.kernel.turns import TurnRules
from fracas.kernel.vocabulary import EntryLookup, Input, NoPacks, PackEntry, Vocabulary
from fracas.packs.formats import Format

__all__ = [
    "DOWN",
    "HIT",
    "Attack",
    "AttemptRequest",
    "Comparison",
    "ContextField",
    "DecisionInfo",
    "FieldSet",
    "Measure",
    "Phrases",
    "Prepared",
    "Procedure",
    "Ruleset",
    "Sample",
    "Samples",
    "Struck",
    "Worth",
    "harms",
    "no_better",
    "no_samples",
    "plainly_struck",
]


class ContextField(NamedTuple):
    """Something that the one who decides may know, and that a decision taken in advance may depend on.

    Attributes:
        id: its name among what a `Decision` is about (``short``).
        label: what it means.
        words: the words it may be; empty for a whole number.
    """

    id: str
    label: str
    words: tuple[str, ...] = ()


@formerly(clues="context")
class DecisionInfo(NamedTuple):
    """A decision that a procedure may ask for.

    Attributes:
        context: what may be known when it is asked; not all of it every time.
        fact: the fact of the outcome that names the option that was taken; "" for none. A number that is called by the
            decision and an option (``melee-defense.dodge``) counts with that option alone.
    """

    id: str
    label: str
    options: tuple[str, ...]
    default: str
    context: tuple[ContextField, ...] = ()
    fact: str = ""

    def numbers_without(self, outcome: Mapping[str, Any]) -> frozenset[str]:
        """The numbers of options that were not taken."""
        taken = outcome.get(self.fact)
        return frozenset(f"{self.id}.{one}" for one in self.options if taken in self.options and one != taken)


@formerly(said="input", catalog="lookup", saying="with_facts")
class AttemptRequest(NamedTuple):
    """What is needed to attempt a procedure; without packs and with all decisions closed, if nothing else is given.

    Attributes:
        input: the situation.
        options: house rules, complete.
        hand: modifiers typed by hand.
        open: ids of the decisions that may be asked; the others silently take their default. A closed decision
            changes no outcome: it only spares the reader the question.
        rules: the packs' modifiers under these options.
        lookup: the packs' entries.
        brief: of what the situation lacks, the first that the rule asks for is enough.
    """

    input: Input
    options: Mapping[str, Any] = {}
    hand: tuple[HandModifier, ...] = ()
    open: frozenset[str] = frozenset()
    rules: Rules = Rules({}, {})
    lookup: EntryLookup = NoPacks()
    brief: bool = False

    def entry(self, record: str, kind: str = "") -> PackEntry | None:
        """The entry that fills in a record; None for none. `kind`: where it is not called like the record."""
        used = self.input.used.get(record)
        return self.lookup.entry(kind or record, used) if used else None

    def with_facts(self, facts: dict[str, Any]) -> AttemptRequest:
        """The same request with these facts."""
        return self._replace(input=self.input._replace(facts=facts))


class Prepared(NamedTuple):
    """A procedure ready to run.

    Attributes:
        stage: the first stage; None when refused.
        tallies: every number computed before the first roll, with its explanation.
        refusals: why it is impossible; empty when it is possible.
        facts: what the ruleset derived from the situation, for the explanation.
        rebuild: the first stage with another tally, not yet raised to its floor, in place of the one of its name; it
            answers None where other tallies depend on that one. None where the procedure does not offer it; preparing
            again does the same.
    """

    stage: Stage | None
    tallies: tuple[Tally, ...]
    refusals: tuple[Refusal, ...] = ()
    facts: Mapping[str, Fact] = {}
    rebuild: Callable[[Tally], Stage | None] | None = None


class Measure(NamedTuple):
    """A number worth a line in odds: its expectation over the outcomes (a chance, for a true-or-false one)."""

    id: str
    label: str
    of: Callable[[Mapping[str, Fact]], float]


class Procedure(Protocol):
    """One combat step or sequence of a ruleset."""

    @property
    def id(self) -> str:
        """A slug, unique in the ruleset."""

    @property
    def label(self) -> str:
        """A few words, for people."""

    @property
    def doc(self) -> str:
        """What it does; sentences."""

    @property
    def vocabulary(self) -> Vocabulary:
        """What a request may say."""

    @property
    def decisions(self) -> Sequence[DecisionInfo]:
        """The decisions that it may ask for."""

    @property
    def targets(self) -> Mapping[str, str]:
        """The tallies that modifiers may name, with their labels."""

    @property
    def owners(self) -> Mapping[str, str]:
        """Whose tallies these are, as records, where that does not follow from their names; `procedures.owners_of`."""

    @property
    def measures(self) -> Sequence[Measure]:
        """Numbers worth a line in odds."""

    def prepare(self, request: AttemptRequest) -> Prepared:
        """Build the tallies and the first stage.

        Raises:
            InputError: the situation lacks or contradicts something that the rule needs.
        """


HIT, DOWN = "hit", "down"
"""Measures of procedures that harm."""


def harms(procedure: Procedure) -> bool:
    """Whether a procedure may hit a target or take it out."""
    return any(measure.id in (HIT, DOWN) for measure in procedure.measures)


class FieldSet(NamedTuple):
    """The words and numbers of a procedure whose stages are not written yet: packs can be checked against it.

    Attributes:
        targets: the tallies that modifiers may name, with their labels.
    """

    id: str
    label: str
    vocabulary: Vocabulary
    targets: Mapping[str, str]


class Sample(NamedTuple):
    """A situation that puts an entry of a pack to use once, to see that it works.

    Attributes:
        procedure: id of a procedure, or of a field set, which only reads the situation.
        situation: as in a request.
        tentative: no pack says that the procedure is for such an entry: what it refuses or misses is no fault.
    """

    procedure: str
    situation: Mapping[str, Any]
    tentative: bool = False


Samples = Callable[[PackEntry, EntryLookup], Sequence[Sample]]
"""The samples of an entry; none for a kind that no procedure reads."""


def _plain_worth(value: Any) -> float | frozenset[str]:
    return frozenset(map(str, value)) if isinstance(value, (list, tuple)) else float(value)


def no_better(value: str) -> frozenset[str]:
    """For `Worth.of`: values that are for different ends, such as Physical damage and Stun damage; none is better."""
    return frozenset((value,))


def _category(weapon: PackEntry) -> str:
    return str(weapon.data.get("category", weapon.data.get("type", "")))


class Worth(NamedTuple):
    """A field of weapons that counts beside the damage where one weapon is weighed against another.

    Attributes:
        field: its name in packs, such as ``cost`` or ``magazine``.
        more: more of it is better; otherwise less.
        of: what is compared of its value: a number, several, of which none may be worse, or a set, of which the better
            one has all. By default numbers as they are and lists as sets.
        missing: what a weapon without the field has; None where that is not known, and such a weapon is compared only
            with its like.
    """

    field: str
    more: bool = False
    of: Callable[[Any], float | tuple[float, ...] | frozenset[str]] = _plain_worth
    missing: float | None = None


@formerly(trial="sample")
class Comparison(NamedTuple):
    """How weapons are compared: the same attack with each of them, against more and more armor.

    Attributes:
        armor: what is varied, for people: "Armor Class".
        values: its values, rising.
        standard: the attacker and the target; sentences.
        sample: the attack with a weapon against so much armor; None for one that is not used so.
        hit, damage: ids of the measures of the chance to hit and the expected damage.
        distances: meters beside that of the sample, at which shots are compared, too: the samples of weapons that reach
            farther than an arm have a field ``distance``.
        class_of: the class of a weapon, a slug: it is weighed against the others of it; "" for one that comes with a
            combatant, which nobody chooses.
        worth: what counts beside the damage.
    """

    armor: str
    values: Sequence[int]
    standard: str
    sample: Callable[[PackEntry, int, EntryLookup], Sample | None]
    hit: str
    damage: str
    distances: Sequence[int] = ()
    class_of: Callable[[PackEntry], str] = _category
    worth: Sequence[Worth] = ()


class Attack(NamedTuple):
    """How the outcome of an attack is laid out.

    Attributes:
        by, target: the records of those who attack and are attacked. Of an attack on several, the outcome has a branch
            for each, named after its record.
        means: the record of what it is done with, "" for nothing.
        aside: fields of the target that attacks change, and that make no difference to what further attacks do to
            them: an exchange leaves them as they were.
    """

    by: str = "attacker"
    target: str = "target"
    means: str = "weapon"
    aside: Sequence[str] = ()


class Struck(NamedTuple):
    """What an attack did to one target.

    Attributes:
        result: in a word of the rules, such as ``hit``, ``graze`` or ``saved``.
        damage: in the unit of the rules, after all resistance.
        words: the damage and what became of the target, as players say it: "6 boxes of Physical damage".
        instead: the record of those who took the blow in place of the target; "" for nobody.
        numbers: what led to the damage and stands on no die, each with its label: ``("Net hits", "3")``.
    """

    hit: bool
    result: str
    damage: int
    words: Sequence[str]
    instead: str = ""
    numbers: Sequence[tuple[str, str]] = ()


Phrases = Mapping[str, str | Mapping[Any, str]]
"""How facts of outcomes read, by the fact without its record.

A text stands for any value but None, False, 0, "" and "none": `{}` in it is the value in words, and a noun in braces is
counted: "{box of Stun damage} healed". "{@unit}" counts the noun that the fact `unit` names, and "{=location}" is that
fact in words. A mapping has a text for each value that is worth one, also for False.

Facts that are not here are left out of sentences: rolls, effects or `Struck` show them. Only a `result` that is not
here is given as it is.
"""


def plainly_struck(facts: Mapping[str, Fact]) -> Struck | None:
    """What the facts `hit`, `damage` and `result` of an outcome say of a target; None where it has no `hit`."""
    if "hit" not in facts:
        return None
    damage = int(facts.get("damage") or 0)
    result = facts.get("result")
    return Struck(
        bool(facts["hit"]),
        result if isinstance(result, str) else "",
        damage,
        (f"{damage} damage",) if damage else (),
    )


def no_samples(entry: PackEntry, lookup: EntryLookup) -> Sequence[Sample]:
    """Stands for a ruleset that has no samples of its own: entries are tried with the examples of fields."""
    return ()


@formerly(trials="samples", worksheets="field_sets")
class Ruleset(NamedTuple):
    """A game's rules.

    Attributes:
        id: ``sr4``.
        compatible_with: the game, for the sentence "unofficial, compatible with ...".
        procedures: by id.
        field_sets: by id; what procedures to come will read.
        samples: how to put an entry to use; if left out, in every procedure with the examples of its fields.
        turns: how fights are ordered; None where encounters cannot be played yet.
        comparison: how weapons are compared; None where only their fields are.
        attacks: the procedures that are attacks, by id.
        struck: reads what an attack, or anything else that hurts, did to one target out of the facts of the outcome;
            None where these are about no target. By default `plainly_struck`.
        phrases: how the facts read that `struck` leaves out, and `result` where there is a better word for it. Packs
            may say it as well, in ``phrases.yaml``, which counts before these.
        game_systems: names of modules that make items and actors for game systems of Foundry VTT, each with a
            ``SYSTEM`` (`exports.foundry.systems.System`); for others sheet mappings of its packs are enough.
        kinds: the kinds of entries that its packs hold beside those that every ruleset has, by kind; what is not given
            here follows from the records of its procedures.
    """

    id: str
    label: str
    compatible_with: str
    procedures: Mapping[str, Procedure]
    field_sets: Mapping[str, FieldSet] = {}
    samples: Samples = no_samples
    turns: TurnRules | None = None
    comparison: Comparison | None = None
    attacks: Mapping[str, Attack] = {}
    struck: Callable[[Mapping[str, Fact]], Struck | None] = plainly_struck
    phrases: Phrases = {}
    kinds: Mapping[str, EntryKind] = {}
    game_systems: Sequence[str] = ()

    @property
    def format(self) -> Format:
        """What its packs hold, as the vocabularies of its procedures and field sets declare it."""
        sheets: list[Procedure | FieldSet] = [*self.procedures.values(), *self.field_sets.values()]
        return format_of(self.id, self.label, [sheet.vocabulary for sheet in sheets], self.kinds)


if not TYPE_CHECKING:
    __getattr__ = in_module(
        __name__,
        Asked="AttemptRequest",
        Clue="ContextField",
        Worksheet="FieldSet",
        Trial="Sample",
        Trials="Samples",
    )

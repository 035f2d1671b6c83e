"""The contract between a ruleset and everything that uses one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from fracas.kernel.stage import Fact, Stage
from fracas.kernel.tally import HandModifier, Refusal, Rules, Tally
from fracas.kernel.vocabulary import Catalog, Said, Vocabulary


class DecisionInfo(NamedTuple):
    """A decision that a procedure may ask for."""

    id: str
    label: str
    options: tuple[str, ...]
    default: str


class Asked(NamedTuple):
    """One attempt to run a procedure.

    Attributes:
        said: the situation.
        options: house rules, complete.
        hand: modifiers typed by hand.
        open: ids of the decisions that may be asked; the others silently take their default. A closed decision
            changes no outcome: it only spares the reader the question.
        rules: the packs' modifiers under these options.
        catalog: the packs' entries.
    """

    said: Said
    options: Mapping[str, Any]
    hand: tuple[HandModifier, ...]
    open: frozenset[str]
    rules: Rules
    catalog: Catalog


class Prepared(NamedTuple):
    """A procedure ready to run.

    Attributes:
        stage: the first stage; None when refused.
        tallies: every number computed before the first roll, with its explanation.
        refusals: why it is impossible; empty when it is possible.
        facts: what the ruleset derived from the situation, for the explanation.
        rebuild: the first stage with another tally in place of the one of its name; it answers None where other
            tallies depend on that one. None where the procedure does not offer it; preparing again does the same.
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
    def id(self) -> str: ...

    @property
    def label(self) -> str: ...

    @property
    def doc(self) -> str: ...

    @property
    def vocabulary(self) -> Vocabulary: ...

    @property
    def decisions(self) -> Sequence[DecisionInfo]: ...

    @property
    def targets(self) -> Mapping[str, str]:
        """The tallies that modifiers may name, with their labels."""

    @property
    def measures(self) -> Sequence[Measure]: ...

    def prepare(self, asked: Asked) -> Prepared:
        """Build the tallies and the first stage.

        Raises:
            InputError: the situation lacks or contradicts something that the rule needs.
        """


class Ruleset(NamedTuple):
    """A game's rules.

    Attributes:
        id: ``sr4``.
        compatible_with: the game, for the sentence "unofficial, compatible with ...".
        procedures: by id.
    """

    id: str
    label: str
    compatible_with: str
    procedures: Mapping[str, Procedure]

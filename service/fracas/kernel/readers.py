"""The readers: resolve, step and replay run the same stages; `kernel.odds` is the fourth.

A `Progress` is a stage with the record of how it was reached. `throw` and `choose` answer the stage's
question and give the next progress; resolve and replay are loops over them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from fracas._former_names import formerly, in_module
from fracas.dice.requests import check_faces
from fracas.dice.sources import Dealt, DiceSource
from fracas.errors import InputError, ReplayError, suggestion
from fracas.kernel.stage import Decision, Effect, Fact, Roll, Stage

__all__ = [
    "MAX_STEPS",
    "NO_DICE",
    "ChoiceRecord",
    "DefaultPolicy",
    "Policy",
    "PolicyInputs",
    "Progress",
    "Record",
    "RollRecord",
    "begin",
    "choose",
    "replay",
    "resolve",
    "skip_empty",
    "throw",
]

MAX_STEPS = 1000
"""A procedure that asks more questions than this has a fault."""

NO_DICE = Dealt((), "none")
"""The answer to a roll that asks for no dice."""


class RollRecord(NamedTuple):
    """Dice that were thrown.

    Attributes:
        roll: what was asked.
        dealt: the faces and where they come from.
        facts: one mapping for each part of the roll.
    """

    roll: Roll
    dealt: Dealt
    facts: tuple[Mapping[str, Fact], ...]


class ChoiceRecord(NamedTuple):
    """A decision that was taken; `how` is ``chosen``, ``default`` or ``policy``."""

    decision: Decision
    choice: str
    how: str


Record = RollRecord | ChoiceRecord
"""One answer, as a log keeps it."""


class Progress(NamedTuple):
    """A stage and how it was reached.

    Attributes:
        stage: where the procedure stands.
        records: every roll and choice so far, in order.
        details: every fact noted so far; a later note replaces an earlier one of the same name.
    """

    stage: Stage
    records: tuple[Record, ...]
    details: Mapping[str, Fact]

    @property
    def done(self) -> bool:
        """Whether the stage is an outcome."""
        return self.stage.awaits is None

    def effects(self) -> tuple[Effect, ...]:
        """What to apply; empty before the outcome."""
        return self.stage.effects()


@formerly(clues="context")
class PolicyInputs(NamedTuple):
    """What the answers of a policy go by: what it does not look at, odds need not distinguish.

    Attributes:
        context: names of context fields of decisions.
        options: ids of options that it may choose beside the defaults.
    """

    context: frozenset[str] = frozenset()
    options: frozenset[str] = frozenset()


class Policy(Protocol):
    """Answers decisions when no person is asked."""

    def choose(self, decision: Decision) -> tuple[str, str]:
        """The option's id and how it came about (``chosen``, ``default``, ``policy``)."""


class DefaultPolicy:
    """Every decision takes its default."""

    def choose(self, decision: Decision) -> tuple[str, str]:
        return decision.default, "default"


def begin(stage: Stage) -> Progress:
    """The progress that stands at a procedure's first stage."""
    return Progress(stage, (), dict(stage.notes()))


def throw(progress: Progress, dealt: Dealt) -> Progress:
    """Answer the roll that is awaited with these faces, which fit it."""
    roll = progress.stage.awaits
    assert isinstance(roll, Roll), "throw answers a roll"
    facts = roll.request.facts(dealt.faces)
    details = dict(progress.details)
    for label, part in zip(roll.labels, facts, strict=True):
        for name, fact in part.items():
            details[f"{label}_{name}"] = fact
    stage = progress.stage.advance(roll.request.answer(dealt.faces))
    details.update(stage.notes())
    return Progress(stage, (*progress.records, RollRecord(roll, dealt, facts)), details)


def choose(progress: Progress, option: str, how: str = "chosen", path: str = "choice") -> Progress:
    """Answer the decision that is awaited.

    Raises:
        InputError: `option` is none of the options.
    """
    decision = progress.stage.awaits
    assert isinstance(decision, Decision), "choose answers a decision"
    chosen = next((known for known in decision.options if known.id == option), None)
    if chosen is None:
        hint = suggestion(option, [known.id for known in decision.options])
        raise InputError.one(path, "unknown-option", f"{option!r} is no option of {decision.id}", hint)
    stage = progress.stage.advance(option)
    details = {**progress.details, **dict(chosen.notes), **stage.notes()}
    return Progress(stage, (*progress.records, ChoiceRecord(decision, option, how)), details)


def skip_empty(progress: Progress) -> Progress:
    """Answer rolls that ask for no dice at all, such as one whose hits were bought: nobody needs to be asked."""
    while isinstance(awaited := progress.stage.awaits, Roll) and not awaited.request.groups():
        progress = throw(progress, NO_DICE)
    return progress


def resolve(stage: Stage, dice: DiceSource, policy: Policy) -> Progress:
    """Run to the outcome: dice from a source, decisions from a policy."""
    progress = begin(stage)
    for _ in range(MAX_STEPS):
        awaited = progress.stage.awaits
        if awaited is None:
            return progress
        if isinstance(awaited, Roll):
            asked = bool(awaited.request.groups())
            progress = throw(progress, dice.deal(awaited.request) if asked else NO_DICE)
        else:
            option, how = policy.choose(awaited)
            progress = choose(progress, option, how)
    raise AssertionError(f"{stage.kind} asked more than {MAX_STEPS} questions")


def replay(stage: Stage, records: Sequence[Record]) -> Progress:
    """Run again with the answers of a log.

    Raises:
        ReplayError: the log answers another question than the one asked, or ends early or late.
    """
    progress = begin(stage)
    for index, record in enumerate(records):
        asked: Any = record.roll if isinstance(record, RollRecord) else record.decision
        if progress.stage.awaits != asked:
            raise ReplayError(
                f"record {index} answers {asked}, but the rules ask for {progress.stage.awaits}"
            )
        try:
            if isinstance(record, RollRecord):
                check_faces(record.roll.request, record.dealt.faces)
                progress = throw(progress, record.dealt)
            else:
                progress = choose(progress, record.choice, record.how)
        except InputError as error:
            raise ReplayError(f"record {index} does not fit its question: {error.message}") from error
    if not progress.done:
        raise ReplayError(f"the log ends before {progress.stage.awaits} is answered")
    return progress


if not TYPE_CHECKING:
    __getattr__ = in_module(__name__, Watched="PolicyInputs")

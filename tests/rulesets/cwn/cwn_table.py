"""A table to play at: the pack cwn-core with the procedures of CWN, run straight through the kernel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from fracas.dice.requests import Faces
from fracas.dice.sources import SuppliedDice
from fracas.kernel.odds import Distribution, Transitions, odds
from fracas.kernel.predicates import Compiler
from fracas.kernel.readers import Policy, Progress, resolve
from fracas.kernel.ruleset import AttemptRequest, Prepared
from fracas.kernel.stage import Decision, Roll, Stage
from fracas.kernel.tally import HandModifier, Modifier, Rules
from fracas.kernel.values import compile_value
from fracas.kernel.vocabulary import Field, Vocabulary
from fracas.packs.library import Library, RulesetPacks
from fracas.rulesets.cwn import RULESET

PACK = Path(__file__).resolve().parents[3] / "datapacks" / "cwn-core"
ATTACK = RULESET.procedures["attack"]


@cache
def shelf() -> RulesetPacks:
    return Library.read([PACK]).ruleset_packs("cwn")


@cache
def words(procedure: str = "attack") -> Vocabulary:
    """The procedure's vocabulary with the pack's options."""
    fields = [
        Field(f"option.{id}", rule.type, rule.label, choices=rule.choices, derived_from=f"options.{id}")  # type: ignore[arg-type]
        for id, rule in shelf().options().items()
    ]
    return RULESET.procedures[procedure].vocabulary.with_fields(fields)


@cache
def rules(procedure: str = "attack") -> Rules:
    """The pack's modifiers of a procedure, compiled; any fault fails."""
    compiler = Compiler(words(procedure))
    targets = {id: {*one.targets, f"{id}.refusal"} for id, one in RULESET.procedures.items()}
    by_target: dict[str, list[Modifier]] = {}
    for entry in shelf().entries("modifier"):
        data = entry.data
        applies_to = tuple(data["applies_to"])
        refusal = applies_to[0].endswith(".refusal")
        assert refusal == ("refuses" in data) == ("value" not in data), entry.id
        assert set(applies_to) <= set().union(*targets.values()), entry.id
        here = [to for to in applies_to if to in targets[procedure]]
        if not here:
            continue
        modifier = Modifier(
            entry.slug,
            entry.label,
            applies_to,
            compiler.predicate(data["when"], (entry.slug, "when")),
            compile_value(data.get("value", 0), compiler, (entry.slug, "value")),
            data.get("stack", ""),
            tuple(data.get("suppresses", ())),
            data.get("refuses", ""),
            entry.id,
        )
        for target in ("refusal",) if refusal else here:
            by_target.setdefault(target, []).append(modifier)
    assert not compiler.problems, compiler.problems
    return Rules(by_target, shelf().caps())


def prepare(
    situation: Mapping[str, Any],
    options: Mapping[str, Any] | None = None,
    open_: Iterable[str] = (),
    hand: Sequence[HandModifier] = (),
    modifiers: Rules | None = None,
    procedure: str = "attack",
) -> Prepared:
    complete = {id: rule.default for id, rule in shelf().options().items()} | dict(options or {})
    said = words(procedure).parse(situation, shelf())
    asked = AttemptRequest(
        said, complete, tuple(hand), frozenset(open_), modifiers or rules(procedure), shelf()
    )
    return RULESET.procedures[procedure].prepare(asked)


class Answers:
    """Takes decisions by (decision, by); those that are not listed take their default."""

    def __init__(self, answers: Mapping[tuple[str, str], str] | None = None) -> None:
        self._answers = dict(answers or {})
        self.asked: list[tuple[str, str]] = []

    def choose(self, decision: Decision) -> tuple[str, str]:
        key = (decision.id, decision.by)
        self.asked.append(key)
        chosen = self._answers.get(key)
        return (decision.default, "default") if chosen is None else (chosen, "chosen")


def play(
    situation: Mapping[str, Any],
    dice: Sequence[Sequence[int]],
    answers: Mapping[tuple[str, str], str] | None = None,
    options: Mapping[str, Any] | None = None,
    procedure: str = "attack",
) -> Progress:
    """Run a procedure that is possible with these dice, all of which must be asked for."""
    open_ = {decision for decision, _ in answers or {}}
    prepared = prepare(situation, options, open_, procedure=procedure)
    assert prepared.stage is not None, prepared.refusals
    source = SuppliedDice(dice)
    progress = resolve(prepared.stage, source, Answers(answers))
    source.finish()
    return progress


def facts_of(progress: Progress) -> dict[str, Any]:
    return {**progress.details, **progress.stage.notes()}


def distribution(stage: Stage | None, policy: Policy) -> Distribution:
    """The exact odds of an attack that is possible."""
    assert stage is not None
    return odds(stage, Transitions(policy)).only


def every_path(stage: Stage, policy: Answers) -> Iterator[tuple[Stage, float, list[list[int]]]]:
    """Each outcome that some dice lead to, with the chance of these dice, and the dice."""
    awaited = stage.awaits
    if awaited is None:
        yield stage, 1.0, []
    elif isinstance(awaited, Roll):
        for faces, chance in _every_throw(awaited):
            for outcome, rest, dice in every_path(stage.advance(awaited.request.answer(faces)), policy):
                yield outcome, chance * rest, [*map(list, faces), *dice]
    else:
        yield from every_path(stage.advance(policy.choose(awaited)[0]), policy)


def _every_throw(roll: Roll) -> Iterator[tuple[tuple[Faces, ...], float]]:
    groups = roll.request.groups()
    dice = [range(1, group[1] + 1) for group in groups for _ in range(group[0])]
    ways = 1
    for die in dice:
        ways *= len(die)
    for throw in product(*dice):
        faces, at = [], 0
        for group in groups:
            faces.append(throw[at : at + group[0]])
            at += group[0]
        yield tuple(faces), 1 / ways

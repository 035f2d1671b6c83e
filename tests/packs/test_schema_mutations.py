"""Every rule of every schema, broken: the file is refused, and the fault told once, by its code, where it stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from functools import cache

import pytest
from block_yaml import dumped
from schema_files import SCHEMAS, At, of_kind
from schema_rules import MANY, Mutant, Rule, Spot, all_rules, applications, mutants, rules_of
from schema_specimens import Specimen, file_of, made_up_specimens, rulesets_of, shipped_specimens
from tiers import scale

from fracas.packs.entries import KINDS
from fracas.packs.structure import CODES, structure_problems
from fracas.packs.yaml_source import load

MUTANTS_OF_A_RULE = scale(1, 2)
"""For some rules there are more ways to break them, which then take turns."""

UNBREAKABLE = {
    # Which of two forms an entry has is decided by the presence of the field that this form demands.
    "common.schema.json#/$defs/patch/required patch",
    "common.schema.json#/$defs/removal/required remove",
    "modifiers.schema.json#/$defs/refusal/required refuses",
    # The name of any fact may stand there, so that another name is no fault.
    "examples.schema.json#/$defs/roll/properties faces",
    "examples.schema.json#/$defs/effect/properties amount",
    "examples.schema.json#/$defs/effect/properties hp_then",
    "examples.schema.json#/$defs/effect/properties length",
    "examples.schema.json#/$defs/effect/properties state",
    "examples.schema.json#/$defs/effect/properties towards",
    "examples.schema.json#/$defs/effect/properties turns",
    "examples.schema.json#/$defs/effect/properties type",
    "examples.schema.json#/$defs/effect/properties unit",
    "examples.schema.json#/$defs/effect/properties what",
    "examples.schema.json#/$defs/effect/properties when",
    "examples.schema.json#/$defs/effect/properties while",
    "examples.schema.json#/$defs/effect/properties who",
    # This form is for house rules that lack their type, and so never without a fault: see test_structure.
    "pack.schema.json#/$defs/untyped/properties choices",
    "pack.schema.json#/$defs/untyped/properties default",
    "pack.schema.json#/$defs/untyped/properties labels",
    "pack.schema.json#/$defs/untyped/type",
    "pack.schema.json#/$defs/untyped/unevaluatedProperties",
}


@cache
def plan() -> dict[Rule, list[Mutant]]:
    """For each rule its mutants: of the first shipped entry where it can be broken, else of a made-up one."""
    found: dict[Rule, list[Mutant]] = {}
    for specimen in (*shipped_specimens(), *made_up_specimens()):
        found.update(_mutants_of(specimen, found))
    return found


def _mutants_of(specimen: Specimen, done: Collection[Rule]) -> dict[Rule, list[Mutant]]:
    """Of the rules that are not done yet."""
    there = list(applications(At(f"{specimen.kind}.schema.json"), specimen.data))
    if all(rule in done for application in there for rule in rules_of(application.at)):
        return {}
    by_path = defaultdict(list)
    for application in there:
        by_path[application.path, application.of_key].append(application)
    found: dict[Rule, list[Mutant]] = {}
    for application in there:
        for rule in rules_of(application.at):
            if rule not in done and rule not in found:
                beside = tuple(by_path[application.path, application.of_key])
                ways = list(mutants(Spot(rule, application, beside, specimen.kind, specimen.data)))
                if ways:
                    turn = len(str(rule)) % len(ways)
                    found[rule] = (ways[turn:] + ways[:turn])[:MUTANTS_OF_A_RULE]
    return found


def faults_of_the_check(mutant: Mutant) -> list[str]:
    """What the check of a mutant does other than it should."""
    if of_kind(mutant.kind).is_valid(mutant.data):
        return ["the schema accepts it"]
    text, keys, values = dumped(mutant.data)
    line, column = (keys if mutant.of_key else values)[mutant.path]
    problems = structure_problems(load(text, "file.yaml"), mutant.kind)
    expected = [
        problem
        for problem in problems
        if problem.path == f"file.yaml:{line}:{column}" and problem.code == mutant.code
    ]
    if len(expected) != 1 or (mutant.alone and len(problems) > 1):
        told = "; ".join(map(str, problems)) or "nothing"
        return [f"expected {mutant.code} at {line}:{column}, told {told}"]
    said = f"{expected[0].message} {expected[0].hint}"
    return [f"{word} is not in: {said}" for word in mutant.telling if word not in said]


@pytest.mark.parametrize("file", sorted(SCHEMAS))
def test_each_broken_rule_is_told_once_where_it_is_broken(file: str) -> None:
    chosen = [mutant for rule, some in plan().items() if rule.at.file == file for mutant in some]
    chosen = chosen[:: scale(3, 1)]
    wrong = [
        f"{mutant.rule} {mutant.told}: {fault}" for mutant in chosen for fault in faults_of_the_check(mutant)
    ]
    assert not wrong, "\n".join([f"{len(wrong)} of {len(chosen)}", *wrong[:40]])


def test_every_rule_was_broken() -> None:
    rules = set(all_rules())
    unbroken = {str(rule) for rule in rules - set(plan()) if not tried_elsewhere(rule)}
    assert sorted(unbroken - UNBREAKABLE) == []
    assert {str(rule) for rule in rules} >= UNBREAKABLE
    assert {mutant.code for some in plan().values() for mutant in some} >= set(CODES) - {
        "wrong-value",
        "too-many-problems",
    }


def tried_elsewhere(rule: Rule) -> bool:
    """See test_files_of_too_many_entries."""
    return rule.keyword == "maxItems" and rule.at.schema["maxItems"] > MANY


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_files_of_too_many_entries(kind: str) -> None:
    (ruleset, *_), most = (
        rulesets_of(kind),
        SCHEMAS[f"{kind}.schema.json"]["properties"]["entries"]["maxItems"],
    )
    removal = {"remove": "some-core:weapon/sling", "source": {"ref": "house"}}
    assert structure_problems(load(dumped(file_of(kind, ruleset, *[removal] * most)).text), kind) == []
    text, _, values = dumped(file_of(kind, ruleset, *[removal] * (most + 1)))
    line, column = values["entries",]
    (problem,) = structure_problems(load(text, "file.yaml"), kind)
    assert problem[:2] == (f"file.yaml:{line}:{column}", "too-many")

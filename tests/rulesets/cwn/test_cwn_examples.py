"""The pack's worked examples, among them all golden attack tests of the rules reference."""

from __future__ import annotations

from typing import Any

import pytest
from cwn_table import Answers, facts_of, prepare, rules, shelf, words

from fracas.dice.sources import SuppliedDice
from fracas.kernel.readers import resolve
from fracas.kernel.stage import from_json, to_json
from fracas.kernel.tally import HandModifier
from fracas.kernel.vocabulary import Field
from fracas.packs.entries import Entry
from fracas.rulesets.cwn import RULESET


@pytest.mark.each("example", lambda: shelf().entries("example"), ids=lambda example: example.slug)
def test_example(example: Entry) -> None:
    request, expected = example.data["request"], example.data["expect"]
    answers = {(row["decision"], row["by"]): row["choose"] for row in example.data.get("decisions", ())}
    hand = [HandModifier(row["to"], row["label"], row["value"]) for row in request.get("modifiers", ())]
    open_ = {decision for decision, _ in answers}
    procedure = request["procedure"]
    prepared = prepare(request["situation"], request.get("options"), open_, hand, procedure=procedure)
    totals = {tally.to: tally.total for tally in prepared.tallies}
    applied = {
        tally.to: {entry.id: entry.value for entry in tally.entries if entry.verdict in ("applied", "capped")}
        for tally in prepared.tallies
    }
    if expected.get("status") == "refused":
        assert [refusal.code for refusal in prepared.refusals] == expected["refusals"]
        assert prepared.stage is None
        assert example.data.get("dice", []) == []
        return
    assert not prepared.refusals
    assert prepared.stage is not None
    dice = SuppliedDice(example.data["dice"])
    policy = Answers(answers)
    progress = resolve(prepared.stage, dice, policy)
    dice.finish()
    assert set(answers) <= set(policy.asked)
    assert subset(facts_of(progress), expected["outcome"]) == expected["outcome"]
    assert subset(totals, expected.get("totals", {})) == expected.get("totals", {})
    for to, values in expected.get("modifiers", {}).items():
        assert subset(applied[to], values) == values


def subset(given: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    return {name: given.get(name, "absent") for name in wanted}


def test_all_golden_attacks_are_there() -> None:
    golden = {example.slug.split("-")[0] for example in shelf().entries("example")}
    wanted = "g01 g02a g02b g02c g02d g04a g04b g05a g05b g05c g05d g07a g07b g07c g07d g07e g07f"
    wanted += " g08a g08b g08c g08d g08e g10 g11a g11b g13a g13b g14a g14b g16 g17a g17b g28 g29"
    assert golden >= set(wanted.split())


def test_stages_of_every_example_survive_json() -> None:
    for example in shelf().entries("example"):
        request = example.data["request"]
        decisions = [info.id for info in RULESET.procedures[request["procedure"]].decisions]
        prepared = prepare(
            request["situation"], request.get("options"), decisions, procedure=request["procedure"]
        )
        if prepared.stage is None:
            continue
        stage: Any = prepared.stage
        while stage.awaits is not None:
            assert from_json(to_json(stage)) == stage
            awaited = stage.awaits
            if hasattr(awaited, "request"):
                stage = stage.advance(awaited.request.spread().answers[-1])
            else:
                stage = stage.advance(awaited.options[-1].id)
        assert from_json(to_json(stage)) == stage
        assert stage.effects() == from_json(to_json(stage)).effects()


def test_every_modifier_compiles_and_suppresses_what_exists() -> None:
    by_id = {modifier.id: modifier for group in rules().by_target.values() for modifier in group}
    for modifier in by_id.values():
        for slug in modifier.suppresses:
            assert set(by_id[slug].applies_to) & set(modifier.applies_to)


@pytest.mark.parametrize(
    ("kind", "record"), [("weapon", "weapon"), ("combatant", "attacker"), ("combatant", "target")]
)
def test_every_entry_fits_its_record(kind: str, record: str) -> None:
    for entry in shelf().entries(kind):
        said = words().parse({record: entry.slug}, shelf())
        assert said.used == {record: entry.id}
        for name, value in entry.data.items():
            field = words().fields.get(f"{record}.{name}")
            if (
                isinstance(field, Field)
                and field.derived_from is None
                and not isinstance(value, (list, dict))
            ):
                assert field.path in said.facts


def test_the_weapons_and_combatants_named_exist() -> None:
    weapons = set(shelf().names("weapon"))
    assert (
        len(
            [
                entry
                for entry in shelf().entries("weapon")
                if entry.meta["source"]["section"] in ("6.1", "6.2")
            ]
        )
        == 29
    )
    for entry in shelf().entries("combatant"):
        assert set(entry.data["weapons"]) <= weapons, entry.id


def test_every_stat_block_can_fight_every_other() -> None:
    combatants = shelf().entries("combatant")
    for attacker in combatants:
        for weapon in attacker.data["weapons"]:
            situation = {"attacker": attacker.slug, "target": "gang-boss", "weapon": weapon, "distance": 2}
            prepared = prepare({**situation, "attack": {"rested": True}})
            entry = shelf().entry("weapon", weapon)
            assert entry is not None
            if entry.data["area"]:
                assert [refusal.code for refusal in prepared.refusals] == ["area_weapon"], attacker.id
            else:
                assert prepared.stage is not None, attacker.id
    for target in combatants:
        shot = prepare(
            {"attacker": "swat", "target": target.slug, "weapon": "swat-heavy-pistol", "distance": 9}
        )
        immune = ["target_immune"] if target.data.get("immune") == "light" else []
        assert [refusal.code for refusal in shot.refusals] == immune, target.id
        assert (shot.stage is None) == bool(immune)

"""The packs that ship: whole, labelled, and each number with its source."""

from __future__ import annotations

import pytest
from shipped_library import library

from fracas.engine.game import ruleset_ids
from fracas.packs.library import RulesetPacks
from fracas.packs.references import reference_faults


@pytest.fixture(params=ruleset_ids())
def shelf(request: pytest.FixtureRequest) -> RulesetPacks:
    return library().ruleset_packs(request.param)


def test_all_rulesets_ship() -> None:
    shelves = map(library().ruleset_packs, ruleset_ids())
    assert {shelf.ruleset: [pack.id for pack in shelf.packs] for shelf in shelves} == {
        "cwn": ["cwn-core"],
        "imperium": ["imperium-core"],
        "sr4": ["sr4-core"],
        "sr5": ["sr5-core", "sr5-bonus-actions"],
    }


def test_shipped_references_lead_somewhere() -> None:
    assert list(reference_faults(library())) == []


@pytest.mark.parametrize("ruleset", ["sr4", "sr5"])
def test_shipped_ranges_rise(ruleset: str) -> None:
    for table in library().ruleset_packs(ruleset).entries("range"):
        bands = [table.data[band] for band in ("short", "medium", "long", "extreme") if band in table.data]
        assert bands == sorted(set(bands)), table.id
        assert table.data.get("minimum", 0) < bands[0], table.id


def test_shipped_sources_are_declared(shelf: RulesetPacks) -> None:
    for pack in shelf.packs:
        declared = {source["id"] for source in pack.manifest.raw["sources"]}
        used = {entry.meta["source"]["ref"] for entry in pack.entries}
        assert used <= declared, pack.manifest.id


def test_shipped_house_rules_have_a_default_of_their_own(shelf: RulesetPacks) -> None:
    types = {"flag": bool, "choice": str, "whole": int}
    for rule in shelf.options().values():
        assert type(rule.default) is types[rule.type], rule.id
        assert rule.type != "choice" or rule.default in rule.choices, rule.id
        assert rule.label, rule.id
        assert rule.doc, rule.id


def test_every_choice_of_a_shipped_house_rule_has_a_label_of_its_own(shelf: RulesetPacks) -> None:
    for rule in shelf.options().values():
        assert set(rule.labels) == set(rule.choices), rule.id
        assert len(set(rule.labels.values())) == len(rule.choices), rule.id


def test_shipped_caps_are_of_stacking_types_in_use(shelf: RulesetPacks) -> None:
    assert set(shelf.caps()) <= {entry.data.get("stack") for entry in shelf.entries("modifier")}


def test_shipped_labels_differ_within_a_kind(shelf: RulesetPacks) -> None:
    """Two of one label could not be told apart in a list. Modifiers may share one, across house rules."""
    for kind in ("weapon", "armor", "ammunition", "range", "combatant", "table"):
        labels = [entry.label for entry in shelf.entries(kind)]
        assert len(labels) == len(set(labels)), [label for label in labels if labels.count(label) > 1]

"""Every procedure of every ruleset: what refuses it, what it misses, what a number is worth, and how it reads.

The procedures and their situations are found, not listed (see `odds_samples`): a new one is tested by being there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache

import pytest
from odds_proofs import measures_of
from odds_samples import Data, Samples, prepared
from shipped_library import library
from tiers import scale

from fracas.engine.game import Games, load_ruleset
from fracas.engine.running import explain, give_odds, resolve
from fracas.engine.text import MEASURES_SHOWN, OF_ONE, odds_text, resolved_text
from fracas.errors import InputError
from fracas.exports.cards.terms import words
from fracas.kernel.ruleset import Procedure
from fracas.packs.files import in_folder, in_memory
from fracas.packs.library import Library
from fracas.packs.reading import read
from fracas.packs.shipped import shipped

FOLDERS = {
    "cwn": ["cwn-core"],
    "imperium": ["imperium-core"],
    "sr4": ["sr4-core"],
    "sr5": ["sr5-core", "sr5-bonus-actions"],
}
NO_DICE = ("value", "limit", "compensation", "attribute")


def pack_that_refuses(ruleset: str) -> dict[str, str]:
    """A layer with one modifier, which refuses every procedure."""
    procedures = load_ruleset(ruleset).procedures
    never = {
        "slug": "never",
        "label": "Never",
        "applies_to": [f"{id}.refusal" for id in procedures],
        "when": [],
        "refuses": "never",
        "source": {"ref": "us"},
    }
    manifest = {
        "id": "no-way",
        "title": "No way",
        "version": "1.0.0",
        "schema_version": 2,
        "ruleset": ruleset,
        "status": "ready",
        "layer": "house",
        "licenses": {"data": "CC0-1.0"},
        "authors": ["We"],
        "sources": [{"id": "us", "title": "Our table"}],
        "requires": [{"id": folder} for folder in FOLDERS[ruleset]],
    }
    modifiers = {"kind": "modifiers", "ruleset": ruleset, "entries": [never]}
    return {"pack.yaml": json.dumps(manifest), "modifiers.yaml": json.dumps(modifiers)}


EVERY = [
    pytest.param(ruleset, procedure, id=f"{ruleset} {procedure.id}")
    for ruleset in FOLDERS
    for procedure in load_ruleset(ruleset).procedures.values()
]


@cache
def samples_of(ruleset: str) -> Samples:
    return Samples(Games(library()), ruleset, (), NO_DICE)


@pytest.fixture(scope="module")
def refusing() -> dict[str, Samples]:
    found = {}
    for ruleset, folders in FOLDERS.items():
        packs = []
        for files in (
            *(in_folder(shipped("datapacks") / folder) for folder in folders),
            in_memory({name: text.encode() for name, text in pack_that_refuses(ruleset).items()}, "no-way"),
        ):
            pack, problems, _ = read(files)
            assert pack is not None, problems
            packs.append(pack)
        other = Library(packs)
        assert other.faults == ()
        found[ruleset] = Samples(Games(other), ruleset, (), NO_DICE)
    return found


@pytest.mark.parametrize(("ruleset", "procedure"), EVERY)
def test_a_modifier_refuses_it(ruleset: str, procedure: Procedure, refusing: dict[str, Samples]) -> None:
    """The answer says why, and has no odds. What lies there and goes off by itself is nobody's attempt."""
    samples = samples_of(ruleset).of(procedure.id)
    attempts = [sample for sample in samples if sample["situation"].get("aim") != "goes-off"]
    for sample in attempts[: scale(1, 4)]:
        request = refusing[ruleset].asked(procedure.id, sample)
        for answer in (explain(request), give_odds(request)):
            assert answer["status"] == "refused"
            assert [refusal["code"] for refusal in answer["refusals"]] == ["never"]


def less(situation: Data) -> Iterator[tuple[str, Data]]:
    """The situation without one field, each in turn, and the field's path."""
    for name, said in situation.items():
        yield name, {other: value for other, value in situation.items() if other != name}
        if isinstance(said, dict):
            for field in said:
                fewer = {other: value for other, value in said.items() if other != field}
                yield f"{name}.{field}", {**situation, name: fewer}


@pytest.mark.parametrize(("ruleset", "procedure"), EVERY)
def test_what_is_missing_is_named(ruleset: str, procedure: Procedure) -> None:
    """Without a field there is an answer, or a fault at something that the caller may say."""
    samples, words = samples_of(ruleset), procedure.vocabulary
    for sample in samples.of(procedure.id)[: scale(1, 4)]:
        for path, situation in less(sample["situation"]):
            try:
                explain(samples.asked(procedure.id, {**sample, "situation": situation}))
            except InputError as error:
                for problem in error.problems:
                    field = problem.path.removeprefix("situation.")
                    assert problem.message
                    assert field in words.records or (
                        field in words.fields and words.fields[field].derived_from is None
                    ), (path, problem)


@pytest.mark.parametrize(("ruleset", "procedure"), EVERY)
def test_it_can_be_read(ruleset: str, procedure: Procedure) -> None:
    """The text of a step and of its odds: every number, roll, fact and measure has a place in it."""
    samples = samples_of(ruleset)
    for sample in samples.of(procedure.id)[:2]:
        answer = resolve(samples.asked(procedure.id, sample | {"dice": {"source": "seed", "seed": "1" * 64}}))
        text = resolved_text(answer)
        shown = [f"{tally['label']}: {tally['total']}" for tally in answer["modifiers"]]
        shown += [f"{words(roll['label'])} ({words(roll['by'])}): {roll['dice']}" for roll in answer["rolls"]]
        assert [part for part in shown if part not in text] == []
        assert answer["status"] == "resolved"
        chances = give_odds(samples.asked(procedure.id, sample))
        text = odds_text(chances)
        of_one = OF_ONE if len(chances["branches"]) == 1 else {}
        worth = [
            of_one.get(one["label"], one["label"])
            for at, one in enumerate(chances["measures"])
            if at < MEASURES_SHOWN or one["value"]
        ]
        assert [label for label in worth if f"{label}: " not in text] == []
        assert not re.search(r"^ *\d+\.\d\d%", text, re.MULTILINE), "an outcome without a name"


@pytest.mark.parametrize(
    ("ruleset", "procedure"), [one for one in EVERY if one.values[0] in ("cwn", "imperium")]
)
def test_each_number_tells_what_a_modifier_by_hand_changes(ruleset: str, procedure: Procedure) -> None:
    """One on every number that the attempt has, each taken away by itself."""
    samples = samples_of(ruleset)
    for sample in samples.of(procedure.id)[:2]:
        numbers = [
            one.to
            for one in prepared(samples.asked(procedure.id, sample)).tallies
            if one.to in procedure.targets
        ]
        by_hand = [{"to": to, "label": f"By hand {to}", "value": 1} for to in numbers[:12]]
        hand = [*sample.get("modifiers", ()), *by_hand]
        answer = give_odds(samples.asked(procedure.id, {**sample, "modifiers": hand}))
        for item in by_hand:
            fewer = {**sample, "modifiers": [one for one in hand if one is not item]}
            without = measures_of(give_odds(samples.asked(procedure.id, fewer, attribution=False)))
            told = dict.fromkeys(without, 0.0)
            for row in answer["attribution"]:  # one for each shot of a volley, which has them in common
                if row["label"] == item["label"]:
                    told = {name: change + row["change"][name] for name, change in told.items()}
            change = {name: value - without[name] for name, value in measures_of(answer).items()}
            assert told == pytest.approx(change, abs=1e-9), item["to"]

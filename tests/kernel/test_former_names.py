"""Former names: they work for one more version, for rulesets of other packages, and warn."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import pytest

from fracas.dice import requests
from fracas.dice.pools import Pool
from fracas.encounters.state import Resolution, resolution_of, to_json
from fracas.engine.game import Game
from fracas.errors import InputError
from fracas.kernel import fields as kit
from fracas.kernel import items, odds, readers, ruleset, sample_facts, turns, vocabulary
from fracas.kernel.field import NoPacks
from fracas.kernel.forms import Waiting
from fracas.kernel.intents import ActionRules, Intent, Participant, StepContext
from fracas.kernel.procedures import Attempt
from fracas.kernel.ruleset import AttemptRequest, Comparison, DecisionInfo, Ruleset
from fracas.kernel.stage import Decision, Roll
from fracas.kernel.steps import Scored
from fracas.packs import entries, library

ANY: Any = object()
FIELDS: list[tuple[Any, tuple[Any, ...], str, str]] = [
    (Ruleset, ("a", "A", "A", {}), "trials", "samples"),
    (Ruleset, ("a", "A", "A", {}), "worksheets", "field_sets"),
    (Comparison, ("armor", (1,), "one", ANY, "hit", "damage"), "trial", "sample"),
    (DecisionInfo, ("a", "A", ("b", "c"), "b"), "clues", "context"),
    (Decision, ("a", "attacker", (), "b"), "about", "context"),
    (readers.PolicyInputs, (), "clues", "context"),
    (AttemptRequest, (ANY,), "said", "input"),
    (AttemptRequest, (ANY,), "catalog", "lookup"),
    (Intent, ({}, "knife", {}, {}, None, {}), "catalog", "lookup"),
    (Intent, ({}, "knife", {}, {}, None, {}), "thing", "item_data"),
    (Participant, ("a", "A", "", True, {}), "things", "condition_items"),
    (
        Resolution,
        ("r1", "action", "rook", "", "", "", (), "attack", {}, False, None, None, (), {}),
        "things",
        "items",
    ),
]


@pytest.mark.parametrize(("record", "values", "former", "name"), FIELDS)
def test_a_field_is_given_and_read_by_its_former_name(
    record: Any, values: tuple[Any, ...], former: str, name: str
) -> None:
    given: Any = object()
    plain = record(*values)
    with pytest.deprecated_call(match=name):
        changed = plain._replace(**{former: given})
    for made in (changed, plain._replace(**{name: given})):
        with pytest.deprecated_call(match=name):
            assert getattr(made, former) is getattr(made, name) is given
    first = dict(zip(record._fields, values, strict=False))
    first.pop(name, None)
    with pytest.deprecated_call(match=name):
        made = record(**first, **{former: given})
    assert made == record(**first, **{name: given})
    with pytest.raises((TypeError, ValueError), match="unknown"):
        plain._replace(unknown=1)


@pytest.mark.parametrize(
    ("module", "former", "name"),
    [
        (ruleset, "Asked", "AttemptRequest"),
        (ruleset, "Clue", "ContextField"),
        (ruleset, "Trial", "Sample"),
        (ruleset, "Trials", "Samples"),
        (ruleset, "Worksheet", "FieldSet"),
        (readers, "Watched", "PolicyInputs"),
        (vocabulary, "Catalog", "EntryLookup"),
        (vocabulary, "Said", "Input"),
        (odds, "Rest", "Shortcut"),
        (library, "Shelf", "RulesetPacks"),
        (odds, "Valuation", "fracas.kernel.expectations.Valuation"),
        (odds, "expected", "fracas.kernel.expectations.expected"),
        (turns, "Intent", "fracas.kernel.intents.Intent"),
        (requests, "Pool", "fracas.dice.pools.Pool"),
        (requests, "Total", "fracas.dice.totals.Total"),
        (entries, "Spot", "Location"),
    ],
)
def test_a_type_has_its_former_name(module: Any, former: str, name: str) -> None:
    with pytest.deprecated_call(match=rf"{former} is called {name}"):
        place, _, last = name.rpartition(".")
        assert getattr(module, former) is getattr(importlib.import_module(place) if place else module, last)
    with pytest.raises(AttributeError, match="unknown"):
        module.unknown  # noqa: B018


@pytest.mark.parametrize(
    ("former", "now", "name"), [("things", items, "slug_of"), ("witnesses", sample_facts, "search")]
)
def test_a_module_has_its_former_name(former: str, now: Any, name: str) -> None:
    sys.modules.pop(f"fracas.kernel.{former}", None)
    with pytest.deprecated_call(match=now.__name__):
        module = importlib.import_module(f"fracas.kernel.{former}")
    assert getattr(module, name) is getattr(now, name)


def test_the_packs_of_a_ruleset_have_their_former_names() -> None:
    found = library.Library.read([])
    with pytest.deprecated_call(match="ruleset_packs"):
        assert found.shelf("none") is found.ruleset_packs("none")
    game = Game(Ruleset("none", "None", "None", {}), found.ruleset_packs("none"))
    with pytest.deprecated_call(match="packs"):
        assert game.shelf is game.packs


def test_methods_have_their_former_names() -> None:
    class Rules(ActionRules):
        def deeds(self, table: Any, who: str, intent: Any) -> list[str]:
            return [who]

    with pytest.deprecated_call(match="action_tags"):
        assert Rules().action_tags(ANY, "rook", ANY) == ["rook"]
    assert ActionRules().action_tags(ANY, "rook", ANY) == ()
    step = StepContext(ANY, ANY, None, "attack", {"attacker": {"running": True}})
    with pytest.deprecated_call(match="input"):
        assert step.said("attacker") == step.input("attacker") == {"running": True}
    attempt = Attempt(AttemptRequest(vocabulary.Input({}, {})), {})
    with pytest.deprecated_call(match="request"):
        assert attempt.asked is attempt.request
    with pytest.deprecated_call(match="with_facts"):
        assert attempt.request.saying({"a": 1}).input.facts == {"a": 1}


def test_stages_may_have_the_former_names_of_what_odds_look_for() -> None:
    with pytest.deprecated_call(match="spread|successors"):

        class Glance(Waiting, kind="test.former-glance"):
            dice: int

            @property
            def awaits(self) -> Roll:
                return Roll(("glance",), ("seer",), Pool(self.dice))

            def weigh(self, inputs: Any) -> Any:
                return (0,), (1,), 1

            def followers(self, answers: Any, met: Any) -> Any:
                return [Scored("hits", answer) for answer in answers]

            def advance(self, answer: int) -> Any:
                raise AssertionError("odds look for successors")

    found = odds.odds(Glance(2), odds.Transitions(readers.DefaultPolicy(), readers.PolicyInputs()))
    assert found.only.outcomes == {Scored("hits", 0): 1}
    assert "spread" not in vars(Scored)


def test_logs_keep_the_former_name_of_the_items_of_a_step() -> None:
    step = Resolution("r1", "action", "rook", "", "", "", (), "attack", {}, False, None, None, (), {})
    stored = to_json(step._replace(items={"weapon": "katana"}))
    assert stored["things"] == {"weapon": "katana"}
    assert "items" not in stored
    assert resolution_of(stored).items == {"weapon": "katana"}


def test_a_field_of_a_request_is_given_by_its_former_name() -> None:
    words = kit.vocabulary(
        vocabulary.Record("lamp", "Lamp"), kit.fields("lamp", item=kit.text("What", renamed_from="thing"))
    )
    for name in ("thing", "item"):
        assert words.parse({"lamp": {name: "a wick"}}, NoPacks()).facts == {"lamp.item": "a wick"}
    hint = "did you mean 'item'?"
    with pytest.raises(InputError) as caught:
        words.parse({"lamp": {"itm": "a wick"}}, NoPacks())
    assert [problem.hint for problem in caught.value.problems] == [hint]

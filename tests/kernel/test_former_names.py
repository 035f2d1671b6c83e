"""Names that the kernel had before: they work for one more version, for rulesets of other packages."""

from __future__ import annotations

from typing import Any

import pytest

from fracas.dice.pools import Pool
from fracas.kernel import items, odds, readers, ruleset, things, vocabulary
from fracas.kernel.forms import Waiting
from fracas.kernel.intents import ActionRules, Intent, Participant, StepContext
from fracas.kernel.ruleset import AttemptRequest, Comparison, DecisionInfo, Ruleset
from fracas.kernel.stage import Decision, Roll
from fracas.kernel.steps import Scored

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
]


@pytest.mark.parametrize(("record", "values", "former", "name"), FIELDS)
def test_a_field_is_given_and_read_by_its_former_name(
    record: Any, values: tuple[Any, ...], former: str, name: str
) -> None:
    given: Any = object()
    plain = record(*values)
    for made in (plain._replace(**{former: given}), plain._replace(**{name: given})):
        assert getattr(made, former) is getattr(made, name) is given
    first = dict(zip(record._fields, values, strict=False))
    first.pop(name, None)
    assert record(**first, **{former: given}) == record(**first, **{name: given})
    with pytest.raises((TypeError, ValueError), match="unknown"):
        plain._replace(unknown=1)


def test_types_and_modules_have_their_former_names() -> None:
    assert (ruleset.Clue, ruleset.Worksheet) == (ruleset.ContextField, ruleset.FieldSet)
    assert (ruleset.Trial, ruleset.Trials) == (ruleset.Sample, ruleset.Samples)
    assert readers.Watched is readers.PolicyInputs
    assert (ruleset.Asked, vocabulary.Said) == (AttemptRequest, vocabulary.Input)
    assert vocabulary.Catalog is vocabulary.EntryLookup
    assert things.slug_of is items.slug_of


def test_methods_have_their_former_names() -> None:
    class Rules(ActionRules):
        def deeds(self, table: Any, who: str, intent: Any) -> list[str]:
            return [who]

    assert Rules().action_tags(ANY, "rook", ANY) == ["rook"]
    step = StepContext(ANY, ANY, None, "attack", {"attacker": {"running": True}})
    assert step.said("attacker") == step.input("attacker") == {"running": True}


def test_stages_may_have_the_former_names_of_what_odds_look_for() -> None:
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
            raise AssertionError("the followers are asked")

    found = odds.odds(Glance(2), odds.Transitions(readers.DefaultPolicy(), readers.PolicyInputs()))
    assert found.only.outcomes == {Scored("hits", 0): 1}
    assert (odds.Rest, vars(Scored).get("spread")) == (odds.Shortcut, None)

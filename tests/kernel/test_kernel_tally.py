"""Tallies: a total is the sum of an explained list, and never anything else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fracas.kernel.predicates import Compiler
from fracas.kernel.tally import Entry, HandModifier, Modifier, Refusal, Rules, Tally
from fracas.kernel.values import compile_value
from fracas.kernel.vocabulary import Field, Vocabulary

WORDS = Vocabulary(
    (),
    (
        Field("yes", "flag", "Yes"),
        Field("no", "flag", "No"),
        Field("unsaid", "flag", "Unsaid"),
        Field("three", "whole", "Three"),
        Field("missing", "whole", "Missing"),
    ),
)
FACTS = {"yes": True, "no": False, "three": 3}


def modifier(id: str, value: Any, when: Any = "yes", to: str = "pool", **more: Any) -> Modifier:
    compiler = Compiler(WORDS)
    made = Modifier(
        id,
        id.capitalize(),
        (to,),
        compiler.predicate(when),
        compile_value(value, compiler),
        source=f"core:modifier/{id}",
        **more,
    )
    assert compiler.problems == []
    return made


def tally(*modifiers: Modifier, caps: dict[str, int] | None = None, **more: Any) -> Tally:
    rules = Rules({"pool": modifiers}, caps or {})
    return rules.tally("pool", "Pool", more.pop("base", []), FACTS, more.pop("hand", ()))


def verdicts(found: Tally) -> dict[str, tuple[int | None, str, str]]:
    return {entry.id: (entry.value, entry.verdict, entry.reason) for entry in found.entries}


# Verdicts.


def test_every_candidate_gets_a_verdict_with_its_reason() -> None:
    found = tally(
        modifier("applies", -2),
        modifier("computed", {"*": ["three", 2]}),
        modifier("fails", 4, "no"),
        modifier("unsaid", 4, "unsaid"),
        modifier("valueless", "missing"),
        modifier("both", "missing", "no"),
    )
    assert verdicts(found) == {
        "applies": (-2, "applied", ""),
        "computed": (6, "applied", ""),
        "fails": (None, "failed", "no"),
        "unsaid": (None, "unknown", "unsaid"),
        "valueless": (None, "unknown", "missing"),
        "both": (None, "failed", "no"),
    }
    assert found.total == 4


def test_an_entry_tells_its_label_its_origin_and_its_source() -> None:
    found = tally(
        modifier("cover", -2), base=[Entry("skill", "Skill", 5)], hand=[HandModifier("pool", "Luck", 1)]
    )
    assert found.to == "pool"
    assert found.label == "Pool"
    assert found.entries == (
        Entry("skill", "Skill", 5, "applied", "", "base", ""),
        Entry("cover", "Cover", -2, "applied", "", "pack", "core:modifier/cover"),
        Entry("hand-1", "Luck", 1, "applied", "", "hand", ""),
    )


def test_only_modifiers_of_the_tally_are_candidates() -> None:
    rules = Rules({"pool": [modifier("mine", 1)], "armor": [modifier("other", 5, to="armor")]}, {})
    assert rules.tally("pool", "Pool", [], FACTS).total == 1
    assert rules.tally("armor", "Armor", [], FACTS).total == 5
    assert rules.tally("nothing", "Nothing", [], FACTS).entries == ()


# Hand modifiers.


def test_hand_modifiers_are_entries_of_the_tally_they_name() -> None:
    hand = [
        HandModifier("pool", "Rain", -1),
        HandModifier("armor", "Shield", 4),
        HandModifier("pool", "Wind", -2),
        HandModifier("pool", "Nothing", 0),
    ]
    found = tally(modifier("cover", -2), hand=hand)
    assert [(entry.id, entry.label, entry.value) for entry in found.entries if entry.origin == "hand"] == [
        ("hand-1", "Rain", -1),
        ("hand-2", "Wind", -2),
        ("hand-3", "Nothing", 0),
    ]
    assert found.total == -5


# Stacking.


def test_of_one_stacking_type_the_best_bonus_and_the_worst_penalty_count() -> None:
    found = tally(
        modifier("laser", 1, stack="sight"),
        modifier("smartlink", 2, stack="sight"),
        modifier("scratched", -1, stack="sight"),
        modifier("broken", -3, stack="sight"),
        modifier("nothing", 0, stack="sight"),
        modifier("cover", -2, stack="cover"),
        modifier("untyped", -2),
    )
    assert verdicts(found) == {
        "laser": (1, "suppressed", "smartlink"),
        "smartlink": (2, "applied", ""),
        "scratched": (-1, "suppressed", "broken"),
        "broken": (-3, "applied", ""),
        "nothing": (0, "applied", ""),
        "cover": (-2, "applied", ""),
        "untyped": (-2, "applied", ""),
    }
    assert found.total == -5


def test_of_two_equal_bonuses_one_counts() -> None:
    found = tally(modifier("first", 2, stack="sight"), modifier("second", 2, stack="sight"))
    assert [entry.verdict for entry in found.entries] == ["applied", "suppressed"]
    assert found.total == 2


def test_what_does_not_apply_takes_no_part_in_stacking() -> None:
    found = tally(
        modifier("best", 5, "no", stack="sight"),
        modifier("better", 4, "unsaid", stack="sight"),
        modifier("good", 1, stack="sight"),
    )
    assert found.total == 1


def test_untyped_modifiers_always_add() -> None:
    assert tally(modifier("one", 2), modifier("two", 2), modifier("three", -1)).total == 3


# Suppression.


def test_a_modifier_suppresses_others_while_it_applies() -> None:
    found = tally(
        modifier("off-hand", -2), modifier("ambidextrous", 0, suppresses=("off-hand",)), modifier("rain", -1)
    )
    assert verdicts(found)["off-hand"] == (-2, "suppressed", "ambidextrous")
    assert found.total == -1


@pytest.mark.parametrize("when", ["no", "unsaid"])
def test_a_modifier_that_does_not_apply_suppresses_nothing(when: str) -> None:
    found = tally(modifier("ambidextrous", 0, when, suppresses=("off-hand",)), modifier("off-hand", -2))
    assert verdicts(found)["off-hand"] == (-2, "applied", "")
    assert found.total == -2


def test_what_failed_is_not_called_suppressed() -> None:
    found = tally(modifier("ambidextrous", 0, suppresses=("off-hand",)), modifier("off-hand", -2, "no"))
    assert verdicts(found)["off-hand"] == (None, "failed", "no")


def test_a_suppressed_bonus_makes_room_for_the_next_of_its_type() -> None:
    found = tally(
        modifier("smartlink", 2, stack="sight"),
        modifier("laser", 1, stack="sight"),
        modifier("jammer", 0, suppresses=("smartlink",)),
    )
    assert verdicts(found)["smartlink"] == (2, "suppressed", "jammer")
    assert verdicts(found)["laser"] == (1, "applied", "")
    assert found.total == 1


# Caps.


def test_a_capped_type_adds_up_to_its_limit() -> None:
    found = tally(
        modifier("one", 2, stack="gear"),
        modifier("two", 2, stack="gear"),
        modifier("three", 2, stack="gear"),
        modifier("bad", -1, stack="gear"),
        caps={"gear": 3},
    )
    assert verdicts(found) == {
        "one": (2, "applied", ""),
        "two": (1, "capped", "2 lowered to 1: at most 3 in all"),
        "three": (0, "capped", "2 lowered to 0: at most 3 in all"),
        "bad": (-1, "applied", ""),
    }
    assert found.total == 2


def test_a_penalty_makes_no_room_under_a_cap() -> None:
    found = tally(modifier("bad", -2, stack="gear"), modifier("good", 4, stack="gear"), caps={"gear": 3})
    assert verdicts(found)["good"] == (3, "capped", "4 lowered to 3: at most 3 in all")
    assert found.total == 1


def test_a_cap_that_is_not_reached_changes_nothing() -> None:
    found = tally(modifier("one", 1, stack="gear"), modifier("two", 2, stack="gear"), caps={"gear": 3})
    assert [entry.verdict for entry in found.entries] == ["applied", "applied"]
    assert found.total == 3


# Floors.


def test_a_floor_is_one_more_entry() -> None:
    found = tally(modifier("cover", -4), base=[Entry("skill", "Skill", 1)]).at_least(0, "Never below 0")
    assert found.entries[-1] == Entry("floor", "Never below 0", 3, "applied", "", "rule", "")
    assert found.total == 0


@pytest.mark.parametrize("base", [0, 1])
def test_a_floor_that_is_not_needed_is_no_entry(base: int) -> None:
    found = tally(base=[Entry("skill", "Skill", base)])
    assert found.at_least(0, "Never below 0") == found


def test_an_entry_may_be_added() -> None:
    found = tally(base=[Entry("skill", "Skill", 1)]).plus(Entry("edge", "Edge", 2))
    assert found.total == 3


# Refusals and attribution.


def test_refusals_are_those_that_apply() -> None:
    rules = Rules(
        {
            "refusal": [
                modifier("empty", 0, refuses="empty_weapon"),
                modifier("far", 0, "no", refuses="too_far"),
                modifier("near", 0, "unsaid", refuses="too_near"),
                modifier("wet", 0, refuses="wet_powder"),
            ]
        },
        {},
    )
    assert rules.refusals(FACTS) == (
        Refusal("empty_weapon", "Empty", "core:modifier/empty"),
        Refusal("wet_powder", "Wet", "core:modifier/wet"),
    )
    assert Rules({}, {}).refusals(FACTS) == ()


def test_a_modifier_can_be_taken_out_of_one_tally() -> None:
    both = modifier("both", 2)
    rules = Rules({"pool": [both, modifier("other", 1)], "armor": [both]}, {})
    less = rules.without("pool", "both")
    assert less.tally("pool", "Pool", [], FACTS).total == 1
    assert less.tally("armor", "Armor", [], FACTS).total == 2
    assert rules.tally("pool", "Pool", [], FACTS).total == 3


def test_a_rule_with_a_memory_judges_afresh_when_the_facts_differ() -> None:
    rules = Rules({"pool": [modifier("running", -2), modifier("aim", "three")]}, {}).remembering()
    assert rules.tally("pool", "Pool", [], FACTS).total == 1
    assert rules.tally("pool", "Pool", [], {**FACTS, "yes": False}).total == 0
    assert rules.tally("pool", "Pool", [], {**FACTS, "three": 9}).total == 7
    assert rules.tally("pool", "Pool", [], FACTS).total == 1


# Properties.


SLUGS = ("m0", "m1", "m2", "m3", "m4", "m5")
SPECS = st.lists(
    st.tuples(
        st.integers(-4, 4),
        st.sampled_from(["yes", "yes", "yes", "no", "unsaid"]),
        st.sampled_from(["", "sight", "cover", "gear", "tools"]),
        st.lists(st.sampled_from(SLUGS), max_size=2).map(tuple),
    ),
    max_size=6,
)
CAPS = {"gear": 3, "tools": 0}


def built(specs: list[tuple[int, str, str, tuple[str, ...]]]) -> list[Modifier]:
    """Modifiers m0, m1 ...; what suppresses others cannot itself be suppressed: those are named s0, s1 ..."""
    made = []
    for at, (value, when, stack, suppresses) in enumerate(specs):
        made.append(modifier(f"m{at}", value, when, stack=stack))
        if suppresses:
            made.append(modifier(f"s{at}", 0, when, suppresses=suppresses))
    return made


def by_hand(specs: list[tuple[int, str, str, tuple[str, ...]]]) -> int:
    """The total as the documentation of stacking says, written down a second time."""
    applied = [at for at, spec in enumerate(specs) if spec[1] == "yes"]
    gone = {slug for at in applied for slug in specs[at][3]}
    kept = [specs[at] for at in applied if f"m{at}" not in gone]
    total = sum(value for value, _, stack, _ in kept if not stack)
    for stack in ("sight", "cover", "gear", "tools"):
        bonuses = [value for value, _, type_, _ in kept if type_ == stack and value > 0]
        penalties = [value for value, _, type_, _ in kept if type_ == stack and value < 0]
        if stack in CAPS:
            total += min(sum(bonuses), CAPS[stack]) + sum(penalties)
        else:
            total += max(bonuses, default=0) + min(penalties, default=0)
    return total


@given(SPECS, st.lists(st.integers(-9, 9), max_size=3), st.lists(st.integers(-9, 9), max_size=3))
def test_the_total_follows_stacking_suppression_and_caps(
    specs: Any, base: list[int], hand: list[int]
) -> None:
    found = tally(
        *built(specs),
        caps=CAPS,
        base=[Entry(f"b{at}", "Base", value) for at, value in enumerate(base)],
        hand=[HandModifier("pool", "Hand", value) for value in hand],
    )
    assert found.total == sum(base) + by_hand(specs) + sum(hand)


@given(SPECS, st.integers(-9, 9))
def test_the_total_is_the_sum_of_the_entries_that_count_also_with_a_floor(specs: Any, floor: int) -> None:
    found = tally(*built(specs), caps=CAPS).at_least(floor, "Floor")
    counting = [entry.value for entry in found.entries if entry.verdict in ("applied", "capped")]
    assert None not in counting
    assert found.total == sum(value for value in counting if value is not None)
    assert found.total == max(floor, by_hand(specs))


@given(SPECS, st.randoms(use_true_random=False))
def test_the_total_does_not_depend_on_the_order_of_the_modifiers(specs: Any, random: Any) -> None:
    modifiers = built(specs)
    shuffled = list(modifiers)
    random.shuffle(shuffled)
    assert tally(*shuffled, caps=CAPS).total == tally(*modifiers, caps=CAPS).total


@given(SPECS)
def test_every_modifier_has_one_entry_in_the_order_of_the_packs(specs: Any) -> None:
    modifiers = built(specs)
    found = tally(*modifiers, caps=CAPS)
    assert [entry.id for entry in found.entries] == [one.id for one in modifiers]


@given(SPECS)
def test_a_capped_or_suppressed_entry_says_why(specs: Any) -> None:
    entries = tally(*built(specs), caps=CAPS).entries
    ids = {entry.id for entry in entries}
    for entry in entries:
        if entry.verdict == "suppressed":
            assert entry.reason in ids
        elif entry.verdict == "capped":
            assert "at most" in entry.reason
        else:
            assert bool(entry.reason) is (entry.verdict in ("failed", "unknown"))


@given(SPECS, st.lists(st.integers(-9, 9), max_size=2), st.lists(st.integers(-9, 9), max_size=3))
def test_a_tally_without_one_modifier_is_the_tally_of_rules_that_lack_it(
    specs: Any, base: list[int], hand: list[int]
) -> None:
    modifiers = built(specs)
    parts = [Entry(f"b{at}", "Base", value) for at, value in enumerate(base)]
    typed = [HandModifier("pool", "Hand", value) for value in hand]
    rules = Rules({"pool": modifiers}, CAPS).remembering()
    full = rules.tally("pool", "Pool", parts, FACTS, typed)
    for gone in [one.id for one in modifiers]:
        lacking = Rules({"pool": [one for one in modifiers if one.id != gone]}, CAPS)
        expected = lacking.tally("pool", "Pool", parts, FACTS, typed)
        assert rules.retally(full, gone) == expected
        assert rules.without("pool", gone).tally("pool", "Pool", parts, FACTS, typed) == expected
    for at in range(len(hand)):
        less = rules.retally(full.at_least(3, "Floor"), f"hand-{at + 1}")
        assert less.total == full.total - hand[at]
        assert f"hand-{at + 1}" not in [entry.id for entry in less.entries]

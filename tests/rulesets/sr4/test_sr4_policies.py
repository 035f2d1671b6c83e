"""Policies for Edge: "reroll if it would miss", counted out by hand, and laws that hold for all pools.

The counting knows nothing of stages: hits of dice, the comparison of two sides, and who looks at what (rulebook
sections 1, 2 and 7).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sr4_table import SINGLE, chances, measures, odds, request, resolve, seed, step

from fracas.engine.running import Answer, give_odds
from fracas.errors import InputError

Chances = dict[Any, Fraction]
EDGE = {"edge": 3, "edge_points": 1}
REROLL = {"decision": "edge-after", "choose": "reroll"}
ADD = {"decision": "edge-after", "choose": "add"}
NEGATE = {"decision": "edge-after", "choose": "negate-glitch"}


def failing(by: str = "attacker", **more: Any) -> dict[str, Any]:
    return {**REROLL, "by": by, "when": "failing", **more}


def attack(mine: int, theirs: int, soak: int = 4, dv: int = 4, **changes: Any) -> dict[str, Any]:
    """An attack in numbers; both sides have a point of Edge, and nobody's monitor matters."""
    situation: dict[str, Any] = {
        "attacker": {"pool": mine, **EDGE},
        "target": {"pool": theirs, "body": soak, "ballistic": 0, "impact": 0, **EDGE},
        "weapon": {"dv": dv, "damage": "physical", "ap": 0, "armor_kind": "ballistic", "rc": 9},
        "fire": SINGLE,
    }
    for name, fields in changes.items():
        situation[name] = {**situation.get(name, {}), **fields} if isinstance(fields, dict) else fields
    return situation


def hits(dice: int) -> Chances:
    return {count: Fraction(comb(dice, count) * 2 ** (dice - count), 3**dice) for count in range(dice + 1)}


def again(dice: int, had: int) -> Chances:
    """Hits after every die that was none is rolled once more."""
    return {had + more: chance for more, chance in hits(dice - had).items()}


def boxes(mine: int, theirs: int, soak: int, dv: int, who: Mapping[str, Callable[[int], bool]]) -> Chances:
    """The chance of every number of boxes; `who`: which side rerolls, asked how many hits it lacks.

    The attacker looks first, then the target; the target may keep its Edge for the resistance.
    """
    found: Chances = defaultdict(Fraction)
    never: Callable[[int], bool] = lambda short: False  # noqa: E731
    first, second, third = (who.get(name, never) for name in ("attack", "defense", "soak"))
    for h, chance in hits(mine).items():
        for d, share in hits(theirs).items():
            attacks = again(mine, h) if first(d - h + 1) and h < mine else {h: Fraction(1)}
            for now, part in attacks.items():
                spends = second(now - d) and d < theirs
                for defended, piece in (again(theirs, d) if spends else {d: Fraction(1)}).items():
                    weight = chance * share * part * piece
                    net = now - defended
                    if net <= 0:
                        found["miss"] += weight
                        continue
                    for s, slice_ in hits(soak).items():
                        resists = {s: Fraction(1)}
                        if third(dv + net - s) and not spends and s < soak:
                            resists = again(soak, s)
                        for resisted, bit in resists.items():
                            found[max(0, dv + net - resisted)] += weight * slice_ * bit
    return found


def found_boxes(situation: Mapping[str, Any], decisions: Any) -> dict[Any, float]:
    rows = chances(odds(situation, decisions=decisions), ["result", "damage"])
    found: dict[Any, float] = defaultdict(float)
    for (result, damage), chance in rows.items():
        found[damage if result == "hit" else "miss"] += chance
    return found


def agree(found: Mapping[Any, float], expected: Mapping[Any, Fraction]) -> None:
    for key in found.keys() | expected.keys():
        assert found.get(key, 0.0) == pytest.approx(float(expected.get(key, 0)), abs=1e-12), key


WHO: dict[str, tuple[list[dict[str, Any]], dict[str, Callable[[int], bool]]]] = {
    "nobody": ([], {}),
    "attacker": ([failing()], {"attack": lambda short: short > 0}),
    "defender": ([failing("target", roll="defense")], {"defense": lambda short: short > 0}),
    "both": (
        [failing(), failing("target", roll="defense")],
        {"attack": lambda short: short > 0, "defense": lambda short: short > 0},
    ),
    "target, whenever it may": (
        [failing("target")],
        {"defense": lambda short: short > 0, "soak": lambda short: short > 0},
    ),
    "only for one or two hits": (
        [{**failing(), "when": {"short": {"at_least": 1, "at_most": 2}}}],
        {"attack": lambda short: short in (1, 2)},
    ),
    "only against many boxes": (
        [{**failing("target"), "roll": "soak", "when": {"short": {"at_least": 4}}}],
        {"soak": lambda short: short >= 4},
    ),
    "although it hits": (
        [{**failing(), "when": "succeeding"}],
        {"attack": lambda short: short <= 0},
    ),
    "in any case": ([{**REROLL, "by": "attacker"}], {"attack": lambda short: True}),
}


@pytest.mark.parametrize(("decisions", "who"), WHO.values(), ids=WHO)
@pytest.mark.parametrize(("mine", "theirs"), [(3, 2), (5, 5), (2, 6), (4, 0)])
def test_rerolls_counted_out_by_hand(mine: int, theirs: int, decisions: Any, who: Any) -> None:
    if not theirs:  # nobody decides about no dice
        decisions = [one for one in decisions if one.get("roll") != "defense"]
    agree(found_boxes(attack(mine, theirs), decisions), boxes(mine, theirs, 4, 4, who))


@pytest.mark.parametrize("threshold", [1, 2, 4, 6])
def test_a_success_test_is_rerolled_if_it_fails(threshold: int) -> None:
    """5 dice: it fails with less than the threshold, and then every miss is thrown once more."""
    expected = sum(
        chance * (1 if had >= threshold else sum(c for now, c in again(5, had).items() if now >= threshold))
        for had, chance in hits(5).items()
    )
    found = odds(
        {"tester": {"pool": 5, **EDGE}, "threshold": threshold},
        procedure="success-test",
        decisions=[failing("tester")],
    )
    assert measures(found)["success"] == pytest.approx(float(expected), abs=1e-12)


def test_hits_are_bought_where_they_will_do() -> None:
    """9 dice buy 2 hits: enough for a threshold of 2, and for one of 3 they are thrown."""
    buy = [{"decision": "buy-hits", "choose": "buy", "when": "succeeding"}]
    for threshold, expected in ((2, Fraction(1)), (3, sum(c for n, c in hits(9).items() if n >= 3))):
        situation = {"tester": {"pool": 9}, "threshold": threshold}
        found = odds(situation, procedure="success-test", decisions=buy, options={"buying_hits": True})
        assert measures(found)["success"] == pytest.approx(float(expected), abs=1e-12)


def test_edge_is_pushed_where_much_is_needed() -> None:
    """The resistance test is pushed against 6 boxes and more; then Edge dice are added, and sixes roll again."""
    push = {"decision": "edge-before", "choose": "push", "by": "target", "roll": "soak"}
    for dv, least in ((4, 6), (6, 6)):
        policy = {**push, "when": {"needed": {"at_least": least}}}
        found = odds(attack(2, 0, dv=dv), decisions=[policy])
        always, never = odds(attack(2, 0, dv=dv), decisions=[push]), odds(attack(2, 0, dv=dv))
        if dv == 6:  # at least one net hit: always 7 or more
            assert measures(found) == pytest.approx(measures(always), abs=1e-12)
        else:
            assert (
                measures(always)["damage"] < measures(found)["damage"] < measures(never)["damage"]
            )  # only two net hits make 6 boxes


def test_a_glitch_is_cancelled_only_where_there_is_one() -> None:
    answer = odds(attack(3, 2), decisions=[{**NEGATE, "by": "attacker", "when": "critical-glitch"}])
    assert measures(answer) == pytest.approx(measures(odds(attack(3, 2))), abs=1e-12)


# How it stands is told to people as well.


def test_the_question_tells_how_it_stands() -> None:
    """Attack 2 hits, defense 2: the attacker lacks one, the defender nothing. Then 3 against 2."""
    faces = iter([((5, 5, 1, 2), (6, 6, 3)), ((5, 3),), ((2, 3, 5, 1),)])

    def choose(question: Mapping[str, Any]) -> str | None:
        lacks = question["about"].get("short")
        return "reroll" if question["by"] == "attacker" and lacks and lacks > 0 else None

    _, asked = step(attack(4, 3), choose, lambda question: Answer(dice=next(faces)))
    told = [
        (question["by"], question["about"]["roll"], question["about"]["short"])
        for question in asked
        if question["kind"] == "decision" and question["decision"] == "edge-after"
    ]
    # The attack: 2 of 2. Rerolled: a hit more, so the defender lacks one. DV 4 + 1 less one hit of resistance.
    assert told == [("attacker", "attack", 1), ("target", "defense", 1), ("target", "soak", 4)]


MELEE = {
    "attacker": {"pool": 4, **EDGE},
    "target": {"pool": 4, "body": 3, "armor": [], **EDGE},
    "weapon": {
        "skill": "unarmed-combat",
        "reach": 0,
        "dv": 2,
        "damage": "stun",
        "ap": 0,
        "armor_kind": "impact",
    },
}


@pytest.mark.parametrize("graze_on_zero", [True, False])
@pytest.mark.parametrize("aim", ["damage", "touch", "knockdown", "subdue"])
def test_how_it_stands_is_how_it_ends(aim: str, graze_on_zero: bool) -> None:
    """Whoever lacks nothing after the throw succeeds if nothing more is done, in whatever he is after."""
    strong = {**MELEE["attacker"], "strength": 4}
    situation = {**MELEE, "attacker": strong, "aim": aim}
    options = {"graze_on_zero": graze_on_zero}
    seen = 0
    for number in range(60):
        answer, asked = step(
            situation,
            procedure="melee-attack",
            options=options,
            dice=seed(number),
        )
        by_roll = {
            question["about"]["roll"]: question["about"]
            for question in asked
            if question["kind"] == "decision" and question["decision"] == "edge-after"
        }
        outcome = answer["outcome"]
        success = {
            "damage": outcome["result"] == "hit",
            "touch": outcome.get("touched"),
            "knockdown": outcome["knockdown"] if aim == "knockdown" else None,
            "subdue": outcome.get("held"),
        }[aim]
        assert (by_roll["attack"]["short"] <= 0) is success
        assert (by_roll["defense"]["short"] <= 0) is (not success)
        assert by_roll["attack"]["short"] + by_roll["defense"]["short"] == 1
        if "soak" in by_roll:
            seen += 1
            assert outcome["damage"] == max(0, by_roll["soak"]["short"])
    assert seen or aim != "damage"


# Laws.

POOLS = st.integers(1, 14)


@given(mine=st.integers(1, 10), theirs=st.integers(0, 10), most=st.integers(1, 5))
@settings(max_examples=30)
def test_rerolling_what_fails_never_hits_less_often(mine: int, theirs: int, most: int) -> None:
    """As often as rerolling in any case, for that changes no hit into a miss; and the less rarely, the better."""
    situation = attack(mine, theirs)
    some = {**failing(), "when": {"short": {"at_least": 1, "at_most": most}}}
    never, sometimes, always, any_case = (
        measures(odds(situation, decisions=decisions))["hit"]
        for decisions in ([], [some], [failing()], [{**REROLL, "by": "attacker"}])
    )
    assert never - 1e-12 <= sometimes <= always + 1e-12
    assert always == pytest.approx(any_case, abs=1e-12)


@given(mine=POOLS, theirs=st.integers(1, 14), soak=st.integers(1, 12))
def test_a_target_that_rerolls_is_never_hurt_more(mine: int, theirs: int, soak: int) -> None:
    situation = attack(mine, theirs, soak)
    plain = measures(odds(situation))
    for roll in ("defense", "soak"):
        spared = measures(odds(situation, decisions=[failing("target", roll=roll)]))
        assert spared["damage"] <= plain["damage"] + 1e-12
        assert spared["hit"] <= plain["hit"] + 1e-12


@given(pool=st.integers(1, 20), threshold=st.integers(1, 8), choice=st.sampled_from([REROLL, ADD]))
def test_edge_for_a_failure_never_lowers_the_chance(pool: int, threshold: int, choice: Any) -> None:
    situation = {"tester": {"pool": pool, **EDGE}, "threshold": threshold}
    plain = measures(odds(situation, procedure="success-test"))
    policy = {**choice, "when": "failing"}
    better = measures(odds(situation, procedure="success-test", decisions=[policy]))
    assert better["success"] >= plain["success"] - 1e-12
    in_any_case = measures(odds(situation, procedure="success-test", decisions=[choice]))
    assert better["success"] == pytest.approx(in_any_case["success"], abs=1e-9)


@given(mine=st.integers(1, 6), theirs=st.integers(0, 4), choice=st.sampled_from([REROLL, ADD, NEGATE]))
@settings(max_examples=25)
def test_who_looks_at_the_ones_finds_the_same_odds(mine: int, theirs: int, choice: Any) -> None:
    """A policy that goes by the ones has every throw told apart; one that takes any number of them is no other."""
    situation = attack(mine, theirs, 3)
    plain = {**choice, "by": "attacker", "when": "glitch"}
    looking = {
        **choice,
        "by": "attacker",
        "when": {"glitch": ["glitch", "critical"], "ones": {"at_least": 0}},
    }
    found = [odds(situation, decisions=[one]) for one in (plain, looking)]
    assert measures(found[0]) == pytest.approx(measures(found[1]), abs=1e-12)
    assert found[0]["glitches"] == [
        {
            "roll": row["roll"],
            "glitch": pytest.approx(row["glitch"]),
            "critical": pytest.approx(row["critical"]),
        }
        for row in found[1]["glitches"]
    ]


@given(mine=POOLS, theirs=st.integers(0, 10), number=st.integers(0, 2**32))
def test_resolving_takes_the_policy_where_it_holds(mine: int, theirs: int, number: int) -> None:
    answer = resolve(attack(mine, theirs), decisions=[failing()], dice=seed(number))
    first, *more = [row for row in answer["rolls"] if row["label"] == "attack"]
    defense = next((row for row in answer["rolls"] if row["label"] == "defense"), None)
    had = first["result"]["hits"]
    missed = had <= (defense["result"]["hits"] if defense else 0) and had < mine  # a die is left to reroll
    assert bool(more) is missed
    (asked,) = [row for row in answer["decisions"] if row["by"] == "attacker"]
    assert (asked["choice"], asked["how"]) == (("reroll", "policy") if missed else ("none", "default"))


# Size.


def test_a_policy_for_large_pools_is_no_hard_work() -> None:
    """Hits are told apart and the glitches they make, but not the ones: far fewer throws than 40 and 40 dice have."""
    answer = odds(attack(40, 40, 30, 12), decisions=[failing(), failing("target", roll="defense")])
    assert sum(row["chance"] for row in answer["branches"][0]["outcomes"]) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(("pool", "attribution"), [(40, False), (22, True)])
def test_the_longest_extended_test_is_not_too_complex(pool: int, attribution: bool) -> None:
    """Forty rolls of forty dice; also with a wound, whose penalty is taken away to see what it changes."""
    situation = {"tester": {"pool": pool, "stun": 3, "physical": 0}, "threshold": 50}
    found = give_odds(request(situation, procedure="extended-test", attribution=attribution))
    assert bool(found["attribution"]) is attribution
    assert sum(row["chance"] for row in found["branches"][0]["outcomes"]) == pytest.approx(1, abs=1e-9)


def test_a_policy_that_can_never_be_judged_is_reported() -> None:
    """Nothing is to be reached with initiative, so that it cannot fail."""
    with pytest.raises(InputError) as caught:
        odds(
            {"tester": {"initiative": 6, **EDGE}}, procedure="initiative-test", decisions=[failing("tester")]
        )
    (problem,) = caught.value.problems
    assert (problem.path, problem.code) == ("decisions", "decision-not-asked")
    assert "'short'" in problem.message

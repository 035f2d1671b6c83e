"""Odds: exact, complete, the same as every throw of every die, and fair to every modifier."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from attacks import DUEL, SMALL, TEST, put

from fracas.dice.sources import Dealt
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.policies import ChoicesAlways
from fracas.engine.requests import DiceWish, Request, RequestSchema
from fracas.engine.running import give_odds, resolve
from fracas.errors import DiceError
from fracas.kernel import readers
from fracas.kernel.readers import Progress
from fracas.kernel.stage import Decision
from fracas.packs.library import Library

Ask = Callable[[Any], Request]
EDGE = {"edge": 2, "edge_points": 1}
DECISIONS = {
    "push": {"decision": "edge-before", "choose": "push"},
    "add": {"decision": "edge-after", "choose": "add"},
    "reroll": {"decision": "edge-after", "choose": "reroll", "by": "attacker"},
    "negate": {"decision": "edge-after", "choose": "negate-glitch", "by": "attacker"},
    "buy": {"decision": "buy-hits", "choose": "buy"},
}


def key(facts: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(facts.items(), key=lambda item: item[0]))


def chances(answer: dict[str, Any]) -> dict[Any, float]:
    """The chance of each outcome, by its facts."""
    (branch,) = answer["branches"]
    found: dict[Any, float] = {}
    for row in branch["outcomes"]:
        found[key(row["outcome"])] = found.get(key(row["outcome"]), 0.0) + row["chance"]
    return found


def measures(answer: dict[str, Any]) -> dict[str, float]:
    return {measure["id"]: measure["value"] for measure in answer["measures"]}


def glitches(answer: dict[str, Any]) -> dict[tuple[str, str], float]:
    return {(row["roll"], kind): row[kind] for row in answer["glitches"] for kind in ("glitch", "critical")}


# Against every throw.


def armed(target: Any = None, attacker: Any = None, weapon: Any = None, **more: Any) -> dict[str, Any]:
    """The small attack with other fields."""
    data = {**SMALL, **more}
    for name, fields in (("target", target), ("attacker", attacker), ("weapon", weapon)):
        data = put(data, f"situation/{name}", {**SMALL["situation"][name], **(fields or {})})
    return data


ENUMERATED = {
    "plain": SMALL,
    "stopped by armor": armed({"ballistic": 1}, weapon={"dv": 0}),
    "stun": armed({"ballistic": 1}, weapon={"dv": 1, "damage": "stun"}),
    "monitors": armed({"physical": 2, "stun": 7, "willpower": 2}, weapon={"damage": "stun"}),
    "contact": put(SMALL, "situation/contact", True),
    "unaware": armed({"unaware": True}),
    "more than half": {**SMALL, "options": {"glitch_rule": "more_than_half"}},
    "grazing with hits": {**SMALL, "options": {"graze_on_zero": False}},
    "no grazing": {**SMALL, "options": {"grazing_hits": False}},
    "no defense dice": armed({"pool": 0}),
    "three dice": armed(attacker={"pool": 3}),
    "no attack dice": armed(attacker={"pool": 0}),
    "test": put(TEST, "situation/tester", {"pool": 3}),
}


def every_resolve(request: Request) -> list[tuple[dict[str, Any], Fraction]]:
    """Resolve with every combination of faces; the groups of dice are found by asking."""
    found = []

    def follow(given: tuple[tuple[int, ...], ...], chance: Fraction) -> None:
        try:
            answer = resolve(request._replace(dice=DiceWish("supplied", None, given)))
        except DiceError as error:
            (problem,) = error.problems
            assert problem.code == "too-few-dice"
            size = int(problem.message.split(" asks for ")[1].split("d6")[0])
            for faces in product(range(1, 7), repeat=size):
                follow((*given, faces), chance / 6**size)
        else:
            found.append((answer, chance))

    follow((), Fraction(1))
    return found


@pytest.mark.parametrize("data", ENUMERATED.values(), ids=ENUMERATED)
def test_odds_agree_with_resolving_every_throw(ask: Ask, data: Any) -> None:
    request = ask(data)
    odds = give_odds(request)
    outcomes: dict[Any, Fraction] = {}
    glitching: dict[tuple[str, str], Fraction] = {}
    names = {name for row in odds["branches"][0]["outcomes"] for name in row["outcome"]}
    for answer, chance in every_resolve(request):
        facts = key({name: fact for name, fact in answer["outcome"].items() if name in names})
        outcomes[facts] = outcomes.get(facts, Fraction(0)) + chance
        for roll in answer["rolls"]:
            for kind in ("glitch", "critical"):
                glitched = chance if roll["result"]["glitch"] == kind else Fraction(0)
                place = roll["label"], kind
                glitching[place] = glitching.get(place, Fraction(0)) + glitched
    assert sum(outcomes.values()) == 1
    assert chances(odds) == pytest.approx(
        {facts: float(chance) for facts, chance in outcomes.items()}, abs=1e-12
    )
    assert glitches(odds) == pytest.approx(
        {place: float(share) for place, share in glitching.items()}, abs=1e-12
    )


def every_progress(request: Request) -> list[tuple[Progress, float]]:
    """Every way through the stages under the request's choices; explosions until they are negligible."""
    stage = request.procedure.prepare(request.attempt).stage
    assert stage is not None
    policy = ChoicesAlways(request.choices)
    found = []

    def throws(dice: int, exploding: bool, chance: float) -> list[tuple[tuple[int, ...], float]]:
        ways = []
        for faces in product(range(1, 7), repeat=dice):
            share = chance / 6**dice
            tops = faces.count(6) if exploding else 0
            if not tops:
                ways.append((faces, share))
            elif share > 1e-6:
                ways += [(faces + more, rest) for more, rest in throws(tops, True, share)]
        return ways

    def follow(progress: Progress, chance: float) -> None:
        awaited = progress.stage.awaits
        if awaited is None:
            found.append((progress, chance))
        elif isinstance(awaited, Decision):
            follow(readers.choose(progress, *policy.choose(awaited)), chance)
        else:
            groups = awaited.request.groups()
            for parts in product(*(throws(group.dice, group.exploding, 1.0) for group in groups)):
                share = chance
                for _, part in parts:
                    share *= part
                follow(readers.throw(progress, Dealt(tuple(faces for faces, _ in parts), "supplied")), share)

    follow(readers.begin(stage), 1.0)
    return found


WITH_EDGE: dict[str, Any] = {
    "reroll": {
        **put(TEST, "situation/tester", {"pool": 3, **EDGE}),
        "decisions": [{"decision": "edge-after", "choose": "reroll"}],
    },
    "reroll in an attack": armed(attacker={"pool": 2, **EDGE}, decisions=[DECISIONS["reroll"]]),
    "negate": armed(attacker=EDGE, decisions=[DECISIONS["negate"]]),
    "buy": armed(
        attacker={"pool": 5}, target={"pool": 2}, options={"buying_hits": True}, decisions=[DECISIONS["buy"]]
    ),
    "long shot": {
        **put(TEST, "situation/tester", {"pool": 0, **EDGE}),
        "decisions": [{"decision": "edge-before", "choose": "long-shot"}],
    },
}


def by_outcome(request: Request, odds: dict[str, Any]) -> dict[Any, float]:
    names = {name for row in odds["branches"][0]["outcomes"] for name in row["outcome"]}
    found: dict[Any, float] = {}
    for progress, chance in every_progress(request):
        facts = key({name: fact for name, fact in progress.details.items() if name in names})
        found[facts] = found.get(facts, 0.0) + chance
    return found


@pytest.mark.parametrize("data", WITH_EDGE.values(), ids=WITH_EDGE)
def test_odds_with_decisions_agree_with_every_throw(ask: Ask, data: Any) -> None:
    request = ask(data)
    odds = give_odds(request)
    assert chances(odds) == pytest.approx(by_outcome(request, odds), abs=1e-12)


@pytest.mark.parametrize("choice", ["push", "add"])
def test_odds_with_exploding_dice_agree_with_every_throw_that_is_not_negligible(
    ask: Ask, choice: str
) -> None:
    tester = {"pool": 1, "edge": 1, "edge_points": 1}
    request = ask({**put(TEST, "situation/tester", tester), "decisions": [DECISIONS[choice]]})
    odds = chances(give_odds(request))
    found = by_outcome(request, give_odds(request))
    assert {facts: odds[facts] for facts in found} == pytest.approx(found, abs=1e-4)
    assert sum(found.values()) > 1 - 1e-4


# Complete and exact.


ASKED = {
    "duel": DUEL,
    "push": {**DUEL, "decisions": [DECISIONS["push"]]},
    "push against push": {
        **DUEL,
        "decisions": [{**DECISIONS["push"], "by": who} for who in ("attacker", "target")],
    },
    "add": armed(attacker={"pool": 4, **EDGE}, decisions=[DECISIONS["add"]]),
    "reroll": {**DUEL, "decisions": [DECISIONS["reroll"]]},
    "buy": {**DUEL, "options": {"buying_hits": True}, "decisions": [DECISIONS["buy"]]},
    "small": SMALL,
    "test": TEST,
    "no attack": armed(attacker={"pool": 0}),
    "large": armed(attacker={"pool": 60}, target={"pool": 60, "body": 50}),
}


@pytest.mark.parametrize("data", ASKED.values(), ids=ASKED)
def test_chances_sum_to_one(ask: Ask, data: Any) -> None:
    assert sum(chances(give_odds(ask(data))).values()) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("data", ASKED.values(), ids=ASKED)
def test_exact_weights_sum_to_the_total_and_give_the_chances(ask: Ask, data: Any) -> None:
    (branch,) = give_odds(ask({**data, "exact": True}))["branches"]
    total = int(branch["total"])
    assert sum(int(row["weight"]) for row in branch["outcomes"]) == total
    for row in branch["outcomes"]:
        assert row["chance"] == int(row["weight"]) / total


def test_weights_are_told_only_on_request(ask: Ask) -> None:
    (branch,) = give_odds(ask(SMALL))["branches"]
    assert set(branch) == {"branch", "outcomes"}
    assert {name for row in branch["outcomes"] for name in row} == {"chance", "outcome"}


def test_outcomes_come_with_the_likeliest_first(ask: Ask) -> None:
    (branch,) = give_odds(ask(DUEL))["branches"]
    listed = [row["chance"] for row in branch["outcomes"]]
    assert listed == sorted(listed, reverse=True)


@pytest.mark.parametrize("data", ASKED.values(), ids=ASKED)
def test_measures_are_expectations_over_the_outcomes(ask: Ask, data: Any) -> None:
    request = ask(data)
    answer = give_odds(request)
    expected = {
        measure.id: sum(
            row["chance"] * measure.of(row["outcome"]) for row in answer["branches"][0]["outcomes"]
        )
        for measure in request.procedure.measures
    }
    assert measures(answer) == pytest.approx(expected, abs=1e-9)


def test_the_policy_is_told(ask: Ask) -> None:
    choice = {"decision": "edge-before", "choose": "push", "by": "attacker", "roll": "attack"}
    assert give_odds(ask({**DUEL, "decisions": [choice]}))["policy"] == [choice]


@pytest.mark.parametrize("decision", ["edge-before", "edge-after", "buy-hits"])
@pytest.mark.parametrize(
    "data", [DUEL, TEST, armed(attacker=EDGE, target=EDGE)], ids=["duel", "test", "small"]
)
def test_opening_a_decision_never_changes_the_odds(ask: Ask, data: Any, decision: str) -> None:
    options = {"options": {"buying_hits": True}}
    closed = give_odds(ask({**data, **options}))
    opened = give_odds(ask({**data, **options, "decisions": [{"decision": decision, "choose": "none"}]}))
    assert chances(opened) == pytest.approx(chances(closed), abs=1e-12)
    assert measures(opened) == pytest.approx(measures(closed), abs=1e-12)
    assert glitches(opened) == pytest.approx(glitches(closed), abs=1e-12)


def test_stepping_and_odds_see_the_same_procedure(ask: Ask) -> None:
    """Step mode opens every decision; with their defaults the odds stay as they are."""
    opened = give_odds(ask({**DUEL, "mode": "step"}))
    assert chances(opened) == pytest.approx(chances(give_odds(ask(DUEL))), abs=1e-12)


# Attribution.


def weighed_without(games: Games, data: dict[str, Any], slug: str) -> dict[str, float]:
    """The measures in a game whose packs lack the modifier altogether."""
    packs = [
        pack._replace(entries=tuple(e for e in pack.entries if (e.kind, e.slug) != ("modifier", slug)))
        for pack in games.library.packs.values()
    ]
    assert [len(pack.entries) for pack in packs] != [len(p.entries) for p in games.library.packs.values()]
    schema = RequestSchema(Games(Library(packs)))
    return measures(give_odds(load(schema, {**data, "attribution": False})))


COVERED = put(
    put(put(DUEL, "situation/target/running", True), "situation/target/prone", True), "situation/distance", 40
)
SIGHTS = armed(
    attacker={"pool": 9, "smartlink": True, "in_melee": True, "off_hand": True},
    target={"pool": 4, "body": 3, "running": True, "defenses_made": 2, "cover": "good"},
    weapon={"features": ["smartgun", "laser-sight"]},
)
FLOORED = armed(
    attacker={"pool": 3, "in_melee": True, "smartlink": True},
    weapon={"features": ["smartgun"]},
    target={"prone": True},
)
VITAL = put(
    put(SIGHTS, "situation/called_shot", {"kind": "vital", "dv": 3}), "situation/target/in_melee", True
)
BURST = put(
    armed(
        attacker={"pool": 12, "running": True, "recoil_compensation": 2},
        target={"pool": 4, "body": 3, "running": True},
        weapon={"modes": ["FA"], "rc": 1},
    ),
    "situation/fire",
    {"mode": "long-burst", "spread": "narrow"},
)
MODIFIED = {
    "duel": DUEL,
    "covered": COVERED,
    "sights": SIGHTS,
    "floored": FLOORED,
    "vital": VITAL,
    "test": put(TEST, "situation/tester", {"pool": 6, "running": True}),
    "burst": BURST,
}


@pytest.mark.parametrize("data", MODIFIED.values(), ids=list(MODIFIED))
def test_attribution_is_the_difference_to_a_pack_that_lacks_the_modifier(
    games: Games, ask: Ask, data: Any
) -> None:
    answer = give_odds(ask(data))
    counting = [
        (tally["to"], entry["id"])
        for tally in answer["modifiers"]
        for entry in tally["entries"]
        if entry["origin"] == "pack" and entry["verdict"] in ("applied", "capped") and entry["value"]
    ]
    of_rule = {
        (tally["to"], entry["id"])
        for tally in answer["modifiers"]
        for entry in tally["entries"]
        if entry["origin"] == "rule"
    }
    rows = [row for row in answer["attribution"] if (row["to"], row["id"]) not in of_rule]
    assert counting
    assert [(row["to"], row["id"]) for row in rows] == counting
    for row in rows:
        without = weighed_without(games, data, row["id"])
        expected = {name: value - without[name] for name, value in measures(answer).items()}
        assert row["change"] == pytest.approx(expected, abs=1e-9), row["id"]


HAND = [
    {"to": "attack.pool", "label": "Rain", "value": -2},
    {"to": "attack.pool", "label": "Luck", "value": 3},
    {"to": "defense.pool", "label": "Mud", "value": -1},
    {"to": "damage.value", "label": "Big", "value": 2},
    {"to": "damage.value", "label": "Small", "value": -1},
    {"to": "damage.burst", "label": "Bang", "value": 1},
    {"to": "armor.rating", "label": "Rust", "value": -3},
    {"to": "resist.pool", "label": "Tough", "value": 2},
    {"to": "recoil.compensation", "label": "Strap", "value": 1},
]


@pytest.mark.parametrize(
    "data",
    [
        DUEL,
        FLOORED,
        BURST,
    ],
    ids=["duel", "floored", "burst"],
)
def test_attribution_is_the_difference_to_a_request_that_lacks_the_hand_modifier(ask: Ask, data: Any) -> None:
    answer = give_odds(ask({**data, "modifiers": HAND}))
    rows = {
        (row["to"], row["label"]): row["change"]
        for row in answer["attribution"]
        if row["id"].startswith("hand-")
    }
    assert set(rows) == {(item["to"], item["label"]) for item in HAND}
    for item in HAND:
        less = [other for other in HAND if other is not item]
        without = measures(give_odds(ask({**data, "modifiers": less, "attribution": False})))
        expected = {name: value - without[name] for name, value in measures(answer).items()}
        assert rows[item["to"], item["label"]] == pytest.approx(expected, abs=1e-9), item["label"]


def test_attribution_can_be_left_out(ask: Ask) -> None:
    full, bare = give_odds(ask(COVERED)), give_odds(ask({**COVERED, "attribution": False}))
    assert bare["attribution"] == []
    assert {**full, "attribution": []} == bare


# Known faults.


@pytest.mark.parametrize("choice", ["add", "reroll"])
def test_glitches_of_a_test_with_edge_after_the_roll_are_those_it_ends_with(ask: Ask, choice: str) -> None:
    tester = {"pool": 2, "edge": 1, "edge_points": 1}
    decision = {"decision": "edge-after", "choose": choice}
    request = ask({**put(TEST, "situation/tester", tester), "decisions": [decision]})
    expected = {"glitch": 0.0, "critical": 0.0, "none": 0.0}
    for progress, chance in every_progress(request):
        expected[str(progress.details["test_glitch"])] += chance
    assert glitches(give_odds(request)) == pytest.approx(
        {("test", kind): expected[kind] for kind in ("glitch", "critical")}, abs=1e-4
    )


def test_opening_edge_for_a_pool_of_no_dice_changes_no_odds(ask: Ask) -> None:
    data = armed(attacker={"pool": 0, **EDGE})
    opened = give_odds(ask({**data, "decisions": [{"decision": "edge-before", "choose": "none"}]}))
    assert chances(opened) == pytest.approx(chances(give_odds(ask(data))), abs=1e-12)

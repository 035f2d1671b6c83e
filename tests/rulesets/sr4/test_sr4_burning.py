"""Burned Edge: a critical success on any test of anybody, whoever throws, and what it costs (rulebook section 2)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sr4_samples import PROCEDURES, SAMPLES, with_edge
from sr4_table import SINGLE, chances, effects, measures, odds, resolve, seed, step

from fracas.kernel.ruleset import Procedure

Data = dict[str, Any]
EDGE = {"edge": 3, "edge_points": 3}
SEED = {"source": "seed", "seed": f"{11:064x}"}


def burn(by: str, roll: str) -> Data:
    return {"decision": "edge-before", "by": by, "roll": roll, "choose": "burn"}


def attack(mine: int, theirs: int, soak: int = 4, dv: int = 4, **changes: Any) -> Data:
    situation: Data = {
        "attacker": {"pool": mine, **EDGE},
        "target": {"pool": theirs, "body": soak, "ballistic": 0, "impact": 0, **EDGE},
        "weapon": {"dv": dv, "damage": "physical", "ap": 0, "armor_kind": "ballistic", "rc": 9},
        "fire": SINGLE,
    }
    for name, fields in changes.items():
        situation[name] = {**situation.get(name, {}), **fields} if isinstance(fields, dict) else fields
    return situation


def hits(dice: int) -> dict[int, Fraction]:
    return {count: Fraction(comb(dice, count) * 2 ** (dice - count), 3**dice) for count in range(dice + 1)}


def costs(answer: Mapping[str, Any]) -> list[tuple[str, str, int]]:
    return [(one["who"], one["what"], one["amount"]) for one in effects(answer, "spend")]


def rolled(answer: Mapping[str, Any]) -> list[str]:
    return [roll["label"] for roll in answer["rolls"]]


# Everywhere.


def played(sample: Data, procedure: str, wanted: tuple[str, str] | None) -> tuple[Data, list[Data]]:
    """A sample with every decision asked; `wanted`: who burns Edge on which roll."""

    def choose(question: Mapping[str, Any]) -> str | None:
        found = question["decision"], question["by"], question["about"].get("roll")
        return "burn" if found == ("edge-before", *(wanted or ())) else None

    rest = {name: value for name, value in sample.items() if name not in ("situation", "dice", "decisions")}
    return step(sample["situation"], choose, procedure=procedure, dice=SEED, **rest)


def offers(questions: list[Data]) -> list[tuple[str, str]]:
    return [
        (one["by"], one["about"]["roll"])
        for one in questions
        if one.get("decision") == "edge-before" and "burn" in [option["id"] for option in one["options"]]
    ]


def throws(answer: Data, by: str, roll: str) -> int:
    """How often somebody has thrown such dice."""
    return sum(
        one["by"] == by and (one["label"] == roll or one["label"].endswith(f".{roll}"))
        for one in answer["rolls"]
    )


@pytest.mark.parametrize("procedure", PROCEDURES, ids=lambda procedure: procedure.id)
def test_every_test_can_be_decided_by_burned_edge(procedure: Procedure) -> None:
    for sample in SAMPLES.of(procedure.id)[:2]:
        edgy = with_edge(procedure, sample)
        plain, questions = played(edgy, procedure.id, None)
        for by, roll in offers(questions):
            answer, _ = played(edgy, procedure.id, (by, roll))
            assert throws(answer, by, roll) < max(1, throws(plain, by, roll))
            (paid,) = effects(answer, "spend", "edge-attribute")
            assert (paid["who"], paid["amount"]) == (by, 1)
            if "edge_group" not in str(edgy):
                assert (paid["limits"], paid["most"]) == ("edge", 1)
            assert (by, "edge", 1) not in costs(answer)
            rest = {name: value for name, value in edgy.items() if name not in ("dice", "decisions")}
            situation = rest.pop("situation")
            said = [burn(by, roll)]
            at_once = resolve(situation, procedure=procedure.id, dice=SEED, decisions=said, **rest)
            assert at_once["effects"] == answer["effects"]
            assert at_once["outcome"] == answer["outcome"]
            found = odds(situation, procedure=procedure.id, decisions=said, **rest)
            for branch in found["branches"]:
                assert sum(row["chance"] for row in branch["outcomes"]) <= 1 + 1e-9


# An attack: who attacks, who defends, who resists.


def test_burned_edge_strikes_with_four_net_hits() -> None:
    answer = resolve(attack(3, 9), decisions=[burn("attacker", "attack")], dice=seed(1))
    assert answer["outcome"]["net_hits"] == 4
    assert rolled(answer) == ["soak"]
    assert costs(answer) == [("attacker", "edge-attribute", 1)]


def test_burned_edge_on_the_defense_makes_every_attack_miss() -> None:
    found = measures(odds(attack(30, 0), decisions=[burn("target", "defense")]))
    assert (found["hit"], found["damage"]) == (0, 0)
    answer = resolve(attack(30, 0), decisions=[burn("target", "defense")])
    assert answer["outcome"]["result"] == "miss"
    assert answer["rolls"] == []
    assert costs(answer) == [("target", "edge-attribute", 1)]
    assert effects(answer, "gain", "defenses-made")


def test_burned_edge_on_the_resistance_lets_nothing_through() -> None:
    found = measures(odds(attack(8, 0, dv=30), decisions=[burn("target", "soak")]))
    assert found["hit"] > 0.5
    assert found["damage"] == 0
    answer = resolve(
        attack(8, 0, dv=30, target={"unaware": True}), decisions=[burn("target", "soak")], dice=seed(1)
    )
    assert (answer["outcome"]["result"], answer["outcome"]["damage"]) == ("hit", 0)
    assert costs(answer) == [("target", "edge-attribute", 1)]


def test_who_defends_with_burned_edge_beats_who_attacks_with_it() -> None:
    both = [burn("attacker", "attack"), burn("target", "defense")]
    answer = resolve(attack(3, 3), decisions=both)
    assert (answer["outcome"]["result"], answer["rolls"]) == ("miss", [])
    assert sorted(costs(answer)) == [("attacker", "edge-attribute", 1), ("target", "edge-attribute", 1)]
    said = attack(3, 3, attacker={"burn_edge": True})
    assert resolve(said, decisions=both[1:])["outcome"]["result"] == "miss"
    assert resolve(said)["outcome"]["net_hits"] == 4


def test_against_burned_edge_no_other_edge_helps() -> None:
    said = attack(3, 9, attacker={"burn_edge": True})
    _, asked = step(said)
    before = next(one for one in asked if one.get("decision") == "edge-before")
    assert before["by"] == "target"
    assert [option["id"] for option in before["options"]] == ["none", "burn"]


def test_a_point_spent_and_edge_burned_are_both_paid() -> None:
    """The attacker pushes in vain; who defends burns."""
    wishes = [
        {"decision": "edge-before", "by": "attacker", "roll": "attack", "choose": "push"},
        burn("target", "defense"),
    ]
    answer = resolve(attack(3, 3), decisions=wishes)
    assert answer["outcome"]["result"] == "miss"
    assert sorted(costs(answer)) == [("attacker", "edge", 1), ("target", "edge-attribute", 1)]


def test_a_point_on_the_defense_and_edge_burned_on_the_resistance() -> None:
    wishes = [
        {"decision": "edge-before", "by": "target", "roll": "defense", "choose": "push"},
        burn("target", "soak"),
    ]
    answer = resolve(attack(20, 1), decisions=wishes, dice=seed(2))
    assert (answer["outcome"]["result"], answer["outcome"]["damage"]) == ("hit", 0)
    assert sorted(costs(answer)) == [("target", "edge", 1), ("target", "edge-attribute", 1)]


def test_who_is_outdone_by_burned_edge_still_glitches() -> None:
    """Explosive rounds: the attack fails, and its dice show whether one goes off in the weapon."""
    weapon = {"ammunition": "explosive", "category": "heavy-pistol"}
    situation = attack(2, 2, weapon=weapon, attacker={"body": 3, "ballistic": 0, "impact": 0})
    said = [burn("target", "defense")]
    answer = resolve(situation, decisions=said, dice=[[1, 1], [2, 2, 2]])
    assert answer["outcome"]["misfire"] is True
    assert rolled(answer)[0] == "attack"
    hit = resolve(situation, decisions=said, dice=[[5, 6]])
    assert hit["outcome"]["result"] == "miss"
    assert costs(hit) == [("target", "edge-attribute", 1)]


@settings(max_examples=25, deadline=None)
@given(
    mine=st.integers(1, 4),
    theirs=st.integers(1, 4),
    soak=st.integers(1, 4),
    dv=st.integers(1, 6),
    least=st.integers(1, 8),
)
def test_odds_of_burning_for_want_of_hits_are_those_of_counting(
    mine: int, theirs: int, soak: int, dv: int, least: int
) -> None:
    """Who is hit burns Edge where so many boxes threaten."""
    policy = {**burn("target", "soak"), "when": {"needed": {"at_least": least}}}
    rows = chances(odds(attack(mine, theirs, soak, dv), decisions=[policy]), ["result", "damage"])
    expected: dict[tuple[str, int], Fraction] = {}
    for mine_hits, chance in hits(mine).items():
        for their_hits, share in hits(theirs).items():
            net = mine_hits - their_hits
            if net <= 0:
                continue
            for resisted, part in hits(soak).items():
                boxes = 0 if dv + net >= least else max(0, dv + net - resisted)
                key = ("hit", boxes)
                expected[key] = expected.get(key, Fraction(0)) + chance * share * part
    found = {key: chance for key, chance in rows.items() if key[0] == "hit"}
    assert found == pytest.approx({key: float(chance) for key, chance in expected.items()}, abs=1e-12)


# Thresholds, and what is not tested against anybody.


@pytest.mark.parametrize(
    ("procedure", "situation", "roll", "expected"),
    [
        ("success-test", {"tester": {"pool": 0, **EDGE}, "threshold": 3}, "test", {"hits": 7, "net_hits": 4}),
        (
            "escape-hold",
            {"tester": {"pool": 1, **EDGE}, "holder": {"grip": 5}},
            "test",
            {"escaped": True, "hits": 9},
        ),
        (
            "extended-test",
            {"tester": {"pool": 1, **EDGE}, "threshold": 12},
            "roll_1",
            {"success": True, "hits": 16, "rolls": 1},
        ),
        (
            "quick-draw",
            {"attacker": {"draw_pool": 1, **EDGE}, "weapon": {"category": "light-pistol"}},
            "draw",
            {"draw": "success"},
        ),
        (
            "suppressive-fire",
            {
                "zone": "entered",
                "attacker": {"suppression": 9},
                "weapon": {"dv": 5, "damage": "physical", "ap": 0, "armor_kind": "ballistic", "feed": "belt"},
                "victim_1": {"pool": 1, "body": 3, "ballistic": 0, "impact": 0, **EDGE},
            },
            "avoid",
            {"victim_1.result": "avoided"},
        ),
    ],
)
def test_a_threshold_is_exceeded_by_four(procedure: str, situation: Data, roll: str, expected: Data) -> None:
    by = next(name for name, said in situation.items() if isinstance(said, dict) and "edge" in said)
    answer = resolve(situation, procedure=procedure, decisions=[burn(by, roll)])
    assert {name: answer["outcome"].get(name) for name in expected} == expected
    assert answer["rolls"] == []
    assert costs(answer) == [(by, "edge-attribute", 1)]


# Several attacks in one action.


def test_edge_burned_on_a_later_attack_of_a_volley_is_for_that_one() -> None:
    gun = {
        "dv": 5,
        "damage": "physical",
        "ap": 0,
        "armor_kind": "ballistic",
        "rc": 9,
        "category": "light-pistol",
    }
    person = {"pool": 2, "body": 3, "ballistic": 0, "impact": 0, **EDGE}
    situation = {
        "attacker": {"pool": 6, **EDGE},
        "target": person,
        "target_2": person,
        "weapon": {**gun, "category": "assault-rifle", "modes": ["FA"], "rounds": 30, "magazine": 30},
        "fire": {"mode": "full-burst", "spread": "narrow"},
        "distance": 4,
    }
    situation["weapon"]["range"] = "assault-rifle"
    _, questions = step(situation, procedure="ranged-volley", dice=seed(4))
    mine = [one for one in questions if one.get("decision") == "edge-before" and one["by"] == "attacker"]
    assert [one["about"]["roll"] for one in mine] == ["attack", "attack"]
    count = 0

    def second(question: Mapping[str, Any]) -> str | None:
        nonlocal count
        count += question["by"] == "attacker" and question["decision"] == "edge-before"
        return (
            "burn"
            if count == 2 and question["by"] == "attacker" and question["decision"] == "edge-before"
            else None
        )

    answer, _ = step(situation, second, procedure="ranged-volley", dice=seed(4))
    assert costs(answer) == [("attacker", "edge-attribute", 1)]
    labels = [roll["label"].partition(".") for roll in answer["rolls"]]
    assert [branch for branch, _, roll in labels if roll == "attack"] == ["target"]
    assert answer["outcome"]["target_2.net_hits"] == 4


def test_edge_burned_on_one_stroke_of_a_sweep_is_that_of_the_action() -> None:
    person = {"use": "guard", **EDGE}
    situation = {
        "attacker": {"use": "rook", **EDGE},
        "target": person,
        "target_2": person,
        "target_3": person,
        "weapon": "katana",
    }
    said = [burn("attacker", "target_2.attack")]
    answer = resolve(situation, procedure="melee-sweep", decisions=said, dice=seed(5))
    assert answer["outcome"]["target_2.net_hits"] == 4
    assert costs(answer) == [("attacker", "edge-attribute", 1)]

    def choose(question: Mapping[str, Any]) -> str | None:
        wanted = ("edge-before", "attacker", "target_2.attack")
        return (
            "burn"
            if (question["decision"], question["by"], question["about"].get("roll")) == wanted
            else None
        )

    _, asked = step(situation, choose, procedure="melee-sweep", dice=seed(5))
    later = [
        one["decision"]
        for one in asked
        if one.get("by") == "attacker" and one["about"].get("roll") == "target_3.attack"
    ]
    assert "edge-before" not in later
    defended = resolve(
        situation, procedure="melee-sweep", decisions=[burn("target_3", "target_3.defense")], dice=seed(5)
    )
    assert defended["outcome"]["target_3.result"] == "miss"
    assert costs(defended) == [("target_3", "edge-attribute", 1)]


# Spells.


def spell(force: int, **more: Any) -> Data:
    return {
        "caster": {
            "magic": 5,
            "pool": 6,
            "drain_pool": 3,
            "willpower": 3,
            "body": 3,
            "physical": 0,
            "stun": 0,
            **EDGE,
        },
        "target": {"body": 3, "willpower": 3, "physical": 0, "stun": 0, **EDGE},
        "spell": "manabolt",
        "force": force,
        **more,
    }


@pytest.mark.parametrize(("force", "net"), [(6, 4), (4, 4), (3, 3)])
def test_force_limits_the_hits_of_burned_edge(force: int, net: int) -> None:
    answer = resolve(spell(force), procedure="cast-spell", decisions=[burn("caster", "spell")], dice=seed(6))
    assert answer["outcome"]["target.net_hits"] == net
    assert costs(answer) == [("caster", "edge-attribute", 1)]
    assert rolled(answer) == ["caster.drain"]


def test_drain_is_resisted_in_full_and_so_is_the_spell() -> None:
    drained = measures(odds(spell(5), procedure="cast-spell", decisions=[burn("caster", "drain")]))
    assert drained["drain"] == 0
    resisted = odds(spell(5), procedure="cast-spell", decisions=[burn("target", "resist")])
    assert measures(resisted)["damage"] == 0


def test_an_action_takes_one_use_of_edge_burned_or_not() -> None:
    """Burned on the touch, it is gone for the casting and for the drain."""
    touching = spell(4, spell="punch")
    touching["caster"]["touch_pool"] = 5
    touching["target"] |= {"reaction": 3, "impact": 0, "ballistic": 0}
    _, asked = played({"situation": touching}, "cast-spell", ("caster", "touch"))
    rolls = {one["about"]["roll"] for one in asked if one["kind"] == "decision" and one["by"] == "caster"}
    assert rolls == {"touch"}
    answer = resolve(touching, procedure="cast-spell", decisions=[burn("target", "avoid")])
    assert answer["outcome"]["target.result"] == "not-touched"
    assert costs(answer) == [("target", "edge-attribute", 1)]


def test_burned_edge_overcomes_the_resistance_of_a_thing() -> None:
    wall = spell(8, spell="powerbolt", target={"object_resistance": 4, "body": 5})
    answer = resolve(wall, procedure="cast-spell", decisions=[burn("caster", "spell")], dice=seed(7))
    assert answer["outcome"]["target.net_hits"] == 4
    weak = resolve(
        {**wall, "force": 4}, procedure="cast-spell", decisions=[burn("caster", "spell")], dice=seed(7)
    )
    assert weak["outcome"]["target.result"] == "resisted"


# Helpers.


def helped(edge: int = 2, points: int = 1, **tester: Any) -> Data:
    return {"tester": {"pool": 3, **tester}, "helper": {"edge": edge, "edge_points": points}, "threshold": 2}


HELPS = {"decision": "edge-before", "by": "helper", "choose": "push"}


def test_a_helper_s_edge_counts_as_the_leader_s_own_would() -> None:
    for when, choose in (("edge-before", "push"), ("edge-after", "add"), ("edge-after", "reroll")):
        said = {"decision": when, "choose": choose}
        theirs = odds(helped(), procedure="success-test", decisions=[{**said, "by": "helper"}])
        own = {"tester": {"pool": 3, "edge": 2, "edge_points": 1}, "threshold": 2}
        mine = odds(own, procedure="success-test", decisions=[{**said, "by": "tester"}])
        assert measures(theirs) == pytest.approx(measures(mine))


def test_a_helper_pays_and_the_leader_throws() -> None:
    answer = resolve(helped(), procedure="success-test", decisions=[HELPS], dice=[[5, 1, 2, 3, 4]])
    assert costs(answer) == [("helper", "edge", 1)]
    assert [roll["by"] for roll in answer["rolls"]] == ["tester"]
    later = [{"decision": "edge-after", "by": "helper", "choose": "add"}]
    answer = resolve(helped(), procedure="success-test", decisions=later, dice=[[5, 1, 2], [6, 5, 1]])
    assert answer["outcome"]["hits"] == 3
    assert costs(answer) == [("helper", "edge", 1)]
    burned = resolve(helped(), procedure="success-test", decisions=[burn("helper", "test")])
    assert burned["outcome"]["hits"] == 6
    assert costs(burned) == [("helper", "edge-attribute", 1)]


def test_a_test_takes_one_point_the_leader_s_or_the_helper_s() -> None:
    situation = helped()
    situation["tester"] |= {"edge": 3, "edge_points": 3}

    def asked(**wishes: str) -> list[str]:
        def choose(question: Mapping[str, Any]) -> str | None:
            return wishes.get(f"{question['by']}_{question['decision'].removeprefix('edge-')}")

        _, questions = step(situation, choose, procedure="success-test", dice=SEED)
        decisions = [one for one in questions if one["kind"] == "decision"]
        return [f"{one['by']}_{one['decision'].removeprefix('edge-')}" for one in decisions]

    assert asked() == ["tester_before", "helper_before", "tester_after", "helper_after"]
    assert asked(tester_before="push") == ["tester_before"]
    assert asked(helper_before="push") == ["tester_before", "helper_before"]
    assert asked(tester_after="reroll") == ["tester_before", "helper_before", "tester_after"]
    assert asked(helper_before="burn") == ["tester_before", "helper_before"]


def test_an_extended_test_takes_one_point_of_a_helper() -> None:
    situation = {**helped(points=3), "threshold": 8}
    wishes = [{**HELPS, "roll": "roll_2"}]
    answer = resolve(situation, procedure="extended-test", decisions=wishes, dice=seed(9))
    assert costs(answer) == [("helper", "edge", 1)]
    assert len(next(roll for roll in answer["rolls"] if roll["label"] == "roll_2")["faces"]) >= 5


def test_a_helper_without_points_is_not_asked() -> None:
    _, questions = step(helped(edge=0, points=0), procedure="success-test")
    assert [one["kind"] for one in questions] == ["roll"]

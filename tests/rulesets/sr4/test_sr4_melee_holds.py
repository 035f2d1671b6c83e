"""Holds and getting free of them, interception, weapons that strike back, and called shots that do no damage."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sr4_fight import fight, fighter, intent
from sr4_table import chances, effects, explain, measures, needs, odds, resolve, seed, total

from fracas.errors import InputError
from fracas.kernel.intents import Participant
from fracas.rulesets.sr4.melee.melee_attack import EscapeHold, MeleeAttack

ATTACK, ESCAPE = MeleeAttack.id, EscapeHold.id
WHIP = {
    "attacker": {"use": "rook", "pool": 3},
    "target": {"use": "guard", "pool": 2},
    "weapon": "monofilament-whip",
}


def branches(answer: Mapping[str, Any]) -> dict[str, float]:
    """How likely each branch is reached."""
    return {one["branch"]: sum(row["chance"] for row in one["outcomes"]) for one in answer["branches"]}


# --- A weapon that strikes back ----------------------------------------------------------------------------


@pytest.mark.parametrize("dice", [1, 2, 3, 5])
@pytest.mark.parametrize("unaware", [False, True])
def test_the_whip_strikes_back_as_often_as_its_wielder_glitches(dice: int, unaware: bool) -> None:
    """Against every face of every die: half of them ones or more."""
    glitches = sum(faces.count(1) * 2 >= dice for faces in product(range(1, 7), repeat=dice)) / 6**dice
    situation = {
        "attacker": {"use": "rook", "pool": dice},
        "target": {"use": "guard", "pool": 2, "unaware": unaware, "metatype": "troll", "weapon": "club"},
        "weapon": "monofilament-whip",
    }
    found = odds(situation, procedure=ATTACK)
    assert total(found, "melee-attack.pool") == dice
    assert branches(found) == pytest.approx({"": 1, "backlash": glitches})
    own = measures(found)["backlash"]
    expected = glitches * sum(max(0, 8 - hits) * chance for hits, chance in _hits(6).items())
    assert own == pytest.approx(expected)  # BOD 4 + 6 - 4


def _hits(dice: int) -> dict[int, float]:
    found: dict[int, float] = defaultdict(float)
    for faces in product((0, 0, 1), repeat=dice):
        found[sum(faces)] += 3.0**-dice
    return found


def test_what_it_does_to_the_target_is_that_of_any_weapon() -> None:
    plain = {"use": "monofilament-whip", "glitch_hits_wielder": False}
    back, forth = (
        odds({**WHIP, "weapon": weapon}, procedure=ATTACK) for weapon in (plain, "monofilament-whip")
    )
    names = ("result", "damage", "track", "knockdown")
    (only,) = back["branches"]
    first = next(one for one in forth["branches"] if one["branch"] == "")
    assert chances({"branches": [only]}, names) == pytest.approx(chances({"branches": [first]}, names))
    for name, value in measures(back).items():
        if name != "backlash":
            assert measures(forth)[name] == pytest.approx(value), name


@pytest.mark.parametrize(
    ("more", "dice"),
    [({"aim": "knockdown"}, 5), ({"aim": "touch"}, 7), ({"interception": True}, 5), ({"aim": "damage"}, 5)],
    ids=str,
)
def test_it_strikes_back_whatever_it_is_used_for(more: dict[str, Any], dice: int) -> None:
    attack = [1] * (dice - 1) + [2]
    answer = resolve({**WHIP, **more}, procedure=ATTACK, dice=[attack, [5, 2], [5, 1, 2, 3, 4, 1]])
    assert answer["outcome"]["backlash.damage"] == 7
    assert {one["who"] for one in effects(answer, "mark")} == {"attacker"}
    assert effects(answer, "spend") == []


def test_edge_of_the_action_does_not_serve_against_ones_own_whip() -> None:
    """A push on the attack is the point of the action; without it the wielder may spend one on resisting."""

    def resisting(*decisions: dict[str, str]) -> float:
        return measures(odds(WHIP, procedure=ATTACK, decisions=list(decisions)))["backlash"]

    push = {"decision": "edge-before", "by": "attacker", "roll": "attack", "choose": "push"}
    soak = {"decision": "edge-before", "by": "attacker", "roll": "soak", "choose": "push"}
    assert resisting(soak) < resisting() * 0.8
    with pytest.raises(InputError, match="never asked"):
        resisting(push, soak)


def test_who_wields_it_must_be_able_to_resist_it() -> None:
    with pytest.raises(InputError) as caught:
        explain({"attacker": {"pool": 6}, "target": "guard", "weapon": "monofilament-whip"}, procedure=ATTACK)
    missing = {problem.path for problem in caught.value.problems}
    assert missing == {"situation.attacker.body", "situation.attacker.armor"}


# --- Interception ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "weapon", "metres"),
    [
        ("rook", "knife", 1),
        ("rook", "katana", 2),
        ("rook", "staff", 3),
        ("brick", "club", 3),
        ("brick", None, 2),
    ],
)
def test_how_near_somebody_must_pass(attacker: str, weapon: str | None, metres: int) -> None:
    situation = {"attacker": attacker, "target": "vex", "interception": True}
    situation |= {"weapon": weapon} if weapon else {}
    for distance, code in ((metres, None), (metres + 0.1, "interception_too_far"), (None, None)):
        answer = explain({**situation, "distance": distance}, procedure=ATTACK)
        codes = [refusal["code"] for refusal in answer.get("refusals", ())]
        assert codes == ([code] if code else []), distance


def test_a_movement_ends_as_often_as_the_attack_hits() -> None:
    situation = {"attacker": "rook", "target": {"use": "vex", "running": True}, "weapon": "knife"}
    plain = odds(situation, procedure=ATTACK)
    found = odds({**situation, "interception": True}, procedure=ATTACK)
    ends = chances(found, ["movement_ends"])
    assert ends[True,] == pytest.approx(measures(plain)["hit"])
    assert measures(found) == pytest.approx(measures(plain))
    assert "movement_ends" not in plain["branches"][0]["outcomes"][0]["outcome"]


# --- Holds -------------------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(strength=st.integers(1, 6), skill=st.integers(0, 4), grip=st.integers(0, 6), stun=st.integers(0, 7))
def test_the_chance_to_get_free(strength: int, skill: int, grip: int, stun: int) -> None:
    dice = max(0, strength + (skill or -1) - stun // 3)
    tester = {"strength": strength, "skills": {"unarmed-combat": skill}, "physical": 0, "stun": stun}
    found = odds({"tester": tester, "holder": {"grip": grip}}, procedure=ESCAPE)
    expected = sum(chance for hits, chance in _hits(dice).items() if hits >= grip)
    assert measures(found)["escaped"] == pytest.approx(expected)


def test_the_grip_must_be_known() -> None:
    with pytest.raises(InputError, match="grip"):
        explain({"tester": "guard", "holder": "brick"}, procedure=ESCAPE)


def test_nobody_says_another_test() -> None:
    with pytest.raises(InputError) as caught:
        explain({"tester": "guard", "holder": {"grip": 1}, "attribute": "logic"}, procedure=ESCAPE)
    assert [problem.path for problem in caught.value.problems] == ["situation.attribute"]


@pytest.mark.parametrize("aim", ["improve-hold", "hurt-held", "keep-held"])
@pytest.mark.parametrize("grip", [None, 0, 4])
@pytest.mark.parametrize("number", range(3))
def test_whatever_is_done_to_who_is_held_renews_the_hold(aim: str, grip: int | None, number: int) -> None:
    attacker = {"use": "brick"} | ({} if grip is None else {"grip": grip})
    answer = resolve(
        {"attacker": attacker, "target": "guard", "aim": aim}, procedure=ATTACK, dice=seed(number)
    )
    (holds,) = effects(answer, "add-condition", "holding")
    assert (holds["who"], holds["towards"]) == ("attacker", "target")
    gained = answer["outcome"].get("grip_gained", 0)
    assert holds.get("set_grip") == (None if grip is None else grip + gained)


def test_a_hold_that_fails_begins_nothing() -> None:
    answer = resolve(
        {"attacker": "brick", "target": "guard", "aim": "subdue"},
        procedure=ATTACK,
        dice=[[1, 2, 3, 4, 1, 2, 3, 4], [5, 1, 2, 3, 4]],
    )
    assert [effect["what"] for effect in answer["effects"]] == ["defenses-made"]


def towards(**conditions: str) -> Participant:
    who = fighter("s", conditions=frozenset(conditions))
    return who._replace(towards={slug: frozenset({other}) for slug, other in conditions.items()})


@pytest.mark.parametrize(
    ("word", "who", "target", "holds"),
    [
        ("holding", towards(holding="v"), "v", True),
        ("holding", towards(holding="v"), "x", False),
        ("holding", towards(holding="v"), None, True),
        ("holding", fighter("s", conditions=frozenset({"holding"})), "x", True),
        ("holding", fighter("s"), "v", False),
        ("held", towards(held="v"), "v", True),
        ("held", towards(held="v"), "x", False),
        ("target-in-melee-range", towards(held="v"), "v", True),
        ("target-in-melee-range", towards(holding="v"), "v", True),
        ("target-in-melee-range", towards(holding="v"), "x", None),
        ("target-in-melee-range", fighter("s"), "v", None),
    ],
)
def test_who_is_held_by_whom(word: str, who: Participant, target: str | None, holds: bool | None) -> None:
    others = {id: fighter(id) for id in ("v", "x")}
    table = fight(who, *others.values())
    need = needs()[word].holds
    assert need is not None
    assert need(table, who, intent("escape-hold", target=others.get(target or ""))) is holds


def test_in_melee_with_others_is_not_in_melee_with_this_one() -> None:
    need = needs()["target-in-melee-range"].holds
    assert need is not None
    target, other = fighter("v", in_melee=True), fighter("x", in_melee=True)
    for who, found in (
        (fighter("s", in_melee=True), [True, True]),
        (towards(**{"in-melee": "v"})._replace(sheet={"in_melee": True}), [True, None]),
    ):
        table = fight(who, target, other)
        assert [need(table, who, intent("melee-attack", target=one)) for one in (target, other)] == found


# --- Called shots without damage ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "said", "thing"),
    [
        ({"weapon": "club"}, {}, "club"),
        ({"in_hand": ["ares-predator-iv", "knife"]}, {}, "knife"),
        ({"in_hand": ["ares-predator-iv"]}, {}, "ares-predator-iv"),
        ({"in_hand": ["ares-predator-iv", "knife"]}, {"item": "ares-predator-iv"}, "ares-predator-iv"),
        ({}, {}, None),
    ],
    ids=str,
)
def test_which_thing_falls(target: dict[str, Any], said: dict[str, str], thing: str | None) -> None:
    situation = {
        "attacker": {"use": "rook", "pool": 10},
        "target": {"use": "guard", "pool": 0, **target},
        "weapon": "katana",
        "called_shot": {"kind": "item", **said},
        "reach_use": "own-dice",
    }
    dice = total(explain(situation, procedure=ATTACK), "melee-attack.pool")
    answer = resolve(situation, procedure=ATTACK, dice=[[6] * dice])
    assert answer["outcome"]["item_dropped"] is True
    expected = [(thing, False, True)] if thing else []
    assert [(one["what"], one["ready"], one["dropped"]) for one in effects(answer, "item")] == expected


def test_a_trick_costs_what_the_gamemaster_says() -> None:
    situation = {"attacker": "rook", "target": "guard", "weapon": "katana", "called_shot": {"kind": "trick"}}
    with pytest.raises(InputError, match="trick"):
        explain(situation, procedure=ATTACK)
    for penalty in (0, 3):
        situation["called_shot"] = {"kind": "trick", "penalty": penalty}
        found = odds(situation, procedure=ATTACK)
        assert total(found, "melee-attack.pool") == 10 - penalty
        assert measures(found)["trick"] == pytest.approx(measures(found)["hit"])
        assert measures(found)["damage"] == 0

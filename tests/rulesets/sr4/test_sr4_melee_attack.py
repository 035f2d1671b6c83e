"""Melee attacks: the choices before the roll, the pools of each defense, and odds against all dice counted out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sr4_fight import RULES, fight, fighter
from sr4_table import (
    GAME,
    chances,
    effects,
    entries,
    explain,
    lines,
    measures,
    melee_weapons,
    odds,
    resolve,
    step,
    total,
)
from tiers import scale

from fracas.engine.samples import sample_faults
from fracas.errors import InputError
from fracas.kernel.intents import StepContext
from fracas.packs.entries import Entry
from fracas.rulesets.sr4.melee.melee_attack import TARGETS, MeleeAttack
from fracas.rulesets.sr4.melee.melee_stages import METHODS

ATTACK = MeleeAttack.id
FISTS = {
    "skill": "unarmed-combat",
    "reach": 0,
    "dv": 3,
    "damage": "physical",
    "ap": 0,
    "armor_kind": "impact",
}


def told(situation: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return explain(situation, procedure=ATTACK, **more)


def pools(answer: Mapping[str, Any]) -> dict[str, int]:
    """The dice of each defense."""
    return {
        tally["to"].removeprefix("melee-defense."): tally["total"]
        for tally in answer["modifiers"]
        if tally["to"].removeprefix("melee-defense.") in METHODS
    }


def duel(weapon: str = "katana", /, **more: Any) -> dict[str, Any]:
    """The Rook strikes at the Guard; `more`: fields of the target, or of the situation with a leading ``_``."""
    target = {"use": "guard", **{name: value for name, value in more.items() if name[0] != "_"}}
    rest = {name[1:]: value for name, value in more.items() if name[0] == "_"}
    return {"attacker": "rook", "target": target, "weapon": weapon, **rest}


# --- Odds against all dice ---------------------------------------------------------------------------------


@cache
def plain(count: int) -> Mapping[int, Fraction]:
    """Hits of a pool, every face of every die gone through."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for dice in product(range(1, 7), repeat=count):
        found[sum(die >= 5 for die in dice)] += Fraction(1, 6**count)
    return found


def by_the_book(
    attack: int, defense: int | None, value: int, armor: int, body: int, track: str, contact: bool
) -> dict[tuple[Any, ...], float]:
    """The chance of each (result, damage, track), straight from rulebook section 7."""
    found: dict[tuple[Any, ...], Fraction] = defaultdict(Fraction)
    theirs = plain(defense) if defense is not None else {0: Fraction(1)}
    for (mine, weight), (other, share) in product(plain(attack).items(), theirs.items()):
        net, tie = mine - other, defense is not None and mine == other
        if net <= 0 and not (tie and contact):
            found["graze" if tie else "miss", 0, None] += weight * share
            continue
        kind = "stun" if track == "stun" or value + net <= armor else "physical"
        result = "hit" if net > 0 else "graze_contact"
        for hits, part in plain(body + armor).items():
            found[result, max(0, value + net - hits), kind] += weight * share * part
    return {key: float(chance) for key, chance in found.items()}


SMALL = st.integers(0, 3)


@settings(max_examples=scale(40, 120), deadline=None)
@given(
    attack=st.integers(1, 4),
    reaction=SMALL,
    skills=st.dictionaries(st.sampled_from(["dodge", "blades", "unarmed-combat"]), st.integers(1, 2)),
    full=st.sampled_from(["none", "dodge", "parry", "gymnastics"]),
    armed=st.booleans(),
    lost=SMALL,
    value=st.integers(0, 6),
    armor=SMALL,
    body=st.integers(1, 3),
    track=st.sampled_from(["physical", "stun"]),
    contact=st.booleans(),
    unaware=st.booleans(),
)
def test_odds_are_those_of_all_dice(
    attack: int,
    reaction: int,
    skills: dict[str, int],
    full: str,
    armed: bool,
    lost: int,
    value: int,
    armor: int,
    body: int,
    track: str,
    contact: bool,
    unaware: bool,
) -> None:
    """The pools are written down once more here: Reaction, a skill or -1, full defense, earlier defenses."""
    target: dict[str, Any] = {"reaction": reaction, "skills": skills, "impact": armor, "body": body}
    target |= {"full_defense": full, "defenses_made": lost}
    if armed:
        target["weapon"] = "knife"
    if unaware:
        target |= {"unaware": True, "full_defense": "none"}
    weapon = {**FISTS, "dv": value, "damage": track}
    situation = {"attacker": {"pool": attack}, "target": target, "weapon": weapon, "contact": contact}
    expected = {}
    for method, skill in (("dodge", "dodge"), ("parry", "blades"), ("block", "unarmed-combat")):
        if method == "parry" and not armed:
            continue
        dice = reaction + (skills.get(skill) or -1) - lost
        if full == "parry":
            dice += skills.get(skill, 0) if method != "dodge" else 0
        elif full != "none":
            dice += skills.get(full, 0)
        expected[method] = max(0, dice)
    answer = told(situation)
    assert pools(answer) == ({} if unaware else expected)
    for choice in [None, *([] if unaware else expected)]:
        defense = None if unaware else max(expected.values()) if choice is None else expected[choice]
        if defense is not None and defense > 5:
            continue
        decided = [{"decision": "melee-defense", "choose": choice}] if choice and len(expected) > 1 else []
        found = chances(odds(situation, procedure=ATTACK, decisions=decided), ["result", "damage", "track"])
        book = by_the_book(attack, defense, value, armor, body, track, contact)
        for key in found.keys() | book.keys():
            assert found.get(key, 0.0) == pytest.approx(book.get(key, 0.0), abs=1e-12), key


@settings(max_examples=scale(20, 60), deadline=None)
@given(
    attack=st.integers(1, 4),
    defense=st.integers(0, 4),
    strength=st.integers(1, 4),
    resists=st.integers(1, 6),
    aim=st.sampled_from(["touch", "subdue", "knockdown", "item"]),
    grazing=st.sampled_from(["on", "hits", "off"]),
)
def test_odds_of_attacks_that_do_no_damage(
    attack: int, defense: int, strength: int, resists: int, aim: str, grazing: str
) -> None:
    target = {"pool": defense, "body": resists, "strength": resists, "impact": 0}
    situation: dict[str, Any] = {"target": target, "weapon": {**FISTS, "dv": strength}}
    situation["attacker"] = {"pool": attack + {"touch": 0, "item": 4}.get(aim, 0), "strength": strength}
    if aim == "touch":
        situation["attacker"]["pool"] = attack
        situation["target"]["pool"] = defense + 2  # as many as the touch brings
        situation["target"]["defenses_made"] = 2
    situation |= {"called_shot": {"kind": "item"}} if aim == "item" else {"aim": aim}
    options = {"grazing_hits": grazing != "off", "graze_on_zero": grazing == "on"}
    dice = attack + 2 if aim == "touch" else attack
    expected: dict[tuple[Any, ...], Fraction] = defaultdict(Fraction)
    for (mine, weight), (other, share) in product(plain(dice).items(), plain(defense).items()):
        net = mine - other
        tie = net == 0 and (grazing == "on" or (grazing == "hits" and mine > 0))
        word = "hit" if net > 0 else "miss" if not tie else "graze_contact" if aim == "touch" else "graze"
        succeeded = (net > 0 or tie) if aim == "touch" else net > 0 and strength + net > resists
        expected[word, succeeded, 0] += weight * share
    name = {"touch": "touched", "subdue": "held", "knockdown": "knockdown", "item": "item_dropped"}[aim]
    found = chances(odds(situation, procedure=ATTACK, options=options), ["result", name, "damage"])
    for key in found.keys() | expected.keys():
        assert found.get(key, 0.0) == pytest.approx(float(expected.get(key, 0)), abs=1e-12), key


@pytest.mark.parametrize(("strength", "body", "armor"), [(1, 1, 0), (3, 2, 2), (6, 1, 4)])
def test_odds_of_hurting_somebody_held(strength: int, body: int, armor: int) -> None:
    """Strength as Stun, resisted with Body and Impact; whatever weapon is at hand."""
    situation = {
        "attacker": {"strength": strength},
        "target": {"body": body, "impact": armor},
        "aim": "hurt-held",
    }
    expected: dict[Any, float] = defaultdict(float)
    for hits, chance in plain(body + armor).items():
        expected[max(0, strength - hits), "stun"] += float(chance)
    for more in ({}, {"weapon": "ares-predator-iv"}):
        found = chances(odds({**situation, **more}, procedure=ATTACK), ["damage", "track"])
        assert found == pytest.approx(expected, abs=1e-12)


def test_edge_resists_a_hold() -> None:
    answer, asked = step(
        {"attacker": {"strength": 9}, "target": "guard", "aim": "hurt-held"},
        choose=lambda question: "push" if question.get("decision") == "edge-before" else None,
        procedure=ATTACK,
        dice={"source": "seed", "seed": "0" * 64},
    )
    assert [one.get("decision") for one in asked] == ["edge-before", None]
    assert asked[1]["groups"][0]["count"] == 3 + 4 + 1
    assert effects(answer, "spend", "edge")[0]["who"] == "target"


# --- Choices before the roll -------------------------------------------------------------------------------


@pytest.mark.parametrize("weapon", ["katana", "knife", "stun-baton", "unarmed-attack"])
@pytest.mark.parametrize("held", [None, "club", "staff"])
def test_open_decisions_that_take_their_defaults_change_no_odds(weapon: str, held: str | None) -> None:
    situation = duel(weapon, **({"weapon": held} if held else {}))
    names = ["result", "damage", "track", "electric_outcome"]
    closed = chances(odds(situation, procedure=ATTACK), names)
    asked = told(situation)
    methods = pools(asked)
    best = max(METHODS, key=lambda method: methods.get(method, -1))
    decisions = [{"decision": "melee-defense", "choose": best}]
    if asked["facts"]["reach.net"]:
        decisions.append({"decision": "reach-use", "choose": "own-dice"})
    opened = chances(odds(situation, procedure=ATTACK, decisions=decisions), names)
    assert opened == pytest.approx(closed, abs=1e-12)


@pytest.mark.parametrize("use", ["own-dice", "dice-of-the-other"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("held", ["club", "staff", "pole-arm"])
def test_choosing_is_the_same_as_saying(use: str, method: str, held: str) -> None:
    """Whoever has the longer Reach: a katana meets a club, a staff with 1 more, and a pole arm in a troll's hands."""
    more = {"metatype": "troll"} if held == "pole-arm" else {}
    net = {"club": 0, "staff": -1, "pole-arm": -2}[held]
    asked = told(duel("katana", weapon=held, **more))
    assert asked["facts"]["reach.net"] == net
    said = odds(duel("katana", weapon=held, **more, defense=method, _reach_use=use), procedure=ATTACK)
    decisions = [{"decision": "melee-defense", "choose": method}]
    if net:
        decisions.append({"decision": "reach-use", "choose": use, "by": "target"})
    chosen = odds(duel("katana", weapon=held, **more), procedure=ATTACK, decisions=decisions)
    names = ["result", "damage", "track"]
    assert chances(chosen, names) == pytest.approx(chances(said, names), abs=1e-12)


def test_the_target_is_asked_after_reach_and_before_edge() -> None:
    answer, asked = step(
        duel("katana", weapon="knife"),
        choose=lambda question: "block" if question.get("decision") == "melee-defense" else None,
        procedure=ATTACK,
        dice={"source": "seed", "seed": "0" * 64},
    )
    decisions = [(one["decision"], one["by"]) for one in asked if one["kind"] == "decision"]
    assert decisions[:4] == [
        ("reach-use", "attacker"),
        ("melee-defense", "target"),
        ("edge-before", "attacker"),
        ("edge-before", "target"),
    ]
    question = asked[1]
    assert question["default"] == "dodge"
    assert [option["id"] for option in question["options"]] == list(METHODS)
    assert {name: question["about"][name] for name in METHODS} == {"dodge": 5, "parry": 2, "block": 2}
    assert question["about"]["attack_pool"] == 10
    assert answer["outcome"]["defense_method"] == "block"
    rolled = next(one for one in asked if one["kind"] == "roll")
    assert [group["count"] for group in rolled["groups"]] == [10, 2]


def test_dice_taken_by_reach_show_in_what_the_target_is_asked() -> None:
    _, asked = step(
        duel("katana"),
        choose=lambda question: "dice-of-the-other" if question.get("decision") == "reach-use" else None,
        procedure=ATTACK,
        dice={"source": "seed", "seed": "0" * 64},
    )
    assert asked[1]["about"] == {"roll": "defense", "attack_pool": 9, "dodge": 4, "block": 1}


def test_what_is_said_is_not_asked() -> None:
    _, asked = step(
        duel("katana", defense="dodge", _reach_use="own-dice"),
        procedure=ATTACK,
        dice={"source": "seed", "seed": "0" * 64},
    )
    kinds = {one.get("decision") for one in asked}
    assert not kinds & {"reach-use", "melee-defense"}


@pytest.mark.parametrize("more", [{"unaware": True}, {"pool": 4}], ids=str)
def test_without_methods_no_method_is_asked_for(more: dict[str, Any]) -> None:
    answer, asked = step(duel("knife", **more), procedure=ATTACK, dice={"source": "seed", "seed": "0" * 64})
    assert "melee-defense" not in {one.get("decision") for one in asked}
    assert "defense_method" not in answer["outcome"]


def test_nobody_is_asked_for_a_defense_against_an_attack_without_dice() -> None:
    weak = {"attacker": {"pool": 0, "strength": 3}, "target": "guard", "weapon": "knife"}
    answer, asked = step(weak, procedure=ATTACK)
    assert asked == []
    assert answer["outcome"]["result"] == "no-attack"
    assert answer["effects"] == []


def test_who_is_unaware_makes_nothing_of_reach() -> None:
    _, asked = step(
        duel("katana", weapon="pole-arm", unaware=True),
        procedure=ATTACK,
        dice={"source": "seed", "seed": "0" * 64},
    )
    assert "reach-use" not in {one.get("decision") for one in asked}
    assert total(told(duel("knife", weapon="pole-arm", unaware=True)), "melee-attack.pool") == 9


def test_a_method_that_is_not_possible_cannot_be_chosen() -> None:
    with pytest.raises(InputError, match="melee-defense was never asked"):
        odds(duel(), procedure=ATTACK, decisions=[{"decision": "melee-defense", "choose": "parry"}])


# --- Pools -------------------------------------------------------------------------------------------------


def test_of_all_that_is_in_hand_the_target_parries_with_what_it_masters() -> None:
    skills = {"blades": 2, "clubs": 3, "unarmed-combat": 6}
    target = {
        "skills": skills,
        "in_hand": ["ares-predator-iv", "knife", "extendable-baton", "unarmed-attack"],
    }
    answer = told(duel("staff", **target))
    assert pools(answer) == {"dodge": 3 + 2, "parry": 3 + 3, "block": 3 + 6}
    assert answer["facts"]["reach.net"] == 2 - 1
    gun = told(duel("staff", skills=skills, in_hand=["ares-predator-iv", "shock-glove"]))
    assert pools(gun) == {"dodge": 5, "block": 9}
    assert gun["facts"]["reach.net"] == 2


def test_of_equal_skills_the_longer_weapon_counts() -> None:
    assert told(duel("staff", in_hand=["knife", "combat-axe"]))["facts"]["reach.net"] == 0


@pytest.mark.parametrize(("metatype", "net"), [("human", 1), ("troll", 0)])
def test_reach_of_the_body(metatype: str, net: int) -> None:
    assert told(duel("katana", metatype=metatype))["facts"]["reach.net"] == net


def test_modifiers_of_every_defense_and_of_one() -> None:
    """What is added to the common pool counts in each method; what is added to a method only there."""
    hand = [
        {"to": "melee-defense.pool", "label": "Mud", "value": -2},
        {"to": "melee-defense.block", "label": "Wall behind", "value": 4},
    ]
    answer = told(duel(), modifiers=hand)
    assert pools(answer) == {"dodge": 5 - 2, "block": max(0, 2 - 2 + 4)}
    assert (
        lines(answer, "melee-defense.dodge")["defense"]["value"] == total(answer, "melee-defense.pool") == 1
    )
    assert resolve(duel(), procedure=ATTACK, modifiers=hand)["outcome"]["defense_method"] == "block"


def test_a_shared_part_below_zero_still_takes_from_the_skill() -> None:
    answer = told(duel(defenses_made=4))
    assert total(answer, "melee-defense.pool") == -1
    assert pools(answer) == {"dodge": 1, "block": 0}


def test_every_number_is_its_explanation() -> None:
    answer = told(duel("stun-baton", weapon="knife"))
    for tally in answer["modifiers"]:
        counted = [line["value"] for line in tally["entries"] if line["verdict"] in ("applied", "capped")]
        assert sum(counted) == tally["total"], tally["to"]
    named = {tally["to"] for tally in answer["modifiers"]} - set(TARGETS)
    assert named == {"melee-attack.otherwise", "melee-defense.otherwise"}


@pytest.mark.parametrize("part", [9, 12])
def test_no_target_gets_every_die(part: int) -> None:
    with pytest.raises(InputError, match="at most 8"):
        told({"attacker": {"use": "rook", "split_dice": part}, "target": "guard", "weapon": "katana"})


# --- Attribution -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "target", "more"),
    [
        ({"friends_in_melee": 2}, {"prone": True, "defenses_made": 1}, {}),
        ({"charging": True, "running": True}, {"weapon": "staff"}, {}),
        ({}, {"weapon": "knife", "stun": 3}, {"called_shot": {"kind": "vital", "dv": 2}}),
    ],
    ids=str,
)
@pytest.mark.parametrize("opened", [False, True])
def test_attribution_is_the_odds_without_a_modifier(
    attacker: dict[str, Any], target: dict[str, Any], more: dict[str, Any], opened: bool
) -> None:
    """For each line of the attribution, a modifier by hand that takes back what the line adds does the same."""
    situation = {
        "attacker": {"use": "rook", **attacker},
        "target": {"use": "guard", **target},
        "weapon": "katana",
        **more,
    }
    decisions = [{"decision": "melee-defense", "choose": "block"}] if opened else []
    found = odds(situation, procedure=ATTACK, attribution=True, decisions=decisions)
    rows = [row for row in found["attribution"] if row["id"] != "melee-charging"]  # it also suppresses
    assert rows
    for row in rows:
        back = [{"to": row["to"], "label": "Back", "value": -row["value"]}]
        without = measures(odds(situation, procedure=ATTACK, decisions=decisions, modifiers=back))
        for name, change in row["change"].items():
            assert measures(found)[name] - without[name] == pytest.approx(change, abs=1e-12), (row, name)


def test_attribution_where_the_use_of_reach_is_open() -> None:
    decisions = [{"decision": "reach-use", "choose": "dice-of-the-other"}]
    situation = {"attacker": {"use": "rook", "charging": True}, "target": "guard", "weapon": "katana"}
    found = odds(situation, procedure=ATTACK, attribution=True, decisions=decisions)
    changes = {row["id"]: row["change"]["damage"] for row in found["attribution"]}
    assert changes["melee-reach-attacker"] == pytest.approx(0, abs=1e-12)  # not used that way
    uncharged = {**situation, "attacker": "rook"}
    without = measures(odds(uncharged, procedure=ATTACK, decisions=decisions))
    assert changes["melee-charging"] == pytest.approx(
        measures(found)["damage"] - without["damage"], abs=1e-12
    )


# --- Weapons, refusals, what a fight knows -----------------------------------------------------------------


@pytest.mark.each("weapon", melee_weapons, ids=lambda weapon: weapon.slug)
def test_trials_play_every_melee_weapon_to_its_end(weapon: Entry) -> None:
    samples = [one for one in GAME.ruleset.samples(weapon, GAME.packs) if one.procedure == ATTACK]
    assert {one.situation.get("aim") for one in samples} == {None, "touch", "knockdown"}
    assert sample_faults(GAME, [weapon]) == []


@pytest.mark.each("weapon", melee_weapons, ids=lambda weapon: weapon.slug)
def test_damage_of_every_melee_weapon(weapon: Entry) -> None:
    """Half Strength is rounded up, whatever the Strength; elements halve Impact armor, rounded up."""
    data = weapon.data
    for strength in (1, 2, 3, 8, 9):
        attacker = {"use": "rook", "strength": strength}
        answer = told({"attacker": attacker, "target": "brick", "weapon": weapon.slug})
        half = (strength + 1) // 2 if data.get("dv_half_strength") else 0
        assert total(answer, "melee-damage.value") == data["dv"] + half
        halved = data.get("ap_half") or data.get("element")
        assert total(answer, "melee-armor.rating") == (3 if halved else max(0, 5 + data["ap"]))


def test_bare_hands_need_no_weapon() -> None:
    unsaid, said = (
        {"attacker": "rook", "target": "guard", **more} for more in ({}, {"weapon": "unarmed-attack"})
    )
    bare, named = told(unsaid)["modifiers"], told(said)["modifiers"]
    for line in (line for tally in named for line in tally["entries"] if line["id"] == "weapon"):
        assert line.pop("rule")
        assert line["source"]
        line["source"] = ""
    assert bare == named


@pytest.mark.each(
    "example", lambda: [one for one in entries("example") if one.slug.startswith("melee-refused")]
)
def test_a_refusal_costs_nothing(example: Entry) -> None:
    answer = resolve(**example.data["request"])
    assert answer["status"] == "refused"
    assert not {"rolls", "effects", "outcome"} & answer.keys()


def test_only_what_lands_uses_a_charge() -> None:
    def charges(*dice: list[int]) -> list[Any]:
        found = resolve(
            duel("stun-baton", defense="dodge"), procedure=ATTACK, dice=[list(one) for one in dice]
        )
        return effects(found, "item")

    attack, defense = [5, 1, 2, 3, 4], [2, 1, 2, 3, 4]  # AGI 5 - 1 + 1 Reach against 5
    assert charges(attack, defense, [1] * 5, [1] * 6)[0]["amount"] == -1
    assert charges([1, 1, 2, 3, 4], [5, 1, 2, 3, 4]) == []


@pytest.mark.parametrize(
    ("situation", "missing"),
    [
        (
            {"attacker": {"pool": 5}, "target": {"pool": 3}},
            {"target.body", "target.armor", "attacker.strength"},
        ),
        (
            {"attacker": {}, "target": {"unaware": True, "body": 3, "impact": 0}, "weapon": FISTS},
            {"attacker.agility", "attacker.skills"},
        ),
        (
            {"attacker": {"pool": 5}, "target": {"body": 3, "impact": 0}, "weapon": FISTS},
            {"target.reaction", "target.skills"},
        ),
        (
            {
                "attacker": {"pool": 5},
                "target": {"pool": 3},
                "weapon": FISTS,
                "called_shot": {"kind": "item"},
            },
            {"target.strength"},
        ),
        (
            {"attacker": {"pool": 5}, "target": {"pool": 3}, "aim": "knockdown"},
            {"attacker.strength", "target.body"},
        ),
        (
            {"attacker": {"pool": 5}, "target": {"pool": 3, "full_defense": "dodge"}, "aim": "touch"},
            {"target.skills"},
        ),
    ],
)
def test_everything_that_is_missing_is_told_at_once(situation: dict[str, Any], missing: set[str]) -> None:
    with pytest.raises(InputError) as caught:
        told(situation)
    assert {problem.path.removeprefix("situation.") for problem in caught.value.problems} == missing
    assert {problem.code for problem in caught.value.problems} == {"missing-field"}


def test_a_touch_needs_nothing_of_the_body() -> None:
    touch = {"attacker": {"pool": 5}, "target": {"pool": 3}, "aim": "touch"}
    assert told(touch)["status"] == "waiting"


def test_what_the_fight_knows_of_a_melee_attack() -> None:
    striker = fighter("s")
    held = {"katana": {"ready": True}, "knife": {"ready": False}, "ares-predator-iv": {"ready": True}}
    victim = fighter("v", items=held)
    known = RULES.situate(StepContext(fight(striker, victim), striker, victim, ATTACK, {}))
    assert known["target"]["in_hand"] == ["katana", "ares-predator-iv"]
    assert known["target"]["full_defense"] == "none"
    assert known["attacker"]["prone"] is False
    assert "rounds_before" not in known["attacker"]
    assert (
        "in_hand"
        not in RULES.situate(StepContext(fight(striker), striker, fighter("x"), ATTACK, {}))["target"]
    )
    assert MeleeAttack.vocabulary.parse(known, GAME.packs).facts


def test_stages_play_with_any_dice() -> None:
    """Seeded dice through every weapon: boxes are never negative and full monitors are told."""
    for number, weapon in enumerate(melee_weapons()):
        answer = resolve(
            duel(weapon.slug, physical=9), procedure=ATTACK, dice={"source": "seed", "seed": f"{number:064x}"}
        )
        outcome = answer["outcome"]
        assert outcome["damage"] >= 0
        assert bool(effects(answer, "mark")) == (outcome["damage"] > 0)
        if outcome["result"] == "hit" and outcome["track"] == "physical" and outcome["damage"]:
            assert outcome["unconscious"]
            assert effects(answer, "add-condition", "dying")

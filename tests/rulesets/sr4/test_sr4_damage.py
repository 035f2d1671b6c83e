"""What holds for every attack, and for monitors and wounds, whatever the numbers."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sr4_fight import OPTIONS
from sr4_table import SINGLE, counts, effects, entries, guns, resolve, seed, step, total
from tiers import scale

from fracas.rulesets.sr4.sheet import Monitors, wound_modifier

boxes = st.integers(0, 30)
monitors = st.builds(
    lambda physical, stun, body, willpower, extra: Monitors.of(
        {
            "target.physical": physical,
            "target.stun": stun,
            "target.body": body,
            "target.willpower": willpower,
            "target.extra_boxes": extra,
        },
        "target",
        OPTIONS,
    ),
    boxes,
    st.integers(0, 12),
    st.integers(0, 15),
    st.integers(0, 10),
    st.integers(0, 3),
)
tracks = st.sampled_from(["physical", "stun"])


@given(monitors, boxes, tracks)
def test_every_box_is_marked_somewhere(before: Monitors, damage: int, track: str) -> None:
    after = before.after(damage, track)
    assert after.physical - before.physical + after.stun - before.stun == damage
    assert after.physical >= before.physical
    assert before.stun <= after.stun <= max(before.stun, before.stun_boxes)
    if track == "physical":
        assert after.stun == before.stun
    elif after.physical > before.physical:
        assert after.stun >= before.stun_boxes


@given(monitors, boxes, tracks)
def test_what_full_monitors_mean(before: Monitors, damage: int, track: str) -> None:
    after = before.after(damage, track)
    assert after.overflow == max(0, after.physical - before.physical_boxes)
    assert after.dying is (after.physical >= before.physical_boxes)
    assert after.unconscious is (after.dying or after.stun >= before.stun_boxes)
    assert after.dead is (after.overflow > before.overflow_boxes)
    assert after.dead <= after.dying <= after.unconscious


@given(monitors, boxes, boxes, tracks)
def test_two_hits_mark_what_one_of_both_does(before: Monitors, first: int, second: int, track: str) -> None:
    between = before.after(first, track)
    moved = before._replace(physical=between.physical, stun=between.stun)
    assert moved.after(second, track) == before.after(first + second, track)


@pytest.mark.parametrize(
    ("attribute", "size"), [(1, 9), (2, 9), (3, 10), (4, 10), (5, 11), (9, 13), (12, 14)]
)
def test_monitors_have_8_boxes_and_half_the_attribute(attribute: int, size: int) -> None:
    facts = {"x.physical": 0, "x.stun": 0, "x.body": attribute, "x.willpower": attribute}
    found = Monitors.of(facts, "x", OPTIONS)
    assert found
    assert (found.physical_boxes, found.stun_boxes, found.overflow_boxes) == (size, size, attribute)
    for name in facts:
        assert Monitors.of({key: value for key, value in facts.items() if key != name}, "x", OPTIONS) is None


@given(boxes, boxes, st.integers(0, 6), st.booleans())
def test_wound_modifier(physical: int, stun: int, ignored: int, low: bool) -> None:
    """Counted box by box: every third (or second) box beyond those ignored costs a die."""
    facts = {
        "x.physical": physical,
        "x.stun": stun,
        "x.pain_resistance": ignored,
        "x.low_pain_tolerance": low,
    }
    step_ = 2 if low else 3
    lost = sum(
        (box - ignored) % step_ == 0 for track in (physical, stun) for box in range(ignored + 1, track + 1)
    )
    assert wound_modifier(facts, "x", OPTIONS) == -lost


def test_wounds_are_unknown_unless_both_tracks_are_said() -> None:
    assert wound_modifier({"x.physical": 6}, "x", OPTIONS) is None
    assert wound_modifier({"x.stun": 6}, "x", OPTIONS) is None
    assert wound_modifier({"x.physical": 6, "x.stun": 0}, "x", OPTIONS) == -2


def test_a_hit_without_a_box_never_knocks_down() -> None:
    """Gel knocks down above Body - 2, which is below 0 here."""
    weapon = {"use": "colt-america-l36", "ammunition": "gel"}
    target = {"body": 1, "impact": 6, "unaware": True}
    situation = {"attacker": {"pool": 1}, "target": target, "weapon": weapon, "fire": SINGLE}
    soaked = [[5], [5, 5, 5, 5, 1, 1, 1, 1, 1]]
    grazed = [[5], [5, 5, 5, 1, 1, 1, 1, 1, 1]]
    for faces, damage in ((soaked, 0), (grazed, 1)):
        outcome = resolve(situation, dice=faces)["outcome"]
        assert (outcome["damage"], outcome["knockdown"]) == (damage, damage > 0)


def dice(most: int) -> st.SearchStrategy[int]:
    return st.integers(0, most)


def person(**more: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {"physical": dice(12), "stun": dice(12)},
        optional={
            "edge": dice(4),
            "edge_points": dice(2),
            "running": st.booleans(),
            "in_melee": st.booleans(),
            "in_moving_vehicle": st.booleans(),
            "pain_resistance": dice(3),
            "armor": st.lists(st.deferred(armor), max_size=3),
            "body": st.integers(1, 10),
            **more,
        },
    )


def armor() -> st.SearchStrategy[str]:
    return st.sampled_from([piece.slug for piece in entries("armor")])


def common_guns() -> st.SearchStrategy[str]:
    return st.sampled_from([weapon.slug for weapon in guns() if "dv_magic" not in weapon.data])


def rounds() -> st.SearchStrategy[str]:
    """What guns fire; other ammunition is for launchers and dart guns."""
    return st.sampled_from([one.slug for one in entries("ammunition") if "fits" not in one.data])


SITUATIONS = st.fixed_dictionaries(
    {
        "attacker": st.builds(
            lambda pool, rest: {"pool": pool, "strength": 4, **rest},
            dice(14),
            person(rounds_before=dice(9), targets_before=dice(2), gyro=dice(6), in_cover=st.booleans()),
        ),
        "target": st.builds(
            lambda pool, rest: {"pool": pool, "body": 3, "willpower": 3, "armor": ["armor-vest"], **rest},
            dice(10),
            person(
                defenses_made=dice(3),
                prone=st.booleans(),
                unaware=st.booleans(),
                cover=st.sampled_from(["none", "partial", "good"]),
                soak_bonus=dice(3),
                extra_boxes=dice(2),
            ),
        ),
        "weapon": st.builds(
            lambda use, ammunition, kept: {
                "use": use,
                "modes": None,
                **({"ammunition": ammunition} if kept else {}),
            },
            st.deferred(common_guns),
            st.deferred(rounds),
            st.booleans(),
        ),
        "fire": st.fixed_dictionaries(
            {
                "mode": st.sampled_from(["semi-automatic", "short-burst", "long-burst", "full-burst"]),
                "spread": st.sampled_from(["narrow", "wide"]),
            }
        ),
    },
    optional={
        "distance": dice(40),
        "contact": st.booleans(),
        "called_shot": st.sampled_from([{"kind": "vital", "dv": 3}, {"kind": "unarmored"}]),
    },
)


@settings(max_examples=scale(166, 500))
@given(SITUATIONS, st.integers(0, 2**32), st.data())
def test_every_attack_adds_up(situation: dict[str, Any], number: int, data: st.DataObject) -> None:
    """With every decision asked and taken at random."""
    answer, _ = step(
        situation,
        lambda question: data.draw(st.sampled_from([option["id"] for option in question["options"]])),
        options={"buying_hits": data.draw(st.booleans())},
        dice=seed(number),
    )
    check_numbers(answer)
    assume(answer["status"] == "resolved")
    check_rolls(answer)
    check_damage(answer, situation)
    check_costs(answer, situation)


def check_numbers(answer: dict[str, Any]) -> None:
    for tally in answer["modifiers"]:
        assert tally["total"] == sum(line["value"] or 0 for line in tally["entries"] if counts(line))
        if tally["to"] in ("attack.pool", "defense.pool", "resist.pool", "armor.rating", "damage.burst"):
            assert tally["total"] >= 0
    assert total(answer, "resist.pool") >= total(answer, "armor.rating")


ROLL = re.compile(r"(\d+)d6(!?) >= 5(?: \+ (\d+) hits)?")


def check_rolls(answer: dict[str, Any]) -> None:
    for roll in answer["rolls"]:
        match = ROLL.fullmatch(roll["dice"])
        assert match, roll["dice"]
        asked, exploding, before = int(match[1]), match[2], int(match[3] or 0)
        faces = roll["faces"]
        assert len(faces) == asked + (faces.count(6) if exploding else 0)
        assert roll["result"]["hits"] == before + sum(face >= 5 for face in faces)
        assert 0 <= roll["result"]["hits"] - before <= len(faces)


def check_damage(answer: dict[str, Any], situation: dict[str, Any]) -> None:
    outcome, before = answer["outcome"], situation["target"]
    damage = outcome["damage"]
    burned = [one["by"] for one in answer["decisions"] if one["choice"] == "burn"]
    marked = {
        effect["what"]: effect["amount"] for effect in effects(answer, "mark") if effect["who"] == "target"
    }  # what misfires marks the attacker
    assert sum(marked.values()) == damage >= 0
    assert outcome["physical_after"] - before["physical"] == marked.get("physical", 0)
    assert outcome["stun_after"] - before["stun"] == marked.get("stun", 0)
    hit = outcome["result"] in ("hit", "graze_contact")
    assert hit is (outcome["track"] in ("physical", "stun"))
    if not hit:
        assert damage == 0
        return
    resisted = outcome["dv"] if "target" in burned else outcome["soak_hits"]  # on the defense, it had missed
    assert damage == max(0, outcome["dv"] - resisted) <= max(0, outcome["dv"])
    net = 4 if "attacker" in burned else outcome["attack_hits"] - outcome.get("defense_hits", 0)
    assert outcome["net_hits"] == net >= (outcome["result"] == "hit")
    assert outcome["modified_dv"] == total(answer, "damage.value") + outcome["net_hits"]
    assert outcome["dv"] == outcome["modified_dv"] + total(answer, "damage.burst")
    assert outcome["modified_armor"] == total(answer, "armor.rating")
    if outcome["converted_to_stun"] or outcome["track"] == "physical":
        assert outcome["converted_to_stun"] is (outcome["modified_dv"] <= outcome["modified_armor"])
    gel = situation["weapon"].get("ammunition") == "gel"
    assert outcome["knockdown"] is (damage > 0 and damage > min(9, before["body"] - 2 * gel))
    assert bool(effects(answer, "add-condition", "prone")) is outcome["knockdown"]


def check_costs(answer: dict[str, Any], situation: dict[str, Any]) -> None:
    for who in ("attacker", "target"):
        mine = [effect for effect in effects(answer, "spend") if effect["who"] == who]
        points, burned = (
            sum(effect["amount"] for effect in mine if effect["what"] == what)
            for what in ("edge", "edge-attribute")
        )
        assert points <= situation[who].get("edge_points", 0)
        assert burned <= situation[who].get("edge", 0)
        assert points + burned <= (1 if who == "attacker" else 2)
        chosen = [one["choice"] for one in answer["decisions"] if one["by"] == who]
        assert burned == chosen.count("burn")
    defended = bool(effects(answer, "gain", "defenses-made"))
    assert defended is (answer["outcome"]["result"] != "no-attack" and not situation["target"].get("unaware"))


@given(SITUATIONS, st.integers(0, 2**32))
def test_the_same_seed_gives_the_same_attack(situation: dict[str, Any], number: int) -> None:
    assert resolve(situation, dice=seed(number)) == resolve(situation, dice=seed(number))


@pytest.mark.parametrize(("physical", "again"), [(0, True), (14, False)])
def test_a_wreck_is_left_alone_by_what_hurts_again(physical: int, again: bool) -> None:
    car = {"use": "eurocar-westwind-3k", "physical": physical, "engulfed_dv": 9, "engulfed_by": "air"}
    answer = resolve(
        {"target": car, "damage": {"again": "engulfed"}},
        procedure="damage-resistance",
        dice=[[5, 6, 1, 2, 3, 4, 1, 2, 3, 4]],
    )
    assert bool(effects(answer, "schedule", "engulf-harms")) is again

"""Damage without an attack, elements, grunts and vehicles, healing, burned Edge, and what the wounded and armored lose.

The expected numbers are worked out here by hand or by going through all dice; nothing of the rules is asked for them.
"""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from late_packs import late
from sr4_fight import OPTIONS
from sr4_table import (
    GAME,
    SINGLE,
    chances,
    effects,
    entries,
    explain,
    lines,
    measures,
    odds,
    resolve,
    seed,
    total,
)

from fracas.errors import InputError
from fracas.kernel.composing import with_effects
from fracas.kernel.stage import Effect, Fork, from_json, to_json
from fracas.kernel.vocabulary import PackEntry
from fracas.rulesets.sr4 import RULESET
from fracas.rulesets.sr4.harms.damage_resistance import fall
from fracas.rulesets.sr4.harms.healing import HealingEnd, Treatment
from fracas.rulesets.sr4.sheet import Monitors, encumbrance, wound_modifier

SINGLE_TRACK = late(lambda: {**OPTIONS, "npc_single_track": True})


def hurt(target: Any, **damage: Any) -> dict[str, Any]:
    return {"procedure": "damage-resistance", "situation": {"target": target, "damage": damage}}


# Damage without an attack


@pytest.mark.parametrize(
    ("metres", "dv"),
    [
        (0, 0),
        (0.9, 0),
        (1, 2),
        (2, 2),
        (2.5, 2),
        (3, 4),
        (6, 4),
        (6.9, 4),
        (7, 6),
        (8, 6),
        (9.9, 6),
        (10, 7),
        (11, 7),
        (12, 8),
        (30, 17),
    ],
)
def test_falls(metres: float, dv: int) -> None:
    assert fall(metres, GAME.packs) == dv


@given(st.floats(0, 1000), st.floats(0, 1000))
def test_a_longer_fall_hurts_no_less(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert fall(low, GAME.packs) <= fall(high, GAME.packs)


def test_resistance_by_going_through_all_dice() -> None:
    """4 boxes against 1 of armor (Physical) and 4 dice: of 6^4 throws, as many hits as faces of 5 and 6."""
    found = chances(
        odds(**hurt({"body": 3, "impact": 1, "physical": 0, "stun": 0}, value=4)), ["damage", "track"]
    )
    counted: dict[tuple[int, str], int] = {}
    for faces in product(range(1, 7), repeat=4):
        left = 4 - sum(face >= 5 for face in faces)
        counted[left, "physical"] = counted.get((left, "physical"), 0) + 1
    assert found == pytest.approx({key: count / 6**4 for key, count in counted.items()})


@given(st.integers(0, 12), st.integers(0, 12), st.sampled_from(["physical", "stun"]))
def test_what_does_not_exceed_the_armor_is_stun(value: int, armor: int, kind: str) -> None:
    request = hurt({"body": 1, "impact": armor}, value=value, kind=kind)
    outcome = resolve(**request, dice=seed(value))["outcome"]
    assert outcome["track"] == ("physical" if kind == "physical" and value > armor else "stun")


@pytest.mark.parametrize("element", ["fire", "cold", "acid", "laser", "electricity"])
@pytest.mark.parametrize(("impact", "rating"), [(0, 0), (5, 0), (5, 3), (6, 6), (0, 4)])
def test_elements_meet_half_impact_and_what_protects_from_them(
    element: str, impact: int, rating: int
) -> None:
    target: dict[str, Any] = {"body": 3, "willpower": 3, "ballistic": 20, "impact": impact}
    if element != "laser":
        target["resistances"] = {element: rating}
    protected = -(-impact // 2) + (rating if element != "laser" else 0)
    answer = explain(**hurt(target, value=9, element=element))
    assert total(answer, "resistance.armor") == protected
    assert total(answer, "resistance.pool") == 3 + protected
    weapon = {"dv": 9, "damage": "physical", "ap": 0, "element": element, "modes": ["SA"]}
    situation = {"attacker": {"pool": 6}, "target": {**target, "pool": 3}, "weapon": weapon, "fire": SINGLE}
    shot = explain(situation)
    assert total(shot, "armor.rating") == protected
    blow: dict[str, Any] = {"attacker": {"pool": 6}, "target": {**target, "pool": 3}}
    blow["weapon"] = {"dv": 9, "damage": "physical", "ap": 0, "element": element, "skill": "clubs"}
    assert total(explain(blow, procedure="melee-attack"), "melee-armor.rating") == protected


def test_protection_from_one_element_is_none_from_another() -> None:
    target = {"body": 3, "impact": 4, "resistances": {"acid": 6}}
    assert total(explain(**hurt(target, value=9, element="fire")), "resistance.armor") == 2


def test_every_protection_of_the_packs_has_its_field() -> None:
    mods = {mod.slug: mod.data for mod in entries("mod") if "resists" in mod.data}
    assert len(mods) == 4
    for slug, data in mods.items():
        assert data["changes"] == [{"stat": f"resistances.{data['resists']}", "add": [1, 2, 3, 4, 5, 6]}], (
            slug
        )


def test_a_burning_target_is_not_set_alight_twice() -> None:
    """Another flame raises the fire that is there, and it still burns once a turn."""
    weapon = {"dv": 8, "damage": "physical", "ap": 0, "element": "fire", "modes": ["SA"]}
    for had in (4, 11):
        target = {"body": 3, "armor": [], "unaware": True, "burning_dv": had}
        situation = {"attacker": {"pool": 1}, "target": target, "weapon": weapon, "fire": SINGLE}
        answer = resolve(situation, dice=[[5], [1, 1, 1]])
        assert answer["outcome"]["burning_dv"] == 9  # 8 and a net hit
        (burning,) = effects(answer, "add-condition", "burning")
        assert burning["set_burning_dv"] == max(9, had)
        assert not effects(answer, "schedule")


def test_what_hurts_again_needs_to_be_there() -> None:
    for again in ("burning", "acid"):
        with pytest.raises(InputError) as error:
            resolve(**hurt({"body": 3, "armor": []}, again=again))
        assert error.value.problems[0].code == "missing-field"
    with pytest.raises(InputError) as error:
        resolve(**hurt({"body": 3, "armor": []}))
    assert error.value.problems[0].path == "situation.damage.value"


def test_house_rules_of_what_comes_later() -> None:
    dying = hurt({"use": "guard", "physical": 9}, value=2, unresisted=True)
    for bleeds in (True, False):
        found = effects(resolve(**dying, options={"bleeding_out": bleeds}), "schedule", "bleed")
        assert [effect["turns"] for effect in found] == ([3] if bleeds else [])
    for spreads in (True, False):
        for said in ({}, {"spreads": not spreads}):
            request = hurt({"use": "guard", "burning_dv": 5}, again="burning", **said)
            answer = resolve(**request, options={"fire_spreads": spreads}, dice=seed(1))
            grows = bool(effects(answer, "add-condition", "burning"))
            assert grows is (said["spreads"] if said else spreads)
            assert effects(answer, "schedule", "burn")


def test_the_dead_neither_bleed_nor_burn_on() -> None:
    for again in ("burning", "bleeding"):
        target = {"use": "guard", "physical": 20, "burning_dv": 3}
        assert not effects(resolve(**hurt(target, again=again), dice=seed(2)), "schedule")


# Knockdown, wounds, encumbrance, stacking: rows by hand


@pytest.mark.parametrize(
    ("body", "boxes", "gel", "prone"),
    [
        (4, 4, False, False),
        (4, 5, False, True),
        (12, 9, False, False),
        (12, 10, False, True),
        (4, 2, True, False),
        (4, 3, True, True),
        (4, 4, True, True),
        (12, 10, True, True),
        (1, 1, False, False),
    ],
)
def test_knockdown(body: int, boxes: int, gel: bool, prone: bool) -> None:
    """Against an aware target nothing is soaked: all of its dice show 1."""
    weapon: dict[str, Any] = {"dv": boxes - 1 + gel, "damage": "stun", "ap": 0, "armor_kind": "impact"}
    weapon |= {"modes": ["SA"]} | ({"ammunition": "gel"} if gel else {})
    target = {"body": body, "willpower": 3, "impact": 0, "unaware": True, "physical": 0, "stun": 0}
    situation = {"attacker": {"pool": 1}, "target": target, "weapon": weapon, "fire": SINGLE}
    answer = resolve(situation, dice=[[5], [1] * body])
    assert (answer["outcome"]["damage"], answer["outcome"]["knockdown"]) == (boxes, prone)
    assert bool(effects(answer, "add-condition", "prone")) is prone


class Piece(NamedTuple):
    id: str
    slug: str
    label: str
    data: dict[str, Any]
    kind: str = "armor"


def piece(slug: str, ballistic: int, impact: int, **more: Any) -> PackEntry:
    return Piece(f"x:armor/{slug}", slug, slug, {"ballistic": ballistic, "impact": impact, **more})


@pytest.mark.parametrize(
    ("pieces", "body", "worst", "both"),
    [
        ([piece("full", 10, 8)], 4, -1, -1),
        ([piece("full", 10, 8)], 3, -2, -3),
        ([piece("full", 10, 8), piece("helmet", 2, 2, stacks=True)], 4, -2, -3),
        ([piece("jacket", 8, 6)], 4, 0, 0),
        ([piece("jacket", 8, 6)], 3, -1, -1),
        ([piece("vest", 6, 4), piece("coat", 6, 4)], 4, -2, -2),
        ([piece("jacket", 8, 6), piece("helmet", 1, 2, stacks=True)], 4, -1, -1),
        ([piece("suit", 9, 9, form_fitting=True)], 2, 0, 0),
        ([piece("suit", 6, 2, form_fitting=True), piece("jacket", 8, 6)], 4, -2, -2),
        ([piece("heavy", 15, 15, military=True)], 5, 0, 0),
        ([piece("heavy", 16, 15, military=True)], 5, -1, -1),
        ([], 1, 0, 0),
    ],
)
def test_encumbrance(pieces: list[PackEntry], body: int, worst: int, both: int) -> None:
    facts = {"x.armor": pieces, "x.body": body}
    for combine, lost in (("worst", worst), ("sum", both)):
        options = {"encumbrance_combine": combine, "encumbrance_single_suit_exempt": False}
        assert encumbrance(facts, "x", options) == lost
        options["encumbrance_single_suit_exempt"] = True
        assert encumbrance(facts, "x", options) == (0 if len(pieces) == 1 else lost)


@pytest.mark.parametrize(
    ("procedure", "situation", "pool"),
    [
        ("ranged-attack", {"weapon": "colt-america-l36", "fire": SINGLE, "target": "vex"}, "attack.pool"),
        ("melee-attack", {"weapon": "knife", "target": "vex"}, "melee-attack.pool"),
        ("success-test", {"attribute": "agility"}, "test.pool"),
        ("initiative-test", {}, "initiative.pool"),
        ("surprise-test", {}, "surprise.pool"),
    ],
)
def test_encumbrance_counts_for_every_test_of_agility_and_reaction(
    procedure: str, situation: dict[str, Any], pool: str
) -> None:
    who = "attacker" if "weapon" in situation else "tester"

    def dice(*armor: str) -> int:
        wearer = {"use": "guard", "armor": list(armor)}
        return total(explain({**situation, who: wearer}, procedure=procedure), pool)

    assert dice("full-body-armor") == dice() - 2  # 10 and 8 above twice 3: 4 points, two dice
    assert dice("armor-vest") == dice()


def test_encumbrance_spares_other_attributes_and_resistance() -> None:
    wearer = {"use": "guard", "armor": ["full-body-armor"]}
    plain = {"use": "guard", "armor": []}
    for attribute in ("strength", "intuition", "willpower", "body", "logic"):
        found = [
            total(explain({"tester": one, "attribute": attribute}, procedure="success-test"), "test.pool")
            for one in (wearer, plain)
        ]
        assert found[0] == found[1]
    assert total(explain(**hurt(wearer, value=9)), "resistance.pool") == 3 + 8


@pytest.mark.parametrize(
    ("worn", "ballistic", "impact"),
    [
        ([], 0, 0),
        (["armor-vest", "lined-coat"], 6, 4),
        (["armor-clothing", "leather-jacket"], 4, 2),
        (["armor-jacket", "helmet"], 9, 8),
        (["armor-jacket", "helmet", "riot-shield"], 11, 14),
        (["helmet"], 1, 2),
    ],
)
def test_only_the_best_suit_protects_and_what_adds_adds(worn: list[str], ballistic: int, impact: int) -> None:
    target = {"body": 20, "armor": worn, "ballistic_bonus": 1, "impact_bonus": 2}
    for kind, rating in (("ballistic", ballistic + 1), ("impact", impact + 2)):
        assert total(explain(**hurt(target, value=9, armor=kind)), "resistance.armor") == rating


@pytest.mark.parametrize(
    ("armor", "ap", "needs", "left"),
    [
        (4, 5, True, 9),
        (0, 5, True, 0),
        (0, 5, False, 5),
        (4, -6, True, 0),
        (4, -1, True, 3),
        (0, -3, False, 0),
    ],
)
def test_armor_penetration(armor: int, ap: int, needs: bool, left: int) -> None:
    """In every procedure alike: negative never takes more than there is, positive raises armor that there is."""
    options = {"ap_positive_needs_armor": needs}
    target = {"body": 3, "willpower": 3, "pool": 2, "impact": armor, "physical": 0, "stun": 0}
    weapon = {"dv": 9, "damage": "physical", "ap": ap, "armor_kind": "impact"}
    shot = {"attacker": {"pool": 6}, "target": target, "weapon": {**weapon, "modes": ["SA"]}, "fire": SINGLE}
    blow = {"attacker": {"pool": 6}, "target": target, "weapon": {**weapon, "skill": "blades"}}
    charge = {"aim": "goes-off", "weapon": {**weapon, "blast_falloff": 1}}
    charge["victim_1"] = {name: value for name, value in target.items() if name != "pool"} | {
        "blast_distance": 1
    }
    assert total(explain(shot, options=options), "armor.rating") == left
    assert total(explain(blow, procedure="melee-attack", options=options), "melee-armor.rating") == left
    assert total(explain(charge, procedure="blast-attack", options=options), "blast-armor.victim_1") == left
    answer = explain(**hurt({"body": 3, "impact": armor}, value=9, ap=ap), options=options)
    assert total(answer, "resistance.armor") == left


# Grunts and vehicles


@given(st.integers(0, 11), st.integers(0, 11), st.integers(0, 15), st.sampled_from(["physical", "stun"]))
def test_one_monitor_takes_every_box(physical: int, stun: int, boxes: int, track: str) -> None:
    facts = {
        "x.physical": physical,
        "x.stun": min(stun, max(0, 10 - physical)),
        "x.body": 4,
        "x.willpower": 3,
    }
    before = Monitors.of({**facts, "x.grunt": True}, "x", SINGLE_TRACK)
    assert before is not None
    assert before.physical_boxes == 10
    after = before.after(boxes, track)
    had = before.physical + before.stun
    assert after.physical + after.stun == had + boxes
    assert after.unconscious is (had + boxes >= 10)
    assert after.overflow == max(0, had + boxes - 10)
    assert after.dead is (after.overflow > 4)
    assert after.dead <= after.dying <= after.unconscious
    if track == "stun":
        assert after.stun <= max(before.stun, 10 - before.physical)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 4), st.booleans())
def test_wounds_of_one_monitor(physical: int, stun: int, ignored: int, low: bool) -> None:
    facts = {
        "x.physical": physical,
        "x.stun": stun,
        "x.pain_resistance": ignored,
        "x.low_pain_tolerance": low,
    }
    step = 2 if low else 3
    counted = sum((box - ignored) % step == 0 for box in range(ignored + 1, physical + stun + 1))
    assert wound_modifier({**facts, "x.grunt": True}, "x", SINGLE_TRACK) == -counted
    assert wound_modifier({**facts, "x.grunt": True}, "x", OPTIONS) == wound_modifier(facts, "x", OPTIONS)
    assert wound_modifier(facts, "x", SINGLE_TRACK) == wound_modifier(facts, "x", OPTIONS)


@pytest.mark.parametrize("procedure", sorted(RULESET.procedures))
def test_grunts_everywhere(procedure: str) -> None:
    """Whoever has monitors may be a grunt."""
    vocabulary = RULESET.procedures[procedure].vocabulary
    for record in vocabulary.records.values():
        if f"{record.path}.physical" in vocabulary.fields:
            assert f"{record.path}.grunt" in vocabulary.fields


@given(st.integers(0, 20), st.integers(0, 20))
def test_vehicles(dv: int, armor: int) -> None:
    target = {"vehicle": True, "body": 6, "vehicle_armor": armor, "physical": 0}
    outcome = resolve(**hurt(target, value=dv), dice=seed(dv))["outcome"]
    assert outcome.get("bounced", False) is (dv <= armor)
    if dv <= armor:
        assert outcome["damage"] == 0
    assert outcome["unconscious"] is outcome["dying"] is outcome["dead"] is False
    assert outcome.get("wrecked", False) is (outcome["damage"] >= 8 + 3)
    assert not outcome["knockdown"]


def test_stun_does_nothing_to_a_vehicle() -> None:
    target = {"vehicle": True, "body": 6, "vehicle_armor": 0, "physical": 0}
    assert resolve(**hurt(target, value=9, kind="stun"))["outcome"]["damage"] == 0
    with pytest.raises(InputError) as error:
        resolve(**hurt({"vehicle": True, "body": 6, "physical": 0}, value=9))
    assert error.value.problems[0].path == "situation.target.vehicle_armor"


# Healing


@given(
    st.integers(0, 12),
    st.integers(0, 12),
    st.integers(0, 12),
    st.integers(0, 6),
    st.sampled_from(["physical", "stun"]),
)
def test_first_aid_never_heals_more_than_there_is(
    physical: int, stun: int, hits: int, skill: int, track: str
) -> None:
    facts = {"x.physical": physical, "x.stun": stun, "x.body": 3, "x.willpower": 3}
    monitors = Monitors.of(facts, "x", OPTIONS)
    assert monitors is not None
    treatment = Treatment("x", monitors, track, 2, skill, 0, True)
    healed = treatment.healed(hits)
    assert sum(healed) == min(max(0, hits - 2), skill, physical + stun)
    assert healed[0] <= physical
    assert healed[1] <= stun
    first = healed[0] if track == "physical" else healed[1]
    assert first == min(sum(healed), physical if track == "physical" else stun)
    marks = {
        effect.what: effect.amount
        for effect in HealingEnd(treatment, hits, 0).effects()
        if effect.type == "mark"
    }
    assert marks == {name: -boxes for name, boxes in zip(("physical", "stun"), healed, strict=True) if boxes}


@pytest.mark.parametrize(
    ("physical", "stun", "hits", "ended"),
    [
        (10, 0, 3, {"dying", "stabilized", "unconscious"}),
        (11, 0, 3, set()),
        (10, 10, 3, {"dying", "stabilized"}),
        (4, 10, 3, set()),
        (4, 0, 4, set()),
    ],
)
def test_who_is_healed_below_a_full_monitor_wakes(
    physical: int, stun: int, hits: int, ended: set[str]
) -> None:
    situation = {"tester": {"pool": hits}, "patient": {"use": "guard", "physical": physical, "stun": stun}}
    answer = resolve(situation, procedure="first-aid", dice=[[5] * hits])
    assert {effect["what"] for effect in effects(answer, "remove-condition")} == ended


def test_new_wounds_may_be_treated_again() -> None:
    answer = resolve(**hurt({"use": "guard", "treated": True}, value=2, unresisted=True))
    assert effects(answer, "remove-condition", "treated")
    assert not effects(resolve(**hurt({"use": "guard"}, value=2, unresisted=True)), "remove-condition")


def test_odds_of_first_aid_by_going_through_all_dice() -> None:
    """5 dice, 5 boxes, skill 2: of 6^5 throws the hits above 2, at most 2."""
    situation = {
        "tester": {"logic": 3, "skills": {"first-aid": 2}},
        "patient": {"use": "guard", "physical": 5},
    }
    boxes = sum(
        min(2, max(0, sum(face >= 5 for face in faces) - 2)) for faces in product(range(1, 7), repeat=5)
    )
    answer = odds(situation, procedure="first-aid")
    assert measures(answer)["boxes"] == pytest.approx(boxes / 6**5)


# Burned Edge


SPARK = {"use": "spark", "world": "matrix-hot"}
_BIKE = {"use": "yamaha-growler", "control": "driver", "reaction": 4, "vehicle_skill": 4, "edge": 2}

BURNING: dict[str, dict[str, Any]] = {
    "crash-test": {"tester": _BIKE, "speed": 90, "threshold": 3},
    "vehicle-test": {"tester": _BIKE, "threshold": 3},
    "ram": {"tester": _BIKE, "target": "guard", "speed": 90},
    "sensor-lock": {
        "tester": {"use": "spark", "control": "jumped", "sensor": 3, "hot_sim": True},
        "target": "vex",
    },
    "regenerate": {"tester": {"use": "vampire", "physical": 7, "lasting_boxes": 3, "edge": 2}},
    "critter-power": {
        "user": {"use": "guard", "stun": 5, "edge": 2},
        "target": {"use": "spirit-of-water", "force": 5},
        "power": "break-out",
    },
    "perceive-illusion": {"tester": {"use": "guard", "edge": 2}, "target": {"invisibility": 2}},
    "break-control": {"tester": {"use": "guard", "mind_control": 2, "edge": 2}, "target": {}},
    "boost-attribute": {"tester": {"use": "mako", "edge": 2}, "boosts": "agility", "level": 2},
    "dispel": {
        "caster": {"use": "vesper", "edge": 2},
        "target": {"magic": 4},
        "spell": "armor",
        "force": 3,
        "hits": 2,
    },
    "toxin-dart": {
        "attacker": {"use": "vex", "skills": {"exotic-ranged-weapon": 2}},
        "target": "guard",
        "weapon": "parashield-dart-pistol",
        "toxin": "narcoject",
        "distance": 4,
    },
    "matrix-attack": {"attacker": SPARK, "target": "hunter-4", "program": "attack"},
    "matrix-test": {"tester": SPARK, "using": ["computer", "analyze"]},
    "matrix-work": {
        "tester": SPARK,
        "device": {"kind": "smartgun"},
        "work": "hack-node",
        "using": ["hacking", "exploit"],
        "to_reach": ["firewall"],
    },
    "ranged-attack": {
        "attacker": "rook",
        "target": "guard",
        "weapon": "ares-predator-iv",
        "fire": SINGLE,
        "distance": 4,
    },
    "melee-attack": {"attacker": "rook", "target": "guard", "weapon": "katana"},
    "blast-attack": {
        "attacker": "rook",
        "weapon": "high-explosive-grenade",
        "victim_1": {"use": "guard", "distance": 0},
    },
    "success-test": {"tester": "rook", "attribute": "logic", "threshold": 2},
    "extended-test": {"tester": "rook", "attribute": "logic"},
    "initiative-test": {"tester": "rook"},
    "surprise-test": {"tester": "rook", "against": 2},
    "first-aid": {"tester": "rook", "patient": {"use": "guard", "physical": 5}},
    "escape-hold": {"tester": "rook", "holder": {"grip": 2}},
    "astral-attack": {
        "attacker": {"use": "rook", "skills": {"astral-combat": 2}},
        "target": {"use": "guard", "skills": {"astral-combat": 2}},
    },
    "suppressive-fire": {
        "attacker": "rook",
        "weapon": "steyr-tmp",
        "distance": 4,
        "target": "guard",
        "victim_1": "vex",
    },
    "barrier-attack": {
        "attacker": "rook",
        "weapon": "ares-predator-iv",
        "fire": SINGLE,
        "distance": 4,
        "barrier": {"material": "cheap"},
    },
    "ranged-volley": {
        "attacker": "rook",
        "weapon": "ares-predator-iv",
        "weapon_2": "colt-manhunter",
        "fire": SINGLE,
        "target": "guard",
        "distance": 4,
    },
    "cast-spell": {"caster": "vesper", "target": "guard", "spell": "manabolt", "force": 5},
    "summon-spirit": {"caster": {"use": "vesper", "skills": {"summoning": 4}}, "force": 4},
    "banish-spirit": {
        "caster": {"use": "vesper", "skills": {"banishing": 4}},
        "target": {"force": 3, "services": 2},
    },
    "quick-draw": {
        "attacker": {"use": "rook", "draw_pool": 20},
        "weapon": "ares-predator-iv",
        "fire": SINGLE,
        "target": "guard",
        "distance": 4,
    },
}


@pytest.mark.parametrize("procedure", sorted(BURNING))
def test_burned_edge_takes_a_point_of_the_attribute_for_ever(procedure: str) -> None:
    situation = BURNING[procedure]
    who = next(name for name in ("attacker", "caster", "tester", "user") if name in situation)
    said = situation[who] if isinstance(situation[who], dict) else {"use": situation[who]}
    burning = {**situation, who: {**said, "edge_points": 0, "burn_edge": True}}
    answer = resolve(burning, procedure=procedure, dice=seed(3))
    edge = [effect for effect in effects(answer, "spend") if effect["what"].startswith("edge")]
    assert [(one["who"], one["what"], one["amount"]) for one in edge] == [(who, "edge-attribute", 1)]
    if procedure != "ranged-volley":  # it decides the first attack alone
        rolled = {roll["label"] for roll in answer["rolls"]}
        assert not rolled & {"attack", "defense", "test", "initiative", "surprise", "roll_1", "first_aid"}
        assert not rolled & {"spell", "summoning", "banishing", "matrix"}
    broke = {**situation, who: {**said, "edge": 0, "edge_points": 0, "burn_edge": True}}
    with pytest.raises(InputError) as error:
        resolve(broke, procedure=procedure)
    assert [problem.code for problem in error.value.problems] == ["no-edge"]
    assert odds(burning, procedure=procedure)["branches"]


def test_burned_edge_is_tried_everywhere() -> None:
    procedures = RULESET.procedures.values()
    assert {
        one.id for one in procedures if any(path.endswith(".burn_edge") for path in one.vocabulary.fields)
    } == {*BURNING}


def test_burned_edge_scatters_four_metres_less() -> None:
    """1d6 - 4 metres: 5 and 6 leave 1 and 2, all else is on the spot."""
    burning = {**BURNING["blast-attack"], "attacker": {"use": "rook", "burn_edge": True}}
    for face, metres in ((4, 0), (5, 1), (6, 2)):
        direction = [[1]] if metres else []
        answer = resolve(burning, procedure="blast-attack", dice=[[face], *direction, [1] * 5])
        assert answer["outcome"]["blast.scatter"] == metres
        assert effects(answer, "spend", "edge-attribute")


def test_besides_survives_json_and_goes_with_the_first_branch() -> None:
    monitors = Monitors.of({"x.physical": 1, "x.stun": 0, "x.body": 3, "x.willpower": 3}, "x", OPTIONS)
    assert monitors is not None
    end = HealingEnd(Treatment("x", monitors, "physical", 0, -1, 0, False), 1, 0)
    extra = Effect("schedule", "x", "burn", None, (("when", "turn-begin"),))
    stage = with_effects(end, [extra])
    assert from_json(to_json(stage)) == stage
    assert stage.effects() == (extra, *end.effects())
    assert stage.notes() == end.notes()
    assert with_effects(end, []) is end
    fork = with_effects(Fork((("a", end), ("b", end))), [extra])
    assert fork.effects() == (extra, *end.effects(), *end.effects())


# All tests at once


def test_conditions_reach_every_test_and_no_resistance() -> None:
    """A new pool is either a test, or named here as a resistance."""
    turns = RULESET.turns
    assert turns is not None
    group = set(turns.groups["tests.all"])
    pools = {
        to for procedure in RULESET.procedures.values() for to in procedure.targets if to.endswith(".pool")
    }
    kept = pools - group
    assert all(to.rpartition(".")[0].endswith(("resist", "resistance", "drain", "soak")) for to in kept), kept
    assert {
        "attack.pool",
        "defense.pool",
        "surprise.pool",
        "initiative.pool",
        "last-action.pool",
        "test.pool",
    } <= group
    assert not any(to.startswith(("resist", "melee-resist", "resistance")) for to in group)
    for slug in ("shaken", "sustaining-spell"):
        entry = GAME.packs.entry("condition", slug)
        assert entry is not None
        assert entry.data["changes"] == [{"stat": "tests.all", "add": -2}]


def test_explanations_name_what_protects() -> None:
    answer = explain(
        **hurt({"body": 3, "armor": ["armor-vest"], "resistances": {"fire": 2}}, value=5, element="fire")
    )
    assert {id: line["value"] for id, line in lines(answer, "resistance.armor").items()} == {
        "armor-vest": 4,
        "half": -2,
        "against-fire": 2,
    }

"""House rules: each changes something where it is in play, and nothing where it is not."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from sr4_table import GAME, SINGLE, burst, explain, odds

from fracas.errors import InputError

NEAR = {"attacker": "guard", "target": "vex", "weapon": "colt-america-l36", "fire": SINGLE, "distance": 3}
SHOCKED = {
    "attacker": "rook",
    "target": "brick",
    "weapon": "defiance-ex-shocker",
    "fire": {"mode": "single-shot"},
}
BUNDLED = {**NEAR, "target": {"use": "guard", "armor": ["full-body-armor"]}}


def again(attacker: str | dict[str, Any], weapon: str | dict[str, Any], **before: int) -> dict[str, Any]:
    """A short burst after other shots."""
    use = {"use": attacker} if isinstance(attacker, str) else attacker
    return {
        "attacker": {**use, **before},
        "target": "vex",
        "weapon": weapon,
        "fire": burst("short"),
        "distance": 9,
    }


STRIKER = {"use": "aztechnology-striker", "ammunition": "fragmentation-warhead"}


def thrown(weapon: str | dict[str, Any], **more: Any) -> dict[str, Any]:
    """Something that explodes, at a place."""
    return {
        "procedure": "blast-attack",
        "situation": {"attacker": {"pool": 5}, "weapon": weapon, **more},
    }


SPARK = {"use": "spark", "world": "matrix-hot"}

EMBER = {"use": "spirit-of-fire", "force": 4}
GUARDED = {"use": "guard", "willpower": 3}
DRONE = {"use": "gm-nissan-doberman"}
_OF_WORLDS = [
    "immunity_ap",
    "immunity_half",
    "spirit_unarmed_physical",
    "service_per_power",
    "fear_resistance",
    "confusion_cap",
    "howl_effect",
    "vehicle_defense",
    "signature_on_attack",
    "mounted_recoil",
    "ram_relative",
    "toxin_resist",
    "toxin_powers",
    "dart_delivery",
    "control_break",
    "dispel_against",
    "levitate_unwilling",
    "cs_roll_once",
    "counterspelling_several",
    "spell_cover",
    "mana_barrier_dice",
    "spirit_edge",
    "critter_edge",
    "spirit_astral_passes",
    "autonomous_passes",
    "guard_stops_glitches",
    "movement_factor",
    "rigged_response",
    "mounted_moving",
    "vehicle_bypass",
    "area_armor_inside",
]
"""House rules of the chapters on spirits, machines and toxins; tests/packs/rows_sr4.yaml holds their defaults."""
POWERS: dict[str, dict[str, Any]] = {
    kind: {"procedure": "critter-power", "situation": {"user": {"pool": 6}, "target": "guard", "power": kind}}
    for kind in ("fear", "confusion", "accident", "paralyzing-howl")
}


def _shot(attacker: Any, target: Any, weapon: Any, **more: Any) -> dict[str, Any]:
    return {"situation": {**NEAR, "attacker": attacker, "target": target, "weapon": weapon, **more}}


def _poison(**more: Any) -> dict[str, Any]:
    return {"procedure": "toxin-exposure", "situation": {"target": "guard", "toxin": "cs-gas", **more}}


def _pushed(being: dict[str, Any]) -> dict[str, Any]:
    """A power on which its user spends Edge."""
    return {
        "procedure": "critter-power",
        "situation": {"user": being, "target": "guard", "power": "fear"},
        "decisions": [{"decision": "edge-before", "by": "user", "choose": "push"}],
    }


IN_PLAY: dict[str, dict[str, Any]] = {
    "control_break": {
        "procedure": "break-control",
        "situation": {"tester": {"pool": 4, "mind_control": 3}, "target": {}},
    },
    "dispel_against": {
        "procedure": "dispel",
        "situation": {"caster": "vesper", "target": {"magic": 4}, "spell": "armor", "force": 4, "hits": 3},
    },
    "levitate_unwilling": {
        "procedure": "cast-spell",
        "situation": {"caster": "vesper", "target": "brick", "spell": "levitate", "force": 5},
    },
    "cs_roll_once": {
        "procedure": "cast-spell",
        "situation": {
            "caster": "vesper",
            "target": {"use": "guard", "counterspelling": 3},
            "victim_1": {"use": "guard", "counterspelling": 3},
            "spell": "stunball",
            "force": 5,
        },
    },
    "counterspelling_several": {
        "procedure": "cast-spell",
        "situation": {
            "caster": "vesper",
            "target": {"use": "guard", "counterspelling": 3, "counterspelling_help": 3},
            "spell": "manabolt",
            "force": 5,
        },
    },
    "spell_cover": {
        "procedure": "cast-spell",
        "situation": {
            "caster": "vesper",
            "target": {"use": "guard", "cover": "good"},
            "spell": "manabolt",
            "force": 5,
        },
    },
    "mana_barrier_dice": {
        "procedure": "cast-spell",
        "situation": {"caster": "vesper", "spell": "mana-barrier", "force": 4},
    },
    "spirit_edge": _pushed(EMBER),
    "critter_edge": _pushed({"use": "hell-hound", "edge_points": 2}),
    "guard_stops_glitches": {
        "procedure": "success-test",
        "situation": {"tester": {"pool": 5, "without_glitches": True}, "threshold": 1},
    },
    "movement_factor": {
        "procedure": "critter-power",
        "situation": {"user": EMBER, "target": "guard", "power": "movement"},
    },
    "rigged_response": {
        "procedure": "initiative-test",
        "situation": {"tester": {"use": "spark", "world": "jumped-in-hot", "vehicle_response": 2}},
    },
    "mounted_moving": _shot(
        {**DRONE, "in_moving_vehicle": True}, "guard", "ak-97", fire={"mode": "semi-automatic"}
    ),
    "vehicle_bypass": _shot(
        {"pool": 8}, DRONE, "ak-97", fire={"mode": "semi-automatic"}, called_shot={"kind": "vital", "dv": 2}
    ),
    "area_armor_inside": _shot(
        {"pool": 12}, {"use": "guard", "inside_armor": 6}, {"use": "ak-97", "rounds": 30}, fire=burst("full")
    ),
    "immunity_ap": _shot({"pool": 12}, EMBER, "ak-97", fire={"mode": "semi-automatic"}),
    "immunity_half": _shot({"pool": 12}, EMBER, {"use": "ares-predator-iv", "ammunition": "stick-n-shock"}),
    "spirit_unarmed_physical": {
        "procedure": "melee-attack",
        "situation": {"attacker": EMBER, "target": {"use": "guard", "defense": "dodge"}},
    },
    "service_per_power": {
        "procedure": "order-spirit",
        "situation": {"caster": {}, "target": {"services": 2, "fights": True}, "order": "power"},
    },
    "fear_resistance": POWERS["fear"],
    "confusion_cap": POWERS["confusion"],
    "howl_effect": POWERS["paralyzing-howl"],
    "vehicle_defense": _shot({"pool": 8}, {**DRONE, "handling": 2}, "ak-97", fire={"mode": "semi-automatic"}),
    "signature_on_attack": _shot(DRONE, "steel-lynx", "ak-97", fire={"mode": "semi-automatic"}),
    "mounted_recoil": _shot(
        {**DRONE, "rounds_before": 0}, "guard", {"use": "ak-97", "rc": 0}, fire=burst("short")
    ),
    "ram_relative": {
        "procedure": "ram",
        "situation": {
            "tester": "gmc-bulldog",
            "target": "steel-lynx",
            "speed": 60,
            "other_speed": 60,
            "head_on": True,
        },
    },
    "toxin_resist": _poison(),
    "toxin_powers": _poison(),
    "dart_delivery": {
        "procedure": "toxin-dart",
        "situation": {
            "attacker": {"pool": 8},
            "target": "guard",
            "weapon": "parashield-dart-pistol",
            "toxin": "narcoject",
            "distance": 4,
        },
    },
    "matrix_defense_decay": {
        "procedure": "matrix-attack",
        "situation": {"attacker": "hunter-4", "target": {**SPARK, "defenses_made": 2}, "program": "attack"},
    },
    "hot_sim_on_defense": {
        "procedure": "matrix-attack",
        "situation": {"attacker": "hunter-4", "target": SPARK, "program": "attack"},
    },
    "black_ic_in_ar": {
        "procedure": "matrix-attack",
        "situation": {
            "attacker": "killer-5",
            "target": {**SPARK, "world": "matrix-ar"},
            "program": "black-hammer",
        },
    },
    "crash_node_test": {
        "procedure": "matrix-work",
        "situation": {
            "tester": {**SPARK, "programs": {"exploit": 3, "attack": 4}},
            "device": {"kind": "smartgun"},
            "work": "crash-node",
            "using": ["hacking", "exploit"],
            "to_reach": ["system", "firewall"],
        },
    },
    "direct_spell_net_drain": {
        "procedure": "cast-spell",
        "situation": {"caster": "vesper", "target": "guard", "spell": "manabolt", "force": 4},
    },
    "barrier_soak_multiplier": {
        "procedure": "barrier-attack",
        "situation": {
            "attacker": "guard",
            "weapon": "colt-america-l36",
            "fire": SINGLE,
            "barrier": {"material": "cheap"},
        },
    },
    "ranged_modifiers": {"situation": {**NEAR, "target": {"use": "vex", "cover": "partial"}}},
    "recoil": {"situation": again({"pool": 12}, "ak-97", rounds_before=3, bursts_before=1)},
    "glitch_rule": {"procedure": "success-test", "situation": {"tester": {"pool": 2}}},
    "grazing_hits": {"situation": NEAR},
    "graze_on_zero": {"situation": NEAR},
    "prone_vs_ranged": {"situation": {**NEAR, "target": {"use": "vex", "prone": True}, "distance": 20}},
    "encumbrance_combine": {"situation": BUNDLED},
    "encumbrance_single_suit_exempt": {"situation": BUNDLED},
    "half_armor_round": {"situation": SHOCKED},
    "edge_reroll_explodes": {
        "situation": NEAR,
        "decisions": [{"decision": "edge-after", "by": "attacker", "choose": "reroll"}],
    },
    "blind_fire_attribute": {
        "situation": {**NEAR, "attacker": "vex", "target": {"use": "guard", "hidden": True}}
    },
    "tracer_rule": {"situation": again({"pool": 12}, {"use": "uzi-iv", "ammunition": "tracer"})},
    "electric_armor_bonus": {"situation": SHOCKED},
    "ap_positive_needs_armor": {
        "situation": {**NEAR, "target": {"use": "vex", "armor": []}, "weapon": "ares-viper-slivergun"}
    },
    "gel_knockdown": {
        "situation": {**NEAR, "weapon": {"use": "ares-predator-iv", "ammunition": "gel"}},
    },
    "strength_recoil": {"situation": again("ork-bruiser", "ingram-white-knight", rounds_before=6)},
    "buying_hits": {
        "situation": NEAR,
        "decisions": [{"decision": "buy-hits", "by": "attacker", "choose": "buy"}],
    },
    "encumbrance_target": {
        "procedure": "initiative-test",
        "situation": {"tester": {"use": "guard", "armor": ["armor-jacket"]}},
    },
    "initiative_wounds": {
        "procedure": "initiative-test",
        "situation": {"tester": {"use": "guard", "stun": 3}},
    },
    "glitch_counts_exploded": {
        "situation": {**NEAR, "attacker": {"use": "guard", "edge": 2, "edge_points": 1}},
        "decisions": [{"decision": "edge-before", "by": "attacker", "choose": "push"}],
    },
    "surprise_tie": {"procedure": "surprise-test", "situation": {"tester": "guard", "against": 2}},
    "extended_decay": {"procedure": "extended-test", "situation": {"tester": {"pool": 4}, "threshold": 4}},
    "extended_glitch_loses_hits": {
        "procedure": "extended-test",
        "situation": {"tester": {"pool": 4}, "threshold": 4},
    },
    "scatter_dice_standard": thrown("high-explosive-grenade"),
    "scatter_dice_aerodynamic": thrown({"use": "high-explosive-grenade", "range": "grenade-aerodynamic"}),
    "scatter_dice_launcher": thrown({"use": "armtech-mgl-12", "ammunition": "high-explosive-grenade"}),
    "scatter_dice_missile": thrown(STRIKER, sensor=1),
    "scatter_dice_rocket": thrown(STRIKER),
    "npc_single_track": {
        "situation": {**NEAR, "target": {"use": "vex", "grunt": True, "physical": 2, "stun": 2}}
    },
}
"""A request in which the house rule matters."""

OF_TURNS = {"free_action_scope", "full_defense_credit", "max_passes", "simultaneous_actions"}
OF_TURNS |= {"spirit_astral_passes", "autonomous_passes"}
"""House rules that the order of a fight reads; see test_sr4_turns and test_sr4_beings."""

OF_EFFECTS = {
    "bleeding_out",
    "fire_spreads",
    "initiative_glitch_die",
    "accident_effect",
    "gas_repeats",
    "engulf_net_hits",
    "aura_reach",
    "gas_cloud_turns",
    "regeneration_excludes",
}
"""House rules that say what happens later, not how an attempt ends; see test_sr4_wounds, test_sr4_initiative and the
worked examples."""


def read() -> list[str]:
    return [id for id in GAME.house_rules if id not in OF_TURNS | OF_EFFECTS]


def values(option: str) -> list[Any]:
    rule = GAME.house_rules[option]
    if rule.type == "choice":
        return list(rule.choices)
    return [0, 1, 2] if rule.type == "whole" else [False, True]


def picture(request: dict[str, Any], **options: Any) -> Any:
    """Every number before the first roll, and the odds of every outcome and glitch."""
    before = explain(**request, options=options)
    try:
        after = odds(**request, options=options)
    except InputError as error:  # a decision that this house rule does not offer
        return error.problems
    if after["status"] == "refused":
        return after["refusals"]
    totals = {tally["to"]: tally["total"] for tally in before["modifiers"]}
    outcomes = sorted(
        (sorted(map(str, row["outcome"].items())), row["chance"])
        for branch in after["branches"]
        for row in branch["outcomes"]
    )
    return totals, outcomes, after["glitches"]


@pytest.mark.each("option", read)
def test_option_changes_something(option: str) -> None:
    seen = [picture(IN_PLAY[option], **{option: value}) for value in values(option)]
    assert len(seen) > 1
    assert all(one != other for one, other in combinations(seen, 2))


@pytest.mark.each("option", read)
def test_its_default_is_what_counts_when_nothing_is_said(option: str) -> None:
    default = GAME.house_rules[option].default
    assert picture(IN_PLAY[option]) == picture(IN_PLAY[option], **{option: default})


@pytest.mark.each("option", lambda: sorted({*GAME.house_rules} - {"glitch_rule"}))
def test_option_changes_nothing_that_it_is_not_about(option: str) -> None:
    """An unaware target and nothing special: no tie, no cover, no burst, no Edge."""
    plain = {"situation": {**NEAR, "target": {"use": "vex", "unaware": True}}}
    first, *others = [picture(plain, **{option: value}) for value in values(option)]
    assert all(other == first for other in others)


def test_every_house_rule_is_in_effect() -> None:
    for id, rule in GAME.house_rules.items():
        assert "Not in effect" not in rule.doc, id


def test_scatter_is_what_the_house_rules_say() -> None:
    """The table of scatter shows the dice, and names the house rule that sets them."""
    table = GAME.packs.entry("table", "scatter")
    assert table
    for row in table.data["rows"].values():
        assert row["dice"] == GAME.house_rules[row["option"]].default


DEFAULTS = {
    "ranged_modifiers": "core",
    "recoil": "cumulative",
    "glitch_rule": "half_or_more",
    "glitch_counts_exploded": False,
    "grazing_hits": True,
    "graze_on_zero": True,
    "surprise_tie": "core",
    "prone_vs_ranged": "always",
    "encumbrance_combine": "worst",
    "encumbrance_single_suit_exempt": False,
    "encumbrance_target": "tests",
    "half_armor_round": "up",
    "free_action_scope": "pass",
    "edge_reroll_explodes": False,
    "extended_decay": False,
    "initiative_wounds": "attribute",
    "blind_fire_attribute": "AGI",
    "tracer_rule": "by_burst",
    "electric_armor_bonus": "half_impact",
    "barrier_soak_multiplier": 1,
    "ap_positive_needs_armor": True,
    "npc_single_track": False,
    "strength_recoil": False,
    "direct_spell_net_drain": False,
    "scatter_dice_standard": 1,
    "scatter_dice_aerodynamic": 2,
    "scatter_dice_launcher": 3,
    "scatter_dice_missile": 4,
    "scatter_dice_rocket": 5,
    "max_passes": 4,
    "matrix_defense_decay": True,
    "hot_sim_on_defense": False,
    "black_ic_in_ar": "none",
    "crash_node_test": "exploit",
}
"""Typed from section 20 of the rulebook."""


def test_defaults_are_those_of_the_rulebook() -> None:
    # Which the rulebook leaves to the table, without a flag.
    ours = {"gel_knockdown", "buying_hits", "extended_glitch_loses_hits", "simultaneous_actions", *OF_EFFECTS}
    ours.add("full_defense_credit")
    ours |= {*_OF_WORLDS}
    assert {id: rule.default for id, rule in GAME.house_rules.items() if id not in ours} == DEFAULTS

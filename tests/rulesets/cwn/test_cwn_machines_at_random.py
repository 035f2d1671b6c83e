"""Machines, programs and what follows a fight at random: a calculator of its own makes the same of the same dice."""

from __future__ import annotations

from typing import Any

import pytest
from cwn_compared import compare, slugs
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import scale

Situations = st.SearchStrategy[dict[str, Any]]

YES = st.just(True)
SCORE = st.integers(3, 18)
VEHICLES = slugs("combatants", lambda who: who.get("machine") and "vehicle_armor" in who)
DRONES = slugs("combatants", lambda who: who.get("machine") and "attack_bonus_ranged" in who)


def somebody(*skills: str, **more: Situations | st.SearchStrategy[Any]) -> Situations:
    """Skills (untrained where not named), attributes, and more that may be said."""
    trained = st.fixed_dictionaries(
        {
            "skills": st.dictionaries(st.sampled_from(skills), st.integers(0, 4)),
            "dexterity": SCORE,
            "intelligence": SCORE,
        },
        optional={**more, "player": YES},
    )
    printed = st.fixed_dictionaries({"skill_bonus": st.integers(0, 4)}, optional={**more, "player": YES})
    return trained | printed


# ----------------------------------------------------------------------------------------------------------------
# Programs

HACKER = somebody(
    "program",
    access=st.integers(0, 3),
    cpu_slots=st.integers(0, 3),
    programs_running=st.integers(0, 3),
    vr_crown=YES,
)
SUBJECT = st.sampled_from(["specialized", "unique"])
BORNE = {"constitution": SCORE, "system_strain": st.integers(0, 3)}
CYBER = st.fixed_dictionaries(
    {
        "hacker": HACKER,
        "target": st.fixed_dictionaries(
            {**BORNE, "save": st.integers(2, 20), "augmentations": st.just(["gunlink", "eye-dazzler"])}
        ).flatmap(
            lambda who: st.sampled_from(["hit_dice", "level"]).flatmap(
                lambda rank: st.integers(1, 10).map(lambda number: {**who, rank: number})
            )
        ),
        "hack": st.fixed_dictionaries(
            {
                "verb": st.sampled_from(
                    ["blind", "deactivate", "activate", "glitch", "sabotage", "frisk", "hijack", "delude"]
                ),
                "strain": st.integers(0, 3),
            },
            optional={"wireless": YES, "firewalled": YES, "subject": SUBJECT},
        ),
        "distance": st.sampled_from([1, 30, 31]),
    }
)
DEFENDED = st.tuples(CYBER, somebody("program")).map(
    lambda found: {**found[0], "target": {**found[0]["target"], "defended": True}, "defender": found[1]}
)
DEVICE_VERBS = ["blind", "deactivate", "glitch", "sabotage", "hijack", "delude", "frisk"]
DRONE = st.fixed_dictionaries(
    {
        "hacker": HACKER,
        "target": st.fixed_dictionaries({"use": DRONES, "operator_level": st.integers(1, 10)})
        | st.fixed_dictionaries({"use": DRONES, "uncontrolled": YES}),
        "hack": st.fixed_dictionaries(
            {"verb": st.sampled_from(DEVICE_VERBS)}, optional={"wireless": YES, "subject": SUBJECT}
        ),
        "distance": st.sampled_from([1, 30, 31]),
    }
)
CAMERA = st.fixed_dictionaries(
    {
        "hacker": HACKER,
        "target": st.just({"name": "Camera"}),
        "hack": st.fixed_dictionaries(
            {
                "verb": st.sampled_from(DEVICE_VERBS),
                "on": st.just("network-device"),
                "security": st.integers(7, 12),
            },
            optional={"subject": SUBJECT},
        ),
    }
)
AVATAR_POINTS = st.fixed_dictionaries(
    {"hp": st.integers(1, 25), "save": st.integers(2, 20), "named": st.booleans()},
    optional={"shielding": st.integers(0, 15), "neural_buffer": st.integers(0, 12)},
)
AVATAR = somebody(
    "program",
    unconscious=YES,
    frail=YES,
    traumatic_before=YES,
    armor=st.just(["heavy-armored-suit"]),
    trauma_sources=st.just(["hard-to-kill", "dermal-armor-1"]),
).flatmap(lambda who: AVATAR_POINTS.map(lambda points: {"trauma_sources": [], **who, **points}))
DEMON = st.fixed_dictionaries(
    {"demon": YES, "skill_bonus": st.integers(0, 4), "hp": st.integers(1, 25), "trauma_target": st.just(6)}
)
DUEL = st.fixed_dictionaries(
    {
        "hacker": HACKER,
        "target": AVATAR | DEMON,
        "hack": st.fixed_dictionaries({"verb": st.sampled_from(["stun", "kill", "paralyze"])}),
    }
)

# ----------------------------------------------------------------------------------------------------------------
# Vehicles and drones

ABOARD = st.fixed_dictionaries(
    {
        "hp": st.integers(1, 15),
        "hp_maximum": st.integers(15, 24),
        "named": st.booleans(),
        "soak": st.integers(0, 6),
    },
    optional={"drives": YES, "frail": YES, "traumatic_before": YES},
)
SAVING = st.fixed_dictionaries({"save": st.integers(2, 20)}) | st.fixed_dictionaries(
    {"level": st.integers(1, 9), "strength": SCORE, "constitution": SCORE}
)
PASSENGER = st.tuples(ABOARD, SAVING).map(lambda found: {**found[0], **found[1]})
CRASH = st.fixed_dictionaries(
    {"vehicle": VEHICLES, "victim_1": PASSENGER},
    optional={"victim_2": PASSENGER, "crash": st.just({"uncontrolled": True})},
)
WRECK = st.fixed_dictionaries(
    {
        "vehicle": st.fixed_dictionaries({"use": VEHICLES, "wreck_damage": st.integers(0, 40)}),
        "victim_1": PASSENGER,
    },
    optional={"victim_2": PASSENGER},
)
ON_FOOT = somebody(
    "exert",
    armor=st.sampled_from([["heavy-armored-suit"], ["plated-longcoat", "absorption-plates"], []]),
).flatmap(
    lambda who: st.fixed_dictionaries(
        {
            "save": st.integers(2, 20),
            "trauma_target": st.integers(6, 12),
            "soak": st.integers(0, 9),
            "hp": st.just(40),
            "named": st.booleans(),
        }
    ).map(lambda body: {**who, **body})
)
RAMMED = st.fixed_dictionaries({"attacker": somebody("drive"), "target": ON_FOOT, "vehicle": VEHICLES})
COLLISION = st.fixed_dictionaries(
    {
        "attacker": somebody("drive"),
        "target": st.fixed_dictionaries(
            {"use": VEHICLES},
            optional={"vehicle_fittings": st.just(["armor-plating"]), "hp": st.integers(1, 20)},
        ),
        "vehicle": VEHICLES,
    },
    optional={"other_driver": somebody("drive")},
)
OPERATOR = st.fixed_dictionaries(
    {"attack_bonus_ranged": st.integers(0, 9)}, optional={"control_board": YES}
) | st.fixed_dictionaries(
    {
        "base_attack_bonus": st.integers(0, 9),
        "skills": st.dictionaries(st.sampled_from(["drive", "program", "shoot"]), st.integers(0, 4)),
        "intelligence": SCORE,
        "dexterity": SCORE,
    },
    optional={"control_board": YES, "foci": st.dictionaries(st.just("drone-pilot"), st.integers(1, 2))},
)
SHOT_AT = st.fixed_dictionaries(
    {
        "ranged_ac": st.integers(8, 24),
        "melee_ac": st.just(10),
        "trauma_target": st.integers(6, 10),
        "soak": st.integers(0, 9),
        "hp": st.integers(1, 20),
        "named": st.just(False),
    },
    optional={"prone": YES, "cover": st.sampled_from(["half", "near-total", "total"])},
)
FAR = st.sampled_from([1, 8, 60, 150, 350])
MOUNTED = st.sampled_from(["drone-cannon", "heavy-pistol", "combat-rifle", "light-pistol"])
VOLLEY = st.fixed_dictionaries(
    {
        "attacker": OPERATOR,
        "drone": st.fixed_dictionaries({"use": DRONES}, optional={"targeting_logic": st.integers(0, 3)}),
        "target": SHOT_AT,
        "target_2": st.tuples(SHOT_AT, FAR).map(lambda found: {**found[0], "distance": found[1]}),
        "distance": FAR,
        "volley": st.fixed_dictionaries(
            {"weapons": st.lists(MOUNTED, min_size=2, max_size=2)},
            optional={"alone": YES, "rounds_1": st.integers(0, 5), "rounds_2": st.integers(0, 5)},
        ),
    }
)
CARS = st.fixed_dictionaries(
    {
        "attacker": st.just({"base_attack_bonus": 2, "attribute_modifier": 1, "skill_level": 1}),
        "target": st.fixed_dictionaries(
            {"use": VEHICLES},
            optional={
                "vehicle_fittings": st.lists(
                    st.sampled_from(["armor-plating", "augmented-armor", "reactive-defenses"]), unique=True
                ),
                "vehicle_state": st.sampled_from(["moving", "stationary"]),
                "driver_skill": st.integers(0, 4),
            },
        ),
        "weapon": st.sampled_from(["heavy-pistol", "combat-rifle", "anti-materiel-rifle"]),
        "attack": st.just({"rested": True}),
        "distance": st.just(50),
    }
)

# ----------------------------------------------------------------------------------------------------------------
# What stands alone

NPC = st.fixed_dictionaries(
    {"hit_dice": st.integers(1, 9)}, optional={"trauma_sources": st.just(["hard-to-kill"])}
)
LURKER = st.fixed_dictionaries(
    {
        "skills": st.dictionaries(st.sampled_from(["sneak", "notice"]), st.integers(0, 4)),
        "dexterity": SCORE,
        "wisdom": SCORE,
    },
    optional={"armor": st.just(["plated-longcoat", "absorption-plates"])},
)
OWNER = st.fixed_dictionaries(
    {"augmentations": st.just(["skull-citadel"])}, optional=dict.fromkeys(("strength", "charisma"), SCORE)
)

CASES: dict[str, tuple[str, Situations]] = {
    "implants": ("hack", CYBER),
    "defended implants": ("hack", DEFENDED),
    "drones": ("hack", DRONE),
    "network devices": ("hack", CAMERA),
    "avatars": ("cyber-attack", DUEL),
    "crashes": ("crash", CRASH),
    "wrecks": ("vehicle-destroyed", WRECK),
    "people rammed": ("ram", RAMMED),
    "vehicles rammed": ("ram", COLLISION),
    "volleys": ("drone-attack", VOLLEY),
    "shots at vehicles": ("attack", CARS),
    "hit points": ("hit-points", st.fixed_dictionaries({"npc": NPC})),
    "surprise": (
        "surprise-check",
        st.fixed_dictionaries(
            {"tester": LURKER, "surprise": st.fixed_dictionaries({"sneaking": st.booleans()})}
        ),
    ),
    "revivals": (
        "revival",
        st.fixed_dictionaries(
            {"owner": OWNER, "revival": st.fixed_dictionaries({"minutes": st.sampled_from([0, 10, 11])})}
        ),
    ),
}
HOUSE_RULES = st.fixed_dictionaries({}, optional={"half_rounding": st.sampled_from(["down", "up"])})


@pytest.mark.parametrize("about", CASES)
@settings(max_examples=scale(13, 40))
@given(data=st.data(), options=HOUSE_RULES, number=st.integers(0, 2**31))
def test_at_random(about: str, data: st.DataObject, options: dict[str, Any], number: int) -> None:
    procedure, situations = CASES[about]
    compare(data.draw(situations), options, number, procedure)

"""People, gear and rules of sr5 drawn at random, for the tests that hold the second opinion against the ruleset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from late_packs import late
from second_opinion_sr5_people import entries
from second_opinions import Entry
from sr5_compared import compare

YES = st.just(True)


def drawn(
    kind: str, wanted: Callable[[str, Entry], bool] = lambda slug, entry: True
) -> st.SearchStrategy[str]:
    """The slugs of entries; the packs are read when the first is drawn."""
    return st.deferred(
        lambda: st.sampled_from(sorted(slug for slug, entry in entries(kind).items() if wanted(slug, entry)))
    )


PEOPLE = drawn("combatants", lambda slug, one: "nature" not in one)
WEAPONS = late(lambda: entries("weapons"))
GUNS = drawn("weapons", lambda slug, weapon: "modes" in weapon and "payload" not in weapon)
AUTOMATIC = drawn("weapons", lambda slug, weapon: "FA" in weapon.get("modes", ()) and "payload" not in weapon)
PAYLOADS = drawn(
    "weapons", lambda slug, weapon: weapon.get("payload") in ("chemical", "drug-or-toxin", "special")
)
THROWN = ["shuriken", "throwing-knife"]
BLADES = drawn("weapons", lambda slug, weapon: "reach" in weapon)
GRENADES = drawn("weapons", lambda slug, weapon: weapon["category"] == "grenade")
LAUNCHERS = {"grenade-launcher": "grenade", "missile-launcher": ("missile", "rocket")}
ROUNDS = drawn("ammunition", lambda slug, load: not load.get("replaces") and "dart" not in slug)
SPELLS = drawn("powers", lambda slug, spell: "form" in spell)
PIECES = drawn("armor")
MODES = ["single-shot", "semi-automatic", "semi-automatic-burst", "burst", "long-burst", "full-automatic"]
MODES = [*MODES, "long-full-automatic"]


def facts(
    needed: dict[str, st.SearchStrategy[Any]], **more: st.SearchStrategy[Any]
) -> st.SearchStrategy[dict[str, Any]]:
    """Facts that are always said, and others that sometimes are."""
    return st.fixed_dictionaries(needed, optional=more)


def some(choice: dict[str, st.SearchStrategy[Any]], most: int = 3) -> st.SearchStrategy[dict[str, Any]]:
    """A few of many facts, so that what one of them does can be told from the others."""
    names = st.lists(st.sampled_from(sorted(choice)), max_size=most, unique=True)
    return names.flatmap(lambda found: st.fixed_dictionaries({name: choice[name] for name in found}))


def with_defaults(
    one: st.SearchStrategy[dict[str, Any]], other: st.SearchStrategy[dict[str, Any]]
) -> st.SearchStrategy[dict[str, Any]]:
    """Both together; what the other says holds."""
    return st.tuples(one, other).map(lambda both: {**both[0], **both[1]})


SKILL = st.integers(0, 6)
RATED = [
    *(
        "archery",
        "automatics",
        "blades",
        "clubs",
        "counterspelling",
        "cybercombat",
        "exotic-melee-weapon",
        "exotic-ranged-weapon",
    ),
    *(
        "first-aid",
        "perception",
        "running",
        "gymnastics",
        "handguns",
        "heavy-weapons",
        "longarms",
        "pistols",
        "spellcasting",
    ),
    *("throwing-weapons", "unarmed-combat"),
]
ATTRIBUTE = st.integers(1, 9)
ATTRIBUTES = ("body", "agility", "reaction", "strength", "willpower", "logic", "intuition", "charisma")
PERSON = with_defaults(
    facts(
        {
            **dict.fromkeys(ATTRIBUTES, ATTRIBUTE),
            "skills": st.dictionaries(st.sampled_from(RATED), SKILL),
            "physical": st.integers(0, 7),
            "stun": st.integers(0, 7),
            "armor": st.lists(PIECES, max_size=4, unique=True),
            "dni": st.booleans(),
            "smartlink": st.sampled_from(["none", "worn", "implanted"]),
            "vision": st.just([]),
        },
        pain_resistance=st.integers(1, 4),
        limit_bonus=st.integers(-1, 2),
    ),
    st.sampled_from([{}, {"edge_points": 1}, {"edge": 2, "edge_points": 1}, {"edge": 3, "edge_points": 3}]),
)
RECORD = facts({"use": PEOPLE})
STANCE: dict[str, st.SearchStrategy[Any]] = {
    "running": YES,
    "prone": YES,
    "specialized": YES,
    "off_hand": YES,
    "called_shot": YES,
}
SEEING: dict[str, st.SearchStrategy[Any]] = {
    "vision": st.lists(
        st.sampled_from(["low-light", "thermographic", "ultrasound", "flare-compensation", "magnification"]),
        max_size=3,
        unique=True,
    ),
    "visibility_help": st.sampled_from(["none", "gear", "own"]),
    "light_help": st.sampled_from(["none", "gear", "own"]),
    "wind_help": st.sampled_from(["none", "gear", "own"]),
}
RECOIL: dict[str, st.SearchStrategy[Any]] = {
    "rounds_before": st.sampled_from([0, 1, 3, 6]),
    "rounds_in_phase": st.sampled_from([1, 3, 6]),
    "rounds_phase": st.sampled_from([10, 12, 16]),
}
AIMING: dict[str, st.SearchStrategy[Any]] = {
    **{name: said for name, said in STANCE.items() if name != "prone"},
    "in_melee": YES,
    "in_moving_vehicle": YES,
    "blind_fire": YES,
    "around_corner": YES,
    "imaging_from_cover": YES,
    "suppressed": st.integers(1, 4),
    "take_aim": st.integers(1, 4),
    "aim_for": st.sampled_from(["dice", "accuracy"]),
    "aim_turns": st.integers(1, 4),
}
POOL = facts({"pool": st.integers(12, 30)})
SHOOTER = with_defaults(
    with_defaults(PERSON | RECORD, st.just({}) | POOL | POOL),
    with_defaults(
        with_defaults(facts({"prone": st.booleans(), "in_cover": st.booleans()}, deployed=YES), some(AIMING)),
        with_defaults(some(SEEING), some(RECOIL, 1)),
    ),
)
BODY: dict[str, st.SearchStrategy[Any]] = {
    "armor_bonus": st.integers(1, 3),
    "soak_bonus": st.integers(1, 3),
    "armor_mods": st.dictionaries(
        st.sampled_from(["fire-resistance", "nonconductivity", "insulation"]), SKILL
    ),
    "hardened_armor": YES,
    "vehicle": YES,
    "grunt": YES,
}
DEFENDING: dict[str, st.SearchStrategy[Any]] = {
    "running": YES,
    "sprinting": YES,
    "prone": YES,
    "unaware": YES,
    "in_moving_vehicle": YES,
    "full_defense": YES,
    "strapped_in": YES,
    "defenses_made": st.integers(1, 4),
    "pool": st.integers(1, 14),
    "in_melee": YES,
}
COVER = facts({}, cover=st.sampled_from(["none", "partial", "good"]))
SHOT_AT = with_defaults(PERSON | RECORD, with_defaults(with_defaults(some(DEFENDING), some(BODY, 2)), COVER))
ENVIRONMENT = facts(
    {},
    visibility=st.sampled_from(["clear", "light", "moderate", "heavy"]),
    light=st.sampled_from(["full", "partial", "dim", "dark"]),
    glare=st.sampled_from(["none", "weak", "moderate", "blinding"]),
    wind=st.sampled_from(["none", "light", "moderate", "strong"]),
)
ZONE = facts({"zone": st.sampled_from(["hand", "close", "near", "far", "extreme"])})
DISTANCE = st.sampled_from([1, 4, 4, 5, 5, 6, 10, 10, 15, 18, 30, 45, 60, 200, 800])


NUMBER = st.integers(0, 2**31)
Rules = tuple[str, dict[str, Any]]
PAYDATA = {"modifiers": "paydata", "matrix_damage": "paydata"}
RULES: st.SearchStrategy[Rules] = st.sampled_from(
    [
        ("core", {}),
        ("house", {}),
        ("house", PAYDATA),
        ("house", {"progressive_recoil": True, "skills": "house", "ammunition": "draft"}),
    ]
)
"""Without the layer or with it, and options."""


def check(procedure: str, rules: Rules, situation: dict[str, Any], number: int) -> None:
    """The calculator works out what the ruleset throws."""
    compare(procedure, situation, rules[1], rules[0], number)


def large(said: dict[str, Any]) -> dict[str, Any]:
    """Dice enough for all targets."""
    said["attacker"]["pool"] = max(14, said["attacker"].get("pool", 0))
    return said


def several(
    one: st.SearchStrategy[dict[str, Any]], more: dict[str, st.SearchStrategy[Any]]
) -> st.SearchStrategy[dict[str, Any]]:
    """Two targets, or three."""
    target = with_defaults(one, facts({}, **more))
    return facts({"target": target, "target_2": target}, target_3=target)


CASTER = with_defaults(
    PERSON,
    facts(
        {
            "magic": st.integers(1, 7),
            "drain_attribute": st.sampled_from(["logic", "intuition", "charisma", "willpower"]),
        },
        edge_points=st.integers(0, 2),
        specialized=YES,
        drain_pool=st.integers(1, 12),
        pool=st.integers(4, 16),
    ),
)

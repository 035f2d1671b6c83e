"""Attacks, areas, checks and care at random: a calculator of its own makes the same of the same dice.

It also counts out odds die by die.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import second_opinion_cwn
from cwn_compared import compare, slugs
from cwn_table import prepare
from hypothesis import given, settings
from hypothesis import strategies as st
from second_opinion_cwn_rules import MoreDiceError
from second_opinions import Entry
from tiers import scale

from fracas.kernel.odds import Transitions, odds
from fracas.kernel.readers import DefaultPolicy

YES = st.just(True)
PEOPLE = slugs("combatants", lambda who: not who.get("machine") and who.get("human_sized"))
FOCI = st.dictionaries(
    st.sampled_from(["armsmaster", "deadeye", "close-combatant", "shocking-assault"]),
    st.integers(1, 2),
    max_size=2,
)
DRUGS = st.lists(st.sampled_from(["boneshaker", "olympus"]), unique=True)
CHARACTER = st.fixed_dictionaries(
    {
        "level": st.integers(1, 9),
        "base_attack_bonus": st.integers(0, 9),
        "strength": st.integers(3, 18),
        "dexterity": st.integers(3, 18),
        "skills": st.dictionaries(st.sampled_from(["shoot", "stab", "punch", "exert"]), st.integers(0, 4)),
        "foci": FOCI,
    },
    optional={
        "prone": YES,
        "killing_blow": YES,
        "drugs": DRUGS,
        "flashbanged": YES,
        "dazzled": YES,
        "in_moving_vehicle": YES,
        "cyberware": st.lists(st.sampled_from(["gunlink", "eye-zoom", "cranial-jack"]), unique=True),
    },
)
NPC = st.fixed_dictionaries({"use": PEOPLE}, optional={"prone": YES, "drugs": DRUGS, "flashbanged": YES})
STANCE: dict[str, st.SearchStrategy[Any]] = {
    "prone": YES,
    "charged": YES,
    "flashbanged": YES,
    "dazzled": YES,
    "blinded": YES,
    "total_defense": YES,
    "shock_immune": YES,
    "shock_shield": YES,
    "shock_proof": YES,
    "drugs": DRUGS,
    "frail": YES,
    "cover": st.sampled_from(["none", "half", "near-total", "total"]),
    "visibility": st.sampled_from(["seen", "unseen-known", "unseen-unknown"]),
    "named": st.booleans(),
}
SUITS = slugs("armor", lambda piece: not piece["accessory"])
EXTRAS = ["riot-shield", "joint-reinforcement", "absorption-plates"]
STRUCK = st.fixed_dictionaries({"use": PEOPLE}, optional=STANCE) | st.fixed_dictionaries(
    {
        "armor": st.tuples(SUITS, st.lists(st.sampled_from(EXTRAS), unique=True)).map(
            lambda worn: [worn[0], *worn[1]]
        ),
        "dexterity": st.integers(3, 18),
        "hp": st.integers(1, 30),
        "foci": FOCI,
        "trauma_sources": st.lists(
            st.sampled_from(["hard-to-kill", "dermal-armor-1", "dermal-armor-3", "trauma-shielding"]),
            unique=True,
        ).filter(lambda found: not {"dermal-armor-1", "dermal-armor-3"} <= set(found)),
    },
    optional={**STANCE, "cyber_ac": st.sampled_from([16, 18, 20])},
)


def is_plain(weapon: Entry, *types: str) -> bool:
    special = {"execution_only", "adds_level", "unrested", "mount", "ambush"} & set(weapon)
    return weapon["type"] in types and not special and weapon.get("attributes") and not weapon["area"]


GUNS = slugs("weapons", lambda weapon: is_plain(weapon, "gun", "bow"))
BLADES = slugs("weapons", lambda weapon: is_plain(weapon, "melee", "unarmed"))
THROWN = slugs("weapons", lambda weapon: is_plain(weapon, "melee", "unarmed") and weapon["thrown"])
SHOTS = st.fixed_dictionaries(
    {
        "attacker": CHARACTER.flatmap(
            lambda who: st.booleans().map(lambda engaged: {**who, "engaged": engaged})
        )
        | NPC,
        "target": STRUCK,
        "weapon": st.fixed_dictionaries(
            {"use": GUNS},
            optional={
                "rounds": st.integers(0, 5),
                "mods": st.lists(
                    st.sampled_from(["autotargeting", "customized", "predictive-guidance", "stun-rounds"]),
                    unique=True,
                ),
            },
        ),
        "distance": st.sampled_from([1, 2, 3, 9, 15, 25, 60, 150, 350, 900]),
    },
    optional={
        "attack": st.fixed_dictionaries(
            {}, optional={"burst": YES, "swarm_others": st.integers(1, 5), "snap": YES}
        )
    },
)
BLOWS = st.fixed_dictionaries(
    {
        "attacker": CHARACTER | NPC,
        "target": STRUCK,
        "weapon": st.fixed_dictionaries(
            {"use": BLADES},
            optional={
                "mods": st.lists(
                    st.sampled_from(["customized", "integral-toxins", "savage-impact", "thermal-charge"]),
                    unique=True,
                ),
                "thermal_charge_active": YES,
                "improvised": YES,
            },
        ),
    },
    optional={
        "attack": st.fixed_dictionaries(
            {}, optional={"charge": YES, "swarm_others": st.integers(1, 5), "snap": YES}
        )
    },
)
THROWS = st.fixed_dictionaries(
    {
        "attacker": CHARACTER.map(lambda who: {**who, "engaged": who["level"] % 2 == 0}),
        "target": STRUCK,
        "weapon": st.fixed_dictionaries({"use": THROWN}),
        "attack": st.fixed_dictionaries({"kind": st.just("thrown")}, optional={"charge": YES}),
        "distance": st.sampled_from([1, 4, 11, 20, 21]),
    }
)
HOUSE_RULES = st.fixed_dictionaries(
    {},
    optional={
        name: st.booleans()
        for name in ("shock_floor_before_trauma", "soak_vs_shock", "natural_20_hits", "natural_1_misses")
    },
)


@settings(max_examples=scale(50, 150))
@given(situation=SHOTS, options=HOUSE_RULES, number=st.integers(0, 2**31))
def test_shots_at_random(situation: dict[str, Any], options: dict[str, Any], number: int) -> None:
    compare(situation, options, number)


@settings(max_examples=scale(50, 150))
@given(situation=BLOWS, options=HOUSE_RULES, number=st.integers(0, 2**31))
def test_blows_at_random(situation: dict[str, Any], options: dict[str, Any], number: int) -> None:
    compare(situation, options, number)


@settings(max_examples=scale(20, 60))
@given(situation=THROWS, number=st.integers(0, 2**31))
def test_throws_at_random(situation: dict[str, Any], number: int) -> None:
    compare(situation, {}, number)


VICTIM = st.fixed_dictionaries(
    {"use": PEOPLE},
    optional={
        "drugs": DRUGS,
        "traumatic_before": YES,
        "named": st.booleans(),
        "protections": st.lists(
            st.sampled_from(["eye-and-ear-protection", "breathing-protection", "heavy-cover"]), unique=True
        ),
    },
)
PLACED = st.tuples(VICTIM, st.sampled_from([0, 2, 4, 6, 9, 12]), st.sampled_from([0, 45, 90, 180, 270])).map(
    lambda found: {**found[0], "distance": found[1], "bearing": found[2]}
)
THROWER = {"base_attack_bonus": 2, "attribute_modifier": 1, "skill_level": 1}
BLASTS = st.fixed_dictionaries(
    {
        "attacker": st.fixed_dictionaries(
            {name: st.just(value) for name, value in THROWER.items()},
            optional={"prone": YES, "dazzled": YES, "engaged": YES, "blinded": YES},
        ),
        "weapon": st.sampled_from(["grenade-frag", "grenade-flash", "grenade-gas"]),
        "distance": st.sampled_from([5, 10, 11, 30, 31]),
        "target": PLACED,
        "victim_1": PLACED,
        "victim_2": PLACED,
    }
)
BLAST_RULES = st.fixed_dictionaries(
    {},
    optional={
        "half_rounding": st.sampled_from(["down", "up"]),
        "explosives_add_attr": st.booleans(),
        "shared_area_damage": st.booleans(),
    },
)
VOLLEYS = st.fixed_dictionaries(
    {
        "attacker": st.fixed_dictionaries(
            {"attribute_modifier": st.integers(-1, 2)}, optional={"prone": YES}
        ),
        "weapon": st.fixed_dictionaries({"use": st.just("automatic-rifle"), "rounds": st.integers(1, 3)}),
        "fire": st.sampled_from([{}, {"mounts": []}, {"mounts": ["support"]}]),
        "target": VICTIM,
        "victim_1": VICTIM,
    }
)
SNIPERS = st.fixed_dictionaries(
    {
        "attacker": st.fixed_dictionaries(
            {
                "strength": st.integers(3, 18),
                "dexterity": st.integers(3, 18),
                "skills": st.fixed_dictionaries({"shoot": st.integers(0, 4), "stab": st.integers(0, 4)}),
                "foci": st.dictionaries(st.just("snipers-eye"), st.integers(1, 2)),
            }
        ),
        "target": st.fixed_dictionaries(
            {"use": PEOPLE, "unsuspecting": st.just(True)}, optional={"named": st.booleans()}
        ),
        "weapon": st.sampled_from(
            ["knife", "club", "light-pistol", "rifle", "shotgun", "taser-pistol", "submachine-gun"]
        ),
        "attack": st.just({"prepared": True}),
        "distance": st.sampled_from([1, 2, 3, 10, 11, 30, 90]),
    }
)


@settings(max_examples=scale(20, 60))
@given(situation=BLASTS, options=BLAST_RULES, number=st.integers(0, 2**31))
def test_blasts_at_random(situation: dict[str, Any], options: dict[str, Any], number: int) -> None:
    compare(situation, options, number, "blast")


@settings(max_examples=scale(13, 40))
@given(situation=VOLLEYS, number=st.integers(0, 2**31))
def test_suppressive_fire_at_random(situation: dict[str, Any], number: int) -> None:
    compare(situation, {}, number, "suppressive-fire")


@settings(max_examples=scale(20, 60))
@given(situation=SNIPERS, number=st.integers(0, 2**31))
def test_executions_at_random(situation: dict[str, Any], number: int) -> None:
    compare(situation, {}, number, "execution-attack")


PATIENTS = st.fixed_dictionaries(
    {
        "hp": st.integers(1, 10),
        "hp_maximum": st.integers(10, 30),
        "system_strain": st.integers(0, 12),
        "constitution": st.integers(3, 18),
        "rounds_down": st.integers(0, 8),
        "lurch_doses": st.integers(0, 4),
    }
)
SKILLED = st.fixed_dictionaries(
    {
        "skills": st.dictionaries(st.sampled_from(["heal", "notice", "sneak"]), st.integers(0, 4)),
        **{name: st.integers(3, 18) for name in ("dexterity", "intelligence", "wisdom")},
    }
)
HEALER = st.tuples(SKILLED, st.dictionaries(st.just("healer"), st.integers(1, 2)), st.booleans()).map(
    lambda found: {**found[0], "foci": found[1], "medical_readout": found[2]}
)
TESTER = st.tuples(SKILLED, st.integers(-5, 5), st.booleans()).map(
    lambda found: {**found[0], "circumstances": found[1], "player": found[2]}
)
CHECK = {"skills": ["notice", "sneak"], "attributes": ["wisdom", "dexterity"]}
CARE: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "stabilize": st.fixed_dictionaries(
        {
            "healer": HEALER,
            "patient": PATIENTS.map(lambda who: {"rounds_down": who["rounds_down"]}),
            "stabilizing": st.sampled_from(
                [
                    {"medkit": True},
                    {"medkit": False, "aided": True},
                    {"means": "trauma-patch"},
                    {"means": "drone"},
                ]
            ),
        }
    ),
    "first-aid": st.fixed_dictionaries(
        {
            "healer": HEALER,
            "patient": PATIENTS.map(
                lambda who: {name: value for name, value in who.items() if name != "rounds_down"}
            ),
            "aid": st.sampled_from(
                [{"medkit": True}, {"medkit": False}, {"medkit": True, "panacea": True}, {"means": "lurch"}]
            ),
        }
    ),
    "skill-check": st.fixed_dictionaries(
        {"tester": TESTER, "check": st.just({**CHECK, "difficulty": 9})}, optional={"helper": TESTER}
    )
    | st.fixed_dictionaries({"tester": TESTER, "opponent": TESTER, "check": st.just(CHECK)}),
    "saving-throw": st.fixed_dictionaries(
        {
            "saver": st.fixed_dictionaries({"hit_dice": st.integers(1, 12)})
            | st.fixed_dictionaries({"save": st.integers(2, 25)}),
            "save": st.fixed_dictionaries(
                {"kind": st.sampled_from(["physical", "evasion", "mental", "luck"])},
                optional={"bonus": st.integers(-4, 4)},
            ),
        }
    ),
    "morale": st.fixed_dictionaries(
        {
            "tester": st.fixed_dictionaries(
                {"morale": st.integers(2, 12)},
                optional={
                    "drugs": st.lists(st.sampled_from(["boneshaker", "psycho", "olympus"]), unique=True)
                },
            )
        }
    ),
}


@settings(max_examples=scale(50, 150))
@given(
    case=st.sampled_from(sorted(CARE)).flatmap(lambda name: st.tuples(st.just(name), CARE[name])),
    number=st.integers(0, 2**31),
)
def test_checks_and_care_at_random(case: tuple[str, dict[str, Any]], number: int) -> None:
    procedure, situation = case
    compare(situation, {}, number, procedure)


# ----------------------------------------------------------------------------------------------------------------
# Odds, counted out die by die

BODY = st.fixed_dictionaries(
    {
        "ranged_ac": st.integers(8, 24),
        "melee_ac": st.integers(8, 24),
        "trauma_target": st.integers(2, 10),
        "soak": st.integers(0, 6),
        "hp": st.integers(1, 15),
        "named": st.booleans(),
    },
    optional=dict.fromkeys(("prone", "shock_shield", "total_defense", "charged", "frail"), YES),
)
FEW_DICE = slugs(
    "weapons",
    lambda weapon: (
        is_plain(weapon, "gun", "bow", "melee", "unarmed")
        and weapon["damage"].startswith("1d")
        and "d12" not in weapon["damage"]
    ),
)
CASES = st.fixed_dictionaries(
    {
        "attacker": CHARACTER,
        "target": BODY,
        "weapon": FEW_DICE,
        "distance": st.sampled_from([1, 2]),
    },
    optional={"attack": st.fixed_dictionaries({}, optional={"swarm_others": st.integers(1, 4)})},
)
FATE = ("hit", "shock_damage", "traumatic", "down", "hp_loss")


def counted(
    example: dict[str, Any], dice: tuple[tuple[int, ...], ...] = ()
) -> Iterator[tuple[Fraction, Any]]:
    """Each fate with the chance of the dice that lead to it: one after another, as the calculator asks for them."""
    try:
        facts = second_opinion_cwn.answer({**example, "dice": dice}).outcome
    except MoreDiceError as more:
        for faces in product(range(1, more.sides + 1), repeat=more.number):
            for chance, fate in counted(example, (*dice, faces)):
                yield chance / more.sides**more.number, fate
    else:
        yield Fraction(1), tuple(facts.get(name) or None for name in FATE)


@settings(max_examples=scale(20, 60))
@given(situation=CASES, options=HOUSE_RULES)
def test_odds_are_those_of_all_dice(situation: dict[str, Any], options: dict[str, Any]) -> None:
    prepared = prepare(situation, options)
    assert prepared.stage is not None
    exact = odds(prepared.stage, Transitions(DefaultPolicy())).only
    theirs: Counter[Any] = Counter()
    for stage, weight in exact.outcomes.items():
        facts = stage.notes()
        theirs[tuple(facts.get(name) or None for name in FATE)] += Fraction(weight, exact.total)
    mine: Counter[Any] = Counter()
    example = {"request": {"procedure": "attack", "situation": situation, "options": options}}
    for chance, fate in counted(example):
        mine[fate] += chance
    assert mine == theirs

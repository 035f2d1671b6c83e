"""Every worked example is right twice: a calculator of its own, written from the rulebook, agrees with it.

Further people, weapons and options are drawn at random, and the ruleset's dice worked out by the calculator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
import second_opinion_imperium
from hypothesis import given, settings
from hypothesis import strategies as st
from imperium_compared import compare
from late_packs import late
from second_opinion_imperium_rules import entries
from second_opinions import Entry, NotUnderstoodError
from tiers import scale

EXAMPLES = late(lambda: entries("examples"))
NOT_UNDERSTOOD: dict[str, str] = {}
"""Examples for which the calculator has no rule, and why."""


def understood() -> list[str]:
    return [slug for slug in EXAMPLES if slug not in NOT_UNDERSTOOD]


@cache
def verdict(slug: str) -> tuple[str, ...] | None:
    """Where the calculator differs from an example; None where it has no rule for it."""
    try:
        return tuple(second_opinion_imperium.differences(EXAMPLES[slug]))
    except NotUnderstoodError:
        return None


@pytest.mark.each("slug", understood)
def test_the_second_opinion_is_the_same(slug: str) -> None:
    assert verdict(slug) == ()


def test_those_that_it_does_not_understand_are_named() -> None:
    assert {slug for slug in EXAMPLES if verdict(slug) is None} == set(NOT_UNDERSTOOD)


def tampered(example: Entry) -> Iterator[tuple[str, Entry]]:
    """The example with one number or word after the other made wrong, or a die added."""
    expect = example["expect"]
    for part in ("outcome", "totals"):
        for name, value in expect.get(part, {}).items():
            wrong = deepcopy(example)
            changed: Any = (
                not value if isinstance(value, bool) else value + 1 if isinstance(value, int | float) else "?"
            )
            wrong["expect"][part][name] = changed
            yield f"{part}.{name}", wrong
    for at in range(len(expect.get("effects", ()))):
        wrong = deepcopy(example)
        wrong["expect"]["effects"][at]["what"] = "something else"
        yield f"effects.{at}", wrong
    if expect.get("status") != "refused":
        yield "dice", {**example, "dice": [*example.get("dice", ()), [1]]}


@pytest.mark.each("slug", understood)
def test_a_tampered_example_differs(slug: str) -> None:
    for name, wrong in tampered(EXAMPLES[slug]):
        assert second_opinion_imperium.differences(wrong) != [], name


# ----------------------------------------------------------------------------------------------------
# At random


def drawn(kind: str, wanted: Callable[[str, Entry], bool]) -> st.SearchStrategy[str]:
    """The slugs of entries; the packs are read when the first is drawn."""
    return st.deferred(
        lambda: st.sampled_from([slug for slug, entry in entries(kind).items() if wanted(slug, entry)])
    )


SKILLS = st.integers(1, 130)
LOCATIONS = ("right-leg", "left-leg", "body", "right-arm", "left-arm", "head")
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "rounding": st.sampled_from(["up", "down"]),
        "auto_success": st.integers(0, 5),
        "auto_fail": st.integers(95, 100),
        "one_action_rounds": st.booleans(),
        "one_action_scale_durations": st.sampled_from(["leave", "double"]),
        "death_at": st.sampled_from(["total_reaches_toughness", "total_exceeds_toughness"]),
        "merge_same": st.booleans(),
        "draw_merge_grenade": st.booleans(),
        "bleeding_mode": st.sampled_from(["auto", "d3", "flat1", "flat2"]),
        "do_nothing_walk_free": st.booleans(),
    },
)
SEEDS = st.integers(0, 2**32 - 1)
INJURIES = st.dictionaries(st.sampled_from(LOCATIONS), st.integers(1, 4), max_size=2)
TRAITS = st.lists(
    st.sampled_from(
        ["psyker", "quick-draw", "specialist-weapon-chain", "specialist-weapon-power", "swim", "acrobatic"]
    ),
    unique=True,
)
ARMOR = st.lists(
    drawn("armor", lambda slug, one: slug != "protective-field"),
    max_size=3,
    unique=True,
)
SOMETIMES_A_FIELD = st.sampled_from([[], [], ["protective-field"]])
WEAPONS = late(lambda: entries("weapons"))
GUNS = drawn("weapons", lambda slug, weapon: "short" in weapon and "blast" not in weapon)
FLAMERS = drawn("weapons", lambda slug, weapon: "reach" in weapon)
BLADES = drawn("weapons", lambda slug, weapon: weapon["type"] == "close" and slug != "rifle-butt")
MERGES = st.sampled_from(
    ["walk", "run", "sprint", "leap", "draw-weapon", "do-nothing", "fire-weapon", "attack", "reload"]
)


@st.composite
def victims(draw: st.DrawFn) -> dict[str, Any]:
    """Somebody to be hurt."""
    who: dict[str, Any] = {
        "armor": [*draw(ARMOR), *draw(SOMETIMES_A_FIELD)],
        "toughness": draw(st.integers(5, 110)),
        "injuries": draw(INJURIES),
        "injury_total": draw(st.integers(0, 30)),
    }
    more = {
        "cover": st.integers(0, 8),
        "stunned_actions": st.integers(0, 3),
        "suffering": st.booleans(),
        "conscious": st.sampled_from([True, True, False]),
        "right_hand": st.just("sword"),
        "prone": st.booleans(),
    }
    who |= draw(st.fixed_dictionaries({}, optional=more))
    if "cover" in who:
        who["behind_cover"] = draw(st.lists(st.sampled_from(LOCATIONS), unique=True))
    return who


def vehicles() -> st.SearchStrategy[dict[str, Any]]:
    """A vehicle to be hit."""
    slugs = st.sampled_from(["scout-bike", "half-track", "armored-carrier", "skimmer"])
    sides = st.sampled_from(["front", "side", "rear"])
    return st.fixed_dictionaries({"use": slugs}, optional={"hull": st.integers(1, 80), "facing": sides})


def actions() -> st.SearchStrategy[dict[str, Any]]:
    """How an action is taken."""
    optional = {
        "merged": st.booleans(),
        "merged_with": MERGES,
        "arm": st.sampled_from(["right", "left", "both"]),
    }
    return st.fixed_dictionaries({}, optional=optional).filter(  # a pair that is not merged is not said
        lambda action: "merged_with" not in action or action.get("merged", True)
    )


@st.composite
def shots(draw: st.DrawFn) -> dict[str, Any]:
    """Shots at one person, or of full automatic fire at two."""
    gun = draw(GUNS)
    modes = WEAPONS[gun]["modes"]
    mode = draw(st.sampled_from(modes))
    number = {"single": st.just(1), "semi-auto": st.integers(2, 4), "full-auto": st.integers(1, 6)}[mode]
    aim = draw(st.integers(0, 3))
    target = draw(victims()) | draw(
        st.fixed_dictionaries(
            {},
            optional={
                "pace": st.sampled_from(["stationary", "moved", "ran", "sprinted"]),
                "aware": st.booleans(),
                "mounted": st.booleans(),
                "small": st.booleans(),
            },
        )
    )
    if not draw(st.integers(0, 3)):
        target = draw(vehicles())
    fire: dict[str, Any] = {"mode": mode, "shots": draw(number)}
    if settings := WEAPONS[gun].get("settings"):
        fire |= {"setting": draw(st.sampled_from(settings)), "round": draw(st.integers(1, 9))}
    if aim and draw(st.booleans()):
        fire["aims_at"] = draw(st.sampled_from(["rider", "mount"]))
    mods = draw(st.sampled_from([[], [], ["removable-silencer"], ["integral-silencer"]]))
    ready = (
        {"ready_round": draw(st.integers(1, 9))} if "setting" in fire and not draw(st.integers(0, 3)) else {}
    )
    attacker = {
        "ballistic_skill": draw(SKILLS),
        "strength": draw(st.integers(10, 100)),
        "aim": aim,
        "traits": draw(TRAITS),
        "injuries": draw(INJURIES),
        **draw(st.sampled_from([{}, {"toughness": 40, "armor": ["flak-jacket"]}])),
        "braced": draw(st.booleans()),
        "prone": False,
        "mounted": False,
    }
    others: dict[str, Any] = {}
    if mode == "full-auto" and fire["shots"] > 1 and draw(st.booleans()):
        others["other_1"] = draw(victims()) | {"distance": draw(st.integers(1, 90))}
    return {
        "attacker": attacker,
        "target": target,
        **others,
        "weapon": {"use": gun, "mods": mods, "rounds": draw(st.integers(0, 20)), **ready},
        "fire": fire,
        "distance": draw(st.integers(1, 170)),
        "visibility": draw(st.lists(st.sampled_from(["darkness", "smoke"]), unique=True)),
        "action": draw(actions()),
    }


@st.composite
def throws(draw: st.DrawFn) -> dict[str, Any]:
    """A grenade among people."""

    def person() -> dict[str, Any]:
        who = {"armor": draw(ARMOR), "toughness": draw(st.integers(5, 110)), "injuries": draw(INJURIES)}
        return {**who, "injury_total": draw(st.integers(0, 2))}

    others = {
        f"other_{number}": {**person(), "from_target": draw(st.integers(0, 5))}
        for number in range(1, draw(st.integers(0, 3)) + 1)
    }
    if not draw(st.integers(0, 3)):
        others["other_1"] = {**draw(vehicles()), "from_target": draw(st.integers(0, 5))}
    attacker = {
        "ballistic_skill": draw(SKILLS),
        "strength": draw(st.integers(10, 100)),
        "traits": draw(TRAITS),
    }
    action = draw(actions())
    return {
        "attacker": {**attacker, "injuries": {}},
        "target": person(),
        **others,
        "weapon": {"use": "frag-grenade", "mods": []},
        "distance": draw(st.integers(1, 40)),
        "action": action,
    }


@st.composite
def blows(draw: st.DrawFn) -> dict[str, Any]:
    """An attack in close combat, parried or not."""
    attacker = {
        "weapon_skill": draw(SKILLS),
        "strength": draw(st.integers(10, 100)),
        "willpower": draw(SKILLS),
        "traits": draw(TRAITS),
        "injuries": draw(INJURIES),
        "mounted": draw(st.booleans()),
        "initiative": draw(SKILLS),
        **draw(st.sampled_from([{}, {"toughness": 40, "armor": ["flak-jacket"], "hide": 2, "ward": "1d4"}])),
    }
    target = draw(victims()) | {
        "weapon_skill": draw(SKILLS),
        "strength": draw(st.integers(10, 100)),
        "aware": draw(st.booleans()),
        "stunned": draw(st.booleans()),
        "mounted": draw(st.booleans()),
        "traits": draw(TRAITS),
    }
    held = draw(BLADES | GUNS)
    mods = st.sampled_from([[], ["bayonet"], ["axe-bayonet"], ["chainblade"]])
    fixed = draw(mods) if WEAPONS[held]["type"] == "basic" else []
    attack: dict[str, Any] = {
        "charge": draw(st.booleans()),
        "direction": draw(st.sampled_from(["front", "front", "side", "rear"])),
        "evades_height": draw(st.booleans()),
        "shot": WEAPONS[held]["type"] == "pistol" and draw(st.booleans()),
    }
    said = {
        "attacker": attacker,
        "target": target,
        "weapon": {"use": held, "mods": fixed},
        "attack": attack,
        "action": draw(actions()),
    }
    if attack["shot"] and "settings" in WEAPONS[held]:
        said["fire"] = {"setting": draw(st.sampled_from(["low", "high"])), "round": draw(st.integers(1, 3))}
        said["weapon"] |= {"ready_round": draw(st.integers(0, 3)), "rounds": draw(st.integers(0, 3))}
    if draw(st.integers(0, 3)):
        said["parry"] = {
            "use": draw(BLADES),
            "mods": [],
            "one_handed": draw(st.booleans()),
        }
    return said


@settings(max_examples=scale(33, 100))
@given(shots(), OPTIONS, SEEDS)
def test_shots(situation: dict[str, Any], options: dict[str, Any], seed: int) -> None:
    compare("shooting", situation, options, seed)


@settings(max_examples=scale(16, 50))
@given(throws(), OPTIONS, SEEDS)
def test_throws(situation: dict[str, Any], options: dict[str, Any], seed: int) -> None:
    scatter = {"grenade_scatter": "margin"} if seed % 2 else {}
    compare("shooting", situation, {**options, **scatter}, seed)


@settings(max_examples=scale(33, 100))
@given(blows(), OPTIONS, SEEDS)
def test_blows(situation: dict[str, Any], options: dict[str, Any], seed: int) -> None:
    compare("close-combat", situation, options, seed)


@st.composite
def flames(draw: st.DrawFn) -> dict[str, Any]:
    """A flame weapon among people."""

    def person() -> dict[str, Any]:
        more = {"aware": draw(st.booleans()), "stunned": draw(st.booleans()), "burning": draw(st.booleans())}
        return {**draw(victims()), **more, "initiative": draw(SKILLS)}

    attacker = {"ballistic_skill": draw(SKILLS), "strength": draw(st.integers(10, 100)), "traits": []}
    states = {"braced": draw(st.booleans()), "prone": False, "mounted": False, "injuries": draw(INJURIES)}
    states["pinned"] = draw(st.booleans())
    return {
        "attacker": {**attacker, **states},
        "target": person(),
        **draw(st.sampled_from([{}, {"other_1": person()}, {"other_1": draw(vehicles())}])),
        "weapon": {"use": draw(FLAMERS), "mods": [], "rounds": draw(st.integers(0, 4))},
        "distance": draw(st.integers(1, 18)),
        "action": draw(actions()),
    }


@settings(max_examples=scale(33, 100))
@given(flames(), st.integers(0, 2), SKILLS, OPTIONS, SEEDS)
def test_flames(
    situation: dict[str, Any], helpers: int, nerve: int, options: dict[str, Any], seed: int
) -> None:
    compare("flame-attack", situation, options, seed)
    target = situation["target"]
    victim = {name: target[name] for name in target if name not in ("aware", "stunned", "prone")}
    compare("burn", {"victim": {**victim, "nerve": nerve}}, options, seed)
    tester = {name: victim[name] for name in victim if name not in ("cover", "behind_cover")}
    fire = {"tester": {**tester, "prone": helpers > 0}, "fire": {"helpers": helpers}}
    compare("put-out-fire", fire, options, seed)


@settings(max_examples=scale(33, 100))
@given(victims(), st.integers(0, 60), st.sampled_from([None, *LOCATIONS]), OPTIONS, SEEDS)
def test_injuries(
    who: dict[str, Any], damage: int, place: str | None, options: dict[str, Any], seed: int
) -> None:
    names = (
        "toughness",
        "injuries",
        "injury_total",
        "stunned_actions",
        "suffering",
        "conscious",
        "right_hand",
    )
    said: dict[str, Any] = {"damage": damage} | ({"location": place} if place else {})
    victim = {name: who[name] for name in names if name in who}
    compare("injury", {"victim": victim, "injury": said}, options, seed)


@settings(max_examples=scale(20, 60))
@given(
    victims(),
    st.sampled_from(["acid", "electric", "choking", "exposure", "fading"]),
    st.integers(-3, 4),
    st.booleans(),
    SKILLS,
    OPTIONS,
    SEEDS,
)
def test_kinds_of_harm(
    who: dict[str, Any], kind: str, hide: int, steady: bool, will: int, options: dict[str, Any], seed: int
) -> None:
    names = ("toughness", "injuries", "injury_total", "stunned_actions", "suffering", "conscious", "armor")
    victim = {name: who[name] for name in names if name in who}
    victim |= {"hide": hide, "steady": steady, "willpower": will}
    compare("injury", {"victim": victim, "injury": {"kind": kind}}, options, seed)


@settings(max_examples=scale(13, 40))
@given(
    victims(),
    st.dictionaries(st.sampled_from(LOCATIONS), st.integers(1, 4), max_size=3),
    st.sampled_from(["bleeding", "consciousness"]),
    OPTIONS,
    SEEDS,
)
def test_bleeding(
    who: dict[str, Any], bleeding: dict[str, int], procedure: str, options: dict[str, Any], seed: int
) -> None:
    names = ("toughness", "injuries", "injury_total", "conscious", "suffering")
    victim = {name: who[name] for name in names if name in who} | {"bleeding": bleeding}
    compare(procedure, {"victim": victim}, options, seed)


@settings(max_examples=scale(13, 40))
@given(
    st.sampled_from(["staunch-bleeding", "heal-injury", "recovery"]),
    SKILLS,
    st.sampled_from(LOCATIONS),
    st.integers(0, 5),
    st.fixed_dictionaries({}, optional={"equipment": st.booleans(), "gm_allows": st.booleans()}),
    st.lists(st.sampled_from(["medic", "surgeon", "regeneration"]), unique=True),
    OPTIONS,
    SEEDS,
)
def test_care(
    procedure: str,
    skill: int,
    place: str,
    number: int,
    how: dict[str, bool],
    traits: list[str],
    options: dict[str, Any],
    seed: int,
) -> None:
    who = {"toughness": skill, "sagacity": skill, "traits": traits}
    hurt = {place: number} if number else {}
    situations: dict[str, dict[str, Any]] = {
        "staunch-bleeding": {
            "healer": {"toughness": skill},
            "patient": {"bleeding": hurt},
            "staunching": {"location": place},
        },
        "heal-injury": {
            "healer": {"sagacity": skill, "traits": traits},
            "patient": {"injuries": hurt},
            "healing": {"location": place, **how},
        },
        "recovery": {
            "patient": {"toughness": who["toughness"], "traits": traits, "injuries": hurt},
            "recovery": {"location": place, "bionic": how.get("equipment", False)},
        },
    }
    compare(procedure, situations[procedure], options, seed)


@settings(max_examples=scale(13, 40))
@given(
    st.sampled_from(
        ["awareness", "leap", "swim", "tread-water", "sneak", "reins", "find-data", "break-free"]
    ),
    SKILLS,
    st.integers(-60, 60),
    TRAITS,
    actions(),
    OPTIONS,
    SEEDS,
)
def test_tests(
    kind: str,
    skill: int,
    modifier: int,
    traits: list[str],
    action: dict[str, Any],
    options: dict[str, Any],
    seed: int,
) -> None:
    names = ("initiative", "strength", "sagacity", "toughness")
    tester = {**dict.fromkeys(names, skill), "traits": traits}
    action.pop("arm", None)
    compare(
        "characteristic-test",
        {"tester": tester, "test": {"kind": kind, "modifier": modifier}, "action": action},
        options,
        seed,
    )
    power = {
        "psyker": {"willpower": skill, "traits": traits, "concentrated": modifier > 0},
        "power": {"difficulty": 20},
    }
    compare("use-psychic-power", {**power, "action": action}, options, seed)


@settings(max_examples=scale(20, 60))
@given(victims(), st.integers(0, 12), st.booleans(), SKILLS, SKILLS, OPTIONS, SEEDS)
def test_falls_and_nerve(
    who: dict[str, Any],
    number: int,
    flag: bool,
    initiative: int,
    nerve: int,
    options: dict[str, Any],
    seed: int,
) -> None:
    names = [name for name in who if name not in ("prone", "cover", "behind_cover")]
    victim = {**{name: who[name] for name in names}, "initiative": initiative, "aware": flag, "hide": number}
    compare("fall", {"victim": victim, "fall": {"height": number * 2}}, options, seed)
    tester = {"nerve": nerve, "traits": ["fearless"] if number == 9 else [], "left_hand": "laspistol"}
    fire = {
        "cover": flag,
        "hit": not flag,
        "shooters": number % 4,
        "flames": number > 6,
        "leadership": number * 8,
    }
    compare("pinning-test", {"tester": {**tester, "pinned": number == 8}, "pinning": fire}, options, seed)
    compare("recover-from-pinning", {"tester": tester, "recovering": {"quiet": flag}}, options, seed)
    compare("fear", {"tester": tester, "fear": {"grade": number % 4 + 1}}, {**options, "fear": flag}, seed)


@settings(max_examples=scale(20, 60))
@given(
    drawn("combatants", lambda slug, one: "hull" in one),
    st.sampled_from(["2d6+2", "3d10+4", "5d10+10", "12d10"]),
    st.sampled_from(["front", "side", "rear"]),
    st.integers(1, 40),
    st.booleans(),
    OPTIONS,
    SEEDS,
)
def test_machines(
    machine: str, dice: str, facing: str, speed: int, flag: bool, options: dict[str, Any], seed: int
) -> None:
    hit = {"dice": dice, "facing": facing, "critical": flag, "plates_less": speed % 5, "halves": speed > 20}
    rules = {**options, "small_arms_vs_plates": flag}
    compare("vehicle-hit", {"vehicle": machine, "hit": hit}, rules, seed)
    driver = {"use": machine, "driving": speed}
    compare("driving-test", {"driver": driver, "driving": {"double_speed": flag}}, options, seed)
    ram = {"driver": driver, "driving": {"double_speed": flag, "speed": speed}}
    compare("ram", {**ram, "target": {"use": machine, "facing": facing}} if flag else ram, options, seed)


@settings(max_examples=scale(33, 100))
@given(
    drawn("powers", lambda slug, one: slug != "mend-flesh"),
    victims(),
    st.tuples(SKILLS, SKILLS, SKILLS),
    st.integers(0, 45),
    st.sampled_from([{}, {"holding-lift": 1}, {"holding-lift": 1, "holding-haste": 1}]),
    st.booleans(),
    OPTIONS,
    SEEDS,
)
def test_powers(
    power: str,
    target: dict[str, Any],
    skills: tuple[int, int, int],
    distance: int,
    holds: dict[str, int],
    said: bool,
    options: dict[str, Any],
    seed: int,
) -> None:
    will, resists, toughness = skills
    psyker = {"willpower": will, "traits": ["psyker"], "concentrated": True, "holds": holds}
    mine = {"toughness": toughness, "injury_total": 3} if said else {}
    foe = {name: target[name] for name in target if name != "prone"}
    foe |= {"willpower": resists, "strength": resists, "nerve": resists, "warded": said, "holds": holds}
    foe |= {"traits": ["daemon"] if said else []} if seed % 2 else {}
    if not seed % 5:
        foe = {"use": "half-track", "hull": 20 + seed % 30, "warded": said}
    situation = {
        "psyker": {**psyker, **mine, "hurt": said},
        "target": foe,
        "power": power,
        "distance": distance,
    }
    compare("use-psychic-power", situation, {**options, "psychic_backlash": not said}, seed)
    compare("hold-powers", {"psyker": {"willpower": will, "holds": holds}}, options, seed)


@settings(max_examples=scale(13, 40))
@given(SKILLS, st.booleans(), st.booleans(), OPTIONS, SEEDS)
def test_initiative(value: int, surprised: bool, rolled: bool, options: dict[str, Any], seed: int) -> None:
    roller = {"initiative": value, "surprised": surprised}
    compare("initiative", {"roller": roller}, {**options, "rolled_initiative": rolled}, seed)

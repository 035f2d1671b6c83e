"""Exact odds are what counting gives: every face of the D100 with every throw of the damage, as fractions.

The rules stand here once more, in a few lines; nothing is taken from the ruleset but its odds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from imperium_play import asked, first_stage
from tiers import scale

from fracas.engine import running
from fracas.kernel.odds import Distribution, Transitions, odds
from fracas.kernel.readers import DefaultPolicy

Counted = Mapping[tuple[Any, ...], Fraction]
FACES = range(1, 101)
BANDS = {"right-leg": 10, "left-leg": 20, "body": 60, "right-arm": 75, "left-arm": 90, "head": 100}
TOUGHNESS = 50
BASE, SHOCK = 5, 10
ARMOR = {
    "flak-vest": (4, {"body"}),
    "mesh-sleeves": (4, {"right-arm", "left-arm"}),
    "carapace-cuirass": (6, {"body"}),
    "carapace-left-greave": (6, {"left-leg"}),
    "power-helmet": (10, {"head"}),
}
FACTS = ("hit", "critical", "net_damage")


def location_of(face: int) -> str:
    """Where a hit lands: the digits of its roll the other way round, 00 staying 100."""
    roll = int(f"{face % 100:02}"[::-1]) or 100
    return next(place for place, most in BANDS.items() if roll <= most)


def is_matched(face: int) -> bool:
    return f"{face % 100:02}"[0] == f"{face % 100:02}"[1]


def half(number: int, options: Mapping[str, Any]) -> int:
    return (number + int(options.get("rounding", "up") == "up")) // 2


def passes(face: int, chance: int, options: Mapping[str, Any]) -> bool:
    if face <= options.get("auto_success", 0):
        return True
    fails = options.get("auto_fail", 0)
    return face <= chance and not (fails and face >= fails)


def throws(dice: Iterable[int]) -> list[int]:
    """The sums of every throw of dice with these sides."""
    return [sum(faces) for faces in product(*(range(1, sides + 1) for sides in dice))]


def net(rolled: int, place: str, *, critical: bool, worn: Iterable[str], after: int = 1) -> int:
    """Damage that is left: doubled by a critical hit before armor, by a force weapon after it."""
    layers = [value for value, places in (ARMOR[slug] for slug in worn) if place in places]
    return max(0, rolled * (2 if critical else 1) - max(layers, default=0)) * after


def level(damage: int) -> int:
    """Levels of injury of somebody unhurt."""
    return min(5, -(-damage // BASE))


def levels_by_place(place: str, damage: int) -> tuple[tuple[str, int], ...]:
    return ((f"{place.replace('-', '_')}_level", level(damage)),) if damage else ()


def exactly(procedure: str, situation: Mapping[str, Any], **said: Any) -> Distribution:
    return odds(first_stage(procedure, situation, **said), Transitions(DefaultPolicy(), None)).only


def told(found: Distribution, *more: str) -> Counted:
    """Chances of what the odds tell: hit, critical, net damage, further facts, and the level of each location hurt."""
    chances: Counter[tuple[Any, ...]] = Counter()
    for end, weight in found.outcomes.items():
        facts = end.notes()
        hurt = tuple((name, value) for name, value in facts.items() if name.endswith("_level"))
        key = (*(facts.get(name) for name in (*FACTS, *more)), hurt)
        chances[key] += Fraction(weight, found.total)  # type: ignore[assignment]
    return chances  # type: ignore[return-value]


def shots(
    chance: int, dice: Iterable[int], more: int, worn: Iterable[str], options: Mapping[str, Any]
) -> Counted:
    """The same by counting, of one shot at somebody unhurt of Toughness 50."""
    chances: Counter[tuple[Any, ...]] = Counter()
    every = throws(dice)
    for face in FACES:
        if not passes(face, chance, options):
            chances[False, False, 0, ()] += Fraction(1, 100)  # type: ignore[assignment]
            continue
        place, critical = location_of(face), is_matched(face)
        for rolled in every:
            damage = net(rolled + more, place, critical=critical, worn=worn)
            key = (True, critical, damage, levels_by_place(place, damage))
            chances[key] += Fraction(1, 100 * len(every))  # type: ignore[assignment]
    return chances  # type: ignore[return-value]


def shot(skill: int, **more: Any) -> dict[str, Any]:
    return {
        "attacker": {"ballistic_skill": skill},
        "target": {"armor": [], "toughness": TOUGHNESS},
        "weapon": {"use": "stub-gun", "mods": []},
        "distance": 8,
        **more,
    }


def test_a_plain_shot() -> None:
    assert told(exactly("shooting", shot(47))) == shots(47, (6, 6), 0, (), {})


def test_the_chance_is_the_chance() -> None:
    """47 faces hit, of which 11, 22, 33 and 44 are critical: leg, body, body, body."""
    found = exactly("shooting", shot(47))
    assert found.chance(lambda end: bool(end.notes()["hit"])) == Fraction(47, 100)
    assert found.chance(lambda end: bool(end.notes()["critical"])) == Fraction(4, 100)
    assert [location_of(face) for face in (11, 22, 33, 44)] == ["left-leg", "body", "body", "body"]


def test_extreme_range_and_merged() -> None:
    """80 - 20 = 60, halved to 30, halved to 15: 15 faces, one of them critical."""
    said = shot(80, distance=55, action={"merged": True})
    assert told(exactly("shooting", said)) == shots(15, (6, 6), 0, (), {})


def test_armor_on_some_locations() -> None:
    worn = ["flak-vest", "carapace-cuirass", "mesh-sleeves", "power-helmet"]
    said = shot(73, target={"armor": worn, "toughness": TOUGHNESS})
    assert told(exactly("shooting", said)) == shots(73, (6, 6), 0, worn, {})


def test_answers_tell_whole_fractions() -> None:
    """Asked for exact odds the engine tells weights and their total: 53 of 100 faces miss."""
    (branch,) = running.give_odds(asked("shooting", shot(47), exact=True))["branches"]
    total = int(branch["total"])
    missed = sum(int(row["weight"]) for row in branch["outcomes"] if not row["outcome"]["hit"])
    assert Fraction(missed, total) == Fraction(53, 100)
    assert sum(int(row["weight"]) for row in branch["outcomes"]) == total


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "rounding": st.sampled_from(["up", "down"]),
        "auto_success": st.integers(0, 10),
        "auto_fail": st.integers(90, 100),
    },
)
WORN = st.lists(st.sampled_from(sorted(ARMOR)), unique=True)
AWAY = {8: (0, 0), 15: (-10, 0), 25: (-20, 0), 55: (-20, 1)}


@settings(max_examples=scale(20, 60))
@given(st.integers(1, 130), st.sampled_from(sorted(AWAY)), st.booleans(), WORN, OPTIONS)
def test_any_shot(skill: int, distance: int, merged: bool, worn: list[str], options: dict[str, Any]) -> None:
    modifier, halves = AWAY[distance]
    chance = skill + modifier
    for _ in range(halves + merged):
        chance = half(chance, options)
    target = {"armor": worn, "toughness": TOUGHNESS}
    said = shot(skill, distance=distance, target=target, action={"merged": merged})
    assert told(exactly("shooting", said, options=options)) == shots(chance, (6, 6), 0, worn, options)


# ----------------------------------------------------------------------------------------------------
# Close combat


def blow(skill: int, weapon: str, **more: Any) -> dict[str, Any]:
    return {
        "attacker": {"weapon_skill": skill, "strength": 50, "willpower": 65, "traits": ["psyker"]},
        "target": {"armor": [], "toughness": TOUGHNESS, "aware": True, "stunned": False, "traits": []},
        "weapon": {"use": weapon, "mods": []},
        "attack": {"direction": "front", "charge": False},
        **more,
    }


@settings(max_examples=scale(13, 40))
@given(st.integers(1, 110), st.booleans(), st.booleans(), WORN, OPTIONS)
def test_any_blow_that_may_be_parried(
    skill: int, charge: bool, merged: bool, worn: list[str], options: dict[str, Any]
) -> None:
    """An axe (+10, 2D6+2) against a sword (-25)."""
    without = skill + 10 + 10 * charge
    with_penalty = without - 25
    if merged:
        without, with_penalty = half(without, options), half(with_penalty, options)
    expected: Counter[tuple[Any, ...]] = Counter()
    for face in FACES:
        if not passes(face, with_penalty, options):
            parried = passes(face, without, options)
            result = "parried" if parried else "miss"
            expected[False, False, 0, result, ()] += Fraction(1, 100)  # type: ignore[assignment]
            continue
        place, critical = location_of(face), is_matched(face)
        for rolled in throws((6, 6)):
            damage = net(rolled + 2, place, critical=critical, worn=worn)
            key = (True, critical, damage, "hit", levels_by_place(place, damage))
            expected[key] += Fraction(1, 3600)  # type: ignore[assignment]
    target = {"armor": worn, "toughness": TOUGHNESS, "aware": True, "stunned": False}
    attack = {"direction": "front", "charge": charge}
    said = blow(skill, "axe", target=target, parry="sword", attack=attack, action={"merged": merged})
    assert told(exactly("close-combat", said, options=options), "result") == expected


def test_a_power_weapon_breaks_a_quarter_of_what_it_parries() -> None:
    """55 + 15 - 20 = 50; the faces 51 to 70 are parried."""
    found = exactly("close-combat", blow(55, "sword", parry="power-sword"))
    assert found.chance(lambda end: end.notes()["result"] == "parried") == Fraction(20, 100)
    assert found.chance(lambda end: end.notes()["broken"] == "attacker") == Fraction(20, 100) * Fraction(
        25, 100
    )


@settings(max_examples=25)
@given(st.integers(1, 100), st.integers(1, 110), WORN)
def test_any_force_weapon(skill: int, willpower: int, worn: list[str]) -> None:
    """A force rod (+0, D6): Willpower adds a D10 and doubles what armor leaves."""
    passed = Fraction(min(100, willpower), 100)
    expected: Counter[tuple[Any, ...]] = Counter()
    for face in FACES:
        if face > skill:
            expected[False, False, 0, ()] += Fraction(1, 100)  # type: ignore[assignment]
            continue
        place, critical = location_of(face), is_matched(face)
        for dice, after, share in (((6, 10), 2, passed), ((6,), 1, 1 - passed)):
            every = throws(dice)
            for rolled in every if share else ():
                damage = net(rolled, place, critical=critical, worn=worn, after=after)
                key = (True, critical, damage, levels_by_place(place, damage))
                expected[key] += share / (100 * len(every))  # type: ignore[assignment]
    attacker = {"weapon_skill": skill, "strength": 50, "willpower": willpower, "traits": ["psyker"]}
    target = {"armor": worn, "toughness": TOUGHNESS, "traits": []}
    said = blow(skill, "force-rod", attacker=attacker, target=target)
    assert told(exactly("close-combat", said)) == expected


# ----------------------------------------------------------------------------------------------------
# What an injury asks for


def test_a_leg_gives_way() -> None:
    """A knife (D6) at somebody unhurt of Toughness 50: a 6, or half of it on a critical hit, makes a leg Heavy.

    A Heavy leg holds in 50 of 100, a Serious one never; of the head only 3 levels fell, of the body 4.
    """
    falls = {("leg", 2): Fraction(1, 2), ("leg", 3): Fraction(1), ("head", 3): Fraction(1)}
    expected = Fraction(0)
    for face in range(1, 61):
        place, critical = location_of(face), is_matched(face)
        for rolled in range(1, 7):
            damage = net(rolled, place, critical=critical, worn=())
            expected += Fraction(1, 600) * falls.get((place.rpartition("-")[2], level(damage)), Fraction(0))
    found = exactly("close-combat", blow(60, "knife"))
    assert found.chance(lambda end: bool(end.notes()["prone"])) == expected > 0


def test_system_shock() -> None:
    """A boltgun (2D10+4) in the body of somebody with a power cuirass: what stuns, and for how many actions.

    Above 10 points a Toughness test of 50 in 100 decides about a round, which the injury itself may outlast.
    """
    expected: Counter[int] = Counter()
    for face in range(1, 101):
        place, critical = location_of(face), is_matched(face)
        if place != "body":
            continue
        for rolled in throws((10, 10)):
            damage = net(rolled + 4, place, critical=critical, worn=("carapace-cuirass",))
            if damage >= TOUGHNESS or level(damage) == 5:
                continue  # dead, or unconscious
            rounds = {2: [1], 3: [2], 4: [2, 4, 6]}.get(level(damage), [0])
            for shocked in (0, 2) if damage > SHOCK else (0, 0):
                for lost in rounds:
                    expected[max(shocked, lost)] += Fraction(1, 100 * 100 * 2 * len(rounds))  # type: ignore[assignment]
    target = {"armor": ["carapace-cuirass"], "toughness": TOUGHNESS}
    weapon = {"use": "boltgun", "mods": []}
    found = exactly("shooting", shot(100, target=target, weapon=weapon, fire={"mode": "single"}))

    def so(end: Any, actions: int) -> bool:
        facts = end.notes()
        return "body_level" in facts and facts["down"] == "none" and facts["stunned_actions"] == actions

    for actions in (1, 2, 4, 6):
        assert found.chance(lambda end, actions=actions: so(end, actions)) == expected[actions] > 0  # type: ignore[misc]

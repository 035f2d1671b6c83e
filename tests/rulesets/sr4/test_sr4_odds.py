"""The odds of small attacks, against the rulebook's own words counted over all dice.

Nothing here uses the stages or the exact distributions: every face of every die is gone through, and what it
does is written down once more, straight from rulebook sections 1, 2, 7 and 11.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import pytest
from sr4_table import SINGLE, burst, chances, measures, odds, total
from sr4_table import explain as explained

Chances = dict[Any, Fraction]


class Attack(NamedTuple):
    """An attack in numbers: pools after all modifiers, and what the hits are worth."""

    attack: int
    defense: int | None
    value: int
    armor: int
    track: str = "physical"
    added: int = 0
    body: int = 2
    electric: int | None = None
    edge: int = 0
    ignored: int = 0
    grazing: bool = True


def faces(count: int) -> Any:
    return product(range(1, 7), repeat=count)


def hits(dice: Any) -> int:
    return sum(die >= 5 for die in dice)


@cache
def plain(count: int) -> Chances:
    """Hits of a pool."""
    found: Chances = defaultdict(Fraction)
    for dice in faces(count):
        found[hits(dice)] += Fraction(1, 6**count)
    return found


LONGEST = 22
"""An exploding die is followed through so many 6s; what is left out is below 1e-16."""


@cache
def exploding(count: int) -> Chances:
    """Hits of a pool in which each 6 brings one more die: face by face, for one die, then for all."""
    one: Chances = defaultdict(Fraction)
    for sixes in range(LONGEST):
        for last in range(1, 6):
            one[sixes + (last >= 5)] += Fraction(1, 6 ** (sixes + 1))
    found: Chances = {0: Fraction(1)}
    for _ in range(count):
        found = join(found, one)
    return found


def join(first: Chances, second: Chances) -> Chances:
    """Hits of two throws together."""
    found: Chances = defaultdict(Fraction)
    for (one, weight), (other, share) in product(first.items(), second.items()):
        found[one + other] += weight * share
    return found


def add_after(attack: Attack) -> Chances:
    return join(plain(attack.attack), exploding(attack.edge))


def push(attack: Attack) -> Chances:
    return exploding(attack.attack + attack.edge)


def reroll(attack: Attack) -> Chances:
    """Every die that is no hit once more."""
    found: Chances = defaultdict(Fraction)
    for dice in faces(attack.attack):
        kept = hits(dice)
        for again in faces(attack.attack - kept):
            found[kept + hits(again)] += Fraction(1, 6 ** (2 * attack.attack - kept))
    return found


def unchanged(attack: Attack) -> Chances:
    return plain(attack.attack)


FACTS = (
    "result",
    "damage",
    "track",
    "knockdown",
    "stun_after",
    "physical_after",
    "electric_outcome",
    "electric_turns",
)


def by_the_book(attack: Attack, attacker: Chances) -> dict[tuple[Any, ...], float]:
    """The chance of every outcome."""
    found: dict[tuple[Any, ...], Fraction] = defaultdict(Fraction)
    defense = plain(attack.defense) if attack.defense is not None else {0: Fraction(1)}
    soak = plain(attack.body + attack.armor)
    for (mine, weight), (theirs, share) in product(attacker.items(), defense.items()):
        net, chance = mine - theirs, weight * share
        if net <= 0:
            graze = net == 0 and attack.defense is not None and attack.grazing
            found["graze" if graze else "miss", 0, None, None, 0, 0, None, None] += chance
            continue
        track = attack.track
        if attack.value + net <= attack.armor:
            track = "stun"
        for resisted, part in soak.items():
            boxes = max(0, attack.value + net + attack.added - resisted)
            stun = min(boxes, 9) if track == "stun" else 0
            physical = boxes - stun
            down = boxes > attack.body or boxes >= 10
            start = ("hit", boxes, track, down, stun, physical)
            if attack.electric is None:
                found[*start, None, None] += chance * part
                continue
            lost = sum(max(0, marked - attack.ignored) // 3 for marked in (stun, physical))
            for withstood, slice_ in plain(max(0, attack.electric - lost)).items():
                outcome = "incapacitated" if withstood < 3 else "shaken"
                found[*start, outcome, 2 + net] += chance * part * slice_
    return {key: float(chance) for key, chance in found.items()}


def situation(attack: Attack, **changes: Any) -> dict[str, Any]:
    """The request for it: Body and Willpower 2 give monitors of 9 boxes."""
    target = {
        "body": attack.body,
        "willpower": 2,
        "ballistic": attack.armor,
        "impact": attack.armor,
        "physical": 0,
        "stun": 0,
    }
    target |= {"unaware": True} if attack.defense is None else {"pool": attack.defense}
    weapon = {"dv": attack.value, "damage": attack.track, "ap": 0, "armor_kind": "ballistic", "rc": 9}
    request = {
        "attacker": {"pool": attack.attack, "edge": attack.edge, "edge_points": 1, "rounds_before": 0},
        "target": target,
        "weapon": weapon,
        "fire": SINGLE,
    }
    for record, fields in changes.items():
        request[record] = {**request.get(record, {}), **fields} if isinstance(fields, dict) else fields
    return request


def agree(found: Mapping[tuple[Any, ...], float], expected: Mapping[tuple[Any, ...], float]) -> None:
    for key in found.keys() | expected.keys():
        assert found.get(key, 0.0) == pytest.approx(expected.get(key, 0.0), abs=1e-12), key
    assert sum(found.values()) == pytest.approx(1, abs=1e-12)


SMALL = Attack(attack=4, defense=3, value=3, armor=4)


@pytest.mark.parametrize(
    "attack",
    [
        SMALL,
        SMALL._replace(attack=6, defense=1, armor=0),
        SMALL._replace(value=1, armor=3, defense=2),
        SMALL._replace(defense=0, value=12, armor=2),
        SMALL._replace(defense=None),
        SMALL._replace(track="stun"),
        SMALL._replace(track="stun", value=14, armor=1),
    ],
)
def test_plain_attack(attack: Attack) -> None:
    agree(chances(odds(situation(attack)), FACTS), by_the_book(attack, unchanged(attack)))


@pytest.mark.parametrize("grazing", [True, False])
def test_without_grazing_hits(grazing: bool) -> None:
    attack = SMALL._replace(grazing=grazing)
    found = odds(situation(attack), options={"grazing_hits": grazing})
    agree(chances(found, FACTS), by_the_book(attack, unchanged(attack)))


def test_grazing_only_with_hits() -> None:
    """A tie at 0 is a miss: of all ties, those where no die of either side is a hit."""
    found = chances(odds(situation(SMALL), options={"graze_on_zero": False}), ["result"])
    ties = sum(plain(4)[count] * plain(3)[count] for count in range(1, 4))
    assert found["graze",] == pytest.approx(float(ties), abs=1e-12)


def test_wide_burst() -> None:
    """A wide short burst: two dice less for the defense, nothing on the damage."""
    attack = SMALL._replace(defense=1)
    request = situation(SMALL, fire=burst("short", "wide"))
    assert total(explained(request), "defense.pool") == 1
    agree(chances(odds(request), FACTS), by_the_book(attack, unchanged(attack)))


def test_narrow_burst() -> None:
    """A narrow long burst: 5 boxes more, after the comparison with the armor."""
    attack = SMALL._replace(added=5)
    agree(chances(odds(situation(SMALL, fire=burst("long"))), FACTS), by_the_book(attack, unchanged(attack)))


def test_electric_weapon() -> None:
    """Half of Impact 4 protects and helps against the after-effect: Body 2 + Willpower 2 + 2, less wounds."""
    attack = SMALL._replace(track="stun", value=5, armor=2, electric=6)
    weapon = {"electric": True, "ap_half": True, "armor_kind": "impact", "dv": 5, "damage": "stun"}
    agree(chances(odds(situation(SMALL, weapon=weapon)), FACTS), by_the_book(attack, unchanged(attack)))


def test_electric_weapon_against_high_pain_tolerance() -> None:
    attack = SMALL._replace(track="stun", value=5, armor=2, electric=6, ignored=2)
    weapon = {"electric": True, "ap_half": True, "armor_kind": "impact", "dv": 5, "damage": "stun"}
    found = odds(situation(SMALL, weapon=weapon, target={"pain_resistance": 2}))
    agree(chances(found, FACTS), by_the_book(attack, unchanged(attack)))


def test_electric_weapon_without_the_armor_s_dice() -> None:
    attack = SMALL._replace(track="stun", value=5, armor=2, electric=4)
    weapon = {"electric": True, "ap_half": True, "armor_kind": "impact", "dv": 5, "damage": "stun"}
    found = odds(situation(SMALL, weapon=weapon), options={"electric_armor_bonus": "none"})
    agree(chances(found, FACTS), by_the_book(attack, unchanged(attack)))


EDGE: dict[str, tuple[str, Callable[[Attack], Chances]]] = {
    "push": ("edge-before", push),
    "add": ("edge-after", add_after),
    "reroll": ("edge-after", reroll),
    "negate-glitch": ("edge-after", unchanged),
}


@pytest.mark.parametrize("electric", [False, True])
@pytest.mark.parametrize("choice", EDGE)
def test_edge_of_the_attacker(choice: str, electric: bool) -> None:
    decision, spent = EDGE[choice]
    attack = SMALL._replace(attack=3, defense=2, edge=2)
    changes: dict[str, Any] = {}
    if electric:
        changes["weapon"] = {"electric": True, "ap_half": True, "armor_kind": "impact", "damage": "stun"}
    request = situation(attack, **changes)
    if electric:
        attack = attack._replace(track="stun", armor=2, electric=6)
    decisions = [{"decision": decision, "by": "attacker", "choose": choice}]
    agree(chances(odds(request, decisions=decisions), FACTS), by_the_book(attack, spent(attack)))


def test_long_shot() -> None:
    attack = SMALL._replace(attack=0, edge=3)
    decisions = [{"decision": "edge-before", "by": "attacker", "choose": "long-shot"}]
    agree(chances(odds(situation(attack), decisions=decisions), FACTS), by_the_book(attack, plain(3)))


def test_rerolled_sixes_that_explode() -> None:
    attack = SMALL._replace(attack=3, defense=2, edge=2)
    attacker: Chances = defaultdict(Fraction)
    for kept, weight in plain(3).items():
        for more, share in exploding(3 - kept).items():
            attacker[kept + more] += weight * share
    decisions = [{"decision": "edge-after", "by": "attacker", "choose": "reroll"}]
    found = odds(situation(attack), decisions=decisions, options={"edge_reroll_explodes": True})
    agree(chances(found, FACTS), by_the_book(attack, attacker))


def test_bought_hits() -> None:
    attack = SMALL._replace(attack=9)
    decisions = [{"decision": "buy-hits", "by": "attacker", "choose": "buy"}]
    found = odds(situation(attack), decisions=decisions, options={"buying_hits": True})
    agree(chances(found, FACTS), by_the_book(attack, {2: Fraction(1)}))


@pytest.mark.parametrize("rule", ["half_or_more", "more_than_half"])
@pytest.mark.parametrize("pool", range(1, 7))
def test_glitches(pool: int, rule: str) -> None:
    chance = {"glitch": 0, "critical": 0}
    for dice in faces(pool):
        ones = dice.count(1) * 2
        if ones > pool or (ones == pool and rule == "half_or_more"):
            chance["glitch" if hits(dice) else "critical"] += 1
    found = odds({"tester": {"pool": pool}}, procedure="success-test", options={"glitch_rule": rule})
    (row,) = found["glitches"]
    assert row["roll"] == "test"
    for name, ways in chance.items():
        assert row[name] == pytest.approx(ways / 6**pool, abs=1e-12)


@pytest.mark.parametrize("threshold", range(5))
@pytest.mark.parametrize("pool", range(6))
def test_success_test(pool: int, threshold: int) -> None:
    found = odds({"tester": {"pool": pool}, "threshold": threshold}, procedure="success-test")
    expected = {(count, count >= threshold): float(chance) for count, chance in plain(pool).items()}
    agree(chances(found, ["hits", "success"]), expected)
    success = sum(chance for (_, met), chance in expected.items() if met)
    net = sum(max(0, count - threshold) * chance for (count, _), chance in expected.items())
    assert measures(found) == pytest.approx({"success": success, "hits": net}, abs=1e-12)


def test_measures_are_the_expectations_of_the_outcomes() -> None:
    attack = SMALL._replace(attack=6)
    found = odds(situation(attack))
    rows = chances(found, FACTS)
    values = measures(found)
    assert values["hit"] == pytest.approx(
        sum(chance for key, chance in rows.items() if key[0] == "hit"), abs=1e-12
    )
    assert values["damage"] == pytest.approx(sum(key[1] * chance for key, chance in rows.items()), abs=1e-12)
    physical = sum(chance for key, chance in rows.items() if key[1] and key[2] == "physical")
    assert values["physical"] == pytest.approx(physical, abs=1e-12)
    assert values["knockdown"] == pytest.approx(
        sum(chance for key, chance in rows.items() if key[3]), abs=1e-12
    )
    down = sum(chance for key, chance in rows.items() if key[4] >= 9 or key[5] >= 9)
    assert values["down"] == pytest.approx(down, abs=1e-12)
    assert 0 < values["down"] < values["physical"] < values["hit"] < 1


ATTRIBUTED = {
    "attacker": {
        "use": "ork-bruiser",
        "deployed": True,
        "gyro": 2,
        "recoil_compensation": 1,
        "rounds_before": 3,
        "running": True,
        "take_aim": 2,
        "physical": 3,
    },
    "target": {"use": "guard", "defenses_made": 1, "cover": "partial", "running": True},
    "weapon": {
        "use": "ingram-white-knight",
        "ammunition": "tracer",
        "features": ["stock", "smartgun", "laser-sight"],
    },
    "fire": burst("long"),
    "called_shot": {"kind": "vital", "dv": 1},
    "distance": 100,
}
UNDONE: dict[tuple[str, str], dict[str, Any]] = {
    ("attack.pool", "range-medium"): {"distance": 3},
    ("attack.pool", "take-aim"): {"attacker": {"take_aim": 0}},
    ("attack.pool", "attacker-wounds"): {"attacker": {"physical": 0}},
    ("attack.pool", "target-partial-cover"): {"target": {"cover": "none"}},
    ("attack.pool", "laser-sight"): {"weapon": {"features": ["stock", "smartgun"]}},
    ("recoil.compensation", "more-compensation"): {"attacker": {"recoil_compensation": 0}},
    ("recoil.compensation", "gyro"): {"attacker": {"gyro": 0}},
    ("recoil.compensation", "deployed-stock"): {"attacker": {"deployed": False}},
    ("defense.pool", "defenses-made"): {"target": {"defenses_made": 0}},
    ("defense.pool", "target-running"): {"target": {"running": False}},
}
"""How the situation would be without the modifier, where nothing else changes."""


@pytest.mark.parametrize(("to", "id"), UNDONE)
def test_attribution_is_the_difference_that_a_modifier_makes(to: str, id: str) -> None:
    found = odds(ATTRIBUTED, attribution=True)
    row = next(row for row in found["attribution"] if (row["to"], row["id"]) == (to, id))
    without = {
        name: {**ATTRIBUTED[name], **part} if isinstance(part, dict) else part
        for name, part in UNDONE[to, id].items()
    }
    others = measures(odds({**ATTRIBUTED, **without}))
    for name, value in measures(found).items():
        assert row["change"][name] == pytest.approx(value - others[name], abs=1e-12), name
    assert row["change"]["damage"] != 0

"""Exact odds are what counting gives: every face of every die of small pools, as fractions.

The rules stand here once more, in a few lines by the rulebook; nothing is taken from the ruleset but its odds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import pytest
from every_throw import told
from hypothesis import given, settings
from hypothesis import strategies as st
from sr5_samples import SAMPLES

from fracas.engine.running import give_odds

Counted = Counter[Any]
"""Throws by a fact, or by several."""


def every_throw(*pools: int) -> Iterator[tuple[int, ...]]:
    """The hits of each pool in every throw of all their dice, faces two by two: 1 and 2, 3 and 4, 5 and 6."""
    for faces in product((1, 3, 5), repeat=sum(pools)):
        at, found = 0, []
        for dice in pools:
            found.append(sum(face >= 5 for face in faces[at : at + dice]))
            at += dice
        yield tuple(found)


def chances(procedure: str, situation: Mapping[str, Any], *names: str) -> dict[tuple[Any, ...], Fraction]:
    """What the odds say of some facts; of a branch all by itself."""
    request = SAMPLES.asked(procedure, {"situation": dict(situation)}, exact=True, attribution=False)
    found: Counter[tuple[Any, ...]] = Counter()
    for (branch, facts), chance in told(give_odds(request)).items():
        key = tuple(dict(facts).get(name) for name in names)
        found[(branch, *key) if branch else key] += chance  # type: ignore[assignment]
    return dict(found)  # type: ignore[arg-type]


def shares(counted: Counted) -> dict[tuple[Any, ...], Fraction]:
    total = counted.total()
    return {key if isinstance(key, tuple) else (key,): Fraction(n, total) for key, n in counted.items()}


class Armor(NamedTuple):
    """What stands between a hit and the body.

    Attributes:
        hardened: its rating before AP stops half of itself, and all that is lower than it after AP.
    """

    value: int = 0
    vehicle: bool = False
    hardened: int = 0


def struck(net: int, soaked: int, dv: int, track: str, armor: Armor) -> tuple[str, int, str | None]:
    """Result, boxes and track of an attack with these net hits, when so many hits resist it (section 8.4)."""
    if net <= 0:
        return ("miss" if net < 0 else "graze"), 0, None
    dv += net
    if dv < armor.value and (armor.vehicle or armor.hardened):
        return "hit", 0, None
    if dv < armor.value:
        track = "stun"
    return "hit", max(0, dv - soaked - (armor.hardened + 1) // 2), track


FACTS = ("result", "damage", "track")


class Attack(NamedTuple):
    """An attack; `soak` counts the dice of Body, on top of which those of the armor come."""

    pool: int
    limit: int
    defense: int
    soak: int
    dv: int
    ap: int = 0
    track: str = "physical"

    def counted(self, armor: Armor) -> Counted:
        found: Counted = Counter()
        for mine, theirs, soaked in every_throw(self.pool, self.defense, self.soak + armor.value):
            found[struck(min(self.limit, mine) - theirs, soaked, self.dv, self.track, armor)] += 1
        return found

    def shot(self, armor: Armor) -> dict[str, Any]:
        target = {"pool": self.defense, "body": self.soak, "armor_value": armor.value - self.ap}
        if armor.vehicle:
            target["vehicle"] = True
        weapon = {"use": "ak-97", "accuracy": self.limit, "dv": self.dv, "ap": self.ap, "damage": self.track}
        attacker = {"pool": self.pool, "strength": 3}
        return {
            "attacker": attacker,
            "target": target,
            "weapon": weapon,
            "fire": {"mode": "semi-automatic"},
            "distance": 3,
        }

    def blow(self, armor: Armor) -> dict[str, Any]:
        shot = self.shot(armor)
        weapon = {**shot["weapon"], "use": "club", "dv_strength": False}
        weapon["reach"] = shot["target"]["reach"] = 0
        return {
            "attacker": {**shot["attacker"], "body": 3, "reaction": 3},
            "target": shot["target"],
            "weapon": weapon,
        }


def plainly(found: Mapping[tuple[Any, ...], Fraction]) -> dict[tuple[Any, ...], Fraction]:
    """Without the track where nothing was hurt, on which nothing depends."""
    summed: Counter[tuple[Any, ...]] = Counter()
    for (result, damage, track), chance in found.items():
        summed[result, damage, track if damage else None] += chance  # type: ignore[assignment]
    return dict(summed)  # type: ignore[arg-type]


SHOTS = {
    "a limit of one": (Attack(2, 1, 1, 2, 2), Armor()),
    "DV 3 and more against 3": (Attack(2, 2, 1, 1, 1), Armor(3)),
    "AP": (Attack(2, 2, 1, 1, 1, -2), Armor(2)),
    "Stun stays Stun": (Attack(2, 2, 1, 2, 3, 0, "stun"), Armor(1)),
    "equal armor of a vehicle lets through": (Attack(3, 3, 1, 1, 1), Armor(3, vehicle=True)),
}


@pytest.mark.parametrize(("attack", "armor"), SHOTS.values(), ids=SHOTS)
def test_shots_and_blows(attack: Attack, armor: Armor) -> None:
    expected = plainly(shares(attack.counted(armor)))
    assert plainly(chances("ranged-attack", attack.shot(armor), *FACTS)) == expected
    assert plainly(chances("melee-attack", attack.blow(armor), *FACTS)) == expected


@settings(max_examples=25)
@given(
    st.builds(
        Attack,
        st.integers(1, 3),
        st.integers(0, 3),
        st.integers(0, 2),
        st.integers(0, 1),
        st.integers(1, 4),
        st.integers(-2, 0),
        st.sampled_from(["physical", "stun"]),
    ),
    st.integers(0, 2),
)
def test_shots_at_random(attack: Attack, armor: int) -> None:
    worn = Armor(armor)
    expected = plainly(shares(attack.counted(worn)))
    assert plainly(chances("ranged-attack", attack.shot(worn), *FACTS)) == expected


@pytest.mark.parametrize("procedure", ["ranged-volley", "melee-sweep"])
def test_of_several_attacks_each_is_an_attack(procedure: str) -> None:
    """Carnival of Carnage: the whole pool against each."""
    first, second = Attack(2, 2, 1, 1, 2), Attack(2, 2, 2, 2, 2)
    situation = first.shot(Armor()) if procedure == "ranged-volley" else first.blow(Armor())
    situation |= {"way": "carnival", "target_2": second.shot(Armor(1))["target"]}
    situation["attacker"]["strength"] = 6  # takes up the recoil of two rounds
    found = chances(procedure, situation, *FACTS)
    for branch, attack, armor in (("target", first, Armor()), ("target_2", second, Armor(1))):
        mine = {key[1:]: chance for key, chance in found.items() if key[0] == branch}
        assert plainly(mine) == plainly(shares(attack.counted(armor)))


def test_a_grenade_that_scatters() -> None:
    """Two dice never hit the spot; it lands 1D6 less their hits away, and a metre takes 2 of DV 16. A die of Body."""
    situation = {
        "attacker": {"pool": 2, "strength": 3, "body": 3, "reaction": 3},
        "weapon": "grenade-high-explosive",
        "distance": 3,
        "target": {"body": 1, "armor_value": 0, "spot_distance": 0},
    }
    counted: Counted = Counter(
        max(0, 16 - 2 * max(0, metres - hits) - soaked)
        for metres in range(1, 7)
        for hits, soaked in every_throw(2, 1)
    )
    found = chances("blast-attack", situation, "damage")
    assert {key[1:]: chance for key, chance in found.items() if key[0] == "target"} == shares(counted)


def test_damage_without_an_attack() -> None:
    """Five points with AP -1 against armor 3: 5 against 2 stays Physical; three dice."""
    counted: Counted = Counter(
        (max(0, 5 - soaked), "physical" if soaked < 5 else None) for (soaked,) in every_throw(3)
    )
    situation = {"target": {"body": 1, "armor_value": 3}, "damage": {"value": 5, "ap": -1}}
    assert chances("damage-resistance", situation, "damage", "track") == shares(counted)


def test_a_direct_spell_and_its_drain() -> None:
    """Four dice that Force 3 limits, against two of Willpower; drain 3 - 3, at least 2, is resisted with two."""
    situation = {
        "caster": {"magic": 4, "pool": 4, "drain_pool": 2},
        "spell": "manabolt",
        "force": 3,
        "target": {"willpower": 2, "body": 3},
    }
    damage: Counted = Counter(max(0, min(3, mine) - theirs) for mine, theirs in every_throw(4, 2))
    drain: Counted = Counter(2 - resisted for (resisted,) in every_throw(2))
    found = chances("cast-spell", situation, "damage")
    assert {key[1:]: chance for key, chance in found.items() if key[0] == "target"} == shares(damage)
    assert {key[1:]: chance for key, chance in found.items() if key[0] == "drain"} == shares(drain)


def test_summoning_and_its_drain() -> None:
    """Three dice that Force 2 limits, against two; drain is twice the hits of the spirit, at least 2."""
    situation = {"caster": {"magic": 4, "pool": 3, "drain_pool": 2}, "force": 2}
    services: Counted = Counter(max(0, min(2, mine) - theirs) for mine, theirs in every_throw(3, 2))
    drain: Counted = Counter(max(0, max(2, 2 * theirs) - resisted) for theirs, resisted in every_throw(2, 2))
    found = chances("summon-spirit", situation, "services")
    assert {key[1:]: chance for key, chance in found.items() if key[0] == "spirit"} == shares(services)
    found = chances("summon-spirit", situation, "damage")
    assert {key[1:]: chance for key, chance in found.items() if key[0] == "drain"} == shares(drain)


def test_a_threshold_under_a_limit() -> None:
    situation = {"tester": {"pool": 4}, "limit_value": 2, "threshold": 2}
    counted: Counted = Counter((min(2, hits) >= 2, min(2, hits)) for (hits,) in every_throw(4))
    assert chances("success-test", situation, "success", "hits") == shares(counted)


def test_two_pools_under_limits() -> None:
    situation = {
        "tester": {"pool": 3},
        "limit_value": 2,
        "opponent": {"pool": 2},
        "opposing": {"limit_value": 1},
    }
    counted: Counted = Counter(max(0, min(2, mine) - min(1, theirs)) for mine, theirs in every_throw(3, 2))
    assert chances("opposed-test", situation, "net_hits") == shares(counted)


def test_an_extended_test_loses_a_die_each_time() -> None:
    """3, 2 and 1 dice, one of which may count each time: 3 hits at best."""
    counted: Counted = Counter(sum(min(1, hits) for hits in throw) >= 3 for throw in every_throw(3, 2, 1))
    situation = {"tester": {"pool": 3}, "limit_value": 1, "threshold": 3}
    assert chances("extended-test", situation, "success") == shares(counted)


def test_surprise_takes_three_hits() -> None:
    counted: Counted = Counter(hits < 3 for (hits,) in every_throw(5))
    situation = {"tester": {"reaction": 3, "intuition": 2}}
    assert chances("surprise-test", situation, "surprised") == shares(counted)


def test_first_aid_heals_hits_above_two() -> None:
    """Five dice; at most the skill, 2."""
    counted: Counted = Counter((hits >= 2, min(2, max(0, hits - 2))) for (hits,) in every_throw(5))
    situation = {
        "tester": {"logic": 3, "skills": {"first-aid": 2}, "medkit": True},
        "patient": {"body": 3, "willpower": 3, "physical": 4, "stun": 0},
    }
    assert chances("first-aid", situation, "success", "boxes") == shares(counted)


def test_a_last_action_takes_three_hits() -> None:
    counted: Counted = Counter(hits >= 3 for (hits,) in every_throw(5))
    situation = {"tester": {"body": 3, "willpower": 2, "edge": 2, "edge_points": 1}}
    assert chances("dead-mans-trigger", situation, "success") == shares(counted)


def test_suppressive_fire_and_getting_away() -> None:
    shooter = {
        "attacker": {"pool": 3, "strength": 3},
        "weapon": {"use": "ak-97", "accuracy": 2},
        "distance": 3,
    }
    counted: Counted = Counter(min(2, hits) for (hits,) in every_throw(3))
    assert chances("suppressive-fire", shooter, "suppression") == shares(counted)
    # Two dice against two hits; else DV 2, no net hits, against armor 1 and one die of Body.
    escape = {
        "attacker": {"suppression": 2},
        "weapon": {"use": "ak-97", "dv": 2, "ap": 0},
        "target": {"pool": 2, "body": 1, "armor_value": 1},
    }
    counted = Counter(0 if mine >= 2 else max(0, 2 - soaked) for mine, soaked in every_throw(2, 2))
    assert chances("escape-suppression", escape, "damage") == shares(counted)


def test_a_data_spike() -> None:
    """Attack 2 and net hits, which three dice resist; limit 2."""
    situation = {
        "attacker": {"pool": 3, "attack": 2},
        "target": {"pool": 1, "device_rating": 2, "firewall": 1},
    }
    counted: Counted = Counter()
    for mine, theirs, soaked in every_throw(3, 1, 3):
        net = min(2, mine) - theirs
        counted[max(0, 2 + net - soaked) if net > 0 else 0] += 1
    assert chances("data-spike", situation, "damage") == shares(counted)


@pytest.mark.parametrize(("dice", "thrown"), [(1, 1), (3, 3), (7, 5)])
def test_initiative_adds_faces_of_five_dice_at_most(dice: int, thrown: int) -> None:
    counted: Counted = Counter(7 + sum(faces) for faces in product(range(1, 7), repeat=thrown))
    situation = {"tester": {"reaction": 4, "intuition": 3, "initiative_dice": dice}}
    assert chances("initiative", situation, "score") == shares(counted)


def test_a_coin_is_fair() -> None:
    assert set(chances("coin-toss", {}, "coin").values()) == {Fraction(1, 2)}

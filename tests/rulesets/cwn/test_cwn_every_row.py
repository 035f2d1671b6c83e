"""Each row of the rulebook that changes a number of an attack, with the rulebook's number (4.2, 4.3, 4.7, 5.3, 10).

A row says what is different from an ordinary attack, and by how much each number then differs. The numbers are written
off the rulebook, not off the packs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest
from cwn_table import prepare, shelf

ORDINARY: dict[str, Any] = {
    "attacker": {
        "level": 5,
        "base_attack_bonus": 1,
        "strength": 10,
        "dexterity": 10,
        "skills": {"shoot": 1, "stab": 1, "punch": 1, "exert": 1},
        "foci": {},
        "cyberware": [],
        "drugs": [],
        "engaged": False,
        "named": True,
    },
    "target": {"armor": [], "dexterity": 10, "hp": 20, "foci": {}, "drugs": [], "human_sized": True},
}
"""Somebody without anything special attacks somebody else."""
PISTOL: dict[str, Any] = {"weapon": {"use": "heavy-pistol"}, "distance": 5}
RIFLE: dict[str, Any] = {"weapon": {"use": "combat-rifle"}, "distance": 5}
SWORD: dict[str, Any] = {"weapon": {"use": "sword"}}
KNIFE: dict[str, Any] = {"weapon": {"use": "knife"}}
THROWN: dict[str, Any] = {"weapon": {"use": "knife"}, "attack": {"kind": "thrown"}, "distance": 5}
FISTS: dict[str, Any] = {"weapon": {"use": "unarmed"}}
HIT, DAMAGE, SHOCK, AC = "attack.bonus", "damage.bonus", "shock.damage", "target.ac"
TRAUMA, TOUGH = "trauma.bonus", "trauma.target"
JACK = {"cyberware": ["cranial-jack"]}
LINK = {"cyberware": ["gunlink"]}


class Row(NamedTuple):
    """What is different, and by how much each number differs; a number that is not named must not differ."""

    name: str
    way: Mapping[str, Any]
    more: Mapping[str, Any]
    numbers: Mapping[str, int]


def attacker(**fields: Any) -> dict[str, Any]:
    return {"attacker": fields}


def target(**fields: Any) -> dict[str, Any]:
    return {"target": fields}


def how(**fields: Any) -> dict[str, Any]:
    return {"attack": fields}


def weapon(**fields: Any) -> dict[str, Any]:
    return {"weapon": fields}


SITUATIONS = [
    # 4.2
    Row("prone and far", PISTOL, target(prone=True), {HIT: -2}),
    Row("prone and adjacent", {**PISTOL, "distance": 2}, target(prone=True), {HIT: 2}),
    Row("prone, melee", SWORD, target(prone=True), {HIT: 2}),
    Row("long range", PISTOL, {"distance": 11}, {HIT: -2}),
    Row("the last metre of long range", PISTOL, {"distance": 100}, {HIT: -2}),
    Row("the last metre of normal range", PISTOL, {"distance": 10}, {}),
    Row("long range of a throw", THROWN, {"distance": 20}, {HIT: -2}),
    Row("prone attacker in melee", SWORD, attacker(prone=True), {HIT: -4}),
    Row("prone attacker with a gun", PISTOL, attacker(prone=True), {}),
    Row("half cover", PISTOL, target(cover="half"), {HIT: -2}),
    Row("near total cover", PISTOL, target(cover="near-total"), {HIT: -4}),
    Row("throwing in melee", THROWN, attacker(engaged=True), {HIT: -4}),
    Row("pistol in melee", PISTOL, attacker(engaged=True), {HIT: -4}),
    Row("sword in melee", SWORD, attacker(engaged=True), {}),
    Row("unseen, place known", PISTOL, target(visibility="unseen-known"), {HIT: -4}),
    Row(
        "all of them add up", PISTOL, {"distance": 50, "target": {"prone": True, "cover": "half"}}, {HIT: -6}
    ),
    # 4.3: actions
    Row("snap", PISTOL, how(snap=True), {HIT: -4}),
    Row("charge", SWORD, how(charge=True), {HIT: 2}),
    Row("burst", RIFLE, how(burst=True), {HIT: 2, DAMAGE: 2}),
    Row("two weapons", SWORD, how(dual_wield=True, other_skill="stab"), {HIT: -1}),
    Row(
        "two weapons, both in range",
        SWORD,
        how(dual_wield=True, other_skill="stab", both_in_range=True),
        {HIT: -1, DAMAGE: 2},
    ),
    *(
        Row(f"swarm with {others} others", SWORD, how(swarm_others=others), {HIT: bonus})
        for others, bonus in ((1, 2), (2, 4), (3, 6), (4, 6))
    ),
    # 4.3: weapons
    Row("improvised", KNIFE, weapon(improvised=True), {HIT: -1, DAMAGE: -1}),
    Row("slug", {"weapon": {"use": "shotgun"}, "distance": 5}, weapon(slug=True), {HIT: -1}),
    Row("slug at 20 m", {"weapon": {"use": "shotgun", "slug": True}, "distance": 5}, {"distance": 20}, {}),
    Row(
        "slug at 60 m",
        {"weapon": {"use": "shotgun", "slug": True}, "distance": 5},
        {"distance": 60},
        {HIT: -2},
    ),
    Row("out of a moving vehicle", PISTOL, attacker(in_moving_vehicle=True), {HIT: -4}),
    Row("control board", PISTOL, attacker(control_board=True), {HIT: -2}),
    # 4.3: states
    Row("flashbanged", PISTOL, attacker(flashbanged=True), {HIT: -2}),
    Row("dazzled", PISTOL, attacker(dazzled=True), {HIT: -4}),
    Row("blinded in melee", SWORD, attacker(blinded=True), {HIT: -4}),
    # 4.3 and 6.6: mods
    Row("limbgun", PISTOL, weapon(mods=["limbgun"]), {HIT: 1}),
    Row("targeting processor", PISTOL, weapon(mods=["targeting-processor"]), {HIT: 1}),
    Row("customized", PISTOL, weapon(mods=["customized"]), {HIT: 1}),
    Row("autotargeting", {**PISTOL, "attacker": JACK}, weapon(mods=["autotargeting"]), {HIT: 1}),
    Row("autotargeting by Gunlink", {**PISTOL, "attacker": LINK}, weapon(mods=["autotargeting"]), {HIT: 1}),
    Row("autotargeting of the unwired", PISTOL, weapon(mods=["autotargeting"]), {}),
    Row(
        "predictive guidance",
        {**SWORD, "attacker": JACK},
        weapon(mods=["predictive-guidance"]),
        {HIT: 1, DAMAGE: 1, SHOCK: 1},
    ),
    Row("predictive guidance of the unwired", SWORD, weapon(mods=["predictive-guidance"]), {}),
    Row("integral toxins", SWORD, weapon(mods=["integral-toxins"]), {DAMAGE: 2, SHOCK: 2}),
    Row("integral toxins, thrown", THROWN, weapon(mods=["integral-toxins"]), {DAMAGE: 2}),
    Row(
        "integral toxins against the immune",
        {**SWORD, "target": {"poison_immune": True}},
        weapon(mods=["integral-toxins"]),
        {},
    ),
    Row("savage impact", SWORD, weapon(mods=["savage-impact"]), {DAMAGE: 1, SHOCK: 1}),
    Row("savage impact, thrown", THROWN, weapon(mods=["savage-impact"]), {}),
    Row(
        "thermal charge",
        SWORD,
        weapon(mods=["thermal-charge"], thermal_charge_active=True),
        {DAMAGE: 2, SHOCK: 2},
    ),
    Row("thermal charge, cold", SWORD, weapon(mods=["thermal-charge"], thermal_charge_active=False), {}),
    Row(
        "shock burst",
        {**SWORD, "weapon": {"use": "sword", "mods": ["shock-burst"]}},
        how(shock_burst=True),
        {SHOCK: 2},
    ),
    Row("stun rounds", PISTOL, weapon(mods=["stun-rounds"]), {DAMAGE: -2}),
    Row(
        "monoblade",
        {"weapon": {"use": "body-blades-1"}},
        weapon(mods=["monoblade"]),
        {DAMAGE: -2, SHOCK: -2, TRAUMA: 1},
    ),
    Row(
        "mods add at most three to hit",
        {**PISTOL, "attacker": JACK},
        weapon(mods=["customized", "autotargeting", "predictive-guidance", "targeting-processor"]),
        {HIT: 3, DAMAGE: 1},
    ),
    # 4.4
    Row("Gunlink at long range", {**PISTOL, "attacker": LINK}, {"distance": 80}, {}),
    Row("Gunlink and half cover", {**PISTOL, "attacker": LINK}, target(cover="half"), {}),
    Row("Gunlink and near total cover", {**PISTOL, "attacker": LINK}, target(cover="near-total"), {HIT: -2}),
    Row("Gunlink and unseen", {**PISTOL, "attacker": LINK}, target(visibility="unseen-known"), {HIT: -2}),
    Row(
        "Gunlink gives two points once",
        {**PISTOL, "attacker": LINK},
        target(visibility="unseen-known", cover="half"),
        {HIT: -4},
    ),
    Row("Gunlink and prone", {**PISTOL, "attacker": LINK}, target(prone=True), {HIT: -2}),
    Row("Gunlink in melee", {**PISTOL, "attacker": LINK}, attacker(engaged=True), {HIT: -4}),
    Row("Gunlink and a throw", {**THROWN, "attacker": LINK}, {"distance": 20}, {HIT: -2}),
    Row("Zoom at long range", {**PISTOL, "attacker": {"cyberware": ["eye-zoom"]}}, {"distance": 80}, {}),
    Row(
        "Zoom and cover", {**PISTOL, "attacker": {"cyberware": ["eye-zoom"]}}, target(cover="half"), {HIT: -2}
    ),
    # 4.6
    *(
        Row(
            f"{focus} {level} in melee with a {gun['weapon']['use']}",
            {**gun, "attacker": {"foci": {focus: level}}},
            attacker(engaged=True),
            {HIT: number},
        )
        for focus, level, gun, number in (
            ("close-combatant", 1, PISTOL, 0),
            ("close-combatant", 1, {"weapon": {"use": "submachine-gun"}, "distance": 5}, -4),
            ("close-combatant", 2, THROWN, -4),
            ("deadeye", 1, PISTOL, -4),
            ("deadeye", 1, RIFLE, -4),
            ("deadeye", 1, THROWN, -4),
            ("deadeye", 2, PISTOL, 0),
            ("deadeye", 2, RIFLE, 0),
            ("deadeye", 2, THROWN, 0),
        )
    ),
    # 4.7
    Row("Total Defense", SWORD, target(total_defense=True), {AC: 2}),
    Row("charged", SWORD, target(charged=True), {AC: -2}),
    Row("target flashbanged", SWORD, target(flashbanged=True), {AC: -2}),
    Row("target dazzled", SWORD, target(dazzled=True), {AC: -4}),
    Row("target blinded", SWORD, target(blinded=True), {AC: -4}),
    Row("stationary vehicle", PISTOL, target(vehicle_state="stationary"), {AC: -4}),
    Row("moving vehicle", PISTOL, target(vehicle_state="moving", driver_skill=3), {AC: 3}),
    Row("the worse of two bases does not add", SWORD, target(cyber_ac=16, armor=["war-harness"]), {AC: 6}),
    Row("riot shield against a blade", SWORD, target(armor=["riot-shield"]), {AC: 4}),
    Row("riot shield against a bullet", PISTOL, target(armor=["riot-shield"]), {AC: 2}),
    Row("nimble", SWORD, target(dexterity=18), {AC: 2}),
    # 5.3
    Row("hard to kill", SWORD, target(trauma_sources=["hard-to-kill"]), {TOUGH: 1}),
    Row("dermal armor 1", SWORD, target(trauma_sources=["dermal-armor-1"]), {TOUGH: 1}),
    Row("dermal armor 2", SWORD, target(trauma_sources=["dermal-armor-2"]), {TOUGH: 1}),
    Row("dermal armor 3", SWORD, target(trauma_sources=["dermal-armor-3"]), {TOUGH: 2}),
    Row(
        "dermal armor and a suit add",
        SWORD,
        target(trauma_sources=["dermal-armor-3"], armor=["light-armored-suit"]),
        {TOUGH: 4, AC: 3},
    ),
    Row("trauma shielding", SWORD, target(trauma_sources=["dermal-armor-1", "trauma-shielding"]), {TOUGH: 2}),
    Row("active response", SWORD, target(trauma_sources=["active-response"]), {TOUGH: 1}),
    Row("full body conversion", SWORD, target(trauma_sources=["full-body-conversion"]), {TOUGH: 6}),
    Row("skin of steel", SWORD, target(trauma_sources=["skin-of-steel-1"]), {TOUGH: 1}),
    Row("skin of steel, level 5", SWORD, target(trauma_sources=["skin-of-steel-5"]), {TOUGH: 2}),
]

ABILITIES = [
    # 10.1: level 5
    Row("Killing Blow", SWORD, attacker(killing_blow=True), {DAMAGE: 3, SHOCK: 3, TRAUMA: 1}),
    Row(
        "Killing Blow at level 4",
        {**SWORD, "attacker": {"level": 4}},
        attacker(killing_blow=True),
        {DAMAGE: 2, SHOCK: 2, TRAUMA: 1},
    ),
    Row("Killing Blow with a gun", PISTOL, attacker(killing_blow=True), {DAMAGE: 3, TRAUMA: 1}),
    # 10.2: Stab-1, Shoot-1
    Row("Armsmaster 1", SWORD, attacker(foci={"armsmaster": 1}), {DAMAGE: 1, SHOCK: 1}),
    Row("Armsmaster 2", SWORD, attacker(foci={"armsmaster": 2}), {HIT: 1, DAMAGE: 1, SHOCK: 1}),
    Row("Armsmaster throws", THROWN, attacker(foci={"armsmaster": 2}), {HIT: 1, DAMAGE: 1}),
    Row("Armsmaster with a gun", PISTOL, attacker(foci={"armsmaster": 2}), {}),
    Row("Deadeye", PISTOL, attacker(foci={"deadeye": 1}), {DAMAGE: 1}),
    Row("Deadeye 2", PISTOL, attacker(foci={"deadeye": 2}), {DAMAGE: 1}),
    Row("Deadeye with a sword", SWORD, attacker(foci={"deadeye": 2}), {}),
    Row(
        "Armsmaster and Deadeye do not stack",
        THROWN,
        attacker(foci={"armsmaster": 1, "deadeye": 1}),
        {DAMAGE: 1},
    ),
    Row("Shocking Assault 1", SWORD, attacker(foci={"shocking-assault": 1}), {}),
    Row("Shocking Assault 2", SWORD, attacker(foci={"shocking-assault": 2}), {SHOCK: 2}),
    Row(
        "Drone Pilot 2",
        PISTOL,
        {"attacker": {"foci": {"drone-pilot": 2}}, "attack": {"drone": True}},
        {HIT: 2},
    ),
    Row("Drone Pilot 2 in person", PISTOL, attacker(foci={"drone-pilot": 2}), {}),
    Row("led by Authority", PISTOL, how(led=2), {HIT: 2}),
    # 10.3
    Row("Reaction Booster steadies a snap", PISTOL, how(snap=True, steadied=True), {}),
    # 10.4
    Row("Boneshaker", SWORD, attacker(drugs=["boneshaker"]), {HIT: 2, DAMAGE: 2, SHOCK: 2}),
    Row("Olympus", SWORD, attacker(drugs=["olympus"]), {HIT: 2}),
    Row(
        "only the higher of two drugs",
        SWORD,
        attacker(drugs=["olympus", "boneshaker"]),
        {HIT: 2, DAMAGE: 2, SHOCK: 2},
    ),
    Row("a victim on Boneshaker", SWORD, target(drugs=["boneshaker"]), {TRAUMA: 2}),
    Row("Psycho does nothing to attacks", SWORD, attacker(drugs=["psycho"]), {}),
    # 1.1, 1.2, 4.1
    Row("strong", SWORD, attacker(strength=18), {HIT: 2, DAMAGE: 2, SHOCK: 2}),
    Row(
        "the better of two attributes",
        SWORD,
        attacker(strength=3, dexterity=14),
        {HIT: 1, DAMAGE: 1, SHOCK: 1},
    ),
    Row("Strength is of no use with a gun", PISTOL, attacker(strength=18), {}),
    Row("Stab-4", SWORD, attacker(skills={"stab": 4}), {HIT: 3}),
    Row("untrained", SWORD, attacker(skills={}), {HIT: -3}),
    Row("throws with the best of three skills", THROWN, attacker(skills={"exert": 3}), {HIT: 2}),
    Row("Punch adds to damage of fists", FISTS, attacker(skills={"punch": 3}), {HIT: 2, DAMAGE: 2}),
    Row(
        "Punch strikes with blades of the body, and adds nothing",
        {"weapon": {"use": "body-blades-1"}},
        attacker(skills={"punch": 3}),
        {HIT: 2},
    ),
]


def joined(*parts: Mapping[str, Any]) -> dict[str, Any]:
    """The records of all parts, those of later ones over those of earlier."""
    found: dict[str, Any] = {}
    for part in parts:
        for name, value in part.items():
            found[name] = {**found.get(name, {}), **value} if isinstance(value, Mapping) else value
    return found


def numbers(situation: dict[str, Any]) -> dict[str, int]:
    prepared = prepare(situation)
    assert not prepared.refusals
    return {tally.to: tally.total for tally in prepared.tallies}


@pytest.mark.parametrize("row", [pytest.param(row, id=row.name) for row in (*SITUATIONS, *ABILITIES)])
def test_a_row_changes_what_the_rulebook_says(row: Row) -> None:
    without = numbers(joined(ORDINARY, row.way))
    found = numbers(joined(ORDINARY, row.way, row.more))
    changed = {
        name: found[name] - without[name]
        for name in (HIT, DAMAGE, SHOCK, AC, TRAUMA, TOUGH)
        if name in found and name in without and found[name] != without[name]
    }
    assert changed == {name: number for name, number in row.numbers.items() if number}


REFUSED = [
    ("two_handed_gun_in_melee", RIFLE, attacker(engaged=True)),
    ("unseen_unknown", PISTOL, target(visibility="unseen-unknown")),
    ("beyond_long_range", PISTOL, {"distance": 101}),
    ("no_line_of_fire", PISTOL, target(cover="total")),
    ("weapon_not_ready", PISTOL, weapon(ready=False)),
    ("empty_magazine", PISTOL, weapon(rounds=0)),
    ("not_enough_ammo_for_burst", RIFLE, joined(how(burst=True), weapon(rounds=2))),
    ("weapon_cannot_burst", PISTOL, how(burst=True)),
    (
        "dual_wield_untrained",
        SWORD,
        joined(how(dual_wield=True, other_skill="shoot"), attacker(skills={"stab": 1})),
    ),
    ("snap_main_spent", PISTOL, joined(how(snap=True), attacker(main_spent=True))),
    ("snap_unnamed", PISTOL, joined(how(snap=True), attacker(named=False))),
    ("charge_too_short", SWORD, how(charge=True, charge_distance=2)),
    ("charge_too_far", SWORD, joined(how(charge=True, charge_distance=21), attacker(move=10))),
    ("charge_with_ranged_weapon", PISTOL, how(charge=True)),
    ("blinded_ranged", PISTOL, attacker(blinded=True)),
    ("blinded_ranged", THROWN, attacker(blinded=True)),
]
"""What 4.2 and 4.3 refuse: nothing is rolled and nothing is spent (R8)."""


@pytest.mark.parametrize(("code", "way", "more"), REFUSED)
def test_what_is_refused_is_refused_before_any_cost(
    code: str, way: dict[str, Any], more: dict[str, Any]
) -> None:
    assert not prepare(joined(ORDINARY, way)).refusals
    prepared = prepare(joined(ORDINARY, way, more))
    assert [refusal.code for refusal in prepared.refusals] == [code]
    assert prepared.stage is None


def test_every_modifier_of_those_sections_has_a_row() -> None:
    """Each modifier of an attack in the packs moves a number in one of the rows, or is named here with its reason."""
    elsewhere = {
        "rocket-vs-human": "test_cwn_pack",
        "hand-of-doom": "the optional magic, of a Graced",
        "swarm-damage": "a number of its own, in the second opinion",
    }
    moving = {HIT, DAMAGE, SHOCK, AC, TRAUMA, TOUGH}
    wanted = {
        entry.slug
        for entry in shelf().entries("modifier")
        if moving & set(entry.data["applies_to"])
        and entry.data.get("value") != 0
        and not entry.meta["source"]["section"].startswith("13")  # machines have tests of their own
    }
    used: set[str] = set()
    for row in (*SITUATIONS, *ABILITIES):
        for tally in prepare(joined(ORDINARY, row.way, row.more)).tallies:
            used |= {one.id for one in tally.entries if one.verdict in ("applied", "capped") and one.value}
    assert wanted - used - elsewhere.keys() == set()

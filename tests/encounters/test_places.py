"""What follows from positions: the same numbers as from typed distances, in every ruleset; movement, reach, cover,
zones and areas; and that what a command or a sheet says counts before it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import atan2, ceil, comb, cos, hypot, radians, sin
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from table_play import Table

from fracas.encounters.audit import verify
from fracas.encounters.log import log_json
from fracas.encounters.offers import odds, offers
from fracas.encounters.schemas import load_command
from fracas.encounters.spots import best_spots
from fracas.encounters.surroundings import surroundings
from fracas.encounters.transcript import passages
from fracas.errors import InputError
from fracas.space import Point, bearing, distance

YARD = 0.9144
DIE = range(1, 7)


class Cast(NamedTuple):
    """Who fights, and how.

    Attributes:
        shoots: the action and the weapon of a plain shot, and what else it takes.
        bands: typed distances in the unit of the ruleset, from point-blank to out of range.
        throws: the action and the item of a grenade.
        first: initiative with which `me` acts first.
    """

    me: str
    foe: str
    shoots: tuple[str, str, Mapping[str, Any]]
    bands: tuple[float, ...]
    throws: tuple[str, str]
    first: Mapping[str, Mapping[str, Any]]
    metres: float = 1.0


CASTS = {
    "sr4": Cast(
        "rook",
        "guard",
        ("fire-semi-automatic", "ares-predator-iv", {}),
        (0, 1, 5, 5.01, 19.5, 20, 33, 40, 60, 60.5),
        ("throw-grenade", "fragmentation-grenade"),
        {"me": {"hits": 9}, "foe": {"hits": 0}, "other": {"hits": 0}},
    ),
    "sr5": Cast(
        "kestrel",
        "gate-guard",
        ("fire-semi-automatic", "ares-alpha", {}),
        (0, 2, 25, 25.5, 150, 350, 350.25, 550, 551),
        ("throw-grenade", "grenade-fragmentation"),
        {"me": {"score": 30}, "foe": {"score": 9}, "other": {"score": 8}},
    ),
    "imperium": Cast(
        "raw-juve",
        "raw-juve",
        ("fire-weapon", "", {"fire": {"mode": "single", "shots": 1}}),
        (0, 3, 10, 20, 30, 45, 90),
        ("throw-grenade", "frag-grenade"),
        {"me": {"initiative": 99}, "foe": {"initiative": 9}, "other": {"initiative": 8}},
        YARD,
    ),
    "cwn": Cast(
        "wren",
        "gang-member",
        ("ranged-attack", "heavy-pistol", {}),
        (0, 1, 2, 2.01, 10, 30, 31, 100, 300, 2000),
        ("throw-grenade", "grenade-frag"),
        {"me": {"own": 9, "side": 8}, "foe": {"own": 1, "side": 1}, "other": {"own": 1, "side": 1}},
    ),
}


def begun(folder: Path, ruleset: str, **positions: tuple[float, ...]) -> Table:
    """A fight in which `me` acts first, against `foe` and `other`; those are placed who are named."""
    cast, table = CASTS[ruleset], Table(folder, ruleset)
    for id, entry in (("me", cast.me), ("foe", cast.foe), ("other", cast.foe)):
        side = "us" if id == "me" else "them"
        table.join(entry, id=id, name=id.capitalize(), asks=False, side=side)
    if positions:
        placed = {id: dict(zip(("x", "y", "elevation"), at, strict=False)) for id, at in positions.items()}
        table.do("place", positions=placed)
    table.begin(**cast.first)
    while table.acting != ["me"]:
        table.do("next")
    weapon = cast.throws[1]
    table.do("set", combatant="me", items={weapon: {"ready": True, "rounds": 5}})
    return table


@pytest.fixture(params=sorted(CASTS))
def ruleset(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def fight(tmp_path: Path) -> Iterator[Callable[..., Table]]:
    tables: list[Table] = []

    def make(ruleset: str = "sr4", **positions: tuple[float, ...]) -> Table:
        folder = tmp_path / str(len(tables))
        folder.mkdir()
        tables.append(begun(folder, ruleset, **positions))
        return tables[-1]

    yield make
    for table in tables:
        table.close()


def odds_of(table: Table, **said: Any) -> dict[str, Any]:
    found = odds(
        table.encounters.context(table.fight, table.gm),
        load_command({"command": "act", "combatant": "me", **said}),
    )
    return {
        name: found.get(name)
        for name in ("status", "measures", "tallies", "modifiers", "branches", "refusals")
    }


def shot(ruleset: str, **more: Any) -> dict[str, Any]:
    action, item, situation = CASTS[ruleset].shoots
    return {"action": action, "item": item or None, "target": "foe", "situation": {**situation, **more}}


# Ranges


def test_positions_give_the_odds_of_typed_distances(fight: Callable[..., Table], ruleset: str) -> None:
    cast = CASTS[ruleset]
    typed, placed = fight(ruleset), fight(ruleset, me=(3, 4, 1), foe=(3, 4, 1))
    seen = []
    for number, far in enumerate(cast.bands):
        metres, angle = far * cast.metres, radians(37 * number)
        at = {"x": 3 + metres * cos(angle), "y": 4 + metres * sin(angle)}
        placed.do("place", positions={"foe": at})
        near = (
            {"attacker": {"engaged": far <= 2}} if ruleset == "cwn" else {}
        )  # which typed distances leave open
        expected = odds_of(typed, **shot(ruleset, distance=far, **near))
        assert odds_of(placed, **shot(ruleset)) == expected, far
        seen.append(expected)
    assert len({str(one) for one in seen}) > 2  # it does make a difference


def test_elevation_counts_for_the_distance(fight: Callable[..., Table]) -> None:
    table = fight("sr4", me=(0, 0, 0), foe=(12, 0, 16))
    table.act("me", **shot("sr4"))
    step = table.fight.history.version
    data = table.encounters.events(table.id)[-1].data
    assert data["step"]["open"]["places"]["from_positions"]["distance"] == 20
    assert step


# What is said counts before


def test_a_distance_that_is_said_counts_and_is_marked(fight: Callable[..., Table], ruleset: str) -> None:
    cast = CASTS[ruleset]
    table, typed = fight(ruleset, me=(0, 0), foe=(8 * cast.metres, 0)), fight(ruleset)
    near = {"attacker": {"engaged": False}} if ruleset == "cwn" else {}
    said = shot(ruleset, distance=3, **near)
    assert odds_of(table, **said) == odds_of(typed, **said)
    event = table.do("act", combatant="me", **said)
    places = event.data["step"]["open"]["places"]
    assert places["by_hand"]["distance"] == pytest.approx(8)
    assert "distance" not in places.get("from_positions", {})
    text = "\n".join(
        line
        for passage in passages(
            table.encounters.game(table.fight),
            table.encounters.rules(table.fight),
            table.fight,
            table.encounters.events(table.id),
            table.gm,
        )
        for line in passage.lines()
    )
    assert "another is entered by hand" in text


def test_a_player_may_say_a_distance(fight: Callable[..., Table]) -> None:
    table = fight("sr4", me=(0, 0), foe=(8, 0))
    table.do("act", table.player("me"), combatant="me", **shot("sr4", distance=3))


def test_a_condition_counts_before_walls(fight: Callable[..., Table]) -> None:
    table = fight("sr4", me=(0, 0), foe=(10, 0))
    table.do("map", areas={"wall": WALL})
    step = table.do("act", combatant="me", **shot("sr4")).data["step"]["open"]
    assert step["places"]["from_positions"]["target.cover"] == "good"
    table.do("undo")
    table.do("set", combatant="foe", fields={"cover": "partial"})
    step = table.do("act", combatant="me", **shot("sr4")).data["step"]["open"]
    assert "target.cover" not in step["places"]["from_positions"]


# Blasts


def blast(ruleset: str, **more: Any) -> dict[str, Any]:
    action, item = CASTS[ruleset].throws
    return {"action": action, "item": item, **more}


SPOT = Point(9, 4)


@pytest.mark.parametrize("ruleset", ["sr4", "sr5", "cwn"])
@pytest.mark.parametrize("at", [((10, 4), (9, 7)), ((9, 4), (12, 8)), ((7, 1), (16, 9))])
def test_a_blast_at_a_spot_has_the_odds_of_typed_distances_and_bearings(
    fight: Callable[..., Table], ruleset: str, at: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    """The whole distribution of the scatter is the same: what lies between is the geometry alone."""
    typed, placed = fight(ruleset), fight(ruleset, me=(0, 0), foe=at[0], other=at[1])
    expected, found = blasts_of(ruleset, typed, placed, at)
    assert found["status"] == "resolved"
    assert values(found) == pytest.approx(values(expected), abs=1e-9)


@pytest.mark.parametrize("ruleset", ["sr4", "sr5", "cwn"])
def test_every_grenade_of_the_packs_has_them(fight: Callable[..., Table], ruleset: str) -> None:
    """Gas, light, smoke and what else there is: the same status, refusals and measures with positions."""
    at = ((10, 4), (9, 7))
    typed, placed = fight(ruleset), fight(ruleset, me=(0, 0), foe=at[0], other=at[1])
    weapons = typed.encounters.game(typed.fight).packs.entries("weapon")
    grenades = [
        one.slug for one in weapons if one.slug.startswith("grenade-") or one.slug.endswith("-grenade")
    ]
    resolved = set()
    for slug in grenades:
        if "launcher" in slug:
            continue
        for table in (typed, placed):
            table.do("set", combatant="me", items={slug: {"ready": True, "rounds": 5}})
        expected, found = blasts_of(ruleset, typed, placed, at, item=slug)
        assert (found["status"], found["refusals"]) == (expected["status"], expected["refusals"]), slug
        assert values(found) == pytest.approx(values(expected), abs=1e-9), slug
        if found["status"] == "resolved":
            resolved.add(slug)
    assert len(resolved) >= 2, grenades


def values(found: dict[str, Any]) -> list[float]:
    return [one["value"] for one in found["measures"] or ()]


def blasts_of(
    ruleset: str, typed: Table, placed: Table, at: tuple[tuple[int, int], tuple[int, int]], **more: Any
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The odds of a grenade, once with typed distances and bearings, once at `SPOT` of the map."""
    name = "spot_distance" if ruleset == "sr5" else "distance"
    people = {id: Point(*where) for id, where in zip(("foe", "other"), at, strict=True)}
    nearest = sorted(people, key=lambda id: distance(SPOT, people[id]))
    records = ["target_2", "target_3"] if ruleset == "sr5" else ["victim_1", "victim_2"]
    around = {
        record: {name: distance(SPOT, people[id]), "bearing": bearing(Point(0, 0), SPOT, people[id])}
        for record, id in zip(records, nearest, strict=True)
    }
    situation = {"distance": distance(Point(0, 0), SPOT), **around}
    expected = odds_of(typed, **{**blast(ruleset, others=nearest, situation=situation), **more})
    found = odds_of(placed, **{**blast(ruleset, others=nearest, spot={"x": SPOT.x, "y": SPOT.y}), **more})
    return expected, found


def hits_of(pool: int, limit: int | None = None) -> dict[int, Fraction]:
    """The chances of so many hits, by the binomial formula."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for hits in range(pool + 1):
        kept = hits if limit is None else min(hits, limit)
        found[kept] += comb(pool, hits) * Fraction(1, 3) ** hits * Fraction(2, 3) ** (pool - hits)
    return found


@pytest.mark.parametrize(("foe", "spot"), [((12, 1), (13, 0)), ((9, -8), (10, 2)), ((-3, 0), (3, 3))])
def test_the_odds_of_a_blast_are_those_of_every_place_where_it_may_land(
    fight: Callable[..., Table], foe: tuple[int, int], spot: tuple[int, int]
) -> None:
    """A second calculation: every number of hits, every face of both dice, and the distance on the map from there."""
    table = fight("sr5", me=(0, 0), foe=foe)
    table.do("set", combatant="foe", fields={"body": 20})  # whose monitor holds all of it
    wanted = {"combatant": "me", **blast("sr5", spot={"x": spot[0], "y": spot[1]}, others=["foe"])}
    found = odds(context(table), load_command({"command": "act", **wanted}))
    totals = {one["to"]: one["total"] for one in found["modifiers"]}
    soak = next(total for to, total in totals.items() if to.endswith("soak.pool"))
    value, loss = 18, 1
    throws = hits_of(totals["attack.pool"], totals["limit.accuracy"])
    hurt = damage = on_it = Fraction()
    for hits, chance in throws.items():
        ways = [(0, 0)] if hits >= 3 else [(max(0, die - hits), face) for die in DIE for face in DIE]
        for metres, face in ways:
            on_it += chance / len(ways) * (metres == 0)
            aimed = atan2(spot[1], spot[0]) + radians(60 * (face % 6))
            there = spot[0] + metres * cos(aimed), spot[1] + metres * sin(aimed)
            left = value - loss * ceil(round(hypot(foe[0] - there[0], foe[1] - there[1]), 6))
            for resisted, likely in hits_of(soak).items():
                boxes = max(0, left - resisted)
                hurt += chance / len(ways) * likely * (boxes > 0)
                damage += chance / len(ways) * likely * boxes
    (row,) = (one for one in found["people"] if one["who"] == "foe")
    assert row["measures"]["hurt"] == pytest.approx(float(hurt), rel=1e-12)
    assert row["measures"]["damage"] == pytest.approx(float(damage), rel=1e-12)
    whole = {one["id"]: one["value"] for one in found["measures"]}
    assert whole["hurt"] == pytest.approx(float(hurt), rel=1e-12)  # the expected number of people hit, of one
    assert whole["on_the_spot"] == pytest.approx(float(on_it), rel=1e-12)


def test_imperium_grenades_reach_those_around_the_target(fight: Callable[..., Table]) -> None:
    typed = fight("imperium")
    placed = fight("imperium", me=(0, 0), foe=(9 * YARD, 0), other=(9 * YARD, 2.5 * YARD))
    wish = blast("imperium", target="foe", others=["other"])
    fire = {"fire": {"mode": "single", "shots": 1}}
    said = {"distance": 9, "other_1": {"from_target": 2.5, "distance": hypot(9, 2.5)}, **fire}
    assert odds_of(placed, **wish, situation=fire) == odds_of(typed, **wish, situation=said)


@pytest.mark.parametrize("ruleset", ["sr4", "sr5", "cwn"])
def test_who_is_near_the_spot_is_struck_without_being_named(
    fight: Callable[..., Table], ruleset: str
) -> None:
    table = fight(ruleset, me=(0, 0), foe=(9, 5), other=(400, 0))
    event = table.do("act", combatant="me", **blast(ruleset, spot={"x": 9, "y": 4}))
    who = event.data["step"]["open"]["who"]
    assert "foe" in who.values()
    assert "other" not in who.values()
    table.do("close")
    report = verify(log_json(table.encounters, table.id, table.gm))
    assert report.ok, str(report.first_difference)


@pytest.mark.parametrize(
    ("far", "size", "center", "struck"),
    [
        (6, 1, 6, False),
        (6, 0.5, 6, False),
        (6, 3, 5, True),
        (5, 1, 5, True),
        (8, 7, 5, True),
        (8, 6, 5.5, False),
    ],
)
def test_an_area_spell_reaches_the_edge_of_a_broad_body(
    tmp_path: Path, far: float, size: float, center: float, struck: bool
) -> None:
    """`center_distance` is from the center of the area to the middle of an ordinary body; of what a body is broader,
    half is nearer."""
    table = Table(tmp_path, "sr4")
    for id, entry, side in (("me", "vesper", "us"), ("foe", "guard", "them")):
        table.join(entry, id=id, side=side, asks=False)
    table.do("place", positions={"me": {"x": 0, "y": 0}, "foe": {"x": 20 + far, "y": 0, "size": size}})
    table.begin(me={"hits": 9}, foe={"hits": 0})
    cast = {"action": "cast-spell", "situation": {"spell": "fireball", "force": 5}}
    step = table.do("act", combatant="me", **cast, spot={"x": 20, "y": 0}, others=["foe"], ask=False)
    places = step.data["step"]["open"]["places"]["from_positions"]
    ((path, found),) = ((path, value) for path, value in places.items() if path.endswith("center_distance"))
    assert found == pytest.approx(center)
    near = surroundings(table.encounters.context(table.fight, table.gm), "me", spot=Point(20, 0))["others"][0]
    assert near["metres"] == pytest.approx(20 + far - max(0, size - 1) / 2)  # between bodies: to the edge
    table.do("undo")
    said = {**cast["situation"], path.partition(".")[0]: {"center_distance": center}}
    typed = odds_of(table, action="cast-spell", situation=said, others=["foe"])
    placed = odds_of(table, **cast, spot={"x": 20, "y": 0}, others=["foe"])
    assert [one["value"] for one in placed["measures"]] == [one["value"] for one in typed["measures"]]
    assert (next(one["value"] for one in placed["measures"] if one["id"] == "damage") > 0) == struck
    table.close()


def test_an_area_spell_of_shadowrun_5_strikes_those_within_its_force(fight: Callable[..., Table]) -> None:
    """The same odds as with people who are named; who stands farther away is not struck."""
    tables = fight("sr5"), fight("sr5", me=(0, 0), foe=(20, 3), other=(20, -4))
    for table in tables:
        table.do(
            "set", combatant="me", fields={"awakened": "magician", "magic": 5, "skills": {"spellcasting": 5}}
        )
        table.join("gate-guard", id="far", side="them", asks=False)
    tables[1].do("place", positions={"far": {"x": 20, "y": 6}})
    spell = {
        "action": "cast-combat-spell",
        "situation": {"spell": "powerball", "force": 5, "caster": {"drain_pool": 8}},
    }
    expected = odds_of(tables[0], **spell, target="foe", others=["other"])
    found = odds_of(tables[1], **spell, spot={"x": 20, "y": 0})
    assert found["status"] == "resolved"
    assert values(found) == values(expected)
    event = tables[1].do("act", combatant="me", **spell, spot={"x": 20, "y": 0})
    assert sorted(event.data["step"]["open"]["who"].values()) == ["foe", "me", "other"]


def test_the_thrower_is_struck_by_a_grenade_that_lands_too_near(fight: Callable[..., Table]) -> None:
    table = fight("sr4", me=(0, 0), foe=(2, 1))
    event = table.do("act", combatant="me", **blast("sr4", spot={"x": 2, "y": 0}))
    assert set(event.data["step"]["open"]["who"].values()) == {"me", "foe"}


def test_what_is_thrown_with_a_fuse_goes_off_where_it_landed(fight: Callable[..., Table]) -> None:
    table = fight("sr4", me=(0, 0), foe=(9, 5))
    event = table.act("me", "throw-fused-grenade", item="fragmentation-grenade", spot={"x": 9, "y": 4})
    assert list(event.data["step"]["open"]["who"]) == ["attacker"]
    (timer,) = table.state.timers.values()
    outcome = event.data["step"]["outcome"]
    there = Point(timer.spot["x"], timer.spot["y"]) if timer.spot else None
    assert there is not None
    assert distance(there, SPOT) == pytest.approx(outcome["blast.scatter"], abs=0.02)
    shown = next(one for one in table.view()["timers"] if one["id"] == timer.id)
    assert (shown["spot"]["x"], shown["spot"]["y"]) == there[:2]
    while table.state.due != timer.id:
        table.do("next" if table.state.phase != "turn-over" else "begin-turn")
    step = table.act("me", "grenade-goes-off", timer=timer.id).data["step"]
    measured = step["open"]["places"]["from_positions"]["victim_1.blast_distance"]
    assert measured == pytest.approx(distance(there, Point(9, 5)), abs=0.01)


@pytest.mark.parametrize(
    ("action", "fields", "typed"),
    [
        ("whirlwind-assault", {"foci": {"whirlwind-assault": 1}}, {}),
        ("retribution-shield", {"augmentations": ["retribution-shield"]}, {"other": 4.0}),
    ],
)
def test_what_goes_out_from_its_actor_strikes_all_foes_around(
    fight: Callable[..., Table], action: str, fields: dict[str, Any], typed: dict[str, float]
) -> None:
    """Nobody is named, nor friends struck; the same odds as with people and distances that are typed."""
    tables = fight("cwn"), fight("cwn", me=(0, 0), foe=(2, 0), other=(0, 2 if not typed else 4))
    for table in tables:
        table.join("gang-member", id="friend", side="us", asks=False)
        table.join("gang-member", id="far", side="them", asks=False)
        table.do("set", combatant="me", fields=fields, items={"sword": {"ready": True}})
    tables[1].do("place", positions={"friend": {"x": 1, "y": 1}, "far": {"x": 40, "y": 0}})
    item = {"item": "sword"} if action == "whirlwind-assault" else {}
    from_me = {f"victim_{at}": {"blast_distance": far} for at, far in enumerate(typed.values(), 1)}
    near = {"target": {"blast_distance": 2.0}} if typed else {}
    expected = odds_of(
        tables[0], action=action, **item, target="foe", others=["other"], situation={**near, **from_me}
    )
    found = odds_of(tables[1], action=action, **item)
    assert found["status"] == "resolved"
    assert values(found) == values(expected)
    event = tables[1].do("act", combatant="me", action=action, **item)
    assert sorted(event.data["step"]["open"]["who"].values()) == ["foe", "me", "other"]


@pytest.mark.parametrize(
    ("towards", "struck"),
    [({"target": "foe"}, ["foe", "other"]), ({"spot": {"x": 0, "y": 5}}, ["friend"])],
)
def test_a_scream_goes_in_a_line_from_its_actor(
    fight: Callable[..., Table], towards: dict[str, Any], struck: list[str]
) -> None:
    """As long as it says, friend or foe, if it touches their body."""
    table = fight("cwn", me=(0, 0), foe=(6, 0.4), other=(9, 0.3))
    table.join("gang-member", id="friend", side="us", asks=False)
    table.join("gang-member", id="beside", side="them", asks=False)
    table.join("gang-member", id="far", side="them", asks=False)
    table.do("set", combatant="me", fields={"augmentations": ["banshee-module"]})
    table.do(
        "place",
        positions={"friend": {"x": 0, "y": 3}, "beside": {"x": 5, "y": 2}, "far": {"x": 12, "y": 0.8}},
    )
    step = table.do("act", combatant="me", action="banshee-scream", **towards).data["step"]["open"]
    assert sorted(step["who"].values()) == sorted([*struck, "me"])
    measured = step["places"]["from_positions"]
    nearest = min(hypot(table.one(id).position.x, table.one(id).position.y) for id in struck)
    assert min(value for path, value in measured.items() if path.endswith("blast_distance")) == pytest.approx(
        nearest, abs=0.01
    )


def test_eyes_dazzle_one_victim_near_by(fight: Callable[..., Table]) -> None:
    table = fight("cwn", me=(0, 0), foe=(4, 0), other=(6, 0))
    table.do("set", combatant="me", fields={"augmentations": ["eye-dazzler"]})
    refused = table.refused("act", combatant="me", action="dazzle", target="other")
    assert refused == [("out-of-reach", "Other is 6 m away, and Me reaches 5 m")]
    table.do("place", positions={"other": {"x": 3, "y": 1}})
    step = table.act("me", "dazzle", "foe").data["step"]["open"]
    assert step["who"] == {"attacker": "me", "target": "foe"}


def test_a_shot_is_not_done_to_a_place(fight: Callable[..., Table]) -> None:
    table = fight("sr4", me=(0, 0), foe=(9, 5))
    with pytest.raises(InputError, match="not done to a place"):
        table.act("me", "take-aim", spot={"x": 1, "y": 1})


def test_suppressive_fire_has_those_in_its_zone_and_leaves_it_on_the_map(fight: Callable[..., Table]) -> None:
    table = fight("sr5", me=(0, 0), foe=(18, 3), other=(10, -6))
    event = table.act(
        "me",
        "suppressive-fire",
        item="ares-alpha",
        spot={"x": 20, "y": 0},
        situation={"fire": {"mode": "suppressive"}},
    )
    assert event.data["step"]["open"]["who"] == {"attacker": "me", "target": "foe"}
    (zone,) = table.view()["areas"].values()
    assert zone["label"] == "Zone under fire of Me"
    assert [(one["x"], one["y"]) for one in zone["points"]] == [(0, 0), (20, 5), (20, -5)]
    table.do("next")
    while table.acting != ["other"]:
        table.do("next")
    table.do("move", moves={"other": {"x": 10, "y": -1}}, force=True)
    assert "through Zone under fire of Me" in table.fight.changes[0]["label"]


# Movement


def ways(table: Table, id: str = "me") -> dict[str, float]:
    found = surroundings(table.encounters.context(table.fight, table.gm), id)["movement"]
    return {"left": found["left"], **{way["action"]: way["metres"] for way in found["ways"]}}


def test_passes_share_the_rates_of_shadowrun_4(fight: Callable[..., Table]) -> None:
    table = fight("sr4", me=(0, 0))
    passes = max(one.sheet.get("passes", 1) for one in table.state.combatants.values())
    assert ways(table) == {
        "left": 0,
        "walk": pytest.approx(10 / passes, abs=0.01),
        "run": pytest.approx(25 / passes, abs=0.01),
    }
    table.act("me", "walk", to={"x": 3, "y": 0})
    assert ways(table)["left"] == pytest.approx(10 / passes - 3, abs=0.01)
    ((code, text),) = table.refused("move", moves={"me": {"x": 30, "y": 0}})
    assert code == "too-far"
    assert "and this takes 27 m" in text
    assert f"{25 / passes - 3:g} m with Run" in text
    table.act("me", "run", to={"x": 3, "y": 4})
    assert ways(table)["left"] == pytest.approx(25 / passes - 7, abs=0.01)
    table.do("undo")
    assert table.one("me").position == (3, 0, 0, 1, None)


def test_difficult_ground_takes_more_of_a_walk(fight: Callable[..., Table]) -> None:
    table = fight("sr5", me=(0, 0))
    table.do("map", areas={"mud": {"label": "Mud", "points": [{"x": 2, "y": 0}], "radius": 50, "factor": 2}})
    assert ways(table)["left"] == 5
    assert table.refused("move", moves={"me": {"x": 3, "y": 0}})[0][0] == "too-far"
    table.do("move", moves={"me": {"x": 2, "y": 0}})
    assert ways(table)["left"] == 1
    table.do("move", moves={"me": {"x": 2, "y": 0.25, "factor": 2}})
    assert ways(table)["left"] == 0


def test_a_move_of_cwn_is_an_action(fight: Callable[..., Table]) -> None:
    table = fight("cwn", me=(0, 0), foe=(40, 0))
    rate = table.one("me").sheet["move"]
    assert ways(table)["left"] == 0
    assert ways(table)["run"] == rate
    assert table.refused("move", moves={"me": {"x": 1, "y": 0}})[0][0] == "too-far"
    table.act("me", "run", to={"x": 4, "y": 0})
    assert ways(table)["left"] == rate - 4
    table.do("move", moves={"me": {"x": rate, "y": 0}})
    assert ways(table)["left"] == 0


def test_a_charge_goes_to_its_target(fight: Callable[..., Table]) -> None:
    table = fight("cwn", me=(0, 0), foe=(14, 0))
    table.do("set", combatant="me", items={"knife": {"ready": True}})
    event = table.act("me", "charge", "foe", item="knife")
    assert table.one("me").position == (12, 0, 0, 1, None)
    assert event.data["moves"]["me"]["metres"] == 12
    assert event.data["step"]["open"]["places"]["from_positions"]["attack.charge_distance"] == 12
    table.do("undo")
    table.do("place", positions={"foe": {"x": 60, "y": 0}})
    assert "too-far" in [
        code for code, _ in table.refused("act", combatant="me", action="charge", target="foe", item="knife")
    ]


def test_yards_of_imperium(fight: Callable[..., Table]) -> None:
    table = fight("imperium", me=(0, 0))
    assert ways(table)["walk"] == pytest.approx(4 * YARD, abs=0.01)
    assert ways(table)["run"] == pytest.approx(6 * YARD, abs=0.01)
    table.act("me", "walk", to={"x": 3, "y": 0})
    assert ways(table)["left"] == pytest.approx(4 * YARD - 3, abs=0.01)


def test_nobody_moves_in_another_slot_unless_the_gm_forces_it(fight: Callable[..., Table]) -> None:
    table = fight("sr5", me=(0, 0), foe=(9, 0))
    assert table.refused("move", moves={"foe": {"x": 8, "y": 0}})[0][0] == "not-your-turn"
    event = table.do("move", moves={"foe": {"x": 8, "y": 0}}, force=True)
    assert event.data["forced"]


# Reach, cover, zones


WALL = {"label": "Gate wall", "points": [{"x": 9, "y": -5}, {"x": 9, "y": 5}], "height": 1.2}


def test_a_blow_does_not_reach_who_is_too_far_away(fight: Callable[..., Table]) -> None:
    table = fight("sr4", me=(0, 0), foe=(9, 0))
    table.do("set", combatant="me", items={"katana": {"ready": True}})
    blow = {"combatant": "me", "action": "melee-attack", "target": "foe", "item": "katana"}
    ((code, text),) = table.refused("act", **blow)
    assert (code, text) == ("out-of-reach", "Foe is 9 m away, and Rook reaches 4 m".replace("Rook", "Me"))
    table.do("place", positions={"foe": {"x": 4, "y": 0}})
    assert (
        odds_of(table, **{name: value for name, value in blow.items() if name != "combatant"})["status"]
        == "resolved"
    )


def test_what_is_done_to_a_held_target_reaches_no_further_than_bare_hands(
    fight: Callable[..., Table],
) -> None:
    table = fight("sr4", me=(0, 0), foe=(4, 0))
    table.do("set", combatant="me", items={"pole-arm": {"ready": True}}, add=["holding"])
    hurt = {"combatant": "me", "action": "hold-hurt", "target": "foe"}
    assert table.refused("act", **hurt) == [("out-of-reach", "Foe is 4 m away, and Me reaches 3 m")]


def test_offers_aim_at_who_can_be_reached(fight: Callable[..., Table]) -> None:
    table = fight("sr4", me=(0, 0), foe=(30, 0), other=(2, 0))
    table.do("set", combatant="me", items={"katana": {"ready": True}})
    offered = offers(table.encounters.context(table.fight, table.gm), "me", "melee-attack")["actions"][0]
    assert (offered["allowed"], offered["target"]) == (True, "other")


def test_walls_give_cover_by_what_they_hide(fight: Callable[..., Table]) -> None:
    table = fight("sr4", me=(0, 0), foe=(10, 0), other=(30, 0))
    table.do("map", areas={"wall": WALL})
    typed = fight("sr4")
    expected = odds_of(
        typed, **shot("sr4", distance=10, target={"cover": "good"}, attacker={"in_cover": False})
    )
    assert odds_of(table, **shot("sr4")) == expected
    rows = {
        row["id"]: row
        for row in surroundings(table.encounters.context(table.fight, table.gm), "me")["others"]
    }
    assert (rows["foe"]["cover"], rows["other"]["cover"]) == ("good", "none")
    assert rows["other"]["in_the_way"] == ["foe"]


@pytest.mark.parametrize(
    ("height", "word", "hidden"),
    [
        (0.3, "none", ()),
        (0.6, "legs", ("right-leg", "left-leg")),
        (1.3, "all-but-the-head", ("right-leg", "left-leg", "body", "right-arm", "left-arm")),
        (None, "all", ("right-leg", "left-leg", "body", "right-arm", "left-arm", "head")),
    ],
)
def test_walls_of_imperium_give_the_hidden_locations_and_the_gm_the_points(
    fight: Callable[..., Table], height: float | None, word: str, hidden: tuple[str, ...]
) -> None:
    table, typed = fight("imperium", me=(0, 0), foe=(9 * YARD, 0)), fight("imperium")
    wall = {"points": [{"x": 8, "y": -5}, {"x": 8, "y": 5}], "height": height}
    table.do("map", areas={"wall": wall})
    rows = surroundings(table.encounters.context(table.fight, table.gm), "me")["others"]
    assert next(row["cover"] for row in rows if row["id"] == "foe") == word
    points = {"target": {"cover": 12, **({} if hidden else {"behind_cover": []})}}
    said = {"target": {"cover": 12, "behind_cover": list(hidden)}, "distance": 9}
    found = odds_of(table, **shot("imperium", **points))
    assert found == odds_of(typed, **shot("imperium", **said))
    assert odds_of(table, **shot("imperium")) == odds_of(typed, **shot("imperium", distance=9))
    assert (found == odds_of(typed, **shot("imperium", distance=9))) == (not hidden)


def test_zones_say_how_far_one_sees_and_what_covers(fight: Callable[..., Table]) -> None:
    table, typed = fight("sr4", me=(0, 0), foe=(10, 0)), fight("sr4")
    smoke = {"points": [{"x": 5, "y": 0}], "radius": 2, "across": {"visibility": ["light-fog"]}}
    bushes = {"points": [{"x": 10, "y": 0}], "radius": 1, "inside": {"cover": "partial"}}
    table.do("map", areas={"smoke": smoke, "bushes": bushes})
    situation = {"distance": 10, "visibility": ["light-fog"], "target": {"cover": "partial"}}
    assert odds_of(table, **shot("sr4")) == odds_of(typed, **shot("sr4", **situation))
    table.do("place", positions={"foe": {"x": 0, "y": 10}})
    assert odds_of(table, **shot("sr4")) == odds_of(typed, **shot("sr4", distance=10))


def test_higher_ground_and_backs_count_in_melee(fight: Callable[..., Table]) -> None:
    table, typed = fight("sr4", me=(0, 0, 1), foe=(1, 0, 0)), fight("sr4")
    for one in (table, typed):
        one.do("set", combatant="me", items={"katana": {"ready": True}})
    blow = {"action": "melee-attack", "target": "foe", "item": "katana"}
    said = {"attacker": {"superior_position": True}}
    assert odds_of(table, **blow) == odds_of(typed, **blow, situation=said)


@pytest.mark.parametrize(
    ("facing", "word"),
    [(180, "front"), (239, "front"), (241, "side"), (90, "side"), (61, "side"), (59, "rear"), (0, "rear")],
)
def test_where_a_target_looks_decides_from_where_a_blow_comes(
    fight: Callable[..., Table], facing: float, word: str
) -> None:
    """Imperium is the game whose rules need it: a target parries what comes from the front."""
    blow = {"action": "attack", "item": "sword", "target": "foe"}
    parry = {"parry": "sword", "target": {"aware": True, "stunned": False}}
    typed, placed = fight("imperium"), fight("imperium", me=(0, 0), foe=(1, 0))
    for one in (typed, placed):
        one.do("set", combatant="me", items={"sword": {"ready": True}})
    assert surroundings(context(placed), "me")["engaged"] == ["foe"]

    def said(word: str) -> dict[str, Any]:
        return {**blow, "situation": {**parry, "attack": {"direction": word}}}

    placed.do("place", positions={"foe": {"x": 1, "y": 0, "facing": facing}})
    found = odds_of(placed, **blow, situation=parry)
    assert found["status"] == "resolved"
    assert found == odds_of(typed, **said(word))
    by_hand = odds_of(placed, **said("front"))
    assert by_hand == odds_of(typed, **said("front"))
    assert (found == by_hand) == (word == "front")
    step = placed.do("act", combatant="me", **said("front")).data["step"]["open"]
    assert ("attack.direction" in step.get("places", {}).get("by_hand", {})) == (word != "front")


def test_who_is_engaged_follows_from_where_people_are_in_cwn(fight: Callable[..., Table]) -> None:
    table = fight("cwn", me=(0, 0), foe=(1.5, 0), other=(30, 0))
    table.do("set", combatant="foe", items={"knife": {"ready": True, "melee": True}})
    rule = shot("cwn")
    rule["target"] = "other"
    close = odds_of(table, **rule)
    table.do("place", positions={"foe": {"x": 9, "y": 9}})
    assert odds_of(table, **rule) != close


# Offers


def context(table: Table) -> Any:
    return table.encounters.context(table.fight, table.gm)


def test_the_odds_of_a_blast_name_what_it_does_to_each(fight: Callable[..., Table]) -> None:
    table = fight("sr5", me=(0, 0), foe=(12, 1), other=(14, 0))
    found = odds(
        context(table),
        load_command({"command": "act", "combatant": "me", **blast("sr5", spot={"x": 13, "y": 0})}),
    )
    people = {row["who"]: row["measures"] for row in found["people"]}
    assert set(people) == {"me", "foe", "other"}
    for measure in ("hurt", "damage", "down"):
        of_all = next(one["value"] for one in found["measures"] if one["id"] == measure)
        assert sum(one[measure] for one in people.values()) == pytest.approx(of_all)
    assert people["me"]["damage"] < people["foe"]["damage"]


@pytest.mark.parametrize("ruleset", ["sr4", "sr5", "cwn"])
def test_the_best_spot_is_where_most_opponents_are(fight: Callable[..., Table], ruleset: str) -> None:
    table = fight(ruleset, me=(0, 0), foe=(15, 0), other=(17, 0))
    table.join(CASTS[ruleset].foe, id="alone", side="them", position={"x": 0, "y": 20}, asks=False)
    table.join(CASTS[ruleset].me, id="friend", side="us", position={"x": 0, "y": 22}, asks=False)
    found = best_spots(context(table), load_command({"command": "act", "combatant": "me", **blast(ruleset)}))
    assert [row["worth"] for row in found] == sorted((row["worth"] for row in found), reverse=True)
    assert 15 <= found[0]["spot"]["x"] <= 17
    assert found[0]["spot"]["y"] == 0
    assert {row["who"] for row in found[0]["people"]} >= {"foe", "other"}


@pytest.mark.parametrize(("ruleset", "action"), [("sr4", "take-aim"), ("cwn", "run")])
def test_what_is_done_to_no_place_has_no_best_one(
    fight: Callable[..., Table], ruleset: str, action: str
) -> None:
    table = fight(ruleset, me=(0, 0), foe=(15, 0))
    with pytest.raises(InputError, match="not done to a place"):
        best_spots(context(table), load_command({"command": "act", "combatant": "me", "action": action}))


def test_usual_attacks_aim_at_the_best_of_the_nearest(fight: Callable[..., Table]) -> None:
    table = fight("sr4", me=(0, 0), foe=(55, 0), other=(8, 0))
    lines = offers(context(table), "me")["usual"]
    assert (lines[0]["target"], lines[0]["distance"]) == ("other", 8)
    table.do("map", areas={"wall": {**WALL, "points": [{"x": 7, "y": -5}, {"x": 7, "y": 5}], "height": None}})
    table.do("place", positions={"foe": {"x": 0, "y": 9}})
    lines = offers(context(table), "me")["usual"]
    assert (lines[0]["target"], lines[0]["distance"]) == ("foe", 9)  # the nearer one stands behind a wall


def test_positions_count_before_the_distance_of_the_scene(tmp_path: Path) -> None:
    table = Table(tmp_path, "sr4", {"scene": {"distance": 50}})
    for id, side in (("me", "us"), ("foe", "them"), ("other", "them")):
        table.join(CASTS["sr4"].me if id == "me" else CASTS["sr4"].foe, id=id, side=side, asks=False)
    table.begin(**CASTS["sr4"].first)
    assert offers(context(table), "me", "fire-semi-automatic")["actions"][0]["defaults"] == {"distance": 50}
    table.do("place", positions={"me": {"x": 0, "y": 0}, "foe": {"x": 4, "y": 0}})
    offered = offers(context(table), "me", "fire-semi-automatic")["actions"][0]
    assert (offered["target"], offered["defaults"], offered["allowed"]) == ("foe", {}, True)
    table.close()


def test_hidden_combatants_are_in_nobodys_surroundings(fight: Callable[..., Table]) -> None:
    table = fight("sr4", me=(0, 0), foe=(9, 0), other=(4, 0))
    table.do("set", combatant="other", hidden=True)
    mine = table.encounters.context(table.fight, table.player("me"))
    rows = surroundings(mine, "me")["others"]
    assert [(row["id"], row["in_the_way"]) for row in rows] == [("foe", [])]
    found = odds(
        mine, load_command({"command": "act", "combatant": "me", **blast("sr4", spot={"x": 5, "y": 0})})
    )
    assert "other" not in {row["who"] for row in found["people"]}

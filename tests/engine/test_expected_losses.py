"""Odds never expect somebody to lose more hit points than there are, and tell what each modifier really changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.opening import open_games
from fracas.engine.requests import Request, RequestSchema
from fracas.engine.running import give_odds, resolve
from fracas.engine.text import MOST_NOT_GIVEN, odds_text, resolved_text
from fracas.packs.library import Library
from fracas.rulesets.imperium.vocabulary import LOCATIONS

Ask = Callable[[Any], Request]
GUNS = {"sr4": "ares-predator-iv", "sr5": "ares-predator-v"}
BLADES = {"sr4": "katana", "sr5": "katana"}
PACKS = Path(__file__).resolve().parents[2] / "datapacks"


@pytest.fixture(scope="module")
def ask() -> Ask:
    schema = RequestSchema(Games(Library.read([PACKS / "cwn-core"])))
    return lambda data: load(schema, data)


def killing(**more: Any) -> dict[str, Any]:
    """A big sword on somebody with 15 hit points, by somebody with Killing Blow."""
    attacker = {"base_attack_bonus": 3, "attribute_modifier": 1, "skill_level": 1, "level": 4}
    return {
        "ruleset": "cwn",
        "procedure": "attack",
        "situation": {
            "attacker": {**attacker, "killing_blow": True},
            "weapon": "big-sword",
            "target": {"use": "street-thug", "hp": 5, "soak": 0},
            **more,
        },
    }


def test_nobody_loses_more_hit_points_than_there_are(ask: Ask) -> None:
    answer = give_odds(ask(killing()))
    measures = {measure["id"]: measure["value"] for measure in answer["measures"]}
    assert measures["damage"] > 5  # blows that would kill somebody twice
    assert measures["hp-loss"] <= 5 * (measures["hit"] + measures["shock"])
    assert measures["hp-loss"] == pytest.approx(5 * measures["down"], abs=0.5)


def test_text_tells_what_a_modifier_changes(ask: Ask) -> None:
    """Killing Blow changes neither the chance to hit nor that of Shock."""
    text = odds_text(give_odds(ask(killing())))
    (line,) = [line for line in text.splitlines() if "Killing Blow" in line and "to Damage bonus:" in line]
    assert "expected damage +" in line
    assert "chance to hit" not in line


@pytest.fixture(scope="module")
def games() -> Games:
    return open_games(())


def boxes_left(sheet: Mapping[str, Any], ruleset: str) -> int:
    """The free boxes of both monitors, counted from the rulebooks and not by the rules in the service."""
    length = 8 + -(-sheet["body"] // 2)
    if ruleset == "sr5" and sheet.get("grunt"):
        return max(0, 8 + -(-max(sheet["body"], sheet["willpower"]) // 2) - sheet["physical"] - sheet["stun"])
    stun = max(0, 8 + -(-sheet["willpower"] // 2) - sheet["stun"])
    # sr5 takes two boxes of Stun for one of Physical where the Stun monitor is full, and half a box is lost.
    physical = max(0, length - sheet["physical"])
    return physical * 2 + 1 + stun if ruleset == "sr5" else physical + stun


@pytest.mark.parametrize("ruleset", ["sr4", "sr5"])
@given(data=st.data())
def test_nobody_is_expected_to_lose_more_boxes_than_are_left(
    games: Games, ruleset: str, data: st.DataObject
) -> None:
    everyone = games.game(ruleset).packs.entries("combatant")
    people = [
        one for one in everyone if "willpower" in one.data and one.data.get("body")
    ]  # programs have none
    target = data.draw(st.sampled_from(people))
    hurt = {name: data.draw(st.integers(0, 14)) for name in ("physical", "stun")}
    armed = data.draw(st.booleans())
    situation: dict[str, Any] = {
        "attacker": data.draw(st.sampled_from(people)).slug,
        "target": {"use": target.slug, **hurt},
        "weapon": (GUNS if armed else BLADES)[ruleset],
    }
    if armed:
        situation |= {"distance": 5, "fire": {"mode": "semi-automatic"}}
    request = {
        "ruleset": ruleset,
        "procedure": "ranged-attack" if armed else "melee-attack",
        "situation": situation,
    }
    answer = give_odds(load(RequestSchema(games), request))
    measures = {measure["id"]: measure["value"] for measure in answer.get("measures", ())}
    if measures:
        assert measures["damage"] <= boxes_left({**target.data, **hurt}, ruleset) * measures["hit"] + 1e-9


@given(data=st.data())
def test_no_location_is_expected_to_be_injured_beyond_its_last_level(
    games: Games, data: st.DataObject
) -> None:
    """Imperium: the levels on one location add up to at most 5."""
    everyone = games.game("imperium").packs.entries("combatant")
    people = [one for one in everyone if "hull" not in one.data]  # vehicles have no locations
    had = data.draw(st.integers(0, 5))
    shot = {
        "attacker": data.draw(st.sampled_from(people)).slug,
        "target": {"use": data.draw(st.sampled_from(people)).slug, "injuries": dict.fromkeys(LOCATIONS, had)},
        "weapon": data.draw(st.sampled_from(["bolt-pistol", "stub-gun", "lasgun"])),
        "distance": 5,
        "fire": {"mode": "single"},
    }
    answer = give_odds(
        load(RequestSchema(games), {"ruleset": "imperium", "procedure": "shooting", "situation": shot})
    )
    measures = {measure["id"]: measure["value"] for measure in answer["measures"]}
    assert measures["levels"] <= (5 - had) * measures["hits"] + 1e-9
    assert measures["levels"] > 0 or had == 5


@given(data=st.data())
def test_nobody_is_expected_to_lose_more_hit_points_than_are_left(games: Games, data: st.DataObject) -> None:
    people = [
        one
        for one in games.game("cwn").packs.entries("combatant")
        if "hp" in one.data and (one.data.get("level") or "attack_bonus_ranged" in one.data)
    ]
    hp = data.draw(st.integers(1, 40))
    shot = {
        "attacker": data.draw(st.sampled_from(people)).slug,
        "target": {"use": data.draw(st.sampled_from(people)).slug, "hp": hp},
        "weapon": data.draw(st.sampled_from(["heavy-pistol", "sword", "combat-rifle", "big-sword"])),
        "distance": 2,
    }
    answer = give_odds(
        load(RequestSchema(games), {"ruleset": "cwn", "procedure": "attack", "situation": shot})
    )
    measures = {measure["id"]: measure["value"] for measure in answer.get("measures", ())}
    if measures:
        assert measures["hp-loss"] <= hp * (measures["hit"] + measures["shock"]) + 1e-9


def test_text_of_a_step_names_few_of_the_fields_that_are_not_given(ask: Ask) -> None:
    text = resolved_text(resolve(ask(killing(distance=1) | {"explain": "all"})))
    lines = [line for line in text.splitlines() if "not given" in line.lower()]
    assert len(lines) == 1
    assert lines[0].startswith("Not given, so they do not count: ")
    assert lines[0].count(" (") == MOST_NOT_GIVEN
    assert lines[0].endswith(" more, which --json lists")


def test_a_traumatic_hit_says_what_it_multiplies(ask: Ask) -> None:
    dice = {"source": "supplied", "faces": [[20], [6, 6], [6]]}
    answer = resolve(ask(killing(distance=1) | {"dice": dice}))
    rolled, damage = answer["outcome"]["damage_rolled"], answer["outcome"]["damage"]
    assert answer["outcome"]["traumatic"]
    assert f"{damage} damage ({rolled} × {damage // rolled})" in answer["summary"]

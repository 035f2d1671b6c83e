"""Close combat: parries and what they break, force weapons, weight, what strikes; odds count every face of a die."""

from __future__ import annotations

from typing import Any

import pytest
from imperium_play import asked, core, counted, first_stage, measures, outcome, patched, play, survives_json

from fracas.errors import InputError
from fracas.kernel.ruleset import Prepared

BLADE = {
    "type": "close",
    "features": [],
    "damage": "1d3+2",
    "ws_modifier": 5,
    "may_parry": True,
    "requires": [],
    "encumbrance": 20,
    "mods": [],
}
GUARD = {
    "type": "close",
    "features": [],
    "parry_penalty": -20,
    "may_parry": True,
    "encumbrance": 20,
    "mods": [],
}
BLOW: dict[str, Any] = {
    "attacker": {"weapon_skill": 45, "strength": 50, "traits": []},
    "target": {"armor": [], "toughness": 50, "strength": 50, "aware": True, "stunned": False},
    "weapon": BLADE,
    "parry": GUARD,
    "attack": {"direction": "front", "charge": False},
}
PSYKER = {"traits": ["psyker"], "willpower": 55}


def blow(**changed: Any) -> dict[str, Any]:
    """The attack with other fields; of records those that are given."""
    merged = dict(BLOW)
    for name, value in changed.items():
        merged[name] = {**merged[name], **value} if name in merged and isinstance(value, dict) else value
    return merged


def prepared(situation: dict[str, Any], **said: Any) -> Prepared:
    request = asked("close-combat", situation, **said)
    return request.procedure.prepare(request.attempt)


def totals(situation: dict[str, Any], **said: Any) -> dict[str, int]:
    return {tally.to: tally.total for tally in prepared(situation, **said).tallies}


BLOWS = {
    "plain": blow(),
    "merged charge": blow(attack={"charge": True}, action={"merged": True}),
    "breaks": blow(parry={"features": ["power"]}),
    "force": blow(weapon={"features": ["force"], "damage": "1"}, attacker=PSYKER, target={"toughness": None}),
    "object": blow(target={"object": True, "toughness": None}, weapon={"stationary_damage": "1d2"}),
    "field": blow(armor={"value": 2, "field_dice": "1d2"}),
    "no hands": blow(attacker={"mounted": True, "hands_off": True, "initiative": 35}, weapon={"damage": "2"}),
}


@pytest.mark.parametrize("situation", BLOWS.values(), ids=BLOWS)
def test_odds_are_those_of_every_face(situation: dict[str, Any]) -> None:
    found = measures("close-combat", situation)
    assert found == pytest.approx(counted("close-combat", situation), abs=1e-12)
    assert found["hit"] > 0


@pytest.mark.parametrize("situation", [BLOWS[name] for name in ("breaks", "force", "field", "no hands")])
def test_stages_survive_json(situation: dict[str, Any]) -> None:
    survives_json(first_stage("close-combat", situation))


def test_a_parry_covers_the_faces_of_the_penalty() -> None:
    """45 + 5 - 20 = 30: 20 faces are parried, and a quarter of these break the sword."""
    found = measures("close-combat", BLOWS["breaks"])
    assert (found["hit"], found["parried"]) == pytest.approx((0.3, 0.2))
    assert found["broken"] == pytest.approx(0.2 * 0.25)


@pytest.mark.parametrize(
    ("mine", "theirs", "whose"),
    [
        ([], [], None),
        (["power"], [], "target"),
        ([], ["power"], "attacker"),
        (["power"], ["power"], None),
        (["power"], ["shock"], None),
        (["power"], ["daemon"], None),
        (["force"], ["power"], None),
        (["chain"], ["power", "chain"], "attacker"),
        (["power", "chain"], ["chain"], "target"),
    ],
)
def test_what_a_parry_may_break(mine: list[str], theirs: list[str], whose: str | None) -> None:
    situation = blow(weapon={"features": mine}, parry={"features": theirs})
    dice = [[50]] if whose is None else [[50], [25]]
    facts = outcome("close-combat", situation, *dice)
    assert facts["result"] == "parried"
    assert facts.get("broken") == whose


def test_a_blade_on_a_gun_takes_the_gun_with_it() -> None:
    gun = {"use": "lasgun", "mods": ["chainblade"]}
    situation = {
        **blow(attacker={"traits": ["specialist-weapon-chain"]}),
        "weapon": gun,
        "parry": "power-sword",
    }
    # 45 + 15 = 60, less 20 is 40
    answer = play("close-combat", situation, [60], [25])
    assert answer["outcome"]["broken"] == "attacker"
    assert [one["what"] for one in answer["effects"]] == ["weapon"]


def test_a_layer_changes_what_breaks() -> None:
    game = patched("power-weapon-breakage", "other", chance=50)
    assert outcome("close-combat", BLOWS["breaks"], [50], [26])["broken"] == "none"
    assert outcome("close-combat", BLOWS["breaks"], [50], [26], game=game)["broken"] == "attacker"


def test_a_shot_breaks_nothing() -> None:
    pistol = {"use": "laspistol", "mods": []}
    situation = {**blow(attack={"shot": True}), "weapon": pistol, "parry": "power-sword"}
    assert "broken" not in outcome("close-combat", situation, [30])


FORCE = blow(weapon={"features": ["force"], "damage": "1d6+4"}, attacker=PSYKER, armor={"value": 3})


def test_force_weapons_and_their_layers() -> None:
    # 21 is the left leg; 6 + 4 = 10, and a D10 of 2: 12 less 3, doubled. 18 of Base Injury Value 5: 4 levels
    facts = outcome("close-combat", FORCE, [21], [55], [6], [2], [50])
    assert (facts["net_damage"], facts["left_leg_level"], facts["force_margin"]) == (18, 4, 0)
    assert outcome("close-combat", FORCE, [21], [56], [6], [50])["net_damage"] == 7
    always = patched("force-weapons", "doubled-without-test", value=True)
    assert outcome("close-combat", FORCE, [21], [56], [1], game=always)["net_damage"] == 4
    bigger = patched("force-weapons", "bonus", value="2d10")
    assert outcome("close-combat", FORCE, [21], [1], [1], [1, 1], [50], game=bigger)["net_damage"] == 8
    nerve = patched("force-weapons", "test", value="nerve")
    assert totals(blow(**{**FORCE, "attacker": {**PSYKER, "nerve": 33}}), game=nerve)["force.chance"] == 33


def test_force_is_for_characters_and_psykers() -> None:
    wall = {**FORCE, "target": {"object": True}}
    assert "force.chance" not in totals(wall)
    plain = blow(weapon={"features": ["force"]})
    assert "force.chance" not in totals(plain)
    with pytest.raises(InputError, match="the abilities of the user of a force weapon"):
        prepared(blow(weapon={"features": ["force"]}, attacker={"traits": None}))


def test_a_force_weapon_parries_as_its_counterpart() -> None:
    staff = {**blow(), "parry": "force-staff"}
    assert totals({**staff, "target": {**BLOW["target"], "traits": ["psyker"]}})["parry.penalty"] == -10
    assert totals({**staff, "target": {**BLOW["target"], "traits": []}})["parry.penalty"] == -15
    with pytest.raises(InputError, match=r"target\.traits"):
        prepared(staff)


@pytest.mark.parametrize(
    ("weapon", "arm", "strength", "excess"),
    [
        ({"use": "eviscerator", "mods": []}, "both", 40, 0),
        ({"use": "eviscerator", "mods": []}, "both", 39, -1),
        ({"use": "eviscerator", "mods": []}, "left", 61, -9),  # half of 61 is 30.5, up 31
        ({"use": "lasgun", "mods": ["axe-bayonet"]}, "both", 30, -10),
        ({"use": "knife", "mods": []}, "right", 10, 0),
    ],
)
def test_weight(weapon: dict[str, Any], arm: str, strength: int, excess: int) -> None:
    able = {"strength": strength, "traits": ["specialist-weapon-chain"]}
    situation = {**blow(attacker=able, action={"arm": arm}), "weapon": weapon}
    lines = next(tally for tally in prepared(situation).tallies if tally.to == "close-combat.chance").entries
    assert [line.value or 0 for line in lines if line.id == "over-encumbered"] == [excess]


def test_an_accessory_named_beside_the_gun_weighs_as_well() -> None:
    gun = {"use": "lasgun", "mods": []}
    situation = {**blow(attacker={"strength": 30}), "weapon": gun, "accessory": "bayonet"}
    assert totals(situation)["close-combat.chance"] == 45 + 20 - 5 - 20  # 25 + 10 is 5 more than 30
    fixed = {**situation, "weapon": {"use": "lasgun", "mods": ["bayonet"]}}
    assert totals(fixed) == totals(situation)


@pytest.mark.parametrize(("mods", "penalty"), [([], 0), (["bayonet"], -10), (["axe-bayonet"], -5)])
def test_guns_parry_with_what_is_fixed_to_them(mods: list[str], penalty: int) -> None:
    situation = {**blow(), "parry": {"use": "autogun", "mods": mods}}
    assert totals(situation)["parry.penalty"] == penalty


@pytest.mark.parametrize(
    "state",
    [
        {"target": {"aware": False}},
        {"target": {"conscious": False}},
        {"target": {"stunned": None, "stunned_actions": 2}},
        {"attack": {"direction": "rear"}},
        {"parry": {"may_parry": False}},
    ],
)
def test_who_does_not_parry(state: dict[str, Any]) -> None:
    assert totals(blow())["parry.penalty"] == -20
    assert totals(blow(**state))["parry.penalty"] == 0


def test_without_a_line_the_attack_is_what_it_would_be_without() -> None:
    situation = blow(
        attack={"charge": True},
        action={"merged": True, "arm": "right"},
        attacker={"strength": 72, **PSYKER},
        weapon={"features": ["force"], "encumbrance": 60},
        parry={"features": ["power"]},
    )
    typed = [{"to": "force.chance", "label": "Hand", "value": 7}]
    request = asked("close-combat", situation, modifiers=typed)
    rules = request.attempt.rules.remembering()
    wish = request.attempt._replace(rules=rules)
    found = request.procedure.prepare(wish)
    assert found.rebuild is not None
    seen = set()
    for tally in found.tallies:
        for entry in tally.changing():
            stage = found.rebuild(rules.retally(tally, entry.id))
            afresh = wish._replace(rules=request.attempt.rules.without(tally.to, entry.id))
            if entry.origin == "hand":
                afresh = wish._replace(hand=())
            assert stage in (None, request.procedure.prepare(afresh).stage)
            seen.add(entry.id)
    assert seen >= {"charge", "parry-penalty", "merged-action", "over-encumbered", "parry", "hand-1"}


def test_what_is_missing_is_told_at_once() -> None:
    with pytest.raises(InputError) as raised:
        play("close-combat", {"attacker": {}, "target": {}, "weapon": {"type": "close"}})
    assert {problem.path for problem in raised.value.problems} == {
        "situation.attacker.weapon_skill",
        "situation.weapon.damage",
        "situation.weapon.ws_modifier",
        "situation.target.armor",
    }


def test_the_choice_of_a_psyker_is_asked_only_of_psykers() -> None:
    decisions = core().procedure("close-combat").decisions
    defaults = {one.id: one.default for one in decisions}
    assert defaults == {"force-test": "test", "dodge": "stand", "counter-attack": "strike"}
    spared = [{"decision": "force-test", "choose": "spare", "by": "", "roll": ""}]
    assert outcome("close-combat", FORCE, [21], [1], decisions=spared)["net_damage"] == 2


STRUCK_BACK: dict[str, Any] = {
    "attacker": {"weapon_skill": 62, "toughness": 60, "armor": ["flak-vest"], "strength": 50, "traits": []},
    "target": {"weapon_skill": 60, "initiative": 50},
    "weapon": {"ws_modifier": 0, "damage": "1d6"},
    "parry": {"damage": "1d10", "ws_modifier": 15},
}


def test_a_blow_in_return_is_not_that_of_the_attackers_weapon() -> None:
    """62 - 20 = 42; 62 is parried by 20; 12 hits the body for 7, less all 4 points of the vest."""
    venom = {"poison": "blade-venom", "halves_armor": True}
    situation = blow(**{**STRUCK_BACK, "weapon": {**STRUCK_BACK["weapon"], **venom}})
    answer = play("close-combat", situation, [62], [12], [7])
    assert answer["outcome"]["counter_net_damage"] == 3
    assert "suffer-poison" not in [effect["what"] for effect in answer["effects"]]


@pytest.mark.parametrize(("traits", "net"), [([], 1), (["blessed"], 3)])
def test_a_daemon_is_struck_in_return_by_the_blessed_as_people_are(traits: list[str], net: int) -> None:
    target = {**STRUCK_BACK["target"], "traits": traits}
    attacker = {**STRUCK_BACK["attacker"], "traits": ["daemon"]}
    situation = blow(**{**STRUCK_BACK, "target": target, "attacker": attacker})
    assert outcome("close-combat", situation, [62], [12], [7])["counter_net_damage"] == net


@pytest.mark.parametrize(("options", "dodges"), [({}, True), ({"one_action_rounds": True}, False)])
def test_one_action_owed_is_all_in_rounds_of_one_action(options: dict[str, Any], dodges: bool) -> None:
    """Also where what lasts rounds lasts twice as many."""
    situation = blow(target={"initiative": 50, "owed_actions": 1})
    asks = [{"decision": "dodge", "choose": "dodge"}]
    found = totals(situation, options={"one_action_scale_durations": "double", **options}, decisions=asks)
    assert ("dodge.chance" in found) is dodges

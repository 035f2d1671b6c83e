"""Every offer can be taken: what is allowed happens as offered, or asks a question with a label.

The normal run takes the offers of the first turn of every ready-made skirmish and of some combatants of the packs; the
nightly one those after three random turns, and of all combatants.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import tiers
from table_play import games
from taken_offers import PLAYED, SKIRMISHES, duel, playing, said_of, skirmish

from fracas.encounters import permission
from fracas.encounters.command_context import Author
from fracas.encounters.commands import decide
from fracas.encounters.encounters import Encounters
from fracas.encounters.offers import odds, offers
from fracas.encounters.order import table_of
from fracas.encounters.schemas import load_command
from fracas.errors import InputError, RefusedError

SOME = 3
"""How many combatants of each ruleset a normal run takes."""


@pytest.fixture
def fights(tmp_path: Path) -> Iterator[Encounters]:
    fights = playing(tmp_path)
    yield fights
    fights.store.close()


@pytest.mark.parametrize(("ruleset", "slug"), SKIRMISHES)
def test_offers_of_the_first_turn_of_a_skirmish(fights: Encounters, ruleset: str, slug: str) -> None:
    fight = skirmish(fights, ruleset, slug)
    fight.begin()
    allowed = 0
    for one in fight.people():
        refused, taken = fight.taken(one.id)
        assert not refused
        allowed += taken
    assert allowed > 3


@pytest.mark.parametrize(("ruleset", "slug"), SKIRMISHES)
def test_offers_after_random_turns(fights: Encounters, ruleset: str, slug: str) -> None:
    for seed in range(tiers.scale(1, 10)):
        fight = skirmish(fights, ruleset, slug)
        fight.begin()
        fight.play_turns(tiers.scale(1, 3), seed)
        for one in fight.people():
            assert not fight.taken(one.id)[0]


@pytest.mark.parametrize("ruleset", PLAYED)
def test_offers_of_the_combatants_of_the_packs(fights: Encounters, ruleset: str) -> None:
    entries = list(games().game(ruleset).packs.entries("combatant"))
    step = tiers.scale(max(1, len(entries) // SOME), 1)
    for at in range(0, len(entries), step):
        fight = duel(fights, ruleset, entries[at].id, entries[at - 1].id, scene={"distance": 2})
        if fight.begin():
            for later in range(tiers.scale(1, 2)):
                fight.play_turns(3 * later, at)
                for who in fight.fight.state.acting:
                    assert not fight.taken(who)[0]


class TestUsual:
    @pytest.mark.parametrize(("ruleset", "slug"), SKIRMISHES)
    def test_at_most_eight_each_attack_once_per_weapon(
        self, fights: Encounters, ruleset: str, slug: str
    ) -> None:
        fight = skirmish(fights, ruleset, slug)
        fight.begin()
        who = fight.fight.state.acting[0]
        told = fight.offered(who)
        assert 4 <= len(told["usual"]) <= 8
        first = told["usual"][0]
        assert fight.fight.state.combatants[first["target"]].side != fight.fight.state.combatants[who].side
        armed = [one["item"] or one["label"] for one in told["usual"] if one["hit"] is not None]
        assert len(set(armed)) == len(armed) >= 1
        offered = {one["action"]: one for one in told["actions"]}
        assert not any(offered[one["action"]]["unlikely"] for one in told["usual"])

    def test_the_chance_to_hit_is_that_of_the_odds(self, fights: Encounters) -> None:
        fight = skirmish(fights, "sr4", "loading-dock")
        fight.begin()
        who = fight.fight.state.acting[0]
        told = fight.offered(who)
        shot = told["usual"][0]
        offer = next(one for one in told["actions"] if one["action"] == shot["action"])
        body = {"command": "act", **said_of(who, offer)}
        answer = odds(fights.context(fight.fight, fight.gm), load_command(body))
        assert shot["hit"] == next(one["value"] for one in answer["measures"] if one["id"] == "hit")
        assert 0 < shot["hit"] < 1

    @pytest.mark.parametrize("state", ["dead", "unconscious"])
    def test_nobody_usually_strikes_who_is_down(self, fights: Encounters, state: str) -> None:
        fight = duel(fights, "cwn", "wren", "gang-member", scene={"distance": 2})
        me, foe = fight.fight.state.combatants
        fight.begin()
        while me not in fight.fight.state.acting:
            fight.go_on()
        fight.do("set", combatant=foe, fields={"hp": 0}, add=[state])
        told = fight.offered(me)
        assert "execution-attack" in [one["action"] for one in told["actions"] if one["allowed"]]
        assert told["usual"]
        assert not [one for one in told["usual"] if one["target"] == foe]

    def test_nobody_has_usual_actions_in_the_slot_of_others(self, fights: Encounters) -> None:
        fight = skirmish(fights, "sr4", "loading-dock")
        fight.begin()
        other = next(one.id for one in fight.people() if one.id not in fight.fight.state.acting)
        assert fight.offered(other)["usual"] == []


USUAL = {
    ("sr4", "vesper"): [
        "Cast a spell: Manabolt",
        "Cast a spell: Stunbolt",
        "Cast a spell: Flamethrower",
        "fire-semi-automatic",
    ],
    ("sr4", "dwarf-sniper"): ["fire-semi-automatic", "take-aim", "ready-weapon", "run"],
    ("sr4", "ork-bruiser"): ["fire-short-burst", "take-aim", "ready-weapon", "run"],
    ("sr4", "mako"): ["melee-attack", "ready-weapon", "ready-throwing-weapons", "run"],
    ("sr5", "cinder"): ["Cast a combat spell: Manabolt", "Cast a combat spell: Stunbolt"],
    ("sr5", "splice"): ["Data spike: Colt Government 2066", "Data spike: Smartlink", "data-spike"],
    ("sr5", "mortar"): ["fire-burst", "take-aim", "take-cover"],
    ("sr5", "torque"): ["fire-semi-automatic", "rigger-jump-in", "control-vehicle"],
    ("cwn", "dov"): ["charge", "ready-stow", "run", "hold-action"],
    ("cwn", "sable"): ["ranged-attack", "throw-grenade", "ready-stow", "run"],
    ("cwn", "it-talent"): ["ranged-attack", "run-program", "run"],
    ("cwn", "guard-dog"): ["charge", "run"],
    ("imperium", "agent"): ["fire-weapon", "aim", "draw-weapon", "walk"],
    ("imperium", "duellist"): ["attack", "aim", "draw-weapon", "walk"],
}
"""The first of what these do at 10 metres: slugs of actions, or labels of ways to take them."""
FOES = {"sr4": "guard", "sr5": "gate-guard", "cwn": "gang-member", "imperium": "cult-fanatic"}


@pytest.mark.parametrize(("ruleset", "one"), USUAL)
def test_what_they_are_for_comes_first(fights: Encounters, ruleset: str, one: str) -> None:
    fight = duel(fights, ruleset, one, FOES[ruleset], scene={"distance": 10})
    me = next(iter(fight.fight.state.combatants))
    fight.begin()
    while me not in fight.fight.state.acting:
        fight.go_on()
    told = fight.offered(me)["usual"]
    wanted = USUAL[ruleset, one]
    first = [
        line["label"] if ": " in want else line["action"] for line, want in zip(told, wanted, strict=False)
    ]
    assert first == wanted
    assert 5 <= len(told) <= 8
    offered = {offer["action"]: offer for offer in fight.offered(me)["actions"]}
    for line in told:
        if line["target"] and offered[line["action"]]["allowed"]:
            said = {name: line[name] for name in ("action", "item", "target", "situation")}
            decide(
                fights.context(fight.fight, fight.gm),
                load_command({"command": "act", "combatant": me, **said}),
            )


@pytest.mark.parametrize(
    ("ruleset", "one", "action", "mode"),
    [
        ("sr5", "kestrel", "multiple-attacks-ranged", "semi-automatic"),
        ("sr5", "mortar", "multiple-attacks-ranged", "burst"),
        ("imperium", "agent", "fire-weapon", "single"),
    ],
)
def test_an_offered_shot_names_its_firing_mode(
    fights: Encounters, ruleset: str, one: str, action: str, mode: str
) -> None:
    """Where a gun has several modes, a command has to announce one; the offer brings the usual one."""
    fight = duel(fights, ruleset, one, FOES[ruleset], scene={"distance": 10})
    me = next(iter(fight.fight.state.combatants))
    fight.begin()
    while me not in fight.fight.state.acting:
        fight.go_on()
    offer = next(offer for offer in fight.offered(me)["actions"] if offer["action"] == action)
    assert (offer["allowed"], offer["defaults"]) == (True, {"distance": 10, "fire": {"mode": mode}})
    body = {"command": "act", **said_of(me, offer), "situation": {"distance": 10}}
    with pytest.raises(InputError, match="mode"):
        decide(fights.context(fight.fight, fight.gm), load_command(body))


def test_who_is_down_gets_up_and_nobody_unloads_a_full_gun(fights: Encounters) -> None:
    fight = duel(fights, "sr4", "rook", "guard", scene={"distance": 10})
    fight.begin()
    assert fight.fight.state.acting == ("rook",)
    before = [line["action"] for line in fight.offered("rook")["usual"]]
    assert not {"stand-up", "remove-clip"} & set(before)
    fight.do("set", combatant="rook", add=["prone"], items={"ares-predator-iv": {"rounds": 0}})
    after = [line["action"] for line in fight.offered("rook")["usual"]]
    assert {"stand-up", "remove-clip"} <= set(after)


class TestLacking:
    def test_a_distance_is_missing_and_a_drug_is_unlikely(self, fights: Encounters) -> None:
        fight = duel(fights, "cwn", "wren", "gang-member")
        fight.begin()
        who = fight.fight.state.acting[0]
        offered = {one["action"]: one for one in fight.offered(who)["actions"]}
        shot, drug = offered["ranged-attack"], offered["use-drug"]
        assert (shot["allowed"], shot["missing"], shot["unlikely"]) == (False, ["distance"], False)
        assert shot["reasons"][0]["message"] == "the rule needs the distance to the target in metres"
        assert (drug["allowed"], drug["unlikely"]) == (False, True)
        said = {"combatant": who, "action": "ranged-attack", "target": shot["target"]}
        fight.do("act", **said, situation={"distance": 5})

    def test_the_scene_gives_what_is_missing(self, fights: Encounters) -> None:
        fight = duel(fights, "cwn", "wren", "gang-member", scene={"distance": 5})
        fight.begin()
        who = fight.fight.state.acting[0]
        shot = next(one for one in fight.offered(who)["actions"] if one["action"] == "ranged-attack")
        assert (shot["allowed"], shot["defaults"]) == (True, {"distance": 5})

    def test_players_are_offered_nobody_who_is_hidden(self, fights: Encounters) -> None:
        fight = duel(fights, "cwn", "wren", "gang-member", scene={"distance": 5})
        hero, foe = fight.fight.state.combatants
        fight.do("set", combatant=foe, hidden=True)
        fight.begin()
        player = Author("player", "token", "a player", frozenset({hero}))
        told = offers(fights.context(fight.fight, player), hero)
        assert not any(one["target"] == foe for one in (*told["actions"], *told["usual"]))


LIKELY = [
    ("cwn", "wren", (), "suicide-charge", None, "a drone with a suicide charge"),
    ("cwn", "wren", (), "jack-in", None, "a cyberdeck"),
    ("cwn", "wren", (), "drone-attack", None, "a drone under control"),
    ("cwn", "wren", (), "take-control-of-drone", None, "a drone within 1000 metres"),
    ("cwn", "wren", (), "get-aboard", None, "a vehicle"),
    ("cwn", "wren", (), "get-out", None, "to be in a vehicle"),
    ("cwn", "wren", (), "first-aid", None, "a medkit"),
    ("cwn", "wren", (), "screen-ally", None, "an ally within 3 metres"),
    ("cwn", "pim", ("dov",), "first-aid", "dov", ""),
    ("cwn", "juno", (), "jack-in", True, ""),
    ("cwn", "wren", ("kerberos",), "take-control-of-drone", "kerberos", ""),
    ("cwn", "wren", ("car",), "get-aboard", "car", ""),
    ("cwn", "wren", ("dov",), "screen-ally", "dov", ""),
    ("sr4", "rook", (), "fire-mounted-weapon", None, "a ready mounted or vehicle weapon"),
    ("sr4", "rook", (), "enter-resonance", None, "a technomancer"),
    ("sr4", "rook", (), "swim", None, "water to swim in"),
    ("sr4", "vesper", (), "drop-sustained-spell", None, "a sustained spell"),
    ("sr5", "kestrel", (), "change-configuration", None, "a cyberdeck"),
    ("sr5", "kestrel", (), "rigger-jump-in", None, "a vehicle or a drone"),
    ("sr5", "kestrel", ("cinder",), "stabilize", None, "a patient who is dying"),
    ("sr5", "splice", (), "change-configuration", True, ""),
    ("sr5", "torque", (), "rigger-jump-in", True, ""),
    ("imperium", "agent", (), "swim", None, "water deeper than the chest"),
    ("imperium", "agent", (), "drive", None, "a vehicle, or a mount"),
]
"""A combatant and others of the same side, an action, its target (True: none), or what is not known for it."""


@pytest.mark.parametrize(("ruleset", "one", "beside", "action", "target", "lacks"), LIKELY)
def test_what_nothing_in_the_fight_shows_is_unlikely(
    fights: Encounters,
    ruleset: str,
    one: str,
    beside: tuple[str, ...],
    action: str,
    target: str | bool | None,
    lacks: str,
) -> None:
    """What a fight would know of if it were there is not allowed, but can still be done."""
    fight = duel(fights, ruleset, one, FOES[ruleset], scene={"distance": 10})
    me = next(iter(fight.fight.state.combatants))
    for other in beside:
        fight.do("join", combatant=other, id=other, side="ours")
    fight.begin()
    while me not in fight.fight.state.acting:
        fight.go_on()
    offer = next(offer for offer in fight.offered(me)["actions"] if offer["action"] == action)
    assert (offer["allowed"], offer["unlikely"]) == (not lacks, bool(lacks))
    if lacks:
        assert f"needs {lacks}, which is not known here" in [told["message"] for told in offer["reasons"]]
        said = said_of(me, offer)
        if action in ("rigger-jump-in", "get-aboard"):  # into no machine
            with pytest.raises(RefusedError, match=f"^needs {lacks}$"):
                fight.do("act", **said)
            said["force"] = True
        fight.do("act", **said)
    else:
        assert offer["target"] == (None if target is True else target)


def test_a_default_target_is_a_foe_where_it_is_shot_at(fights: Encounters) -> None:
    for ruleset, one, ally, action in (
        ("sr4", "rook", "vex", "shoot-barrier"),
        ("sr5", "kestrel", "cinder", "suppressive-fire"),
    ):
        fight = duel(fights, ruleset, one, FOES[ruleset], scene={"distance": 10})
        me, foe = fight.fight.state.combatants
        fight.do("join", combatant=ally, side="ours")
        fight.begin()
        while me not in fight.fight.state.acting:
            fight.go_on()
        offer = next(offer for offer in fight.offered(me)["actions"] if offer["action"] == action)
        assert offer["target"] == foe


def test_a_list_of_offers_looks_at_the_fight_once(
    fights: Encounters, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every action is tried on one scene: making it for each of them takes longer than most of the trials."""
    fight = duel(fights, "cwn", "wren", "gang-member", scene={"distance": 5})
    fight.begin()
    made = []
    monkeypatch.setattr(permission.order, "table_of", lambda *seen: made.append(1) or table_of(*seen))
    fight.offered(fight.fight.state.acting[0])
    assert len(made) < len(games().game("cwn").packs.entries("action"))


def test_who_is_not_frail_does_not_lie_so_and_no_foe_is_a_drone_that_blows_up(fights: Encounters) -> None:
    fight = duel(fights, "cwn", "wren", "gang-member", scene={"distance": 10})
    me, foe = fight.fight.state.combatants
    fight.begin()
    offered = {one["action"]: one for one in fight.offered(me)["actions"]}
    assert [one["message"] for one in offered["lie-unattended"]["reasons"]] == ["needs to be Frail"]
    with pytest.raises(RefusedError, match="suicide charge"):
        fight.do("act", combatant=me, action="suicide-charge", target=foe, force=False)


def test_a_blow_that_does_not_reach_is_unlikely(fights: Encounters) -> None:
    fight = duel(fights, "cwn", "wren", "gang-member", scene={"distance": 10})
    fight.begin()
    told = fight.offered(fight.fight.state.acting[0])
    blow = next(one for one in told["actions"] if one["action"] == "melee-attack")
    assert blow["unlikely"]
    assert "melee range" in blow["reasons"][0]["message"]

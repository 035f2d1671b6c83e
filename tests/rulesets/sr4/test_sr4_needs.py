"""The words of the pack's actions and conditions, and what of them a fight can tell."""

from __future__ import annotations

from typing import Any

import pytest
from sr4_fight import RULES, fight, fighter, finished, intent
from sr4_table import GAME, entries, needs

from fracas.kernel.turns import DELAYING
from fracas.packs.entries import Entry

JUDGED = {
    "alert-ends",
    "barrier-broken",
    "electricity-wears-off",
    "is-seen",
    "leaves-cover",
    "leaves-flash-pak",
    "leaves-matrix",
    "leaves-melee",
    "leaves-vehicle",
    "leaves-zone",
    "neutralized",
    "next-action-given-up",
    "notices",
    "put-out",
    "released",
    "repaired",
    "returns-to-body",
    "shooter-next-phase",
    "stands-up",
    "surprise-test",
    "switched-off",
    "shifts-back",
    "spell-dropped",
    "vehicle-stops",
    "washed-off",
    "wounded-again",
    "leaves-gas",
    "starts-again",
    "power-dropped",
    "regains-control",
}
"""Ends of conditions that people judge."""


def test_every_need_is_known_and_none_is_idle() -> None:
    used = {word for action in entries("action") for word in action.data.get("needs", ())}
    assert used == set(needs())


def test_every_end_of_a_condition_is_known() -> None:
    used = {word for condition in entries("condition") for word in condition.data.get("ends", ())}
    known = {*RULES.moments, *JUDGED, *(action.slug for action in entries("action"))}
    assert used - known == set()
    assert {*RULES.moments, *JUDGED} - used == set()
    moments = {
        "own-slot",
        "own-slot-end",
        "part-end",
        "turn-end",
        "own-action",
        "other-action",
        "unable",
        "mended",
    }
    assert set(RULES.moments.values()) <= moments


@pytest.mark.each(
    "action",
    lambda: [one for one in entries("action") if "situation" in one.data],
    ids=lambda one: one.slug,
)
def test_what_an_action_brings_can_be_said(action: Entry) -> None:
    procedure = GAME.ruleset.procedures[action.data["procedure"]]
    assert procedure.vocabulary.parse(action.data["situation"], GAME.packs).facts


def test_answers_are_taken_out_of_turn() -> None:
    answering = [action for action in entries("action") if "answers" in action.data]
    assert {action.slug for action in answering} == {
        "full-dodge",
        "full-parry",
        "gymnastics-dodge",
        "full-matrix-defense",
    }
    for action in answering:
        assert set(action.data["answers"]) <= set(GAME.ruleset.procedures)
        assert action.data["out_of_turn"]


READY, HOLSTERED, LOADED, EMPTY = {"ready": True}, {"ready": False}, {"rounds": 5}, {"rounds": 0}


@pytest.mark.parametrize(
    ("word", "item", "state", "holds"),
    [
        ("ready-firearm", "ares-predator-iv", READY, True),
        ("ready-firearm", "ares-predator-iv", HOLSTERED, False),
        ("ready-firearm", "ares-predator-iv", {}, None),
        ("ready-firearm", "katana", READY, False),
        ("ready-firearm", "katana", {}, False),
        ("ready-firearm", "", {}, None),
        ("ready-ranged-weapon", "light-crossbow", READY, True),
        ("ready-ranged-weapon", "katana", READY, False),
        ("ready-shotgun", "mossberg-am-cmdt", READY, True),
        ("ready-shotgun", "ares-predator-iv", READY, False),
        ("ready-throwing-weapon", "shuriken", READY, True),
        ("ready-grenade", "shuriken", READY, False),
        ("ready-melee-weapon", "katana", READY, True),
        ("ready-melee-weapon", "katana", HOLSTERED, False),
        ("ready-melee-weapon", "defiance-ex-shocker", READY, False),
        ("ready-melee-weapon", "defiance-ex-shocker-melee", READY, True),
        ("ready-melee-weapon-or-bare-hands", "katana", HOLSTERED, False),
        ("ready-melee-weapon-or-bare-hands", "unarmed-attack", {}, True),
        ("ready-melee-weapon-or-bare-hands", "", {}, True),
        ("bare-hands", "", {}, True),
        ("own-body", "", {}, True),
        ("own-body", "katana", READY, False),
        ("bare-hands", "katana", READY, False),
        ("holstered-pistol", "ares-predator-iv", HOLSTERED, True),
        ("holstered-pistol", "ares-predator-iv", READY, False),
        ("holstered-pistol", "ak-97", HOLSTERED, False),
        ("holstered-pistol", "", {}, None),
        ("mode-single-shot", "ares-predator-iv", READY, False),
        ("mode-semi-automatic", "ares-predator-iv", READY, True),
        ("mode-automatic", "ak-97", READY, True),
        ("mode-automatic", "ares-predator-iv", READY, False),
        ("mode-burst-or-automatic", "ak-97", READY, True),
        ("mode-automatic", "", {}, None),
        ("clip-in-weapon", "ares-predator-iv", LOADED, True),
        ("clip-in-weapon", "ares-predator-iv", EMPTY, True),
        ("clip-in-weapon", "ares-predator-iv", {}, None),
        ("clip-in-weapon", "ares-predator-iv", {"loaded": False, **EMPTY}, False),
        ("clip-in-weapon", "ruger-super-warhawk", LOADED, False),
        ("no-clip-in-weapon", "ares-predator-iv", LOADED, False),
        ("no-clip-in-weapon", "ares-predator-iv", {"loaded": False, **EMPTY}, True),
        ("no-clip-in-weapon", "ares-predator-iv", EMPTY, False),
        ("no-clip-in-weapon", "ares-predator-iv", {}, None),
        ("no-clip-in-weapon", "ruger-super-warhawk", EMPTY, False),
        ("no-clip-fed-weapon", "ruger-super-warhawk", LOADED, True),
        ("no-clip-fed-weapon", "ares-predator-iv", LOADED, False),
        ("no-clip-fed-weapon", "light-crossbow", EMPTY, True),
        ("no-clip-fed-weapon", "bow-3", EMPTY, False),
        ("no-clip-fed-weapon", "shuriken", EMPTY, False),
        ("no-clip-fed-weapon", "katana", {}, False),
        ("no-clip-fed-weapon", "", {}, None),
        ("spare-clip", "ares-predator-iv", {"spare_clips": 0}, False),
        ("spare-clip", "ares-predator-iv", {"spare_clips": 1}, True),
        ("spare-clip", "ares-predator-iv", {}, None),
        ("spare-ammunition", "remington-990", {"spare_rounds": 0}, False),
        ("speed-loader", "ruger-super-warhawk", {"speed_loaders": 1}, True),
        ("speed-loader", "ruger-super-warhawk", {"speed_loaders": 0}, False),
        ("speed-loader", "ruger-super-warhawk", {}, None),
        ("speed-loader", "remington-990", {"speed_loaders": 1}, False),
        ("weapon-in-hand", "remington-990", READY, True),
        ("weapon-in-hand", "remington-990", HOLSTERED, False),
        ("weapon-in-hand", "light-crossbow", HOLSTERED, False),
        ("weapon-in-hand", "", {}, None),
        ("throwing-weapons-at-hand", "shuriken", {"spare_rounds": 0, **READY}, False),
        ("throwing-weapons-at-hand", "katana", READY, False),
        ("throwing-weapons-at-hand", "shuriken", READY, None),
        ("image-magnification", "ranger-arms-sm-4", READY, True),
        ("image-magnification", "ak-97", READY, None),
        ("holstered-pistol", "ares-predator-iv", {"ready": False, "dropped": True}, False),
        ("twenty-rounds", "ak-97", {"rounds": 20}, True),
        ("twenty-rounds", "ak-97", {"rounds": 19}, False),
        ("twenty-rounds", "ak-97", {}, None),
        ("six-rounds", "ak-97", {"rounds": 6}, True),
        ("six-rounds", "ak-97", {"rounds": 5}, False),
        ("held-object", "katana", READY, True),
        ("held-object", "katana", HOLSTERED, None),
        ("weapon-at-hand", "katana", READY, None),
    ],
)
def test_needs_of_a_weapon(word: str, item: str, state: dict[str, Any], holds: bool | None) -> None:
    me = fighter("me")
    assert asked(word, me, item=item, **state) is holds


def asked(word: str, me: Any, **more: Any) -> bool | None:
    need = needs()[word]
    return need.holds(fight(me), me, intent(**more)) if need.holds else None


def test_without_a_word_on_the_weapon_what_is_ready_counts() -> None:
    unready, ready = fighter("me", items={"katana": HOLSTERED}), fighter("me", items={"katana": READY})
    assert asked("ready-firearm", unready) is False
    assert asked("ready-firearm", ready) is None
    assert asked("ready-firearm-in-each-hand", ready) is False
    two = fighter("me", items={"a": READY, "b": READY})
    assert asked("ready-firearm-in-each-hand", two) is None


def test_a_weapon_in_each_hand() -> None:
    me = fighter("me", items={"ares-predator-iv": READY, "colt-america-l36": HOLSTERED})
    for word, one, other, expected in (
        ("ready-firearm-in-each-hand", READY, READY, True),
        ("ready-firearm-in-each-hand", READY, HOLSTERED, False),
        ("two-holstered-pistols", HOLSTERED, HOLSTERED, True),
        ("two-holstered-pistols", HOLSTERED, READY, False),
    ):
        two = fighter("me", items={"ares-predator-iv": one, "colt-america-l36": READY, "katana": READY})
        second = intent("speak", "colt-america-l36", **other)
        about = intent("speak", "ares-predator-iv", **one)._replace(second=second)
        holds = needs()[word].holds
        assert holds is not None
        assert holds(fight(two), two, about) is expected
        assert holds(fight(me), me, about._replace(second=None)) in (None, False)


def test_smartguns() -> None:
    me = fighter("me")
    smart, plain = {"category": "heavy-pistol", "features": ["smartgun"]}, {"category": "heavy-pistol"}
    assert asked("ready-smartgun", me, item="gun", thing=smart, **READY) is True
    assert asked("ready-smartgun", me, item="gun", thing=smart, **HOLSTERED) is False
    assert asked("ready-smartgun", me, item="gun", thing=plain, **READY) is None
    assert asked("linked-device", me) is None
    assert asked("linked-device", fighter("me", smartlink=True)) is True


@pytest.mark.parametrize(
    ("word", "condition", "without"),
    [
        ("prone", "prone", False),
        ("held", "held", False),
        ("holding", "holding", False),
        ("sustained-spell", "sustaining-spell", False),
        ("astral-form-or-perceiving", "astral-projection", None),
    ],
)
def test_needs_of_a_condition(word: str, condition: str, without: bool | None) -> None:
    assert asked(word, fighter("me", conditions=frozenset({condition}))) is True
    assert asked(word, fighter("me")) is without


def test_needs_of_a_person() -> None:
    assert asked("prone", fighter("me", prone=True)) is True
    assert asked("not-surprised", fighter("me")) is True
    assert asked("not-surprised", fighter("me", conditions=frozenset({"surprised"}))) is False
    for word in ("magician", "astral-projector", "astral-sight", "sustained-spell"):
        assert asked(word, fighter("me", magic=0)) is False
        assert asked(word, fighter("me")) is False
        assert asked(word, fighter("me", force=4)) is None
        assert asked(word, fighter("me", magic=5)) is None
    here = fighter("other", in_melee=True)
    assert asked("target-in-melee-range", fighter("me", in_melee=True), target=here) is True
    assert asked("target-in-melee-range", fighter("me"), target=here) is None
    assert asked("target-in-melee-range", fighter("me", in_melee=True)) is None


def test_the_own_phase_begins_with_the_slot_and_with_a_delay() -> None:
    me = fighter("me")
    need = needs()["own-phase-begun"].holds
    assert need is not None
    table = fight(me)
    assert need(table, me, intent()) is False
    assert need(table._replace(acting=("me",)), me, intent()) is True
    done = finished(table, "me")
    assert need(done, done.participants["me"], intent()) is True
    delayed = me._replace(marks={DELAYING: 1})
    assert need(fight(delayed), delayed, intent()) is True
    assert need(fight(delayed, part=2), delayed, intent()) is False

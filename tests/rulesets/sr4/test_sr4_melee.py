"""The words of a melee attack: they read melee weapons, and the pack's modifiers judge by them."""

from __future__ import annotations

from typing import Any

import pytest
from late_packs import late
from sr4_table import GAME, counts, guns, melee_weapons

from fracas.kernel.tally import tally_of
from fracas.packs.entries import Entry
from fracas.rulesets.sr4.melee.melee_attack import MeleeAttack

MELEE_ATTACK = MeleeAttack()
RULES = late(lambda: GAME.rules(MELEE_ATTACK, GAME.options({})))
VOCABULARY = late(lambda: GAME.vocabulary(MELEE_ATTACK))


def said(weapon: str, **more: Any) -> dict[str, Any]:
    """The facts of an attack of the Rook on the Guard, before anything is derived from them."""
    situation = {"attacker": "rook", "target": "guard", "weapon": weapon, **more}
    return VOCABULARY.parse(situation, GAME.packs).facts


def sum_of(to: str, facts: dict[str, Any]) -> int:
    return RULES.tally(to, to, [], facts).total


@pytest.mark.each("weapon", melee_weapons, ids=lambda weapon: weapon.slug)
def test_every_field_of_a_melee_weapon_is_read(weapon: Entry) -> None:
    facts = said(weapon.slug)
    for name, value in weapon.data.items():
        if name not in ("availability", "cost"):
            assert facts[f"weapon.{name}"] == value
    assert facts["weapon.name"] == weapon.label


@pytest.mark.each("weapon", melee_weapons, ids=lambda weapon: weapon.slug)
def test_a_melee_weapon_is_not_refused(weapon: Entry) -> None:
    assert RULES.refusals(said(weapon.slug)) == ()


@pytest.mark.each("weapon", guns, ids=lambda weapon: weapon.slug)
def test_a_gun_is_refused(weapon: Entry) -> None:
    assert [refusal.code for refusal in RULES.refusals(said(weapon.slug))] == ["no_melee_weapon"]


def test_a_charge_with_a_katana() -> None:
    """Worked example 14 of the rulebook: 9 + 1 for Reach + 2 for the charge, without the -2 of running."""
    facts = said("katana", reach_use="own-dice") | {
        "attacker.charging": True,
        "attacker.running": True,
        "reach.net": 1,
    }
    tally = RULES.tally("melee-attack.pool", "Attack pool", [], facts)
    applied = {entry.id: entry.value for entry in tally.entries if counts(entry._asdict())}
    assert {id: value for id, value in applied.items() if value} == {
        "melee-charging": 2,
        "melee-reach-attacker": 1,
    }
    assert tally == tally_of(tally.to, tally.label, tally.entries)
    assert sum_of("melee-defense.pool", facts) == 0


@pytest.mark.parametrize(
    ("net", "use", "attack", "defense"),
    [
        (2, "own-dice", 2, 0),
        (2, "dice-of-the-other", 0, -2),
        (0, "own-dice", 0, 0),
        (-1, "own-dice", 0, 1),
        (-1, "dice-of-the-other", -1, 0),
    ],
)
def test_the_longer_reach_counts_on_one_side_only(net: int, use: str, attack: int, defense: int) -> None:
    facts = said("katana", reach_use=use) | {"reach.net": net}
    assert sum_of("melee-attack.pool", facts) == attack
    assert sum_of("melee-defense.pool", facts) == defense


def test_damage_of_bare_hands_and_called_shots() -> None:
    trained = {"attacker.unarmed_dv": 2, "weapon.electric": False}
    assert sum_of("melee-damage.value", said("unarmed-attack") | trained) == 2
    assert sum_of("melee-damage.value", said("katana") | trained) == 0
    assert sum_of("melee-damage.value", said("shock-glove") | {"attacker.unarmed_dv": 2}) == 0
    vital = {"called_shot.kind": "vital", "called_shot.dv": 4}
    assert sum_of("melee-damage.value", said("katana") | vital) == 4

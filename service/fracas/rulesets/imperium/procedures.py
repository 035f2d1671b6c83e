"""The procedures of the Inquisitor universe, whose their numbers are, and what their outcomes say to people."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel.procedures import Procedure
from fracas.kernel.ruleset import Attack, Struck
from fracas.kernel.stage import Fact
from fracas.rulesets.imperium.attacks.close_combat import CloseCombat
from fracas.rulesets.imperium.attacks.flame import FlameAttack
from fracas.rulesets.imperium.attacks.grenades import PlantCharge
from fracas.rulesets.imperium.attacks.shooting import Shooting
from fracas.rulesets.imperium.checks import characteristic_test as tests
from fracas.rulesets.imperium.checks.nerve import Fear, PinningTest, RecoverFromPinning
from fracas.rulesets.imperium.harms.bleeding import Bleeding, Cold, Consciousness
from fracas.rulesets.imperium.harms.care import HealInjury, Recovery, StaunchBleeding
from fracas.rulesets.imperium.harms.fire import Burn, PutOutFire
from fracas.rulesets.imperium.harms.hurting import Fall
from fracas.rulesets.imperium.harms.injuring import Injury
from fracas.rulesets.imperium.harms.injury import NOBODY_DOWN, PLACES
from fracas.rulesets.imperium.harms.machines import DrivingTest, Ram, VehicleHit
from fracas.rulesets.imperium.harms.powers import HoldPowers, RenewPower, UsePsychicPower
from fracas.rulesets.imperium.harms.substances import Poison, TakeDrug

PROCEDURES: tuple[Procedure, ...] = (
    *(Shooting(), CloseCombat(), tests.CharacteristicTest(), UsePsychicPower(), tests.Initiative()),
    *(Injury(), Bleeding(), Consciousness(), StaunchBleeding(), HealInjury(), Recovery(), Cold()),
    *(FlameAttack(), Burn(), PutOutFire(), HoldPowers(), RenewPower()),
    *(Fall(), PinningTest(), RecoverFromPinning(), Fear()),
    *(DrivingTest(), VehicleHit(), Ram()),
    *(Poison(), TakeDrug(), PlantCharge()),
)
ATTACKS: Mapping[str, Attack] = dict.fromkeys(
    ("shooting", "close-combat", "flame-attack"),
    Attack(aside=("bleeding", "stunned_actions", "owed_actions")),
)


def struck(facts: Mapping[str, Fact]) -> Struck | None:
    """Net damage, the injuries, and what became of the target."""
    result, net = str(facts.get("result") or ""), int(facts.get("net_damage") or 0)
    words = [f"{net} damage"] if net else []
    for place, name in PLACES.items():
        if injury := facts.get(f"{name}_injury"):
            where = place.replace("-", " ")
            words.append(f"{where} crippled" if injury == "crippled" else f"{injury} injury of the {where}")
    if facts.get("prone"):
        words.append("prone")
    stunned = int(facts.get("stunned_actions") or 0)
    if net and stunned:
        words.append(f"stunned for {stunned} action{'' if stunned == 1 else 's'}")
    if (down := str(facts.get("down") or NOBODY_DOWN)) != NOBODY_DOWN:
        words.append(down.replace("-", " "))
    return Struck(result == "hit", result, net, words) if result or words else None

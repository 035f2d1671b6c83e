"""Charges that are planted on what stands still, and go off later (rulebook section 19.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel import fields as kit
from fracas.kernel.forms import Continuation, Outcome
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.stage import Effect, Fact, Stage, used_up
from fracas.kernel.turns import TURN_END
from fracas.kernel.vocabulary import Record
from fracas.rulesets.imperium import vocabulary as known
from fracas.rulesets.imperium.attacks.attack import ATTACKER, TARGET
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.checks.percentile import Percentile
from fracas.rulesets.imperium.harms.machines import FACINGS, HULL, MACHINE
from fracas.rulesets.imperium.vocabulary import MERGING, fields_named

CHANCE, GOES_OFF = "plant.chance", "charge-goes-off"
"""The tally of the test; the action that comes up by itself."""


class PlantCharge(Procedure):
    """A test of Weapon Skill fixes a charge to a vehicle that stands still; it goes off as the next round ends."""

    label = "Plant a charge"
    vocabulary = kit.vocabulary(
        kit.person(ATTACKER, "Who plants it"),
        kit.person(TARGET, "Vehicle"),
        Record("weapon", "Charge", "weapon", "A charge of the packs, or fields of one, or both."),
        Record("action", "The action"),
        fields_named(ATTACKER, "name", "weapon_skill"),
        fields_named(TARGET, "name"),
        kit.fields(
            TARGET,
            hull=MACHINE[HULL],
            object=kit.flag("Object", "A door, a wall and the like."),
            pace=kit.choice("Last movement", "The fastest of its last round.", choices=known.PACES),
            facing=kit.choice("Side struck", "Of a vehicle. Left out: the front.", choices=FACINGS),
        ),
        kit.fields(
            "weapon",
            features=kit.words(
                "Features", "What sets it apart; an empty list for nothing.", choices=known.FEATURES
            ),
            damage=kit.text("Damage", "Dice, and what is added to them.", most=20, example="2d10+4"),
            halves_armor=kit.flag("Halves armor", "Armor and cover count half against it. Left out: whole."),
        ),
        MERGING,
    )
    targets: Mapping[str, str] = {CHANCE: "Chance to plant the charge"}
    measures = (chance("success", "Chance to plant it"),)

    def numbers(self, it: Attempt) -> None:
        if not it.facts.get(f"{TARGET}.object"):
            it.need(f"{TARGET}.{HULL}", "the Hull of the vehicle")
        percentile.dice_given(it, "weapon.damage", "the damage of the charge")
        halvings = percentile.merged_halvings(it)
        percentile.number_of_test(it, CHANCE, ATTACKER, "weapon_skill", halvings=halvings)

    def first(self, it: Attempt) -> Stage:
        facts = it.facts
        detail = (
            ("when", TURN_END),
            ("turns", 1),
            ("set_hit.dice", facts["weapon.damage"]),
            ("set_hit.facing", facts.get(f"{TARGET}.facing", FACINGS[0])),
            ("set_hit.halves", bool(facts.get("weapon.halves_armor"))),
        )
        return percentile.tested(it, CHANCE, ATTACKER, Planting(f"{TARGET}.{HULL}" in facts, detail))


class Planting(Continuation, kind="imperium.planting"):
    """What comes of the test; `detail`: of the hit to come on what has a Hull (`vehicle`)."""

    vehicle: bool
    detail: tuple[tuple[str, Fact], ...]

    def on_result(self, test: Percentile, face: int) -> Stage:
        passed = test.passes(face)
        return Planted(passed, self.detail if passed and self.vehicle else ())


class Planted(Outcome, kind="imperium.planted"):
    """Whether the charge sticks; one that does not is kept."""

    success: bool
    detail: tuple[tuple[str, Fact], ...]
    reports = (("planted", "success"),)

    def changes(self) -> Iterator[Effect]:
        if self.success:
            yield from used_up(ATTACKER, "weapon", 1)
        if self.detail:
            yield Effect("schedule", TARGET, GOES_OFF, None, self.detail)

"""What some bursts do beside damage, or in its place (rulebook section 19.2): flashes stun, gas sickens, some strike
machines alone, and some leave the place as it was not.

What each does is data of its weapon: ``stuns``, ``poison``, ``machines_only`` and ``leaves``. Charges are planted on
what stands still, and go off later.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel import fields as kit
from fracas.kernel.composing import with_effects
from fracas.kernel.forms import Part, Waiting, rolls
from fracas.kernel.percentiles import Weighed
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.stage import Effect, Facts, Roll, Shared, Stage, used_up
from fracas.kernel.steps import ended
from fracas.kernel.tables import row_of, source_of
from fracas.kernel.tally import Entry
from fracas.kernel.turns import TURN_END
from fracas.kernel.vocabulary import Record
from fracas.rulesets.imperium.attacks import shots
from fracas.rulesets.imperium.attacks.attack import ATTACKER, TARGET, Victim
from fracas.rulesets.imperium.attacks.vocabulary import PACE, WEAPON
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.harms import injury
from fracas.rulesets.imperium.harms.bodies import actions_a_round, rounded_up
from fracas.rulesets.imperium.harms.damage import Factors
from fracas.rulesets.imperium.harms.hurting import Aftereffect, Dazzling
from fracas.rulesets.imperium.harms.machines import ATTACKED, FACINGS, HULL
from fracas.rulesets.imperium.harms.machines import MACHINE as VEHICLE_FIELDS
from fracas.rulesets.imperium.harms.substances import IN_GAS, taken_in
from fracas.rulesets.imperium.vocabulary import DAEMON, MACHINE, MERGING, allows, fields_named

FLASH = "flash"
"""The table of what helps against it."""
_IN_PLACE = ("stuns", "poison", "leaves")
"""Fields of weapons that stand in place of damage."""


FLASH_TEST = percentile.OwnTest("flash-test", "test before the flash")
"""Of Toughness."""


def keep_test(it: Attempt, who: str) -> None:
    """Make the number of that test, where the Toughness is known and there is a flash."""
    flashes = "weapon.stuns" in it.facts and not it.facts.get("weapon.machines_only")
    if not flashes or f"{who}.toughness" not in it.facts:
        return
    shut = Entry(
        "eyes-shut",
        "Eyes shut",
        row_of(it.lookup, FLASH, "eyes-shut")["modifier"],
        source=source_of(it.lookup, FLASH),
    )
    percentile.number_of_test(
        it, FLASH_TEST.of(who), who, "toughness", *((shut,) if it.facts.get(f"{who}.eyes_shut") else ())
    )


def is_special(facts: Mapping[str, Any]) -> bool:
    """Whether a weapon bursts without damage, or strikes machines alone."""
    harmless = "weapon.damage" not in facts and any(f"weapon.{name}" in facts for name in _IN_PLACE)
    return "weapon.blast" in facts and (harmless or bool(facts.get("weapon.machines_only")))


def is_machine(it: Attempt, who: str) -> bool:
    return f"{who}.{HULL}" in it.facts or allows(it.facts, who, MACHINE)


def bystander_of(it: Attempt, victim: Victim, reached: bool) -> shots.Bystander:
    """What a burst is for a combatant: in reach or not, and whether it does damage to them."""
    spared = it.facts.get("weapon.machines_only") and not is_machine(it, victim.who)
    result = shots.OUTSIDE if not reached else shots.UNHARMED if spared else shots.HIT
    return shots.Bystander(victim, result == shots.HIT and "weapon.damage" in it.facts, result)


def afterwards(it: Attempt, victim: Victim) -> list[Aftereffect]:
    """What follows for a combatant within reach, beside the damage."""
    facts, who, found = it.facts, victim.who, list[Aftereffect]()
    machine, machines = is_machine(it, who), bool(facts.get("weapon.machines_only"))
    test = it.known(FLASH_TEST.of(who))
    stuns = "weapon.stuns" in facts and machine == machines and (machines or test is not None)
    if stuns and not facts.get(f"{who}.object") and not facts.get(f"{who}.steady"):
        faces = (
            percentile.of_chance(it, test) if test is not None and facts.get(f"{who}.aware", True) else None
        )
        unit = actions_a_round(it.request) if machines else 1
        dice = percentile.dice_given(it, "weapon.stuns", "how long it stuns")
        found.append(Dazzling(who, faces, dice, unit, facts.get(f"{who}.stunned_actions", 0)))
    if who == TARGET and "weapon.leaves" in facts:
        stays = Effect("add-condition", ATTACKER, facts["weapon.leaves"].slug)
        found.append(Bringing(who, (stays[:],), True))
    effects: list[Effect] = []
    breathes = not (machine or victim.inert or allows(facts, who, DAEMON))
    if "weapon.poison" in facts and "weapon.blast" in facts and breathes:
        effects += [Effect("add-condition", who, IN_GAS), taken_in(who, facts["weapon.poison"].slug, IN_GAS)]
    return [*found, Bringing(who, tuple(one[:] for one in effects))] if effects else found


class Bringing(Aftereffect, kind="imperium.bringing"):
    """What a burst brings about for those within reach, without dice; `anywhere`: also where nobody is."""

    extra: tuple[tuple[Any, ...], ...]
    anywhere: bool = False

    def follows(self, settled: Stage) -> Stage:
        facts = settled.notes()
        reached = facts.get("hit") or (self.anywhere and facts.get("result") == shots.OUTSIDE)
        return with_effects(settled, (Effect(*one) for one in self.extra)) if reached else settled


PLANTING, GOES_OFF = "plant.chance", "charge-goes-off"
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
            hull=VEHICLE_FIELDS[HULL],
            object=kit.flag("Object", "A door, a wall and the like."),
            pace=PACE,
            facing=ATTACKED["facing"],
        ),
        (
            field
            for field in WEAPON
            if field.path in ("weapon.features", "weapon.damage", "weapon.halves_armor")
        ),
        MERGING,
    )
    targets: Mapping[str, str] = {PLANTING: "Chance to plant the charge"}
    measures = (chance("planted", "Chance to plant it", "success"),)

    def numbers(self, it: Attempt) -> None:
        if not it.facts.get(f"{TARGET}.object"):
            it.need(f"{TARGET}.{HULL}", "the Hull of the vehicle")
        percentile.dice_given(it, "weapon.damage", "the damage of the charge")
        halvings = percentile.merged_halvings(it)
        percentile.number_of_test(it, PLANTING, ATTACKER, "weapon_skill", halvings=halvings)

    def first(self, it: Attempt) -> Stage:
        facts, effects = it.facts, [*used_up(ATTACKER, "weapon", 1)]
        if f"{TARGET}.{HULL}" in facts:
            detail = (
                ("when", TURN_END),
                ("turns", 1),
                ("set_hit.dice", facts["weapon.damage"]),
                ("set_hit.facing", facts.get(f"{TARGET}.facing", FACINGS[0])),
                ("set_hit.halves", bool(facts.get("weapon.halves_armor"))),
            )
            effects.append(Effect("schedule", TARGET, GOES_OFF, None, detail))
        ends = ended({"planted": True}, *effects), ended({"planted": False})  # what does not stick is kept
        return percentile.either("test", ATTACKER, percentile.of_number(it, PLANTING), *ends)


class Scatter(Part, kind="imperium.scatter"):
    """Where what has missed bursts.

    Attributes:
        margin: so many points of it are a yard.
        reach: of the burst, in yards.
    """

    margin: int
    reach: float

    def yards(self, test: percentile.Percentile, face: int) -> int:
        """How far from where it was aimed."""
        return 0 if test.passes(face) else rounded_up(test.margin(face), self.margin)

    def off(self, blast: Shared[shots.Blast], face: int) -> Stage:
        """What comes of a miss."""
        return Straying(blast, self.yards(blast.value.test, face), self.reach)


def scatter_of(it: Attempt) -> Scatter | None:
    """By the house rule ``grenade_scatter``."""
    if it.options["grenade_scatter"] != "margin" or "weapon.blast" not in it.facts:
        return None
    return Scatter(row_of(it.lookup, "scatter", "grenade")["margin"], it.facts["weapon.blast"])


class Straying(Waiting, kind="imperium.straying"):
    """Waits for the direction in which what has missed goes astray by so many yards.

    The target is struck if they are still in reach; who else is, the GM says.
    """

    blast: Shared[shots.Blast]
    yards: int
    reach: float
    awaits = Roll(("direction",), ("attacker",), Total(((1, 10),)))

    def spread(self, inputs: Any) -> Weighed:
        """It changes nothing for the target."""
        return (1,), (10,), 10

    def advance(self, answer: Any) -> Stage:
        blast = self.blast.value
        if blast.dice and blast.struck and self.yards <= self.reach:
            return Landing(self.blast)
        return shots.Astray(blast.rounds)

    def notes(self) -> Facts:
        return {"astray_yards": self.yards}


class Landing(Waiting, kind="imperium.landing"):
    """Waits for the damage of what has missed a target who is in its reach."""

    blast: Shared[shots.Blast]
    awaits = rolls("damage", "attacker", lambda self: Total(self.blast.value.dice, self.blast.value.plus))

    def advance(self, answer: Any) -> Stage:
        blast = self.blast.value
        end = shots.Caught(
            blast.victim, answer, Factors(), False, "", blast.rounds, injury.unhurt(blast.victim.body)
        )
        return end.struck(blast.bands)

"""Explosions: grenades, launchers, mortars, rockets, mines, charges, and implants that strike all around.

Rulebook sections 5.7 and 5.8, and 17 (R4, R9, R10, R11). A point is attacked against its Armor Class; a miss goes
astray as far as the weapon says. Whoever is in reach saves, friend or foe, and suffers one shared roll of damage.
"""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel.procedures import Procedure, chance
from fracas.kernel.required import Faults
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Fact, Shared, Stage, share
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.cwn.areas.area_stages import HIT, SHOCKED, Area, Victim
from fracas.rulesets.cwn.areas.area_victims import (
    SAVE_TARGETS,
    expose,
    victim_targets,
)
from fracas.rulesets.cwn.areas.area_vocabulary import AT_POINT, AT_TARGET, BLAST, GOES_OFF, SET
from fracas.rulesets.cwn.areas.blast_facts import Scene, scene_of
from fracas.rulesets.cwn.areas.blast_stages import GOES_OFF as WENT_OFF
from fracas.rulesets.cwn.areas.blast_stages import (
    ON_THE_SPOT,
    Blast,
    Landed,
    Launched,
    Shell,
    explode,
)
from fracas.rulesets.cwn.areas.blast_stages import SET as LAID
from fracas.rulesets.cwn.attacks.attack import HARM_TO_SEVERAL, AttackProcedure
from fracas.rulesets.cwn.attacks.numbers import TARGETS as OF_AN_ATTACK
from fracas.rulesets.cwn.attacks.numbers import Reckoner, owners_in
from fracas.rulesets.cwn.attacks.outcome import Rounds
from fracas.rulesets.cwn.attacks.planning import instants_of, natural_of, shown_of
from fracas.rulesets.cwn.attacks.rolling import Attack, Guard, Plan

BONUS, DAMAGE = "attack.bonus", "blast.damage"
_OF_EACH = ("target.ac", "trauma.bonus", "trauma.target")
_WHILE_DEFENDING = ("can_total_defense", "total_defense", "charged", "flashbanged", "dazzled", "blinded")
"""States of a target that change nothing where the point is aimed at on which it stands."""

TARGETS = {
    **OF_AN_ATTACK,
    DAMAGE: "Damage bonus of the blast",
    **victim_targets(*_OF_EACH),
    **SAVE_TARGETS,
}

_ATTACK = AttackProcedure()


AREA_MEASURES = (
    Measure(
        "struck",
        "Expected number who make no save",
        lambda facts: float(facts.get("result") in (HIT, SHOCKED)),
    ),
    chance("hp_loss", "Expected number of people hurt", "hurt"),
    *HARM_TO_SEVERAL,
)
"""Of what strikes several people at once."""


class BlastProcedure(Procedure):
    """Something that explodes: thrown, shot, or set off where it lies."""

    id = "blast"
    label = "Explosion"
    doc = (
        "Attack roll against a point or a target, scatter, one damage roll, and a save of everybody in reach."
    )
    vocabulary = BLAST
    decisions = _ATTACK.decisions
    targets: Mapping[str, str] = TARGETS
    owners: Mapping[str, str] = owners_in(TARGETS)
    measures = (
        Measure(
            "on-the-spot",
            "Chance to strike the spot",
            lambda facts: float(facts.get("result") == ON_THE_SPOT),
        ),
        *AREA_MEASURES,
    )

    def prepare(self, asked: Asked) -> Prepared:
        faults = Faults()
        scene = scene_of(asked, faults)
        refusals = asked.rules.refusals(scene.facts) if scene.aim in (AT_POINT, AT_TARGET) else ()
        people, tallies = expose(asked, scene.blast, scene.explosive.threat, scene.places, faults)
        faults.check(refused=bool(refusals))
        if refusals:
            return Prepared(None, (), refusals, _shown(scene))
        damage = _damage(asked, scene)
        tallies = [damage, *tallies] if damage is not None else tallies
        if scene.aim == AT_TARGET:
            return _at_somebody(asked, scene, damage, people, tallies)
        bonus = _bonus(asked, scene) if scene.aim == AT_POINT else None

        def first(bonus: Tally | None, damage: Tally | None) -> Stage:
            blast = share(_blast(asked, scene, damage, people))
            if scene.aim == SET:
                return Landed(LAID, 0, 0, 0, blast.value.rounds, (), blast.value.fuse)
            if bonus is None:
                return explode(blast, Landed(WENT_OFF, 0, 0, 0, blast.value.rounds, ()))
            instants = instants_of(asked, scene.facts)._replace(target_luck=False, iron_hand=False)
            plan = Plan(bonus.total, None, instants, natural_of(asked, scene.facts), Launched(blast))
            return Attack(plan, Guard(scene.explosive.aim_ac, 0, False), ())

        def rebuild(changed: Tally) -> Stage | None:
            if changed.to == BONUS:
                return first(changed, damage)
            return first(bonus, changed) if changed.to == DAMAGE else None

        own = (bonus, *tallies) if bonus is not None else tuple(tallies)
        return Prepared(first(bonus, damage), own, (), _shown(scene), rebuild)


def _at_somebody(
    asked: Asked, scene: Scene, damage: Tally | None, people: tuple[Shared[Victim], ...], tallies: list[Tally]
) -> Prepared:
    """The attack of the weapon on somebody, and the blast where it hits."""
    prepared = _ATTACK.prepare(_direct(asked, scene))
    shown = {**prepared.facts, **_shown(scene)}
    if prepared.stage is None:
        return prepared._replace(facts=shown)
    blast = share(_blast(asked, scene, damage, people))

    def shell(stage: Stage | None) -> Stage | None:
        return None if stage is None else Shell(stage, blast, 0)

    def rebuild(changed: Tally) -> Stage | None:
        return shell(prepared.rebuild(changed)) if prepared.rebuild is not None else None

    return Prepared(shell(prepared.stage), (*prepared.tallies, *tallies), (), shown, rebuild)


def _direct(asked: Asked, scene: Scene) -> Asked:
    """The attack on somebody; against one who stands at the point aimed at only the point's AC counts."""
    facts = {**asked.said.facts, "weapon.area": False, "attack.explodes": True}
    if asked.said.facts.get("weapon.area"):
        for name in _WHILE_DEFENDING:
            facts.pop(f"target.{name}", None)
        facts["target.ranged_ac"] = scene.explosive.aim_ac
    return asked._replace(said=asked.said._replace(facts=facts))


class _Bonus(Reckoner):
    """The numbers of whoever throws or shoots."""

    def attack(self) -> Tally:
        entries = self._attack_base()
        rounds = self._facts.get("spotted_rounds", 0)
        if rounds:
            entries.append(Entry("spotter", "Further rounds with a spotter", rounds, origin="rule"))
        return self._tally(BONUS, entries)

    def of_blast(self, plus: int) -> Tally:
        """What is added to the dice of the blast: no attribute, unless by house rule (R10)."""
        entries = [self._of_weapon(plus)] if plus else []
        if self._asked.options["explosives_add_attr"] and "attack.attribute_modifier" in self._facts:
            entries += self._attribute()
        return self._asked.rules.tally(DAMAGE, TARGETS[DAMAGE], entries, self._facts, self._asked.hand)


def _bonus(asked: Asked, scene: Scene) -> Tally:
    return _Bonus(asked, scene.facts).attack()


def _damage(asked: Asked, scene: Scene) -> Tally | None:
    """What is added to the dice; None for what does no damage."""
    if scene.explosive.dice is None or scene.aim == SET:
        return None
    return _Bonus(asked, scene.blast).of_blast(scene.explosive.dice.plus)


def _blast(asked: Asked, scene: Scene, damage: Tally | None, people: tuple[Shared[Victim], ...]) -> Blast:
    explosive, options = scene.explosive, asked.options
    dice = explosive.dice
    area = Area(
        ((dice.dice, dice.sides),) if dice else (),
        damage.total if damage is not None else 0,
        bool(options["shared_area_damage"]),
        False,
        explosive.on_save,
        options["half_rounding"] == "up",
        not explosive.threat.ignores_soak,
        explosive.reach,
        explosive.conditions,
        explosive.saved,
        explosive.inside,
        explosive.lasts,
    )
    scatter = explosive.scatter
    return Blast(
        share(area),
        people,
        ((scatter.dice, scatter.sides),) if scatter else (),
        scatter.plus if scatter else 0,
        _rounds(scene),
        scene.facts.get("fuse_rounds", -1),
    )


def _rounds(scene: Scene) -> Rounds:
    """One round, or one piece of what is thrown or laid; what goes off by itself is spent already."""
    if scene.aim == GOES_OFF:
        return Rounds(0, None)
    left = scene.facts.get("weapon.rounds")
    return Rounds(1, None if left is None else max(0, left - 1))


def _shown(scene: Scene) -> dict[str, Fact]:
    names: dict[str, Fact] = {"aim": scene.aim}
    if scene.aim in (AT_POINT, AT_TARGET):
        names |= shown_of(scene.facts)
    return names

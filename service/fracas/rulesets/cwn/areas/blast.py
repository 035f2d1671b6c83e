"""Explosions: grenades, launchers, mortars, rockets, mines, charges, and implants that strike all around.

Rulebook sections 5.7 and 5.8, and 17 (R4, R9, R10, R11). A point is attacked against its Armor Class; a miss goes
astray as far as the weapon says. The one who is in reach saves, friend or foe, and suffers one shared roll of damage.
What a weapon's blast does stands in its pack entry (``blast``), which may take it from another weapon (``like``);
what a request says of the blast goes before both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.required import Faults, facts_of
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.stage import Shared, Stage, share
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import PackEntry
from fracas.kernel.written_dice import Dice, dice_of, dice_text
from fracas.rulesets.cwn.areas import area_victims
from fracas.rulesets.cwn.areas.area_stages import HALF, HIT, NOTHING, SHOCKED, Area, Lasting, Victim
from fracas.rulesets.cwn.areas.area_victims import HERE, Place, Threat, people_of
from fracas.rulesets.cwn.areas.blast_stages import GOES_OFF as WENT_OFF
from fracas.rulesets.cwn.areas.blast_stages import ON_THE_SPOT, Blast, Landed, Launched, Shell, explode
from fracas.rulesets.cwn.areas.blast_stages import SET as LAID
from fracas.rulesets.cwn.attacks import numbers
from fracas.rulesets.cwn.attacks.attack import ALONE, HARM_TO_SEVERAL, AttackProcedure, plan_of, shown_of
from fracas.rulesets.cwn.attacks.attack_vocabulary import (
    AT_POINT,
    AT_TARGET,
    BLAST,
    GOES_OFF,
    NO_SAVE,
    PEOPLE,
    SET,
)
from fracas.rulesets.cwn.attacks.blows import NO_ROUNDS, DiceParts, Rounds
from fracas.rulesets.cwn.attacks.facts import derive_attacker, perform_as
from fracas.rulesets.cwn.attacks.numbers import TARGETS as OF_AN_ATTACK
from fracas.rulesets.cwn.attacks.numbers import owners_in
from fracas.rulesets.cwn.attacks.rolling import Attack, Guard
from fracas.rulesets.cwn.vocabulary import Known

POINT_AC = 10
_CONDITIONS = ("conditions", "saved", "inside")
_WEAPON = ("damage", "trauma_die", "trauma_rating", "wrecks_machines", "non_lethal")
"""Fields of a weapon that a blast like its has."""
_ON_ITS_OWN = ("distance", "weapon.ready", "weapon.rounds")
"""What does not matter for something that goes off by itself."""


class Explosive(NamedTuple):
    """What goes off.

    Attributes:
        area: what it does, without what is added to the dice of its damage.
        plus: what the dice bring with them.
        aim_ac: of a point.
        scatter: dice of metres by which a miss goes astray; None: it is lost.
    """

    area: Area
    plus: int
    threat: Threat
    aim_ac: int
    scatter: Dice | None


class Scene(NamedTuple):
    """An explosion with everything that follows from what was given.

    Attributes:
        facts: of the attack.
        blast: the facts as they are for those in reach: the damage is that of the blast.
        places: everybody that it may reach, by record.
    """

    facts: dict[str, Any]
    blast: dict[str, Any]
    aim: str
    explosive: Explosive
    places: Mapping[str, Place]


def scene_of(request: AttemptRequest, faults: Faults) -> Scene:
    """What follows; what is missing or wrong is noted in the faults."""
    given = request.input.facts
    blast = _blast_data(request)
    aim = _aim_of(given, blast)
    if aim in (GOES_OFF, SET):
        facts = derive_attacker(request, Faults())  # nobody aims
        for name in _ON_ITS_OWN if aim == GOES_OFF else ():
            facts.pop(name, None)
        facts.setdefault("attacker.stat_block", "attacker.attack_bonus_ranged" in facts)
    else:
        facts = derive_attacker(request, faults)
        if not blast and not (aim == AT_POINT and given.get("weapon.area")):
            hint = "say what its blast does in 'blast'"
            faults.wrong("weapon", "no-blast", "this weapon strikes no area", hint)
    facts["aim"] = aim
    struck = _struck_facts(facts, request, blast, faults)
    explosive = _explosive(struck, request, blast, faults)
    return Scene(facts, struck, aim, explosive, {} if aim == SET else _places(facts, aim, explosive, faults))


def _blast_data(request: AttemptRequest) -> dict[str, Any]:
    """What the packs and the request say of the blast; ``like`` is the weapon whose it is."""
    facts = request.input.facts
    weapon = request.entry("weapon")
    own: Mapping[str, Any] = (weapon.data.get("blast") or {}) if weapon else {}
    like: PackEntry | None = facts.get("blast.like", facts.get("weapon.loaded_grenade"))
    if like is None and "like" in own:
        like = request.lookup.entry("weapon", own["like"])
    data: dict[str, Any] = {}
    if like is not None:
        aimed = ("aim_ac", "scatter")
        data |= {name: fact for name, fact in like.data.get("blast", {}).items() if name not in aimed}
        data["like"] = like
    data |= {name: value for name, value in own.items() if name != "like"}
    if "like" in own or "damage" in own:
        data["direct"] = True
    data |= {name: fact for name, fact in facts_of(facts, "blast").items() if name != "like"}
    if like is not None and "weapon.damage" not in facts:
        data.setdefault("scatter", like.data.get("blast", {}).get("scatter"))
    return data


def _aim_of(facts: Known, blast: Mapping[str, Any]) -> str:
    if "aim" in facts:
        return str(facts["aim"])
    if "weapon.range_normal" not in facts and "distance" not in facts:
        return GOES_OFF
    aimed = any(name.startswith("target.") for name in facts)
    return AT_TARGET if aimed and (_is_direct(facts, blast) or not blast) else AT_POINT


def _is_direct(facts: Known, blast: Mapping[str, Any]) -> bool:
    """The weapon's own damage is for whomever it hits, and the blast has another."""
    return "weapon.damage" in facts and bool(blast.get("direct"))


def _struck_facts(
    facts: Known, request: AttemptRequest, blast: Mapping[str, Any], faults: Faults
) -> dict[str, Any]:
    """The facts with damage and Trauma Die of the blast for those of the weapon."""
    struck = dict(facts)
    like: PackEntry | None = blast.get("like")
    if like is not None:
        perform_as(struck, like, _WEAPON)
    if "damage" in blast:  # of its own, without a Trauma Die
        for name in ("trauma_die", "trauma_rating") if _is_direct(facts, blast) else ():
            struck.pop(f"weapon.{name}", None)
        struck["weapon.damage"] = blast["damage"]
    if "attack.pierces" not in request.input.facts:
        struck.pop("attack.pierces", None)
        heavy = like.data.get("heavy") if like is not None else struck.get("weapon.heavy")
        if heavy or struck.get("weapon.wrecks_machines"):
            struck["attack.pierces"] = True
    rule = struck.get("weapon.non_lethal", "never")
    struck["attack.lethal"] = bool(facts.get("attack.lethal")) if rule == "default" else rule == "never"
    for name in ("weapon.damage", "weapon.trauma_die"):
        dice_text(struck, name, faults)
    return struck


def _explosive(struck: Known, request: AttemptRequest, blast: Mapping[str, Any], faults: Faults) -> Explosive:
    dice, scatter = dice_of(struck, "weapon.damage"), dice_of(blast, "scatter")
    if blast.get("scatter") and scatter is None:
        message = f"dice are written such as 1d10, not {blast['scatter']!r}"
        faults.wrong("blast.scatter", "bad-dice", message)
    failed, saved, inside = (_conditions(request, blast.get(name, ())) for name in _CONDITIONS)
    if dice is None and not (failed or saved or inside):
        what = "what goes off: the grenade that is loaded, or the damage of the blast"
        faults.need("blast.like", what, there="blast.like" in request.input.facts)
    save, ignores = blast.get("save", NO_SAVE), bool(blast.get("ignores_armor"))
    over, stops = None if ignores else blast.get("armor_over"), tuple(blast.get("stopped_by", ()))
    halves, greatest = bool(blast.get("cover_halves")), bool(blast.get("greatest_in_grapple"))
    kind = "" if save == NO_SAVE else save
    threat = Threat(dice is not None, kind, over, ignores, stops, halves, greatest)
    shared, up = bool(request.options["shared_area_damage"]), request.options["half_rounding"] == "up"
    parts, leaves = dice.parts if dice else (), blast.get("on_save", HALF if dice else NOTHING)
    brings = failed, saved, inside, blast.get("lasts", 0)
    area = Area(parts, 0, shared, False, leaves, up, not ignores, blast.get("reach"), *brings)
    return Explosive(area, dice.plus if dice else 0, threat, blast.get("aim_ac", POINT_AC), scatter)


def _conditions(request: AttemptRequest, names: Any) -> tuple[Lasting, ...]:
    """Conditions with the dice of the rounds that they last, where the packs roll them."""
    found: list[Lasting] = []
    for name in names:
        entry = request.lookup.entry("condition", name) if isinstance(name, str) else name
        slug, lasts = (str(name), {}) if entry is None else (entry.slug, entry.data.get("lasts", {}))
        dice = dice_of(lasts, "count") if lasts.get("unit") == "round" else None
        found.append((slug, dice.parts if dice else (), dice.plus if dice else 0))
    return tuple(found)


def _places(facts: Known, aim: str, explosive: Explosive, faults: Faults) -> dict[str, Place]:
    """Where everybody is; without a distance at the point aimed at, or in reach where no point is."""
    places: dict[str, Place] = {}
    for who in people_of(facts):
        if who == "target" and aim == AT_TARGET:
            continue  # hit or missed by the weapon itself
        measured, from_point = facts.get(f"{who}.blast_distance"), facts.get(f"{who}.distance")
        if measured is None and aim != AT_POINT:
            measured = from_point
        if measured is not None:
            places[who] = Place(measured, 0.0, 0.0)
        elif aim != AT_POINT:
            places[who] = HERE
        else:
            if from_point and explosive.scatter and f"{who}.bearing" not in facts:
                what = f"where from the point aimed at, in degrees | {who}.blast_distance"
                faults.need(f"{who}.bearing", what)
            places[who] = Place(None, from_point or 0.0, facts.get(f"{who}.bearing", 0))
        if explosive.area.reach is None and places[who] != HERE:
            faults.need("blast.reach", "how far the blast reaches, in metres")
    return places


BONUS, DAMAGE = "attack.bonus", "blast.damage"
_OF_EACH = ("target.ac", "trauma.bonus", "trauma.target")
_WHILE_DEFENDING = ("can_total_defense", "total_defense", "charged", "flashbanged", "dazzled", "blinded")
"""States of a target that change nothing where the point is aimed at on which it stands."""

TARGETS = {**OF_AN_ATTACK, DAMAGE: "Damage bonus of the blast", **numbers.targets_of(PEOPLE, *_OF_EACH)}
TARGETS |= area_victims.SAVE_TARGETS

_ATTACK = AttackProcedure()
AREA_MEASURES = (
    chance("result", "Expected number who make no save", "struck", among=(HIT, SHOCKED)),
    chance("hp_loss", "Expected number of people hurt", "hurt"),
    *HARM_TO_SEVERAL,
)
"""Of what strikes several people at once."""


class BlastProcedure(Procedure):
    """An attack against a point or a target, scatter, one damage roll, and a save of everyone in the radius."""

    id = "blast"
    label = "Explosion"
    vocabulary = BLAST
    decisions = _ATTACK.decisions
    targets = TARGETS
    owners = owners_in(TARGETS)
    inner = TARGETS.keys() - {DAMAGE, *ALONE}
    measures = (
        chance("result", "Chance to strike the spot", "on-the-spot", among=(ON_THE_SPOT,)),
        *AREA_MEASURES,
    )

    def numbers(self, it: Attempt) -> None:
        scene, attack = scene_of(it.request, it.faults), None
        it.facts = scene.facts if scene.aim in (AT_POINT, AT_TARGET) else {}  # what goes off is not refused
        if scene.aim == AT_TARGET:  # the attack of the weapon on a combatant, and the blast where it hits
            with it.faults.collect():
                attack = _ATTACK.prepare(_direct(it.request, scene))
                it.shown |= attack.facts
        it.shown["aim"] = scene.aim
        it.shown |= shown_of(scene.facts) if scene.aim in (AT_POINT, AT_TARGET) else {}
        threat = scene.explosive.threat
        seen = area_victims.as_targets(it, scene.blast, threat, scene.places)
        if it.faults.problems:
            return
        if attack is not None:
            known = it.request.rules.refusals(it.facts)
            it.refused += [one for one in attack.refusals if one not in known]
            for tally in attack.tallies:
                it.keep(tally)
        elif scene.aim == AT_POINT:
            _attack(it.of("", scene.facts))
        if threat.harms and scene.aim != SET:
            _damage(it.of("", scene.blast), scene.explosive.plus)
        it.plan = scene, area_victims.expose(it, scene.blast, threat, seen, scene.places), attack

    def first(self, it: Attempt) -> Stage:
        scene, victims, attack = it.plan
        blast = share(_blast(scene, it.total(DAMAGE) if DAMAGE in it.made else 0, victims))
        if attack is not None:
            changed = [it.made[tally.to] for tally in attack.tallies if it.made[tally.to] is not tally]
            return Shell(attack.rebuild(changed[0]) if changed else attack.stage, blast, 0)
        if scene.aim == SET:
            return Landed(LAID, 0, 0, 0, blast.value.rounds, (), blast.value.fuse)
        if scene.aim == GOES_OFF:
            return explode(blast, Landed(WENT_OFF, 0, 0, 0, blast.value.rounds, ()))
        plan = plan_of(it.request, scene.facts, it.total(BONUS), Launched(blast))
        instants = plan.instants._replace(target_luck=False, iron_hand=False)
        return Attack(plan._replace(instants=instants), Guard(scene.explosive.aim_ac, 0, False), ())


def _direct(request: AttemptRequest, scene: Scene) -> AttemptRequest:
    """The attack on a combatant; against one who stands at the point aimed at only the point's AC counts."""
    facts = {**request.input.facts, "weapon.area": False, "attack.explodes": True}
    if request.input.facts.get("weapon.area"):
        for name in _WHILE_DEFENDING:
            facts.pop(f"target.{name}", None)
        facts["target.ranged_ac"] = scene.explosive.aim_ac
    return request.with_facts(facts)


def _attack(it: Attempt) -> None:
    """The attack bonus of the one who throws or shoots."""
    rounds = it.facts.get("spotted_rounds", 0)
    spotter = Entry("spotter", "Further rounds with a spotter", rounds, origin="rule")
    it.tally(BONUS, *numbers.attack_base(it), *([spotter] if rounds else ()))


def _damage(it: Attempt, plus: int) -> None:
    """What is added to the dice of the blast: no attribute, unless by house rule (R10)."""
    adds = it.options["explosives_add_attr"] and "attack.attribute_modifier" in it.facts
    own = numbers.of_attribute(it) if adds else ()
    it.tally(DAMAGE, *([numbers.of_weapon(it, plus)] if plus else ()), *own)


def _blast(scene: Scene, plus: int, people: tuple[Shared[Victim], ...]) -> Blast:
    area, scatter = scene.explosive.area._replace(plus=plus), scene.explosive.scatter
    dice: DiceParts = scatter.parts if scatter else ()
    fuse = scene.facts.get("fuse_rounds", -1)
    # One round, or one piece of what is thrown or laid; what goes off by itself is spent already.
    rounds = NO_ROUNDS if scene.aim == GOES_OFF else Rounds.of(1, scene.facts.get("weapon.rounds"))
    return Blast(share(area), people, dice, scatter.plus if scatter else 0, rounds, fuse)

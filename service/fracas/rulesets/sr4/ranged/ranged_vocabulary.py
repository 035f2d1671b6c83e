"""What a request may say of a ranged attack, of a barrier or a combatant in its way, and of several attacks at once.

Rulebook sections 8, 10.1 to 10.3 and 11.8.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from fracas.kernel.fields import choice, entry, fields, flag, metres, person, text, vocabulary, whole, words
from fracas.kernel.vocabulary import Field, Record, Vocabulary
from fracas.rulesets.sr4 import vocabulary as common

PARTS = {"tire": "flat-tire", "window": "window-broken", "sensor": "sensor-shot-out", "gun": "gun-shot-out"}
"""Parts of machines at which shots are called (section 31.4), each with the condition of a machine that has lost it."""

RATING = "barrier.rating"
"""The armor after penetration, as a fact and as a number."""

BARRIER_FIELDS = (
    *fields(
        "barrier",
        material=text(
            "Material", "A row of the table of barriers, which gives the numbers.", most=60, example="average"
        ),
        armor=whole("Armor of the barrier", "In place of that of its material.", most=200),
    ),
    Field(RATING, "whole", "Armor of the barrier after penetration", derived_from="barrier.armor"),
)

DISTANCE = metres("Distance", example=12)
MODES = ("SS", "SA", "BF", "FA")
FIRE_MODES = ("single-shot", "semi-automatic", "short-burst", "long-burst", "full-burst")
BANDS = ("short", "medium", "long", "extreme", "beyond", "too-close")

_LENGTHS, _BY_ROUNDS = ("shot", "short", "long", "full"), "By the rounds that were there."
_ELEMENT = "Of the damage: half the Impact armor and gear against the element protect; fire and acid go on."
_PART = "With a firearm in each hand: dice of the pool that this one gets, before modifiers."
_OTHER_RECOIL = "Not compensated; it counts for both."
_BEFORE_TARGET = "Armor of a Physical Barrier before the target; a barrier that is given counts in its place."
_ATTACKER = fields(
    "attacker",
    split_dice=common.dice("Dice of a split pool", _PART, 1),
    two_firearms=flag("Two firearms", derived_from="attacker.split_dice"),
    other_recoil=whole("Recoil of the other firearm", _OTHER_RECOIL, most=60),
    in_cover=flag("Firing from cover"),
    off_hand=common.OFF_HAND,
    take_aim=whole("Take Aim actions", "Simple Actions spent on aiming, not lost since.", most=20),
    magnification=flag("Magnification lined up", "A Take Aim was spent to line it up."),
    flare_compensation=common.FLARE_COMPENSATION,
    targets_before=whole("Other targets before", "In this Action Phase.", most=20),
    rounds_before=whole("Rounds fired before", "In this Action Phase.", most=60),
    bursts_before=whole("Attacks before", "In this Action Phase; for flat recoil.", most=10),
    deployed=flag("Deployed", "Stock shouldered, bipod or tripod set up."),
    gyro=whole("Gyro stabilization", "Rating of the harness, if one is worn.", most=20),
    recoil_compensation=whole("More recoil compensation", "Beyond what the weapon itself has.", most=50),
    thrown_dv=whole("Thrown DV", "Boxes more.", most=20),
    throwing_strength=whole("Strength to throw", "Points more.", most=20),
    darkness_dice=common.DARKNESS_DICE,
    skill=common.WEAPON_SKILL,
)

_TARGET = fields(
    "target",
    pool=common.dice("Defense pool", "Dice before modifiers, in place of the attribute."),
    unaware=common.UNAWARE,
    full_defense=common.FULL_DEFENSE,
    defenses_made=common.DEFENSES_MADE,
    prone=common.PRONE,
    cover=common.COVER,
    hidden=flag("Hidden", "The target cannot be seen: blind fire."),
    soak_bonus=common.SOAK_BONUS,
    missile_parry=whole("Level of Missile Parry", "Dice against what is thrown or shot with a bow.", 0, 20),
    spell_barrier=whole("Barrier of magic", _BEFORE_TARGET, most=50),
)

CATEGORY = choice("Category", choices=common.CATEGORIES)
FIRING_MODES = words("Firing modes", choices=MODES)
_WEAPON = fields(
    "weapon",
    name=text("Name", most=80),
    category=CATEGORY,
    skill=common.USING_SKILL,
    dv=whole("Damage Value", "Before net hits, without Strength.", most=100, unit="boxes", example=5),
    **common.WEAPON_DAMAGE,
    element=choice("Element", _ELEMENT, choices=common.ELEMENTS),
    flechette=flag("Flechette"),
    modes=FIRING_MODES,
    rc=whole("Recoil compensation", "What is always there.", most=50),
    rc_deployed=whole("Recoil compensation deployed", "With stock or bipod in use.", most=50),
    recoil_factor=whole("Recoil factor", "2 doubles uncompensated recoil; 1 unless given.", least=1, most=3),
    **common.WEAPON_LOAD,
    range=entry("Range table", entry_kind="range", example="heavy-pistol"),
    minimum_strength=whole("Bow rating", most=50),
    ammunition=entry("Ammunition", entry_kind="ammunition", example="apds"),
)

_FIRE = (
    *fields(
        "fire",
        mode=choice("Firing mode", choices=FIRE_MODES, example="semi-automatic"),
        spread=choice("Burst", "Narrow raises damage, wide hampers defense.", choices=("narrow", "wide")),
        choke=choice("Choke", "A shotgun that fires shot.", choices=("narrow", "medium", "wide")),
        area=flag("Area weapon", "A blast aimed at a moving target."),
        rounds=whole("Rounds of this attack", derived_from="fire.mode"),
        burst_bonus=whole(
            "Burst bonus", "DV or defense dice, after missing rounds.", derived_from="fire.mode"
        ),
        length=choice("Length of the burst", _BY_ROUNDS, choices=_LENGTHS, derived_from="fire.mode"),
    ),
    *fields("recoil", factor=whole("Recoil factor", least=1, most=3, derived_from="weapon.recoil_factor")),
    *fields(
        "called_shot",
        kind=choice("Called shot", choices=(*common.CALLED_SHOTS, "part")),
        part=choice("Part of a machine", "What is to be destroyed.", choices=tuple(PARTS)),
    ),
    *common.CALLED_SHOT_FIELDS,
    *common.raisable("shot"),
    *fields(
        "",
        distance=DISTANCE,
        visibility=words("Visibility", "Every condition between the two.", choices=common.VISIBILITY),
        contact=flag("Works by contact", "Even a graze has its effect."),
        tracer=flag("Tracer rounds", derived_from="weapon.ammunition"),
    ),
    *fields("range", band=choice("Range", choices=BANDS, derived_from="distance")),
    *fields("", visibility_modifier=common.VISIBILITY_MODIFIER),
    *fields(
        "recoil",
        own=whole("Recoil of this attack", derived_from="fire.mode"),
        phase=whole("Recoil of the phase", derived_from="attacker.rounds_before"),
        compensation=whole("Recoil compensation", derived_from="weapon.rc"),
        gyro_left=whole("Gyro rating left for movement", derived_from="attacker.gyro"),
    ),
)

RANGED_ATTACK = vocabulary(
    person("attacker", "Attacker"),
    person("target", "Target"),
    Record("weapon", "Weapon", "weapon", "A weapon of the packs, or fields of one, or both."),
    Record("fire", "How it is fired"),
    Record("called_shot", "Called shot"),
    Record("barrier", "Barrier", "", "A material of the packs, or its numbers, or both."),
    common.combatant_fields("attacker"),
    common.ATTACK_POOL,
    _ATTACKER,
    common.combatant_fields("target"),
    _TARGET,
    _WEAPON,
    _FIRE,
    BARRIER_FIELDS,
)

VICTIMS = tuple(f"victim_{number}" for number in range(1, 7))
"""The records of people that an attack on several reaches, beside the target."""


def reaching(doc: str, its: Callable[[str], Iterable[Field]], *more: Iterable[Field]) -> Vocabulary:
    """The words of a ranged attack, without barriers, that reaches several people. `doc`: who they are. `its`: the
    fields of each victim. `more`: other fields."""
    return vocabulary(
        *(record for record in RANGED_ATTACK.records.values() if record.path != "barrier"),
        *(person(who, common.named(who), doc) for who in VICTIMS),
        (field for field in RANGED_ATTACK.fields.values() if not field.path.startswith("barrier.")),
        (field for who in VICTIMS for field in its(who)),
        *more,
    )


SHIELD = "shield"
_AS_BARRIER = "A person as a barrier: Body and armor are those of this one, who is hit as well."
SHIELD_RECORD = person(SHIELD, "Who is in the way", _AS_BARRIER, optional=True)
"""The record of a person who is the barrier, or who stands behind one of magic that is attacked."""

NUMBERS = {
    "shield.armor.rating": "In the way: armor after penetration",
    "shield.resist.pool": "In the way: damage resistance pool",
}
"""The numbers of the one who is in the way."""

SHIELD_FIELDS = (*common.combatant_fields(SHIELD), *fields(SHIELD, soak_bonus=common.SOAK_BONUS))
SINGLE_SHOT = vocabulary(
    *RANGED_ATTACK.records.values(), SHIELD_RECORD, RANGED_ATTACK.fields.values(), SHIELD_FIELDS
)
"""A ranged attack at one target, perhaps through a combatant."""

VOLLEYS = SPREAD_SHOT, SPLIT_BURST, TWO_FIREARMS = "spread-shot", "split-burst", "two-firearms"
TARGETS = TARGET, SECOND, THIRD = "target", "target_2", "target_3"
"""The records of the people shot at, in order."""
WEAPONS = WEAPON, SECOND_WEAPON = "weapon", "weapon_2"


def _as(record: str, like: str) -> Iterator[Field]:
    """The fields of a record that is like one of a ranged attack."""
    for field in RANGED_ATTACK.fields.values():
        if field.path.startswith(f"{like}."):
            derived = field.derived_from and field.derived_from.replace(f"{like}.", f"{record}.", 1)
            yield field._replace(path=field.path.replace(f"{like}.", f"{record}.", 1), derived_from=derived)


def _further(who: str) -> Iterator[Field]:
    yield from _as(who, TARGET)
    yield from fields(
        who,
        distance=metres("Distance of this target", "Distance if left out, for targets that stand together."),
        attacked_before=flag("Attacked before", "Was a target in this Action Phase already."),
    )


def _burst_of(record: str, which: str) -> Field:
    return RANGED_ATTACK.fields["fire.spread"]._replace(
        path=f"{record}.spread",
        label=f"Burst of the {which} attack",
        doc="Narrow raises damage, wide hampers defense; as the first if left out.",
    )


_OF_SECOND = "Of this Action Phase."
RANGED_VOLLEY = vocabulary(
    *RANGED_ATTACK.records.values(),
    Record(SECOND_WEAPON, "Second firearm", "weapon", "In the other hand."),
    person(SECOND, "Second target"),
    person(THIRD, "Third target"),
    Record("fire_2", "How the second attack is fired"),
    Record("fire_3", "How the third attack is fired"),
    RANGED_ATTACK.fields.values(),
    _as(SECOND_WEAPON, WEAPON),
    _further(SECOND),
    _further(THIRD),
    fields(
        "",
        volley=choice(
            "Several attacks",
            "If left out: two firearms with a second weapon, a spread with a choke, a split burst otherwise.",
            choices=VOLLEYS,
        ),
        apart=metres("Distance between the targets", "The greatest.", 1000),
        long_first=flag("Long burst first", "Of a full burst at two targets; the short one if not."),
    ),
    fields(
        "fire_2",
        mode=choice("Firing mode of the second firearm", "As the first if left out.", choices=FIRE_MODES),
    ),
    _burst_of("fire_2", "second"),
    _burst_of("fire_3", "third"),
    fields(
        "attacker",
        specialized_2=flag(
            "Specialized with the second firearm", "As with the first if left out and both use one skill."
        ),
        rounds_before_2=whole("Rounds of the second firearm before", _OF_SECOND, most=60),
    ),
    fields(
        "volley",
        targets=whole("Targets", derived_from="target_2.reaction"),
        most_targets=whole("Most targets", derived_from="volley"),
        too_far=metres("Targets too far apart", "Beyond the limit.", 1000, derived_from="apart"),
        whole_pool=whole("Pool that is split", derived_from="attacker.skills"),
        loaded=whole("Rounds loaded before", derived_from="weapon.rounds"),
    ),
)

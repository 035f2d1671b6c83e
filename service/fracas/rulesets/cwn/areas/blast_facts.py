"""What follows from the situation of an explosion before any modifier is judged: rulebook section 5.7.

What a weapon's blast does stands in its pack entry (``blast``), which may take it from another weapon (``like``); what
a request says of the blast goes before both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fracas.kernel.required import Faults
from fracas.kernel.ruleset import Asked
from fracas.kernel.vocabulary import PackEntry
from fracas.rulesets.cwn.areas.area_stages import HALF, NOTHING, Lasting
from fracas.rulesets.cwn.areas.area_victims import HERE, Facts, Place, Threat, people_of
from fracas.rulesets.cwn.areas.area_vocabulary import AT_POINT, AT_TARGET, GOES_OFF, NO_SAVE, SET
from fracas.rulesets.cwn.attacks.facts import Dice, derive_attacker, dice_of

POINT_AC = 10
_WEAPON = ("damage", "trauma_die", "trauma_rating", "wrecks_machines", "non_lethal")
"""Fields of a weapon that a blast like its has."""
_ON_ITS_OWN = ("distance", "weapon.ready", "weapon.rounds")
"""What does not matter for something that goes off by itself."""


class Explosive(NamedTuple):
    """What goes off.

    Attributes:
        dice: the damage; None for none.
        source: id of the weapon whose blast it is; "" for none.
        reach: metres; None where it is not said.
        aim_ac: of a point.
        scatter: dice of metres by which a miss goes astray; None: it is lost.
        lasts: rounds for which it stays; 0: as long as its conditions last.
        direct: the weapon does damage of its own to whomever it hits.
    """

    dice: Dice | None
    source: str
    reach: float | None
    aim_ac: int
    scatter: Dice | None
    on_save: str
    threat: Threat
    conditions: tuple[Lasting, ...]
    saved: tuple[Lasting, ...]
    inside: tuple[Lasting, ...]
    lasts: int
    direct: bool


class Scene(NamedTuple):
    """An explosion with everything that follows from what was said.

    Attributes:
        facts: of the attack.
        blast: the facts as they are for those in reach: the damage is that of the blast.
        places: everybody whom it may reach, by record.
    """

    facts: dict[str, Any]
    blast: dict[str, Any]
    aim: str
    explosive: Explosive
    places: Mapping[str, Place]


def scene_of(asked: Asked, faults: Faults) -> Scene:
    """What follows; what is missing or wrong is noted in the faults."""
    said = asked.said.facts
    blast = _blast_data(asked)
    aim = _aim_of(said, blast)
    if aim in (GOES_OFF, SET):
        facts = derive_attacker(asked, Faults())  # nobody aims
        for name in _ON_ITS_OWN if aim == GOES_OFF else ():
            facts.pop(name, None)
        facts.setdefault("attacker.stat_block", "attacker.attack_bonus_ranged" in facts)
    else:
        facts = derive_attacker(asked, faults)
    facts["aim"] = aim
    strikes = bool(blast) or (aim == AT_POINT and bool(said.get("weapon.area")))
    if aim in (AT_POINT, AT_TARGET) and not strikes:
        faults.wrong(
            "weapon", "no-blast", "this weapon strikes no area", "say what its blast does in 'blast'"
        )
    struck = _struck_facts(facts, asked, blast, faults)
    explosive = _explosive(struck, asked, blast, faults)
    return Scene(facts, struck, aim, explosive, {} if aim == SET else _places(facts, aim, explosive, faults))


def _blast_data(asked: Asked) -> dict[str, Any]:
    """What the packs and the request say of the blast; ``like`` is the weapon whose it is."""
    facts = asked.said.facts
    weapon = asked.catalog.entry("weapon", asked.said.used["weapon"]) if "weapon" in asked.said.used else None
    own: Mapping[str, Any] = (weapon.data.get("blast") or {}) if weapon else {}
    like: PackEntry | None = facts.get("blast.like", facts.get("weapon.loaded_grenade"))
    if like is None and "like" in own:
        like = asked.catalog.entry("weapon", own["like"])
    data: dict[str, Any] = {}
    if like is not None:
        data |= {**like.data.get("blast", {}), "like": like}
        data.pop("aim_ac", None)
        data.pop("scatter", None)
    data |= {name: value for name, value in own.items() if name != "like"}
    if "like" in own or "damage" in own:
        data["direct"] = True
    data |= {
        name.removeprefix("blast."): value
        for name, value in facts.items()
        if name.startswith("blast.") and name != "blast.like"
    }
    if like is not None and "weapon.damage" not in facts:
        data.setdefault("scatter", like.data.get("blast", {}).get("scatter"))
    return data


def _aim_of(facts: Facts, blast: Mapping[str, Any]) -> str:
    said: str | None = facts.get("aim")
    if said is not None:
        return said
    if "weapon.range_normal" not in facts and "distance" not in facts:
        return GOES_OFF
    aimed = any(name.startswith("target.") for name in facts)
    return AT_TARGET if aimed and (_is_direct(facts, blast) or not blast) else AT_POINT


def _is_direct(facts: Facts, blast: Mapping[str, Any]) -> bool:
    """The weapon's own damage is for whomever it hits, and the blast has another."""
    return "weapon.damage" in facts and bool(blast.get("direct"))


def _struck_facts(facts: Facts, asked: Asked, blast: Mapping[str, Any], faults: Faults) -> dict[str, Any]:
    """The facts with damage and Trauma Die of the blast for those of the weapon."""
    struck = dict(facts)
    like: PackEntry | None = blast.get("like")
    if like is not None:
        for name in _WEAPON:
            struck.pop(f"weapon.{name}", None)
            if name in like.data:
                struck[f"weapon.{name}"] = like.data[name]
    if "damage" in blast:  # of its own, without a Trauma Die
        for name in ("trauma_die", "trauma_rating") if _is_direct(facts, blast) else ():
            struck.pop(f"weapon.{name}", None)
        struck["weapon.damage"] = blast["damage"]
    if "attack.pierces" not in asked.said.facts:
        struck.pop("attack.pierces", None)
        heavy = like.data.get("heavy") if like is not None else struck.get("weapon.heavy")
        if heavy or struck.get("weapon.wrecks_machines"):
            struck["attack.pierces"] = True
    rule = struck.get("weapon.non_lethal", "never")
    struck["attack.lethal"] = bool(facts.get("attack.lethal")) if rule == "default" else rule == "never"
    for name in ("weapon.damage", "weapon.trauma_die"):
        if name in struck and dice_of(struck, name) is None:
            faults.wrong(name, "bad-dice", f"dice are written such as 1d8 or 2d6+1, not {struck[name]!r}")
    return struck


def _explosive(struck: Facts, asked: Asked, blast: Mapping[str, Any], faults: Faults) -> Explosive:
    dice = dice_of(struck, "weapon.damage")
    scatter = blast.get("scatter")
    scattered = dice_of({"scatter": scatter}, "scatter") if scatter else None
    if scatter and scattered is None:
        faults.wrong("blast.scatter", "bad-dice", f"dice are written such as 1d10, not {scatter!r}")
    found = {name: _conditions(asked, blast.get(name, ())) for name in ("conditions", "saved", "inside")}
    if dice is None and not any(found.values()):
        what = "what goes off: the grenade that is loaded, or the damage of the blast"
        faults.need("blast.like", what, there="blast.like" in asked.said.facts)
    save = blast.get("save", NO_SAVE)
    threat = Threat(
        dice is not None,
        "" if save == NO_SAVE else save,
        None if blast.get("ignores_armor") else blast.get("armor_over"),
        bool(blast.get("ignores_armor")),
        tuple(blast.get("stopped_by", ())),
        bool(blast.get("cover_halves")),
        bool(blast.get("greatest_in_grapple")),
    )
    like = blast.get("like")
    return Explosive(
        dice,
        like.id if like is not None else "",
        blast.get("reach"),
        blast.get("aim_ac", POINT_AC),
        scattered,
        blast.get("on_save", HALF if dice else NOTHING),
        threat,
        found["conditions"],
        found["saved"],
        found["inside"],
        blast.get("lasts", 0),
        _is_direct(asked.said.facts, blast),
    )


def _conditions(asked: Asked, names: Any) -> tuple[Lasting, ...]:
    """Conditions with the dice of the rounds that they last, where the packs roll them."""
    found: list[Lasting] = []
    for name in names:
        entry = asked.catalog.entry("condition", name) if isinstance(name, str) else name
        slug = entry.slug if entry is not None else str(name)
        lasts = entry.data.get("lasts", {}) if entry is not None else {}
        dice = dice_of({"lasts": lasts.get("count")}, "lasts") if lasts.get("unit") == "round" else None
        found.append((slug, ((dice.dice, dice.sides),) if dice else (), dice.plus if dice else 0))
    return tuple(found)


def _places(facts: Facts, aim: str, explosive: Explosive, faults: Faults) -> dict[str, Place]:
    """Where everybody is; without a distance at the point aimed at, or in reach where no point is."""
    places: dict[str, Place] = {}
    for who in people_of(facts):
        if who == "target" and aim == AT_TARGET:
            continue  # hit or missed by the weapon itself
        measured = facts.get(f"{who}.blast_distance")
        from_point = facts.get(f"{who}.distance")
        bearing = facts.get(f"{who}.bearing", 0)
        if measured is not None:
            places[who] = Place(measured, 0.0, 0.0)
        elif from_point is None and aim != AT_POINT:
            places[who] = HERE
        elif aim != AT_POINT:
            places[who] = Place(from_point or 0.0, 0.0, 0.0)
        else:
            if from_point and explosive.scatter and f"{who}.bearing" not in facts:
                faults.need(
                    f"{who}.bearing",
                    f"where from the point aimed at, in degrees | {who}.blast_distance",
                )
            places[who] = Place(None, from_point or 0.0, bearing)
        if explosive.reach is None and places[who] != HERE:
            faults.need("blast.reach", "how far the blast reaches, in metres")
    return places

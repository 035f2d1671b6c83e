"""How the entries of a Shadowrun 4 pack are put to use once, to see that they work.

Ready-made combatants of the packs serve as attacker and target where there are some, plain numbers otherwise, so
that a pack of weapons can be tried by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.ruleset import Sample
from fracas.kernel.vocabulary import EntryLookup, PackEntry
from fracas.rulesets.sr4.magic.workings import ATTRIBUTE, LOWERS
from fracas.rulesets.sr4.ranged.ranged_vocabulary import BANDS, RANGED_ATTACK
from fracas.rulesets.sr4.vocabulary import METATYPES, PISTOLS, RESISTED

Situation = Mapping[str, Any]


def _bursts(*modes: str) -> tuple[Situation, ...]:
    return tuple({"mode": mode, "spread": spread} for mode in modes for spread in ("narrow", "wide"))


_SINGLE = {"mode": "single-shot"}
_FIRES: Mapping[str, Sequence[Situation]] = {
    "SS": (_SINGLE,),
    "SA": ({"mode": "semi-automatic"},),
    "BF": _bursts("short-burst"),
    "FA": (_bursts("short-burst")[0], *_bursts("long-burst", "full-burst")),
}
_FARTHEST = RANGED_ATTACK.fields["distance"].most
_NEAR = 3
_BLASTS = ("grenade", "missile")
"""What strikes an area, of the things that weapons fire."""
_WARHEAD = {"dv": 10, "damage": "physical", "ap": -2, "armor_kind": "impact"}
"""A high explosive grenade, for a launcher whose damage is that of what it fires."""

SHOOTER = {**dict.fromkeys(("agility", "strength", "magic", "intuition"), 4), "skills": {}, "armor": []}
SHOOTER["rounds_before"] = 0
_SURE = {"pool": 40, "strength": 4, "magic": 4, "body": 4, "armor": []}
"""Hits, as good as always."""
VICTIM = {"reaction": 3, "body": 3, "willpower": 3, "skills": {}, "armor": [], "physical": 0, "stun": 0}
_CASTER = {"magic": 5, "skills": {"spellcasting": 4}, "willpower": 4, "drain_pool": 8, "touch_pool": 8}
_BULLET = {"dv": 5, "damage": "physical", "ap": -1, "armor_kind": "ballistic"}
_GUN = {"skill": "pistols", **_BULLET, "modes": ["SA"]}
_SHOCKER = {**_GUN, "dv": 8, "damage": "stun", "armor_kind": "impact", "electric": True, "modes": ["SS"]}
_SHOCK: Situation = {"weapon": _SHOCKER, "fire": _SINGLE}
_BARE = {"dv": 0, "dv_half_strength": True, "damage": "stun", "ap": 0, "armor_kind": "impact"}
_FISTS = {"skill": "unarmed-combat", "reach": 0, **_BARE}
_FLAMES = {"value": 6, "element": "fire"}
_DIM: Situation = {"visibility": ["partial-light"]}
_USER = {**VICTIM, **dict.fromkeys(("response", "system", "firewall"), 4), "world": "matrix-hot"}
_USER |= {"programs": {"attack": 4}, "skills": {"cybercombat": 4}}
"""A combatant in the Matrix."""


def samples(entry: PackEntry, lookup: EntryLookup) -> Sequence[Sample]:
    """The trials of an entry; none for a kind that no procedure reads."""
    trying = Trying(lookup)
    found = getattr(trying, entry.kind)(entry) if entry.kind in _KINDS else ()
    return [one for one in found if all(lookup.entry("table", table) for table in _tables_of(one))]


def _tables_of(sample: Sample) -> list[str]:
    """The tables that it takes: a pack that is tried by itself may have none of them."""
    given = sample.situation
    found = [table for name, table in _TABLES.items() if name in given]
    found += [table for record, field, table in _TABLES_OF_FIELDS if field in given.get(record, ())]
    return [*found, *_TABLES_OF.get(sample.procedure, ())]


_TABLES = {"visibility": "visibility", "volley": "full-burst-spread"}
_TABLES_OF_FIELDS = (("fire", "choke", "shotgun-chokes"), ("damage", "height", "falling"))
_TABLES_OF = {
    "blast-attack": ("scatter-direction",),
    "cast-spell": ("traditions", "increase-reflexes"),
    "matrix-work": ("access-rights",),
}


class Trying:
    """Who takes part in trials, and what each kind of entry is put to use for."""

    def __init__(self, lookup: EntryLookup) -> None:
        self.lookup = lookup
        self.attacker = self._ready("agility", "strength", "skills", rounds_before=0) or SHOOTER
        self.target = self._ready("reaction", "body", "willpower", "armor") or VICTIM
        self.caster = self._ready("magic", "tradition", "skills") or _CASTER

    def _ready(self, *fields: str, **more: int) -> dict[str, Any]:
        """The first combatant who says all of these; empty for nobody."""
        found = (one for one in self.lookup.entries("combatant") if one.data.keys() >= {*fields})
        return next(({"use": one.id, **more} for one in found), {})

    def shot(self, **more: Any) -> Sample:
        """A shot with a plain gun, unless something else is given."""
        people = {"attacker": self.attacker, "target": self.target}
        plain = {"weapon": _GUN, "fire": _FIRES["SA"][0], "distance": _NEAR}
        return Sample("ranged-attack", {**people, **plain, **more})

    def blow(self, **more: Any) -> Sample:
        """A blow with bare hands, unless something else is given."""
        given = {"attacker": self.attacker, "target": self.target, "weapon": _FISTS, **more}
        fighter = {name: value for name, value in given["attacker"].items() if name != "rounds_before"}
        return Sample("melee-attack", {**given, "attacker": fighter})

    def weapon(self, entry: PackEntry) -> Iterator[Sample]:
        """In each firing mode and range band; at a barrier, into a zone and as a quick draw, where made for it."""
        if is_melee(entry):
            yield from self._blows(entry)
            return
        data = entry.data
        if data.get("fires") in _BLASTS:
            yield from self._explosions(entry.id, self._warhead_for(entry))
        use, fires, distances = load_of(entry), ways_to_fire(entry), self._bands_of(entry, self.attacker)
        shooter = {**self.attacker, **({"magic": 4} if data.get("dv_magic") else {})}
        for at in range(max(len(fires), len(distances))):
            fire, distance = fires[at % len(fires)], distances[at % len(distances)]
            yield self.shot(attacker=shooter, weapon=use, fire=fire, distance=distance)
        aimed = {"attacker": shooter, "weapon": use, "distance": distances[0]}
        yield Sample("barrier-attack", {**aimed, "fire": fires[0], "barrier": {"armor": 4, "structure": 5}})
        if "FA" in data.get("modes", ()):
            exposed = {**self.target, "edge": 1}
            zone = {"weapon": {**use, "rounds": 20}, "target": exposed, "victim_1": exposed}
            yield Sample("suppressive-fire", {**aimed, **zone})
        if data.get("category") in PISTOLS:
            quick = {"attacker": {**self.attacker, "reaction": 4}, "target": self.target, "fire": fires[0]}
            yield Sample("quick-draw", {**aimed, **quick})
        base = {**aimed, "target": self.target, "distance": _NEAR}
        for several in self._several(entry, use, fires[0]):
            yield Sample("ranged-volley", {**base, **several})

    def _several(self, entry: PackEntry, use: Situation, fire: Situation) -> Iterator[Situation]:
        """At several targets, as far as it can: shot that spreads, a full burst that is split, one in each hand."""
        category, narrow, second = entry.data.get("category"), {"spread": "narrow"}, {"target_2": self.target}
        if category == "shotgun":
            yield {**second, "fire": {**narrow, "choke": "medium"}}
            yield {**second, "target_3": self.target, "fire": {**narrow, "choke": "wide"}}
        if "FA" in entry.data.get("modes", ()):
            yield {**second, "volley": "split-burst", "fire": narrow}
        if category in (*PISTOLS, "submachine-gun"):
            yield {"weapon_2": use, "fire": fire}

    def _blows(self, entry: PackEntry) -> Iterator[Sample]:
        """A strike at one who dodges, one who parries with it, one unaware; without harm; at several."""
        unaware = {**self.target, "unaware": True}
        yield self.blow(weapon=entry.id)
        yield self.blow(attacker=_SURE, target={**self.target, "weapon": entry.id}, weapon=entry.id)
        yield self.blow(target=unaware, weapon=entry.id)
        for aim in ("touch", "knockdown"):
            yield self.blow(attacker=_SURE, weapon=entry.id, aim=aim)
        both = {"target": self.target, "target_2": unaware}
        yield Sample("melee-sweep", {"attacker": _SURE, **both, "weapon": entry.id})

    def armor(self, entry: PackEntry) -> Iterator[Sample]:
        """Worn by a target who is hit, by a bullet and by a shock, and by who shoots."""
        worn = {"armor": [entry.id]}
        target = {**self.target, **worn, "unaware": True}
        yield self.shot(attacker=_SURE, target=target)
        yield self.shot(attacker=_SURE, target=target, **_SHOCK)
        yield self.shot(attacker={**self.attacker, **worn}, target={**target, "unaware": False})
        yield Sample("damage-resistance", {"target": {**self.target, **worn}, "damage": _FLAMES})

    def ammunition(self, entry: PackEntry) -> Iterator[Sample]:
        """In the first weapon that takes it, in each of its firing modes, at a target who is hit."""
        gun = self._gun_taking(entry)
        loaded = {**(load_of(gun) if gun else _GUN), "ammunition": entry.id}
        distance = self._bands_of(gun, _SURE)[0] if gun else _NEAR
        for fire in ways_to_fire(gun) if gun else _FIRES["SA"]:
            yield self.shot(attacker=_SURE, weapon=loaded, fire=fire, distance=distance)
        if _explodes(entry):
            yield from self._explosions(gun.id if gun else None, entry.id)

    def _explosions(self, weapon: str | None, warhead: str | None) -> Iterator[Sample]:
        """At a place, at a target with a bystander, and as what lies there already, with a victim close by."""
        use: Situation = {"use": weapon} if weapon else {"skill": "heavy-weapons", "modes": ["SS"]}
        use = {**use, **({"ammunition": warhead} if warhead else {**_WARHEAD, "blast_falloff": 2})}
        bystander = {**self.target, "distance": 3, "bearing": 90}
        close = {**self.target, "blast_distance": 1, "rebound": 3}
        yield Sample("blast-attack", {"attacker": self.attacker, "weapon": use})
        both = {"target": self.target, "victim_1": bystander}
        yield Sample("blast-attack", {"attacker": _SURE, **both, "weapon": use})
        yield Sample("blast-attack", {"aim": "goes-off", "victim_1": close, "weapon": use})

    def _warhead_for(self, weapon: PackEntry) -> str | None:
        """The first ammunition that the weapon fires; None where it holds its own."""
        if "ammunition" in weapon.data:
            return str(weapon.data["ammunition"])
        exploding = (one for one in self.lookup.entries("ammunition") if _explodes(one))
        return next((one.id for one in exploding if one.data["fits"] == weapon.data["fires"]), None)

    def range(self, entry: PackEntry) -> Iterator[Sample]:
        """In each of its bands."""
        guns = self.lookup.entries("weapon")
        weapon = next((gun for gun in guns if gun.data.get("range") in (entry.slug, entry.id)), None)
        use = {**(load_of(weapon) if weapon else _GUN), "range": entry.id}
        fire = ways_to_fire(weapon)[0] if weapon else _FIRES["SA"][0]
        for distance in _distances_of(entry.data, self._reach_of(self.attacker, weapon)):
            yield self.shot(weapon=use, fire=fire, distance=distance)

    def combatant(self, entry: PackEntry) -> Iterator[Sample]:
        """Attacks with each of the weapons carried, and is attacked."""
        who, data = {"use": entry.id}, entry.data
        if data.get("agent"):
            yield Sample("matrix-attack", {"attacker": _USER, "target": who, "program": "attack"})
            return
        attacker = {**who, "rounds_before": 0}
        references = data.get("weapons")
        for reference in references if isinstance(references, list) else ():
            weapon = self.lookup.entry("weapon", reference) if isinstance(reference, str) else None
            if weapon is None:
                yield self.shot(attacker=attacker, weapon={"use": reference}, fire=_SINGLE)
            elif is_melee(weapon):
                yield self.blow(attacker=attacker, weapon=reference)
            else:
                use, distance = {**load_of(weapon), "use": reference}, self._bands_of(weapon, attacker)[0]
                fire = ways_to_fire(weapon)[0]
                yield self.shot(attacker=attacker, weapon=use, fire=fire, distance=distance)
        yield self.shot(attacker=attacker)
        yield self.blow(attacker=_SURE, target=who)
        yield self.shot(attacker=_SURE, target=who)
        yield self.shot(attacker=_SURE, target=who, **_SHOCK)

    def mod(self, entry: PackEntry) -> Iterator[Sample]:
        """What adds a feature to a weapon, or a way of seeing to its wearer."""
        feature, sense, element = (entry.data.get(name) for name in ("feature", "sense", "resists"))
        if element in RESISTED:
            target = {**self.target, "resistances": {element: entry.data.get("ratings", 1)}}
            yield Sample("damage-resistance", {"target": target, "damage": {"value": 6, "element": element}})
        if feature is not None:
            linked = {**self.attacker, "smartlink": True}
            yield self.shot(attacker=linked, weapon={**_GUN, "features": [feature]})
        if sense is not None:
            yield self.shot(attacker={**self.attacker, "senses": ["normal", sense]}, **_DIM)

    def metatype(self, entry: PackEntry) -> Iterator[Sample]:
        """Shooting and striking, shot at and struck, with the skin, the eyes and the arms that it has."""
        data = entry.data
        body: dict[str, Any] = {"metatype": entry.slug} if entry.slug in METATYPES else {}
        body |= {f"{name}_bonus": data[name] for name in ("ballistic", "impact") if name in data}
        body |= {"senses": data["senses"]} if "senses" in data else {}
        acts, suffers = {**self.attacker, **body}, {**self.target, **body}
        yield self.shot(attacker=acts, **_DIM)
        yield self.shot(attacker=_SURE, target=suffers)
        yield self.blow(attacker=acts)
        yield self.blow(attacker=_SURE, target=suffers)

    def power(self, entry: PackEntry) -> Iterator[Sample]:
        """A spell with little Force and with more than the Magic: with a bystander, on one unaware, on oneself."""
        if entry.data.get("type") == "critter":
            beast = dict.fromkeys(("magic", "charisma", "willpower", "strength", "body", "agility"), 4)
            victim = {**self.target, **beast, "intuition": 3, "reaction": 3}
            yield Sample("critter-power", {"user": beast, "power": entry.id, "target": victim})
        if entry.data.get("type") != "spell":
            return
        weak = {"strength": 1}  # what a spell of any Force may raise
        caster, unhurt = {**self.caster, **weak}, {"physical": 0, "stun": 0}
        target = {**self.target, **unhurt, **weak}
        raises = {"attribute": "strength"} if entry.data.get("does") in (ATTRIBUTE, LOWERS) else {}
        spell: dict[str, Any] = {"spell": {"use": entry.id}, **raises}
        spell |= {"toxin_power": 8} if entry.data.get("drain_basis") == "power" else {}
        cast = [
            {"target": target, "force": 1, "touched": True},
            {"target": target, "force": 6},
            {"target": {**target, "unaware": True}, "force": 3},
        ]
        if entry.data.get("area"):
            cast.append({"target": target, "victim_1": {**target, "center_distance": 2}, "force": 4})
        if "attack" not in entry.data and "against" not in entry.data:
            cast.append({"caster": {**caster, **unhurt}, "force": 4})
        for given in cast:
            yield Sample("cast-spell", {"caster": caster, **spell, **given})

    def _gun_taking(self, ammunition: PackEntry) -> PackEntry | None:
        """The first weapon that takes this ammunition, as far as their words and names show."""
        fits, guns = ammunition.data.get("fits"), self.lookup.entries("weapon")
        for suits in (
            lambda gun: gun.data.get("ammunition") in (ammunition.slug, ammunition.id),
            lambda gun: fits is not None and gun.data.get("fires") == fits,
            lambda gun: fits is None and str(gun.data.get("category", "?")) in ammunition.slug,
            lambda gun: fits is None and "FA" in gun.data.get("modes", ()),
            lambda gun: fits is None and gun.data.get("feed", "none") != "none",
        ):
            if found := next((gun for gun in guns if not is_melee(gun) and suits(gun)), None):
                return found
        return None

    def _bands_of(self, weapon: PackEntry, attacker: Situation) -> list[float]:
        """The far end of each band of the weapon; a short way where it has no range table."""
        reference = weapon.data.get("range")
        table = self.lookup.entry("range", reference) if isinstance(reference, str) else None
        return _distances_of(table.data, self._reach_of(attacker, weapon)) if table else [_NEAR]

    def _reach_of(self, attacker: Situation, weapon: PackEntry | None) -> int:
        """The Strength that carries a bow or a throw."""
        entry = self.lookup.entry("combatant", attacker["use"]) if "use" in attacker else None
        strength = (entry.data if entry else attacker).get("strength")
        most = weapon.data.get("minimum_strength") if weapon else None
        return min((number for number in (strength, most) if isinstance(number, int)), default=1)


_KINDS = ("weapon", "armor", "ammunition", "range", "combatant", "mod", "metatype", "power")
"""Kinds of entries that are put to use, each by the method of its name."""


def is_melee(weapon: PackEntry) -> bool:
    return "reach" in weapon.data


def _explodes(ammunition: PackEntry) -> bool:
    """Whether it strikes an area, and says how far."""
    data = ammunition.data
    return data.get("fits") in _BLASTS and ("blast_radius" in data or "delivers" in data)


def load_of(weapon: PackEntry) -> dict[str, Any]:
    """The weapon, with a warhead where what it fires does the damage."""
    lacks = {name: value for name, value in _WARHEAD.items() if name not in weapon.data}
    return {**(lacks if "fires" in weapon.data else {}), "use": weapon.id}


def ways_to_fire(weapon: PackEntry) -> list[Situation]:
    """Every way to fire it; a single shot where its modes are not known."""
    modes = weapon.data.get("modes")
    known = [mode for mode in modes if mode in _FIRES] if isinstance(modes, list) else []
    fires = [fire for mode in known for fire in _FIRES[mode]] or [_SINGLE]
    area = {"area": True} if weapon.data.get("fires") in _BLASTS else {}
    return [{**fire, **area} for at, fire in enumerate(fires) if fire not in fires[:at]]


def _distances_of(table: Mapping[str, Any], strength: int) -> list[float]:
    """The far end of each band that there is."""
    factor, found = strength if table.get("per_strength") else 1, list[float]()
    for limit in (table.get(band) for band in BANDS[:4]):
        far = limit * factor if isinstance(limit, (int, float)) else -1
        if far > found[-1] if found else far >= table.get("minimum", 0):
            found.append(far)
    return [far for far in found if far <= _FARTHEST] or [_NEAR]

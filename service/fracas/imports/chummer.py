"""Save files of Chummer, for Shadowrun 4 (.chum) and 5 (.chum5), with English names.

Read are attributes as the program worked them out, active skills with what their groups add, armor that is worn,
weapons, augmentations, powers and qualities that the packs know, and boxes that are filled. The format's facts come
from files that the program wrote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from fracas.errors import InputError
from fracas.imports.imported import EntriesByName, Imported, Left, Understood, plain_name
from fracas.kernel.vocabulary import EntryLookup, Field

MAX_FILE = 8_000_000
"""Bytes; pictures of the character make such files large."""

_ATTRIBUTES = {
    "BOD": "body",
    "AGI": "agility",
    "REA": "reaction",
    "STR": "strength",
    "CHA": "charisma",
    "INT": "intuition",
    "LOG": "logic",
    "WIL": "willpower",
    "EDG": "edge",
    "MAG": "magic",
    "ESS": "essence",
}
_GROUPS = {
    "Athletics": ("Gymnastics", "Running", "Swimming"),
    "Close Combat": ("Blades", "Clubs", "Unarmed Combat"),
    "Conjuring": ("Banishing", "Binding", "Summoning"),
    "Cracking": ("Cybercombat", "Electronic Warfare", "Hacking"),
    "Electronics": ("Computer", "Hardware", "Software"),
    "Firearms": ("Automatics", "Longarms", "Pistols"),
    "Sorcery": ("Counterspelling", "Ritual Spellcasting", "Spellcasting"),
    "Stealth": ("Disguise", "Palming", "Sneaking"),
}
"""Skill groups of Shadowrun 5 that fights have something of."""
_RATED = ("Rating", "rating")
_NUMBER = re.compile(r"-?[0-9]{1,9}(?:[.,][0-9]{1,9})?")

MAX_THINGS = 64
"""Weapons, pieces of armor and the like that join with a combatant."""

MAX_LEFT = 200
"""Things without a place that are listed one by one."""


def character(
    data: bytes, catalogs: Mapping[str, EntryLookup], fields: Mapping[str, Mapping[str, Field]]
) -> Imported:
    """The character of a save file.

    Args:
        catalogs: the packs in use, by ruleset.
        fields: what a combatant's sheet may say, by ruleset and name.

    Raises:
        InputError: it is none, or one of an edition that is not known here.
    """
    root = _root(data)
    ruleset = _edition(root)
    if ruleset not in catalogs:
        known = " or ".join(sorted(catalogs))
        raise InputError.one(
            "file", "unknown-edition", f"this is a character of {ruleset}; one of {known} is expected"
        )
    return _Reading(root, ruleset, catalogs[ruleset], fields[ruleset]).imported()


def _root(data: bytes) -> Element:
    if not data.strip():
        raise InputError.one("file", "empty", "the file is empty")
    if len(data) > MAX_FILE:
        raise InputError.one("file", "too-large", f"at most {MAX_FILE // 1_000_000} MB are read")
    try:
        root: Element = fromstring(_decoded(data), forbid_dtd=True)
    except ParseError as error:
        line, column = error.position
        raise InputError.one("file", "no-xml", f"{line}:{column + 1}: this is not well-formed XML") from None
    except (DefusedXmlException, ValueError):
        raise InputError.one(
            "file", "no-xml", "a save file has no DOCTYPE and no entities of its own"
        ) from None
    if root.tag != "character":
        raise InputError.one(
            "file", "no-character", f"a Chummer file begins with <character>, not <{root.tag[:40]}>"
        )
    return root


def _decoded(data: bytes) -> str:
    """The text, whatever encoding the declaration names: the program has named one and written another."""
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"", "utf-8-sig")):
        if data.startswith(mark):
            try:
                text = data.decode(encoding)
            except UnicodeDecodeError:
                name = "UTF-16" if encoding == "utf-16" else "UTF-8"
                raise InputError.one("file", "no-text", f"this is no text in {name}") from None
            head, found, rest = text.lstrip().partition("?>")
            return rest if found and head.startswith("<?xml") else text
    raise AssertionError("every file begins with nothing")


def _edition(root: Element) -> str:
    named = root.findtext("gameedition", "").strip().upper()
    if named in ("SR4", "SR5"):
        return named.lower()
    if named:
        raise InputError.one("file", "unknown-edition", f"SR4 and SR5 are known, not {named[:20]!r}")
    return "sr5" if root.find("newskills") is not None else "sr4"


class _Reading:
    """Goes through a file once; what has a place is `understood`, all other things of note are `left`."""

    def __init__(self, root: Element, ruleset: str, lookup: EntryLookup, fields: Mapping[str, Field]) -> None:
        self._root = root
        self._ruleset = ruleset
        self._by_name = EntriesByName(lookup)
        self._fields = fields
        self._read: dict[str, Any] = {}
        self._understood: list[Understood] = []
        self._left: list[Left] = []
        self._grouped: dict[str, dict[str, int]] = {}

    def imported(self) -> Imported:
        root = self._root
        name = _given(root, "alias") or _given(root, "name") or "Combatant"
        self._metatype()
        self._attributes()
        self._skills()
        for track in ("physical", "stun"):
            self._say(f"{track} boxes filled", track, _whole(root.findtext(f"{track}cmfilled")) or 0)
        if "edge" in self._read:
            self._say("Edge points: all of them", "edge_points", self._read["edge"])
        self._listed("armors/armor", "armor", ("armor",), worn=True)
        weapons = list(self._slugs("weapons/weapon", ("weapon",), "weapons"))
        self._listed("cyberwares/cyberware", "augmentations", ("augmentation",))
        self._listed("powers/power", "powers", ("power",))
        self._listed("qualities/quality", "traits", ("trait",))
        for what, where in (
            ("gear", "gears/gear"),
            ("spell", "spells/spell"),
            ("vehicle", "vehicles/vehicle"),
        ):
            for one in root.iterfind(where):
                self._left.append(
                    Left(f"{_given(one, 'name') or '?'} ({what})", "fights ask for it when it is used")
                )
        self._granted()
        if len(self._left) > MAX_LEFT:
            more = Left(f"{len(self._left) - MAX_LEFT} more", "there are too many to list")
            self._left[MAX_LEFT:] = [more]
        return Imported(name, self._ruleset, self._read, weapons, self._understood, self._left)

    def _say(self, what: str, field: str, value: Any) -> None:
        """A field, if a sheet has it and it fits."""
        known = self._fields.get(field)
        if known is None:
            self._left.append(Left(what, f"{self._ruleset} has no field for it"))
        elif known.type in ("whole", "number") and not known.least <= value <= known.most:
            self._left.append(Left(what, f"{value} is not {known.least:g} to {known.most:g}"))
        elif known.type == "choice" and value not in known.choices:
            self._left.append(Left(what, f"the packs know {', '.join(known.choices)}"))
        else:
            self._read[field] = value
            self._understood.append(Understood(what, field, value))

    def _metatype(self) -> None:
        named = _given(self._root, "metatype")
        if named:
            self._say(f"Metatype {named}", "metatype", plain_name(named))
        variant = _given(self._root, "metavariant")
        if variant:
            self._left.append(Left(f"Metavariant {variant}", "counted as its metatype"))

    def _attributes(self) -> None:
        values = {
            _given(one, "name"): _given(one, "totalvalue") or _given(one, "value")
            for one in self._root.iterfind("attributes/attribute")
        }
        for short, value in values.items():
            field = _ATTRIBUTES.get(short)
            if field is None or (field == "magic" and value in ("", "0")):
                continue
            number = _number(value) if field == "essence" else _whole(value)
            if number is None:
                self._left.append(Left(f"{short} {value!r}", "this is no number"))
            elif field in self._fields:
                self._say(f"{short} {value}", field, number)

    def _skills(self) -> None:
        ratings: dict[str, int] = {}
        field = self._fields["skills"]
        choices = field.choices
        for name, rating, special in self._skill_ratings():
            slug = plain_name(name)
            if not rating or ratings.get(slug, 0) >= rating > 0:
                continue
            if not field.least <= rating <= field.most:
                why = f"{rating} is not {field.least:g} to {field.most:g}"
                self._left.append(Left(f"{name} (skill)", why))
                continue
            if choices and slug not in choices:
                self._left.append(Left(f"{name} {rating} (skill)", "no test of a fight asks for it"))
                continue
            ratings[slug] = rating
            self._understood.append(Understood(f"{name} {rating}", f"skills.{slug}", rating))
            for word in special:
                self._left.append(
                    Left(f"{name}: {word} (specialization)", "say it with the test that it is for")
                )
        if ratings:
            self._read["skills"] = ratings

    def _skill_ratings(self) -> Iterator[tuple[str, int, Sequence[str]]]:
        """Name, rating and specializations of each active skill."""
        root = self._root
        for one in root.iterfind("skills/skill"):
            if one.findtext("knowledge", "").casefold() != "true":
                special = _given(one, "spec")
                yield (
                    _given(one, "name"),
                    _whole(one.findtext("rating")) or 0,
                    [special] if special else [],
                )
        groups = {
            _given(one, "name"): (_whole(one.findtext("base")) or 0) + (_whole(one.findtext("karma")) or 0)
            for one in root.iterfind("newskills/groups/group")
        }
        added = {skill: groups.get(group, 0) for group, skills in _GROUPS.items() for skill in skills}
        for one in root.iterfind("newskills/skills/skill"):
            if one.findtext("isknowledge", "").casefold() == "true":
                continue
            own = (_whole(one.findtext("base")) or 0) + (_whole(one.findtext("karma")) or 0)
            name = _given(one, "name")
            if not name and own:
                self._left.append(
                    Left(f"a skill of rating {own}", "this version of the file does not have its name")
                )
                continue
            words = [_given(spec, "name") for spec in one.iterfind("specs/spec")]
            yield name, own + added.get(name, 0), [word for word in words if word]

    def _listed(self, where: str, field: str, kinds: Sequence[str], worn: bool = False) -> None:
        slugs = list(dict.fromkeys(self._slugs(where, kinds, field, worn)))
        if slugs and field in self._fields:
            self._read[field] = slugs

    def _slugs(self, where: str, kinds: Sequence[str], field: str, worn: bool = False) -> Iterator[str]:
        count = 0
        for one in self._root.iterfind(where):
            name = _given(one, "name")
            if worn and one.findtext("equipped", "true").strip().casefold() != "true":
                self._left.append(Left(f"{name} ({kinds[0]})", "it is not worn"))
                continue
            entry = self._by_name.find(kinds, name)
            if entry is None:
                self._left.append(Left(f"{name} ({kinds[0]})", "no pack in use has it under this name"))
                continue
            if count == MAX_THINGS:
                self._left.append(Left(f"{name} ({kinds[0]})", f"a combatant has at most {MAX_THINGS}"))
                continue
            count += 1
            changed = self._grants(entry.data, _rating(one))
            if field in self._fields or field == "weapons":
                self._understood.append(Understood(name, field, entry.slug))
            elif changed:
                self._understood.append(Understood(name, ", ".join(changed), entry.slug))
            else:
                self._left.append(Left(f"{name} ({kinds[0]})", "what it adds to attributes is in them"))
            yield entry.slug

    def _grants(self, data: Mapping[str, Any], rating: int) -> list[str]:
        """What an augmentation or a power changes beside attributes, whose totals the file has; of a group the most.

        The names of the fields that change."""
        group = data.get("group", "")
        changed = []
        for change in data.get("changes", ()):
            stat, added = change.get("stat"), change.get("add")
            if isinstance(added, list):
                added = added[min(max(rating, 1), len(added)) - 1] if added else None
            if stat in self._fields and stat not in _ATTRIBUTES.values() and isinstance(added, int):
                known = self._grouped.setdefault(stat, {})
                known[group or f"#{len(known)}"] = max(added, known.get(group, 0))
                changed.append(stat)
        return changed

    def _granted(self) -> None:
        for stat, parts in self._grouped.items():
            base = 1 if stat in ("passes", "initiative_dice") else 0
            self._say("from augmentations, powers and qualities", stat, base + sum(parts.values()))


def _rating(one: Element) -> int:
    return next((rating for tag in _RATED if (rating := _whole(one.findtext(tag)))), 1)


def _given(one: Element, tag: str) -> str:
    """The text of a part, in one line and at most 80 characters of it."""
    return " ".join(one.findtext(tag, "").split())[:80].rstrip()


def _whole(text: str | None) -> int | None:
    number = _number(text)
    return int(number) if number is not None else None


def _number(text: str | None) -> float | None:
    """A number as people write it, with a point or a comma."""
    found = _NUMBER.fullmatch((text or "").strip())
    return float(found[0].replace(",", ".")) if found else None

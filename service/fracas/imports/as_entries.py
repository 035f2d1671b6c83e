"""People of other programs and of lists as combatants of a pack, with an account of what has no place in one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from fracas.errors import InputError, Problem, suggestion
from fracas.imports.imported import Imported, Left, Understood, plain_name
from fracas.imports.roster import Row
from fracas.kernel.vocabulary import EntryLookup, Field
from fracas.packs.schema_fields import all_fields, form

KIND = "combatants"

_NOTHING: Mapping[str, Mapping[str, Any]] = {
    "sr4": {"senses": ["normal"], "smartlink": False, "physical": 0, "stun": 0},
    "sr5": {
        "vision": [],
        "smartlink": "none",
        "dni": False,
        "initiative_dice": 1,
        "interface": "none",
        "physical": 0,
        "stun": 0,
    },
    "imperium": {"injury_total": 0, "injuries": {}, "bleeding": {}, "traits": []},
    "cwn": {"foci": {}, "veterans_luck": False, "cyberware": []},
}
_NOTHING_ANYWHERE: Mapping[str, Any] = {"armor": [], "weapons": [], "skills": {}}
"""What combatants must say and what is so if nothing is given: unhurt, unarmed, without implants."""

_TYPES = {bool: "flag", int: "whole", float: "number", str: "text", list: "entries", dict: "ratings"}


class AsEntry(NamedTuple):
    """A combatant of a pack.

    Attributes:
        place: where they stand in a list; "" for a character's own file.
        data: its fields, but for its source.
        understood: what of the file became a field.
        left: what has no place in it.
        assumed: fields that must be given, of which the file says nothing.
    """

    place: str
    data: Mapping[str, Any]
    understood: tuple[Understood, ...]
    left: tuple[Left, ...]
    assumed: Mapping[str, Any]


def entry_fields(ruleset: str, fields: Mapping[str, Field]) -> dict[str, Field]:
    """What a combatant of a pack may say.

    Args:
        fields: what a sheet may say. Of all others the check of the pack knows the bounds.
    """
    known = all_fields(KIND, ruleset)
    own = {
        name: Field(name, _TYPES[type(field.example)], field.title, least=-1_000_000, most=1_000_000)  # type: ignore[arg-type]
        for name, field in known.items()
        if name not in fields
    }
    return own | {name: field for name, field in fields.items() if name in known}


def of_character(imported: Imported) -> AsEntry:
    """A character of another program."""
    data = {**imported.fields, "weapons": list(imported.weapons)}
    slug = plain_name(imported.name)[:64].strip("-") or "combatant"
    found = _entry(imported.ruleset, slug, imported.name, data)
    return found._replace(understood=tuple(imported.understood), left=(*imported.left, *found.left))


def of_rows(ruleset: str, people: Iterable[Row], lookup: EntryLookup) -> list[AsEntry]:
    """The people of a list; of several of one name each has a slug of their own.

    Raises:
        InputError: one is to be like an entry that no pack has.
    """
    people = list(people)
    problems = [
        Problem("file", "unknown-entry", f"{row.place}: there is no combatant {use!r}", hint)
        for row in people
        if (use := row.joining.get("use")) and lookup.entry("combatant", str(use)) is None
        for hint in (suggestion(use, lookup.names("combatant")),)
    ]
    if problems:
        raise InputError(problems)
    found: list[AsEntry] = []
    taken: set[str] = set()
    for row in people:
        one = _of_row(ruleset, row, lookup)
        slug, number = one.data["slug"], 1
        while one.data["slug"] in taken:
            number += 1
            one = one._replace(data={**one.data, "slug": f"{slug[:60]}-{number}"})
        taken.add(one.data["slug"])
        found.append(one)
    return found


def _of_row(ruleset: str, row: Row, lookup: EntryLookup) -> AsEntry:
    joining, beside = dict(row.joining), dict(row.left)
    used = lookup.entry("combatant", str(joining.pop("use", "")))
    label = (
        str(joining.pop("name", "")) or (used.label if used else "") or str(beside.get("slug", "Combatant"))
    )
    slug = str(beside.pop("slug", "")) or plain_name(label)[:64].strip("-") or "combatant"
    weapons = {"weapons": joining.pop("weapons")} if "weapons" in joining else {}
    given = {**row.fields, **beside, **weapons}
    found = _entry(ruleset, slug, label, _merged(used.data if used else {}, given))
    left = [Left(name, "given when a combatant joins a fight") for name in joining]
    reported = tuple(Understood(name, name, value) for name, value in given.items() if name in found.data)
    return found._replace(place=row.place, understood=reported, left=(*left, *found.left))


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """As one who joins with ``use`` and fields of their own has both, ratings one by one."""
    found = dict(below)
    for name, value in above.items():
        known = found.get(name)
        both = isinstance(known, Mapping) and isinstance(value, Mapping)
        found[name] = {**known, **value} if both and isinstance(known, Mapping) else value
    return found


def _entry(ruleset: str, slug: str, label: str, given: Mapping[str, Any]) -> AsEntry:
    known = all_fields(KIND, ruleset)
    data = {"slug": slug, "label": label, **{name: value for name, value in given.items() if name in known}}
    left = tuple(Left(name, "a pack has no field for it") for name in given if name not in known)
    defaults = {field.name: field.default for field in known.values() if field.default is not None}
    nothing = {**_NOTHING_ANYWHERE, **defaults, **_NOTHING.get(ruleset, {})}
    required = [field.name for field in form(KIND, ruleset, data).fields if field.required]
    if "metatype" in data:  # of people rules read what machines and spirits do not have
        required += ["armor", *_NOTHING.get(ruleset, {})]
    assumed = {name: nothing[name] for name in required if name not in data and name in nothing}
    return AsEntry("", {**data, **assumed}, (), left, assumed)

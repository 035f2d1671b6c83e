"""Small save files as Chummer writes them, made for the tests."""

from __future__ import annotations

from collections.abc import Mapping

RUNNER_4 = {
    "BOD": 4,
    "AGI": 5,
    "REA": 6,
    "STR": 3,
    "CHA": 3,
    "INT": 4,
    "LOG": 3,
    "WIL": 3,
    "EDG": 3,
    "ESS": "3.5",
    "MAG": 0,
    "RES": 0,
}


def tag(name: str, *inner: object) -> str:
    return f"<{name}>{''.join(map(str, inner))}</{name}>"


def attributes(values: Mapping[str, object]) -> str:
    return tag(
        "attributes",
        *(tag("attribute", tag("name", name), tag("totalvalue", value)) for name, value in values.items()),
    )


def skill_4(name: str, rating: object, spec: str = "", knowledge: str = "False") -> str:
    return tag(
        "skill", tag("name", name), tag("rating", rating), tag("spec", spec), tag("knowledge", knowledge)
    )


def skill_5(name: str, base: object, karma: object = 0, *specs: str, knowledge: str = "False") -> str:
    words = tag("specs", *(tag("spec", tag("name", spec)) for spec in specs))
    named = tag("name", name) if name else ""
    return tag("skill", named, tag("isknowledge", knowledge), tag("base", base), tag("karma", karma), words)


def things(many: str, one: str, *named: str | tuple[str, Mapping[str, object]]) -> str:
    """A list of things: names, or names with what else is told of them."""
    told = ((name, {}) if isinstance(name, str) else name for name in named)
    return tag(
        many, *(tag(one, tag("name", name), *(tag(*pair) for pair in more.items())) for name, more in told)
    )


def file_4(*parts: str, values: Mapping[str, object] | None = None) -> bytes:
    """A save file of the edition for Shadowrun 4, which does not name its edition."""
    inner = (tag("alias", "Nightjar"), tag("metatype", "Ork"), attributes(values or RUNNER_4), *parts)
    return ('<?xml version="1.0" encoding="utf-16"?>\n' + tag("character", *inner)).encode()


SKILLS_4 = tag(
    "skills",
    skill_4("Pistols", 4, "Semi-Automatics"),
    skill_4("Dodge", 3),
    skill_4("Etiquette", 2),
    skill_4("Blades", 0),
    skill_4("Seattle gangs", 5, knowledge="True"),
)

SAMURAI_4 = file_4(
    SKILLS_4,
    tag("physicalcmfilled", 2),
    tag("stuncmfilled", 1),
    things("armors", "armor", ("Armor Jacket", {"equipped": "True"}), ("Helmet", {"equipped": "False"})),
    things("weapons", "weapon", "Ares Predator IV", "Katana", "Combat Chainsaw"),
    things("cyberwares", "cyberware", ("Wired Reflexes", {"rating": 2}), "Datajack of Doom"),
    things("gears", "gear", "Commlink"),
    things("vehicles", "vehicle", "Westwind"),
)

SAMURAI_5 = tag(
    "character",
    tag("gameedition", "SR5"),
    tag("name", "Ms Heron"),
    tag("metatype", "Elf"),
    tag("metavariant", "Wakyambi"),
    attributes({**RUNNER_4, "DEP": 0}),
    tag("physicalcmfilled", 0),
    tag(
        "newskills",
        tag(
            "skills",
            skill_5("Automatics", 1, 2, "Assault Rifles"),
            skill_5("Pistols", 0),
            skill_5("Perception", 3),
            skill_5("Street Cred", 6, knowledge="True"),
            skill_5("", 4),
        ),
        tag("groups", tag("group", tag("name", "Firearms"), tag("base", 2), tag("karma", 1))),
    ),
    things("weapons", "weapon", "Ares Predator V"),
    things("spells", "spell", "Manabolt"),
).encode()

"""Personas that are programs: IC that a host launches, agents, sprites. Rulebook sections 12.2, 12.5 and 12.7.

The combatant that stands for a host is its Patrol IC. After an alarm the host launches one IC as each turn begins, the
first of its list that does not run, and no more at once than its rating.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.fields import fields, flag, person, text, vocabulary, whole, words
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.required import require
from fracas.kernel.stage import Effect, Stage
from fracas.kernel.steps import ended
from fracas.kernel.tables import rows_of
from fracas.kernel.vocabulary import EntryLookup
from fracas.rulesets.sr5.combatant import CONVERGING, combatant_fields
from fracas.rulesets.sr5.matrix import devices
from fracas.rulesets.sr5.matrix.spike import MARKED

HOST, PATROL = "attacker", "patrol"
ALARMED, LAUNCH = "alarmed", "launch-ic"
"""The condition of a host that has been alarmed, and the action that is due as its turns begin."""
KINDS = (
    *("probe", "killer", "track", "tar-baby", "acid", "binder", "jammer", "marker", "crash", "blaster"),
    *("scramble", "black", "sparky"),
)
"""What a host launches, in this order unless its list is another."""
OF_PAGES = ("degrader", "gray-damage", "track-and-trace")
"""What it launches by the house rules for hosts."""
RATINGS = ("device_rating", *devices.RATINGS)
_ALL = (*KINDS, *OF_PAGES, "black-damage")
_MENTAL = ("willpower", "logic", "intuition", "charisma")
_ENDING = {"ic": "-ic", "sprite": "-sprite"}


class LaunchIc(Procedure):
    """The first IC of a host's list that does not run, where fewer run than its rating."""

    label = "Launch IC"
    vocabulary = vocabulary(
        person(HOST, "Host", "By its Patrol IC, with the ratings of the host."),
        combatant_fields(HOST),
        fields(HOST, **{name: whole(name.replace("_", " ").capitalize(), most=20) for name in RATINGS}),
        fields(HOST, ic=text("Kind of IC", "Patrol stands for a host.", most=20)),
        fields(
            "",
            alarm=flag("Alarm", "The host has just been alarmed: it launches from the next turn on."),
            launches=words("Launch list", "Of the host, in its order.", choices=_ALL),
            running=words("IC that runs", "Patrol IC does not count.", choices=_ALL),
        ),
    )
    targets: Mapping[str, str] = {}
    measures = (chance("launched", "Chance of a launch"),)

    def numbers(self, it: Attempt) -> None:
        require(it.facts, [(f"{HOST}.device_rating", "the rating of the host")])

    def first(self, it: Attempt) -> Stage:
        facts = it.facts
        running = facts.get("running", ())
        usual = OF_PAGES if it.options["ic"] == "paydata" else KINDS
        waiting = (kind for kind in facts.get("launches") or usual if kind not in running)
        full = facts.get("alarm") or len(running) >= facts[f"{HOST}.device_rating"]
        ic, effects = "" if full else next(waiting, ""), list[Effect]()
        if facts.get("alarm"):
            effects.append(Effect("add-condition", HOST, ALARMED))
        if ic:
            own = ((name, f"{HOST}.{name}") for name in RATINGS)
            ratings = tuple((f"set_{name}", facts[path]) for name, path in own if path in facts)
            effects.append(Effect("join", HOST, f"{ic}-ic", None, ratings))
        again = Effect("schedule", HOST, LAUNCH, None, _AS_TURNS_BEGIN)
        return ended({"launched": bool(ic)} | ({"ic": ic} if ic else {}), *effects, again)


def found_in_host() -> Stage:
    """The grid finds a persona in a host, which has three marks on it from now on."""
    gone = (Effect("remove-condition", "target", what) for what in (*MARKED[:-1], CONVERGING))
    return ended({"marks": len(MARKED)}, *gone)


_AS_TURNS_BEGIN = (("when", "turn-begin"), ("turns", 1), ("while", ALARMED))


def persona_of(
    slug: str, sheet: Mapping[str, Any], lookup: EntryLookup, options: Mapping[str, Any]
) -> dict[str, Any]:
    """What follows for a program that joins: of IC from the rating of its host, of a sprite from its Level, of an agent
    from its rating; and the body that it does not have.

    Args:
        slug: of its entry in the packs; "" for none.
    """
    nature = str(sheet.get("nature", ""))
    kind = slug.removesuffix(_ENDING.get(nature, ""))
    if nature == "ic" and "device_rating" in sheet:
        rating = int(sheet["device_rating"])
        known = {"ic": kind} if kind in rows_of(lookup, "ic") else {}
        return {**dict.fromkeys(_MENTAL, rating), "initiative": 2 * rating, **known}
    row = rows_of(lookup, "sprites").get(kind) if nature == "sprite" else None
    if row is not None:
        level = int(sheet.get("force", 1))
        own: dict[str, Any] = dict.fromkeys((*_MENTAL, RATINGS[0]), level)
        own |= {name: level + row[name] for name in RATINGS[1:]}
        own["skills"] = dict.fromkeys(str(row["skills"]).split(", "), level)
        own["initiative"] = 2 * level + row["initiative"]
        return own | ({"ic": row["power"]} if "power" in row else {})
    if nature == "agent" and options["agent_initiative"] == "rating_twice":
        return {"initiative": 2 * int(sheet.get("logic", 1))}
    return {}


def living_persona(sheet: Mapping[str, Any]) -> dict[str, int]:
    """The ratings of a technomancer, who is online without a device; empty for everybody else."""
    own = zip(RATINGS, _LIVING, strict=True)
    return {name: sheet[of] for name, of in own if sheet.get("technomancer") and of in sheet}


_LIVING = ("resonance", "charisma", "intuition", "logic", "willpower")


def is_running(sheet: Mapping[str, Any]) -> str:
    """Which kind of IC a combatant is that counts among those that a host runs; "" for none."""
    kind = str(sheet.get("ic", ""))
    return kind if kind in _ALL else ""

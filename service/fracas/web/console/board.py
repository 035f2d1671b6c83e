"""What the table shows of people: the initiative track, the rows by side, and the boxes that the last action filled.

Views of a fight in, plain data for the templates out: no rules, and nothing that a viewer may not see.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import escape

from fracas.exports.cards.card import OUTCOME, Line
from fracas.exports.readable import listed

View = Mapping[str, Any]

SIDES = 4
"""Sides that have a colour and a shape of their own; further ones begin again."""
ROOMY = 10
"""With more people than this, the track and the rows are dense."""
BOXES = 24
"""A monitor with more boxes than this is drawn as a bar."""
LONG = 90
"""Letters of a result from which on it is set smaller."""
_LETTERS = 2
"""Monitors of one combatant for which a letter is enough."""
_NUMBERED = re.compile(r"(.*\S)\s+(\d{1,3})")
_ICONS = {
    "prone": "prone", "dead": "skull", "dying": "hourglass", "mortally": "hourglass", "bleed": "drop",
    "unconscious": "stun", "stunned": "stun", "coma": "stun", "cover": "cover", "running": "run", "sprint": "run",
    "defense": "shield", "dodge": "shield", "aim": "aim", "spell": "bolt", "sustain": "bolt", "fire": "fire",
    "burning": "fire", "suppress": "fire", "surprise": "warn", "pinned": "warn", "grappl": "fist",
}  # fmt: skip
"""Icons of conditions, by a part of their slug."""
_BAD = frozenset(("prone", "skull", "hourglass", "drop", "stun", "fire", "warn"))


class Name(NamedTuple):
    """The name of a combatant.

    Attributes:
        stem, number: a number at its end is never cut off.
        letters: two for a token.
    """

    stem: str
    number: str
    letters: str


def name_of(name: str) -> Name:
    """
    >>> name_of("Gate guard 2")
    Name(stem='Gate guard', number='2', letters='G2')
    >>> name_of("Vesper").letters, name_of("Shift captain").letters
    ('Ve', 'Sc')
    """
    found = _NUMBERED.fullmatch(name)
    stem, number = (found[1], found[2]) if found else (name, "")
    words = re.findall(r"\w+", stem) or ["?"]
    if number:
        letters = words[0][0].upper() + number
    elif len(words) > 1 and "," not in stem:
        letters = words[0][0].upper() + words[1][0].lower()
    else:
        letters = words[0][0].upper() + words[0][1:2].lower()
    return Name(stem, number, letters)


def sides_of(view: View) -> dict[str, int]:
    """The colour of each side, 1 to `SIDES`, in the order in which their first combatants joined."""
    found: dict[str, int] = {}
    for one in view["combatants"]:
        found.setdefault(one["side"], len(found) % SIDES + 1)
    return found


def people_of(view: View, fresh: Mapping[tuple[str, str], int], gone: bool = False) -> list[dict[str, Any]]:
    """The combatants with what their rows show.

    Args:
        fresh: by combatant and track, how much the last action marked.
        gone: those who have left, too.
    """
    sides, present = sides_of(view), [one for one in view["combatants"] if gone or not one["gone"]]
    return [
        {
            **one,
            "called": name_of(one["name"]),
            "colour": sides[one["side"]],
            "acts": one["id"] in view["acting"],
            "monitors": _monitors(one, fresh),
            "reserves": [gauge for gauge in one.get("gauges", ()) if not gauge["harm"] or not gauge["most"]],
            "chips": list(_chips(one["conditions"])),
        }
        for one in present
    ]


def _monitors(one: View, fresh: Mapping[tuple[str, str], int]) -> list[dict[str, Any]]:
    """The monitors of a combatant. Two of boxes differ by their letters, others by their names."""
    found = [
        _monitor(gauge, fresh.get((one["id"], gauge["id"]), 0))
        for gauge in one.get("gauges", ())
        if gauge["harm"] and gauge["most"]
    ]
    lettered = len(found) <= _LETTERS and all(each["boxes"] for each in found)
    return found if lettered else [{**each, "letter": each["label"]} for each in found]


def _monitor(gauge: View, marked: int) -> dict[str, Any]:
    """A monitor as boxes or as a bar; of a bar how long it is and what the last action changed, in hundredths."""
    value, most = max(0, gauge["value"]), gauge["most"]
    boxes = gauge["fills"] and most <= BOXES
    reported = {**gauge, "boxes": boxes, "letter": gauge["label"][:1].upper()}
    if boxes:
        filled = min(value, most)
        return {**reported, "filled": filled, "fresh": min(max(0, marked), filled)}
    now = min(value, most)
    new = min(max(0, marked), now if gauge["fills"] else most - now)
    return {**reported, "now": 100 * now // most, "new": 100 * new // most}


def _chips(conditions: Iterable[View]) -> Iterator[dict[str, Any]]:
    """Conditions, each once with how many times it holds."""
    counted: dict[str, list[View]] = {}
    for one in conditions:
        counted.setdefault(one["label"], []).append(one)
    for label, several in counted.items():
        icon = next((icon for part, icon in _ICONS.items() if part in several[0]["slug"]), "")
        times = f" ({len(several)} times)" if len(several) > 1 else ""
        if job := several[0]["job"]:
            times = f" ({job['done']} of {job['of']})" if job["of"] else f" ({job['done']})"
        yield {"label": label + times, "icon": icon, "bad": icon in _BAD}


def rows_of(view: View, people: Sequence[View]) -> list[dict[str, Any]]:
    """The rows of people by side. Who was out before the last action stands in one line of their side."""
    many = len(people) > ROOMY or any(not each["boxes"] for one in people for each in one["monitors"])
    found: dict[str, list[View]] = {}
    for one in people:
        found.setdefault(one["side"], []).append(one)
    return [
        {
            "side": side,
            "colour": several[0]["colour"],
            "of": len(several),
            "up": sum(not one["out"] for one in several),
            "people": [{**one, "compact": many, "monitors": in_row(one["monitors"])} for one in several],
        }
        for side, several in found.items()
    ]


def in_row(monitors: Sequence[View]) -> list[View]:
    """The monitors of a row: of more than two, those that are empty are left out, such as that of a device."""
    shown = [one for at, one in enumerate(monitors) if at < _LETTERS or one["value"] or not one["fills"]]
    if len(shown) > _LETTERS or not all(one["boxes"] for one in shown):
        return shown
    return [{**one, "letter": one["label"][:1].upper()} for one in shown]


def track_of(view: View, people: Sequence[View]) -> dict[str, Any]:
    """The initiative track: everybody in order, those who are done first, those who joined too late for this turn and
    those who are out last.

    ``bands`` has the slots by side, where combatants act together; else all are in one band without a side.
    """
    if not view["turn"]:
        return {"dense": len(people) > ROOMY, "bands": [], "timers": []}
    known = {one["id"]: one for one in people}
    order = [id for slot in view["order"] for id in slot["actors"] if id in known]
    down = [one["id"] for one in people if one["out"] and one["id"] not in view["acting"]]
    rest = [id for id in known if id not in order and id not in down]
    done = sorted((id for id in rest if known[id]["rank"]), key=lambda id: -_number(known[id]["rank"]))
    slots = [_slot(view, known[id], "done") for id in done]
    slots += [_slot(view, known[id], _state(view, known[id])) for id in order if id not in down]
    slots += [_slot(view, known[id], "new") for id in rest if id not in done]
    slots += [_slot(view, known[id], "down") for id in down]
    together = _by_sides(view["order"], known)
    bands: dict[str, list[dict[str, Any]]] = {}
    for slot in slots:
        bands.setdefault(slot["side"] if together else "", []).append(slot)
    timers = {timer["id"]: timer for timer in view["timers"]}
    return {
        "dense": together or len(slots) > ROOMY,
        "bands": [
            {
                "side": side,
                "colour": several[0]["colour"] if side else 0,
                "rank": next((slot["rank"] for slot in several if slot["rank"]), "") if side else "",
                "now": any(slot["state"] == "acts" for slot in several),
                "slots": several,
            }
            for side, several in bands.items()
        ],
        "timers": [timers[slot["timer"]] for slot in view["order"] if slot.get("timer") in timers],
    }


def _by_sides(order: Sequence[View], known: Mapping[str, View]) -> bool:
    """Whether sides act one after the other, each together, and not people by scores that may be equal."""
    sides = [{known[id]["side"] for id in slot["actors"] if id in known} for slot in order]
    once = [side for several in sides for side in several]
    whole = all(len(several) == 1 for several in sides) and len(once) == len(set(once))
    return whole and any(len(slot["actors"]) > 1 for slot in order)


def _state(view: View, one: View) -> str:
    if one["id"] in view["acting"]:
        return "acts"
    return "delays" if one["delaying"] else "waits"


_NOTES = {"done": "done", "acts": "acts now", "delays": "delays", "down": "down", "waits": ""}
_MARKS = {"done": "check", "delays": "pause", "down": "skull", "new": "plus"}


def _slot(view: View, one: View, state: str) -> dict[str, Any]:
    late = f"from {view['words']['turn']} {view['turn'] + 1}"
    note = ", ".join(filter(None, (one["rank"] if state != "down" else "", _NOTES.get(state, late))))
    shown = {name: one[name] for name in ("id", "name", "side", "colour", "called", "rank")}
    # Without the rolls that broke a tie, for which a dense track has no room.
    score = one["rank"].partition(" (")[0]
    return {**shown, "score": score, "state": state, "note": note, "mark": _MARKS.get(state, "")}


def _number(rank: str) -> float:
    """What a rank begins with, to sort by."""
    found = re.match(r"-?\d+(\.\d+)?", rank)
    return float(found[0]) if found else 0.0


def turn_note(view: View, people: Mapping[str, View], mine: Sequence[str]) -> dict[str, Any] | None:
    """Whose turn it is, and how long players wait for theirs; None where nobody acts.

    >>> people = {id: {"name": id.title()} for id in ("ann", "bob", "cy")}
    >>> order = [{"actors": ["bob"]}, {"actors": ["cy"]}, {"actors": ["ann"]}]
    >>> turn_note({"acting": ["bob"], "order": order}, people, ["ann"])
    {'mine': False, 'now': 'Bob acts.', 'next': 'Ann acts after Cy.'}
    >>> turn_note({"acting": ["bob"], "order": order}, people, ["bob"])
    {'mine': True, 'now': 'Your turn: Bob acts.', 'next': ''}
    """
    acting = [who for who in view["acting"] if who in people]
    if not acting:
        return None
    now = f"{listed([people[who]['name'] for who in acting])} {'act' if len(acting) > 1 else 'acts'}."
    if own := [who for who in acting if who in mine]:
        return {
            "mine": True,
            "now": f"Your turn: {listed([people[who]['name'] for who in own])} acts.",
            "next": "",
        }
    before: list[str] = []
    for slot in view["order"]:
        if waiting := [who for who in slot["actors"] if who in mine and who in people]:
            name = people[waiting[0]]["name"]
            after = f"after {listed(before)}" if 0 < len(before) <= FEW else f"after {len(before)} others"
            return {"mine": False, "now": now, "next": f"{name} acts {after if before else 'next'}."}
        before += [people[who]["name"] for who in slot["actors"] if who in people and who not in acting]
    return {"mine": False, "now": now, "next": ""}


FEW = 2
"""With more than these before a player's combatant, their number is shown, not their names."""


def result_of(latest: Sequence[View], people: Mapping[str, View]) -> dict[str, Any] | None:
    """The last thing that happened to somebody, among the latest passages; None where nothing has.

    Args:
        latest: see `logs.latest`.
        people: the combatants by id, as they are now.
    """
    for passage in latest:
        did = passage["type"] == "acted"
        if passage["undone_by"] or not (passage["steps"] or passage["changes"] or did):
            continue
        before = [other for other in latest if other["version"] < passage["version"]]
        reported = {
            "passage": passage,
            "before": before,
            "state": "",
            "verdict": "",
            "standing": [],
            "brings": [],
        }
        if not passage["steps"]:
            only = {"title": passage["head"]} if did else _gravest(passage["changes"], people)
            return {**reported, **only, "long": False, "step": None, "first": did and passage["version"]}
        step = passage["steps"][-1]
        struck = people.get(step["target"] or "")
        hurt = bool(step["hit"]) or _hurts(step)
        down = struck is not None and struck["out"] and hurt
        state = "down" if down else "hit" if hurt else ""
        if not step["done"]:
            verdict = "Under way"
        elif down or step["hit"] is not None:
            verdict = "Down" if down else "Hit" if step["hit"] else "Miss"
        else:
            verdict = step["card"].result.capitalize()
        title = (step["summary"] if step["done"] else "") or step["card"].title
        title = title.removesuffix(".")
        if step["hit"] is None and ": " in passage["called"]:
            who, _, rest = title.partition(": ")  # the label names what it is done with, such as a drug
            title = ": ".join(filter(None, (who, passage["called"], rest.partition(": ")[2])))
        marked = struck["monitors"] if struck is not None and hurt else ()
        standing = [monitor for monitor in marked if monitor.get("fresh") or monitor.get("new")] or [
            monitor for monitor in marked if not monitor["boxes"]
        ]
        return {
            **reported,
            "state": state,
            "verdict": verdict,
            "standing": standing,
            "struck": struck,
            "title": title,
            "brings": step["brings"] if step["hit"] is None and not standing else [],
            "long": len(title) > LONG,
            "step": step,
            "first": step["first"],
            "facts": [line for line in step["card"].lines if _tells_more(line)],
        }
    return None


def _tells_more(line: Line) -> bool:
    """Whether a line of a card says what neither the sentence nor the effects say: a number that led to them, such as
    net hits, and none that only counts on."""
    label = line.label.casefold()
    return line.group == OUTCOME and line.value.isdecimal() and not label.endswith((" after", "damage"))


def _gravest(lines: Sequence[str], people: Mapping[str, View]) -> dict[str, Any]:
    """Of what happened by itself, such as when a turn ended, what stands on top: who is out, else what began."""
    begun = [line for line in lines if " is now " in line]
    out = [f"{escape(one['name'])} is now " for one in people.values() if one["out"]]
    fell = next((line for line in begun if any(line.startswith(who) for who in out)), None)
    down = {"state": "down", "verdict": "Down"} if fell is not None else {}
    return {**down, "title": fell or next(iter(begun), lines[0])}


def _hurts(step: View) -> bool:
    """Whether a step marked its target, as a miss may do too."""
    return any(
        effect.type == "mark" and effect.who == step["target"] and effect.amount
        for effect in step["card"].effects
    )


def fresh_of(latest: Sequence[View]) -> dict[tuple[str, str], int]:
    """What the newest of the latest passages marked, by combatant and track."""
    newest = next((one for one in latest if one["steps"] and not one["undone_by"]), None)
    effects = [effect for step in newest["steps"] for effect in step["card"].effects] if newest else []
    found: dict[tuple[str, str], int] = {}
    for effect in effects:
        if effect.type == "mark" and effect.amount is not None:
            found[effect.who, effect.what] = found.get((effect.who, effect.what), 0) + abs(effect.amount)
    return found

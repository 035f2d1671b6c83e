"""Icons and nodes of the Matrix: what a request says of them, and the dice that their words stand for.

Rulebook sections 21.1 and 21.2. A Matrix action names what is rolled by words: a skill, a program, a rating of the
device. Whose they are, a combatant with an icon or a device that somebody carries, is settled here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fracas.kernel.fields import Declared, choice, fields, flag, ratings, text, whole, words
from fracas.kernel.monitors import half_up
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import facts_of, lacks, require
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry, Refusal
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.sr4 import planes
from fracas.rulesets.sr4.sheet import Facts, skill_entries, wound_modifier
from fracas.rulesets.sr4.vocabulary import combatant_fields, listed

SKILLS = listed("computer cybercombat electronic-warfare hacking")
PROGRAMS = listed(
    "analyze armor attack black-hammer blackout browse command data-bomb decrypt defuse eccm edit encrypt exploit "
    "medic scan sniffer spoof stealth track"
)
RATINGS = ("response", "signal", "system", "firewall")
"""What a device has."""
_OF_ICON = ("pilot", "willpower", "biofeedback-filter", "jam", "hiding", "bomb", "encryption")
RIGHTS = ("user", "security", "admin")
WORDS = (*SKILLS, *PROGRAMS, *RATINGS, *_OF_ICON)
"""What a Matrix action may roll, or has to reach."""
DEVICES = "matrix-devices"
"""The table of the packs with the ratings of devices."""
MONITOR_BASE = 8
"""Boxes of a condition monitor beside half the attribute, as of the body (section 3)."""

DEVICE = Record("device", "Device", doc="What the target carries, in place of the target's own icon.")


def icon_fields(who: str, **more: Declared) -> tuple[Field, ...]:
    """What a sheet says of a combatant in the Matrix, beside their body, and more."""
    return combatant_fields(
        who,
        **planes.FIELDS,
        signal=whole("Signal", "Of the device that enters the Matrix; how far it reaches.", most=9),
        firewall=whole("Firewall", "Of that device.", most=20),
        programs=ratings("Programs", "Rating of each that is loaded.", most=20, choices=PROGRAMS),
        crashed=text("Programs crashed", "Their words, separated by spaces.", most=300),
        biofeedback_filter=whole("Biofeedback Filter", "Rating, against black IC and dumpshock.", most=20),
        matrix_boxes=whole("Matrix boxes", "Filled boxes of the monitor of the icon.", most=50),
        account=choice("Account", "Rights on the node in which the icon is.", choices=RIGHTS),
        under_alert=flag("Under alert", "The node of the other looks for this intruder."),
        wireless_off=flag("Wireless off", "No device can be reached by radio."),
        jam=whole("Jammed by", "What holds the connection open: rating and Response.", most=60),
        **more,
    )


USING = words("Rolled", "A skill, a program and the like.", choices=WORDS, example=["hacking", "spoof"])


def device_fields() -> tuple[Field, ...]:
    """A device by its kind, or by its ratings."""
    rest = "Of the device; that of its kind unless given."
    its = {name: whole(name.capitalize(), rest, most=20) for name in RATINGS}
    kind = text("Kind of device", "A device whose ratings the packs have.", most=60, example="smartgun")
    rating = whole("Device rating", "Stands for each rating that is not given.", most=20)
    analyze = whole("Analyze", "Rating of the program with which it looks for intruders.", most=20)
    return fields("device", kind=kind, rating=rating, **its, analyze=analyze)


def derive(it: Attempt, *people: str) -> None:
    """Put in the ratings of the device, and the wounds of those who take part; agents have none."""
    facts = it.facts
    if "device.kind" in facts:
        row = row_of(it.lookup, DEVICES, facts["device.kind"])
        for name in RATINGS:
            facts.setdefault(f"device.{name}", row[name])
    if "device.rating" in facts:
        for name in RATINGS:
            facts.setdefault(f"device.{name}", facts["device.rating"])
    for who in people:
        if who == "target" and has_device(facts):
            continue
        if not facts.get(f"{who}.agent") and (lost := wound_modifier(facts, who, it.options)) is not None:
            it.shown[f"{who}.wound_modifier"] = facts[f"{who}.wound_modifier"] = lost


def has_device(facts: Facts) -> bool:
    """Whether a device of the target stands in place of its icon."""
    return any(f"device.{name}" in facts for name in RATINGS)


def monitor(facts: Facts, who: str) -> int | None:
    """Boxes of the monitor of an icon; None where the System is not known."""
    system = facts.get(f"{who}.system")
    return None if system is None else MONITOR_BASE + half_up(system)


def crashed(sheet: Facts) -> bool:
    """Whether all boxes of the monitor of an icon are filled, by a sheet."""
    most = monitor({"own.system": sheet["system"]}, "own") if "system" in sheet else None
    return most is not None and sheet.get("matrix_boxes", 0) >= most


def dice_of(it: Attempt, who: str, named: Sequence[str]) -> list[Entry]:
    """The lines of what one rolls; without the program, who acts has no test. `InputError`: something is not given."""
    return [line for word in named for line in _lines(it, who, word)]


def _lines(it: Attempt, who: str, word: str) -> Iterable[Entry]:
    facts = it.facts
    if who == "target" and has_device(facts):
        return _of_device(facts, word)
    agent = bool(facts.get(f"{who}.agent"))
    if word == "hiding":  # programs and nodes hide behind their Firewall
        return dice_of(it, who, ("firewall" if agent else "hacking", "stealth"))
    if word in SKILLS:
        if agent:
            return [_rating(facts, who, "pilot")]
        require(facts, [(f"{who}.skills", f"the skill {_label(word)} | {who}.agent")])
        return skill_entries(facts[f"{who}.skills"], word)
    if word in PROGRAMS:
        return _of_program(it, who, word)
    if word in ("bomb", "encryption"):
        twice = facts.get(f"{who}.programs", {}).get({"bomb": "data-bomb", "encryption": "encrypt"}[word], 0)
        return [Entry(word, _label(word), twice), Entry(f"{word}-again", f"{_label(word)} again", twice)]
    if word == "biofeedback-filter":
        return [Entry(word, "Biofeedback Filter", facts.get(f"{who}.biofeedback_filter", 0))]
    if word == "jam":
        return [Entry(word, "Rating and Response", facts.get("tester.jam", 0))]
    if word == "pilot" and f"{who}.pilot" not in facts:  # no agent and no drone
        word = "system"
    line = _rating(facts, who, word)
    slowed = planes.slowed(facts_of(facts, who)) if word == "response" else 0
    return [line, Entry("running", "Programs running", slowed, origin="rule")] if slowed else [line]


def _of_device(facts: Facts, word: str) -> list[Entry]:
    """The ratings of a device; it has no skills, and no programs but Analyze."""
    word = {"hiding": "firewall", "pilot": "system"}.get(word, word)
    if word in RATINGS:
        return [_rating(facts, "device", word)]
    rating = facts.get("device.analyze", 0) if word == "analyze" else 0
    return [Entry(word, _label(word), rating)] if rating else []


def _of_program(it: Attempt, who: str, program: str) -> list[Entry]:
    """The rating of a program, no better than the System."""
    rating = program_rating(it.facts, who, program)
    if not rating and who != "target":
        it.refused.append(Refusal("no_program", f"The program {_label(program)} is not running"))
    return [Entry(program, _label(program), rating)] if rating else []


def program_rating(facts: Facts, who: str, program: str) -> int:
    """The rating that counts: at most the System, and none of a program that has crashed."""
    loaded = int(facts.get(f"{who}.programs", {}).get(program, 0))
    if program in str(facts.get(f"{who}.crashed", "")).split():
        return 0
    return min(loaded, int(facts.get(f"{who}.system", loaded)))


def _rating(facts: Facts, who: str, word: str) -> Entry:
    if (path := f"{who}.{word}") not in facts:
        raise lacks(path, f"{_label(word)} of the {'device' if who == 'device' else 'icon'}")
    return Entry(word, _label(word), facts[path])


def _label(word: str) -> str:
    return word.replace("-", " ").capitalize()

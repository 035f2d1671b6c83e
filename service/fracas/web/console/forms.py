"""What a form of the console says, as the body of a command; and the controls of a form for what a rule asks.

Names of controls are paths: ``target``, ``situation.target.cover``. What is left empty is not given, which is unknown
and never zero. Numbers that cannot be read stay text, so that the service's own check names the field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from marshmallow import fields
from werkzeug.datastructures import MultiDict

from fracas.encounters.schemas import SCHEMAS
from fracas.engine.game import Game
from fracas.engine.loading import StrictBoolean
from fracas.kernel.vocabulary import EntryLookup, Field, Vocabulary

SITUATION = "situation."
MAX_DEPTH = 8
"""Records in one another that a name may lead through; no vocabulary has more than three."""
CHOSEN_ELSEWHERE = frozenset({"combatant", "weapon", "vehicle"})
"""Kinds of entries that a form names by a combatant of the fight or by an item."""
DONE_WITH = frozenset({"drug", "power"})
"""Kinds of entries that an action is about, such as the spell that is cast."""
_PATH = re.compile(r"\b[a-z]+(?:[._][a-z0-9]+)+\b")
"""Names of fields in what a field says of itself, which people read as words."""
_TRUE, _FALSE = "true", "false"
_SEGMENTS, _SEGMENT_LETTERS = 6, 44
"""So many choices of so many letters together stand side by side; more of them are chosen from a list."""
_HANDS = "/"
"""Between groups of dice that people type in: ``4 2 6 / 5 1``."""


class Control(NamedTuple):
    """A control of a form.

    Attributes:
        kind: ``choice``, ``flag``, ``number``, ``text`` or ``several``.
        choices: (value, label) pairs, without the empty one.
        value: what stands in it; of ``several`` a list.
        unit: what a number counts, in the plural; "" for a plain number.
    """

    name: str
    kind: str
    label: str
    hint: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    value: Any = ""
    least: float | None = None
    most: float | None = None
    whole: bool = True
    unit: str = ""

    @property
    def segments(self) -> tuple[tuple[str, str], ...]:
        """Choices that stand side by side, each a click away; empty where there are too many, or nothing to choose."""
        choices = ((_TRUE, "yes"), (_FALSE, "no")) if self.kind == "flag" else self.choices
        if self.kind not in ("choice", "flag") or len(choices) > _SEGMENTS:
            return ()
        return choices if sum(len(label) for _, label in choices) <= _SEGMENT_LETTERS else ()


def control(field: Field, given: Mapping[str, Any]) -> Control | None:
    """The control of a field of a situation; None for one that is better given in a pack or a sheet, such as ratings.

    `given`: flat, by path.
    """
    kinds = {
        "whole": "number",
        "number": "number",
        "flag": "flag",
        "choice": "choice",
        "words": "several",
        "text": "text",
    }
    if field.type not in kinds:
        return None
    choices = tuple((word, word.replace("-", " ").replace("_", " ")) for word in field.choices)
    value = given.get(field.path, [] if field.type == "words" else "")
    if isinstance(value, bool):
        value = _TRUE if value else _FALSE
    return Control(
        SITUATION + field.path,
        kinds[field.type],
        field.label,
        _PATH.sub(lambda found: found[0].rpartition(".")[2].replace("_", " "), field.meaning),
        choices,
        value,
        field.least,
        field.most,
        field.type == "whole",
        field.unit,
    )


def own_controls(
    vocabulary: Vocabulary, settled: Iterable[str], given: Mapping[str, Any], of_people: Container[str] = ()
) -> list[Control]:
    """The controls of what belongs to no sheet and is not settled yet: distance, firing mode, visibility.

    `of_people`: the names of what sheets of people say; a record of nothing else is one of them.
    """
    sheets = {path for path, record in vocabulary.records.items() if record.entry_kind}
    names: dict[str, list[str]] = {}
    for path in vocabulary.fields:
        record, _, name = path.rpartition(".")
        names.setdefault(record, []).append(name)
    sheets |= {
        record for record, known in names.items() if record and all(name in of_people for name in known)
    }
    taken = set(settled)
    found = []
    for field in vocabulary.fields.values():
        record = field.path.rpartition(".")[0]
        if field.derived_from is None and field.path not in taken and record not in sheets:
            made = control(field, given if field.in_scene else {})
            if made is not None:
                found.append(made)
    return found


def entry_controls(
    vocabulary: Vocabulary,
    lookup: EntryLookup,
    settled: Iterable[str],
    sheet: Mapping[str, Any],
    given: Mapping[str, Any],
    elsewhere: Callable[[str], Collection[str]] = lambda kind: (),
) -> list[Control]:
    """The choosers of entries that fill in a record, such as a spell or a drug; people and items are chosen elsewhere.

    Args:
        sheet: of who acts: if it lists entries of the kind, only these are offered.
        given: flat, by path.
        elsewhere: the fields of an entry of a kind that some action reads; an entry that has only such as this action
            does not read, as a poison for one who takes a drug, is not offered.
    """
    taken = set(settled)
    listed = {slug for value in sheet.values() if isinstance(value, (list, tuple, Mapping)) for slug in value}
    found = []
    for path, record in vocabulary.records.items():
        if not record.entry_kind or record.entry_kind in CHOSEN_ELSEWHERE or path in taken:
            continue
        entries = lookup.entries(record.entry_kind)
        own = [entry for entry in entries if entry.slug in listed] or entries
        read, others = set(vocabulary.fields_of(path)), set(elsewhere(record.entry_kind))
        own = [one for one in own if read & {*one.data} or not others & {*one.data}] or own
        choices = tuple((entry.slug, entry.label) for entry in sorted(own, key=lambda one: one.label))
        if choices:
            value = given.get(path, "")
            found.append(Control(SITUATION + path, "choice", record.label, record.doc, choices, value))
    return found


def read_of(game: Game) -> Callable[[str], Collection[str]]:
    """The fields of an entry of a kind that some procedure of a game reads, for what actions are about."""

    def read(kind: str) -> Collection[str]:
        if kind not in DONE_WITH:
            return ()
        found: set[str] = set()
        for procedure in game.ruleset.procedures.values():
            for path, record in procedure.vocabulary.records.items():
                if record.entry_kind == kind:
                    found.update(procedure.vocabulary.fields_of(path))
        return found

    return read


def person_controls(vocabulary: Vocabulary, record: str, settled: Iterable[str]) -> list[Control]:
    """The controls of what may hold of a combatant just now, such as cover: what is chosen, not counted."""
    taken = set(settled)
    made = (
        control(field, {})
        for field in vocabulary.fields.values()
        if field.path.rpartition(".")[0] == record and field.derived_from is None and field.path not in taken
    )
    return [one for one in made if one is not None and one.kind in ("choice", "flag")]


def command_of(form: MultiDict[str, str], vocabulary: Vocabulary | None = None) -> dict[str, Any]:
    """The body of the command that a form gives; it is checked where all commands are.

    Args:
        vocabulary: of the action's procedure, for the types of what it says of the situation; without one, words.
    """
    kind = form.get("command", "")
    known = SCHEMAS[kind].fields if kind in SCHEMAS else {}
    body: dict[str, Any] = {"command": kind}
    for name in known:
        if name in form and (value := _value(known[name], name, form)) is not None:
            body[name] = value
    if "situation" in known and ((given := given_of(form, vocabulary)) or vocabulary is not None):
        body["situation"] = nested(given)
    return body


def given_of(form: MultiDict[str, str], vocabulary: Vocabulary | None) -> dict[str, Any]:
    """What a form says of a situation, flat by path."""
    given: dict[str, Any] = {}
    for name in form:
        path = name.removeprefix(SITUATION)
        if path == name:
            continue
        field = vocabulary.fields.get(path) if vocabulary is not None else None
        values = [value.strip() for value in form.getlist(name) if value.strip()]
        if values:
            given[path] = (
                values
                if field is not None and field.type in ("words", "entries")
                else read(field, values[-1])
            )
    return given


def nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """``{"target.cover": "good"}`` as ``{"target": {"cover": "good"}}``. A record that is named and has fields beside,
    in whichever order, has its name under ``use``. What lies deeper than any field stays one name."""
    found: dict[str, Any] = {}
    for path, value in flat.items():
        *records, name = path.split(".", MAX_DEPTH)
        place = found
        for record in records:
            inner = place.setdefault(record, {})
            if not isinstance(inner, dict):
                inner = place[record] = {"use": inner}
            place = inner
        if isinstance(place.get(name), dict):
            place[name]["use"] = value
        else:
            place[name] = value
    return found


def tokens(paid: Mapping[str, int]) -> str:
    """A way to pay as the value of a control, such as ``simple=1 free=1``; `command_of` reads it."""
    return " ".join(f"{token}={count}" for token, count in paid.items())


def _value(field: fields.Field[Any], name: str, form: MultiDict[str, str]) -> Any:
    if isinstance(field, fields.List):
        if name == "dice":
            return faces(form["dice"]) if form["dice"].strip() else None
        return [value for value in form.getlist(name) if value] or None
    value = form[name].strip()
    if not value:
        return None
    if isinstance(field, fields.Dict):
        return {token: whole(count) for token, _, count in (one.partition("=") for one in value.split())}
    if isinstance(field, StrictBoolean):
        return {_TRUE: True, "on": True, _FALSE: False}.get(value, value)
    return whole(value) if isinstance(field, fields.Integer) else value


def read(field: Field | None, value: str) -> Any:
    """A value of a form as its field wants it; what cannot be read stays text."""
    if field is None or field.type not in ("whole", "number", "flag"):
        return value
    if field.type == "flag":
        return {_TRUE: True, _FALSE: False}.get(value, value)
    return whole(value) if field.type == "whole" else _number(value)


def whole(text: str) -> int | str:
    try:
        return int(text)
    except ValueError:
        return text


def _number(text: str) -> float | str:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return text


def faces(text: str) -> Sequence[Sequence[int | str]]:
    """Dice typed in by hand: groups with ``/`` between them, faces with blanks or commas."""
    return [[whole(face) for face in group.replace(",", " ").split()] for group in text.split(_HANDS)]

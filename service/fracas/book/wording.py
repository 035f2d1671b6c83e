"""Entries of packs in words: references as links, conditions and values of modifiers as phrases, never as raw data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from fracas.engine.game import Game
from fracas.kernel.ruleset import FieldSet, Procedure
from fracas.kernel.vocabulary import Field
from fracas.packs.entries import Entry
from fracas.packs.references import reference_fields
from fracas.packs.schema_fields import Field as FieldOfEntry
from fracas.packs.schema_fields import all_fields, kinds_of

_HYPHENED = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")
_NAMED_BY_ID = re.compile(r"(?<![\w./-])[a-z][a-z0-9]*(?:[-._][a-z0-9]+)+(?![\w-])")
"""What may be an id or a path in a sentence: ``grenade-frag``, ``half_armor_round``, ``weapon.loaded_grenade``."""
_POOL = re.compile(r"[a-z0-9_-]+( \+ [a-z0-9_-]+)+")
_IDS = re.compile(r"[a-z][a-z0-9]*(?:[-._][a-z0-9]+)*(?:, [a-z][a-z0-9]*(?:[-._][a-z0-9]+)*)*")
_SLUG = re.compile(r"[a-z]+(-[a-z0-9]+)*")
_COMPARED = {
    "eq": "is",
    "ne": "is not",
    "lt": "is less than",
    "lte": "is at most",
    "gt": "is more than",
    "gte": "is at least",
    "in": "is one of",
}
_GROUPED = {"all": " and ", "any": " or ", "none": " nor "}
_SIGNS = {"+": " + ", "*": " × "}
_REFUSAL = "refusal"
_TITLES = {"on": "of combatants", "stat": "number"}


class Part(NamedTuple):
    """A piece of what a field says, and the entry that it names."""

    text: str
    link: str = ""


class Shown(NamedTuple):
    """What a field says: one piece, or a list of several."""

    parts: Sequence[Part]

    @property
    def text(self) -> str:
        return ", ".join(part.text for part in self.parts)


class Wording:
    """Puts entries of one game into words."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def shown(self, entry: Entry, name: str, value: Any) -> Shown:
        """What a field of an entry says."""
        given = self._of_field(entry, name, value)
        if given is not None:
            return Shown([Part(one) for one in given])
        kinds = reference_fields(self._game.ruleset.id, entry.kind)
        if (name,) in kinds:
            return Shown(list(self._references(kinds[name,], value)) or [Part("none")])
        if entry.kind == "skirmish" and name == "combatants":
            return Shown([self._fighter(one) for one in value])
        return Shown([Part(one) for one in self._words(value)])

    def _of_field(self, entry: Entry, name: str, value: Any) -> list[str] | None:
        """Fields with a meaning of their own; None for all others."""
        match name:
            case "when" if isinstance(value, list):
                return [self.predicate(item) for item in value] or ["always"]
            case "value" if entry.kind == "modifier":
                return [f"{value:+d}" if isinstance(value, int) else self.amount(value)]
            case "applies_to" if isinstance(value, list):
                return [self._number(one) for one in value]
            case "procedure" if isinstance(value, str):
                return [self.procedure(value)]
            case "answers" if isinstance(value, list):
                return [self.procedure(one) for one in value]
            case "situation" if isinstance(value, Mapping):
                return [f"{self._label(path)}: {word(given)}" for path, given in flat(value).items()]
            case "sets" | "leaves" | "points" if isinstance(value, Mapping):
                return [self._set(path, given) for path, given in flat(value).items()]
            case "changes" if isinstance(value, list):
                return [self._change(one) for one in value if isinstance(one, Mapping)]
            case "by_force" if isinstance(value, Mapping):
                return self._by_force(value)
            case "lasts" if isinstance(value, Mapping):
                return [_span(value)]
            case "limit" if isinstance(value, Mapping):
                times = value.get("times", 1)
                return [f"{'once' if times == 1 else f'{times} times'} per {word(value.get('per', ''))}"]
            case "type" if entry.kind == "action" and isinstance(value, str):
                return [word(value) + self._price(value)]
            case "cost" if entry.kind == "action" and isinstance(value, list):
                return [_tokens(one) for one in value]
        return None

    # --- Conditions and values --------------------------------------------------------------------------

    def predicate(self, raw: Any) -> str:
        """A condition as a phrase: "Range is medium"."""
        if isinstance(raw, str):
            return self._term(raw)
        if isinstance(raw, list):
            return " and ".join(self.predicate(item) for item in raw)
        if not isinstance(raw, Mapping) or len(raw) != 1:
            return word(raw)
        ((operator, operand),) = raw.items()
        if operator == "not":
            return f"not ({self.predicate(operand)})"
        if operator in _GROUPED and isinstance(operand, list):
            joined = _GROUPED[operator].join(self.predicate(item) for item in operand)
            return (
                f"neither {joined}"
                if operator == "none" and len(operand) > 1
                else (f"not ({joined})" if operator == "none" else joined)
            )
        if operator in _COMPARED and isinstance(operand, list) and len(operand) == 2:
            return self._compared(operator, *operand)
        return word(raw)

    def _term(self, term: str) -> str:
        for sheet in self._game.sheets():
            found = self._game.vocabulary(sheet).term(term)
            if found is not None:
                path, value = found
                verb = "include" if self._game.vocabulary(sheet).is_list(path) else "is"
                return (
                    self._label(path)
                    if value is True
                    else f"{self._label(path)} {verb} {self._valued(path, value)}"
                )
        return word(term)

    def _compared(self, operator: str, path: str, wanted: Any) -> str:
        if isinstance(wanted, bool) and operator in ("eq", "ne"):
            return f"{self._label(path)}: {word(wanted == (operator == 'eq'))}"
        known = isinstance(wanted, str) and self._field(wanted) is not None and "." in wanted
        right = self._label(wanted) if known else self._valued(path, wanted)
        return f"{self._label(path)} {_COMPARED[operator]} {right}"

    def _valued(self, path: str, value: Any) -> str:
        """A value of a field; that of a house rule by its label."""
        rule = self._game.house_rules.get(path.removeprefix("option."))
        return rule.shown(value) if rule and isinstance(value, str) else word(value)

    def amount(self, raw: Any) -> str:
        """A value as a phrase: "the lower of Take Aim actions and half ..."."""
        if isinstance(raw, str):
            return self._label(raw)
        if not isinstance(raw, Mapping) or len(raw) != 1:
            return word(raw)
        ((operator, operands),) = raw.items()
        if operator == "if" and isinstance(operands, list) and len(operands) == 3:
            holds, one, other = operands
            return f"{self.amount(one)} if {self.predicate(holds)}, otherwise {self.amount(other)}"
        parts = [self.amount(one) for one in (operands if isinstance(operands, list) else [operands])]
        if operator in _SIGNS:
            return f"({_SIGNS[operator].join(parts)})"
        if operator == "-":
            return f"minus {parts[0]}" if len(parts) == 1 else f"({' − '.join(parts)})"
        if operator in ("min", "max"):
            return f"the {'lowest' if operator == 'min' else 'highest'} of {', '.join(parts)}"
        rounded = {"floor": "rounded down", "ceil": "rounded up"}.get(operator, operator)
        return f"{' / '.join(parts)} ({rounded})"

    # --- Names ------------------------------------------------------------------------------------------

    def _field(self, path: str) -> Field | None:
        sheets = self._game.sheets()
        return next(
            (found for sheet in sheets if (found := self._game.vocabulary(sheet).fields.get(path))), None
        )

    def _label(self, path: str) -> str:
        """What people call a field of a situation, and the record that has it."""
        field = self._field(path)
        if field is None:
            return word(path.replace(".", " ").replace("-", " "))
        record, _, _ = path.rpartition(".")
        label, own = self._record(record) if record else "", self.sentence(field.label)
        return f"{label}: {own}" if label and label.casefold() != own.casefold() else own

    def _record(self, path: str) -> str:
        for sheet in self._game.sheets():
            found = self._game.vocabulary(sheet).records.get(path)
            if found is not None:
                return found.label
        return ""

    def _number(self, to: Any) -> str:
        """What people call a number that modifiers add to."""
        id, _, name = str(to).rpartition(".")
        sheet: Procedure | FieldSet
        for sheet in self._game.sheets():
            if to in sheet.targets:
                return sheet.targets[to]
            if name == _REFUSAL and id == sheet.id:
                return f"makes it impossible: {sheet.label}"
        return word(to)

    def procedure(self, id: str) -> str:
        """What people call a procedure."""
        found = self._game.ruleset.procedures.get(id)
        return found.label if found else word(id)

    def need(self, need: str) -> str:
        """What people call a requirement of an action."""
        turns = self._game.ruleset.turns
        found = turns.needs.get(need) if turns is not None else None
        return self.sentence(found.label) if found else word(need)

    def _references(self, kind: str, value: Any) -> Iterator[Part]:
        """The entries that a field names, with how many of each where it says so."""
        named = value.items() if isinstance(value, Mapping) else None
        for reference in value if isinstance(value, (list, Mapping)) else [value]:
            found = self._game.packs.entry(kind, reference) if isinstance(reference, str) else None
            count = f" × {word(dict(named)[reference])}" if named else ""
            text = (found.label if found else word(reference)) + count
            yield Part(text, f"/console/entries/{found.id}" if found else "")

    def _fighter(self, given: Mapping[str, Any]) -> Part:
        """A combatant of a skirmish: "Guard × 2, corp"."""
        (part,) = self._references("combatant", given.get("combatant"))
        name, count = given.get("name"), given.get("count", 1)
        text = f"{name} ({part.text})" if name else part.text
        about = [f"{text} × {count}" if count != 1 else text, *([given["side"]] if "side" in given else ())]
        return Part(", ".join([*about, *(["a player's"] if given.get("player") else ())]), part.link)

    def sentence(self, text: str) -> str:
        """A sentence of an author with the labels of what it names by id: entries, house rules, fields.
        What stands in code stays as it is."""
        pieces = text.split("`")
        return "`".join(
            piece if at % 2 else _NAMED_BY_ID.sub(lambda found: self._by_label(found[0]), piece)
            for at, piece in enumerate(pieces)
        )

    def cell(self, text: str) -> str:
        """A cell of a lookup table, or the meaning of a column: what it names by id, in words.

        Its pieces, between commas, may each be a number of the rules, all numbers of a group, or an id of this game
        or of the rows of another table. So may the parts of a pool, between plus signs.
        """
        if _POOL.fullmatch(text):
            return " + ".join(map(word, text.split(" + ")))
        if not _IDS.fullmatch(text):
            return self.sentence(text)
        return ", ".join(map(self._piece, text.split(", ")))

    def _piece(self, id: str) -> str:
        turns = self._game.ruleset.turns
        if turns is not None and id in turns.groups:
            return word(" ".join(reversed(id.split("."))))
        named = next((sheet.targets[id] for sheet in self._game.sheets() if id in sheet.targets), "")
        return named or word(self.sentence(id))

    def _by_label(self, id: str) -> str:
        rule = self._game.house_rules.get(id.removeprefix("option."))
        if rule is not None:
            return f"“{rule.label}”"
        if id in self._labels:
            return self._labels[id]
        if "." in id and self._field(id) is not None:
            return f"“{self._label(id)}”"
        if "_" in id and "." not in id:
            return f"“{self._stat(id)}”" if self._is_stat(id) else id.replace("_", " ")
        return id

    def _is_stat(self, name: str) -> bool:
        known = fields_of(_COMBATANTS, self._game.ruleset.id)
        return name in known or bool(self._field(f"target.{name}") or self._field(f"attacker.{name}"))

    @cached_property
    def _labels(self) -> Mapping[str, str]:
        """Labels of entries by their slugs, but for slugs that are words of people, such as "one-handed"."""
        entries = [
            entry for pack in self._game.packs.packs for entry in pack.entries if entry.kind != "example"
        ]
        words = {found for entry in entries for found in _HYPHENED.findall(entry.label.casefold())}
        return {entry.slug: entry.label for entry in entries if "-" in entry.slug and entry.slug not in words}

    # --- What conditions and actions do -----------------------------------------------------------------

    def _set(self, name: str, value: Any) -> str:
        return f"{self._stat(name)}: {word(value)}"

    def _by_force(self, added: Mapping[str, int]) -> list[str]:
        """The numbers of a being by its Force, those that have the same together."""
        alike: dict[int, list[str]] = {}
        for name, more in added.items():
            alike.setdefault(more, []).append(self._stat(name))
        return [f"{by_force(more)}: {', '.join(names)}" for more, names in alike.items()]

    def _stat(self, name: Any) -> str:
        """What people call a number of a combatant."""
        if "." in str(name):
            return self._label(str(name))
        field = fields_of(_COMBATANTS, self._game.ruleset.id).get(str(name))
        found = self._field(f"target.{name}") or self._field(f"attacker.{name}")
        return field.title if field else found.label if found else word(name).capitalize()

    def _change(self, change: Mapping[str, Any]) -> str:
        reported = [
            f"{verb} {self._levels(change[name])}" for name, verb in _CHANGED.items() if name in change
        ]
        rest = [
            f"{word(name)} {self.predicate(value) if name == 'while' else word(value)}"
            for name, value in change.items()
            if name not in _CHANGED and name != "stat"
        ]
        return ", ".join([f"{self._stat(change.get('stat'))} {' '.join(reported)}".strip(), *rest])

    def _levels(self, value: Any) -> str:
        """One number, or one for each rating."""
        show: Callable[[Any], str] = self.amount
        return " / ".join(map(show, value)) + " by rating" if isinstance(value, list) else show(value)

    def _price(self, type_: str) -> str:
        economy = self._game.packs.economy() or {}
        price = economy.get("types", {}).get(type_)
        return f" ({' or '.join(map(_tokens, price))})" if price else ""

    def _words(self, value: Any) -> list[str]:
        """Lists and mappings piece by piece."""
        if isinstance(value, Mapping):
            return [f"{_titled(name)}: {_joined(self._words(inner))}" for name, inner in value.items()] or [
                "none"
            ]
        if isinstance(value, list):
            return [_joined(self._words(one)) for one in value] or ["none"]
        return [word(value)]


def flat(situation: Mapping[str, Any], path: str = "") -> dict[str, Any]:
    """The fields of nested records by their paths."""
    found: dict[str, Any] = {}
    for name, value in situation.items():
        if isinstance(value, Mapping):
            found |= flat(value, f"{path}{name}.")
        else:
            found[path + name] = value
    return found


def by_force(more: int) -> str:
    """A number that is the Force and so much more."""
    return f"F {'+' if more > 0 else '−'} {abs(more)}" if more else "F"


def fields_of(kind: str, ruleset: str) -> Mapping[str, FieldOfEntry]:
    """The fields of a kind of entries (``weapons``) by name; none for a ruleset that the schemas do not know."""
    return all_fields(kind, ruleset) if kind in kinds_of(ruleset) else {}


_COMBATANTS = "combatants"
_CHANGED = {"add": "changes by", "set": "becomes", "at_least": "is at least"}


def word(value: Any) -> str:
    """A plain value for people."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value.replace("-", " ") if _SLUG.fullmatch(value) else value.replace("_", " ")
    if isinstance(value, Mapping):
        return ", ".join(f"{word(name)}: {word(inner)}" for name, inner in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(map(word, value)) or "none"
    return "none" if value is None else str(value)


def _titled(name: Any) -> str:
    return _TITLES.get(str(name), word(str(name)))


def _joined(words: Sequence[str]) -> str:
    return ", ".join(words)


def _tokens(price: Any) -> str:
    """Tokens to spend: "2 simple"."""
    if not isinstance(price, Mapping):
        return word(price)
    return ", ".join(f"{count} {word(token)}" for token, count in price.items()) or "costs nothing"


def _span(lasts: Mapping[str, Any]) -> str:
    """How long something lasts: "1 turn"."""
    count, unit = lasts.get("count", ""), word(lasts.get("unit", ""))
    many = "" if count == 1 else "s"
    rest = {name: value for name, value in lasts.items() if name not in ("count", "unit")}
    return f"{word(count)} {unit}{many}".strip() + (f", {word(rest)}" if rest else "")

"""What people call what a fight keeps by key: items, fields, tokens, tracks, conditions, decisions, facts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fracas.engine.game import Game
from fracas.exports.cards.card import label_of, value_text, words
from fracas.exports.readable import counted
from fracas.kernel.turns import TurnRules
from fracas.packs.entries import Entry
from fracas.packs.schema_fields import all_fields, kinds_of

Data = Mapping[str, Any]

_ITEMS = ("weapon", "armor", "drug", "vehicle", "ammunition", "augmentation")
"""Kinds of entries that combatants carry, in the order in which a name is looked up."""
_COMBATANTS = "combatants"
NOTHING = (None, False, "", "none")
_PLURAL = re.compile(r"(?P<y>.*)ies$|(?P<stem>.*(?:ss|x|ch))es$|(?P<plain>.*[^su])s$")


class Glossary:
    """The words of one game.

    Attributes:
        of: the game.
        rules: of its fights.
    """

    def __init__(self, game: Game, rules: TurnRules) -> None:
        self.of = game
        self.rules = rules
        procedures = game.ruleset.procedures.values()
        self._decisions = {one.id: one.label for found in procedures for one in found.decisions}
        ruleset = game.ruleset.id
        known = all_fields(_COMBATANTS, ruleset) if _COMBATANTS in kinds_of(ruleset) else {}
        self._fields = {name: field.title for name, field in known.items()}

    def item(self, name: str) -> str:
        """What an item is called; the second of one model has its number.

        >>> glossary.item("ares-predator-iv#2")  # doctest: +SKIP
        'Ares Predator IV (2)'
        """
        slug, _, number = name.partition("#")
        label = next((found.label for kind in _ITEMS if (found := self._entry(kind, slug))), label_of(slug))
        return f"{label} ({number})" if number else label

    def action(self, slug: str) -> str:
        found = self._entry("action", slug)
        return found.label if found else label_of(slug)

    def condition(self, slug: str) -> str:
        found = self._entry("condition", slug)
        return found.label if found else words(slug)

    def combatant(self, slug: str) -> str:
        """A combatant of the packs."""
        found = self._entry("combatant", slug)
        return found.label if found else words(slug)

    def being(self, label: str) -> str:
        """What combatants with a condition of this label are; see `being`."""
        return being(self.of, label)

    def decision(self, id: str) -> str:
        return self._decisions.get(id) or label_of(id)

    def field(self, name: str) -> str:
        """A field of the sheet of a combatant."""
        return self._fields.get(name) or label_of(name)

    def option(self, id: str) -> str:
        """A house rule."""
        rule = self.of.house_rules.get(id)
        return rule.label if rule else label_of(id)

    def game(self) -> str:
        return self.of.ruleset.label

    def packs(self, versions: Sequence[Sequence[str]]) -> str:
        """Packs with their versions."""
        titles = {pack.id: pack.manifest.title for pack in self.of.packs.packs}
        return ", ".join(f"{titles.get(id, id)} {version}" for id, version in versions)

    def token(self, token: str, count: int) -> str:
        """Tokens of the budget: "2 Simple Actions"."""
        if token in self.rules.tracks:
            return self.points(token, count)
        if token == _SLOTS:
            return counted(count, f"coming {self.rules.words.slot}")
        return counted(count, actions(token))

    def points(self, track: str, amount: int) -> str:
        """Points on a track or of a resource: "3 boxes of Physical damage"."""
        known = self.rules.tracks.get(track)
        if known is None and (item := self.rules.item_of_track(track)):
            return f"{counted(amount, 'box')} of damage to the {self.item(item)}"
        return counted(amount, known.noun) if known and known.noun else f"{amount} {words(track)}"

    def value(self, value: Any) -> str:
        """A value of a field of a sheet: entries by their labels, lists and mappings in one line."""
        if isinstance(value, Mapping):
            return ", ".join(f"{words(str(name))} {self.value(one)}" for name, one in value.items()) or "none"
        if isinstance(value, (list, tuple)):
            return ", ".join(map(self.value, value)) or "none"
        if isinstance(value, str):
            found = (self._entry(kind, value) for kind in (*_ITEMS, "power", "trait"))
            return next((entry.label for entry in found if entry), words(value))
        if isinstance(value, bool):
            return "yes" if value else "no"
        return "unknown" if value is None else str(value)

    def facts(self, known: Mapping[str, Any]) -> str:
        """What is known of something, in one line; a flag that is not set is named as such."""
        return ", ".join(
            f"not {words(name)}" if value is False else fact(name, value)
            for name, value in known.items()
            if value is not None
        )

    def _entry(self, kind: str, slug: str) -> Entry | None:
        return self.of.packs.entry(kind, slug)


_SLOTS = "coming slots"
"""What a reaction on credit costs, beside the tokens of the budget."""


def being(game: Game, label: str) -> str:
    """What stands after "is" for a condition with this label: "charging" for "Has charged", "prone" for "Prone"."""
    found = (entry.data.get("state") for entry in game.packs.entries("condition") if entry.label == label)
    state = next(filter(None, found), "")
    return state or (label if label[1:2].isupper() else label[:1].lower() + label[1:])


def actions(token: str) -> str:
    """What an action that takes this token is called.

    >>> actions("simple"), actions("action")
    ('Simple Action', 'Action')
    """
    return "Action" if token == "action" else f"{label_of(token)} Action"


def fact(name: str, value: Any) -> str:
    """One fact: "3 net hits", "damage 4", "knockdown".

    >>> (
    ...     fact("net_hits", 3),
    ...     fact("hits", 1),
    ...     fact("damage", 4),
    ...     fact("knockdown", True),
    ...     fact("glitch", "critical"),
    ... )
    ('3 net hits', '1 hit', 'damage 4', 'knockdown', 'glitch critical')
    """
    text = words(name)
    if value is True or (isinstance(value, str) and value == name):
        return text
    if isinstance(value, int) and (plural := _PLURAL.fullmatch(text)):
        one = f"{plural['y']}y" if plural["y"] else plural["stem"] or plural["plain"]
        return f"{value} {one if value == 1 else text}"
    return f"{text} {value_text(value)}"

"""What people call what a fight keeps by key: items, fields, tokens, tracks, conditions, decisions, facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from fracas.encounters.sheets import records
from fracas.engine.cards import points
from fracas.engine.game import Game
from fracas.exports.cards.changes import Points, moved
from fracas.exports.cards.terms import fact, label_of, lowered, words
from fracas.exports.readable import counted
from fracas.kernel.ruleset import harms
from fracas.kernel.turns import TurnRules
from fracas.packs.entries import Entry
from fracas.packs.schema_fields import all_fields, kinds_of

Data = Mapping[str, Any]

_ITEMS = ("weapon", "armor", "drug", "vehicle", "ammunition", "augmentation")
"""Kinds of entries that combatants carry, in the order in which a name is looked up."""
_COMBATANTS = "combatants"


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
        labels = {(found.id, one.id): one.label for found in procedures for one in found.decisions}
        self._decisions = {id: label for (_, id), label in labels.items()} | labels
        self._conditions = tuple(game.packs.entries("condition"))

    @cached_property
    def _fields(self) -> Mapping[str, str]:
        """The labels of the fields of combatants, for which the schemas are read, which takes long."""
        ruleset = self.of.ruleset.id
        known = all_fields(_COMBATANTS, ruleset) if _COMBATANTS in kinds_of(ruleset) else {}
        return {name: field.title for name, field in known.items()}

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

    def handles(self, action: str) -> bool:
        """Whether an action is done with an item; what an attack brought about names the weapon, but handles none."""
        found = self._entry("action", action)
        if found is None or "item" in found.data:
            return True
        procedure = self.of.ruleset.procedures.get(found.data.get("procedure", ""))
        return procedure is None or bool(records(procedure, "weapon"))

    def is_for_foes(self, action: str) -> bool:
        """Whether an action is done against a target of another side: what is meant for the fallen and does no harm is
        care, such as first aid."""
        found = self._entry("action", action)
        if found is None or not found.data.get("on_fallen"):
            return True
        procedure = self.of.ruleset.procedures.get(found.data.get("procedure", ""))
        return procedure is not None and harms(procedure)

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

    def towards(self, label: str) -> str:
        """What stands before the names of those whom a condition concerns: "in melee with"; "" for none."""
        found = (one.data.get("state_towards") for one in self._conditions if one.label == label)
        return next(filter(None, found), "")

    def changed(self, condition: Data) -> Sequence[str]:
        """What a condition, complete with its data, takes from the dice of a combatant, or adds to them."""
        more = sum(one["add"] for one in condition["changes"] if one["stat"] == _ALL_TESTS and "add" in one)
        return [f"{counted(abs(more), 'die')} {'more' if more > 0 else 'less'} in all tests"] if more else []

    def decision(self, id: str, procedure: str) -> str:
        """A decision, which may have another label in each procedure that asks for it."""
        return self._decisions.get((procedure, id)) or self._decisions.get(id) or label_of(id)

    def field(self, name: str) -> str:
        """A field of the sheet of a combatant."""
        return self._fields.get(name) or label_of(name)

    def option(self, id: str) -> str:
        """A house rule."""
        rule = self.of.house_rules.get(id)
        return rule.label if rule else label_of(id)

    def setting(self, id: str, value: Any) -> str:
        """The value of a house rule, which has its default where the fight began without it."""
        rule = self.of.house_rules.get(id)
        return rule.shown(rule.default if value is None else value) if rule else self.value(value)

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

    def whole_action(self, slug: str, payment: Data, types: Mapping[str, Sequence[Data]]) -> str:
        """What an action is called that costs several tokens of a kind at once: "1 Complex Action"; "" where they are
        named one by one.

        Args:
            types: of actions, as the economy has them, each with the ways to pay for it.
        """
        entry = self._entry("action", slug)
        kind = entry.data.get("type", "") if entry else ""
        several = len(payment) == 1 and max(payment.values()) > 1 and dict(payment) in types.get(kind, ())
        return counted(1, actions(kind.partition("-")[0])) if several else ""

    def points(self, track: str, amount: int) -> str:
        """Points on a track or of a resource: "3 boxes of Physical damage"."""
        known = self.rules.tracks.get(track)
        if known is None and (item := self.rules.item_of_track(track)):
            return f"{counted(amount, 'box')} of damage to the {self.item(item)}"
        return counted(amount, known.noun) if known and known.noun else f"{amount} {words(track)}"

    @cached_property
    def _tracks(self) -> Points:
        return points(self.rules)

    def moved(self, kind: str, track: str, amount: int) -> str:
        """What happens to points, to stand after the name of their owner: "takes 3 boxes of Physical damage"; "" where
        they have no name."""
        known = self._tracks
        if track not in known.nouns:
            known = points(self.rules, lookup=self.of.packs, effects=[{"type": kind, "what": track}])
        return moved(kind, amount, track, known)

    def count(self, item: str, name: str, amount: int) -> str:
        """How much of an item: "3 rounds" of a gun, "2 doses" of a drug."""
        return fact("doses" if name == "rounds" and self._entry("drug", item) else name, amount)

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
            f"not {words(name)}" if value is False else self._fact(name, value)
            for name, value in known.items()
            if value is not None
        )

    def _fact(self, name: str, value: Any) -> str:
        """A fact in the words that the rules have for this value of it, such as a firing mode."""
        phrases = self.of.ruleset.phrases.get(name)
        phrase = phrases.get(value) if isinstance(phrases, Mapping) and isinstance(value, str) else None
        return phrase or fact(name, value)

    def _entry(self, kind: str, slug: str) -> Entry | None:
        return self.of.packs.entry(kind, slug)


_ALL_TESTS = "tests.all"
"""The number of all tests of a combatant, where a game has one."""
_SLOTS = "coming slots"
"""What a reaction on credit costs, beside the tokens of the budget."""


def being(game: Game, label: str) -> str:
    """What stands after "is" for a condition with this label: "charging" for "Has charged", "prone" for "Prone"."""
    found = (entry.data.get("state") for entry in game.packs.entries("condition") if entry.label == label)
    return next(filter(None, found), "") or lowered(label)


def actions(token: str) -> str:
    """What an action that takes this token is called.

    >>> actions("simple"), actions("swift-move"), actions("action")
    ('Simple Action', 'Swift Move Action', 'Action')
    """
    return "Action" if token == "action" else f"{' '.join(map(label_of, token.split('-')))} Action"

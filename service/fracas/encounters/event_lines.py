"""What each kind of event did, in lines of Markdown: the first says what happened, the others how."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fracas.encounters import by_itself, overtaken_conditions, sight, wording
from fracas.encounters.by_itself import MOVES
from fracas.encounters.effects import SCHEDULE
from fracas.encounters.events import Event
from fracas.encounters.house_rule_commands import fields_of_scene
from fracas.encounters.state import State
from fracas.encounters.telling import Data, Lines, Telling
from fracas.encounters.wording import UNNAMED, plain
from fracas.exports.cards.terms import value_text
from fracas.exports.readable import by_means, counted, listed


class EventLines(Telling):
    """The lines of single events, as a viewer may read them."""

    def lines_of(self, event: Event, data: Data, before: State, after: State) -> Lines:
        """What an event did.

        Args:
            data: what the viewer may know of it.
            before, after: the states before and after it.
        """
        self._begun.clear()
        self._overtaken = overtaken_conditions.overtaken(self._rules, event.data)
        self._renewed = overtaken_conditions.removed(event.data)
        return _WORDS[event.type](self, event, data, before, after)

    # Each kind: the first line says what happened, the others how

    def created(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield "the fight is created"

    def joined(self, event: Event, data: Data, before: State, after: State) -> Lines:
        one = data["combatant"]
        yield f"{plain(one['name'])} joins ({plain(one['side'])})"
        yield from self._effects(data.get("effects", ()), after)

    def left(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield f"{self.name(data['combatant'], before)} leaves"

    def began(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield (
            "initiative"
            if event.type != "began-turn"
            else f"{plain(self._rules.words.turn)} {after.turn} begins"
        )
        for id, facts in data["given"].items():
            known = {name: value for name, value in facts.items() if value != "none"}
            yield f"{self.name(id, before)}: {self._initiative(known)}, entered by hand"
        yield from self._steps(data["rolls"], before)

    def acted(self, event: Event, data: Data, before: State, after: State) -> Lines:
        target, item = data.get("target") or "", data.get("item") or ""
        self._labels[data["action"]] = data["label"]
        text = f"{self.name(data['combatant'], before)}: {plain(data['label'])}"
        text += self._target(data, target, before)
        if item and self._glossary.handles(data["action"]):
            text += by_means(self._item(item), "") if target else f": {self._item(item)}"
        yield text + self._price(data)
        if data.get("note"):
            yield f"note: {plain(data['note'])}"
        if data.get("judged"):
            yield f"for the GM to check: {', '.join(map(plain, data['judged']))}"
        if data.get("forced"):
            yield f"forced, although: {', '.join(map(plain, data['forced']))}"
        yield from self._effects(data["effects"], before)
        yield from self._steps([data["step"]] if data["step"] else [], before)

    def _target(self, data: Data, target: str, before: State) -> str:
        """The target of an action: a foe, or else a comrade or a patient."""
        one, other = before.combatants.get(data["combatant"]), before.combatants.get(target)
        if not target:
            return ""
        foes = one is None or other is None or one.side != other.side
        foes = foes and self._glossary.is_for_foes(data["action"])
        return f" against {self.name(target, before)}" if foes else f": {self.name(target, before)}"

    def _item(self, item: str) -> str:
        return plain(self._glossary.item(item))

    def changes(self, event: Event, before: State, after: State) -> Lines:
        """What it changed, in words."""
        found = (
            sight.known_change(one, self._viewer, self._fight.state)
            for one in self._found(event, before, after)
        )
        alike = itertools.groupby(filter(None, found), lambda one: one["kind"] == MOVES and one["label"])
        for label, several in alike:
            known = [*several]
            if label and label.startswith("is ") and len(known) > 1:  # where they are placed
                yield f"{listed([self.name(one['who'], after) for one in known])} are {plain(label[3:])}"
                continue
            for one in known:
                yield wording.change(one, lambda id: self.name(id, after), self._glossary, plain)

    def _found(self, event: Event, before: State, after: State) -> Sequence[Data]:
        """What an event changed; of one of an earlier version this is worked out."""
        reported = by_itself.changes_in(event)
        return reported or by_itself.changes(self._rules, self._game.packs, event, before, after)

    def ended(self, one: Data, before: State) -> str:
        who = self.name(one["combatant"], before)
        return f"{who}: {plain(one['label'])} ends unfinished, {who} cannot act any more"

    def follows(self, data: Data, after: State) -> Lines:
        """The timers of what follows; its conditions are among the changes."""
        timers = (effect for effect in data.get("follows", ()) if effect["type"] == SCHEDULE)
        yield from self._effects(timers, after)

    def answered(self, event: Event, data: Data, before: State, after: State) -> Lines:
        step = data["steps"][0] if data["steps"] else {}
        one = before.resolutions.get(step.get("resolution", ""))
        whose = f"{self.name(one.actor, before)}: " if one else ""
        what = self._what(one, before) if one else "a question"
        late = ": no answer came in time, so the default counts" if data["how"] == "timeout" else ""
        yield f"{whose}{what}, answered{late}"
        yield from self._steps(data["steps"], before)
        yield from self._effects(data.get("settled") or (), before)

    def applied(self, event: Event, data: Data, before: State, after: State) -> Lines:
        one = before.resolutions[data["resolution"]]
        all_of_them = len(data["effects"]) == len(one.effects)
        which = "all effects" if all_of_them else f"{len(data['effects'])} of {len(one.effects)} effects"
        yield f"{self.name(one.actor, before)}: {self._label(one.action)}, {which} are applied"
        yield from self._effects(data["effects"], before)

    def discarded(self, event: Event, data: Data, before: State, after: State) -> Lines:
        one = before.resolutions[data["resolution"]]
        yield f"{self.name(one.actor, before)}: {self._label(one.action)} is given up"

    def contested(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield plain(data.get("label", data["contest"]))
        yield from self._steps(data["rolls"], before)
        yield from self._effects(data.get("settled") or (), before)

    def bought(self, event: Event, data: Data, before: State, after: State) -> Lines:
        cost = ", ".join(plain(self._glossary.points(what, amount)) for what, amount in data["cost"])
        yield f"{self.name(data['combatant'], before)}: {plain(data.get('label', data['purchase']))} for {cost}"

    def delayed(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield f"{self.name(data['combatant'], before)} delays"

    def intervened(self, event: Event, data: Data, before: State, after: State) -> Lines:
        when = {"before": "before", "with": "together with", "after": "after"}.get(data["when"])
        acting = self._named(before.acting, before)
        yield f"{self.name(data['combatant'], before)} uses the delayed action" + (
            f" {when} {acting}" if when and acting else ""
        )

    def set_by_hand(self, event: Event, data: Data, before: State, after: State) -> Lines:
        settings = [plain(self._setting(name, value)) for name, value in data.get("is", {}).items()]
        only = not any(data.get(part) for part in ("fields", "rolled", "items", "effects", "rolls"))
        known = settings if settings and only else ["is changed by hand", *settings]
        yield f"{self.name(data['combatant'], before)} {known[0]}"
        watched = {self._rules.tracks[gauge].field for gauge in self._watched(event, before, after)}
        for name, value in data.get("fields", {}).items():
            if name in watched:  # which is among the changes
                continue
            yield f"{plain(self._glossary.field(name))}: {plain(self._glossary.value(value))}"
        if data.get("rolled"):
            yield self._initiative(data["rolled"])
        yield from known[1:]
        for name, state in data.get("items", {}).items():
            yield f"{plain(self._glossary.item(name))}: {self._facts(state)}"
        yield from self._effects(data.get("effects", ()), before)
        yield from self._steps(data.get("rolls", ()), before)

    def placed(self, event: Event, data: Data, before: State, after: State) -> Lines:
        who = self._named(data["positions"], after)
        yield f"the GM says where {who or UNNAMED} {'are' if len(data['positions']) > 1 else 'is'}"

    def moved(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield f"{self._named(data['moves'], before) or UNNAMED} {'move' if len(data['moves']) > 1 else 'moves'}"
        for id, one in data["moves"].items():
            if one["taken"] != one["metres"]:
                yield f"{self.name(id, before)}: difficult ground, it takes {one['taken']:g} m"
        if data.get("forced"):
            yield f"forced, although: {', '.join(map(plain, data['forced']))}"

    def mapped(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield "the map changes"
        for id, one in data["areas"].items():
            known = after.areas.get(id) or before.areas.get(id)
            verb = "is removed" if one is None else "is another" if id in before.areas else "is added"
            yield f"{plain((known.label if known else '') or id)} {verb}"

    def ruled(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield "house rules change" if data["options"] else "the scene changes"
        fields, was_so = fields_of_scene(self._glossary.of), before.settings.get("scene", {})
        for path, value in data.get("scene", {}).items():
            field = fields.get(path)
            label, unit = (field.label, f" {field.unit}" if field.unit else "") if field else (path, "")
            was = f", was {_scene_text(was_so[path])}" if path in was_so else ""
            now = "not given" if value is None else f"{_scene_text(value)}{unit}"
            yield f"{plain(label)}: {plain(now)}{plain(was)}"
        for id, value in data["options"].items():
            now, was = (self._glossary.setting(id, one) for one in (value, before.options.get(id)))
            yield f"{plain(self._glossary.option(id))}: {plain(now)}, was {plain(was)}"

    def _watched(self, event: Event, before: State, after: State) -> Lines:
        """The tracks of numbers that have changed."""
        whose, found = event.data["combatant"], self._found(event, before, after)
        yield from (one["what"] for one in found if one["kind"] == by_itself.POINTS and one["who"] == whose)

    def _setting(self, name: str, value: Any) -> str:
        """What the GM has changed about a combatant beside the sheet."""
        if name in _SETTINGS:
            return _SETTINGS[name][bool(value)]
        if name == "dice":
            return "rolls their own dice" if value == "hand" else "leaves the dice to the service"
        if name == "skips":
            return f"gives up {counted(value, f'coming {self._rules.words.slot}')}"
        return f"is now called {value}" if name == "name" else f"is now on the side {value}"

    def advanced(self, event: Event, data: Data, before: State, after: State) -> Lines:
        who = self._named(data["combatants"], before)
        if data.get("waits"):
            yield f"{self.name(data['waits'], before)} waits for the next {plain(self._rules.words.part)}"
        elif data.get("due"):
            timer = before.timers.get(data["due"])
            skipped = timer is not None and not timer.happened
            yield f"“{plain(timer.label)}” does not happen" if timer and skipped else "the fight goes on"
        elif not data["combatants"]:
            yield "no delayed action is used any more"
        else:
            yield f"{who or UNNAMED} {'are' if len(data['combatants']) > 1 else 'is'} done"
        if after.phase == "turn-over":
            yield f"the {plain(self._rules.words.turn)} is over"

    def timeless(self, event: Event, data: Data, before: State, after: State) -> Lines:
        word = "undo" if event.type == "undone" else "redo"
        yield f"{word}: the fight is as after event {data['to']}"

    def contributed(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield f"adds to what the dice come from: {plain(data['entropy'])}"

    def reseeded(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield f"the dice come from another seed from now on: {plain(data['reason'])}"
        yield f"commitment of the dice (SHA-256 of the seed): `{data['commitment']}`"

    def closed(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield "the fight is closed, and the seed of its dice is disclosed"


def _scene_text(value: Any) -> str:
    """The value of a fact of the scene."""
    return ("on" if value else "off") if isinstance(value, bool) else value_text(value)


_WORDS: Mapping[str, Callable[[EventLines, Event, Data, State, State], Lines]] = {
    "created": EventLines.created,
    "joined": EventLines.joined,
    "left": EventLines.left,
    "began-turn": EventLines.began,
    "rolled-initiative": EventLines.began,
    "acted": EventLines.acted,
    "delayed": EventLines.delayed,
    "intervened": EventLines.intervened,
    "answered": EventLines.answered,
    "contested": EventLines.contested,
    "applied": EventLines.applied,
    "discarded": EventLines.discarded,
    "bought": EventLines.bought,
    "set": EventLines.set_by_hand,
    "placed": EventLines.placed,
    "moved": EventLines.moved,
    "mapped": EventLines.mapped,
    "ruled": EventLines.ruled,
    "advanced": EventLines.advanced,
    "undone": EventLines.timeless,
    "redone": EventLines.timeless,
    "contributed": EventLines.contributed,
    "reseeded": EventLines.reseeded,
    "closed": EventLines.closed,
}

_SETTINGS = {
    "player": ("is the GM's", "is a player's"),
    "hidden": ("can be seen", "is hidden"),
    "asks": ("is not asked for decisions", "is asked for decisions"),
    "asks_reactions": ("is not asked about reactions", "is asked about reactions"),
    "done": ("has still to act", "has acted"),
}
"""By setting: what it is called when it is off, and on."""

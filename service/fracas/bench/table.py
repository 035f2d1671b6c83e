"""A table that plays a fight by itself, so that there are fights to measure; the same seed plays the same commands."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.memory_store import MemoryStore
from fracas.encounters.records import NewEncounter, Snapshot, StoredEvent, Token
from fracas.encounters.schemas import NewEncounterSchema
from fracas.encounters.state import Combatant
from fracas.encounters.store import Store
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.errors import RefusedError

GM = Author("gm", "table", "Table")

SHOTS, AIMS, UNDOS = 0.45, 0.08, 0.03
"""Of what is done in a slot, shares of each; what is left ends the slot."""

REDOS = 0.3
"""How often something that was undone is redone."""

BADLY = 8
"""Boxes beyond which a combatant is no longer shot at, and is set right before the next turn."""

SEED = bytes(range(32))

_Commands = dict[str, Any]


class Notebook(MemoryStore):
    """The store of one fight, in which the same dice fall each time."""

    def create(
        self,
        encounter: NewEncounter,
        events: Sequence[StoredEvent],
        snapshot: Snapshot,
        tokens: Sequence[Token],
    ) -> None:
        super().create(encounter._replace(seed=SEED), events, snapshot, tokens)

    @property
    def written(self) -> Sequence[StoredEvent]:
        """All events of the fight."""
        return self.events(self.rows()[0].id)

    def copy_to(self, store: Store, id: str, count: int, tokens: Sequence[Token] = ()) -> None:
        """The first events as a fight of a real store, with the snapshots that a service would have kept."""
        row, version, found = self.rows()[0], count, list[Snapshot]()
        while (snapshot := self.snapshot(row.id, version)) is not None:
            found.insert(0, snapshot)
            version = snapshot.version - 1
        new = NewEncounter(id, row.title, row.ruleset, SEED, row.created)
        store.create(new, self.written[:count], found[0], tokens)
        for snapshot in found[1:]:
            store.save_snapshot(id, snapshot)


def played(games: Games, count: int, seed: int = 4) -> Notebook:
    """A fight of so many events: two players' combatants who are asked, and four guards.

    They join, roll initiative, shoot, aim, answer, have effects applied, end their slots, and now and then the GM
    heals a combatant, undoes and redoes.
    """
    notebook = Notebook()
    encounters = Encounters(games, notebook, lambda: 1_800_000_000_000)
    fight, _ = encounters.begin(load(NewEncounterSchema(), {"ruleset": "sr4", "title": "Bench"}))
    # Another service, which knows the seed of the notebook alone: the same dice fall each time.
    encounters = Encounters(games, notebook, lambda: 1_800_000_000_000)
    rng = random.Random(seed)
    for name in ("rook", "vex"):
        encounters.command(fight.id, GM, {"command": "join", "combatant": name, "id": name, "player": True})
    for _ in range(4):
        encounters.command(fight.id, GM, {"command": "join", "combatant": "guard", "side": "corp"})
    while encounters.fight(fight.id).history.version < count:
        try:
            encounters.command(fight.id, GM, _choose(encounters, fight.id, rng))
        except RefusedError:  # out of ammunition, out of actions, nothing to redo
            encounters.command(fight.id, GM, _care(rng.choice(_there(encounters, fight.id))))
    return notebook


def _there(encounters: Encounters, id: str) -> list[Combatant]:
    return list(encounters.fight(id).state.combatants.values())


def _choose(encounters: Encounters, id: str, rng: random.Random) -> _Commands:
    _, state, history, *_ = encounters.fight(id)
    if history.future and rng.random() < REDOS:
        return {"command": "redo"}
    asked = [one.question for one in state.resolutions.values() if one.question is not None]
    if asked:
        return {"command": "answer", "question": asked[0]["id"], "choose": asked[0].get("default")}
    if state.phase in ("setup", "turn-over"):
        hurt = [one for one in state.combatants.values() if _boxes(one) > BADLY]
        return _care(rng.choice(hurt)) if hurt else {"command": "begin-turn"}
    if not state.acting:
        return {"command": "next"}
    return _in_slot(state.combatants, rng.choice(state.acting), rng)


def _in_slot(combatants: Mapping[str, Combatant], who: str, rng: random.Random) -> _Commands:
    draw = rng.random()
    if draw < SHOTS:
        standing = [id for id, one in combatants.items() if id != who and _boxes(one) <= BADLY]
        return attack(who, rng.choice(standing or [who]), rng.randint(2, 40))
    if (draw := draw - SHOTS) < AIMS:
        return {"command": "act", "combatant": who, "action": "take-aim"}
    if draw - AIMS < UNDOS:
        return {"command": "undo", "steps": rng.randint(1, 5)}
    return {"command": "next"}


def _boxes(one: Combatant) -> int:
    found: int = max(one.sheet.get("physical", 0), one.sheet.get("stun", 0))
    return found


def _care(one: Combatant) -> _Commands:
    """The GM sets a combatant right again, with a full magazine."""
    ready = next((slug for slug, known in one.items.items() if known.get("ready")), None)
    return {
        "command": "set",
        "combatant": one.id,
        "fields": {"physical": 0, "stun": 0},
        "items": {ready: {"rounds": 15}} if ready else {},
        "remove": list({condition.slug for condition in one.conditions}),
    }


def attack(who: str, foe: str, distance: int) -> _Commands:
    """One shot."""
    return {
        "command": "act",
        "combatant": who,
        "action": "fire-semi-automatic",
        "target": foe,
        "situation": {"distance": distance},
    }

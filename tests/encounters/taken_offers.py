"""Every allowed offer of a fight, taken one at a time and thrown away again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from table_play import START, empty_store, games

from fracas.encounters.command_context import Author, CommandContext
from fracas.encounters.commands import decide
from fracas.encounters.encounters import Encounters
from fracas.encounters.fight import Fight
from fracas.encounters.offers import offers
from fracas.encounters.schemas import NewEncounterSchema, load_command
from fracas.encounters.sql_store import SqlStore
from fracas.engine.loading import load
from fracas.errors import FracasError

PLAYED = ("cwn", "imperium", "sr4", "sr5")
"""The rulesets that fights are played by."""
SKIRMISHES = [
    ("cwn", "alley"),
    ("imperium", "the-shrine"),
    ("imperium", "underhive"),
    ("sr4", "drone-patrol"),
    ("sr4", "loading-dock"),
    ("sr4", "server-room"),
    ("sr4", "summoned-spirit"),
    ("sr5", "drone-patrol"),
    ("sr5", "front-gate"),
]
"""The ready-made fights of the packs; `test_skirmishes` finds one that is missing here."""


class Refused(NamedTuple):
    """An allowed offer that could not be taken."""

    who: str
    action: str
    why: str


class Played(NamedTuple):
    """A fight, and those who play it: the GM answers every question with what it would be by itself."""

    encounters: Encounters
    id: str
    gm: Author

    @property
    def fight(self) -> Fight:
        return self.encounters.fight(self.id)

    def do(self, command: str, **said: Any) -> None:
        self.encounters.command(self.id, self.gm, {"command": command, **said})

    def answer_all(self) -> None:
        while asked := [one.question for one in self.fight.state.resolutions.values() if one.question]:
            self.do("answer", question=asked[0]["id"], choose=asked[0].get("default"))

    def begin(self) -> bool:
        """A turn, up to the first slot; whether anybody has one: a parked car has none."""
        self.do("begin-turn")
        self.answer_all()
        return self.to_slot()

    def to_slot(self) -> bool:
        for _ in range(20):
            if self.fight.state.acting:
                return True
            self.go_on()
        return False

    def go_on(self) -> None:
        self.do("begin-turn" if self.fight.state.phase == "turn-over" else "next")
        self.answer_all()

    def play_turns(self, turns: int, seed: int) -> None:
        """Whoever acts takes one allowed offer, chosen by the seed, until so many turns are over."""
        random, until = Random(seed), self.fight.state.turn + turns
        while self.fight.state.turn < until and self.to_slot():
            who = self.fight.state.acting[0]
            if able := [offer for offer in self.offered(who)["actions"] if offer["allowed"]]:
                self.do("act", **said_of(who, random.choice(able)))
                self.answer_all()
            self.go_on()
        self.to_slot()

    def people(self) -> list[Any]:
        return list(self.encounters.context(self.fight, self.gm).scene().table.participants.values())

    def offered(self, who: str) -> dict[str, Any]:
        return offers(self.encounters.context(self.fight, self.gm), who)

    def taken(self, who: str) -> tuple[list[Refused], int]:
        """The allowed offers of somebody that are refused when they are taken as offered, and how many were taken."""
        return taken(lambda: self.encounters.context(self.fight, self.gm), who, self.offered(who)["actions"])


def taken(
    context: Callable[[], CommandContext], who: str, actions: Sequence[Mapping[str, Any]]
) -> tuple[list[Refused], int]:
    """The allowed actions of those offered that are refused when they are taken as offered, and how many were taken."""
    refused, allowed = [], 0
    for offer in actions:
        if not offer["allowed"]:
            continue
        allowed += 1
        try:
            event = decide(context(), load_command({"command": "act", **said_of(who, offer)}))
        except FracasError as error:
            refused.append(Refused(who, offer["action"], str(error)))
            continue
        question = (event.data.get("step") or {}).get("question")
        if question is not None and not all(option["label"] for option in question.get("options", ())):
            refused.append(Refused(who, offer["action"], "asks a question without labels"))
    return refused, allowed


def said_of(who: str, offer: Mapping[str, Any]) -> dict[str, Any]:
    """An offer as the fields of a command."""
    said = {"combatant": who, "action": offer["action"], "situation": offer["defaults"]}
    if offer["choose_payment"]:
        said["pay"] = offer["payment"]
    return said | {field: offer[field] for field in ("item", "target") if offer.get(field)}


def playing(folder: Path, name: str = "offers.db") -> Encounters:
    (folder / name).write_bytes(empty_store())
    return Encounters(games(), SqlStore(f"sqlite:///{(folder / name).as_posix()}"), lambda: START)


def skirmish(encounters: Encounters, ruleset: str, slug: str) -> Played:
    wish = {"ruleset": ruleset, "skirmish": slug, "settings": {"apply": "at-once"}}
    fight, issued = encounters.begin(load(NewEncounterSchema(), wish))
    return Played(encounters, fight.id, Author("gm", issued[0].token.id, "GM"))


def duel(encounters: Encounters, ruleset: str, one: str, foe: str, **settings: Any) -> Played:
    """Somebody of the packs against one opponent."""
    wish = {"ruleset": ruleset, "settings": {"apply": "at-once", **settings}}
    fight, issued = encounters.begin(load(NewEncounterSchema(), wish))
    played = Played(encounters, fight.id, Author("gm", issued[0].token.id, "GM"))
    played.do("join", combatant=one, side="ours")
    played.do("join", combatant=foe, side="theirs")
    return played

"""Positions: what the offers of a large fight cost, beside those of a small one, for each pair that they consider."""

from __future__ import annotations

import random

from fracas.bench.table import Notebook
from fracas.bench.timing import Figure, Row, in_turn
from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.offers import offers
from fracas.encounters.schemas import NewEncounterSchema
from fracas.encounters.surroundings import surroundings
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.opening import open_games

MANY, FEW = 200, 20
OFFERS = Figure(
    f"offers in a fight of {MANY} on the map, for each pair considered",
    f"the same of {FEW}",
    "µs",
    2.0,
    at_most=True,
)
AROUND = Figure(
    f"distances, cover and who is in the way, of {MANY} on the map, for each pair considered",
    f"the same of {FEW}",
    "µs",
    2.0,
    at_most=True,
)
FIGURES = (OFFERS, AROUND)

_WALLS = {
    f"wall-{number}": {"points": [{"x": 8 * number, "y": 0}, {"x": 8 * number, "y": 30}], "height": 1.2}
    for number in range(1, 6)
}


class _Fight:
    """Half of the combatants fight the other half, on a square with walls; the first acts."""

    def __init__(self, games: Games, count: int) -> None:
        self.pairs = count - 1
        self.encounters = Encounters(games, Notebook(), lambda: 0)
        fight, _ = self.encounters.begin(load(NewEncounterSchema(), {"ruleset": "sr4"}))
        self.id, self.gm, rng = fight.id, Author("gm", "gm", label="GM"), random.Random(4)
        for number in range(count):
            entry = "rook" if number == 0 else "guard"
            at = {"x": rng.uniform(0, 50), "y": rng.uniform(0, 50)}
            side = ("crew", "guards")[number % 2]
            self.do({"command": "join", "combatant": entry, "id": f"c{number}", "side": side, "position": at})
        self.do({"command": "map", "areas": _WALLS})
        self.do({"command": "begin-turn", "given": {"c0": {"hits": 30}}})

    def do(self, command: dict[str, object]) -> None:
        self.encounters.command(self.id, self.gm, command)

    def offers(self) -> object:
        return offers(self.encounters.context(self.encounters.fight(self.id), self.gm), "c0")

    def around(self) -> object:
        return surroundings(self.encounters.context(self.encounters.fight(self.id), self.gm), "c0")


def measure() -> list[Row]:
    games = open_games(())
    many, few = _Fight(games, MANY), _Fight(games, FEW)
    rows = []
    for figure, large, small in ((OFFERS, many.offers, few.offers), (AROUND, many.around, few.around)):
        mine, theirs, _ = in_turn(large, small)
        note = f"{mine * 1e3:.1f} ms against {theirs * 1e3:.1f} ms in all"
        mine, theirs = mine / many.pairs, theirs / few.pairs
        rows.append(figure.row(mine * 1e6, theirs * 1e6, mine / theirs, note))
    return rows

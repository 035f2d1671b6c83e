"""Requests for the pack imperium-core, played in the process: with dice, as odds, and under a layer of one's own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any

from fracas.dice.requests import Faces
from fracas.engine import running
from fracas.engine.game import Game
from fracas.engine.requests import DiceWish, Request, check_request
from fracas.kernel.stage import Roll, Stage, from_json, to_json
from fracas.packs.entries import Pack
from fracas.packs.files import in_folder, in_memory
from fracas.packs.library import Library
from fracas.packs.reading import read
from fracas.packs.shipped import shipped
from fracas.rulesets.imperium import RULESET

Situation = Mapping[str, Any]
_MANIFEST = {
    "id": "ours",
    "title": "Ours",
    "version": "1.0.0",
    "schema_version": 2,
    "ruleset": "imperium",
    "status": "ready",
    "layer": "house",
    "licenses": {"data": "CC0-1.0"},
    "authors": ["We"],
    "sources": [{"id": "us", "title": "Our table"}],
    "requires": [{"id": "imperium-core"}],
}


@cache
def core() -> Game:
    """The pack as it is."""
    return Game(RULESET, Library.read([shipped("datapacks") / "imperium-core"]).ruleset_packs("imperium"))


@cache
def _core_pack() -> Pack:
    pack, problems, _ = read(in_folder(shipped("datapacks") / "imperium-core"))
    assert pack is not None, problems
    return pack


def layered(kind: str, slug: str, fields: Mapping[str, Any]) -> Game:
    """The pack under a layer that sets these fields of one entry."""
    patch = {"patch": f"imperium-core:{kind}/{slug}", "set": dict(fields), "source": {"ref": "us"}}
    texts = {
        "pack.yaml": json.dumps(_MANIFEST),
        f"{kind}s.yaml": json.dumps({"kind": f"{kind}s", "ruleset": "imperium", "entries": [patch]}),
    }
    files = in_memory({name: text.encode() for name, text in texts.items()}, "ours")
    pack, problems, _ = read(files)
    assert pack is not None, problems
    library = Library([_core_pack(), pack])
    assert library.faults == ()
    return Game(RULESET, library.ruleset_packs("imperium"))


def patched(table: str, row: str, **numbers: Any) -> Game:
    """The pack under a layer that sets numbers of one row of a table."""
    entry = core().packs.entry("table", table)
    assert entry is not None
    assert numbers.keys() <= entry.data["columns"].keys()
    rows = {name: dict(row) for name, row in entry.data["rows"].items()}
    rows[row] |= numbers
    return layered("table", table, {"rows": rows})


def asked(procedure: str, situation: Situation, game: Game | None = None, **said: Any) -> Request:
    """A request; `said`: options, modifiers, dice, attribution."""
    plain = {"options": {}, "modifiers": [], "decisions": [], "dice": DiceWish(), "mode": "auto"}
    data = {
        **plain,
        "attribution": False,
        "exact": False,
        "explain": "all",
        "procedure": procedure,
        "situation": situation,
        **said,
    }
    return check_request(data, game or core())


def play(
    procedure: str,
    situation: Situation,
    *dice: Sequence[int],
    game: Game | None = None,
    **said: Any,
) -> dict[str, Any]:
    """The answer with these dice, all of which must be asked for."""
    thrown = DiceWish("supplied", faces=tuple(tuple(faces) for faces in dice))
    return running.resolve(asked(procedure, situation, game, dice=thrown, **said))


def outcome(
    procedure: str, situation: Situation, *dice: Sequence[int], game: Game | None = None, **said: Any
) -> dict[str, Any]:
    """The facts of the outcome with these dice."""
    answer = play(procedure, situation, *dice, game=game, **said)
    assert answer["status"] == "resolved", answer
    found: dict[str, Any] = answer["outcome"]
    return found


def first_stage(procedure: str, situation: Situation, game: Game | None = None, **said: Any) -> Stage:
    """The first stage of a request that is possible."""
    request = asked(procedure, situation, game, **said)
    stage = request.procedure.prepare(request.attempt).stage
    assert stage is not None
    return stage


def measures(procedure: str, situation: Situation, game: Game | None = None, **said: Any) -> dict[str, float]:
    """The measures of the exact odds."""
    answer = running.give_odds(asked(procedure, situation, game, **said))
    return {one["id"]: one["value"] for one in answer["measures"]}


def every_way(stage: Stage) -> Iterator[tuple[Stage, float]]:
    """Each outcome with its chance, by trying every face of every die."""
    awaited = stage.awaits
    if awaited is None:
        yield stage, 1.0
        return
    assert isinstance(awaited, Roll)
    ways = list(_every_throw(awaited))
    for faces in ways:
        for end, chance in every_way(stage.advance(awaited.request.answer(faces))):
            yield end, chance / len(ways)


def _every_throw(roll: Roll) -> Iterator[tuple[Faces, ...]]:
    groups = roll.request.groups()
    dice = [range(1, group.sides + 1) for group in groups for _ in range(group.dice)]
    for faces in product(*dice):
        left = iter(faces)
        yield tuple(tuple(next(left) for _ in range(group.dice)) for group in groups)


def counted(procedure: str, situation: Situation, game: Game | None = None, **said: Any) -> dict[str, float]:
    """The measures as `every_way` gives them, without the odds reader."""
    known = RULESET.procedures[procedure].measures
    totals = dict.fromkeys((one.id for one in known), 0.0)
    chances: dict[Stage, float] = {}
    for end, chance in every_way(first_stage(procedure, situation, game, **said)):
        chances[end] = chances.get(end, 0.0) + chance
    for end, chance in chances.items():
        for one in known:
            totals[one.id] += chance * one.of(end.notes())
    return totals


def survives_json(stage: Stage) -> None:
    """The stage, and all that follow it, are the same after a way through JSON."""
    met, left = set(), [stage]
    while left:
        one = left.pop()
        if one in met:
            continue
        met.add(one)
        assert from_json(json.loads(json.dumps(to_json(one)))) == one
        awaited = one.awaits
        if isinstance(awaited, Roll):
            left += [one.advance(answer) for answer in awaited.request.spread().answers]

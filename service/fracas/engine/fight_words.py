"""What packs declare of fights (``fights.yaml``), beside what the ruleset says in Python."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any

from fracas.errors import InputError
from fracas.kernel.needs import declared
from fracas.kernel.newcomers import Basic
from fracas.kernel.turns import TurnRules
from fracas.packs.attached import FIGHTS
from fracas.packs.entries import Fault, Location, Pack
from fracas.packs.library import RulesetPacks


def with_fight_words(turns: TurnRules, packs: RulesetPacks) -> tuple[TurnRules, list[Fault]]:
    """The rules of fights with the needs, basics and stand-ins of packs, the last of which counts; and what is wrong.

    A pack at fault declares none of its needs.
    """
    needs, faults = dict(turns.needs), list[Fault]()
    basics = {basic.fields[0]: basic for basic in turns.basics}
    stand_ins = dict(turns.stand_ins)
    for pack in packs.packs:
        if FIGHTS in pack.attached:
            data: dict[str, Any] = pack.attached[FIGHTS].data
            basics |= {basic["fields"][0]: _basic(basic) for basic in data.get("basics", ())}
            stand_ins |= data.get("stand_ins", {})
            try:
                needs |= declared(data.get("needs", {}), turns.need_forms)
            except InputError as error:
                faults += _faults(pack, error)
    found = copy(turns)
    found.needs, found.basics, found.stand_ins = needs, tuple(basics.values()), stand_ins
    return found, faults


def _basic(data: dict[str, Any]) -> Basic:
    lists = {name: tuple(data[name]) for name in ("fields", "instead", "short") if name in data}
    given: dict[str, Any] = data | lists
    return Basic(**given)


def _faults(pack: Pack, error: InputError) -> Iterator[Fault]:
    location = Location(pack.attached[FIGHTS], ("needs",))
    for problem in error.problems:
        place = location.text(problem.path.split("."), of_key=problem.code == "unknown-form")
        yield Fault(pack.id, problem._replace(path=place))

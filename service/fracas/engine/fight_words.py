"""What packs declare of fights (``fights.yaml``), beside what the ruleset says in Python."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import cache
from pathlib import Path
from typing import Any

from fracas.errors import InputError
from fracas.kernel.intents import Need
from fracas.kernel.needs import declared
from fracas.kernel.newcomers import Basic
from fracas.kernel.turns import TurnRules
from fracas.packs.attached import FIGHTS
from fracas.packs.entries import Fault, Location, Pack
from fracas.packs.files import MANIFEST, pack_folders
from fracas.packs.library import RulesetPacks
from fracas.packs.parsed_texts import PARSED
from fracas.packs.shipped import package, shipped

KEPT_DEFAULTS = "house-rules.json"
"""A file of a bundle for pages, which has no folders of packs: what `declared_defaults` gives for each ruleset."""


def with_fight_words(turns: TurnRules, packs: RulesetPacks) -> tuple[TurnRules, list[Fault]]:
    """The rules of fights with the needs, basics and stand-ins of packs, the last of which counts; and what is wrong.

    A pack at fault declares none of its needs. A need that the ruleset checks is there also if no pack declares it:
    its word is its label then.
    """
    needs = {word: Need(word.replace("-", " "), check) for word, check in turns.need_checks.items()}
    needs |= turns.needs
    faults = list[Fault]()
    basics = {basic.fields[0]: basic for basic in turns.basics}
    stand_ins = dict(turns.stand_ins)
    for pack in packs.packs:
        if FIGHTS in pack.attached:
            data: dict[str, Any] = pack.attached[FIGHTS].data
            basics |= {basic["fields"][0]: _basic(basic) for basic in data.get("basics", ())}
            stand_ins |= data.get("stand_ins", {})
            try:
                needs |= declared(data.get("needs", {}), turns.need_forms, turns.need_checks)
            except InputError as error:
                faults += _faults(pack, error)
    found = with_defaults(turns, packs.ruleset, packs.packs)
    found.needs, found.basics, found.stand_ins = needs, tuple(basics.values()), stand_ins
    return found, faults


def with_defaults(turns: TurnRules, ruleset: str, packs: Sequence[Pack] = ()) -> TurnRules:
    """The rules of fights with all house rules that packs of Fracas declare for them: their defaults count where no
    pack in use declares the rule, or none did as a fight began, unless the ruleset says what does.

    Args:
        packs: those in use, whose manifests need not be read again.
    """
    found = copy(turns)
    found.options = {**declared_defaults(ruleset, packs), **turns.options}
    return found


def declared_defaults(ruleset: str, packs: Sequence[Pack] = ()) -> Mapping[str, Any]:
    """The defaults of all house rules that packs of Fracas declare for a ruleset.

    Args:
        packs: those whose manifests need not be read again.
    """
    try:
        folders = pack_folders(shipped("datapacks"))
    except FileNotFoundError:
        return _kept_defaults(package() / KEPT_DEFAULTS).get(ruleset, {})
    options: dict[str, Any] = {}
    read = {pack.folder: pack.manifest.options for pack in packs}
    for folder in folders:
        if folder.name.startswith(f"{ruleset}-"):
            known = {rule.id: rule.default for rule in read.get(folder, ())}
            options |= known or _defaults(folder)
    return options


@cache
def _kept_defaults(place: Path) -> Mapping[str, Mapping[str, Any]]:
    """Defaults by ruleset, where there are no folders of packs; nothing while a bundle for pages is made."""
    kept: Mapping[str, Mapping[str, Any]] = json.loads(place.read_bytes()) if place.is_file() else {}
    return kept


@cache
def _defaults(folder: Path) -> Mapping[str, Any]:
    """The defaults of the house rules of a pack."""
    manifest = PARSED.load((folder / MANIFEST).read_bytes(), MANIFEST).data
    return {id: rule["default"] for id, rule in manifest.get("options", {}).items()}


def _basic(data: dict[str, Any]) -> Basic:
    lists = {name: tuple(data[name]) for name in ("fields", "instead", "short") if name in data}
    given: dict[str, Any] = data | lists
    return Basic(**given)


def _faults(pack: Pack, error: InputError) -> Iterator[Fault]:
    location = Location(pack.attached[FIGHTS], ("needs",))
    for problem in error.problems:
        place = location.text(problem.path.split("."), of_key=problem.code == "unknown-form")
        yield Fault(pack.id, problem._replace(path=place))

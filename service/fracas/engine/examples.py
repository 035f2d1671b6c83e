"""Worked examples: a pack's own tests, written as data. Their format is described in ``docs/examples.md``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fracas.engine import running
from fracas.engine.game import Games, steps
from fracas.engine.loading import load
from fracas.engine.requests import Request, RequestSchema
from fracas.errors import FracasError, PackError, Problem, ProblemsError, suggestion
from fracas.packs.entries import Entry, FieldPath, Pack
from fracas.packs.files import pack_folders
from fracas.packs.library import Library, no_pack
from fracas.packs.shipped import shipped

EXPECTED = ("status", "refusals", "outcome", "totals", "modifiers", "effects", "rolls")
_COUNTING = ("applied", "capped")
_OF_KEYS = ("unknown-field", "unknown-option")
IN_A_PACK = "put it into the folder of a pack, beside its pack.yaml: fracas new pack makes one"
_ENTRY = re.compile(r"([a-z0-9-]+:[a-z]+/[a-z0-9-]+) (.*)")
"""The path of a fault in an entry that a request uses."""


class Failure(NamedTuple):
    """One thing that an example finds otherwise than expected.

    Attributes:
        path: the part of the entry that it is about.
        text: what was expected and what was found, on one line.
        of_key: it is about the key there rather than the value.
        other: id of another entry whose fault it is, and the part of that one.
    """

    path: FieldPath
    text: str
    of_key: bool = False
    other: tuple[str, FieldPath] | None = None


class Verdict(NamedTuple):
    """How one example went; it passed when nothing failed."""

    entry: Entry
    found: tuple[Failure, ...]

    @property
    def passed(self) -> bool:
        return not self.found

    @property
    def failures(self) -> tuple[str, ...]:
        """One line for each difference."""
        return tuple(failure.text for failure in self.found)


def run_paths(paths: Sequence[Path]) -> list[Verdict]:
    """Every example of the packs in the folders, or of the given files; of all built-in packs without paths.

    Raises:
        PackError: a pack cannot be used.
    """
    built_in = pack_folders(shipped("datapacks"))
    folders, files = [], set()
    for path in paths:
        folder = path if path.is_dir() else pack_of(path)
        folders += pack_folders(folder)
        if not path.is_dir():
            files.add(path.resolve())
        elif not pack_folders(folder):
            raise PackError((no_pack(folder),))
    own = {folder.resolve() for folder in folders or built_in}
    others = [folder for folder in built_in if folder.resolve() not in own]
    library = Library.read((*others, *sorted(own)))
    verdicts = []
    for pack in library.packs.values():
        if pack.folder is not None and pack.folder.resolve() in own:
            games = Games(library.up_to(pack.id))
            verdicts += [
                run(entry, pack.manifest.ruleset, games)
                for entry in pack.entries
                if entry.kind == "example" and (not files or file_of(entry, pack) in files)
            ]
    return verdicts


def pack_of(file: Path) -> Path:
    """The folder of the pack that a file lies in.

    Raises:
        PackError: it lies in no pack.
    """
    for parent in file.resolve().parents:
        if pack_folders(parent) == [parent]:
            return parent
    raise PackError((Problem(str(file), "no-pack", "the file lies in no pack", IN_A_PACK),))


def file_of(entry: Entry, pack: Pack) -> Path | None:
    """The file that an entry stands in."""
    name = entry.location.located.name.removeprefix(f"{pack.label}/")
    return None if pack.folder is None else (pack.folder / name).resolve()


def run(entry: Entry, ruleset: str, games: Games) -> Verdict:
    """One example. Errors of the request are failures, not exceptions."""
    return Verdict(entry, tuple(_failures(entry, ruleset, games)))


def _failures(entry: Entry, ruleset: str, games: Games) -> Iterator[Failure]:
    expect = entry.data.get("expect")
    if not isinstance(expect, Mapping) or not expect:
        yield Failure((), "an example expects something, and this one has no 'expect'")
        return
    unknown = [name for name in expect if name not in EXPECTED]
    if unknown:
        for name in unknown:
            yield Failure(("expect", name), f"{name!r} is nothing that can be expected", True)
        return
    try:
        answer = _answer(entry, ruleset, games, expect)
    except ProblemsError as error:
        for problem in error.problems:
            named = _ENTRY.fullmatch(problem.path)
            if named:
                yield Failure(("request",), str(problem), True, (named[1], steps(named[2])))
            else:
                yield Failure(_path_of(problem), str(problem), problem.code in _OF_KEYS)
    except FracasError as error:
        yield Failure(("request",), error.message)
    except Exception as error:  # such as a house rule that no required pack declares
        yield Failure(("request",), f"it breaks down: {type(error).__name__}: {error}")
    else:
        yield from _differences(expect, answer)


def _path_of(problem: Problem) -> FieldPath:
    """The part of the entry that a fault of its request is about."""
    way = steps(problem.path)
    return way if way[:1] in (("dice",), ("decisions",)) else ("request", *way)


def request_of(entry: Entry, ruleset: str) -> dict[str, Any]:
    """The request of an example, as a caller would send it."""
    data = {"ruleset": ruleset, **entry.data.get("request", {})}
    if "dice" in entry.data:
        data["dice"] = entry.data["dice"]
    if entry.data.get("decisions"):
        data["decisions"] = entry.data["decisions"]
    return data


def _answer(entry: Entry, ruleset: str, games: Games, expect: Mapping[str, Any]) -> dict[str, Any]:
    request: Request = load(RequestSchema(games), request_of(entry, ruleset) | {"explain": "all"})
    if expect.get("status") == "waiting":
        return running.explain(request)
    if request.dice.source != "supplied":
        request = request._replace(dice=request.dice._replace(source="supplied"))
    return running.resolve(request)


def _differences(expect: Mapping[str, Any], answer: Mapping[str, Any]) -> Iterator[Failure]:
    wanted = expect.get("status", "resolved")
    if answer["status"] != wanted:
        reasons = ", ".join(refusal["code"] for refusal in answer.get("refusals", ()))
        text = f"status: {wanted} expected, got {answer['status']}" + (f" ({reasons})" if reasons else "")
        yield Failure(("expect", "status"), text) if "status" in expect else Failure(("expect",), text, True)
        return
    yield from _compare(("outcome",), expect.get("outcome", {}), answer.get("outcome", {}))
    if "refusals" in expect:
        codes = [refusal["code"] for refusal in answer.get("refusals", ())]
        if sorted(codes) != sorted(expect["refusals"]):
            yield Failure(("expect", "refusals"), f"refusals: {expect['refusals']} expected, got {codes}")
    tallies = {tally["to"]: tally for tally in answer["modifiers"]}
    totals = {to: tally["total"] for to, tally in tallies.items()}
    yield from _compare(("totals",), expect.get("totals", {}), totals)
    for to, values in expect.get("modifiers", {}).items():
        counted = {
            entry["id"]: entry["value"]
            for entry in tallies.get(to, {"entries": ()})["entries"]
            if entry["verdict"] in _COUNTING
        }
        yield from _compare(("modifiers", to), values, counted)
    for at, effect in enumerate(expect.get("effects", ())):
        if not any(
            all(found.get(name) == value for name, value in effect.items()) for found in answer["effects"]
        ):
            text = f"effects[{at}]: {dict(effect)} is not among {answer['effects']}"
            yield Failure(("expect", "effects", at), text)
    for at, roll in enumerate(expect.get("rolls", ())):
        found = answer["rolls"][at] if at < len(answer["rolls"]) else {}
        yield from _compare(("rolls", at), roll, {**found, **found.get("result", {})})


def _compare(
    path: tuple[str | int, ...], expected: Mapping[str, Any], found: Mapping[str, Any]
) -> Iterator[Failure]:
    missing = object()
    first, *rest = path
    shown = f"{first}" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in rest)
    for name, value in expected.items():
        got = found.get(name, missing)
        if got is missing and value is None:
            continue
        if got != value or isinstance(got, bool) != isinstance(value, bool):
            text = f"{shown}.{name}: {value!r} expected, got {'nothing' if got is missing else repr(got)}"
            near = suggestion(name, found.keys() - expected.keys()) if got is missing else None
            yield Failure(("expect", *path, name), text + (f" ({near})" if near else ""), got is missing)

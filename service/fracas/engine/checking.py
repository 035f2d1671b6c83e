"""The check of packs: everything that can be found out about them without playing.

Strict YAML, JSON Schema, requirements and layers, the words of predicates, references, each entry put to use once, and
the worked examples. All faults at once, each with its file, line and column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fracas.engine import examples
from fracas.engine.game import Game, Games, load_ruleset, ruleset_ids
from fracas.engine.opening import unknown_ruleset
from fracas.engine.trials import trial_faults
from fracas.errors import Problem
from fracas.packs.entries import Entry, Fault, Pack
from fracas.packs.files import PackFiles, in_folder, pack_folders
from fracas.packs.library import Library
from fracas.packs.reading import read
from fracas.packs.references import reference_faults
from fracas.packs.shipped import shipped
from fracas.packs.structure import structure_problems

Progress = Callable[[int, int], None]
"""Told how many steps are done, and of how many; may raise to give up."""

_BATCH = 25
"""Entries that are put to use between two reports of progress."""


class Report(NamedTuple):
    """What a check found.

    Attributes:
        packs: ids of the packs that were checked; those whose manifest cannot be read are missing.
        entries: how many entries they hold, with changes to other packs' entries.
        examples: how many worked examples were run.
        problems: all faults, in the order of files and lines.
    """

    packs: tuple[str, ...]
    entries: int
    examples: int
    problems: tuple[Problem, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "ok": not self.problems,
            "packs": list(self.packs),
            "entries": self.entries,
            "examples": self.examples,
            "problems": [located(problem) for problem in self.problems],
        }


def located(problem: Problem) -> dict[str, Any]:
    """A problem of a pack with its file, line and column apart; those that are not known are None."""
    file, line, column = split_place(problem.path)
    return {
        "file": file,
        "line": line,
        "column": column,
        "code": problem.code,
        "message": problem.message,
        "hint": problem.hint,
    }


def split_place(path: str) -> tuple[str, int | None, int | None]:
    """``file:line:column`` taken apart; a mere file name has neither line nor column."""
    parts = path.rsplit(":", 2)
    if len(parts) == 3 and parts[1].isdigit() and parts[2].isdigit():
        return parts[0], int(parts[1]), int(parts[2])
    return path, None, None


def check(
    targets: Sequence[PackFiles], folders: Sequence[Path] = (), progress: Progress | None = None
) -> Report:
    """Check packs, together with the built-in ones and those of the folders, which they may build on.

    A target takes the place of another pack of the same id.
    """
    problems: list[Problem] = []
    packs: list[Pack] = []
    faulty: set[tuple[str, str]] = set()
    for files in targets:
        pack, found, sick = read(files, None, structure_problems)
        problems += found
        faulty |= sick
        if pack is not None:
            packs.append(pack)
    own = {pack.id for pack in packs}
    library = Library([*_beside(own, targets, folders), *packs], frozenset(faulty))
    faults = [*library.faults, *reference_faults(library, frozenset(faulty))]
    known = ruleset_ids()
    faults += [unknown_ruleset(pack, known) for pack in packs if pack.manifest.ruleset not in known]
    rulesets = sorted({pack.manifest.ruleset for pack in packs} & set(known))
    games = {id: Game(load_ruleset(id), library.shelf(id), tolerant=True) for id in rulesets}
    faults += [fault for game in games.values() for fault in game.faults]
    labels = {pack.label for pack in packs}
    problems += [fault.problem for fault in faults if fault.pack in own or fault.pack in labels]
    touched = [
        entry
        for pack in library.packs.values()
        for entry in pack.entries
        if pack.id in own or any(change.pack in own for change in entry.changes)
    ]
    problems += _execute(touched, own, games, library, problems, progress)
    count = sum(len(pack.entries) + len(pack.operations) for pack in packs)
    run = sum(entry.kind == "example" and entry.pack in own for entry in touched)
    return Report(tuple(pack.id for pack in packs), count, run, _sorted(problems))


def _beside(own: set[str], targets: Sequence[PackFiles], folders: Sequence[Path]) -> list[Pack]:
    """Packs that the checked ones may build on; what is wrong with them is not told here."""
    taken = {files.folder.resolve() for files in targets if files.folder is not None}
    found: dict[str, Pack] = {}
    for folder in (shipped("datapacks"), *folders):
        for root in pack_folders(folder):
            if root.resolve() not in taken:
                pack, problems, _ = read(in_folder(root), without=("examples",))
                if pack is not None and not problems and pack.id not in own:
                    found.setdefault(pack.id, pack)
    return list(found.values())


def _execute(
    entries: Sequence[Entry],
    own: set[str],
    games: dict[str, Game],
    library: Library,
    before: Sequence[Problem],
    progress: Progress | None,
) -> Iterable[Problem]:
    """Put every entry to use, and run the examples; what is broken already is spared."""
    broken = {split_place(problem.path)[:2] for problem in before}
    rulesets = {pack.id: pack.manifest.ruleset for pack in library.packs.values()}
    sound = [entry for entry in entries if not _is_broken(entry, broken)]
    found: list[Fault] = []
    done = 0
    for ruleset, game in games.items():
        batch = [entry for entry in sound if rulesets[entry.pack] == ruleset and entry.kind != "example"]
        for at in range(0, len(batch), _BATCH):
            part = batch[at : at + _BATCH]
            for entry, path, code, message, hint in trial_faults(game, part):
                found.append(Fault(entry.author_of(path), Problem(entry.place_of(path), code, message, hint)))
            done += len(part)
            if progress:
                progress(done, len(sound))
    usable = {id for id, game in games.items() if not game.faults} if not library.faults else set()
    tables: dict[str, Games] = {}
    for entry in sound:
        if entry.kind == "example" and entry.pack in own and rulesets[entry.pack] in usable:
            if entry.pack not in tables:
                tables[entry.pack] = Games(library.up_to(entry.pack))
            verdict = examples.run(entry, rulesets[entry.pack], tables[entry.pack])
            place = entry.place_of(("expect",), of_key=True)
            found += [Fault(entry.pack, Problem(place, "example-fails", text)) for text in verdict.failures]
            done += 1
            if progress:
                progress(done, len(sound))
    return [fault.problem for fault in found if fault.pack in own]


def _is_broken(entry: Entry, broken: set[tuple[str, int | None]]) -> bool:
    """Whether a fault has been told of a line of the entry."""
    spots = [(entry.spot, ())] + [(change.spot, ()) for change in entry.changes]
    for spot, _ in spots:
        first = spot.located.position(spot.path).line
        last = _last_line(spot.located, spot.path)
        if any(
            file == spot.located.name and line is not None and first <= line <= last for file, line in broken
        ):
            return True
    return False


def _last_line(located: Any, path: tuple[str | int, ...]) -> int:
    """The last line on which a part of the entry begins."""
    following = (*path[:-1], int(path[-1]) + 1)
    after = located.position(following)
    here = located.position(path)
    if after.line > here.line:
        return int(after.line) - 1
    value: Any = located.data
    for step in path:
        value = value[step]
    return max([int(here.line), *_lines(located, path, value)])


def _lines(located: Any, path: tuple[str | int, ...], value: Any) -> Iterable[int]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield located.position((*path, key)).line
            yield from _lines(located, (*path, key), inner)
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield located.position((*path, at)).line
            yield from _lines(located, (*path, at), inner)


def _sorted(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Without doubles, by file, line and column."""
    unique = list(dict.fromkeys(problems))

    def key(problem: Problem) -> tuple[str, int, int]:
        file, line, column = split_place(problem.path)
        return file, line or 0, column or 0

    return tuple(sorted(unique, key=key))

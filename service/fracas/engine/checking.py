"""The check of packs: everything that can be found out about them without playing.

Strict YAML, JSON Schema, requirements and layers, the words of predicates, references, each entry put to use once, and
the worked examples. All faults at once, each with its file, line and column.
"""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any, NamedTuple

from fracas.engine import examples
from fracas.engine.attached_checks import attached_faults
from fracas.engine.game import Game, Games, load_ruleset, ruleset_ids
from fracas.engine.near_misses import near_misses
from fracas.engine.opening import fitting, unknown_ruleset
from fracas.engine.rolled_tables import rolled_table_faults
from fracas.engine.samples import Fault as SampleFault
from fracas.engine.samples import sample_faults
from fracas.errors import OverBudgetError, PackError, Problem, few_suggestions
from fracas.kernel.budget import UNLIMITED, Budget
from fracas.packs.entries import Entry, Fault, FieldPath, Location, Pack, is_left_out
from fracas.packs.files import PackFiles, in_folder, pack_folders
from fracas.packs.layer_results import result_faults
from fracas.packs.library import Library
from fracas.packs.reading import read
from fracas.packs.references import reference_faults
from fracas.packs.scaffolding import left_examples
from fracas.packs.schemas import entry_kinds
from fracas.packs.shipped import shipped
from fracas.packs.structure import structure_problems

Progress = Callable[[int, int], None]
"""Called with how many steps are done, and of how many."""

_COMPARED = 100_000
"""Known names that misspelt ones are compared with for hints, in some four seconds; later faults have none."""

_FELT_EVERYWHERE = ("modifier", "table")
"""Kinds of which a missing entry changes the numbers of examples that do not name it."""

_OF_KEYS = ("unknown-field", "unknown-token")
"""Faults of samples that are about the name of a field."""

_OF_MANIFESTS = (
    "duplicate-source",
    "no-economy",
    "trial-crashes",
    "unknown-option",
    "unknown-source",
    "unknown-token",
    "unknown-type",
)
"""Faults that may follow from those of a manifest, as does an unknown house rule."""

_BATCH = 25
"""Entries that are put to use between two reports of progress."""


class Report(NamedTuple):
    """What a check found.

    Attributes:
        packs: ids of the packs that were checked; those whose manifest cannot be read are missing.
        entries: how many entries they hold, with changes to other packs' entries.
        examples: how many worked examples were run.
        problems: all faults, in the order of files and lines.
        warnings: what is no fault and probably not meant, in the same order.
    """

    packs: tuple[str, ...]
    entries: int
    examples: int
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "ok": not self.problems,
            "packs": list(self.packs),
            "entries": self.entries,
            "examples": self.examples,
            "problems": [located(problem) for problem in self.problems],
            "warnings": [located(warning) for warning in self.warnings],
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
    if len(parts) == 3 and parts[1].isdecimal() and parts[2].isdecimal():
        return parts[0], int(parts[1]), int(parts[2])
    return path, None, None


def check(
    targets: Sequence[PackFiles],
    folders: Sequence[Path] = (),
    progress: Progress | None = None,
    budget: Budget = UNLIMITED,
) -> Report:
    """Check packs, together with the built-in ones and those of the folders, which they may build on.

    A target takes the place of another pack of the same id.

    Args:
        budget: processor time for all of it.

    Raises:
        OverBudgetError: it takes more.
    """
    try:
        with few_suggestions(_COMPARED):
            return _check(targets, folders, progress or (lambda done, total: None), budget)
    except OverBudgetError as error:
        hint = "check one pack, or one file, at a time; or run 'fracas check' where the pack lies"
        raise OverBudgetError.after(budget.seconds, "", hint) from error


def _check(
    targets: Sequence[PackFiles], folders: Sequence[Path], progress: Progress, budget: Budget
) -> Report:
    problems: list[Problem] = []
    packs: list[Pack] = []
    faulty: set[tuple[str, str]] = set()
    for files in targets:
        pack, found, sick = read(files, None, structure_problems)
        problems += found
        faulty |= sick
        if pack is not None:
            packs.append(pack)
        budget.check()
    own = {pack.id for pack in packs}
    rulesets = {pack.manifest.ruleset for pack in packs}
    library = Library([*_beside(own, targets, folders, rulesets), *packs], frozenset(faulty))
    reported = {problem.path for problem in problems}
    unsure = _unsure(packs, problems)
    games: dict[str, Game] = {}
    for fault in _together(library, packs, frozenset(faulty), unsure, games):
        budget.check()
        # A second complaint about one place would only repeat the first.
        if (
            _is_of(fault, packs)
            and fault.problem.path not in reported
            and not _follows(fault, library, unsure)
        ):
            problems.append(fault.problem)
    unsure = _unsure(packs, problems)
    check = _Check(library, games, own, frozenset(faulty), unsure, _Reported(problems), progress, budget)
    problems += check.problems()
    count = sum(len(pack.entries) + len(pack.operations) for pack in packs)
    warnings = [*check.warnings(), *(left for files in targets for left in left_examples(files))]
    return Report(tuple(pack.id for pack in packs), count, check.run, _sorted(problems), _sorted(warnings))


def _unsure(packs: Iterable[Pack], problems: Sequence[Problem]) -> set[str]:
    """The packs of whose manifests something has been reported."""
    return {pack.id for pack in packs if any(_is_of_manifest(problem, pack) for problem in problems)}


def _is_of_manifest(problem: Problem, pack: Pack) -> bool:
    return split_place(problem.path)[0] == pack.manifest.location.located.name


def _follows(fault: Fault, library: Library, unsure: Set[str]) -> bool:
    """Whether a fault may follow from others: of a manifest, or that a pack is missing."""
    code, message = fault.problem.code, fault.problem.message
    of_option = "'option." in message
    if fault.pack in library.incomplete and of_option:
        return True
    builds_on = {fault.pack, *library.below.get(fault.pack, ())}
    return (of_option or code in _OF_MANIFESTS) and not builds_on.isdisjoint(unsure)


def _is_of(fault: Fault, packs: Iterable[Pack]) -> bool:
    """Whether a fault is one of these packs'; a second pack of one id goes by its folder."""
    twice = fault.problem.code == "duplicate-pack"
    return any(fault.pack == (pack.label if twice else pack.id) for pack in packs)


def _together(
    library: Library,
    packs: Sequence[Pack],
    faulty: frozenset[tuple[str, str]],
    unsure: Set[str],
    games: dict[str, Game],
) -> Iterator[Fault]:
    """What only shows when packs are put together; fills in the games of their rulesets."""
    yield from library.faults
    yield from reference_faults(library, faulty)
    yield from result_faults(library)
    yield from rolled_table_faults(library)
    known = ruleset_ids()
    yield from (unknown_ruleset(pack, known) for pack in packs if pack.manifest.ruleset not in known)
    for id in sorted({pack.manifest.ruleset for pack in packs} & set(known)):
        games[id] = Game(load_ruleset(id), library.ruleset_packs(id), tolerant=True)
        for pack in packs:
            if pack.manifest.ruleset == id:
                sick = (entry for entry in pack.left_out if entry.kind == "modifier")
                yield from (fault for entry in sick for fault in games[id].examine(entry))
                yield from attached_faults(games[id], pack)
        for fault in games[id].faults:
            # The schema has reported the economy already.
            if fault.pack not in unsure or not _is_of_manifest(fault.problem, library.packs[fault.pack]):
                yield fault


def _beside(
    own: Set[str], targets: Sequence[PackFiles], folders: Sequence[Path], rulesets: Set[str]
) -> list[Pack]:
    """Packs that the checked ones may build on; one that does not fit is left out, as the service would."""
    taken = {files.folder.resolve() for files in targets if files.folder is not None}
    built_in, added = (
        list(_sound(roots, own, taken, rulesets)) for roots in ((shipped("datapacks"),), folders)
    )
    ids = {pack.id for pack in built_in}
    added = [pack for pack in added if pack.id not in ids]
    if not added:
        return built_in
    library = fitting(built_in, added).games.library
    return [pack for pack in (*built_in, *added) if pack.id in library.packs]


def _sound(folders: Iterable[Path], own: Set[str], taken: Set[Path], rulesets: Set[str]) -> Iterator[Pack]:
    """The packs in folders that have no faults of their own; of other rulesets than these the manifest is enough."""
    seen = {*own}
    for folder in folders:
        for root in pack_folders(folder):
            if root.resolve() not in taken:
                pack, problems, _ = read(in_folder(root), without=entry_kinds())
                if pack is None or pack.manifest.ruleset in rulesets:
                    pack, problems, _ = read(in_folder(root), without=("examples",))
                if pack is not None and not problems and pack.id not in seen:
                    seen.add(pack.id)
                    yield pack


class _Reported:
    """The places of which something has been reported."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self._places: dict[str, list[tuple[int, int]]] = {}
        for problem in problems:
            file, line, column = split_place(problem.path)
            if line is not None and column is not None:
                self._places.setdefault(file, []).append((line, column))
        for places in self._places.values():
            places.sort()

    def within(self, location: Location) -> bool:
        """Whether something has been reported of a part of what stands there."""
        places = self._places.get(location.located.name, [])
        at = bisect.bisect_left(places, location.start())
        return at < len(places) and places[at] <= location.end()


class _Check:
    """Puts entries to use and runs the examples; what is broken already, or builds on what is, is spared.

    Attributes:
        run: how many worked examples were run.
    """

    def __init__(
        self,
        library: Library,
        games: Mapping[str, Game],
        own: Set[str],
        faulty: Set[tuple[str, str]],
        unsure: Set[str],
        reported: _Reported,
        progress: Progress,
        budget: Budget,
    ) -> None:
        self.run = 0
        self._budget = budget
        self._library = library
        self._games = games
        self._own = own
        self._faulty = faulty
        self._unsure = unsure
        self._reported = reported
        self._progress = progress
        self._rulesets = {pack.id: pack.manifest.ruleset for pack in library.packs.values()}

    def problems(self) -> list[Problem]:
        sound = [entry for entry in self._touched() if not self._is_broken(entry)]
        examples = [entry for entry in sound if entry.kind == "example" and entry.pack in self._own]
        found: list[Problem] = []
        done, total = 0, len(sound)
        for ruleset, game in self._games.items():
            batch = [
                entry for entry in sound if self._rulesets[entry.pack] == ruleset and entry.kind != "example"
            ]
            for at in range(0, len(batch), _BATCH):
                part = batch[at : at + _BATCH]
                faults = [
                    self._placed(fault)
                    for fault in sample_faults(game, part, self._budget)
                    if self._counts(fault)
                ]
                found += [
                    fault.problem for fault in faults if not _follows(fault, self._library, self._unsure)
                ]
                done += len(part)
                self._progress(done, total)
        found = _crashes_once(found)
        for games, entry in self._playable(examples):
            self._budget.check()
            found += self._example(entry, games)
            self.run += 1
            done += 1
            self._progress(done, total)
        return found

    def warnings(self) -> list[Problem]:
        """Words of sound entries that the checked packs have probably misspelt."""
        sound = [entry for entry in self._touched() if not self._is_broken(entry)]
        return [
            fault.problem
            for ruleset, game in self._games.items()
            for fault in near_misses(game, (one for one in sound if self._rulesets[one.pack] == ruleset))
            if fault.pack in self._own
        ]

    def _touched(self) -> Iterator[Entry]:
        """The entries of the checked packs, and those that they change, where nothing that they build on is missing."""
        for pack in self._library.packs.values():
            for entry in pack.entries:
                authors = {pack.id, *(change.pack for change in entry.changes)} & self._own
                if authors and not authors & self._library.incomplete:
                    yield entry

    def _is_broken(self, entry: Entry) -> bool:
        return any(
            self._reported.within(location)
            for location in (entry.location, *(change.location for change in entry.changes))
        )

    def _counts(self, fault: SampleFault) -> bool:
        """Whether a fault says something new: not that it names an entry which is left out for its own faults."""
        return not self._names_faulty(fault.entry, fault.path)

    def _names_faulty(self, entry: Entry, path: FieldPath) -> bool:
        value: Any = entry.data
        for step in path:
            try:
                value = value[step]
            except (KeyError, IndexError, TypeError):
                break  # the request was written in a shorter form
        name = value.rpartition("/")[2] if isinstance(value, str) else None
        return name is not None and any(is_left_out(self._faulty, kind, name) for kind, _ in self._faulty)

    def _placed(self, fault: SampleFault) -> Fault:
        """Where the checked pack can mend it: what it changed in another pack's entry, if that is where it shows, or
        its own entry, where what another pack changed of that shows it."""
        entry, path, code, message, hint = fault
        author = entry.author_of(path)
        if author in self._own:
            place = entry.location_of(path, of_key=code in _OF_KEYS)
            return Fault(author, Problem(place, code, message, hint))
        change = next((change for change in reversed(entry.changes) if change.pack in self._own), None)
        if change is None:
            message = f"with what {author} changes of {entry.id}, {message}"
            return Fault(entry.pack, Problem(entry.place, code, message, hint))
        message = f"after this change of {entry.id}, {message}"
        return Fault(change.pack, Problem(change.text(), code, message, hint))

    def _playable(self, examples: Iterable[Entry]) -> Iterator[tuple[Games, Entry]]:
        """The examples of packs that are well together with those that they build on, and with nothing else."""
        tables: dict[str, Games | None] = {}
        for entry in examples:
            if entry.pack not in tables:
                tables[entry.pack] = self._table(entry.pack)
            games = tables[entry.pack]
            if games is not None:
                yield games, entry

    def _table(self, pack: str) -> Games | None:
        library, ruleset = self._library.up_to(pack), self._rulesets[pack]
        felt = any(kind in _FELT_EVERYWHERE for kind, _ in self._faulty)
        if ruleset not in self._games or library.faults or felt or not self._unsure.isdisjoint(library.packs):
            return None
        games = Games(library)
        try:
            games.game(ruleset)
        except PackError:
            return None
        return games

    def _example(self, entry: Entry, games: Games) -> list[Problem]:
        failures = examples.run(entry, self._rulesets[entry.pack], games).found
        if any(self._follows(entry, failure) for failure in failures):
            return []
        return [
            Problem(entry.location_of(failure.path, of_key=failure.of_key), "example-fails", failure.text)
            for failure in failures
        ]

    def _follows(self, entry: Entry, failure: examples.Failure) -> bool:
        """Whether an example fails for a fault that is reported of another entry."""
        if failure.other is None:
            return self._names_faulty(entry, failure.path)
        id, path = failure.other
        other = self._library.entry(id)
        return other is not None and (self._is_broken(other) or self._names_faulty(other, path))


def _crashes_once(problems: Sequence[Problem]) -> list[Problem]:
    """What makes the samples of many entries break down, such as a missing house rule, is reported of the first."""
    count = Counter(problem.message for problem in problems if problem.code == "trial-crashes")
    found: list[Problem] = []
    for problem in problems:
        times = count[problem.message] if problem.code == "trial-crashes" else 1
        if times > 1:
            count[problem.message] = 0
            problem = problem._replace(hint=f"so does that of {times - 1} more")
        if times > 0:
            found.append(problem)
    return found


def _sorted(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Without doubles, by file, line and column."""
    unique = list(dict.fromkeys(problems))

    def key(problem: Problem) -> tuple[str, int, int]:
        file, line, column = split_place(problem.path)
        return file, line or 0, column or 0

    return tuple(sorted(unique, key=key))

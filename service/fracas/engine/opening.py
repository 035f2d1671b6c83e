"""Opening the packs for service: those that travel with Fracas, and those that people add."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from fracas.engine.game import Games, ruleset_ids
from fracas.errors import PackError, Problem, suggestion
from fracas.garbage import uncollected
from fracas.packs import compiled
from fracas.packs.entries import Fault, Pack
from fracas.packs.files import in_folder, pack_folders
from fracas.packs.layer_results import result_faults
from fracas.packs.library import Library, no_pack
from fracas.packs.reading import read
from fracas.packs.references import reference_faults
from fracas.packs.shipped import shipped
from fracas.packs.structure import structure_problems


def open_games(folders: Sequence[Path], *, strictly: bool = False, without: Collection[str] = ()) -> Games:
    """The games with the built-in packs and all packs of the folders.

    Built-in packs that are compiled are taken as they are; with others, each game is made and checked at once.

    A pack of the folders that has faults, or requires one that has, is left out and reported in `Games.left_out`.

    Args:
        without: ids of packs that are not used, though they are there.

    Raises:
        PackError: a built-in pack has faults; with `strictly`, any pack has. Or none has an id of `without`.
    """
    with uncollected():
        return _open_games(folders, strictly, without)


def compile_built_in() -> bytes:
    """The built-in packs as a compiled file, after every check that a start would make; see `packs.compiled`.

    Raises:
        PackError: a built-in pack has faults.
    """
    with uncollected():
        found = fitting(_built_in(), ())
        if found.faults:
            raise PackError(fault.problem for fault in found.faults)
        return compiled.compiled(pack_folders(shipped("datapacks")))


def keep_built_in() -> None:
    """Compile the built-in packs for the next start, where Python would keep its own modules, too.

    Nothing happens if they are compiled already, or if the folder cannot be written.

    Raises:
        PackError: a built-in pack has faults.
    """
    if sys.dont_write_bytecode or compiled.is_fresh(pack_folders(shipped("datapacks"))):
        return
    with suppress(OSError):
        compiled.keep(compile_built_in())


def _open_games(folders: Sequence[Path], strictly: bool, without: Collection[str]) -> Games:
    checked = compiled.fresh(pack_folders(shipped("datapacks")))
    if checked is not None and not folders and not without:
        return Games(Library(checked))  # each game is made when it is played
    built_in = _built_in() if checked is None else checked
    left_out: dict[str, tuple[Problem, ...]] = {}
    added: list[Pack] = []
    seen = {pack.folder.resolve() for pack in built_in if pack.folder}
    for folder in folders:
        roots = pack_folders(folder)
        if not roots:
            left_out[str(folder)] = (no_pack(folder),)
        for root in roots:
            if root.resolve() in seen:
                continue
            seen.add(root.resolve())
            pack, problems, _ = read(in_folder(root, str(root)), None, structure_problems)
            if problems or pack is None:
                left_out[str(root)] = problems
            else:
                added.append(pack)
    _check_known(without, [*built_in, *added])
    used, beside = ([pack for pack in packs if pack.id not in without] for packs in (built_in, added))
    games, sick, faults = fitting(used, beside)
    if faults:
        raise PackError(fault.problem for fault in faults)
    left_out |= sick
    if strictly and left_out:
        raise PackError(problem for problems in left_out.values() for problem in problems)
    return games.without(left_out)


def _check_known(without: Collection[str], packs: Sequence[Pack]) -> None:
    known = [pack.id for pack in packs]
    unknown = [id for id in without if id not in known]
    if unknown:
        raise PackError(
            Problem("without", "unknown-pack", f"no pack {id!r} to leave out", suggestion(id, known))
            for id in unknown
        )


class Fitting(NamedTuple):
    """Packs that fit together.

    Attributes:
        games: of these packs; all made already, if there are no faults.
        left_out: what the folders of those that do not are called, and their faults.
        faults: what is wrong for all that: faults of packs that cannot be left out.
    """

    games: Games
    left_out: Mapping[str, tuple[Problem, ...]]
    faults: tuple[Fault, ...]


def fitting(fixed: Sequence[Pack], added: Sequence[Pack]) -> Fitting:
    """The fixed packs, and as many of the added ones as fit together with them and their rulesets."""
    kept = list(added)
    left_out: dict[str, tuple[Problem, ...]] = {}
    while True:
        library = Library([*fixed, *kept])
        games = Games(library)
        faults = library.faults or tuple(_faults(library, games))
        sick = _first_at_fault(kept, library, faults)
        if sick is None:
            return Fitting(games, left_out, faults)
        left_out[sick.label] = _problems_of(sick, faults)
        kept.remove(sick)


def _problems_of(pack: Pack, faults: Iterable[Fault]) -> tuple[Problem, ...]:
    return tuple(dict.fromkeys(fault.problem for fault in faults if fault.pack in (pack.id, pack.label)))


def _first_at_fault(added: Sequence[Pack], library: Library, faults: Sequence[Fault]) -> Pack | None:
    """Of the packs at fault the lowest: faults of those above it may come from it."""
    order = list(library.packs)
    sick = [pack for pack in added if _problems_of(pack, faults)]
    used = [pack for pack in sick if library.packs[pack.id].label == pack.label]
    return min(used, key=lambda pack: order.index(pack.id)) if used else next(iter(sick), None)


def _built_in() -> list[Pack]:
    """What travels with Fracas, which its own tests have checked already."""
    packs: list[Pack] = []
    problems: list[Problem] = []
    for root in pack_folders(shipped("datapacks")):
        pack, found, _ = read(in_folder(root))
        problems += found
        if pack is not None:
            packs.append(pack)
    if problems:
        raise PackError(problems)
    return packs


def _faults(library: Library, games: Games) -> list[Fault]:
    """What only shows when the packs are put together with their rulesets."""
    known = ruleset_ids()
    found = [
        unknown_ruleset(pack, known) for pack in library.packs.values() if pack.manifest.ruleset not in known
    ]
    for id in known:
        found += games.faults(id)
    if not found:
        found += [*reference_faults(library), *result_faults(library)]
    return found


def unknown_ruleset(pack: Pack, known: Sequence[str]) -> Fault:
    """The fault of a pack for a ruleset that nobody provides."""
    ruleset = pack.manifest.ruleset
    place = pack.manifest.location.text(("ruleset",))
    message = f"no ruleset named {ruleset!r}"
    return Fault(pack.id, Problem(place, "unknown-ruleset", message, suggestion(ruleset, known)))

"""The library: packs found in folders, loaded strictly, and looked up by ruleset, kind and name."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from fracas.errors import PackError, Problem, suggestion
from fracas.packs.entries import KINDS, META, SLUG, Entry, HouseRule, Pack
from fracas.packs.manifest import place, read_manifest
from fracas.packs.yaml_source import Located, YamlError, load


class Shelf:
    """The entries of the packs of one ruleset. A later pack's entry hides an earlier one of the same slug."""

    def __init__(self, ruleset: str, packs: Sequence[Pack]) -> None:
        self.ruleset = ruleset
        self.packs = tuple(packs)
        self._by_kind: dict[str, dict[str, Entry]] = {}
        self._by_id: dict[str, Entry] = {}
        self._renamed: dict[tuple[str, str], str] = {}
        for pack in packs:
            for entry in pack.entries:
                self._by_kind.setdefault(entry.kind, {})[entry.slug] = entry
                self._by_id[entry.id] = entry
                for old in entry.meta.get("renamed_from", ()):
                    self._renamed[entry.kind, old] = entry.slug
                    self._by_id.setdefault(f"{pack.manifest.id}:{entry.kind}/{old}", entry)

    def entry(self, kind: str, reference: str) -> Entry | None:
        """By slug or by id."""
        if ":" in reference:
            found = self._by_id.get(reference)
            return found if found and found.kind == kind else None
        entries = self._by_kind.get(kind, {})
        return entries.get(reference) or entries.get(self._renamed.get((kind, reference), ""))

    def entries(self, kind: str) -> list[Entry]:
        return list(self._by_kind.get(kind, {}).values())

    def names(self, kind: str) -> Iterable[str]:
        return self._by_kind.get(kind, {})

    def options(self) -> dict[str, HouseRule]:
        return {rule.id: rule for pack in self.packs for rule in pack.manifest.options}

    def caps(self) -> dict[str, int]:
        return {stack: cap for pack in self.packs for stack, cap in pack.manifest.caps.items()}


class Library:
    """All packs of some folders."""

    def __init__(self, packs: Sequence[Pack]) -> None:
        self.packs = {pack.manifest.id: pack for pack in packs}
        self._shelves: dict[str, Shelf] = {}

    @classmethod
    def read(cls, folders: Iterable[Path], ruleset: str | None = None) -> Library:
        """Load every folder that holds a ``pack.yaml``, directly or one level down.

        With `ruleset`, packs of other rulesets are left out without reading their entries.

        Raises:
            PackError: any fault of any pack; all faults at once.
        """
        packs: list[Pack] = []
        problems: list[Problem] = []
        for folder in folders:
            roots = pack_folders(folder)
            if not roots:
                problems.append(
                    Problem(str(folder), "no-pack", "there is no pack.yaml here, nor one level down")
                )
            for root in roots:
                try:
                    pack = read_pack(root, ruleset)
                    if pack is not None:
                        packs.append(pack)
                except PackError as error:
                    problems.extend(error.problems)
        problems += _doubles(packs)
        if problems:
            raise PackError(problems)
        return cls(packs)

    def shelf(self, ruleset: str) -> Shelf:
        if ruleset not in self._shelves:
            packs = [pack for pack in self.packs.values() if pack.manifest.ruleset == ruleset]
            self._shelves[ruleset] = Shelf(ruleset, packs)
        return self._shelves[ruleset]

    def entry(self, id: str) -> Entry | None:
        pack = self.packs.get(id.partition(":")[0])
        return next((entry for entry in pack.entries if entry.id == id), None) if pack else None


def _doubles(packs: Sequence[Pack]) -> Iterable[Problem]:
    seen: dict[str, Path] = {}
    for pack in packs:
        id = pack.manifest.id
        if id in seen:
            message = f"the pack {id!r} lies in {seen[id]} too"
            yield Problem(f"{pack.folder / 'pack.yaml'}:1:1", "duplicate-pack", message)
        seen.setdefault(id, pack.folder)


def pack_folders(folder: Path) -> list[Path]:
    """The folder if it is a pack, or the packs one level down."""
    if (folder / "pack.yaml").is_file():
        return [folder]
    return sorted(path.parent for path in folder.glob("*/pack.yaml"))


def read_pack(folder: Path, ruleset: str | None = None) -> Pack | None:
    """One pack; None when it is of another ruleset than the one asked for.

    Raises:
        PackError: every fault that can be found in one pass.
    """
    problems: list[Problem] = []
    digest = hashlib.sha256()
    located = _load(folder / "pack.yaml", folder, problems, digest)
    manifest = read_manifest(located, problems) if located else None
    if manifest and ruleset is not None and manifest.ruleset != ruleset:
        return None
    entries: list[Entry] = []
    files = {path: kind for kind in KINDS for path in _files(folder, kind)}
    for path, kind in files.items():
        located = _load(path, folder, problems, digest)
        if located:
            pack = manifest.id if manifest else folder.name
            entries.extend(_read_entries(located, kind, KINDS[kind], pack, problems))
    _check_doubles(entries, problems)
    _check_strangers(folder, files, problems)
    if problems or not manifest:
        raise PackError(problems)
    return Pack(manifest, tuple(entries), digest.hexdigest(), folder)


def _files(folder: Path, kind: str) -> list[Path]:
    single = folder / f"{kind}.yaml"
    return ([single] if single.is_file() else []) + sorted((folder / kind).glob("*.yaml"))


def _check_strangers(folder: Path, known: Iterable[Path], problems: list[Problem]) -> None:
    """Complain of YAML files that nobody would read."""
    expected = {folder / "pack.yaml", *known}
    for path in sorted(folder.rglob("*.y*ml")):
        inner = path.parent != folder and (path.parent / "pack.yaml").is_file()  # another pack
        if path not in expected and not inner:
            name = path.relative_to(folder).as_posix()
            message = "files of a pack are pack.yaml, <kind>.yaml and <kind>/<name>.yaml"
            hint = suggestion(name, ["pack.yaml", *(f"{kind}.yaml" for kind in KINDS)])
            problems.append(Problem(f"{folder.name}/{name}", "unknown-file", message, hint))


def _load(path: Path, folder: Path, problems: list[Problem], digest: Any) -> Located | None:
    name = f"{folder.name}/{path.relative_to(folder).as_posix()}"
    try:
        text = path.read_bytes()
        digest.update(name.encode() + b"\0" + text)
        return load(text, name)
    except YamlError as error:
        for fault in error.problems:
            where = f"{name}:{fault.position.line}:{fault.position.column}"
            problems.append(Problem(where, fault.code, fault.message, fault.hint))
    except OSError as error:
        problems.append(Problem(name, "unreadable", error.strerror or "cannot be read"))
    return None


def _read_entries(
    located: Located, folder: str, kind: str, pack: str, problems: list[Problem]
) -> Iterable[Entry]:
    raw = located.data
    if not isinstance(raw, Mapping) or not isinstance(raw.get("entries"), list):
        problems.append(
            Problem(place(located, ()), "bad-file", "a pack file has 'kind' and a list of 'entries'")
        )
        return
    if raw.get("kind") != folder:
        hint = suggestion(raw.get("kind"), KINDS)
        message = f"the file lies under {folder!r} and says it holds {raw.get('kind')!r}"
        problems.append(Problem(place(located, ("kind",)), "wrong-kind", message, hint))
        return
    for at, item in enumerate(raw["entries"]):
        where = place(located, ("entries", at))
        slug = item.get("slug") if isinstance(item, Mapping) else None
        if not isinstance(slug, str) or not SLUG.fullmatch(slug):
            message = "an entry is a mapping with a slug of small letters, digits and hyphens"
            problems.append(Problem(where, "bad-slug", message))
            continue
        label = str(item.get("label", slug))
        data = {name: value for name, value in item.items() if name not in META}
        meta = {name: value for name, value in item.items() if name in META}
        if not isinstance(meta.get("renamed_from", []), list):
            where = place(located, ("entries", at, "renamed_from"))
            problems.append(Problem(where, "wrong-type", "renamed_from is a list of slugs"))
            continue
        yield Entry(f"{pack}:{kind}/{slug}", kind, slug, label, pack, data, meta, where)


def _check_doubles(entries: Sequence[Entry], problems: list[Problem]) -> None:
    first: dict[str, str] = {}
    for entry in entries:
        if entry.id in first:
            message = f"{entry.kind} {entry.slug!r} is already at {first[entry.id]}"
            problems.append(Problem(entry.place, "duplicate-slug", message))
        first.setdefault(entry.id, entry.place)

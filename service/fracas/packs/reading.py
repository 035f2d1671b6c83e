"""Reading one pack: its files, loaded strictly, become a manifest, entries and operations on other packs' entries."""

from __future__ import annotations

import bisect
import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from fracas.errors import PackError, Problem, nearest, suggestion
from fracas.packs.attached import FIGHTS, PHRASES, ROLL20, schema_of_attached
from fracas.packs.entries import META, NAMELESS, SLUG, Entry, Location, Manifest, Operation, Pack
from fracas.packs.files import MANIFEST, PackFiles, in_folder
from fracas.packs.manifest import place, read_manifest
from fracas.packs.parsed_texts import PARSED
from fracas.packs.schemas import entry_kinds
from fracas.packs.yaml_source import Located, YamlError

Structure = Callable[[Located, str], list[Problem]]
"""Checks a file against the JSON Schema of its kind (``pack`` for a manifest)."""

_HOW = ("patch", "replace", "remove")

_PACK_ID = re.compile(r"^id: *[\"']?(?P<name>[a-z0-9-]{1,64})", re.MULTILINE)
_KIND_LINE = re.compile(r"^kind: *[\"']?(?P<name>[a-z0-9-]{1,64})", re.MULTILINE)
_SLUG_LINE = re.compile(r"\bslug[\"']?:[^a-z0-9\n]*(?P<name>[a-z0-9-]{1,64})")


class Reading(NamedTuple):
    """What could be made of a pack's files.

    Attributes:
        pack: with the entries that are sound; None without a usable manifest.
        problems: all faults; none if the pack can be used.
        faulty: kind and slug (or NAMELESS) of entries that are left out for their faults, and ``("pack", id)`` of a
            pack that is.
    """

    pack: Pack | None
    problems: tuple[Problem, ...]
    faulty: frozenset[tuple[str, str]] = frozenset()


def read_pack(folder: Path, ruleset: str | None = None) -> Pack | None:
    """The pack in a folder; None when it is of another ruleset than the one asked for.

    Raises:
        PackError: every fault that can be found in one pass.
    """
    reading = read(in_folder(folder), ruleset)
    if reading.problems:
        raise PackError(reading.problems)
    return reading.pack


def read(
    files: PackFiles,
    ruleset: str | None = None,
    structure: Structure | None = None,
    without: Collection[str] = (),
) -> Reading:
    """Read a pack, and go on after a fault for as long as that finds more.

    Args:
        ruleset: leave a pack of another ruleset unread: no pack and no problems.
        structure: check each file against its schema too; without it only what the reading itself needs.
        without: folders of kinds to leave unread.
    """
    reader = _Reader(files, structure)
    manifest = reader.manifest()
    if manifest and ruleset is not None and manifest.ruleset != ruleset:
        return Reading(None, ())
    kinds = _kinds_of(files.names)
    for name, kind in kinds.items():
        if kind not in without:
            reader.file(name, kind, manifest)
    for name in files.names:
        if schema_of_attached(name):
            reader.attach(name)
    reader.check_strangers(kinds)
    reader.check_doubles()
    pack = None
    if manifest is None:
        reader.faulty |= {(entry.kind, entry.slug) for entry in reader.entries}
    else:
        entries, operations = tuple(reader.entries), tuple(reader.operations)
        digest, left_out = reader.digest.hexdigest(), tuple(reader.left_out)
        label, folder = files.label, files.folder
        pack = Pack(manifest, entries, operations, digest, label, folder, left_out, reader.attached)
    return Reading(pack, tuple(reader.problems), frozenset(reader.faulty))


def _kinds_of(names: Iterable[str]) -> dict[str, str]:
    """The files that hold entries, in reading order, and the kind that each must hold."""
    found = {}
    for kind in entry_kinds():
        single = f"{kind}.yaml"
        inner = [
            name
            for name in names
            if name.startswith(f"{kind}/") and name.count("/") == 1 and name[-5:] == ".yaml"
        ]
        for name in ([single] if single in names else []) + sorted(inner):
            found[name] = kind
    return found


class _Reader:
    """Collects what the files of one pack hold."""

    def __init__(self, files: PackFiles, structure: Structure | None) -> None:
        self.files = files
        self.structure = structure
        self.problems: list[Problem] = []
        self.entries: list[Entry] = []
        self.operations: list[Operation] = []
        self.faulty: set[tuple[str, str]] = set()
        self.left_out: list[Entry] = []
        self.manifest_faults: list[Problem] = []
        self.digest = hashlib.sha256()
        self.attached: dict[str, Located] = {}

    def manifest(self) -> Manifest | None:
        located = self._load(MANIFEST)
        if located is None:
            self.faulty |= {("pack", found["name"]) for found in _PACK_ID.finditer(self._text(MANIFEST))}
            return None
        found: list[Problem] = []
        manifest = read_manifest(located, found)
        # The schema says the same faults in more detail; a version that it does not know makes it useless.
        versions = [problem for problem in found if problem.code.endswith("-schema-version")]
        if self.structure and not versions:
            found = self.structure(located, "pack") or found
        self.manifest_faults = versions or found
        self.problems += self.manifest_faults
        if manifest is None and isinstance(located.data, Mapping):
            self.faulty.add(("pack", str(located.data.get("id"))))
        return manifest

    def file(self, name: str, kind: str, manifest: Manifest | None) -> None:
        """Read a file of entries."""
        located = self._load(name)
        listed = located is not None and isinstance(located.data, Mapping) and "entries" in located.data
        if not listed:
            self.faulty |= {
                (entry_kinds()[kind], found["name"]) for found in _SLUG_LINE.finditer(self._text(name))
            }
        if located is None:
            return
        old = manifest is None and any(problem.code == "old-schema-version" for problem in self.problems)
        found = self.structure(located, kind) if self.structure and not old else []
        self.problems += found
        frame = None if old else _frame_fault(located, kind, manifest)
        if frame is not None and frame.code == "wrong-ruleset" and self._ruleset_at_fault(manifest):
            frame = None
        if frame is not None and not found:
            self.problems.append(frame)
        if isinstance(located.data, Mapping) and isinstance(located.data.get("entries"), list):
            pack = manifest.id if manifest else self.files.label
            everything = range(len(located.data["entries"]))
            self._entries(located, kind, pack, everything if frame else _at_fault(located, found))

    def attach(self, name: str) -> None:
        """Read a file that holds no entries."""
        located = self._load(name)
        if located is None:
            return
        found = self.structure(located, name) if self.structure else []
        self.problems += found
        if not found:
            self.attached[name] = located

    def _ruleset_at_fault(self, manifest: Manifest | None) -> bool:
        """Whether it is the manifest that names no ruleset."""
        place = manifest.location.text(("ruleset",)) if manifest else None
        return any(problem.path == place for problem in self.manifest_faults)

    def _entries(self, located: Located, folder: str, pack: str, at_fault: Collection[int]) -> None:
        kind = entry_kinds()[folder]
        for at, item in enumerate(located.data["entries"]):
            location = Location(located, ("entries", at))
            if at in at_fault:
                self.faulty |= {(kind, name) for name in _names_of(item)}
                if isinstance(item, Mapping):
                    self.left_out.append(_entry_of(item, str(item.get("slug", "")), kind, pack, location))
                continue
            how = next((how for how in _HOW if isinstance(item, Mapping) and how in item), None)
            if how is None:
                self._entry(item, kind, pack, location)
            else:
                self._operation(item, how, kind, pack, location)

    def _entry(self, item: Any, kind: str, pack: str, location: Location) -> None:
        slug = item.get("slug") if isinstance(item, Mapping) else None
        if not isinstance(slug, str) or not SLUG.fullmatch(slug):
            message = "an entry is a mapping with a slug of small letters, digits and hyphens"
            self.problems.append(Problem(location.text(), "bad-slug", message))
            return
        if self._former_slugs_fault(item, location):
            return
        self.entries.append(_entry_of(item, slug, kind, pack, location))

    def _operation(self, item: Mapping[str, Any], how: Any, kind: str, pack: str, location: Location) -> None:
        target, expects, unset = item[how], item.get("expects", {}), item.get("unset", [])
        values = item.get("set", {}) if how == "patch" else item
        if not isinstance(target, str) or not isinstance(expects, Mapping) or not isinstance(unset, list):
            message = f"{how} names the id of an entry; expects is a mapping and unset a list"
            self.problems.append(Problem(location.text((how,)), "bad-change", message))
            return
        if how == "patch" and not (isinstance(values, Mapping) and (values or unset)):
            message = "a patch sets or unsets something: 'set' is a mapping, 'unset' a list of fields"
            self.problems.append(Problem(location.text((how,)), "bad-change", message))
            return
        if self._former_slugs_fault(item, location):
            return
        fields = tuple(map(str, unset))
        for at, field in enumerate(fields):
            if how == "patch" and field in values:
                message = f"the patch both sets and unsets {field!r}"
                self.problems.append(
                    Problem(location.text(("unset", at)), "bad-change", message, "keep one of them")
                )
                return
        operation = Operation(how, target, kind, pack, expects, values, fields, item.get("source"), location)
        self.operations.append(operation)

    def _former_slugs_fault(self, item: Mapping[str, Any], location: Location) -> bool:
        former = item.get("renamed_from", [])
        fits = isinstance(former, list) and all(isinstance(slug, str) for slug in former)
        if not fits:
            where = location.text(("renamed_from",))
            self.problems.append(Problem(where, "wrong-type", "renamed_from is a list of slugs"))
        return not fits

    def _text(self, name: str) -> str:
        """What can be read of a file that is no strict YAML."""
        try:
            return self.files.read(name).decode("utf-8", "replace")
        except (OSError, KeyError):
            return ""

    def _load(self, name: str) -> Located | None:
        shown = self.files.name(name)
        if self.files.parsed is not None and name in self.files.names:
            return self.files.parsed(name)
        try:
            text = self.files.read(name)
            self.digest.update(name.encode() + b"\0" + text)
            return PARSED.load(text, shown)
        except YamlError as error:
            for fault in error.problems:
                where = f"{shown}:{fault.position.line}:{fault.position.column}"
                self.problems.append(Problem(where, fault.code, fault.message, fault.hint))
        except (OSError, KeyError) as error:
            reason = error.strerror if isinstance(error, OSError) else "there is no such file"
            self.problems.append(Problem(shown, "unreadable", reason or "cannot be read"))
        return None

    def check_strangers(self, known: Iterable[str]) -> None:
        """Complain of YAML files that nobody would read."""
        expected = {MANIFEST, *known}
        for name in self.files.names:
            if name not in expected and not schema_of_attached(name):
                message = "files of a pack are pack.yaml, <kind>.yaml and <kind>/<name>.yaml"
                problem = Problem(self.files.name(name), "unknown-file", message, self._home_of(name))
                self.problems.append(problem)

    def _home_of(self, name: str) -> str | None:
        """Where a file belongs that lies where nothing reads it, by the kind that it says it holds."""
        match = _KIND_LINE.search(self._text(name))
        word = match["name"] if match else ""
        kind = next((kind for kind, one in entry_kinds().items() if word in (kind, one)), None)
        stem = PurePosixPath(name).stem
        singles = (MANIFEST, FIGHTS, PHRASES, ROLL20, *(f"{kind}.yaml" for kind in entry_kinds()))
        meant = nearest(stem, [single.removesuffix(".yaml") for single in singles])
        is_there = f"{meant}.yaml" in self.files.names
        if meant and (kind is None or (kind == meant and not is_there)):
            return f"did you mean '{meant}.yaml'?"
        return f"it holds {kind}: call it {kind}/{stem}.yaml" if kind else None

    def check_doubles(self) -> None:
        first: dict[str, Entry] = {}
        for entry in self.entries:
            if entry.id in first:
                message = f"{entry.kind} {entry.slug!r} is already at {first[entry.id].place}"
                self.problems.append(Problem(entry.location.text(("slug",)), "duplicate-slug", message))
            first.setdefault(entry.id, entry)


def _entry_of(item: Mapping[str, Any], slug: str, kind: str, pack: str, location: Location) -> Entry:
    data = {name: value for name, value in item.items() if name not in META}
    meta = {name: value for name, value in item.items() if name in META}
    label = str(item.get("label", slug))
    return Entry(f"{pack}:{kind}/{slug}", kind, slug, label, pack, data, meta, location)


def _frame_fault(located: Located, kind: str, manifest: Manifest | None) -> Problem | None:
    """What is wrong with a file around its entries."""
    raw = located.data
    if not isinstance(raw, Mapping) or not isinstance(raw.get("entries"), list):
        return Problem(
            place(located, ()), "bad-file", "a pack file has 'kind', 'ruleset' and a list of 'entries'"
        )
    if raw.get("kind") != kind:
        hint = suggestion(raw.get("kind"), entry_kinds())
        message = f"the file lies under {kind!r} and says it holds {raw.get('kind')!r}"
        return Problem(place(located, ("kind",)), "wrong-kind", message, hint)
    if manifest and raw.get("ruleset") != manifest.ruleset:
        message = f"the pack is for {manifest.ruleset!r}, and the file says {raw.get('ruleset')!r}"
        return Problem(place(located, ("ruleset",)), "wrong-ruleset", message)
    return None


def _names_of(item: Any) -> Iterable[str]:
    """What others may call an entry that has faults."""
    if not isinstance(item, Mapping) or any(how in item for how in _HOW):
        return ()
    slug, former = item.get("slug"), item.get("renamed_from")
    names = [slug if isinstance(slug, str) else NAMELESS, *(former if isinstance(former, list) else ())]
    return (name for name in names if isinstance(name, str))


def _at_fault(located: Located, problems: Sequence[Problem]) -> frozenset[int]:
    """Indexes of the entries in which the problems lie."""
    raw = located.data.get("entries") if isinstance(located.data, Mapping) else None
    if not problems or not isinstance(raw, list) or not raw:
        return frozenset()
    starts = [tuple(located.position(("entries", at))) for at in range(len(raw))]
    last = len(raw) - 1
    end = Location(located, ("entries", last)).end()
    found = set()
    for problem in problems:
        line, column = problem.path.rsplit(":", 2)[1:]
        place = int(line), int(column)
        at = bisect.bisect_right(starts, place) - 1
        if 0 <= at < last or (at == last and place <= end):
            found.add(at)
    return frozenset(found)

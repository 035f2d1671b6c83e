"""What a migration would change in a pack; nothing here reads or writes a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from fracas.errors import PackError, Problem
from fracas.packs.files import MANIFEST
from fracas.packs.manifest import SCHEMA_VERSION, place
from fracas.packs.migrations.step import Source, Step
from fracas.packs.migrations.v001_to_v002 import STEP as V001_TO_V002
from fracas.packs.yaml_editing import same_data
from fracas.packs.yaml_source import YamlError, load

STEPS: Final[tuple[Step, ...]] = (V001_TO_V002,)
"""In order, without gaps, the last one leading to `SCHEMA_VERSION`."""


class Migration(NamedTuple):
    """The way of a pack to the newest format.

    Attributes:
        before: the ``schema_version`` that it has.
        after: the one that it gets; the same if there is nothing to do.
        files: the new content of each file that changes, by its path inside the pack.
        steps: one line for each step, saying what it does.
    """

    before: int
    after: int
    files: Mapping[str, bytes]
    steps: tuple[str, ...]


def migrate(files: Mapping[str, bytes], label: str = "") -> Migration:
    """Plan the migration of a pack to `SCHEMA_VERSION`.

    Only the places that a step is about change; all else, comments and line ends among it, stays byte for byte.

    Args:
        files: the manifest and the files of entries, by their paths inside the pack (``weapons/pistols.yaml``).
        label: what messages call the pack's folder.

    Raises:
        PackError: a file is not strict YAML, the manifest has no usable ``schema_version``, the version is newer
            than this Fracas, or a step cannot change the pack; as many faults as can be found at once.
    """
    pack, problems = _loaded(files, label)
    manifest = f"{label}/{MANIFEST}" if label else MANIFEST
    if MANIFEST not in files:
        raise PackError((Problem(manifest, "no-pack", f"the pack has no {MANIFEST}"),))
    before = _version(pack[MANIFEST], problems) if MANIFEST in pack else 0
    if problems:
        raise PackError(problems)
    steps = [step for step in STEPS if step.before >= before]
    for step in steps:
        pack = _after(step, pack)
    changed = {
        name: content for name, source in pack.items() if (content := source.text.encode()) != files[name]
    }
    after = steps[-1].after if steps else before
    return Migration(before, after, changed, tuple(_line(step) for step in steps))


def _line(step: Step) -> str:
    return f"version {step.before} to {step.after}: {step.does}"


def _loaded(files: Mapping[str, bytes], label: str) -> tuple[dict[str, Source], list[Problem]]:
    pack: dict[str, Source] = {}
    problems: list[Problem] = []
    for name, content in files.items():
        shown = f"{label}/{name}" if label else name
        try:
            pack[name] = Source(content.decode("utf-8", "replace"), load(content, shown))
        except YamlError as error:
            problems += [
                Problem(
                    f"{shown}:{fault.position.line}:{fault.position.column}",
                    fault.code,
                    fault.message,
                    fault.hint,
                )
                for fault in error.problems
            ]
    return pack, problems


def _version(manifest: Source, problems: list[Problem]) -> int:
    """The pack's ``schema_version``; a fault is added to the problems, or if the version is new raised alone."""
    located = manifest.located
    if not isinstance(located.data, dict):
        problems.append(Problem(place(located, ()), "bad-manifest", "a manifest is a mapping"))
        return 0
    where = place(located, ("schema_version",))
    if "schema_version" not in located.data:
        problems.append(Problem(where, "missing-field", "the manifest lacks 'schema_version'"))
        return 0
    version = located.data["schema_version"]
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        message = f"schema_version is a whole number from 1 to {SCHEMA_VERSION}, not {version!r}"
        problems.append(Problem(where, "bad-manifest", message))
        return 0
    if version > SCHEMA_VERSION:
        message = f"the pack has schema_version {version}; this Fracas knows versions up to {SCHEMA_VERSION}"
        raise PackError((Problem(where, "new-schema-version", message, "update Fracas"),))
    return version


def _after(step: Step, pack: Mapping[str, Source]) -> dict[str, Source]:
    """The pack after one step.

    Raises:
        PackError: also when the texts would not say what the step says that they should.
    """
    texts = step.texts(pack)
    expected = step.data({name: source.located.data for name, source in pack.items()})
    new: dict[str, Source] = {}
    problems: list[Problem] = []
    for name, source in pack.items():
        text, shown = texts.get(name, source.text), source.located.name
        try:
            new[name] = Source(text, load(text, shown))
        except YamlError as error:
            problems.append(_would_spoil(step, shown, f"it would no longer load: {error}"))
        else:
            if not same_data(new[name].located.data, expected[name]):
                problems.append(_would_spoil(step, shown, "it would say something else than it should"))
    if problems:
        raise PackError(problems)
    return new


def _would_spoil(step: Step, name: str, reason: str) -> Problem:
    message = f"the step from version {step.before} to {step.after} does not fit this file: {reason}"
    return Problem(f"{name}:1:1", "cannot-migrate", message, "this is a fault of Fracas; please report it")

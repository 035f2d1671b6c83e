"""Adding a patch to a pack: some fields of another pack's entry change, and all others stay."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fracas.cli.catalog import one_entry
from fracas.cli.entry_writing import first_source, new_problems, place_of, ruleset_of, schemas_of, write
from fracas.cli.options import pack_folders, say
from fracas.cli.writing import patience, quoted

if TYPE_CHECKING:
    from fracas.packs.entries import Entry
    from fracas.packs.scaffolding import Patch


def new_patch(
    name: str, root: Path, settings: Sequence[str], unset: Sequence[str], folders: Sequence[Path]
) -> None:
    """Adds a patch of the entry that a name means.

    Args:
        settings: new values, each as ``dv=7``. Without them and without `unset` the label is marked as one to write.

    Raises:
        ScaffoldError: a field or a value will not do, the entry is the pack's own, or the pack would not pass the
            check.
    """
    from fracas.cli.installed import installed, shown_path
    from fracas.packs.scaffolding import Patch, ScaffoldError, patch_lines, with_entry
    from fracas.packs.schemas import folder_of
    from fracas.packs.yaml_source import load

    given, ruleset = pack_folders(folders), ruleset_of(root)
    library = installed((*given, root), ruleset)
    entry = one_entry(library, name, ruleset)
    place = place_of(folder_of(entry.kind), root)
    if entry.pack == place.pack.id:
        raise ScaffoldError(f"{entry.id} is an entry of this very pack (change it at {entry.place})")
    values = dict(_setting(text, entry, ruleset) for text in settings)
    for field in unset:
        _check_field(field, entry.data)
    example = {} if values or unset else {"label": entry.label}
    patch = Patch(values or example, unset, example.keys())
    lines = patch_lines(entry, ruleset, patch, first_source(place))
    schemas = "" if place.before else schemas_of(place)
    kind, file = folder_of(entry.kind), place.files.name(place.name)
    text = with_entry(place.before, file, kind, ruleset, schemas, lines)
    with patience("Writing the patch and checking it"):
        problems = new_problems(place, text, given)
    if problems:
        shown = "\n".join(f"  {problem}" for problem in problems)
        raise ScaffoldError(f"nothing was written, because the pack would not pass the check:\n{shown}")
    write(place, text)
    made = load(text)
    line, column = made.position(("entries", len(made.data["entries"]) - 1))
    say(f"Wrote {shown_path(root / place.name)}:{line}:{column}")
    for change in _changes(entry, patch):
        say(f"  {change}")
    first = "Now change the fields, and run" if example else "Now look through it, and run"
    say(f"{first}: fracas check {quoted(shown_path(root))}")


def _setting(text: str, entry: Entry, ruleset: str) -> tuple[str, Any]:
    """A field and its new value, of ``dv=7``; the value is YAML."""
    from fracas.packs.scaffolding import ScaffoldError
    from fracas.packs.schema_fields import all_fields
    from fracas.packs.schemas import folder_of
    from fracas.packs.yaml_source import YamlError, load

    field, sign, value = text.partition("=")
    if not sign:
        raise ScaffoldError(f"a change is a field and its value, such as dv=7, not {text!r}")
    field = field.strip()
    _check_field(field, [name for name in all_fields(folder_of(entry.kind), ruleset) if name != "slug"])
    try:
        return field, load(f"value: {value.strip()}\n").data["value"]
    except YamlError as error:
        raise ScaffoldError(f"{text}: {error.problems[0].message}") from error


def _check_field(field: str, known: Any) -> None:
    from fracas.errors import suggestion
    from fracas.packs.scaffolding import ScaffoldError

    if field not in known:
        hint = suggestion(field, known)
        raise ScaffoldError(f"the entry has no field {field!r}" + (f" ({hint})" if hint else ""))


def _changes(entry: Entry, patch: Patch) -> list[str]:
    """Each change in a line: ``dv: 5 -> 7``."""
    from fracas.packs.yaml_writing import flow

    now = {**entry.meta, **entry.data}
    changed = [
        f"{name}: {flow(now[name]) if name in now else 'not there'} -> {flow(value)}"
        for name, value in patch.values.items()
        if name not in patch.examples
    ]
    return [*changed, *(f"{name}: {flow(now[name])} -> not there" for name in patch.unset)]

"""The module for Foundry: its manifest with the compendiums of packs, and the archive that Foundry installs."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from fracas import __version__
from fracas.exports.foundry.compendiums import Compendium, compendiums, module_compendium
from fracas.exports.foundry.databases import files
from fracas.exports.foundry.documents import MODULE, README
from fracas.exports.foundry.mappings import heads_of, mappings
from fracas.exports.foundry.rulebook import pictures
from fracas.exports.readable import short_title
from fracas.packs.entries import Pack
from fracas.packs.library import Library
from fracas.packs.shipped import shipped
from fracas.packs.yaml_source import load

MANIFEST = "module.json"
INSIDE = "inside"
"""The folder of the module with Fracas itself, and the flag of its manifest that says that it is there."""
_NOT_SHIPPED = (".d.ts", ".md")
_FOR_TESTS = "systems/"
"""Facts that the tests check the module's mappings against."""
_DATE = (1980, 1, 1, 0, 0, 0)
"""Of every file in an archive, so that equal content makes equal archives."""


def all_compendiums(library: Library) -> dict[str, list[Compendium]]:
    """The module's own, by its id, and those of each pack, by the pack's. They take most of the time of a module."""
    return {MODULE: [module_compendium()]} | {pack: compendiums(library, pack) for pack in library.packs}


def manifest(library: Library, *, inside: bool = False) -> dict[str, Any]:
    """The module's manifest without the addresses of where it lies, see `addressed`.

    Addresses of the project (``url``, ``bugs``, ``readme``, ``changelog``) are in the file that a release ships, see
    ``scripts/name_repository.py``.

    Args:
        inside: the archive has Fracas itself, see `archive`, and worlds run it there unless they are set otherwise.
    """
    made = all_compendiums(library)
    template: dict[str, Any] = json.loads((_folder() / MANIFEST).read_text("utf-8"))
    return {
        **template,
        "version": __version__,
        "packs": [each.manifest() for each in chain.from_iterable(made.values())],
        "packFolders": [_folders(library, made)],
        "flags": {
            MODULE: {
                "packs": {id: pack.manifest.version for id, pack in library.packs.items()},
                "mappings": heads_of(mappings(library).values()),
                **({INSIDE: True} if inside else {}),
            }
        },
    }


def addressed(manifest: Mapping[str, Any], address: str) -> dict[str, Any]:
    """The manifest of a module that a service offers; its readme is the service's own unless the project names one.

    Args:
        address: of the folder from which Foundry gets the manifest and the archive, with a slash at its end.
    """
    return {
        "readme": f"{address}{README}",
        **manifest,
        "manifest": f"{address}{MANIFEST}",
        "download": f"{address}{MODULE}.zip",
    }


def readme() -> str:
    """The page of the documentation about the module, as Markdown."""
    return (shipped("docs") / "foundry.md").read_text("utf-8")


def _folders(library: Library, made: Mapping[str, Sequence[Compendium]]) -> dict[str, Any]:
    """A folder of compendiums in the sidebar, with one in it for each pack."""

    def folder(title: str, id: str) -> dict[str, Any]:
        return {"name": title, "sorting": "m", "packs": [each.name for each in made[id]]}

    folders = [folder(short_title(pack), id) for id, pack in library.packs.items() if made[id]]
    return {**folder("Fracas", MODULE), "folders": folders}


def databases(library: Library) -> dict[str, bytes]:
    """The files that packs add, by their paths in the module: compendiums, sheet mappings, and pictures."""
    sheets = {f"mappings/{id}.json": _json(mapping) for id, mapping in mappings(library).items()}
    drawn = {name: content for pack in library.packs.values() for name, content in pictures(pack).items()}
    return (
        sheets
        | drawn
        | {
            f"{each.manifest()['path']}/{name}": content
            for each in chain.from_iterable(all_compendiums(library).values())
            for name, content in files(each.stored).items()
        }
    )


def archive(
    manifest: Mapping[str, Any], databases: Mapping[str, bytes], bundle: Mapping[str, bytes] | None = None
) -> bytes:
    """The ZIP archive of the module with a manifest and compendiums.

    Args:
        bundle: the files of Fracas for a page, see `inside.bundle`.
    """
    own = {f"{INSIDE}/{name}": content for name, content in (bundle or {}).items()}
    files = {**dict(_own_files()), **databases, **own, MANIFEST: _json(manifest)}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _DATE)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            made.writestr(entry, content)
    return buffer.getvalue()


def _folder() -> Path:
    return shipped("integrations") / "foundry"


def _own_files() -> Iterator[tuple[str, bytes]]:
    """Scripts, texts and styles of the module; its YAML files as JSON, which browsers can read."""
    root = _folder()
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        hidden = any(part.startswith((".", "node_modules")) for part in path.relative_to(root).parts)
        kept = name == MANIFEST or name.endswith(_NOT_SHIPPED) or name.startswith(_FOR_TESTS)
        if not path.is_file() or hidden or kept:
            continue
        if path.suffix == ".yaml":
            yield f"{name.removesuffix('.yaml')}.json", _json(load(path.read_bytes(), name).data)
        else:
            yield name, path.read_bytes()


def _json(value: Any) -> bytes:
    return json.dumps(value, indent=2).encode() + b"\n"


# --- A module of a pack's own ---------------------------------------------------------------------------


def pack_manifest(pack: Pack, made: Sequence[Compendium]) -> dict[str, Any]:
    """The manifest of a module that holds nothing but the compendiums of a pack."""
    raw = pack.manifest.raw
    authors = raw.get("authors") or []
    licenses = raw.get("licenses")
    found = {
        "id": pack.id,
        "title": pack.manifest.title,
        "description": str(raw.get("description", "")),
        "version": pack.manifest.version,
        "authors": [{"name": str(author)} for author in authors],
        "license": ", ".join(map(str, licenses.values())) if isinstance(licenses, dict) else "",
        "compatibility": {"minimum": "13"},
        "relationships": {"recommends": [{"id": MODULE, "type": "module"}]},
        "packs": [each.manifest() for each in made],
        "flags": {MODULE: {"pack": pack.id, "compendiums": [each.name for each in made]}},
    }
    return {name: value for name, value in found.items() if value}


def is_of(manifest: Any, pack: Pack) -> bool:
    """Whether a manifest is that of an earlier export of a pack."""
    flags = manifest.get("flags") if isinstance(manifest, dict) else None
    ours = flags.get(MODULE) if isinstance(flags, dict) else None
    return isinstance(ours, dict) and ours.get("pack") == pack.id


def updated(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest of an earlier export with the version and the compendiums of now; what people added stays."""
    made = {*before["flags"][MODULE].get("compendiums", ()), *now["flags"][MODULE]["compendiums"]}
    others = [each for each in before.get("packs", ()) if each.get("name") not in made]
    flags = {**before["flags"], **now["flags"]}
    return {**before, "version": now["version"], "packs": [*now["packs"], *others], "flags": flags}

"""Builds the module for Foundry VTT for people who install it from a public address: module.json and fracas.zip.

    python scripts/build_module.py FOLDER --manifest URL --download URL

Fracas itself is in it, so that nobody needs a service: that takes Node.js, and npm or an unpacked package of Pyodide.
The manifest's address must stay the same from version to version, since Foundry looks there for updates; that of the
archive belongs to this version alone.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

from fracas.engine.opening import open_games
from fracas.exports.foundry.module import archive, databases, manifest
from fracas.inside import bundle


def build(folder: Path, manifest_url: str, download_url: str, inside: Path) -> None:
    """Writes both files into the folder.

    Args:
        inside: the folder of the bundle of Fracas for a page.
    """
    library = open_games(()).library
    made = {**manifest(library, inside=True), "manifest": manifest_url, "download": download_url}
    files = {name: (inside / name).read_bytes() for name in (*bundle.FILES, bundle.CONTENTS)}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "module.json").write_text(json.dumps(made, indent=2) + "\n", "utf-8", newline="\n")
    (folder / "fracas.zip").write_bytes(archive(made, databases(library), files))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--manifest", required=True, metavar="URL", help="where module.json of the newest version lies"
    )
    parser.add_argument(
        "--download", required=True, metavar="URL", help="where fracas.zip of this version lies"
    )
    parser.add_argument(
        "--pyodide", type=Path, metavar="FOLDER", help="the unpacked npm package; without it npm fetches it"
    )
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        bundle.build(Path(name), given.pyodide)
        build(given.folder, given.manifest, given.download, Path(name))


if __name__ == "__main__":
    main()

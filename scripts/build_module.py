"""Builds the module for Foundry VTT for people who install it from a public address: module.json and fracas.zip.

    python scripts/build_module.py FOLDER --manifest URL --download URL

The manifest's address must stay the same from version to version, since Foundry looks there for updates; that of the
archive belongs to this version alone.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from fracas.engine.opening import open_games
from fracas.exports.foundry.module import archive, databases, manifest


def build(folder: Path, manifest_url: str, download_url: str) -> None:
    """Writes both files into the folder."""
    library = open_games(()).library
    made = {**manifest(library, ""), "manifest": manifest_url, "download": download_url}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "module.json").write_text(json.dumps(made, indent=2) + "\n", "utf-8", newline="\n")
    (folder / "fracas.zip").write_bytes(archive(made, databases(library)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--manifest", required=True, metavar="URL", help="where module.json of the newest version lies"
    )
    parser.add_argument(
        "--download", required=True, metavar="URL", help="where fracas.zip of this version lies"
    )
    said = parser.parse_args()
    build(said.folder, said.manifest, said.download)


if __name__ == "__main__":
    main()

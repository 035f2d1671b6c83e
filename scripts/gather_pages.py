"""Gathers the pages of the documentation: ``python scripts/gather_pages.py FOLDER``.

A page is a Markdown file of the repository's root, of docs or of integrations. Each is copied to the same place in the
folder, with every file that it links to, so that its links lead where they do in the repository. A folder that is
linked gets a page with a list of its files, and the folder of the kernel its reference. Rulebooks get their tables.
What the folder held before is removed.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from urllib.parse import unquote

import kernel_reference

from fracas.book.book import Book
from fracas.engine.game import Games
from fracas.inside import playground
from fracas.packs.library import Library

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")
OUTSIDE = re.compile(r"[a-z]+:|//|/")


def pages() -> Iterator[Path]:
    """Every page, relative to the repository."""
    for found in sorted([*ROOT.glob("*.md"), *_files(ROOT / "docs"), *_files(ROOT / "integrations")]):
        if found.suffix == ".md":
            yield found.relative_to(ROOT)


def _files(folder: Path) -> list[Path]:
    there = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in there if not {"node_modules", "__pycache__"} & set(path.parts))


@cache
def text_of(page: Path) -> str:
    """A page as the site has it: a rulebook with what is made from the packs."""
    if page.parent == Path("docs/rulebooks"):
        library = Library.read([ROOT / "datapacks"], page.stem)
        return Book(Games(library), page.stem).whole()
    return (ROOT / page).read_text("utf-8")


def gather(into: Path) -> None:
    shutil.rmtree(into, ignore_errors=True)
    for page in pages():
        _write(into / page, LINK.sub(partial(_bring, page=page, into=into), text_of(page)))
    # What makes examples run; the rest of Fracas in a page comes when the site is built (`scripts/docs`).
    _copy(ROOT / "integrations" / "inside" / playground.EXAMPLES, into / "play" / playground.EXAMPLES)


def _bring(link: re.Match[str], page: Path, into: Path) -> str:
    """The link as it is on the site; what it leads to comes along, unless it is a page itself."""
    before, target, anchor, after = link.groups("")
    meant = (ROOT / page.parent / unquote(target)).resolve()
    if OUTSIDE.match(target) or not meant.is_relative_to(ROOT):
        return link[0]
    place = into / meant.relative_to(ROOT)
    if meant.is_file() and meant.suffix != ".md":
        _copy(meant, place)
    if not meant.is_dir():
        return link[0]
    if not (meant / "README.md").is_file():
        if meant == kernel_reference.KERNEL:
            kernel_reference.write(place)
        else:
            _list(meant, place)
        return f"{before}{target.rstrip('/')}/index.md{anchor}{after}"
    return f"{before}{target.rstrip('/')}/README.md{anchor}{after}"


def _list(folder: Path, place: Path) -> None:
    lines = [f"# {folder.name}", ""]
    for file in _files(folder):
        name = file.relative_to(folder).as_posix()
        _copy(file, place / name)
        lines.append(f"- [{name}]({name})")
    _write(place / "index.md", "\n".join([*lines, ""]))


def _copy(file: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, place)


def _write(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    gather(Path(sys.argv[1]))

"""The page in which people try Fracas without a service: the bundle, and the files that its pages load.

Any static host may show the folder, under any path.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

from fracas.inside import bundle
from fracas.packs.shipped import package, shipped
from fracas.web.bridge import SHARED

SHELL = "index.html"
WORKER = "sw.js"
EXAMPLES = "play/examples.mjs"
"""For pages beside the folder: examples that run where they stand."""
PAGE = ("play/play.css", "play/old.js", "play/play.mjs", "play/keeper.mjs", EXAMPLES)
_LEFT_OUT = ("static/vendor/swagger-ui/", "static/docs.js")
"""The description of the interface is for a service."""


def build(out: Path, pyodide: Path | None = None) -> dict[str, bundle.Part]:
    """Write the page with its bundle into a folder; see `bundle.build`.

    Returns:
        the files that it is made of, without the service worker, which lists them.

    Raises:
        BundleError, PackError: see `bundle.build`.
    """
    bundle.build(out, pyodide)
    return around(out)


def around(out: Path) -> dict[str, bundle.Part]:
    """Write what the page has besides into a folder with a bundle."""
    own = shipped("integrations") / "inside"
    for name, source in _files(own):
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, out / name)
    names = (*bundle.FILES, *(name for name, _ in _files(own)))
    parts = {name: bundle.part_of(out / name) for name in sorted(names)}
    version = hashlib.sha256("".join(part.sha256 for part in parts.values()).encode()).hexdigest()[:16]
    contents = json.dumps({"version": version, "files": list(parts)}, indent=1)
    script = (own / "play" / WORKER).read_text("utf-8")
    (out / WORKER).write_bytes(f"self.CONTENTS = {contents};\n{script}".encode())
    return parts


def _files(own: Path) -> Iterator[tuple[str, Path]]:
    """What is copied: the name in the folder, and the file."""
    yield SHELL, own / "play" / SHELL
    yield from ((name, own / name) for name in PAGE)
    yield from (
        (f"integrations/foundry/{name}", shipped("integrations") / "foundry" / name) for name in SHARED
    )
    static = package() / "web" / "static"
    for path in sorted(static.rglob("*")):
        name = f"static/{path.relative_to(static).as_posix()}"
        if path.is_file() and not name.startswith(_LEFT_OUT):
            yield name, path

"""Names the public repository in what a release publishes: python scripts/name_repository.py URL TAG.

It adds [project.urls] to pyproject.toml and the project's addresses to the manifest of the module for Foundry VTT, and
makes the links of README.md absolute, which lead nowhere outside of the repository. A release does so before it builds.
The repository itself names no address of its own: a fork has another.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_LINK = re.compile(r"(\]\()(?![a-z]+:|#|/)([^)\s]+)(\))")
_PICTURE = re.compile(r"\.(?:png|jpg|webp|svg|gif)$")
_BEFORE = "\n[project.scripts]\n"


def readme(text: str, url: str, tag: str) -> str:
    """The text with links to the files of this version; pictures to the files themselves."""

    def absolute(link: re.Match[str]) -> str:
        before, target, after = link.groups()
        kind = "raw" if _PICTURE.search(target) else "blob"
        return f"{before}{url}/{kind}/{tag}/{target}{after}"

    return _LINK.sub(absolute, text)


def project(text: str, url: str, tag: str) -> str:
    """pyproject.toml with the addresses of the project."""
    if text.count(_BEFORE) != 1 or "[project.urls]" in text:
        raise SystemExit("pyproject.toml: [project.scripts] is expected once, and no [project.urls]")
    urls = (
        f'Repository = "{url}"\nIssues = "{url}/issues"\nChangelog = "{url}/blob/{tag}/CHANGELOG.md"\n'
        f'Documentation = "{url}/blob/{tag}/docs/index.md"\n'
    )
    return text.replace(_BEFORE, f"\n[project.urls]\n{urls}{_BEFORE}")


def manifest(text: str, url: str, tag: str) -> str:
    """The module's manifest with the addresses that Foundry shows beside it."""
    found = json.loads(text)
    addresses = {
        "url": url,
        "bugs": f"{url}/issues",
        "readme": f"{url}/blob/{tag}/docs/foundry.md",
        "changelog": f"{url}/blob/{tag}/CHANGELOG.md",
    }
    if known := sorted(addresses.keys() & found.keys()):
        raise SystemExit(
            f"module.json: {', '.join(known)} is not expected here; addresses are added by a release"
        )
    return json.dumps({**found, **addresses}, indent=2, ensure_ascii=False) + "\n"


def main(url: str, tag: str) -> None:
    changes = {"README.md": readme, "pyproject.toml": project, "integrations/foundry/module.json": manifest}
    for name, change in changes.items():
        file = ROOT / name
        file.write_text(change(file.read_text("utf-8"), url.rstrip("/"), tag), "utf-8", newline="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

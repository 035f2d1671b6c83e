"""The site of the documentation, built as scripts/docs builds it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "scripts"))

from gather_pages import gather, pages, text_of  # noqa: E402

__all__ = ["PAGES", "ROOT", "build", "text_of"]

CONFIG: dict[str, Any] = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))
PAGES = [page.as_posix() for page in pages()]
"""Every page, as a path in the repository."""


def build(folder: Path) -> Path:
    """The folder of the site; there is no way to the network but a door that is shut."""
    gather(folder / CONFIG["docs_dir"])
    (folder / "mkdocs.yml").write_bytes((ROOT / "mkdocs.yml").read_bytes())
    shut = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"],
        cwd=folder,
        env={**os.environ, **shut},
        capture_output=True,
        encoding="utf-8",
        timeout=200,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "No issues found" in said
    assert "arning" not in said
    return folder / CONFIG["site_dir"]

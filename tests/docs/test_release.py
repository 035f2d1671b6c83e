"""What a release makes beside the package, and what containers are told."""

from __future__ import annotations

import io
import json
import re
import sys
import tomllib
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import tiers
import yaml
from inside_bundle import the_bundle
from pages import ROOT

from fracas.web.settings import Settings

sys.path.append(str(ROOT / "scripts"))

import build_module
import name_repository

LARGEST = 11_000_000
"""Bytes of the module's archive."""
URL, TAG = "https://git.example/people/fracas", "v9.8.7"


def test_the_package_index_gets_links_that_lead_somewhere() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    found = name_repository.readme(text, URL, TAG)
    links = re.findall(r"\]\(([^)]*)\)", found)
    assert links
    assert [link for link in links if not re.match("https://|#", link)] == []
    assert name_repository.readme(found, URL, TAG) == found
    sample = "![A table](docs/table.png) [http](docs/http.md#who-may-call) [here](#here) [there](https://there.example/)"
    assert name_repository.readme(sample, URL, TAG) == (
        f"![A table]({URL}/raw/{TAG}/docs/table.png) [http]({URL}/blob/{TAG}/docs/http.md#who-may-call) [here](#here) "
        "[there](https://there.example/)"
    )


def test_the_package_index_gets_the_addresses_of_the_project() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    project = tomllib.loads(name_repository.project(text, URL, TAG))["project"]
    assert project.pop("urls")["Issues"] == f"{URL}/issues"
    assert project == tomllib.loads(text)["project"]


def test_the_module_names_the_project() -> None:
    text = (ROOT / "integrations" / "foundry" / "module.json").read_text("utf-8")
    found = json.loads(name_repository.manifest(text, URL, TAG))
    assert {name: found.pop(name) for name in ("url", "bugs", "readme", "changelog")} == {
        "url": URL,
        "bugs": f"{URL}/issues",
        "readme": f"{URL}/blob/{TAG}/docs/foundry.md",
        "changelog": f"{URL}/blob/{TAG}/CHANGELOG.md",
    }
    assert found == json.loads(text)


def test_the_module_is_installed_from_public_addresses_and_needs_no_service(tmp_path: Path) -> None:
    build_module.build(tmp_path, f"{URL}/latest/module.json", f"{URL}/{TAG}/fracas.zip", the_bundle())
    manifest = json.loads((tmp_path / "module.json").read_text("utf-8"))
    assert (manifest["manifest"], manifest["download"]) == (
        f"{URL}/latest/module.json",
        f"{URL}/{TAG}/fracas.zip",
    )
    with zipfile.ZipFile(io.BytesIO((tmp_path / "fracas.zip").read_bytes())) as archive:
        assert json.loads(archive.read("module.json")) == manifest
        assert "readme" not in manifest, "which the service alone gives"
        names = archive.namelist()
        assert archive.read("inside/fracas.zip") == (the_bundle() / "fracas.zip").read_bytes()
    assert (tmp_path / "fracas.zip").stat().st_size < LARGEST
    assert manifest["flags"]["fracas"]["inside"] is True
    assert {"scripts/fracas.mjs", "inside/inside.mjs", "inside/LICENSES.txt"} <= set(names)
    assert [pack["path"] for pack in manifest["packs"] if f"{pack['path']}/CURRENT" not in names] == []


COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]
KNOWN = {*Settings(secret=b"x" * 16).to_environment()}


def test_containers_are_told_what_the_service_understands() -> None:
    said = COMPOSE["fracas"]["environment"]
    assert set(said) - KNOWN == set()
    told = {name: re.sub(r"\$\{SITE[^}]*\}", "vtt.example", value) for name, value in said.items()}
    told["FRACAS_ADMIN_TOKEN"] = ""
    settings = Settings.from_environment(told)
    assert str(settings.public) == "https://vtt.example/fracas"
    assert settings.hosts == ("fracas",)
    assert set(re.findall(r"\bFRACAS_\w+", (ROOT / "Dockerfile").read_text("utf-8"))) - KNOWN == set()


def test_the_proxy_leads_where_the_service_is() -> None:
    proxy = (ROOT / "deploy" / "Caddyfile").read_text("utf-8")
    image = (ROOT / "Dockerfile").read_text("utf-8")
    assert "reverse_proxy /fracas/* fracas:8844" in proxy
    assert f"EXPOSE {Settings().port}" in image
    assert "{$SITE}" in proxy
    assert "SITE" in COMPOSE["caddy"]["environment"]
    assert "./deploy/Caddyfile:/etc/caddy/Caddyfile:ro" in COMPOSE["caddy"]["volumes"]


@pytest.mark.parametrize(
    "file", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda file: file.name
)
def test_a_workflow_may_only_read_unless_a_job_says_more(file: Path) -> None:
    text = file.read_text("utf-8")
    flow = yaml.safe_load(text)
    assert flow["permissions"] == {"contents": "read"}
    assert [
        use for use in re.findall(r"uses: (\S+)", text) if not re.search(r"@(?:v\d|release/v\d)|^\./", use)
    ] == []
    writing = {name for name, job in flow["jobs"].items() if "write" in job.get("permissions", {}).values()}
    assert writing == ({"index", "container", "pages", "release"} if file.name == "release.yml" else set())


def test_the_forge_runs_each_part_of_the_night() -> None:
    script = (ROOT / "scripts" / "test").read_text("utf-8")
    parts = re.findall(r"^parts=\((.*)\)$", script, re.M)[0].split()
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "nightly.yml").read_text("utf-8"))
    assert workflow["jobs"]["nightly"]["strategy"]["matrix"]["part"] == parts
    assert {"rest", *tiers.NIGHTLY_PARTS} <= set(parts)


def test_each_test_is_in_one_part_of_the_night() -> None:
    found = Counter(
        path
        for part in ("rest", *tiers.NIGHTLY_PARTS)
        for place in tiers.selection(["nightly", part])
        for path in ([place] if place.is_file() else place.rglob("test_*.py"))
    )
    files = (path for path in tiers.TESTS.rglob("test_*.py") if "node_modules" not in path.parts)
    assert found == Counter(files)

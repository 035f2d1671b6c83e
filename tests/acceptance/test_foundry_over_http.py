"""What Foundry fetches from a running service: the module, its archive, and the documents of packs."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from foundry_leveldb import ClassicLevel
from http_client import Answer, Api, Document, check_error, send

from fracas import __version__
from fracas.packs.shipped import shipped

FOUNDRY = "http://localhost:30000"
MODULE = shipped("integrations") / "foundry"
ADMIN = "a-token-for-the-tests"
GRITTY = Path(__file__).resolve().parents[2] / "docs" / "house-rules" / "gritty-streets"


def archive(answer: Answer) -> dict[str, bytes]:
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.body)) as opened:
        assert opened.testzip() is None
        return {name: opened.read(name) for name in opened.namelist()}


def documents(api: Api, query: str) -> Any:
    answer = api.get(f"/foundry/documents?{query}")
    assert answer.status == 200
    return answer.data


def flat(answer: Any) -> dict[str, Any]:
    return {each["_key"]: each for one in answer["compendiums"] for each in one["documents"]}


# --- The module -----------------------------------------------------------------------------------------------


def test_the_manifest_names_everything_and_where_it_is(api: Api) -> None:
    found = api.get("/foundry/module.json").data
    assert found["id"] == "fracas"
    assert found["version"] == __version__
    assert found["manifest"] == f"http://127.0.0.1:{api.port}/foundry/module.json"
    assert found["download"] == f"http://127.0.0.1:{api.port}/foundry/fracas.zip"
    assert found["compatibility"]["minimum"] == "13"
    assert [each["id"] for each in found["relationships"]["recommends"]] == ["dice-so-nice", "lib-wrapper"]
    assert found["readme"] == f"http://127.0.0.1:{api.port}/foundry/readme"
    page = send(api.port, "GET", "/foundry/readme")
    assert (page.status, page.headers["Content-Type"]) == (200, "text/plain; charset=utf-8")
    assert page.body == (MODULE.parents[1] / "docs" / "foundry.md").read_bytes()
    packs = {each["name"]: each for each in found["packs"]}
    assert len(packs) == len(found["packs"]) > 10
    for type in ("Item", "Actor"):
        assert {each["system"] for each in packs.values() if each["type"] == type} == {
            "shadowrun4e", "shadowrun5e", "swnr", "dark-heresy"
        }  # fmt: skip
    assert all("system" not in each for each in packs.values() if each["type"] not in ("Item", "Actor"))
    closed = {name for name, each in packs.items() if each.get("ownership", {}).get("PLAYER") == "NONE"}
    assert closed == {name for name in packs if name.endswith("-gm") or "-actors-" in name}
    (folder,) = found["packFolders"]
    assert sorted(name for each in (folder, *folder["folders"]) for name in each["packs"]) == sorted(packs)


@pytest.mark.parametrize("host", ["localhost", "[::1]:8844", "LOCALHOST:1234"])
def test_addresses_are_those_by_which_one_asked(service: Any, host: str) -> None:
    found = send(service.port, "GET", "/foundry/module.json", headers={"Host": host}).data
    assert found["download"].lower() == f"http://{host.lower()}/foundry/fracas.zip"


def test_behind_a_proxy_that_speaks_https(service: Any) -> None:
    headers = {"Host": "localhost", "X-Forwarded-Proto": "https"}
    answer = send(service.port, "GET", "/foundry/module.json", headers=headers)
    assert answer.data["manifest"] == "https://localhost/foundry/module.json"
    assert "X-Forwarded-Proto" in answer.headers["Vary"]


@pytest.mark.parametrize("path", ["module.json", "fracas.zip", "documents?pack=sr4-core"])
def test_a_foreign_name_or_page_gets_nothing_of_it(service: Any, path: str) -> None:
    answer = send(service.port, "GET", f"/foundry/{path}", headers={"Host": "evil.example"})
    assert answer.status == 421
    check_error(answer)
    answer = send(service.port, "GET", f"/foundry/{path}", headers={"Origin": "http://evil.example"})
    assert "Access-Control-Allow-Origin" not in answer.headers
    answer = send(service.port, "GET", f"/foundry/{path}", headers={"Origin": FOUNDRY})
    assert answer.status == 200
    assert answer.headers["Access-Control-Allow-Origin"] == FOUNDRY


@pytest.mark.parametrize("path", ["module.json", "fracas.zip", "documents?pack=sr4-core&system=shadowrun4e"])
def test_what_one_has_already_is_not_sent_again(service: Any, path: str) -> None:
    first = send(service.port, "GET", f"/foundry/{path}")
    assert (first.status, first.headers["Cache-Control"]) == (200, "no-cache")
    tag = first.headers["ETag"]
    assert send(service.port, "GET", f"/foundry/{path}").headers["ETag"] == tag
    again = send(service.port, "GET", f"/foundry/{path}", headers={"If-None-Match": tag})
    assert (again.status, again.body) == (304, b"")
    assert again.headers["ETag"] == tag


def test_the_archive_holds_the_module(service: Any, api: Api) -> None:
    answer = send(service.port, "GET", "/foundry/fracas.zip")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    files = archive(answer)
    assert json.loads(files["module.json"]) == api.get("/foundry/module.json").data
    own = {path.relative_to(MODULE).as_posix() for path in MODULE.rglob("*") if path.is_file()}
    own = {name for name in own if not name.startswith("systems/")}
    expected = {name.replace(".yaml", ".json") for name in own if not name.endswith((".d.ts", ".md"))}
    sheets = {mapping["id"]: mapping for mapping in api.get("/foundry/mappings").data}
    assert {"generic", "any-sr4", "shadowrun4e"} <= sheets.keys()
    expected |= {f"mappings/{id}.json" for id in sheets}
    assert {name for name in files if not name.startswith(("packs/", "pictures/"))} == expected
    assert "pictures/sr4/ranged-attack.svg" in files
    assert all(json.loads(files[f"mappings/{id}.json"]) == mapping for id, mapping in sheets.items())
    heads = api.get("/foundry/module.json").data["flags"]["fracas"]["mappings"]
    assert {head["id"] for head in heads} == sheets.keys()
    for name in own & set(files) - {"module.json"}:
        assert files[name] == (MODULE / name).read_bytes()
    for name in expected:
        assert not name.startswith("/")
        assert ".." not in name


def test_the_archive_has_all_that_its_manifest_names(service: Any) -> None:
    files = archive(send(service.port, "GET", "/foundry/fracas.zip"))
    found = json.loads(files["module.json"])
    named = [*found["esmodules"], *found["styles"], *(each["path"] for each in found["languages"])]
    assert [name for name in named if name not in files] == []
    for pack in found["packs"]:
        assert f"{pack['path']}/CURRENT" in files
    kept = {name.rpartition("/")[0] for name in files if name.startswith("packs/")}
    assert kept == {pack["path"] for pack in found["packs"]}


def test_its_compendiums_hold_what_the_documents_say(
    service: Any, api: Api, classic_level: ClassicLevel, tmp_path: Path
) -> None:
    for name, content in archive(send(service.port, "GET", "/foundry/fracas.zip")).items():
        if name.startswith("packs/sr4-core-tables/"):
            (tmp_path / Path(name).name).write_bytes(content)
    kept = {key.decode(): json.loads(value) for key, value in classic_level.read(tmp_path).items()}
    answer = documents(api, "pack=sr4-core")
    tables = next(each["documents"] for each in answer["compendiums"] if each["name"] == "sr4-core-tables")
    assert {each["_key"]: each["formula"] for each in tables} == {
        key: value["formula"] for key, value in kept.items() if key.startswith("!tables!")
    }


# --- Documents ------------------------------------------------------------------------------------------------


def test_documents_of_a_pack_for_a_game_system(api: Api) -> None:
    answer = documents(api, "pack=sr4-core&system=shadowrun4e")
    assert (answer["pack"], answer["ruleset"], answer["system"]) == ("sr4-core", "sr4", "shadowrun4e")
    assert answer["version"] == api.get("/v1/packs/sr4-core").data["version"]
    types = [(each["type"], each["system"]) for each in answer["compendiums"]]
    assert types == [
        ("JournalEntry", ""),
        ("JournalEntry", ""),
        ("JournalEntry", ""),
        ("RollTable", ""),
        ("Macro", ""),
        ("Item", "shadowrun4e"),
        ("Actor", "shadowrun4e"),
        ("Macro", ""),
    ]
    found = flat(answer)
    assert len(found) == sum(len(each["documents"]) for each in answer["compendiums"])
    entries = {
        each["flags"]["fracas"]["entry"]: each
        for each in found.values()
        if each["_key"].startswith("!items!")
    }
    assert entries["sr4-core:weapon/ares-predator-iv"]["system"]["damage"] == 5


@pytest.mark.parametrize("system", ["", "&system=", "&system=dnd5e", "&system=swnr"])
def test_a_world_of_another_system_gets_all_but_items_and_actors(api: Api, system: str) -> None:
    answer = documents(api, f"pack=sr4-core{system}")
    assert not {"Item", "Actor"} & {each["type"] for each in answer["compendiums"]}
    assert answer["system"] == "shadowrun4e"  # so that one can tell for which there would be some
    whole = documents(api, "pack=sr4-core&system=shadowrun4e")
    assert flat(answer).items() <= flat(whole).items()


@pytest.mark.parametrize("pack", ["sr4-core", "cwn-core", "imperium-core", "sr5-core", "sr5-bonus-actions"])
def test_every_pack_has_documents(api: Api, pack: str) -> None:
    counts = api.get(f"/v1/packs/{pack}").data["entries"]
    compendiums = documents(api, f"pack={pack}")["compendiums"]
    kept = {each["name"]: each["documents"] for each in compendiums if each["type"] == "JournalEntry"}
    chapters = kept.pop(f"{pack}-rulebook", [])
    assert bool(chapters) is (pack != "sr5-bonus-actions")  # a layer adds to the rulebook of its core
    journals = [one for found in kept.values() for one in found]
    assert sum(len(each["pages"]) for each in journals) == sum(counts.values()) - counts.get("example", 0)


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("pack=sr4-cor", 404, "did you mean 'sr4-core'?"),
        ("pack=zzz", 404, "known: cwn-core"),
        ("pack=", 422, "pack"),
        ("", 422, "missing-field"),
        ("pack=" + "x" * 121, 422, "pack"),
        ("pack=sr4-core&system=" + "x" * 121, 422, "system"),
    ],
)
def test_what_cannot_be_answered(api: Api, query: str, status: int, said: str) -> None:
    answer = api.get(f"/foundry/documents?{query}")
    assert answer.status == status
    assert said in answer.body.decode()


@pytest.mark.parametrize("path", ["module.json", "fracas.zip", "documents"])
def test_nothing_can_be_written(service: Any, path: str) -> None:
    assert send(service.port, "POST", f"/foundry/{path}", b"{}").status == 405


# --- Contributed packs ----------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def own(serve: Callable[..., Any], folder: Path) -> Iterator[Any]:
    """A service that also serves packs of a folder, which is empty but for house rules."""
    shutil.copytree(GRITTY, folder / "gritty-streets")
    with serve(FRACAS_PACKS=str(folder), FRACAS_ADMIN_TOKEN=ADMIN) as service:
        yield service


def test_a_contributed_pack_appears_without_touching_the_module(
    own: Any, folder: Path, document: Document
) -> None:
    api = Api(own.port, document)
    pistol = "sr4-core:weapon/ares-predator-iv"
    items = flat(documents(api, "pack=sr4-core&system=shadowrun4e"))
    assert (
        next(
            each["system"]["damage"] for each in items.values() if each["flags"]["fracas"]["entry"] == pistol
        )
        == 6
    )
    before = send(own.port, "GET", "/foundry/fracas.zip")
    assert not any("my-guns" in name for name in archive(before))
    command = [
        sys.executable,
        "-m",
        "fracas.cli",
        "new",
        "pack",
        "my-guns",
        "--ruleset",
        "sr4",
        "--folder",
        str(folder),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=200)
    headers = {"Authorization": f"Bearer {ADMIN}"}
    assert api.call("POST", "/v1/packs/reload", headers=headers).status == 200
    after = send(own.port, "GET", "/foundry/fracas.zip")
    assert after.headers["ETag"] != before.headers["ETag"]
    files = archive(after)
    assert "packs/my-guns-items-shadowrun4e/CURRENT" in files
    found = api.get("/foundry/module.json").data
    assert json.loads(files["module.json"]) == found
    assert "my-guns-journal" in {each["name"] for each in found["packs"]}
    assert "my-guns" in found["flags"]["fracas"]["packs"]
    assert documents(api, "pack=my-guns&system=shadowrun4e")["compendiums"][0]["documents"]

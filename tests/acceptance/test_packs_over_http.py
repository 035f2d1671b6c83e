"""Packs of one's own in a running service: checked, served, left out, and read again."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from attempts import SR4
from http_client import Api, Document, check_error, send

GRITTY = Path(__file__).resolve().parents[2] / "docs" / "house-rules" / "gritty-streets"
PISTOL = "/v1/entries/sr4-core:weapon/ares-predator-iv"
TOKEN = "a-token-for-the-tests"
ADMIN = {"Authorization": f"Bearer {TOKEN}"}
BROKEN = "id: broken\ntitle: Broken\nversion: one\n"


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example of house rules, and a pack that is broken."""
    packs = tmp_path_factory.mktemp("packs")
    shutil.copytree(GRITTY, packs / "gritty-streets")
    (packs / "broken-pack").mkdir()
    (packs / "broken-pack" / "pack.yaml").write_text(BROKEN, "utf-8")
    return packs


@pytest.fixture(scope="module")
def own(serve: Callable[..., Any], folder: Path) -> Iterator[Any]:
    """A service with these packs, from the environment."""
    with serve(FRACAS_PACKS=str(folder), FRACAS_ADMIN_TOKEN=TOKEN) as service:
        yield service


@pytest.fixture(scope="module")
def own_api(own: Any, document: Document) -> Api:
    return Api(own.port, document)


def dv(api: Api) -> int:
    answer = api.get(PISTOL)
    assert answer.status == 200
    found: int = answer.data["data"]["dv"]
    return found


def say(folder: Path, old: str, new: str) -> None:
    """Change a value in the pack on the disk."""
    path = folder / "gritty-streets" / "weapons.yaml"
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), "utf-8")


# --- Served and left out ----------------------------------------------------------------------------------


def test_a_broken_pack_is_left_out_and_told(own: Any, own_api: Api, folder: Path) -> None:
    health = own_api.get("/health").data
    assert (health["status"], health["left_out"]) == ("ok", ["broken-pack"])
    # In the output too, with the place of each fault.
    assert f"LEFT OUT: the pack {folder / 'broken-pack'}" in own.said()
    assert f"{folder / 'broken-pack'}/pack.yaml:3:10: wrong-form" in own.said()
    # The path on the disk is nobody else's business.
    assert str(folder) not in json.dumps(health)


def test_the_rest_serves(own_api: Api, api: Api) -> None:
    packs = [pack["id"] for pack in own_api.get("/v1/packs").data]
    assert "gritty-streets" in packs
    assert "broken" not in packs
    assert set(packs) == {pack["id"] for pack in api.get("/v1/packs").data} | {"gritty-streets"}
    assert (dv(own_api), dv(api)) == (6, 5)
    assert own_api.get("/v1/entries/gritty-streets:weapon/zip-gun").status == 200
    assert own_api.resolve(SR4)["status"] == "resolved"
    options = {rule["id"]: rule["default"] for rule in own_api.get("/v1/rulesets/sr4").data["options"]}
    assert options["grazing_hits"] is False


def test_a_pack_named_on_the_command_line(
    serve: Callable[..., Any], document: Document, folder: Path
) -> None:
    """Together with those of the environment, and once if it is named twice. The administrator's token is made."""
    good = str(folder / "gritty-streets")
    with serve("--packs", good, FRACAS_PACKS=os.pathsep.join([good, str(folder / "nowhere")])) as service:
        api = Api(service.port, document)
        assert dv(api) == 6
        assert api.get("/health").data["left_out"] == ["nowhere"]
        found = re.search(r"Administrator's token, until the service stops: (\S{20,})", service.said())
        assert found is not None
        for token, status in ((found[1], 409), (found[1] + "x", 403)):  # a folder is missing
            answer = api.call("POST", "/v1/packs/reload", headers={"Authorization": f"Bearer {token}"})
            assert answer.status == status


# --- Checking ---------------------------------------------------------------------------------------------


def upload(api: Api, content: bytes, kind: str) -> Any:
    return api.call("POST", "/v1/packs/check", content, {"Content-Type": kind})


def test_an_upload_is_checked(own_api: Api) -> None:
    files = {f"gritty-streets/{path.name}": path.read_text("utf-8") for path in GRITTY.glob("*.yaml")}
    report = upload(own_api, zipped(files), "application/zip")
    assert (report.status, report.data["ok"], report.data["packs"]) == (200, True, ["gritty-streets"])
    files["gritty-streets/weapons.yaml"] = files["gritty-streets/weapons.yaml"].replace(
        "skill: pistols", "skill: 5"
    )
    line = files["gritty-streets/weapons.yaml"].splitlines().index("    skill: 5") + 1
    report = upload(own_api, zipped(files), "application/zip").data
    (problem,) = report["problems"]
    assert (report["ok"], problem["file"]) == (False, "gritty-streets/weapons.yaml")
    assert (problem["line"], problem["column"], problem["code"]) == (line, 12, "unknown-choice")


def test_an_upload_in_chunks_and_as_a_form(own_api: Api) -> None:
    text = b"kind: ranges\nruleset: sr4\nentries:\n  - {slug: a}\n"
    answer = send(
        own_api.port,
        "POST",
        "/v1/packs/check",
        iter([text[:9], text[9:]]),
        {"Content-Type": "application/yaml"},
    )
    assert answer.status == 200
    assert {problem["code"] for problem in answer.data["problems"]} == {"missing-field"}
    edge = "edge-of-the-form"
    form = (
        f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="a.yaml"\r\n\r\n'
        f"{text.decode()}\r\n--{edge}--\r\n"
    )
    other = upload(own_api, form.encode(), f"multipart/form-data; boundary={edge}")
    assert other.data == answer.data


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (zipped({"pack.yaml": b" " * 20_000_000}), "application/zip", 413),
        (zipped({"../../pack.yaml": "id: x"}), "application/zip", 422),
        (zipped({"C:\\windows\\pack.yaml": "id: x"}), "application/zip", 422),
        (b"PK\x03\x04 but no archive", "application/zip", 422),
        (b"#" * 2_000_000, "application/yaml", 413),
        (b"id: x", "application/json", 415),
        (b"id: x", "image/png", 415),
    ],
)
def test_an_upload_that_is_refused(own_api: Api, content: bytes, kind: str, status: int) -> None:
    answer = upload(own_api, content, kind)
    assert answer.status == status
    assert own_api.get("/health").status == 200


# --- Reading the packs again ------------------------------------------------------------------------------


def reload(api: Api, headers: Mapping[str, str] = ADMIN) -> Any:
    return api.call("POST", "/v1/packs/reload", headers=headers)


def test_who_may_reload(own_api: Api) -> None:
    for headers, status in (({}, 401), ({"Authorization": "Bearer not-the-token"}, 403)):
        answer = reload(own_api, headers)
        assert answer.status == status
        check_error(answer)


def test_packs_are_read_again_while_fights_go_on(own_api: Api, folder: Path) -> None:
    tag = own_api.get(PISTOL).headers["ETag"]
    say(folder, "set: {dv: 6}", "set: {dv: 7}")
    # The broken pack is still there: all or nothing.
    refused = reload(own_api)
    assert refused.status == 409
    assert [fault["code"] for fault in refused.data["errors"]].count("wrong-form") == 1
    assert dv(own_api) == 6
    shutil.rmtree(folder / "broken-pack")

    over = threading.Event()
    answers: list[Any] = []
    failures: list[BaseException] = []

    def fight() -> None:
        try:
            while not over.is_set():
                answers.append(own_api.resolve(SR4)["status"])
        except BaseException as error:
            failures.append(error)

    fighters = [threading.Thread(target=fight) for _ in range(3)]
    for fighter in fighters:
        fighter.start()
    try:
        for value in (8, 9, 10, 7):
            say(folder, f"set: {{dv: {dv_on_disk(folder)}}}", f"set: {{dv: {value}}}")
            answer = reload(own_api)
            assert answer.status == 200, answer.data
            assert dv(own_api) == value
    finally:
        over.set()
        for fighter in fighters:
            fighter.join(30)
    assert failures == []
    assert len(answers) >= 10
    assert set(answers) == {"resolved"}
    assert own_api.get(PISTOL).headers["ETag"] != tag
    assert own_api.get(PISTOL, If_None_Match=tag).status == 200
    assert own_api.get("/health").data["left_out"] == []


def dv_on_disk(folder: Path) -> str:
    found = re.search(r"set: \{dv: (\d+)\}", (folder / "gritty-streets" / "weapons.yaml").read_text("utf-8"))
    assert found is not None
    return found[1]


# --- Schemas ----------------------------------------------------------------------------------------------


def test_schemas_for_editors(own_api: Api) -> None:
    base = f"http://127.0.0.1:{own_api.port}/schemas/"
    names = send(own_api.port, "GET", "/schemas/").data
    assert "weapons.schema.json" in names
    weapons = send(own_api.port, "GET", "/schemas/weapons.schema.json")
    assert weapons.status == 200
    assert weapons.headers["Content-Type"] == "application/schema+json"
    references = set(re.findall(r'"\$ref":"([^"#]+)', weapons.body.decode()))
    assert "common.schema.json" in references
    for reference in references:
        address = urlsplit(urljoin(base + "weapons.schema.json", reference))
        assert send(own_api.port, "GET", address.path).status == 200
    tag = weapons.headers["ETag"]
    assert (
        send(own_api.port, "GET", "/schemas/weapons.schema.json", None, {"If-None-Match": tag}).status == 304
    )
    missing = send(own_api.port, "GET", "/schemas/weapon.schema.json")
    assert missing.status == 404
    check_error(missing)
    assert "did you mean 'weapons.schema.json'?" in missing.data["message"]

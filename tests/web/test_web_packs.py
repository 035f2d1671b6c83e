"""``/v1/packs/check``, without a server."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from service_packs import BROKEN_ARMOR, HOUSE, STREET, refusal, write, zipped

from fracas.cli import main
from fracas.web import packs, work


def check(client: FlaskClient, content: bytes, kind: str) -> Any:
    return client.post("/v1/packs/check", data=content, headers={"Content-Type": kind})


def report_of(answer: Any) -> Any:
    assert answer.status_code == 200, answer.json
    return answer.json


@pytest.mark.parametrize(
    "kind", ["application/yaml", "application/x-yaml", "text/yaml", "text/plain; charset=utf-8"]
)
def test_a_yaml_file(plain: FlaskClient, kind: str) -> None:
    report = report_of(check(plain, BROKEN_ARMOR.encode(), kind))
    (problem,) = report.pop("problems")
    assert report == {"ok": False, "packs": ["upload"], "entries": 0, "examples": 0, "warnings": []}
    column = BROKEN_ARMOR.splitlines()[3].index("x,") + 1
    assert (problem["file"], problem["line"], problem["column"]) == ("upload/armor.yaml", 4, column)
    assert problem["code"] == "wrong-type"
    assert problem["message"].startswith("'ballistic' must be a whole number, not the text 'x'")
    assert set(problem) == {"file", "line", "column", "code", "message", "hint"}
    assert report_of(check(plain, HOUSE["armor.yaml"].encode(), kind))["ok"] is True


@pytest.mark.parametrize(
    "kind", ["application/zip", "application/x-zip-compressed", "application/octet-stream"]
)
def test_an_archive(plain: FlaskClient, kind: str) -> None:
    report = report_of(check(plain, zipped({f"house/{name}": text for name, text in HOUSE.items()}), kind))
    assert report == {
        "ok": True,
        "packs": ["house"],
        "entries": 2,
        "examples": 0,
        "problems": [],
        "warnings": [],
    }


def test_bytes_of_no_special_kind(plain: FlaskClient) -> None:
    report = report_of(check(plain, BROKEN_ARMOR.encode(), "application/octet-stream"))
    assert [problem["code"] for problem in report["problems"]] == ["wrong-type"]


@pytest.mark.parametrize("archive", [True, False])
def test_a_form_with_a_file(plain: FlaskClient, archive: bool) -> None:
    content = zipped(HOUSE) if archive else HOUSE["armor.yaml"].encode()
    answer = plain.post("/v1/packs/check", data={"file": (io.BytesIO(content), "any-name")})
    assert report_of(answer)["ok"] is True
    assert report_of(answer)["packs"] == (["house"] if archive else ["upload"])


def test_a_form_without_a_file(plain: FlaskClient) -> None:
    for form in ({"other": (io.BytesIO(b"x"), "x")}, {"file": "kind: armor"}):
        error = refusal(plain.post("/v1/packs/check", data=form, content_type="multipart/form-data"), 422)
        assert [fault["path"] for fault in error["errors"]] == ["file"]


def test_the_report_is_that_of_the_command_line(plain: FlaskClient, tmp_path: Path) -> None:
    files = {
        **STREET,
        "armor.yaml": BROKEN_ARMOR,
        "traits.yaml": STREET["traits.yaml"].replace("label: Both", "label: [Both"),
        "modifiers.yaml": STREET["modifiers.yaml"].replace("attacker:running", "attacker:runing"),
        "wepons.yaml": "x",
    }
    path = tmp_path / "street.zip"
    path.write_bytes(zipped(files))
    shown = CliRunner().invoke(main, ["check", "--format", "json", str(path)])
    assert shown.exit_code == 1
    expected = json.loads(shown.stdout)
    for problem in expected["problems"]:
        problem["file"] = problem["file"].removeprefix(f"{path.as_posix()}/")
        problem["message"] = problem["message"].replace(f"{path.as_posix()}/", "")
    report = report_of(check(plain, path.read_bytes(), "application/zip"))
    assert report == expected
    assert len(report["problems"]) >= 4


def test_an_upload_may_build_on_packs_that_are_served(start: Any, added: Path) -> None:
    write(added / "house", HOUSE)
    patch = "patch: house:armor/vest, expects: {impact: 1}, set: {impact: 2}, source: {ref: x}"
    content = f"kind: armor\nruleset: sr4\nentries:\n  - {{{patch}}}\n".encode()
    assert report_of(check(start(), content, "application/yaml"))["problems"] == []


def test_nothing_is_kept(start: Any) -> None:
    client = start()
    before = client.get("/v1/packs").json
    report_of(check(client, zipped(HOUSE), "application/zip"))
    assert client.get("/v1/packs").json == before
    assert client.get("/v1/entries/house:armor/vest").status_code == 404


def test_faults_of_the_yaml_are_in_the_report_too(plain: FlaskClient) -> None:
    report = report_of(check(plain, b"kind: armor\nkind: armor\nentries: []\n", "application/yaml"))
    assert [(problem["file"], problem["line"], problem["code"]) for problem in report["problems"]] == [
        ("upload/armor.yaml", 2, "duplicate-key")
    ]


def test_an_alias_bomb(plain: FlaskClient) -> None:
    lines = ["kind: armor", "a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)]
    report = report_of(check(plain, "\n".join(lines).encode(), "application/yaml"))
    assert {problem["code"] for problem in report["problems"]} <= {"no-alias", "too-many-problems"}
    in_archive = zipped({"pack.yaml": HOUSE["pack.yaml"], "armor.yaml": "\n".join(lines)})
    report = report_of(check(plain, in_archive, "application/zip"))
    assert "no-alias" in {problem["code"] for problem in report["problems"]}


def test_very_many_faults_are_cut(plain: FlaskClient) -> None:
    entry = "  - {slug: a%d, label: A, ballistic: x, impact: y, source: {ref: ours}}\n"
    files = {
        f"armor/{file}.yaml": BROKEN_ARMOR.partition("  -")[0] + "".join(entry % at for at in range(200))
        for file in range(4)
    }
    report = report_of(check(plain, zipped({"pack.yaml": HOUSE["pack.yaml"], **files}), "application/zip"))
    assert len(report["problems"]) == packs.MAX_TOLD + 1
    assert report["problems"][-1]["code"] == "more-problems"
    assert report["problems"][-1]["message"].startswith("600 more faults")


def test_a_check_that_takes_too_long_is_given_up(plain: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "CHECK", 0)
    answer = check(plain, zipped(STREET), "application/zip")
    (error,) = answer.json["errors"]
    assert (answer.status_code, error["code"]) == (422, "too-complex")
    assert "fracas check" in error["hint"]


REFUSED: list[tuple[bytes, str, int, str]] = [
    (zipped({"pack.yaml": b" " * 5_000_000}), "application/zip", 413, "4,000,000 bytes"),
    (
        zipped({"pack.yaml": b"x"} | {f"w/{at}.yaml": b"" for at in range(600)}),
        "application/zip",
        413,
        "601 files",
    ),
    (zipped({"../pack.yaml": "x"}), "application/zip", 422, "leads out of the archive"),
    (zipped({"/etc/passwd": "x"}), "application/zip", 422, "leads out of the archive"),
    (zipped({"C:\\pack.yaml": "x"}), "application/zip", 422, "leads out of the archive"),
    (zipped({"readme.txt": "x"}), "application/zip", 422, "holds no pack.yaml"),
    (b"id: x", "application/zip", 422, "cannot be read"),
    (b"", "application/zip", 422, "cannot be read"),
    (b"", "application/yaml", 422, "there is no data"),
    (b"some: data", "application/yaml", 422, "neither a pack.yaml nor a file of entries"),
    (b"\xff\xfe", "application/yaml", 422, "is not UTF-8"),
    (b"#" * 2_000_000, "application/yaml", 413, ""),
    (b"{}", "application/json", 415, "ZIP archive"),
    (b"x=1", "application/x-www-form-urlencoded", 415, "ZIP archive"),
    (b"id: x", "", 415, "ZIP archive"),
]


@pytest.mark.parametrize(("content", "kind", "status", "message"), REFUSED)
def test_what_is_refused(plain: FlaskClient, content: bytes, kind: str, status: int, message: str) -> None:
    error = refusal(check(plain, content, kind), status)
    told = error["message"] + " ".join(fault["message"] for fault in error["errors"])
    assert message in told


@pytest.mark.parametrize("path", ["/v1/packs/check", "/v1/packs/reload"])
def test_other_methods(plain: FlaskClient, path: str) -> None:
    # A pack might be called so: these are addresses of packs as well.
    assert plain.get(path).status_code in (404, 405)
    assert refusal(plain.put(path), 405)


def test_pages_of_others_may_not_check(plain: FlaskClient) -> None:
    headers = {"Content-Type": "text/plain", "Origin": "https://elsewhere.example"}
    assert refusal(plain.post("/v1/packs/check", data=b"x", headers=headers), 403)

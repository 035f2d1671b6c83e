"""``/v1/packs/reload``, without a server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from service_packs import BROKEN_ARMOR, HOUSE, TOKEN, refusal, write

from fracas.web.application import create_app, read_packs
from fracas.web.settings import Settings

ADMIN = {"Authorization": f"Bearer {TOKEN}"}


def impact(client: FlaskClient, **headers: str) -> Any:
    return client.get("/v1/entries/street:armor/coat", headers=headers)


@pytest.mark.parametrize("value", [None, "", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", TOKEN])
def test_a_reload_needs_a_token(start: Any, value: str | None) -> None:
    headers = {} if value is None else {"Authorization": value}
    answer = start().post("/v1/packs/reload", headers=headers)
    refusal(answer, 401)
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("value", [TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "ä" * 20, "x"])
def test_a_reload_needs_the_right_token(start: Any, value: str) -> None:
    refusal(start().post("/v1/packs/reload", headers={"Authorization": f"Bearer {value}"}), 403)


def test_without_an_administrator_nobody_may_reload(plain: FlaskClient) -> None:
    for value in ("x", TOKEN):
        refusal(plain.post("/v1/packs/reload", headers={"Authorization": f"Bearer {value}"}), 403)


def test_a_changed_value_is_served_after_a_reload(start: Any, added: Path) -> None:
    write(added / "house", HOUSE)
    client = start()
    first = impact(client)
    assert first.json["data"]["impact"] == 3
    write(added / "house", {"armor.yaml": HOUSE["armor.yaml"].replace("impact: 3", "impact: 7")})
    assert impact(client).json == first.json
    assert impact(client, **{"If-None-Match": first.headers["ETag"]}).status_code == 304
    answer = client.post("/v1/packs/reload", headers={"Authorization": f"bearer  {TOKEN} "})
    assert answer.status_code == 200, answer.json
    assert [pack["id"] for pack in answer.json] == ["street", "house"]
    assert answer.json[1] == {
        "id": "house",
        "title": "House",
        "version": "1.0.0",
        "ruleset": "sr4",
        "status": "ready",
    }
    # The entry is of another pack, which did not change; its ETag does all the same.
    second = impact(client, **{"If-None-Match": first.headers["ETag"]})
    assert (second.status_code, second.json["data"]["impact"]) == (200, 7)
    assert second.headers["ETag"] != first.headers["ETag"]


def test_packs_come_and_go_with_a_reload(start: Any, added: Path) -> None:
    added.mkdir()
    client = start()
    assert client.get("/health").json["left_out"] == ["packs"]
    write(added / "house", HOUSE)
    assert client.post("/v1/packs/reload", headers=ADMIN).status_code == 200
    assert client.get("/v1/entries/house:armor/vest").status_code == 200
    assert client.get("/health").json == {**client.get("/health").json, "packs": 2, "left_out": []}
    (added / "house" / "armor.yaml").unlink()
    assert client.post("/v1/packs/reload", headers=ADMIN).status_code == 200
    assert client.get("/v1/entries/house:armor/vest").status_code == 404
    assert impact(client).json["data"]["impact"] == 2


def test_a_reload_is_all_or_nothing(start: Any, added: Path) -> None:
    write(added / "house", HOUSE)
    client = start()
    before = {path: client.get(path).json for path in ("/v1/packs", "/health", "/v1/packs/house/armor")}
    write(added / "house", {"armor.yaml": HOUSE["armor.yaml"].replace("impact: 3", "impact: 8")})
    write(
        added / "broken",
        {"pack.yaml": HOUSE["pack.yaml"].replace("id: house", "id: broken"), "armor.yaml": BROKEN_ARMOR},
    )
    error = refusal(client.post("/v1/packs/reload", headers=ADMIN), 409)
    assert error["code"] == "bad-pack"
    assert error["message"] == "nothing was changed: 1 fault in the packs"
    (fault,) = error["errors"]
    column = BROKEN_ARMOR.splitlines()[3].index("x,") + 1
    assert fault["path"] == f"{added / 'broken'}/armor.yaml:4:{column}"
    assert {path: client.get(path).json for path in before} == before
    assert impact(client).json["data"]["impact"] == 3
    write(
        added / "broken",
        {
            "armor.yaml": BROKEN_ARMOR.replace("x", "1")
            .replace("ref: o", "ref: ours")
            .replace("slug: a", "slug: b")
        },
    )
    assert client.post("/v1/packs/reload", headers=ADMIN).status_code == 200
    assert impact(client).json["data"]["impact"] == 8


def test_every_fault_of_every_pack_is_told_by_a_reload(start: Any, added: Path) -> None:
    client = start()
    for name in ("one", "two"):
        texts = {
            "pack.yaml": HOUSE["pack.yaml"].replace("id: house", f"id: {name}"),
            "armor.yaml": BROKEN_ARMOR,
        }
        write(added / name, texts)
    error = refusal(client.post("/v1/packs/reload", headers=ADMIN), 409)
    assert error["message"] == "nothing was changed: 2 faults in the packs"


def test_a_service_starts_without_a_broken_pack(start: Any, added: Path) -> None:
    write(added / "house", HOUSE)
    write(added / "broken", {"pack.yaml": "id: broken\n"})
    client = start()
    assert client.get("/health").json["left_out"] == ["broken"]
    assert impact(client).json["data"]["impact"] == 3
    refusal(client.post("/v1/packs/reload", headers=ADMIN), 409)


def test_a_worker_has_the_packs_that_the_server_has_read(added: Path) -> None:
    """Once: whatever is made later reads them again, as they are then."""
    settings = Settings(packs=(added,))
    games = read_packs(settings)
    assert create_app(settings).extensions["fracas"] is games
    assert create_app(settings).extensions["fracas"] is not games

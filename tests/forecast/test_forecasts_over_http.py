"""Forecasts over HTTP: part by part, for the GM, and bounded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from fracas.forecast import spreading
from fracas.web.application import create_app
from fracas.web.settings import Settings

ASKED: dict[str, Any] = {"ruleset": "cwn", "skirmish": "alley", "fights": 6}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    folder: Path = tmp_path_factory.mktemp("forecasts")
    settings = Settings(database=f"sqlite:///{folder}/fights.db", secret=b"s" * 32)
    app = create_app(settings)
    app.config["DATABASE_FILE"] = folder / "fights.db"
    return app.test_client()


def test_parts_add_up_to_the_whole(client: FlaskClient) -> None:
    whole = client.post("/v1/forecast", json=ASKED).get_json()
    assert whole["continuation"] is None
    part = client.post("/v1/forecast", json={**ASKED, "fights": 2}).get_json()
    assert (part["fights"], part["continuation"]) == (2, None)
    # A service whose budget is short gives a continuation; here one is made by asking for more than was played.
    client.application.extensions["fracas.forecasts"].most = 2
    first = client.post("/v1/forecast", json=ASKED).get_json()
    assert (first["fights"], first["wanted"]) == (2, 6)
    rest = first
    while rest["continuation"]:
        rest = client.post("/v1/forecast", json={**ASKED, "continuation": rest["continuation"]}).get_json()
    client.application.extensions["fracas.forecasts"].most = None
    assert rest == whole
    wrong = {**ASKED, "seed": "another", "continuation": first["continuation"]}
    assert client.post("/v1/forecast", json=wrong).get_json()["code"] == "bad-continuation"


def test_a_fight_that_stands_is_forecast_for_the_gm_alone(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = client.post("/v1/encounters", json={"ruleset": "cwn", "skirmish": "alley"}).get_json()
    shown = {role: f"Bearer {token['secret']}" for role, token in begun["tokens"].items()}
    place = f"/v1/encounters/{begun['id']}/forecast"
    answer = client.post(place, json={"fights": 2}, headers={"Authorization": shown["gm"]})
    assert answer.get_json()["fights"] == 2
    assert answer.headers["ETag"] == f'"{begun["version"]}"'
    # The command line finds it in the database.
    database = f"sqlite:///{client.application.config['DATABASE_FILE']}"
    library = client.application.extensions["fracas"].library
    monkeypatch.setattr(spreading.Library, "read", lambda *args, **kwargs: library)
    kept = spreading.spread({"fights": 2}, (), 1, None, (database, begun["id"]))
    assert kept["sides"] == answer.get_json()["sides"]
    refused = client.post(place, json={"fights": 2}, headers={"Authorization": shown["observer"]})
    assert refused.status_code == 403

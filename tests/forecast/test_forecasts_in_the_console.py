"""The pages of forecasts: of a ready-made fight, and from a fight that stands."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from fracas.web.application import create_app
from fracas.web.settings import Settings

OWN = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin", "HX-Request": "true"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    folder: Path = tmp_path_factory.mktemp("forecasts")
    app = create_app(Settings(database=f"sqlite:///{folder}/fights.db", secret=b"s" * 32))
    app.extensions["fracas.forecasts"].most = 3
    return app.test_client()


def fields_of(page: str, form: str) -> dict[str, str]:
    start = page.index(form)
    inside = page[start : page.index("</form>", start)]
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', inside))


def test_a_ready_made_fight_is_forecast_part_by_part(client: FlaskClient) -> None:
    start = client.get("/console/?game=cwn").get_data(as_text=True)
    place = "/console/forecast?game=cwn&skirmish=alley"
    assert place.replace("&", "&amp;") in start
    page = client.get(place).get_data(as_text=True)
    assert 'name="tactics.gang"' in page
    assert "The first fights are played" in page
    asked = {"game": "cwn", "skirmish": "alley", "fights": "200", "tactics.gang": "cautious"}
    asked |= {"more": "dov-blade", "cover": "half:crew", "firsts": "1", "seed": "tuesday"}
    first = client.post("/console/forecast/part", data=asked, headers=OWN).get_data(as_text=True)
    assert "3 of 200 fights" in first
    more = fields_of(first, '<form id="forecast-more"')
    assert more["tactics.gang"] == "cautious"
    assert "Down by Round" in first
    assert 'data-label="Goes down"' in first  # of each combatant a block on a phone
    assert " 0 %" not in first.partition("Who goes down")[2].partition("When they go down")[0].replace(
        "> 0 %", ""
    )
    for change in ("one more Dov", "half cover for the crew", "the crew act first"):
        assert f'<th scope="row">{change}' in first
    second = client.post("/console/forecast/part", data=more, headers=OWN).get_data(as_text=True)
    assert "6 of 200 fights" in second
    assert "Wren" in second
    stopped = client.post("/console/forecast/part", data={**more, "stopped": "1"}, headers=OWN).get_data(
        as_text=True
    )
    assert "3 of 200 fights" in stopped  # what there was; no more are played
    assert "load delay" not in stopped
    assert "Go on" in stopped
    again = html.unescape(re.findall(r'<a href="([^"]+)">This address', first)[0])
    repeated = client.get(again).get_data(as_text=True)
    assert 'name="seed" value="tuesday"' in repeated
    assert 'hx-trigger="load, submit"' in repeated  # it is forecast as the page is opened
    assert '<option value="cautious" selected>' in repeated


def test_a_fight_is_forecast_from_where_it_stands(client: FlaskClient) -> None:
    begun = client.post("/console/begin", data={"ruleset": "cwn", "skirmish": "alley"}, headers=OWN)
    place = begun.headers["HX-Redirect"]
    assert f"{place}/forecast" in client.get(place).get_data(as_text=True)
    page = client.get(f"{place}/forecast").get_data(as_text=True)
    assert f'href="{place}/map"' in page  # the menu of the fight
    assert f'data-feed="{place}/live"' in page
    part = client.post(f"{place}/forecast/part", data={"fights": "200"}, headers=OWN).get_data(as_text=True)
    assert "3 of 200 fights" in part
    assert client.application.test_client().get(f"{place}/forecast").status_code in (401, 403, 404)

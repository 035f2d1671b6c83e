"""A proxy shows the service at a public address, under a path: every address that it gives leads there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from tiers import scale
from werkzeug.test import Client, TestResponse

import fracas.web
from fracas.errors import InputError
from fracas.web.application import create_app
from fracas.web.public_address import AtPublicAddress, PublicAddress
from fracas.web.settings import Settings

PUBLIC = "https://vtt.example/fracas"
BEHIND = "http://vtt.example"
"""What the service hears of it: the proxy passes the name on, but speaks plain http."""
DIRECT = "http://127.0.0.1:8844"
_GIVEN = re.compile(r'\s(?:href|src|action|hx-get|hx-post|data-feed)="([^"]*)"')
_FETCHED = re.compile(r'\s(?:href|src|hx-get)="([^"]*)"')
OTHERS = re.compile(r"(?:ruleset=|game=|/book/)(?!cwn)[a-z]")
WEB = Path(fracas.web.__file__).parent


@pytest.fixture(scope="module")
def served() -> AtPublicAddress:
    public = PublicAddress.parse(PUBLIC)
    return AtPublicAddress(create_app(Settings(public=public)), public)


@pytest.fixture
def client(served: AtPublicAddress) -> Client:
    return Client(served)


def get(client: Client, path: str, base: str = BEHIND, **headers: str) -> TestResponse:
    return client.get(path, base_url=base, headers=headers, buffered=True)


def post(client: Client, path: str, **said: Any) -> TestResponse:
    return client.post(path, base_url=BEHIND, headers={"Origin": "https://vtt.example"}, **said)


def addresses(answer: TestResponse, pattern: re.Pattern[str] = _GIVEN) -> list[str]:
    """The addresses of this site in a page."""
    found = [address.replace("&amp;", "&") for address in pattern.findall(answer.text)]
    return [address for address in found if not re.match("[a-z]+:|#", address)]


@pytest.fixture
def fight(client: Client) -> str:
    """A running fight, whose GM is the client."""
    begun = post(client, "/fracas/console/begin", data={"ruleset": "sr4", "skirmish": "loading-dock"})
    assert begun.status_code == 303, begun.text
    return begun.location


def test_a_fight_stays_below_the_path(client: Client, fight: str) -> None:
    assert re.fullmatch(r"/fracas/console/fight/[0-9a-f]+", fight)
    cookies = client._cookies.values()
    assert {(one.domain, one.path, one.secure) for one in cookies} == {
        ("vtt.example", "/fracas/console", True)
    }
    assert get(client, fight).status_code == 200
    key = post(client, f"{fight}/keys", data={"role": "observer", "label": "Ada"})
    assert 'value="https://vtt.example/fracas/console/enter#' in key.text
    left = client.post(
        f"{fight}/leave", base_url=BEHIND, headers={"HX-Request": "true", "Sec-Fetch-Site": "same-origin"}
    )
    assert left.headers["HX-Redirect"] == "/fracas/console/"
    assert get(client, fight).status_code == 401


def test_every_address_of_every_page_leads_there(client: Client, fight: str) -> None:
    """From page to page, as far as a GM gets by looking."""
    waiting, seen = ["/fracas/", "/fracas/bridge", "/fracas/docs", fight], set()
    strays, broken = [], []
    while waiting:
        path = waiting.pop()
        if path in seen or path.partition("?")[0].endswith("/live"):
            continue
        seen.add(path)
        answer = get(client, path)
        if answer.status_code in (301, 302, 303, 308):
            waiting.append(urljoin(path, answer.location))
            continue
        if answer.status_code != 200:
            broken.append((path, answer.status_code))
        if answer.mimetype != "text/html":
            continue
        strays += [(path, address) for address in addresses(answer) if not address.startswith("/fracas/")]
        deep = [one for one in addresses(answer, _FETCHED) if "/entries/" not in one]
        deep = [one for one in deep if not one.endswith("/action")]  # takes the fields of the form around it
        # By day those of one ruleset: the pages of another are like them.
        deep = [one for one in deep if scale(0, 1) or not OTHERS.search(one)]
        waiting += [urljoin(path, address).partition("#")[0] for address in deep]
    assert strays == []
    assert broken == []
    assert {
        "/fracas/console/",
        "/fracas/console/connect",
        f"{fight}/people",
        "/fracas/static/console.js",
    } <= seen


def test_scripts_and_templates_name_no_address_from_the_root() -> None:
    """Scripts find what they need beside themselves; templates begin with the root of the service."""
    files = [
        *(WEB / "static").glob("*.js"),
        *(WEB / "templates").rglob("*.html"),
        *(WEB / "static").glob("*.css"),
    ]
    assert len(files) > 40
    imports = re.compile(r"""(?:from |import\(|import |fetch\(|url\(|url: )["']?/|="/(?!/)""")
    wrong = [
        (file.name, line)
        for file in files
        for line in file.read_text("utf-8").splitlines()
        if imports.search(line)
    ]
    assert wrong == []


def test_the_module_for_foundry_is_installed_from_there(client: Client) -> None:
    manifest = get(client, "/fracas/foundry/module.json").json
    assert manifest["manifest"] == f"{PUBLIC}/foundry/module.json"
    assert manifest["download"] == f"{PUBLIC}/foundry/fracas.zip"
    connect = get(client, "/fracas/console/connect").text
    assert f'value="{PUBLIC}/foundry/module.json"' in connect
    assert f"const FRACAS_SERVICE = &#34;{PUBLIC}&#34;;" in connect


def test_the_interface_says_where_it_is(client: Client) -> None:
    servers = get(client, "/fracas/openapi.json").json["servers"]
    assert [server["url"] for server in servers] == ["/fracas"]
    made = post(client, "/fracas/v1/encounters", json={"ruleset": "sr4"})
    assert made.location == f"/fracas/v1/encounters/{made.json['id']}"
    secret = made.json["tokens"]["gm"]["secret"]
    token = client.post(
        f"{made.location}/tokens",
        base_url=BEHIND,
        json={"role": "observer"},
        headers={"Authorization": f"Bearer {secret}"},
    )
    assert token.location.startswith(f"{made.location}/tokens/")


def test_the_path_alone_leads_to_the_console(client: Client) -> None:
    assert get(client, "/fracas").location == f"{PUBLIC}/"
    assert get(client, "/fracas/").location == "/fracas/console/"


def test_a_proxy_may_take_the_path_off(client: Client) -> None:
    """Then the name alone says where the request came from."""
    assert get(client, "/").location == "/fracas/console/"
    assert get(client, "/foundry/module.json").json["download"] == f"{PUBLIC}/foundry/fracas.zip"
    assert (
        get(client, "/foundry/module.json", "http://vtt.example:443")
        .json["download"]
        .startswith(PUBLIC + "/")
    )


def test_on_this_computer_it_still_answers_at_the_root(client: Client) -> None:
    assert get(client, "/health", DIRECT).status_code == 200
    assert get(client, "/", DIRECT).location == "/console/"
    assert get(client, "/foundry/module.json", DIRECT).json["download"] == f"{DIRECT}/foundry/fracas.zip"
    assert get(client, "/fracasextra", DIRECT).status_code == 404


def test_what_is_for_others_is_the_public_address_on_this_computer_too(client: Client) -> None:
    begun = client.post("/console/begin", base_url=DIRECT, data={"ruleset": "sr4"})
    key = client.post(
        begun.location.replace("/people", "/keys"), base_url=DIRECT, data={"role": "observer", "label": "A"}
    )
    assert f'value="{PUBLIC}/console/enter#' in key.text
    assert f'value="{PUBLIC}/foundry/module.json"' in get(client, "/console/connect", DIRECT).text


@pytest.mark.parametrize("host", ["evil.example", "vtt.example.evil.example", "xvtt.example"])
def test_other_names_are_refused_as_before(client: Client, host: str) -> None:
    assert get(client, "/fracas/health", f"http://{host}").status_code == 421


@pytest.mark.parametrize("origin", ["http://vtt.example", "https://evil.example", "https://vtt.example:8443"])
def test_pages_of_other_origins_are_refused_as_before(client: Client, origin: str) -> None:
    sent = client.post("/fracas/v1/odds", base_url=BEHIND, json={}, headers={"Origin": origin})
    assert sent.status_code == 403


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("https://vtt.example/fracas/", ("https", "vtt.example", "", "/fracas")),
        ("https://VTT.example:443", ("https", "vtt.example", "", "")),
        ("http://nas.local:8080/a/b.c", ("http", "nas.local", ":8080", "/a/b.c")),
        ("http://[fd00::1]:80/x", ("http", "[fd00::1]", "", "/x")),
    ],
)
def test_public_addresses(text: str, parts: tuple[str, ...]) -> None:
    address = PublicAddress.parse(text)
    assert tuple(address) == parts
    assert PublicAddress.parse(str(address)) == address


@pytest.mark.parametrize(
    "text",
    [
        "vtt.example/fracas",
        "/fracas",
        "ftp://vtt.example",
        "https://",
        "https://vtt.example/a//b",
        "https://vtt.example/../x",
        "https://me@vtt.example",
        "https://vtt.example/?x",
        "https://vtt.example/a b",
        "https://vtt.example/ä",
    ],
)
def test_what_is_no_public_address(text: str) -> None:
    with pytest.raises(InputError) as caught:
        Settings.from_environment({"FRACAS_PUBLIC_URL": text})
    (problem,) = caught.value.problems
    assert (problem.path, problem.code) == ("FRACAS_PUBLIC_URL", "bad-setting")
    assert repr(text) in problem.message
    assert "https://vtt.example/fracas" in problem.message

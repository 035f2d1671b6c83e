"""Settings of the service, from variables and back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from fracas.errors import InputError, PackError
from fracas.web.application import create_app
from fracas.web.limits import Limits
from fracas.web.public_address import PublicAddress
from fracas.web.settings import Settings

BUILT_IN = Settings().origins
FULL = Settings(
    host="0.0.0.0",
    port=1234,
    packs=(Path("one"), Path("two")),
    database="sqlite:///x.db",
    origins=(*BUILT_IN, "https://one.example", "https://two.example"),
    hosts=("fracas.example",),
    secret=bytes(range(32)),
    bench=True,
    admin_token="an-administrators-token",
    without=("sr5-bonus-actions", "nobodys-rules"),
    public=PublicAddress("https", "fracas.example", ":8443", "/table"),
    budget=3.5,
    workers=1,
    limits=Limits(fights=7, listeners_per_fight=3),
)


def test_without_variables_it_listens_on_the_loopback_address() -> None:
    settings = Settings.from_environment({})
    assert settings == Settings()
    assert settings.host == "127.0.0.1"
    assert settings.hosts == settings.packs == ()
    assert settings.secret is None
    assert settings.bench is False
    assert "*" not in settings.origins


def test_every_variable_is_read() -> None:
    environment = {
        "FRACAS_HOST": "0.0.0.0",
        "FRACAS_PORT": "1234",
        "FRACAS_PACKS": os.pathsep.join(("one", "two")),
        "FRACAS_DATABASE_URL": "sqlite:///x.db",
        "FRACAS_ORIGINS": "https://one.example,https://two.example",
        "FRACAS_HOSTS": "fracas.example",
        "FRACAS_SECRET": bytes(range(32)).hex(),
        "FRACAS_BENCH": "1",
        "FRACAS_ADMIN_TOKEN": "an-administrators-token",
        "FRACAS_WITHOUT": "sr5-bonus-actions,nobodys-rules",
        "FRACAS_PUBLIC_URL": "https://fracas.example:8443/table",
        "FRACAS_BUDGET": "3.5",
        "FRACAS_WORKERS": "1",
        "FRACAS_LIMITS": "fights=7,listeners-per-fight=3",
    }
    assert Settings.from_environment(environment) == FULL
    of_worker = {**environment, "FRACAS_ORIGINS": ",".join(FULL.origins)}
    assert FULL.to_environment() == of_worker


@pytest.mark.parametrize(
    "settings",
    [FULL, Settings(), Settings(hosts=("a", "b")), Settings(secret=b"s" * 16)],
)
def test_a_worker_gets_the_same_settings(settings: Settings) -> None:
    assert Settings.from_environment(settings.to_environment()) == settings


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ()),
        (" ", ()),
        (",,", ()),
        ("https://a.example", ("https://a.example",)),
        (" https://a.example , https://b.example,", ("https://a.example", "https://b.example")),
    ],
)
def test_lists_are_split_at_commas(text: str, words: Any) -> None:
    assert Settings.from_environment({"FRACAS_ORIGINS": text}).origins == (*BUILT_IN, *words)
    assert Settings.from_environment({"FRACAS_HOSTS": text}).hosts == words


def test_folders_are_split_as_in_path() -> None:
    text = os.pathsep.join(("", "one", "", "two three", ""))
    assert Settings.from_environment({"FRACAS_PACKS": text}).packs == (Path("one"), Path("two three"))


@pytest.mark.parametrize("text", ["1", "80", "65535"])
def test_ports(text: str) -> None:
    assert Settings.from_environment({"FRACAS_PORT": text}).port == int(text)


@pytest.mark.parametrize(
    "text", ["", "0", "65536", "-1", "+1", "1.5", "1e3", "x", " 80", "80 ", "0x50", "８０", "²", "1_000", "9" * 5_000]
)  # fmt: skip
def test_what_is_no_port(text: str) -> None:
    with pytest.raises(InputError) as caught:
        Settings.from_environment({"FRACAS_PORT": text})
    (problem,) = caught.value.problems
    assert (problem.path, problem.code) == ("FRACAS_PORT", "bad-setting")
    assert "65535" in problem.message


@pytest.mark.parametrize("text", ["x", "0", "-1", "61", "nan", "inf", "1e9", "2 s"])
def test_what_is_no_budget(text: str) -> None:
    with pytest.raises(InputError) as caught:
        Settings.from_environment({"FRACAS_BUDGET": text})
    (problem,) = caught.value.problems
    assert (problem.path, problem.code) == ("FRACAS_BUDGET", "bad-setting")
    assert "0.1 to 60 seconds" in problem.message


@pytest.mark.parametrize("text", ["3", "-1", "x", "1.0", " 1"])
def test_what_is_no_number_of_workers(text: str) -> None:
    with pytest.raises(InputError, match="0 to 2 workers"):
        Settings.from_environment({"FRACAS_WORKERS": text})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("listener=3", "did you mean 'listeners'"),
        ("fights", "fights is a number"),
        ("fights=0", "fights is a number"),
        ("fights=x,bodies-per-caller=-1", "bodies-per-caller is a number"),
        ("fights=99999999999999999999", "fights is a number"),
    ],
)
def test_what_is_no_limit(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        Settings.from_environment({"FRACAS_LIMITS": text})
    assert message in caught.value.message
    assert {problem.path for problem in caught.value.problems} == {"FRACAS_LIMITS"}


@pytest.mark.parametrize("text", ["secret?", "zz" * 16, "0a" * 15, "0" * 33, "\u00e9" * 32])
def test_what_is_no_secret(text: str) -> None:
    with pytest.raises(InputError) as caught:
        Settings.from_environment({"FRACAS_SECRET": text})
    (problem,) = caught.value.problems
    assert (problem.path, problem.code) == ("FRACAS_SECRET", "bad-setting")
    assert text not in caught.value.message


@pytest.mark.parametrize("text", ["", "0", "true", "yes", "no"])
def test_the_endpoints_for_comparison_are_asked_for_with_1(text: str) -> None:
    assert Settings.from_environment({"FRACAS_BENCH": text}).bench is False


def test_the_endpoints_for_comparison_load_and_dump_the_same() -> None:
    from fracas.web.bench import ATTACK

    client = create_app(Settings(bench=True)).test_client()
    for name in ("resolve", "odds"):
        real, idle = client.post(f"/v1/{name}", json=ATTACK), client.post(f"/bench/{name}", json=ATTACK)
        assert (real.status_code, idle.status_code) == (200, 200)
        assert set(real.json or ()) == set(idle.json or ())
        assert client.post(f"/bench/{name}", json={**ATTACK, "procedure": "x"}).status_code == 422
    assert not [path for path in (client.get("/openapi.json").json or {})["paths"] if "bench" in path]


# Names under which the service may be called.


def statuses(settings: Settings, *hosts: str) -> list[int]:
    """Of a service with these settings, called by these names."""
    client = create_app(settings).test_client()
    return [client.get("/health", headers={"Host": host}).status_code for host in hosts]


@pytest.mark.parametrize(
    ("settings", "ours", "not_ours"),
    [
        (
            Settings(host="192.0.2.5"),
            ["192.0.2.5", "192.0.2.5:8844", "localhost"],
            ["192.0.2.6", "x.example"],
        ),
        (
            Settings(host="fracas.example"),
            ["fracas.example", "FRACAS.example:1"],
            ["example", "a.fracas.example"],
        ),
        (
            Settings(host="0.0.0.0"),
            ["192.0.2.5", "10.0.0.1:80", "[2001:db8::1]:80", "127.0.0.2"],
            ["x.example", ""],
        ),
        (Settings(hosts=("Fracas.Example",)), ["fracas.example"], ["192.0.2.5", "0.0.0.0"]),
    ],
    ids=["address", "name", "everywhere", "listed"],
)
def test_names(settings: Settings, ours: list[str], not_ours: list[str]) -> None:
    told = dict(zip((*ours, *not_ours), statuses(settings, *ours, *not_ours), strict=True))
    assert told == {**dict.fromkeys(ours, 200), **dict.fromkeys(not_ours, 421)}


def test_an_address_of_ipv6_is_called_in_brackets() -> None:
    assert statuses(Settings(host="2001:db8::1"), "[2001:db8::1]:8844", "[2001:db8::2]:8844") == [200, 421]


def test_an_empty_variable_is_no_address() -> None:
    """An empty host would mean every address."""
    try:
        settings = Settings.from_environment({"FRACAS_HOST": ""})
    except InputError:
        return
    assert settings.host == "127.0.0.1"


@pytest.mark.parametrize(
    "origin", ["*", "vtt.example", "https://vtt.example/", "https://vtt.example/game", "null"]
)
def test_an_origin_that_no_browser_sends_is_a_fault(origin: str) -> None:
    """Each would silently allow nothing, or, of `null`, every sandboxed page."""
    with pytest.raises(InputError) as caught:
        Settings.from_environment({"FRACAS_ORIGINS": f"https://one.example,{origin}"})
    assert [problem.path for problem in caught.value.problems] == ["FRACAS_ORIGINS"]


def test_a_service_may_leave_packs_out() -> None:
    client = create_app(Settings(without=("sr5-bonus-actions",))).test_client()
    packs = {pack["id"] for pack in client.get("/v1/packs").get_json()}
    assert "sr5-core" in packs
    assert "sr5-bonus-actions" not in packs
    asked = {"ruleset": "sr5", "procedure": "initiative", "situation": {"tester": {"initiative": 9}}}
    told = client.post("/v1/resolve", json=asked | {"options": {"mix_units": True}})
    assert told.status_code == 422
    assert told.get_json()["errors"][0]["code"] == "unknown-option"


def test_only_packs_that_are_there_are_left_out() -> None:
    with pytest.raises(PackError, match="sr5-bonus-actions"):
        create_app(Settings(without=("sr5-bonus-action",)))

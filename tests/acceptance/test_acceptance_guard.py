"""Who may call: loopback only, our own names only, exact origins only; and headers that keep browsers careful."""

from __future__ import annotations

import json
import re
import socket
import time
from typing import Any

import pytest
from attempts import SR4
from http_client import Answer, check_error, head, send, send_raw

BODY = json.dumps(SR4).encode()
JSON = {"Content-Type": "application/json"}
FOUNDRY = "http://localhost:30000"
FOREIGN = ["http://evil.example", "https://app.roll20.net.evil.example", "https://roll20.net", "http://app.roll20.net",
           "https://app.roll20.net:8443", "HTTPS://APP.ROLL20.NET", "https://app.roll20.net/", "http://localhost:3000",
           "http://localhost:30000.evil.example", "http://127.0.0.1:300000", "file://", "null", "*", "", "garbage",
           "http://localhost:30000, http://evil.example", "chrome-extension://abcdef"]  # fmt: skip


def post(service: Any, **headers: str) -> Answer:
    sent = {**JSON, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return send(service.port, "POST", "/v1/resolve", BODY, sent)


def cors(answer: Answer) -> list[str]:
    return [name for name in answer.headers if name.lower().startswith("access-control-")]


# Origins.


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_page_of_another_origin_is_refused(service: Any, origin: str) -> None:
    answer = post(service, Origin=origin)
    assert answer.status == 403
    assert f"start it with --origin {origin}, or add {origin} to FRACAS_ORIGINS" in answer.data["message"]
    assert answer.data["code"] == "forbidden"
    assert cors(answer) == []
    assert "Origin" in answer.headers["Vary"].split(", ")
    check_error(answer)


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_page_of_another_origin_cannot_read(service: Any, origin: str) -> None:
    """Without permission a browser keeps the answer from the page."""
    answer = send(service.port, "GET", "/v1/packs", headers={"Origin": origin})
    assert answer.status == 200
    assert cors(answer) == []
    assert "Origin" in answer.headers["Vary"].split(", ")
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_a_page_of_another_origin_may_know_that_the_service_runs(service: Any) -> None:
    """So the Foundry module can tell a service that refuses it from none; it still cannot read the answer."""
    answer = send(service.port, "GET", "/health", headers={"Origin": FOREIGN[0]})
    assert answer.status == 200
    assert cors(answer) == []
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "FOO"])
def test_every_method_that_may_change_something_is_refused(service: Any, method: str) -> None:
    answer = send(service.port, method, "/v1/resolve", headers={"Origin": "http://evil.example"})
    assert answer.status == 403


@pytest.mark.parametrize("origin", [FOUNDRY, "http://127.0.0.1:30000", "https://app.roll20.net"])
def test_an_allowed_page_is_answered_by_name(service: Any, origin: str) -> None:
    answer = post(service, Origin=origin)
    assert answer.status == 200
    assert answer.headers.get_all("Access-Control-Allow-Origin") == [origin]
    assert answer.headers.get_all("Vary") == ["Origin"]
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "Access-Control-Allow-Credentials" not in answer.headers


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/nope", None),
        ("GET", "/v1/packs/x", None),
        ("PUT", "/v1/resolve", None),
        ("POST", "/v1/odds", b"{"),
    ],
)
def test_an_allowed_page_can_read_what_went_wrong(service: Any, method: str, path: str, body: Any) -> None:
    answer = send(service.port, method, path, body, {**JSON, "Origin": FOUNDRY})
    assert answer.status >= 400
    assert answer.headers["Access-Control-Allow-Origin"] == FOUNDRY
    check_error(answer)


def test_an_allowed_page_can_read_the_etag(service: Any) -> None:
    answer = send(service.port, "GET", "/v1/packs", headers={"Origin": FOUNDRY})
    assert answer.headers["ETag"]
    assert "ETag" in answer.headers["Access-Control-Expose-Headers"]


def test_our_own_page_may_call(service: Any) -> None:
    for name in (f"127.0.0.1:{service.port}", f"localhost:{service.port}"):
        answer = send(
            service.port, "POST", "/v1/resolve", BODY, {**JSON, "Host": name, "Origin": f"http://{name}"}
        )
        assert answer.status == 200
        assert cors(answer) == []


def test_another_port_of_this_machine_is_another_origin(service: Any) -> None:
    assert post(service, Origin=f"http://127.0.0.1:{service.port + 1}").status == 403
    assert post(service, Origin=f"https://127.0.0.1:{service.port}").status == 403


def test_a_caller_without_origin_needs_none(service: Any) -> None:
    answer = post(service)
    assert answer.status == 200
    assert cors(answer) == []
    assert "Origin" in answer.headers["Vary"].split(", ")


def test_two_origins_are_one_too_many(service: Any) -> None:
    lines = head(
        "POST", "/v1/resolve", "Host: localhost", f"Origin: {FOUNDRY}", "Origin: http://evil.example",
        "Content-Type: application/json", f"Content-Length: {len(BODY)}",
    )  # fmt: skip
    answer = send_raw(service.port, lines + BODY)
    assert answer.status == 403
    assert cors(answer) == []


# Preflight.


def preflight(service: Any, origin: str, path: str = "/v1/resolve", **more: str) -> Answer:
    headers = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
        **{name.replace("_", "-"): value for name, value in more.items()},
    }
    return send(service.port, "OPTIONS", path, headers=headers)


@pytest.mark.parametrize("path", ["/v1/resolve", "/v1/resolve/continue", "/v1/odds", "/v1/packs"])
def test_a_preflight_of_an_allowed_page(service: Any, path: str) -> None:
    answer = preflight(service, FOUNDRY, path)
    assert answer.status == 204
    assert answer.body == b""
    assert answer.headers["Access-Control-Allow-Origin"] == FOUNDRY
    assert "Origin" in answer.headers["Vary"].split(", ")
    allowed = {name.strip() for name in answer.headers["Access-Control-Allow-Methods"].split(",")}
    assert {"GET", "POST"} <= allowed
    names = {name.strip().lower() for name in answer.headers["Access-Control-Allow-Headers"].split(",")}
    assert {"content-type", "if-none-match"} <= names
    assert 0 < int(answer.headers["Access-Control-Max-Age"]) <= 86_400


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_preflight_of_another_page_is_given_no_permission(service: Any, origin: str) -> None:
    assert cors(preflight(service, origin)) == []


def test_a_page_of_the_internet_may_reach_this_machine_only_when_allowed(service: Any) -> None:
    """Chromium's Private Network Access."""
    asked = {"Access_Control_Request_Private_Network": "true"}
    allowed = preflight(service, "https://app.roll20.net", **asked)
    assert allowed.headers["Access-Control-Allow-Private-Network"] == "true"
    assert "Access-Control-Allow-Private-Network" not in preflight(service, "https://app.roll20.net").headers
    assert cors(preflight(service, "https://evil.example", **asked)) == []


@pytest.mark.parametrize("path", ["/v1/resolve", "/health", "/v1/packs"])
def test_options_tell_the_methods(service: Any, path: str) -> None:
    answer = send(service.port, "OPTIONS", path)
    assert answer.status == 200
    allowed = {name.strip() for name in answer.headers["Allow"].split(",")}
    assert allowed == ({"OPTIONS", "POST"} if path == "/v1/resolve" else {"GET", "HEAD", "OPTIONS"})
    assert cors(answer) == []


# The Host header, against DNS rebinding.

OURS = [
    "localhost",
    "LOCALHOST",
    "LocalHost:80",
    "localhost:65535",
    "127.0.0.1",
    "127.0.0.1:8844",
    "[::1]",
    "[::1]:8844",
]
NOT_OURS = ["evil.example", "evil.example:8844", "localhost.evil.example", "127.0.0.1.evil.example", "evil-localhost",
            "127.0.0.2", "127.1", "2130706433", "0.0.0.0", "::1", "[::2]", "[::ffff:127.0.0.1]", "localhost.", "", " ",
            "localhost,evil.example", "localhost@evil.example", "user@localhost", "a b", "localhost/evil", "\u00e9",
            "x" * 4_000, "fracas.example"]  # fmt: skip


def health(service: Any, *hosts: str) -> Answer:
    return send_raw(service.port, head("GET", "/health", *(f"Host: {host}" for host in hosts)))


@pytest.mark.parametrize("host", OURS)
def test_the_names_of_this_machine_are_ours(service: Any, host: str) -> None:
    assert health(service, host).status == 200


@pytest.mark.parametrize("host", NOT_OURS, ids=lambda host: ascii(host[:30]))
def test_another_name_is_not_ours(service: Any, host: str) -> None:
    answer = health(service, host)
    assert answer.status == 421
    check_error(answer)
    assert answer.data["code"] == "wrong-host"
    assert "FRACAS_HOSTS" in answer.data["message"]
    assert len(answer.body) < 400


@pytest.mark.parametrize(
    "host", ["[::1", "[::1]evil.example", "[::1].evil.example", "localhost:80:80", "localhost:x"]
)
def test_a_garbled_name_is_not_ours(service: Any, host: str) -> None:
    answer = health(service, host)
    assert answer.status in (400, 421)


@pytest.mark.parametrize("hosts", [(), ("localhost", "evil.example"), ("evil.example", "localhost")])
def test_one_name_and_only_one_is_given(service: Any, hosts: Any) -> None:
    assert health(service, *hosts).status in (400, 421)


@pytest.mark.parametrize("path", ["/", "/docs", "/openapi.json", "/v1/packs", "/static/docs.js", "/nope"])
def test_nothing_at_all_is_told_under_another_name(service: Any, path: str) -> None:
    answer = send(service.port, "GET", path, headers={"Host": "evil.example"})
    assert answer.status == 421


def test_another_name_is_refused_before_its_origin_or_body_is_looked_at(service: Any) -> None:
    rebound = {"Host": "evil.example", "Origin": "http://evil.example", **JSON}
    assert send(service.port, "POST", "/v1/resolve", BODY, rebound).status == 421
    assert send(service.port, "OPTIONS", "/v1/resolve", headers=rebound).status == 421


def test_a_forwarded_name_counts_for_nothing(service: Any) -> None:
    forwarded = {"Host": "evil.example", "X-Forwarded-Host": "localhost", "Forwarded": "host=localhost"}
    assert send(service.port, "GET", "/health", headers=forwarded).status == 421


# Names and origins of the settings.


@pytest.mark.parametrize("host", ["fracas.example", "FRACAS.EXAMPLE:8844", "table.example", "localhost"])
def test_the_names_of_the_settings_are_ours(named: Any, host: str) -> None:
    assert health(named, host).status == 200


@pytest.mark.parametrize("host", ["www.fracas.example", "fracas.example.evil.example", "example"])
def test_other_names_are_still_not_ours(named: Any, host: str) -> None:
    assert health(named, host).status == 421


def test_the_origins_of_the_settings_are_added_to_the_built_in_ones(named: Any) -> None:
    answer = post(named, Origin="https://vtt.example")
    assert answer.status == 200
    assert answer.headers["Access-Control-Allow-Origin"] == "https://vtt.example"
    assert post(named, Origin=FOUNDRY).status == 200


def test_a_refused_origin_or_name_is_one_line_of_the_log_with_what_would_allow_it(serve: Any) -> None:
    asked = {"Origin": "https://vtt.example", "Access-Control-Request-Method": "POST"}
    with serve() as service:
        for _ in range(3):
            assert send(service.port, "OPTIONS", "/v1/resolve", headers=asked).status in (200, 204)
            assert post(service, Origin="https://vtt.example").status == 403
            assert post(service, Origin="https://evil.example\tx").status == 403
            assert post(service, Origin=FOUNDRY).status == 200
            assert health(service, "rebound.example:8844").status == 421
            assert health(service, "a b").status in (400, 421)
        lines = [line for line in service.said().splitlines() if "refused" in line]
    assert len(lines) == 2
    assert lines[1].endswith("a request for the name 'rebound.example' was refused; FRACAS_HOSTS allows it")
    assert lines[0].endswith(
        "a page of https://vtt.example was refused; fracas serve --origin https://vtt.example allows it"
    )


def test_origins_of_the_command_line_are_added(serve: Any) -> None:
    with serve("--origin", "https://one.example", "--origin", "https://two.example") as service:
        for origin in ("https://one.example", "https://two.example", FOUNDRY):
            assert post(service, Origin=origin).headers["Access-Control-Allow-Origin"] == origin
        assert post(service, Origin="https://three.example").status == 403


# Where it listens.


def other_addresses() -> list[str]:
    """Addresses of this machine other than 127.0.0.1 at which something could listen."""
    found = {"127.0.0.2"}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a datagram socket sends nothing by this
            found.add(probe.getsockname()[0])
        except OSError:
            pass
    return sorted(address for address in found - {"0.0.0.0", "127.0.0.1"} if can_listen(address))


def can_listen(address: str) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
    return True


def whole_welcome(service: Any) -> str:
    """What the service says until it has told where the console is."""
    deadline = time.monotonic() + 200
    while "Open the console" not in service.said():
        assert time.monotonic() < deadline, service.said()
        time.sleep(0.05)
    said: str = service.said()
    return said


def test_it_listens_on_the_loopback_address_alone(service: Any) -> None:
    assert "network" not in whole_welcome(service)
    for address in other_addresses():
        with pytest.raises((ConnectionRefusedError, TimeoutError)):
            socket.create_connection((address, service.port), timeout=2)
    socket.create_connection(("127.0.0.1", service.port), timeout=2).close()


def test_it_listens_elsewhere_when_told_so_and_says_what_that_means(serve: Any) -> None:
    with serve("--host", "0.0.0.0") as service:
        for address in other_addresses():
            socket.create_connection((address, service.port), timeout=2).close()
        said = whole_welcome(service)
        assert "only encounters ask for a token" in said
        (shown,) = re.findall(r"^Others on the network open (.*)", said, re.MULTILINE)
        for address in set(other_addresses()) - {"127.0.0.2"}:
            assert f"http://{address}:{service.port}/" in shown
        assert "127.0.0" not in shown
        assert f"Open the console: http://127.0.0.1:{service.port}/" in said
        assert health(service, "192.0.2.7:8844").status == 200
        assert health(service, "evil.example").status == 421


# Headers of every kind of answer.

KINDS = {
    "data": ("GET", "/v1/packs", None, {}, 200),
    "health": ("GET", "/health", None, {}, 200),
    "resolved": ("POST", "/v1/resolve", BODY, JSON, 200),
    "document": ("GET", "/openapi.json", None, {}, 200),
    "page": ("GET", "/docs", None, {}, 200),
    "script": ("GET", "/static/docs.js", None, {}, 200),
    "redirection": ("GET", "/", None, {}, 302),
    "head": ("HEAD", "/v1/packs", None, {}, 200),
    "options": ("OPTIONS", "/v1/packs", None, {}, 200),
    "no json": ("POST", "/v1/resolve", b"{", JSON, 400),
    "forbidden": ("POST", "/v1/resolve", BODY, {**JSON, "Origin": "http://evil.example"}, 403),
    "not found": ("GET", "/nope", None, {}, 404),
    "no such entry": ("GET", "/v1/entries/x", None, {}, 404),
    "method": ("DELETE", "/v1/packs", None, {}, 405),
    "too large": ("POST", "/v1/resolve", b" " * 1_000_001, JSON, 413),
    "no content type": ("POST", "/v1/resolve", BODY, {"Content-Type": "text/plain"}, 415),
    "other name": ("GET", "/health", None, {"Host": "evil.example"}, 421),
    "bad input": ("POST", "/v1/resolve", b"{}", JSON, 422),
}


@pytest.mark.parametrize(("method", "path", "body", "headers", "status"), KINDS.values(), ids=KINDS)
def test_every_answer_keeps_browsers_careful(
    service: Any, method: str, path: str, body: Any, headers: Any, status: int
) -> None:
    answer = send(service.port, method, path, body, headers)
    assert answer.status == status
    assert answer.headers.get_all("X-Content-Type-Options") == ["nosniff"]
    told = path == "/health" and status == 200  # that it runs is no secret
    assert answer.headers["Cross-Origin-Resource-Policy"] == ("cross-origin" if told else "same-origin")
    (policy,) = answer.headers.get_all("Content-Security-Policy")
    assert "frame-ancestors 'none'" in policy
    assert ("default-src 'self'" if path == "/docs" else "default-src 'none'") in policy
    assert "unsafe-eval" not in policy
    assert "script-src" not in policy
    assert "Origin" in answer.headers["Vary"].split(", ")
    assert answer.headers["Cache-Control"]
    assert "Set-Cookie" not in answer.headers
    assert cors(answer) == []


# Methods.

ALLOWED = {
    "/v1/resolve": {"OPTIONS", "POST"},
    "/v1/resolve/continue": {"OPTIONS", "POST"},
    "/v1/odds": {"OPTIONS", "POST"},
    "/health": {"GET", "HEAD", "OPTIONS"},
    "/v1/packs": {"GET", "HEAD", "OPTIONS"},
    "/v1/packs/sr4-core": {"GET", "HEAD", "OPTIONS"},
    "/v1/packs/sr4-core/weapons": {"GET", "HEAD", "OPTIONS"},
    "/v1/entries/sr4-core:weapon/ak-97": {"GET", "HEAD", "OPTIONS"},
    "/v1/rulesets/sr4": {"GET", "HEAD", "OPTIONS"},
    "/openapi.json": {"GET", "HEAD", "OPTIONS"},
    "/docs": {"GET", "HEAD", "OPTIONS"},
}


@pytest.mark.parametrize("path", ALLOWED)
def test_a_method_that_is_not_allowed_is_told_which_are(service: Any, path: str) -> None:
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"):
        if method in ALLOWED[path]:
            continue
        answer = send(service.port, method, path)
        assert answer.status == 405
        check_error(answer)
        assert answer.data["code"] == "method-not-allowed"
        assert {name.strip() for name in answer.headers["Allow"].split(",")} == ALLOWED[path]


@pytest.mark.parametrize("path", [path for path, methods in ALLOWED.items() if "HEAD" in methods])
def test_head_is_get_without_the_body(service: Any, path: str) -> None:
    got, headed = (send(service.port, method, path) for method in ("GET", "HEAD"))
    assert headed.status == got.status == 200
    assert headed.body == b""
    for name in ("Content-Type", "ETag", "Cache-Control", "Vary"):
        assert headed.headers[name] == got.headers[name]
    assert headed.headers["Content-Length"] in (str(len(got.body)), None)


def test_head_of_what_only_takes_posts(service: Any) -> None:
    answer = send(service.port, "HEAD", "/v1/resolve")
    assert (answer.status, answer.body) == (405, b"")
    assert answer.headers["Allow"]

"""Under which addresses the service says that it is reached."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from fracas.web import addresses, serving
from fracas.web.public_address import PublicAddress
from fracas.web.settings import Settings


@pytest.mark.parametrize(
    ("host", "page"),
    [
        ("127.0.0.1", "http://127.0.0.1:8844"),
        ("localhost", "http://localhost:8844"),
        ("0.0.0.0", "http://127.0.0.1:8844"),
        ("::", "http://[::1]:8844"),
        ("[::]", "http://[::1]:8844"),
        ("::1", "http://[::1]:8844"),
        ("192.0.2.5", "http://192.0.2.5:8844"),
        ("[2001:db8::5]", "http://[2001:db8::5]:8844"),
        ("table.example", "http://table.example:8844"),
    ],
)
def test_a_page_that_a_browser_at_this_computer_can_open(host: str, page: str) -> None:
    assert addresses.page(host, 8844) == page


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.7", "localhost", "::1", "[::1]"])
def test_nobody_else_reaches_the_loopback_addresses(host: str) -> None:
    assert addresses.is_loopback(host)
    assert addresses.network_pages(host, 8844) == []


def test_an_address_that_was_chosen_is_the_one_to_open() -> None:
    assert addresses.network_pages("192.0.2.5", 8844) == ["http://192.0.2.5:8844"]
    assert addresses.network_pages("[2001:db8::5]", 8844) == ["http://[2001:db8::5]:8844"]


class Health(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


@pytest.fixture
def port() -> Iterator[int]:
    """The port of a service at 127.0.0.1."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Health) as server:
        Thread(target=server.serve_forever).start()
        yield server.server_port
        server.shutdown()


def test_of_all_addresses_those_that_answer(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    own = ["127.0.0.1", "127.0.0.8"]
    monkeypatch.setattr(addresses, "_own_addresses", lambda: own)
    assert addresses.network_pages("0.0.0.0", port) == [f"http://127.0.0.1:{port}"]


def test_own_addresses_are_of_use_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = [
        "192.168.1.20",
        "127.0.1.1",
        "fe80::1%eth0",
        "169.254.7.7",
        "0.0.0.0",
        "::1",
        "2001:db8::20",
        "10.0.0.5",
    ]
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0)) for address in listed]
    monkeypatch.setattr(addresses, "_ELSEWHERE", {})
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: [*found, found[0]])
    assert addresses._own_addresses() == ["192.168.1.20", "2001:db8::20", "10.0.0.5"]


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_behind_a_proxy_others_open_its_address(host: str) -> None:
    public = PublicAddress.parse("https://vtt.example/fracas")
    said = "\n".join(serving._welcome(Settings(host=host, public=public)))
    assert "Others open https://vtt.example/fracas/" in said
    assert "only encounters ask for a token" in said
    assert "encrypted" not in said
    assert "Open the console: http://127.0.0.1:8844/" in said

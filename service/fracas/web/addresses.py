"""Under which addresses people reach the service: at this computer, and from others on its network."""

from __future__ import annotations

import http.client
import ipaddress
import os
import socket
from contextlib import suppress

EVERY_ADDRESS = ("0.0.0.0", "::", "[::]")
"""Hosts that stand for all addresses of this computer."""

_ELSEWHERE = {
    socket.AF_INET: ("192.0.2.1", "10.255.255.255", "172.31.255.255", "192.168.255.255"),
    socket.AF_INET6: ("2001:db8::1", "fdff::1"),
}
"""Addresses of other computers, in networks of every usual kind; the first of each is one that nobody has."""

PATIENCE = 5
"""Seconds to wait for an answer."""


def numeric(host: str) -> str:
    """The address of a name, which is all that the server takes. If the name has both kinds, the older one.

    Raises:
        OSError: the name has no address.
    """
    found = socket.getaddrinfo(host.strip("[]"), None, type=socket.SOCK_STREAM)
    best = min(found, key=lambda each: each[0] != socket.AF_INET)
    return str(best[4][0])


def page(host: str, port: int) -> str:
    """The address of the service as a browser at this computer takes it, without a slash at the end."""
    name = host.strip("[]")
    if host in EVERY_ADDRESS:
        name = "::1" if ":" in name else "127.0.0.1"
    return _url(name, port)


def is_loopback(host: str) -> bool:
    """Whether only this computer reaches a service that listens there.

    Raises:
        OSError: the name has no address.
    """
    return ipaddress.ip_address(numeric(host).partition("%")[0]).is_loopback


def network_pages(host: str, port: int) -> list[str]:
    """The addresses under which other computers reach the service, which answers already; none if none does."""
    if host in EVERY_ADDRESS:
        return [_url(address, port) for address in _own_addresses() if answers(address, port)]
    return [] if is_loopback(host) else [_url(host.strip("[]"), port)]


def in_container() -> bool:
    """Whether this is a container of Docker or Podman, whose addresses nobody outside knows."""
    return any(os.path.exists(mark) for mark in ("/.dockerenv", "/run/.containerenv"))


def answers(host: str, port: int) -> bool:
    """Whether the service answers there."""
    connection = http.client.HTTPConnection(numeric(host), port, timeout=PATIENCE)
    try:
        connection.request("GET", "/health", headers={"Host": "localhost"})
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _own_addresses() -> list[str]:
    """What this computer is called in its networks, the usual way to the outside first."""
    found = []
    for family, others in _ELSEWHERE.items():
        for other in others:
            # A datagram socket sends nothing by this; it only chooses the address that it would send from.
            with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((other, 9))
                found.append(probe.getsockname()[0])
    with suppress(OSError):
        found += [str(each[4][0]) for each in socket.getaddrinfo(socket.gethostname(), None)]
    return [address for address in dict.fromkeys(found) if _is_for_others(address)]


def _is_for_others(address: str) -> bool:
    read = ipaddress.ip_address(address.partition("%")[0])
    return not (read.is_loopback or read.is_link_local or read.is_unspecified or read.is_multicast)


def _url(name: str, port: int) -> str:
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"

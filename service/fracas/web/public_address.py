"""The address by which people reach the service when a proxy stands in front of it, such as ``https://vtt.example/fracas``.

It is a setting, not read from headers that a proxy sends: anybody could send those.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from fracas.errors import InputError

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_ADDRESS = re.compile(
    r"(?P<scheme>https?)://(?P<host>\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?P<port>:[0-9]{1,5})?(?P<prefix>(?:/[\w~-][\w.~-]*)*)/?",
    re.ASCII | re.IGNORECASE,
)
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}


class PublicAddress(NamedTuple):
    """A public address in its parts.

    Attributes:
        scheme: ``http`` or ``https``, as browsers see it.
        host: the name, in small letters; an IPv6 address in brackets.
        port: with its colon; "" for that of the scheme.
        prefix: the path under which the proxy shows the service, such as ``/fracas``; "" for the root.
    """

    scheme: str
    host: str
    port: str
    prefix: str

    @classmethod
    def parse(cls, text: str, path: str = "FRACAS_PUBLIC_URL") -> PublicAddress:
        """The address as it was written.

        Args:
            path: the setting or option that it was written for, for the message.

        Raises:
            InputError: it is no http or https address, or has more than a name, a port and a path.
        """
        found = _ADDRESS.fullmatch(text)
        if not found:
            message = f"an address is expected as a browser shows it, such as https://vtt.example/fracas, not {text!r}"
            raise InputError.one(path, "bad-setting", message)
        scheme = found["scheme"].lower()
        port = found["port"] or ""
        return cls(
            scheme, found["host"].lower(), "" if port == _DEFAULT_PORTS[scheme] else port, found["prefix"]
        )

    def __str__(self) -> str:
        return f"{self.scheme}://{self.host}{self.port}{self.prefix}"


def is_loopback(address: str) -> bool:
    """Whether nobody at another computer or phone can open an address."""
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class AtPublicAddress:
    """A WSGI application as it is reached under a public address, and still under any other.

    A request that names the public host has the public scheme, and belongs under the prefix whether or not the proxy
    has taken it off the path. Under another name, such as that of the loopback interface, the service answers at its
    root, too.
    """

    def __init__(self, app: WSGIApplication, address: PublicAddress) -> None:
        self._app = app
        self._address = address

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        amend(environ, self._address)
        return self._app(environ, start_response)


def amend(environ: WSGIEnvironment, address: PublicAddress) -> None:
    """Change the environment of a request to what it is under a public address."""
    path = environ.get("PATH_INFO") or ""
    host = str(environ.get("HTTP_HOST") or "").lower().removesuffix(_DEFAULT_PORTS[address.scheme])
    under = f"{path}/".startswith(f"{address.prefix}/")
    if named := host == address.host + address.port:
        environ["wsgi.url_scheme"] = address.scheme
    if under:
        environ["PATH_INFO"] = path[len(address.prefix) :]
    if under or named:
        environ["SCRIPT_NAME"] = address.prefix

"""Settings of the service, from the environment and the command line."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from fracas.errors import InputError, Problem
from fracas.web.limits import Limits
from fracas.web.public_address import PublicAddress

_PORT = re.compile(r"[0-9]{1,5}")
_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:[0-9]{1,5})?")

_TOKEN = re.compile(r"[A-Za-z0-9._-]{16,200}")

MAX_BODY = 1_000_000
"""Bytes of a request's body."""

MAX_WORKERS = 2
"""Worker processes of a service."""

MIN_BUDGET, MAX_BUDGET = 0.1, 60
"""Seconds of processor time that odds may be given."""

MAX_UPLOAD = 8_200_000
"""Bytes of a form with a file of another program, which may hold pictures."""


def most_of(path: str) -> int:
    """Bytes that the body of a request to this address may have."""
    return MAX_UPLOAD if path.startswith("/console/fight/") and path.endswith("/load") else MAX_BODY


class Settings(NamedTuple):
    """How the service runs.

    Attributes:
        host, port: where it listens; the loopback interface unless given otherwise.
        packs: folders of packs beside those that travel with Fracas.
        without: ids of packs that are not used, such as house rules for a table that plays without them.
        database: where encounters are kept: a URL, or the path of a file; "" for a database that lasts as long as
            the application.
        origins: exact origins of pages that may call the service from a browser.
        hosts: names under which the service may be called, beside the loopback names and `host`.
        secret: signs continuations; a random one if None, so that a restart forgets them.
        admin_token: what an administrator shows; nobody is one if it is empty.
        bench: add the endpoints that ``fracas bench`` compares with.
        public: the address by which people reach the service through a proxy; None without one.
        budget: seconds of processor time that odds may take.
        workers: processes at most that do what may take long; without them the service does it itself.
        limits: how much callers may have.
    """

    host: str = "127.0.0.1"
    port: int = 8844
    packs: tuple[Path, ...] = ()
    database: str = ""
    origins: tuple[str, ...] = ("http://localhost:30000", "http://127.0.0.1:30000", "https://app.roll20.net")
    hosts: tuple[str, ...] = ()
    secret: bytes | None = None
    bench: bool = False
    admin_token: str = ""
    without: tuple[str, ...] = ()
    public: PublicAddress | None = None
    budget: float = 2.0
    workers: int = MAX_WORKERS
    limits: Limits = Limits()

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """FRACAS_HOST, FRACAS_PORT, FRACAS_PACKS, FRACAS_WITHOUT, FRACAS_DATABASE_URL, FRACAS_ORIGINS, FRACAS_HOSTS,
        FRACAS_SECRET (hexadecimal), FRACAS_BENCH, FRACAS_ADMIN_TOKEN, FRACAS_PUBLIC_URL, FRACAS_BUDGET, FRACAS_WORKERS
        and FRACAS_LIMITS. Lists are separated by commas, folders as in PATH.

        Raises:
            InputError: a variable cannot be read.
        """
        env = os.environ if environment is None else environment
        default = cls()
        return cls(
            env.get("FRACAS_HOST") or default.host,
            _port(env.get("FRACAS_PORT", str(default.port))),
            tuple(Path(folder) for folder in env.get("FRACAS_PACKS", "").split(os.pathsep) if folder),
            env.get("FRACAS_DATABASE_URL", ""),
            tuple(dict.fromkeys((*default.origins, *check_origins(_words(env.get("FRACAS_ORIGINS", "")))))),
            _words(env.get("FRACAS_HOSTS", "")),
            _secret(env.get("FRACAS_SECRET", "")),
            env.get("FRACAS_BENCH", "") == "1",
            _token(env.get("FRACAS_ADMIN_TOKEN", "")),
            _words(env.get("FRACAS_WITHOUT", "")),
            PublicAddress.parse(env["FRACAS_PUBLIC_URL"]) if env.get("FRACAS_PUBLIC_URL") else None,
            seconds_of(env.get("FRACAS_BUDGET") or str(default.budget)),
            _workers(env.get("FRACAS_WORKERS") or str(default.workers)),
            Limits.parse(env.get("FRACAS_LIMITS", "")),
        )

    def to_environment(self) -> dict[str, str]:
        """The variables that give these settings to a worker process."""
        env = {
            "FRACAS_HOST": self.host,
            "FRACAS_PORT": str(self.port),
            "FRACAS_PACKS": os.pathsep.join(map(str, self.packs)),
            "FRACAS_DATABASE_URL": self.database,
            "FRACAS_ORIGINS": ",".join(self.origins),
            "FRACAS_HOSTS": ",".join(self.hosts),
            "FRACAS_BENCH": "1" if self.bench else "",
            "FRACAS_ADMIN_TOKEN": self.admin_token,
            "FRACAS_WITHOUT": ",".join(self.without),
            "FRACAS_PUBLIC_URL": str(self.public or ""),
            "FRACAS_BUDGET": str(self.budget),
            "FRACAS_WORKERS": str(self.workers),
            "FRACAS_LIMITS": str(self.limits),
        }
        if self.secret:
            env["FRACAS_SECRET"] = self.secret.hex()
        return env


def is_origin(text: str) -> bool:
    """Whether a browser could send it."""
    return _ORIGIN.fullmatch(text) is not None and len(text) <= 300


def check_origins(origins: tuple[str, ...], path: str = "FRACAS_ORIGINS") -> tuple[str, ...]:
    """The origins, if browsers send such.

    Raises:
        InputError: an origin that would silently allow nothing, or too much.
    """
    wrong = [origin for origin in origins if not is_origin(origin)]
    if wrong:
        raise InputError(
            Problem(path, "bad-setting", f"an origin is exact, such as https://vtt.example, not {origin!r}")
            for origin in wrong
        )
    return origins


def seconds_of(text: str, path: str = "FRACAS_BUDGET") -> float:
    """A budget of processor time as it was written.

    Raises:
        InputError: it is no number of seconds, or too small or large.
    """
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not MIN_BUDGET <= seconds <= MAX_BUDGET:  # neither does "nan"
        message = f"a budget is {MIN_BUDGET} to {MAX_BUDGET} seconds of processor time, not {text!r}"
        raise InputError.one(path, "bad-setting", message)
    return seconds


def _workers(text: str) -> int:
    if text not in map(str, range(MAX_WORKERS + 1)):
        message = f"there are 0 to {MAX_WORKERS} workers, not {text!r}"
        raise InputError.one("FRACAS_WORKERS", "bad-setting", message)
    return int(text)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _port(text: str) -> int:
    if not _PORT.fullmatch(text) or not 0 < int(text) < 65536:
        raise InputError.one("FRACAS_PORT", "bad-setting", f"a port is a number 1 to 65535, not {text!r}")
    return int(text)


def _token(text: str) -> str:
    if text and not _TOKEN.fullmatch(text):
        message = "an administrator's token has 16 to 200 letters, digits, '-', '_' or '.'"
        raise InputError.one("FRACAS_ADMIN_TOKEN", "bad-setting", message)
    return text


def _secret(text: str) -> bytes | None:
    if not text:
        return None
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        secret = b""
    if len(secret) < 16:
        raise InputError.one("FRACAS_SECRET", "bad-setting", "a secret has at least 16 bytes in hexadecimal")
    return secret

"""How much one caller may have of the service, and how much one fight: so that nobody takes what all need."""

from __future__ import annotations

from typing import NamedTuple

from fracas.errors import InputError, Problem, suggestion


class Limits(NamedTuple):
    """Numbers of things at the same time, unless a limit says otherwise. A caller is an address of the network.

    Attributes:
        fights: of the service.
        fights_per_caller: begun within an hour, and still there.
        listeners: of live feeds.
        listeners_per_caller: the same.
        listeners_per_fight: the same.
        tokens_per_caller: made within an hour.
        tokens_per_fight: revoked ones included.
        bodies_per_caller: requests whose bodies have not arrived.
        work_per_caller: odds, checks and exports that wait for a worker.
    """

    fights: int = 10_000
    fights_per_caller: int = 100
    listeners: int = 256
    listeners_per_caller: int = 64
    listeners_per_fight: int = 64
    tokens_per_caller: int = 1_000
    tokens_per_fight: int = 256
    bodies_per_caller: int = 64
    work_per_caller: int = 8

    @classmethod
    def parse(cls, text: str, path: str = "FRACAS_LIMITS") -> Limits:
        """Limits as they were written: ``fights=500,listeners-per-fight=20``.

        Raises:
            InputError: an unknown limit, or no number.
        """
        found: dict[str, int] = {}
        problems = []
        known = [named(field) for field in cls._fields]
        for part in filter(None, map(str.strip, text.split(","))):
            name, _, number = map(str.strip, part.partition("="))
            if name not in known:
                message = f"no limit is called {name[:40]!r}"
                problems.append(Problem(path, "bad-setting", message, suggestion(name, known)))
            elif not (number.isascii() and number.isdigit() and 0 < int(number[:10]) <= MOST):
                message = f"{name} is a number 1 to {MOST}, not {number[:40]!r}"
                problems.append(Problem(path, "bad-setting", message))
            else:
                found[name.replace("-", "_")] = int(number)
        if problems:
            raise InputError(problems)
        return cls(**found)

    def __str__(self) -> str:
        return ",".join(
            f"{named(field)}={number}"
            for field, number in self._asdict().items()
            if number != self._field_defaults[field]
        )


MOST = 1_000_000


def named(field: str) -> str:
    """What people call a limit."""
    return field.replace("_", "-")

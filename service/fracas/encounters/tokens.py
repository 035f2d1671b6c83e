"""Who may do what at a table: opaque tokens, of which only hashes are kept."""

from __future__ import annotations

import hashlib
import secrets
from typing import NamedTuple

from fracas.encounters.command_context import Author
from fracas.encounters.records import Token

ROLES = ("gm", "player", "observer")

PREFIX = "frc_"
"""So that people and scanners of leaked secrets know one when they see it."""


class Issued(NamedTuple):
    """A token and its secret, which is shown once and kept nowhere."""

    token: Token
    secret: str


def hash_of(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def new_secret() -> str:
    return PREFIX + secrets.token_urlsafe(32)


def issue(role: str, label: str, combatants: tuple[str, ...], now: int) -> Issued:
    """A new token; `combatants` are those that a player commands."""
    secret = new_secret()
    return Issued(Token(secrets.token_hex(8), role, label, combatants, hash_of(secret), now), secret)


def author_of(token: Token) -> Author:
    return Author(token.role, token.id, token.label, frozenset(token.combatants))

"""Tokens of fights: who may speak for which combatants."""

from __future__ import annotations

from collections.abc import Sequence

from fracas.encounters.command_context import Author
from fracas.encounters.fights import Fights
from fracas.encounters.records import Token
from fracas.encounters.tokens import Issued, author_of, hash_of, issue, new_secret
from fracas.errors import InputError, NoEncounterError, RefusedError, TokenError, suggestion

MAX_TOKENS = 256
"""Of an encounter, revoked ones included."""


class FightTokens(Fights):
    """The tokens of the fights of a store.

    Attributes:
        max_tokens: how many an encounter may have.
    """

    max_tokens: int = MAX_TOKENS

    def author(self, id: str, secret: str) -> Author:
        """Who shows a token.

        Raises:
            TokenError: it is not known, or revoked.
            NoEncounterError: it is of another fight; whether there is a fight of this id stays untold.
        """
        found = self.store.token_by_hash(hash_of(secret))
        if found is None:
            raise TokenError("this token is not known; that of an encounter that was deleted is not, either")
        if found[0] != id:
            raise NoEncounterError(id)
        if found[1].revoked is not None:
            raise TokenError("this token was revoked")
        return author_of(found[1])

    def tokens(self, id: str) -> list[Token]:
        self.row(id)
        return self.store.tokens(id)

    def add_token(self, id: str, role: str, label: str, combatants: Sequence[str]) -> Issued:
        """A new token.

        Raises:
            InputError: combatants that are not in the fight, or that do not go with the role.
            RefusedError: there are too many.
        """
        fight = self.fight(id)
        for at, one in enumerate(combatants):
            if one not in fight.state.combatants:
                hint = suggestion(one, fight.state.combatants)
                raise InputError.one(
                    f"combatants[{at}]", "unknown-combatant", f"there is no combatant {one!r} here", hint
                )
        if combatants and role != "player":
            raise InputError.one("combatants", "wrong-role", "only a player's token is bound to combatants")
        if len(self.store.tokens(id)) >= self.max_tokens:
            message = (
                f"this fight has {self.max_tokens} tokens, which is the limit 'tokens-per-fight', "
                "revoked ones included: give one of them a new secret instead"
            )
            raise RefusedError("too-many", message)
        issued = issue(role, label, tuple(combatants), self.now())
        self.store.add_token(id, issued.token)
        return issued

    def revoke(self, id: str, token: str) -> None:
        """
        Raises:
            TokenError: the fight has no such token.
            RefusedError: it is that of the only GM.
        """
        good = [one for one in self.tokens(id) if one.revoked is None and one.role == "gm"]
        if [one.id for one in good] == [token]:
            raise RefusedError("last-gm", "this is the only GM's token: make another one first")
        if not self.store.revoke(id, token, self.now()):
            raise TokenError(f"this encounter has no token {token!r} that could be revoked")

    def rotate(self, id: str, token: str) -> str:
        """A new secret for a token; the old one is worth nothing any more.

        Raises:
            TokenError: the fight has no such token.
            RefusedError: it was revoked.
        """
        if any(one.id == token and one.revoked is not None for one in self.tokens(id)):
            raise RefusedError("revoked", "this token was revoked: make another one")
        secret = new_secret()
        if not self.store.rotate(id, token, hash_of(secret)):
            raise TokenError(f"this encounter has no good token {token!r}")
        return secret

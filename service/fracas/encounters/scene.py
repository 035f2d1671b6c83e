"""A fight as permissions see it: its table, budgets, and what combatants have left to pay with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.encounters import order
from fracas.encounters.conversation import Paid
from fracas.encounters.state import Combatant, Resolution, State
from fracas.encounters.wording import UNNAMED
from fracas.engine.game import Game
from fracas.kernel.economy import Economy
from fracas.kernel.intents import Table
from fracas.kernel.tracks import Track
from fracas.kernel.turns import TurnRules

Reason = tuple[str, str]
"""A stable code and a sentence."""


class Scene(NamedTuple):
    """A fight as permissions see it, made once for many questions."""

    game: Game
    rules: TurnRules
    state: State
    table: Table
    economy: Economy

    @classmethod
    def of(cls, game: Game, rules: TurnRules, state: State, secret: Iterable[str] = ()) -> Scene:
        """`secret`: those that the caller does not know of; reasons call them `UNNAMED`."""
        table = order.table_of(rules, state)
        if masked := {
            id: table.participants[id]._replace(name=UNNAMED) for id in secret if id in table.participants
        }:
            table = table._replace(participants={**table.participants, **masked})
        return cls(game, rules, state, table, order.economy_in(state))

    def called(self, who: Sequence[str]) -> str:
        return " and ".join(dict.fromkeys(self.table.participants[id].name for id in who))

    def not_over(self, one: Resolution) -> str:
        """Why nothing else can be done before a step is over."""
        action = self.game.packs.entry("action", one.action) if one.action else None
        contest = self.rules.contests.get((self.state.contest or {}).get(one.purpose, ""))
        what = action.label if action else contest.label if contest else "the initiative roll"
        return f"{what} by {self.called([one.actor])} is not over: answer, apply or discard it first"

    def budget(self, id: str) -> dict[str, int]:
        """What a combatant has left."""
        full = self.rules.budget(self.table, id, self.economy)
        spent = self.table.participants[id].spent
        owed = self.owed(id)
        resources = {track.token: what for what, track in self.rules.tracks.items() if track.token}
        return {
            token: max(0, count - spent.get(token, 0) - owed.get(resources.get(token, ""), 0))
            for token, count in full.items()
        }

    def owed(self, id: str) -> dict[str, int]:
        """Resources that finished steps will take from a combatant when their effects are applied."""
        owed: dict[str, int] = {}
        for step in self.state.resolutions.values():
            for effect in step.effects:
                if effect["type"] == "spend" and effect["who"] == id:
                    owed[effect["what"]] = owed.get(effect["what"], 0) + effect["amount"]
        return owed

    def why_not_pay(self, id: str, cost: Mapping[str, int], paid: Sequence[Paid] = ()) -> str:
        """What a combatant lacks of a price in resources; "" if nothing, as far as the sheet shows.

        Args:
            paid: what has been chosen in the same step, and is not taken from anybody yet.
        """
        one = self.state.combatants[id]
        for what, amount in cost.items():
            track = self.rules.tracks.get(what)
            if track is None:
                continue
            if track.token:
                have: Any = self.budget(id).get(track.token, 0)
            else:
                sharing = self._sharing(one, track)
                owed = sum(self.owed(other).get(what, 0) for other in sharing)
                owed += sum(price.get(what, 0) for who, price in paid if who in sharing)
                have = one.sheet.get(track.field)
                have = have if have is None else int(have) - owed
            if have is not None and have < amount:
                return f"{one.name} has no {what.replace('-', ' ')} left for it"
        return ""

    def _sharing(self, one: Combatant, track: Track) -> list[str]:
        """Those who share a combatant's points, themselves included."""
        group = one.sheet.get(track.group) if track.group else None
        if not group:
            return [one.id]
        return [id for id, other in self.state.combatants.items() if other.sheet.get(track.group) == group]

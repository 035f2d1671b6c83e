"""The context in which a command is decided: the fight, who asks, the rules, and the dice."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from fracas.dice.sources import SeededDice
from fracas.encounters.events import History
from fracas.encounters.scene import Scene
from fracas.encounters.state import Combatant, State
from fracas.engine.game import Game
from fracas.errors import ForbiddenError, InputError, Problem, RefusedError, suggestion
from fracas.kernel.budget import UNLIMITED, Budget
from fracas.kernel.intents import Participant
from fracas.kernel.items import alike, next_name, slug_of
from fracas.kernel.readers import Progress
from fracas.kernel.stage import Facts
from fracas.kernel.turns import TurnRules

Command = Mapping[str, Any]
"""As `schemas.load_command` leaves it: its kind under ``command``, every other field present."""

Draft = tuple[str, dict[str, Any], bool]
"""What a command makes: the event's type and data, and whether only the GM may see it."""


class Author(NamedTuple):
    """Who gives a command.

    Attributes:
        role: ``gm``, ``player``, ``observer``, or ``clock`` for answers whose time is over.
        token: the id of the token shown.
        combatants: those that a player commands.
    """

    role: str
    token: str = ""
    label: str = ""
    combatants: frozenset[str] = frozenset()

    def commands(self, id: str) -> bool:
        return self.role in ("gm", "clock") or id in self.combatants


class CommandContext(NamedTuple):
    """All that deciding on a command needs.

    Attributes:
        at: now, in milliseconds since the epoch.
        dice: the fight's seed, at its next draw.
        last_by: the token that gave the newest command, if that still counts.
        trying: the command is only tried: no die falls, and of what it lacks the first is enough.
        prepared: the scene of `state`; None: made each time that it is needed.
        played: where the steps that the command ends are noted by id, so that nobody need play them again.
        former: seeds whose place that of the dice has taken.
        budget: processor time for odds.
    """

    game: Game
    rules: TurnRules
    state: State
    history: History
    by: Author
    at: int
    dice: SeededDice
    last_by: str = ""
    trying: bool = False
    prepared: Scene | None = None
    played: dict[str, Progress] | None = None
    former: tuple[bytes, ...] = ()
    budget: Budget = UNLIMITED

    @property
    def version(self) -> int:
        """Of the event that is being made."""
        return self.history.version + 1

    def scene(self, state: State | None = None) -> Scene:
        state = state or self.state
        if self.prepared is not None and self.prepared.state is state:
            return self.prepared
        secret = [id for id, one in state.combatants.items() if one.hidden and not self.by.commands(id)]
        return Scene.of(self.game, self.rules, state, secret)


_NUMBERED = re.compile(r"_[2-9]\Z")
"""What follows the name of a further roll of the same kind, such as one that breaks a tie."""
MOST = 1_000_000
"""The greatest count of anything that is given by hand."""


def rolled_by_hand(rules: TurnRules, who: Participant, facts: Facts, path: str) -> Facts:
    """What is kept of what the author says that an initiative roll gave; nothing where nothing is given.

    Raises:
        InputError: a fact that is no flag, number or word, that no roll reports, or that this combatant cannot have.
    """
    words = rules.initiative_words
    problems = []
    for name, value in facts.items():
        if words and _NUMBERED.sub("", name) not in words:
            message = f"{name!r} is not known here"
            hint = suggestion(name, words)
            problems.append(Problem(f"{path}.{name}", "unknown-field", message, hint))
        elif not (
            isinstance(value, bool)
            or (isinstance(value, int) and -MOST <= value <= MOST)
            or (isinstance(value, str) and len(value) <= 100)
        ):
            message = "true, false, a whole number or a word is expected"
            problems.append(Problem(f"{path}.{name}", "wrong-type", message))
    if problems:
        raise InputError(problems)
    return rules.set_by_hand(who, facts) if facts else facts


def for_gm(context: CommandContext, what: str) -> None:
    if context.by.role not in ("gm", "clock"):
        raise ForbiddenError(f"only the GM may {what}")


def mine(context: CommandContext, id: str) -> Combatant:
    """A combatant that the author commands."""
    one = known(context, id)
    if not context.by.commands(id):
        raise ForbiddenError(f"{one.name} is not yours to command")
    return one


def known(context: CommandContext, id: str, path: str = "combatant") -> Combatant:
    """A combatant in the fight that the author may know of."""
    there = {
        other: one
        for other, one in context.state.combatants.items()
        if context.by.role in ("gm", "clock") or not one.hidden or context.by.commands(other)
    }
    if id not in there:
        raise InputError.one(
            path, "unknown-combatant", f"there is no combatant {id!r} here", suggestion(id, there)
        )
    if there[id].gone:
        raise RefusedError("gone", f"{there[id].name} has left the fight")
    return there[id]


def nothing_open(context: CommandContext, actors: tuple[str, ...] | None = None) -> None:
    for one in context.state.resolutions.values():
        if actors is None or one.actor in actors:
            raise RefusedError("step-open", context.scene().not_over(one))


def item_named(context: CommandContext, one: Combatant, given: str | None, path: str = "item") -> str:
    """A thing by name, see `kernel.items`: one that a combatant has, or bare hands. A GM may name any of the packs,
    and one more of a model than is known. "" where none is named.

    Raises:
        InputError: it is not there.
    """
    if not given:
        return ""
    entry = context.game.packs.entry("weapon", slug_of(given))
    name = entry.slug + given[len(slug_of(given)) :] if entry else given
    if name in one.items:
        return name
    by_gm = context.by.role != "player"
    if entry is not None and (by_gm or context.rules.at_hand(entry.data)):
        there = {entry.slug, *alike(entry.slug, one.items)} if by_gm else {entry.slug}
        if name in there or (by_gm and name == next_name(entry.slug, there)):
            return name
    names = {*one.items, *(context.game.packs.names("weapon") if by_gm else ())}
    raise InputError.one(path, "unknown-item", f"{one.name} has no {given!r}", suggestion(given, names))

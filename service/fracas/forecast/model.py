"""A fight made ready for a forecast: its combatants by kind, what each can do to whom, and in what order they act."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from fracas.encounters import fold, order, steps
from fracas.encounters.action_commands import act
from fracas.encounters.ranking import Attack, attacks
from fracas.encounters.schemas import load_command
from fracas.encounters.sheets import records
from fracas.encounters.state import State
from fracas.encounters.steps import Wish
from fracas.engine.game import Game
from fracas.engine.policies import ChoicesAlways
from fracas.errors import FracasError, InputError, OverBudgetError, Problem
from fracas.forecast.actions import Against, Rounds, Then, Way
from fracas.forecast.statuses import ACTOR, TARGET, Memo, Status, Statuses
from fracas.forecast.tactics import Tactics
from fracas.forecast.walks import Node, Walks, lots
from fracas.kernel.budget import UNLIMITED, Budget
from fracas.kernel.intents import Participant
from fracas.kernel.items import slug_of
from fracas.kernel.stage import Facts
from fracas.kernel.turns import InitiativeRoll, TurnRules

NOT_ROLLED = 0
"""The number of no initiative."""
MOST = 24
"""Combatants of a forecast."""


_OwnRoll = tuple[Walks, Node, Mapping[tuple[int, str], int]]
"""The walks of an initiative roll, where they begin, and what is kept of each end."""


class Fighter(NamedTuple):
    """One who fights.

    Attributes:
        id, name, side: as in the fight.
        kind: see `Statuses.kinds`.
        status, rounds: as the forecast begins.
        tactics: how they choose.
    """

    id: str
    name: str
    side: str
    kind: int
    status: Status
    rounds: Rounds
    tactics: Tactics


class Model:
    """What playing a fight goes by.

    Attributes:
        fighters: in the order in which they joined.
        held: by their places, with whom the fighters are tied as the forecast begins, as in melee.
        sides: in the order in which their first combatants joined.
        attacks: by the kinds of actor and target, and the tactics of the actor, the ways to attack, the best first.
        side, allies: by their places, the number of each fighter's side, and the others of it.
        foes: by the place of an actor, those of other sides, in groups of one kind; of each group, by the status of the
            actor, the best attack that they can begin now.
        apart: by place whether one attacks nobody and nobody attacks them, while others of their side fight, such as a
            program on people.
        tending: by the slugs of actions, and the status of one who is out of the fight, the ways to help them.
        reloads: by kind and tactics, what is done to be able to attack again.
        place: by status, initiative and part where one stands in the order; None for no slot.
        rolled: what is kept of initiative rolls, by number.
        together: equals act at the same time.
        initiative: by status the walks of its roll.
    """

    def __init__(
        self,
        game: Game,
        rules: TurnRules,
        state: State,
        tactics: Mapping[str, Tactics],
        against: Mapping[str, Mapping[str, Any]],
        budget: Budget = UNLIMITED,
    ) -> None:
        self.game, self.rules, self.state = game, rules, state
        self.statuses = Statuses(game, rules, state)
        self.statuses.budget = budget
        self._against = against
        self.fighters = tuple(self._fighters(tactics))
        self.held = tuple(self._held())
        self.sides = tuple(dict.fromkeys(one.side for one in self.fighters))
        self.rolled: list[Facts] = [{}]
        self._rolled_known: dict[str, int] = {"{}": NOT_ROLLED}
        self._places_alike: dict[Any, tuple[float, ...] | None] = {}
        self.place: Memo[tuple[Status, int, int], tuple[float, ...] | None] = Memo(self._place)
        self._rolls_alike: dict[int, _OwnRoll | None] = {}
        self.initiative: Memo[Status, _OwnRoll | None] = Memo(self._initiative)
        self.opening = self._opening() if rules.rolled_once else []
        for one in self.fighters:
            self.statuses.usual_roll[one.kind] = self._usual_roll(one)
        self.together = not rules.rolled_once and self._act_together()
        self.attacks: dict[tuple[int, int, str], tuple[Against, ...]] = {}
        self._make_attacks()
        self.side = [self.sides.index(one.side) for one in self.fighters]
        places = range(len(self.side))
        self.allies = [[j for j in places if self.side[j] == self.side[i] and j != i] for i in places]
        self.foes = [list(self._foes(i)) for i in places]
        self.apart = tuple(self._apart())
        self.untargeted: Memo[tuple[int, str, str], Memo[Status, Then | None]] = Memo(self._alone)
        self.reloads = Memo(self._reloads)
        self.tending: Memo[tuple[tuple[str, ...], Status], tuple[Against, ...]] = Memo(self._tending)

    def labels(self, item: str) -> str:
        """What people call an item."""
        entry = self.game.packs.entry("weapon", slug_of(item))
        return entry.label if entry else item.replace("-", " ")

    def condition(self, slug: str) -> str:
        """What people call a condition."""
        entry = self.game.packs.entry("condition", slug)
        return entry.label if entry else slug.replace("-", " ")

    # Who fights.

    def _fighters(self, tactics: Mapping[str, Tactics]) -> Iterator[Fighter]:
        there = [one for one in self.state.combatants.values() if not one.gone]
        sides = dict.fromkeys(one.side for one in there)
        if len(sides) < 2:
            message = "a fight is forecast between at least two sides"
            raise InputError.one("combatants", "one-side", message)
        if len(there) > MOST:
            message = f"{len(there)} combatants; at most {MOST} are forecast at a time"
            raise InputError.one("combatants", "too-many", message)
        for one in there:
            kind = self.statuses.kind(one)
            status, rounds = self.statuses.status(kind, one)
            yield Fighter(one.id, one.name, one.side, kind, status, rounds, tactics[one.id])

    def _held(self) -> Iterator[list[int]]:
        places = {one.id: at for at, one in enumerate(self.fighters)}
        pairs: set[tuple[int, int]] = set()
        for at, one in enumerate(self.fighters):
            for condition in self.state.combatants[one.id].conditions:
                others = (places[id] for id in condition.towards if condition.counterpart and id in places)
                pairs.update(pair for other in others for pair in ((at, other), (other, at)))
        for at in range(len(self.fighters)):
            yield sorted(other for mine, other in pairs if mine == at and other != at)

    # What they can do.

    def _make_attacks(self) -> None:
        missing: dict[str, Problem] = {}
        for kind in dict.fromkeys(one.kind for one in self.fighters):
            mine = next(one for one in self.fighters if one.kind == kind)
            foes = {one.kind: one for one in self.fighters if one.side != mine.side}
            actor = self._fresh(mine.status)
            own = {one.tactics.id: one.tactics for one in self.fighters if one.kind == kind}
            for tactics in own.values():
                for foe in foes.values():
                    found = self._attacks(actor, mine, foe, tactics, missing)
                    self.attacks[kind, foe.kind, tactics.id] = found
        if missing:
            raise InputError(missing.values())

    def ways(self, one: Fighter, other: Fighter) -> tuple[Against, ...]:
        """The ways in which one attacks another, the best first."""
        return self.attacks.get((one.kind, other.kind, one.tactics.id), ())

    def _foes(self, i: int) -> Iterator[tuple[Memo[Status, Against | None], list[int]]]:
        one = self.fighters[i]
        those = [j for j, side in enumerate(self.side) if side != self.side[i]]
        for _, group in groupby(those, lambda j: self.fighters[j].kind):
            alike = list(group)
            yield self._ready(self.ways(one, self.fighters[alike[0]])), alike

    def _ready(self, ways: Sequence[Against]) -> Memo[Status, Against | None]:
        return Memo(lambda status: next((way for way in ways if way.begun[status]), None))

    def _apart(self) -> Iterator[bool]:
        involved = {
            kind for (actor, target, _), ways in self.attacks.items() if ways for kind in (actor, target)
        }
        fighting = {one.side for one in self.fighters if one.kind in involved}
        for one in self.fighters:
            yield one.kind not in involved and one.side in fighting

    def _attacks(
        self, actor: Status, mine: Fighter, foe: Fighter, tactics: Tactics, missing: dict[str, Problem]
    ) -> tuple[Against, ...]:
        """The ways in which a kind attacks another, those of which most is to be expected in a slot first."""
        found: dict[tuple[str, str, str], tuple[tuple[int, float, int], Against]] = {}
        lacking: dict[str, list[Problem]] = {}
        fresh = [actor]
        while fresh:
            now = fresh.pop()
            scene = self.statuses.context(self.statuses.pair(now, foe.status)).scene()
            for attack in attacks(scene, ACTOR, TARGET):
                key = (attack.action.slug, attack.item, repr(attack.situation))
                if key in found or attack.action.slug in tactics.avoids:
                    continue
                one = Against(self.statuses, self._way(attack, foe.side, tactics), foe.status)
                one.measure(now)
                if one.begun[now] is None:
                    lacking.setdefault(attack.item, one.missing)
                    continue
                rank = _rank(tactics, attack.action.slug)
                found[key] = (rank, -one.worth * self._times(one, now), len(found)), one
                if attack.action.slug in tactics.last:  # after a charge the two are in melee
                    fresh.append(self.statuses.begin_slot[self.statuses.end_slot[self._after(one, now)]])
        for item, problems in lacking.items():  # of a weapon with which nothing else can be done
            if item and not any(key[1] == item for key in found):
                for problem in problems:
                    text = f"{mine.name} with {self.labels(item)} against {foe.name}: {problem.message}"
                    missing.setdefault(problem.path, problem._replace(message=text))
        ranked = sorted(found.values(), key=lambda pair: pair[0])
        return tuple(one for rank, one in ranked if rank[1] < 0)

    def _way(self, attack: Attack, side: str, tactics: Tactics) -> Way:
        given = dict(attack.situation)
        known = self.game.procedure(attack.action.data["procedure"]).vocabulary.fields
        for name, value in self._against.get(side, {}).items():
            if isinstance(value, Mapping):  # in melee nothing has cover, and no field for it
                value = {key: part for key, part in value.items() if f"{name}.{key}" in known}
                given[name] = {**given.get(name, {}), **value}
            elif name in known:
                given[name] = value
        return Way(attack.action, attack.item, given, tactics.decisions)

    def _after(self, one: Against, actor: Status) -> Status:
        """An actor after an attack."""
        begun = one.begun[actor]
        assert begun is not None
        return one.actor_then[begun.after, one.draw(begun, one.target, lots("after", 0))][0]

    def _fresh(self, status: Status) -> Status:
        """A status as its slot begins."""
        moments = self.statuses
        return moments.begin_slot[moments.begin_turn[status]]

    def _times(self, one: Against, actor: Status) -> int:
        """How often an attack can be made in a slot."""
        times = 0
        while one.begun[actor] is not None and times < 10:
            times, actor = times + 1, self._after(one, actor)
        return times

    def _alone(self, key: tuple[int, str, str]) -> Memo[Status, Then | None]:
        """What an action without a target makes of each status of a kind; None where it cannot be taken."""
        _, slug, item = key

        def taken(status: Status) -> Then | None:
            statuses = self.statuses
            state = statuses.alone(status)
            given = {"command": "act", "combatant": ACTOR, "action": slug, "item": item or None}
            try:
                _, data, _ = act(statuses.context(state), load_command(given))
            except OverBudgetError:
                raise
            except FracasError:
                return None
            if data["step"] is not None:
                return None
            after = fold.acted(self.rules, state, data).combatants[ACTOR]
            kind = statuses.kind_of[status]
            found, rounds = statuses.status(kind, after)
            full = statuses.kinds[kind].full.values()
            return found, tuple(now - had for now, had in zip(rounds, full, strict=True))

        return Memo(taken)

    def _tending(self, key: tuple[tuple[str, ...], Status]) -> tuple[Against, ...]:
        slugs, patient = key
        known = {one.slug: one for one in self.game.packs.entries("action")}
        return tuple(
            Against(self.statuses, Way(known[slug], "", {}), patient) for slug in slugs if slug in known
        )

    def _reloads(self, key: tuple[int, str]) -> tuple[tuple[int, int, int, str, str], ...]:
        """The ways to load each item of a kind: its place among the rounds, the most that an attack takes, how many it
        holds, the action, and the item."""
        kind, tactics = key
        mine = [
            way
            for (actor, _, own), ways in self.attacks.items()
            if (actor, own) == (kind, tactics)
            for way in ways
        ]
        loading = [
            one.slug
            for one in self.game.packs.entries("action")
            if one.data.get("item") in ("load", "fill") and "procedure" not in one.data
        ]
        found = []
        for at, (item, full) in enumerate(self.statuses.kinds[kind].full.items()):
            least = max((way.need[at] for way in mine if way.way.item == item), default=0)
            if least:
                found += [(at, least, full, slug, item) for slug in loading]
        return tuple(found)

    # In what order.

    def _place(self, key: tuple[Status, int, int]) -> tuple[float, ...] | None:
        status, rolled, part = key
        statuses = self.statuses
        alike = (statuses.shape_of[status], statuses.hurt[status], rolled, part)
        if not self.rules.harm_fields or alike not in self._places_alike:
            one = statuses.combatant(status)._replace(rolled=self.rolled[rolled])
            seen = order.participant(self.rules, one, self.state.options)
            self._places_alike[alike] = self.rules.place_in(seen, part) if seen.able else None
        return self._places_alike[alike]

    def _act_together(self) -> bool:
        """Whether equals act at the same time, by what the rules make of two alike."""
        first = self.fighters[0]
        one = self.statuses.combatant(first.status)
        if not one.rolled:
            return False
        two = {id: one._replace(id=id) for id in ("one", "two")}
        state = self.statuses.alone(first.status)._replace(combatants=two, acting=())
        slots = self.rules.order(order.table_of(self.rules, state))
        return bool(slots) and len(slots[0].actors) > 1 and slots[0].together

    def _initiative(self, status: Status) -> _OwnRoll | None:
        """The roll that a combatant makes, and what is kept of each of its ends; None where they make none."""
        test = self.game.procedure(self.rules.initiative_test)
        alike = self.statuses.view(status, self.statuses.unread(test, records(test, "combatant")[0]), False)
        if alike not in self._rolls_alike:
            self._rolls_alike[alike] = self._own_roll(status)
        return self._rolls_alike[alike]

    def _own_roll(self, status: Status) -> _OwnRoll | None:
        state = _unrolled(self.statuses.alone(status))
        for roll, walks, node, kept in self._rolls(state):
            if roll.who == ACTOR:
                return walks, node, kept
        return None

    def _usual_roll(self, one: Fighter) -> Facts:
        """A roll in the middle of those that a combatant may make."""
        at = self.fighters.index(one)
        for ids, walks, node, kept in self.opening:
            if at in ids:
                return self.rolled[kept[walks.walk(node, _middle), at]]
        found = self.initiative[self.statuses.begin_turn[one.status]]
        return self.rolled[found[2][found[0].walk(found[1], _middle), ACTOR]] if found else {}

    def _rolls(
        self, state: State
    ) -> Iterator[tuple[InitiativeRoll, Walks, Node, dict[tuple[int, str], int]]]:
        """The rolls that a fight begins with, and what is kept of each end by each of those for whom it counts."""
        table = order.table_of(self.rules, state)
        for roll in self.rules.initiative(table):
            kept = _Kept(self, [table.participants[id] for id in roll.counts_for])
            walks = Walks(ChoicesAlways(()), kept.ended)
            yield roll, walks, walks.node(self._first_of(state, roll)), kept

    def _opening(self) -> list[tuple[list[int], Walks, Node, dict[tuple[int, int], int]]]:
        """The rolls of those whose initiative is rolled once, by their places among the fighters."""
        state = self.statuses.alone(0)
        there = {one.id: self.statuses.combatant(one.status, one.id) for one in self.fighters}
        found: list[tuple[list[int], Walks, Node, dict[tuple[int, int], int]]] = []
        for roll, walks, node, kept in self._rolls(_unrolled(state._replace(combatants=there))):
            ids = [at for at, one in enumerate(self.fighters) if one.id in roll.counts_for]
            found.append((ids, walks, node, _ByPlace(kept, [one.id for one in self.fighters])))
        return found

    def _first_of(self, state: State, roll: InitiativeRoll) -> Any:
        one = steps.initiative_of(self.game, roll, False, "r1")
        request = steps.request_of(self.game, self.rules, state, one, Wish(), roll.situation, False)
        return steps.prepared(request).stage

    def keep(self, facts: Facts) -> int:
        """The number of what is kept of an initiative roll."""
        key = repr(sorted(facts.items()))
        found = self._rolled_known.get(key)
        if found is None:
            found = self._rolled_known[key] = len(self.rolled)
            self.rolled.append(facts)
        return found


def _rank(tactics: Tactics, slug: str) -> int:
    """Where tactics put an attack: preferred ones first, in their order, and last ones last."""
    if slug in tactics.prefers:
        return tactics.prefers.index(slug)
    return len(tactics.prefers) + (slug in tactics.last)


def _middle() -> float:
    return 0.5


def _unrolled(state: State) -> State:
    """Before initiative is rolled."""
    return order.each(state, lambda one: one._replace(rolled={}))._replace(acting=())


class _Kept(dict[tuple[int, str], int]):
    """What is kept of the ends of an initiative roll, by the number of the end and who keeps it."""

    def __init__(self, model: Model, who: Sequence[Participant]) -> None:
        super().__init__()
        self._model, self._who, self._ends = model, who, dict[str, int]()

    def ended(self, outcomes: tuple[Any, ...]) -> int:
        facts: dict[str, Any] = {}
        for one in outcomes:
            facts.update(one.notes())
        number = self._ends.setdefault(repr(facts), len(self._ends))
        for one in self._who:
            self[number, one.id] = self._model.keep(self._model.rules.rolled(one, facts))
        return number


class _ByPlace(dict[tuple[int, int], int]):
    """The same by the places of fighters."""

    def __init__(self, kept: Mapping[tuple[int, str], int], ids: Sequence[str]) -> None:
        super().__init__()
        self._kept, self._ids = kept, ids

    def __missing__(self, key: tuple[int, int]) -> int:
        return self._kept[key[0], self._ids[key[1]]]


__all__: Sequence[str] = ("MOST", "NOT_ROLLED", "Fighter", "Model")

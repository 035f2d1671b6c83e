"""Ways to act on another combatant, as a forecast draws them: whether they can be taken, and what comes of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.encounters import effects, fold, follow_ups, steps
from fracas.encounters.action_commands import act, opened
from fracas.encounters.consequences import of_outcome, resolved
from fracas.encounters.permission import intent_of
from fracas.encounters.schemas import load_command
from fracas.encounters.sheets import merged, participant_roles
from fracas.encounters.state import Combatant, Resolution, State, resolution_of
from fracas.encounters.steps import Wish
from fracas.engine.policies import ChoicesAlways
from fracas.errors import FracasError, InputError, OverBudgetError, Problem
from fracas.forecast.statuses import ACTOR, TARGET, Memo, Status, Statuses
from fracas.forecast.walks import Node, Walks, lots
from fracas.kernel.parts import parts_in, replaced
from fracas.kernel.stage import Decision, Effect, Fork, Stage, from_json
from fracas.packs.entries import Entry

Rounds = tuple[int, ...]
Then = tuple[Status, Rounds]
"""A status, and the change of the rounds of each item; () where none changes."""


SAMPLES = 300
"""Draws by which an attack is valued."""


class Way(NamedTuple):
    """What is done, with what, and what is given of the situation."""

    action: Entry
    item: str
    situation: Mapping[str, Any]
    decisions: Sequence[Mapping[str, Any]] = ()

    @property
    def label(self) -> str:
        return self.action.label


class Begun(NamedTuple):
    """An action that a combatant can take.

    Attributes:
        sort: of the attacker's numbers: equal sorts have the same chances against the same target.
        after: their status once it has begun, with its price paid.
    """

    sort: int
    after: Status
    rounds: Rounds


class _End(NamedTuple):
    """Outcomes that do the same to whoever suffers them."""

    outcomes: tuple[Stage, ...]
    step: Resolution
    parts: tuple[Any, ...]
    free: bool


_Raw = tuple[tuple[Effect, ...], tuple[tuple[str, Any], ...]]
"""Effects as stages have them, and the facts by which packs add more."""


class _Suffered(NamedTuple):
    """What an end does to one of the two: effects, of these those on harm, and numbers of these and of the others."""

    effects: list[Mapping[str, Any]]
    harms: list[Mapping[str, Any]]
    on_harm: int
    on_rest: int


class _Done(NamedTuple):
    """What an end does to the two."""

    actor: _Suffered
    target: _Suffered


class Against:
    """One way to act on combatants of one kind.

    Attributes:
        begun: for each status of the actor what comes before the dice, None where the action cannot be taken.
        sorts: for each status of the target, which numbers it has: equal sorts have the same chances.
        need, takes: rounds that it takes of each item, and those of which it takes any, by their places.
        worth: the share of what the target can bear that is to be expected of one such action.
    """

    def __init__(self, statuses: Statuses, way: Way, target: Status) -> None:
        self.way, self.target = way, target
        self._statuses = statuses
        self._kinds = tuple(statuses.rules.harm_parts)
        self._procedure = statuses.game.procedure(way.action.data["procedure"])
        records = dict(zip((ACTOR, TARGET), participant_roles(self._procedure)[0], strict=False))
        self._unread = {id: statuses.unread(self._procedure, record) for id, record in records.items()}
        self._command = load_command(
            {
                "command": "act", "combatant": ACTOR, "action": way.action.slug, "target": TARGET,
                "item": way.item or None, "situation": dict(way.situation),
                "decisions": [dict(one) for one in way.decisions], "confirm": True,
            }
        )  # fmt: skip
        self._actor_sorts: dict[Any, int] = {}
        self._actors: list[Status] = []
        self._target_sorts: dict[Any, int] = {}
        self._targets: list[Status] = []
        self._parts: dict[Status, tuple[Any, ...]] = {}
        self._worst: Status | None = None
        self._walks: dict[bool, Walks] = {}
        self._ends: list[_End] = []
        self._ends_known: dict[Any, int] = {}
        self._begins: Mapping[str, Any] = {}
        self._begun_alike: dict[Hashable, tuple[int, Mapping[str, Any]] | None] = {}
        self._paid_alike: dict[tuple[int, Hashable], tuple[int, Rounds]] = {}
        self._sorts_alike: dict[Hashable, tuple[int, tuple[Any, ...]]] = {}
        self._done: dict[_Raw, _Done] = {}
        self._effects_known: Memo[tuple[int, Any], _Done] = Memo(self._effects_of)
        self._same_parts: dict[Any, Status] = {}
        self._like: Memo[Status, Status] = Memo(self._alike)
        self._shapes_then: dict[tuple[bool, bool, int, int], tuple[int, Rounds]] = {}
        self.begun: Memo[Status, Begun | None] = Memo(self._begun)
        self.sorts: Memo[Status, int] = Memo(self._sort_of_target)
        self.roots: Memo[tuple[int, int], tuple[Walks, Node]] = Memo(self._root)
        self.own_roots: Memo[tuple[int, Status], tuple[Walks, Node]] = Memo(self._own_root)
        self.actor_then: Memo[tuple[Status, int], Then] = Memo(lambda key: self._then(ACTOR, *key))
        self.target_then: Memo[tuple[Status, int], Then] = Memo(lambda key: self._then(TARGET, *key))
        self.shielded_then: Memo[tuple[Status, int], Then] = Memo(lambda key: self._then(TARGET, *key, True))
        self.free = True
        self.missing: list[Problem] = []
        self.need: Rounds = ()
        self.takes: tuple[tuple[int, int], ...] = ()
        self.worth = 0.0

    def draw(self, begun: Begun, target: Status, lot: Any) -> int:
        """The number of an end, by lot."""
        if self.free:
            walks, node = self.roots[begun.sort, self.sorts[target]]
        else:
            walks, node = self.own_roots[begun.sort, target]
        return walks.walk(node, lot)

    def distribution(self, begun: Begun, target: Status) -> dict[int, float]:
        """The chance of each end."""
        if self.free:
            walks, node = self.roots[begun.sort, self.sorts[target]]
        else:
            walks, node = self.own_roots[begun.sort, target]
        return walks.distribution(node)

    def helps(self, begun: Begun, target: Status) -> float:
        """The chance that a target is rid of a condition."""
        had = self._statuses.conditions[target]
        return sum(
            chance
            for end, chance in self.distribution(begun, target).items()
            if not had <= self._statuses.conditions[self.target_then[target, end][0]]
        )

    def measure(self, actor: Status) -> None:
        """Estimate `worth` and `need` for an actor and a target as they begin, if it can be taken."""
        begun = self.begun[actor]
        if begun is None:
            return
        statuses, worth = self._statuses, 0.0
        rest, need = statuses.rest, [0] * len(statuses.kinds[statuses.kind_of[actor]].full)
        lot = lots("worth", 0)
        for _ in range(SAMPLES):
            end = self.draw(begun, self.target, lot)
            worth += rest[self.target] - rest[self.target_then[self.target, end][0]]
            for at, change in enumerate(self.actor_then[begun.after, end][1]):
                need[at] = max(need[at], -change)
        self.worth, self.need = worth / SAMPLES, tuple(need)
        self.takes = tuple((at, each) for at, each in enumerate(need) if each)

    # What comes before the dice.

    def _begun(self, actor: Status) -> Begun | None:
        """What comes before the dice, worked out once for all combatants that the action cannot tell apart."""
        view = self._view(actor, ACTOR)
        if view not in self._begun_alike:
            self._begun_alike[view] = self._worked_out(actor)
        found = self._begun_alike[view]
        if found is None:
            return None
        sort, data = found
        after, rounds = self._paid(actor, view, data)
        return Begun(sort, after, rounds)

    def _paid(self, actor: Status, view: Hashable, data: Mapping[str, Any]) -> Then:
        """An actor after the price of the action."""
        statuses = self._statuses
        shape, harm = statuses.shape_of[actor], statuses.harm_of[actor]
        if (shape, view) in self._paid_alike:
            after, rounds = self._paid_alike[shape, view]
            return statuses.joined(after, harm), rounds
        state = fold.acted(statuses.rules, self._pair(actor, self.target), data)
        found = self._status(state.combatants[ACTOR], actor)
        if statuses.harm_of[found[0]] == harm:
            self._paid_alike[shape, view] = statuses.shape_of[found[0]], found[1]
        return found

    def _pair(self, actor: Status, target: Status) -> State:
        """The two; of those who act at the same time, one who is taken out acts all the same."""
        return self._statuses.pair(actor, target)._replace(shielded=(ACTOR,))

    def _worked_out(self, actor: Status) -> tuple[int, Mapping[str, Any]] | None:
        """The sort of an actor, and what beginning the action does; None where it cannot be taken."""
        statuses = self._statuses
        context = statuses.context(self._pair(actor, self.target))
        try:
            _, data, _ = act(context, self._command)
        except OverBudgetError:
            raise
        except InputError as error:
            self.missing += [one for one in error.problems if one.code == "missing-field"]
            return None
        except FracasError:
            return None
        step = resolution_of(data["step"]["open"])
        first: Stage = from_json(step.first)
        if not self._begins:
            if len(tuple(parts_in(first, self._kinds))) != 1:  # whose is which is not known
                self._kinds = ()
            self.free = bool(self._kinds) and not statuses.rules.chances_by_harm(first)
        if self._changes_nothing(first):
            return None
        data = {**data, "step": None}
        self._begins = self._begins or data
        key = self._blanked(first)
        sort = self._actor_sorts.get(key)
        if sort is None:
            sort = self._actor_sorts[key] = len(self._actors)
            self._actors.append(actor)
        return sort, data

    def _changes_nothing(self, stage: Stage) -> bool:
        """Whether an action ends at once without any effect, such as an attack without dice."""
        policy = self._policy()
        while isinstance(stage.awaits, Decision):
            stage = stage.advance(policy.choose(stage.awaits)[0])
        return stage.awaits is None and not isinstance(stage, Fork) and not any(stage.effects())

    def _prepared(self, state: State) -> tuple[Stage, Resolution]:
        """The first stage of the step, and the step."""
        statuses, way = self._statuses, self.way
        context = statuses.context(state)
        one = state.combatants[ACTOR]
        step = opened(context, one, way.action, TARGET, way.item)
        scene = context.scene()
        intent = intent_of(scene, one, way.action, way.item, TARGET, way.situation)
        brought = merged(
            way.action.data.get("situation", {}), statuses.rules.usual(scene.table, ACTOR, intent)
        )
        wish = Wish(way.situation, (), way.decisions)
        request = steps.request_of(statuses.game, statuses.rules, state, step, wish, brought, False)
        found = steps.prepared(request._replace(attempt=request.attempt._replace(brief=True)))
        assert found.stage is not None
        return found.stage, step._replace(facts=dict(found.facts))

    def _status(self, one: Combatant, before: Status) -> Then:
        statuses = self._statuses
        kind = statuses.kind_of[before]
        found, rounds = statuses.status(kind, one)
        full = statuses.kinds[kind].full.values()
        changes = tuple(now - had for now, had in zip(rounds, full, strict=True))
        return found, changes if any(changes) else ()

    # Sorts of targets.

    def _sort_of_target(self, target: Status) -> int:
        statuses = self._statuses
        view = self._view(target, TARGET)
        known = self._sorts_alike.get(view)
        if known is None:
            first, _ = self._prepared(statuses.pair(self._actors[0], target))
            blanked = self._blanked(first)
            sort = self._target_sorts.get(blanked)
            if sort is None:
                sort = self._target_sorts[blanked] = len(self._targets)
                self._targets.append(target)
            known = self._sorts_alike[view] = sort, tuple(parts_in(first, self._kinds))
        sort, parts = known
        harm = dict(zip(statuses.rules.harm_fields, statuses.harm_of[target], strict=True))
        if harm:
            parts = tuple(
                part._replace(**{name: harm[name] or 0 for name in part._fields if name in harm})
                for part in parts
            )
        self._parts[target] = parts
        worst, rest = self._worst, statuses.rest
        if worst is None or (rest[target], target) < (rest[worst], worst):
            self._worst = target
        return sort

    def _view(self, status: Status, id: str) -> Hashable:
        """What the action can see of its actor or its target; their very harm where whose is which is not known."""
        statuses, unread = self._statuses, self._unread.get(id)
        if unread is None:  # whom the procedure does not see
            return (status,)
        found = statuses.view(status, unread, id == ACTOR)
        return found if self._kinds else (found, statuses.harm_of[status])

    def _blanked(self, stage: Stage) -> Any:
        """A first stage without how badly anybody is hurt."""
        fields = self._statuses.rules.harm_parts

        def blank(part: Any) -> Any:
            return part._replace(**fields[type(part)])

        return replaced(stage, blank, self._kinds)

    # Chances.

    def _policy(self) -> ChoicesAlways:
        return ChoicesAlways(Wish({}, (), self.way.decisions).choices())

    def _root(self, key: tuple[int, int]) -> tuple[Walks, Node]:
        """Where the walks of a sort of attacker against a sort of target begin."""
        actor, target = self._actors[key[0]], self._targets[key[1]]
        first, step = self._prepared(self._statuses.pair(actor, target))
        parts = tuple(parts_in(first, self._kinds))
        walks = Walks(self._policy(), lambda outcomes: self._ended(_End(outcomes, step, parts, True)))
        return walks, walks.node(first)

    def _own_root(self, key: tuple[int, Status]) -> tuple[Walks, Node]:
        """The same where what follows depends on how badly the very target is hurt."""
        sort, target = key
        actor, like = self._actors[sort], self._targets[self.sorts[target]]
        first, step = self._prepared(self._statuses.pair(actor, like))
        first = self._with_parts(first, tuple(parts_in(first, self._kinds)), target)
        walks = Walks(self._policy(), lambda outcomes: self._ended(_End(outcomes, step, (), False)))
        return walks, walks.node(first)

    def _with_parts(self, stage: Any, had: tuple[Any, ...], target: Status) -> Any:
        """A stage or outcome with how badly another target is hurt."""
        others = dict(zip(had, self._parts[target], strict=True))
        return replaced(stage, lambda part: others.get(part, part), self._kinds)

    # Ends.

    def _ended(self, end: _End) -> int:
        """The number of an end; outcomes that do the same have the same one."""
        if end.free:  # seen in two targets, one near its end: what does the same to both does the same to all
            probes = [self._raw(end, target) for target in (self.target, self._worst)]
        else:
            probes = [self._raw(end, None)]
        key = (end.free, *probes)
        found = self._ends_known.get(key)
        if found is None:
            found = self._ends_known[key] = len(self._ends)
            self._ends.append(end)
        return found

    def _raw(self, end: _End, target: Status | None) -> _Raw:
        """The effects and facts of outcomes as the stages have them."""
        outcomes: Iterable[Stage] = end.outcomes
        if target is not None and end.parts:
            outcomes = [self._with_parts(one, end.parts, target) for one in end.outcomes]
        found = tuple(effect for one in outcomes for effect in one.effects())
        facts: dict[str, Any] = {}
        if "outcomes" in self.way.action.data:
            for one in outcomes:
                facts.update(one.notes())
        return found, tuple(facts.items())

    def _effects_of(self, key: tuple[int, Any]) -> _Done:
        """What an end does to those with that harm."""
        number, target = key
        end = self._ends[number]
        raw = self._raw(end, target)
        found = self._done.get(raw)
        if found is None:
            found = self._done[raw] = self._complete(end, raw, self.target if target is None else target)
        return found

    def _complete(self, end: _End, raw: _Raw, target: Status) -> _Done:
        """Effects as events report them, by who suffers them; what comes later by itself is left out."""
        context = self._statuses.context(self._statuses.pair(self._actors[0], target))
        found = resolved(context, end.step, raw[0])
        found += of_outcome(context, end.step, self.way.action, dict(raw[1]))
        found = [one for one in found if one["type"] != effects.SCHEDULE]
        return _Done(*(self._split([one for one in found if one["who"] == id]) for id in (ACTOR, TARGET)))

    def _split(self, found: list[Mapping[str, Any]]) -> _Suffered:
        """Effects with those on harm, and numbers of these and of the others."""
        rules = self._statuses.rules
        fields = {name for name, track in rules.tracks.items() if track.field in rules.harm_fields}
        harms = [one for one in found if one["what"] in fields]
        rest = [one for one in found if one["what"] not in fields]
        on_harm, on_rest = (
            self._statuses.effects_known.setdefault(repr(part), len(self._statuses.effects_known))
            for part in (harms, rest)
        )
        return _Suffered(found, harms, on_harm, on_rest)

    def _then(self, id: str, status: Status, number: int, shielded: bool = False) -> Then:
        """The status of one of the two after an end; worked out once for each shape and for each harm."""
        statuses = self._statuses
        of_target = id == TARGET
        like = self._like[status if of_target else self.target] if self._ends[number].free else None
        done = self._effects_known[number, like]
        mine = done.target if of_target else done.actor
        of_shape = (of_target, shielded and bool(mine.effects), mine.on_rest, statuses.shape_of[status])
        if statuses.rules.harm_fields and of_shape in self._shapes_then:
            shape, rounds = self._shapes_then[of_shape]
            harm = statuses.harmed(status, id, mine.on_harm, mine.harms, shielded)
            return statuses.joined(shape, harm), rounds
        state = statuses.pair(self._actors[0], status) if of_target else statuses.pair(status, self.target)
        if of_target:  # to whom beginning may do something, too: those who are attacked in melee are in it
            state = fold.acted(statuses.rules, state, self._begins)
        if shielded:
            state = state._replace(shielded=(ACTOR, TARGET))
        after = follow_ups.applied(statuses.rules, state, ACTOR, mine.effects)
        then = self._status(after.combatants[id], status)
        self._shapes_then[of_shape] = statuses.shape_of[then[0]], then[1]
        return then

    def _alike(self, target: Status) -> Status:
        """One of the same kind whose parts are the same, to whom an end does the same."""
        self.sorts[target]  # which finds its parts
        return self._same_parts.setdefault((self._parts[target], self._statuses.kind_of[target]), target)

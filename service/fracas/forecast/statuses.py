"""Combatants as small whole numbers: how each stands, and what the course of a fight makes of it.

Everything that happens to a combatant is worked out once by the pure rules of encounters, on a fight of one or two, and
remembered. So a forecast follows the same rules as a fight at the table, and most of its time goes into looking up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from fracas.dice.sources import SeededDice
from fracas.encounters import effects, follow_ups, order, sides
from fracas.encounters.command_context import Author, CommandContext
from fracas.encounters.events import History
from fracas.encounters.state import Combatant, Condition, State
from fracas.engine.game import Game
from fracas.kernel.budget import UNLIMITED, Budget
from fracas.kernel.intents import Participant
from fracas.kernel.items import slug_of
from fracas.kernel.ruleset import Procedure
from fracas.kernel.stage import Facts
from fracas.kernel.turns import TurnRules

ACTOR, TARGET = "actor", "target"
"""The ids of the two in a step that is worked out."""
OTHER = "other"
"""The id of those whom the actor has attacked before the target, in the same slot."""
_SEED = b"fracas: forecast"  # of durations that packs roll: a forecast takes them as these dice have them
_MISSING = object()
Status = int
"""The number of a way in which a combatant stands."""
_K = TypeVar("_K")
_V = TypeVar("_V")


class Memo(dict[_K, _V], Generic[_K, _V]):
    """What a function returns, worked out when it is asked for first."""

    def __init__(self, work: Callable[[_K], _V]) -> None:
        super().__init__()
        self._work = work

    def __missing__(self, key: _K) -> _V:
        found = self[key] = self._work(key)
        return found


class Kind(NamedTuple):
    """What equal combatants of a side have in common.

    Attributes:
        one: a combatant of this kind as the forecast begins.
        bare: the same without what says how badly they are hurt.
        full: the rounds that a status holds of each item, whatever is left: those are counted beside it.
    """

    one: Combatant
    bare: Combatant
    full: Mapping[str, int]


Harm = tuple[Any, ...]
"""The values of the fields that say how badly a combatant is hurt, `None` for none."""


class Statuses:
    """The ways in which the combatants of a forecast stand.

    A status is a shape and a harm: what a ruleset names as fields of harm (`TurnRules.harm_fields`) changes nothing
    else but by way of `TurnRules.hurt`. So what is known of a shape holds for all its harms.

    Attributes:
        kinds: by number.
        budget: processor time for what is not known yet.
        kind_of, shape_of, harm_of: of each status.
        usual_roll: by kind an initiative roll as budgets and prices go by it; the order goes by the real one.
        begin_turn, begin_part, begin_slot, end_slot, end_part, end_turn: the status after that moment of a fight.
        end_slot_together: the same of those who act at the same time as others, who may do something to them meanwhile.
        felt: the status when those who acted at the same time feel what happened to them.
        turning: the status of those who turn to another target than so many before it in their slot.
        tied: whether a status is tied to another combatant, as in melee; `untied` is the status that it leaves.
        able, out: whether a status can act now, and whether it is out of the fight.
        conditions: the slugs of a status's conditions; `fallen` of those that take it out, such as to be dying.
        hurt: what the harm of a status changes; `at_once` what of that counts for steps, and not for the order alone.
        effects_known: the numbers of effects, as they read.
        left: what can be spent in decisions, such as Edge, by the fields of the sheet.
        rest: how much of what a combatant can bear is left, from 1 (unhurt) to 0.
    """

    def __init__(self, game: Game, rules: TurnRules, like: State) -> None:
        self.game, self.rules = game, rules
        self.budget: Budget = UNLIMITED
        self._blank = like._replace(
            combatants={}, resolutions={}, timers={}, due="", contest=None, queue=(), unopened={}, ended={},
            turn=1, part=1, phase="slot", acting=(), shielded=(), together=False, areas={},
        )  # fmt: skip
        dice = SeededDice(_SEED)
        self._context = CommandContext(game, rules, like, History(), Author("gm"), 0, dice, trying=True)
        self._counted = [
            track.field for track in rules.tracks.values() if track.fleeting
        ]  # 0 is the same as nothing
        fresh = {track.fresh for track in rules.tracks.values() if track.fresh}
        self.kinds: list[Kind] = []
        self.kind_of: list[int] = []
        self.shape_of: list[int] = []
        self.harm_of: list[Harm] = []
        self.usual_roll: dict[int, Facts] = {}
        self._body_of: list[int] = []
        self._bodies: dict[Any, int] = {}
        self._turned: dict[tuple[int, int], int] = {}
        self._left_alike: dict[tuple[int, Hashable], dict[str, int]] = {}
        self._shapes: list[tuple[int, Combatant, Any]] = []
        self._shapes_known: dict[Any, int] = {}
        self._views: dict[tuple[Any, ...], int] = {}
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._harmed: dict[tuple[int, Harm, int, bool], Harm] = {}
        self.effects_known: dict[str, int] = {}
        self._known: dict[tuple[int, Harm], Status] = {}
        self.begin_turn = Memo(
            self._passed(lambda state: _without_initiative(order.begin_turn(rules, state)))
        )
        self.begin_part = Memo(self._passed(lambda state: order.begin_part(rules, state)))
        self.begin_slot = Memo(
            self._passed(lambda state: order.begin_slot(rules, order.any_slot_begins(rules, state), ACTOR))
        )
        self.end_slot = Memo(self._passed(lambda state: self._rested(order.end_slot(rules, state, ACTOR))))
        self.end_slot_together = Memo(self._passed(lambda state: order.end_slot(rules, state, ACTOR)))
        self.end_part = Memo(self._passed(lambda state: order.end_part(rules, state)))
        self.end_turn = Memo(self._passed(lambda state: _turn_over(rules, state)))
        self.felt = Memo(
            self._passed(lambda state: order.shield(rules, state._replace(shielded=(ACTOR,)), ()), fresh)
        )
        self.turning: Memo[tuple[Status, int], Status] = Memo(self._turning)
        self.untied = Memo(self._passed(_untied))
        self.tied = self._of_body(
            lambda one: any(each.counterpart for each in self.combatant(one).conditions)
        )
        self.able = self._of_body(lambda one: bool(self.seen(one).able))
        self.out = self._of_body(lambda one: sides.is_out(rules, self.alone(one), ACTOR))
        self.hurt = self._of_body(lambda one: rules.hurt(self.seen(one)))
        self.at_once = self._of_body(lambda one: rules.counts_at_once(self.hurt[one]))
        self.conditions = self._of_body(
            lambda one: frozenset(each.slug for each in self.combatant(one).conditions)
        )
        self.fallen = self._of_body(self._fallen)
        self.rest = self._of_body(self._rest)
        self.left: Memo[Status, dict[str, int]] = Memo(self._left)

    def kind(self, one: Combatant) -> int:
        """The number of a combatant's kind, which is new if none is equal."""
        plain = _plain(one)
        for at, known in enumerate(self.kinds):
            if known.one == plain:
                return at
        full: dict[str, int] = {}
        for name, state in plain.items.items():
            rounds = state.get("rounds")
            if isinstance(rounds, int):
                full[name] = max(_magazine(self.game, name), rounds)
        bare = self._bare(plain)
        sheet = {name: value for name, value in bare.sheet.items() if value != 0 or name not in self._counted}
        self.kinds.append(Kind(plain, bare._replace(sheet=sheet), full))
        return len(self.kinds) - 1

    def status(self, kind: int, one: Combatant, others: int = 0) -> tuple[Status, tuple[int, ...]]:
        """The status of a combatant, and the rounds of its items, in the order of `Kind.full`.

        Args:
            others: combatants but the target at hand whom they have acted on in their slot.
        """
        full, items = self.kinds[kind].full, dict(one.items)
        rounds = []
        for name, most in full.items():
            rounds.append(int(items.get(name, {}).get("rounds", 0) or 0))
            items[name] = {**items.get(name, {}), "rounds": most}
        harm = tuple(map(one.sheet.get, self.rules.harm_fields))
        one = self._bare(_plain(one)._replace(items=items, targets=(OTHER,) * others))
        if nothing := [name for name in self._counted if one.sheet.get(name) == 0]:
            one = one._replace(
                sheet={name: value for name, value in one.sheet.items() if name not in nothing}
            )
        key = (kind, *_key(self.kinds[kind].bare, one))
        shape = self._shapes_known.get(key)
        if shape is None:
            shape = self._shapes_known[key] = len(self._shapes)
            self._shapes.append((kind, one, (kind, tuple(map(_condition, one.conditions)))))
        return self.joined(shape, harm), tuple(rounds)

    def _turning(self, key: tuple[Status, int]) -> Status:
        status, others = key
        alike = (self.shape_of[status], others)
        if alike not in self._turned:
            found = self.status(self.kind_of[status], self.combatant(status), others)[0]
            self._turned[alike] = self.shape_of[found]
        return self.joined(self._turned[alike], self.harm_of[status])

    def joined(self, shape: int, harm: Harm) -> Status:
        """The status of a shape with a harm."""
        found = self._known.get((shape, harm))
        if found is None:
            found = self._known[shape, harm] = len(self.shape_of)
            kind, _, conditions = self._shapes[shape]
            self.kind_of.append(kind)
            self.shape_of.append(shape)
            self.harm_of.append(harm)
            body = (conditions, harm) if self.rules.harm_fields else shape
            self._body_of.append(self._bodies.setdefault(body, len(self._bodies)))
        return found

    def _bare(self, one: Combatant) -> Combatant:
        """A combatant without what says how badly they are hurt."""
        fields = self.rules.harm_fields
        if not fields:
            return one
        return one._replace(sheet={name: value for name, value in one.sheet.items() if name not in fields})

    def combatant(self, status: Status, id: str = ACTOR) -> Combatant:
        """A combatant of that status."""
        kind, one, _ = self._shapes[self.shape_of[status]]
        harm = zip(self.rules.harm_fields, self.harm_of[status], strict=True)
        sheet = {**one.sheet, **{name: value for name, value in harm if value is not None}}
        other = TARGET if id == ACTOR else ACTOR
        conditions = tuple(
            each._replace(towards=(other,)) if each.counterpart else each for each in one.conditions
        )
        return one._replace(id=id, sheet=sheet, rolled=self.usual_roll.get(kind, {}), conditions=conditions)

    def alone(self, status: Status, id: str = ACTOR) -> State:
        """A fight of one, whose slot it is."""
        return self._blank._replace(combatants={id: self.combatant(status, id)}, acting=(id,))

    def pair(self, actor: Status, target: Status) -> State:
        """A fight of two, of whom one acts."""
        two = {ACTOR: self.combatant(actor), TARGET: self.combatant(target, TARGET)}
        return self._blank._replace(combatants=two, acting=(ACTOR,))

    def context(self, state: State) -> CommandContext:
        """What deciding on a command takes; no dice fall.

        Raises:
            OverBudgetError: the budget is used up.
        """
        self.budget.check()
        return self._context._replace(state=state)

    def seen(self, status: Status) -> Participant:
        """A combatant of that status as rules see it."""
        return order.participant(self.rules, self.combatant(status), self._blank.options)

    def unread(self, procedure: Procedure, record: str) -> tuple[str, ...]:
        """What is counted of a combatant that a procedure does not see in one of its records."""
        known = procedure.vocabulary.fields_of(record)
        return tuple(name for name in self._counted if name not in known)

    def view(self, status: Status, unread: tuple[str, ...], acts: bool) -> int:
        """The number of what a procedure can see of a combatant of that status.

        Args:
            unread: what it does not.
            acts: what they have done in their slot counts, too: what others did to them is done by themselves.
        """
        key = (self.shape_of[status], self.at_once[status], unread, acts)
        if key not in self._views:
            seen = self._seen_as(status, unread, acts)
            self._views[key] = self._numbers.setdefault(seen, len(self._numbers))
        return self._views[key]

    def harmed(
        self, status: Status, id: str, number: int, harms: Sequence[Mapping[str, Any]], shielded: bool
    ) -> Harm:
        """The harm of a combatant of that status after effects on harm, which have that number."""
        key = (self.kind_of[status], self.harm_of[status], number, shielded)
        if key not in self._harmed:
            state = self.alone(status, id)
            one = effects.apply(self.rules, state, harms).combatants[id]
            if shielded:
                one = follow_ups.not_felt(self.rules, state.combatants[id], one)
            self._harmed[key] = tuple(map(one.sheet.get, self.rules.harm_fields))
        return self._harmed[key]

    def _seen_as(self, status: Status, unread: Sequence[str], acts: bool) -> tuple[Any, ...]:
        kind, one, _ = self._shapes[self.shape_of[status]]
        seen, had = self.seen(status), self.kinds[kind].bare.sheet
        hidden = {*unread, *self.rules.harm_fields}
        sheet = {
            name: value if isinstance(value, int) else repr(value)
            for name, value in seen.sheet.items()
            if name not in hidden and ((other := had.get(name, _MISSING)) is not value and other != value)
        }
        own = (
            (seen.spent, seen.skips, len(seen.targets), seen.uses, seen.did, seen.turn_uses, one.used)
            if acts
            else ()
        )
        return (
            kind,
            self.at_once[status] if self.rules.harm_fields else None,
            tuple(sorted(sheet.items())),
            tuple(name for name in had if name not in seen.sheet),
            seen.conditions,
            tuple(effects.tally_changes(one)),
            repr((sorted(seen.towards), sorted(seen.condition_items.items()), sorted(seen.marks.items()))),
            repr(one.items) if one.items != self.kinds[kind].bare.items else "",
            repr(own),
        )

    def __len__(self) -> int:
        return len(self.shape_of)

    def _passed(
        self, change: Callable[[State], State], resets: Collection[str] = ()
    ) -> Callable[[Status], Status]:
        """What a moment makes of statuses. It is worked out once for each shape, if it does nothing to harm but reset
        these of its fields."""
        known: dict[int, int] = {}
        fields = self.rules.harm_fields

        def after(status: Status) -> Status:
            shape, harm = self.shape_of[status], self.harm_of[status]
            if resets:
                harm = tuple(None if name in resets else had for name, had in zip(fields, harm, strict=True))
            if shape in known:
                return self.joined(known[shape], harm)
            changed = change(self.alone(status)).combatants[ACTOR]
            found = self.status(self.kind_of[status], changed)[0]
            if fields and self.harm_of[found] == harm:
                known[shape] = self.shape_of[found]
            return found

        return after

    def _of_body(self, of: Callable[[Status], _V]) -> Memo[Status, _V]:
        """What depends on nothing but kind, conditions and harm."""
        known: dict[int, _V] = {}

        def found(status: Status) -> _V:
            body = self._body_of[status]
            if body not in known:
                known[body] = of(status)
            return known[body]

        return Memo(found)

    def _rested(self, state: State) -> State:
        """Without the counts of one's own slot, which nobody asks for until the next begins and resets them."""
        one = effects.reset(self.rules, state.combatants[ACTOR], "slot")
        economy = order.economy_in(state)
        if economy.span == "phase":
            returns = self.rules.returns(economy, state.options)
            own = {token for token in economy.full() if token not in returns}
            one = one._replace(spent={token: count for token, count in one.spent.items() if token not in own})
        return effects.with_combatant(state, one)

    def _rest(self, status: Status) -> float:
        if self.out[status]:
            return 0.0
        shares = [1.0]
        for gauge in self.rules.gauges(self.seen(status), self.game.packs):
            if gauge.harm and gauge.most:
                left = gauge.most - gauge.value if gauge.fills else gauge.value
                shares.append(max(0.02, min(1.0, left / gauge.most)))
        return min(shares)

    def _fallen(self, status: Status) -> tuple[str, ...]:
        shown = effects.shown(self.combatant(status))
        return tuple(dict.fromkeys(each.slug for each in shown if each.incapacitates))

    def _left(self, status: Status) -> dict[str, int]:
        alike = (self.shape_of[status], self.hurt[status])
        if alike not in self._left_alike:
            gauges = self.rules.gauges(self.seen(status), self.game.packs)
            tracks = self.rules.tracks
            spendable = (one for one in gauges if not one.harm and not one.fills and one.id in tracks)
            self._left_alike[alike] = {tracks[one.id].field: one.value for one in spendable}
        return self._left_alike[alike]


def _without_initiative(state: State) -> State:
    return state._replace(acting=(ACTOR,), phase="slot")


def _turn_over(rules: TurnRules, state: State) -> State:
    """What lasts so many turns lasts one less: each turn of a forecast is the first."""
    one = order.turn_ended(rules, state.combatants[ACTOR], state.turn)
    less = tuple(
        each._replace(until=each.until - 1) if each.unit == "turn" else each for each in one.conditions
    )
    return effects.with_combatant(state, one._replace(conditions=less))


def _untied(state: State) -> State:
    one = state.combatants[ACTOR]
    left = tuple(each for each in one.conditions if not each.counterpart)
    return effects.with_combatant(state, one._replace(conditions=left))


def _plain(one: Combatant) -> Combatant:
    """A combatant without what tells equal ones apart: id, name, initiative, and what they did in this turn."""
    conditions = tuple(
        each._replace(since=0, during=(), towards=() if each.counterpart else each.towards)
        for each in one.conditions
    )
    return one._replace(
        id=ACTOR, name="", hidden=False, asks=False, asks_reactions=False, dice="service", rolled={}, done=False,
        targets=(), position=None, conditions=conditions,
    )  # fmt: skip


def _key(base: Combatant, one: Combatant) -> tuple[Any, ...]:
    """What differs from the kind, as something that can be looked up."""
    sheet, had = one.sheet, base.sheet
    changed = [
        (name, value if isinstance(value, int) else repr(value))
        for name, value in sheet.items()
        if (other := had.get(name, _MISSING)) is not value and other != value
    ]
    changed.sort()
    gone = tuple(name for name in had if name not in sheet)
    return (
        tuple(changed),
        gone,
        tuple(map(_condition, one.conditions)),
        repr(one.items) if one.items != base.items else "",
        tuple(sorted(one.spent.items())),
        tuple(sorted(one.used.items())),
        tuple(sorted(one.marks.items())),
        one.skips,
        one.gone,
        len(one.targets),
    )


def _condition(one: Condition) -> tuple[Any, ...]:
    return (
        one.slug,
        one.unit,
        one.until,
        one.item,
        one.by,
        repr(one.sets) if one.sets else "",
        repr(one.changes),
    )


def _magazine(game: Game, item: str) -> int:
    entry = game.packs.entry("weapon", slug_of(item))
    value = entry.data.get("magazine") if entry else 0
    return value if isinstance(value, int) else 0

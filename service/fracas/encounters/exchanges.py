"""Exchanges: several attacks on one target, one after the other, by exact odds.

After each attack the target is as it left them: wounds, conditions and defenses that they have made count against the
next one, where the rules have it. The attacker is as before in each attack.

Where a target can stand in more ways than can be followed, the likely ones are, and a sample of the others stands for
them, see `thinned`. The rows that follow are estimates.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import floor, fsum
from typing import Any, NamedTuple, Protocol, TypeVar

from fracas.encounters import effects
from fracas.encounters.state import Combatant, Condition
from fracas.engine.game import Game
from fracas.engine.policies import ChoicesAlways
from fracas.engine.requests import Request, check_request
from fracas.engine.running import prepare
from fracas.errors import InputError, OverBudgetError
from fracas.kernel.budget import UNLIMITED, Budget
from fracas.kernel.odds import MAX_PATHS, Transitions, odds
from fracas.kernel.ruleset import DOWN
from fracas.kernel.stage import Effect

MOST_ATTACKS = 12
"""Attacks of an exchange."""
MOST_WAYS, KEPT_WAYS = 200, 100
"""Ways to stand that are followed; of more, so many are kept."""
MOST_ENDS, KEPT_ENDS = 2500, 600
"""Ends of an attack, over all ways to stand, that are followed; of more, so many are kept."""
ESTIMATED = (
    "The target can be hurt in so many ways that the later chances are estimates, mostly to within a point."
)
_LIKELY = 0.5
MOST_ORDERS = 120
"""Orders of different attacks that are compared."""


class World(Protocol):
    """What attacks do to a target. How they stand is a text, equal where they stand equally."""

    def request(self, standing: str, attack: int) -> Request:
        """An attack on a target who stands so."""

    def after(self, standing: str, attack: int, done: Sequence[Effect]) -> str:
        """How they stand after the effects of an outcome that did not drop them."""

    def record(self, attack: int) -> str:
        """What the target is called in the procedure of an attack."""


class Blow(NamedTuple):
    """One attack on a target who stands in a certain way.

    Attributes:
        hit, down: chances.
        damage: expected.
        left: the effects of the outcomes that do not drop them, each with its chance; the least damage first.
        refusals: why it is not possible; then nothing else holds.
    """

    hit: float = 0.0
    damage: float = 0.0
    down: float = 0.0
    left: Sequence[tuple[tuple[Effect, ...], float]] = ()
    refusals: tuple[str, ...] = ()


class Row(NamedTuple):
    """An attack of an exchange.

    Attributes:
        attack: which one.
        hit: the chance that it is made and hits.
        down: the chance that the target has dropped by then.
        damage: expected by then, all attacks together.
        impossible: the chance that the rules refuse it; it then does nothing.
        estimated: the ways in which the target can stand by then were too many to follow all of them.
    """

    attack: int
    hit: float
    down: float
    damage: float
    impossible: float
    estimated: bool = False


class Exchange:
    """Attacks whose odds are remembered, in whatever order they are made."""

    def __init__(self, world: World, first: str, budget: Budget = UNLIMITED) -> None:
        self._world, self._first, self._budget = world, first, budget
        self._known: dict[tuple[str, int], Blow] = {}
        self._after: dict[tuple[str, int, int], str] = {}
        self._transitions: dict[int, Transitions] = {}

    def course(self, order: Sequence[int]) -> list[Row]:
        """What comes of the attacks in this order; fewer rows than attacks where the budget ends.

        Raises:
            InputError: an attack lacks something, or has no target who could drop.
            OverBudgetError: the first attack alone takes longer than the budget.
        """
        standing, down, damage, rows, estimated = {self._first: 1.0}, 0.0, 0.0, list[Row](), False
        for at, attack in enumerate(order):
            try:
                blows = [(one, chance, self._blow(one, attack)) for one, chance in standing.items()]
                following, thin = self._following(blows, attack) if at < len(order) - 1 else ({}, False)
            except OverBudgetError:
                if not rows:
                    raise
                break
            made = [(chance, blow) for _, chance, blow in blows if not blow.refusals]
            down += fsum(chance * blow.down for chance, blow in made)
            damage += fsum(chance * blow.damage for chance, blow in made)
            refused = fsum(chance for _, chance, blow in blows if blow.refusals)
            hit = fsum(chance * blow.hit for chance, blow in made)
            rows.append(Row(attack, hit, down, damage, refused, estimated))
            standing, estimated = following, estimated or thin
        return rows

    def _following(
        self, blows: Iterable[tuple[str, float, Blow]], attack: int
    ) -> tuple[dict[str, float], bool]:
        """How the target stands after an attack, each way with its chance; and whether some stand for others."""
        ends: list[tuple[tuple[str, int, tuple[Effect, ...]], float]] = []
        found: dict[str, list[float]] = {}
        for one, chance, blow in sorted(blows, key=lambda each: each[2].down):
            if blow.refusals:
                found.setdefault(one, []).append(chance)
            ends += [((one, end, done), chance * share) for end, (done, share) in enumerate(blow.left)]
        followed = thinned(ends, MOST_ENDS, KEPT_ENDS)
        for (one, end, done), chance in followed:
            key = one, attack, end
            if key not in self._after:
                self._budget.check()
                self._after[key] = self._world.after(one, attack, done)
            found.setdefault(self._after[key], []).append(chance)
        ways = [(one, fsum(parts)) for one, parts in found.items()]
        kept = thinned(ways, MOST_WAYS, KEPT_WAYS)
        return dict(kept), len(followed) < len(ends) or len(kept) < len(ways)

    def refusals(self, attack: int) -> tuple[str, ...]:
        """Why an attack is not possible on the target as they stand now."""
        return self._blow(self._first, attack).refusals

    def _blow(self, standing: str, attack: int) -> Blow:
        key = standing, attack
        if key not in self._known:
            self._known[key] = self._played(standing, attack)
        return self._known[key]

    def _played(self, standing: str, attack: int) -> Blow:
        self._budget.check()
        request = self._world.request(standing, attack)
        prepared = prepare(request, request.attempt)
        if prepared.stage is None:
            return Blow(refusals=tuple(refusal.label for refusal in prepared.refusals))
        measure = next((one for one in request.procedure.measures if one.id == DOWN), None)
        if measure is None:
            message = f"{request.procedure.label} drops nobody"
            raise InputError.one(
                "procedure", "no-exchange", message, "ask for the odds of one attempt instead"
            )
        if attack not in self._transitions:
            policy = ChoicesAlways(request.choices)
            self._transitions[attack] = Transitions(policy, policy.inputs, self._budget)
        transitions = self._transitions[attack]
        transitions.allow(MAX_PATHS)
        branches = odds(prepared.stage, transitions, glitches=False).branches
        found = branches.get("" if len(branches) == 1 and "" in branches else self._world.record(attack))
        if found is None:
            message = "an exchange is about one target, and this attack strikes others"
            raise InputError.one("procedure", "no-exchange", message)
        hit, harm, down = [], [], []
        left: dict[tuple[Effect, ...], list[float]] = {}  # many outcomes differ in what they report alone
        hurts: dict[tuple[Effect, ...], float] = {}
        for outcome, weight in found.outcomes.items():
            chance, facts = weight / found.total, outcome.notes()
            struck = request.game.ruleset.struck(facts)
            if struck is not None and struck.hit:
                hit.append(chance)
                harm.append(chance * struck.damage)
            if measure.of(facts):
                down.append(chance)
            else:
                done = tuple(outcome.effects())
                left.setdefault(done, []).append(chance)
                hurts.setdefault(done, struck.damage if struck is not None else 0.0)
        ends = [(done, fsum(left[done])) for done in sorted(left, key=hurts.__getitem__)]
        return Blow(fsum(hit), fsum(harm), fsum(down), ends)


_T = TypeVar("_T")


def thinned(ways: Sequence[tuple[_T, float]], most: int, keep: int) -> Sequence[tuple[_T, float]]:
    """Ways with their chances; of more than `most` about `keep` of them, whose chances add up to the same.

    The likely ones keep their chances. Of each stretch of the others that adds up to the chance of a likely one, the
    one in the middle stands for all: so neighbours should be alike.

    >>> thinned([("a", 0.5), ("b", 0.1), ("c", 0.1), ("d", 0.2), ("e", 0.1)], 4, 3)
    [('a', 0.5), ('c', 0.25), ('d', 0.25)]
    """
    if len(ways) <= most:
        return ways
    chances = sorted((chance for _, chance in ways), reverse=True)
    rest, likely = fsum(chances), 0
    while likely < keep - 1 and chances[likely] * (keep - likely) >= rest:
        rest -= chances[likely]
        likely += 1
    share, so_far, kept = rest / (keep - likely), 0.0, []
    for one, chance in ways:
        if chance * (keep - likely) >= rest:
            kept.append((one, chance))
            continue
        before, so_far = so_far, so_far + chance
        if floor(before / share + 0.5) < floor(so_far / share + 0.5):
            kept.append((one, share))
    return kept


def orders(times: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every order of so many attacks of each kind; attacks of one kind are alike. The given order comes first."""
    if not any(times):
        yield ()
    for attack, left in enumerate(times):
        if left:
            less = [*times[:attack], left - 1, *times[attack + 1 :]]
            yield from ((attack, *rest) for rest in orders(less))


def best(exchange: Exchange, times: Sequence[int]) -> tuple[list[Row], list[Row], int]:
    """The order that drops the target most likely, and of equal ones soonest; the one that does so least; and how many
    were compared.

    Raises:
        InputError, OverBudgetError: see `Exchange.course`; or there are too many orders.
    """
    wanted: list[tuple[int, ...]] = []
    for order in orders(times):
        if len(wanted) == MOST_ORDERS:
            message = f"these attacks have more than {MOST_ORDERS} orders"
            raise InputError.one("attacks", "too-complex", message, "give fewer different attacks")
        wanted.append(order)
    courses = [exchange.course(order) for order in wanted]
    if any(len(rows) < len(order) for rows, order in zip(courses, wanted, strict=True)):
        message = "comparing these orders takes too long"
        raise InputError.one("attacks", "too-complex", message, "give fewer attacks")
    ranked = sorted(
        courses, key=lambda rows: [-round(rows[-1].down, 12), -round(fsum(row.down for row in rows), 12)]
    )
    return ranked[0], ranked[-1], len(courses)


class Requested:
    """The target of requests, outside a fight: their fields, and what effects and conditions of the packs change.

    Args:
        attacks: as a request has them, each complete; all on one target.

    Raises:
        InputError: an attack has no target.
    """

    def __init__(self, game: Game, attacks: Sequence[Mapping[str, Any]]) -> None:
        self._game, self._attacks = game, attacks
        self._records = []
        for at, attack in enumerate(attacks):
            declared = game.ruleset.attacks.get(attack["procedure"])
            if declared is None or game.ruleset.turns is None:
                known = ", ".join(game.ruleset.attacks)
                message = f"{attack['procedure']!r} is not an attack; attacks are {known}"
                raise InputError.one(f"attacks[{at}].procedure", "no-exchange", message)
            self._records.append(declared.target)
        self._aside = game.ruleset.attacks[attacks[0]["procedure"]].aside
        self._before = self._fields(check_request(attacks[0], game), self._records[0])
        self._known: dict[str, Combatant] = {}
        nobody = Combatant("target", "target", "", False, False, False, "service", self._before)
        self.first = self._kept(nobody)

    @staticmethod
    def _fields(request: Request, record: str) -> dict[str, Any]:
        """What a request has of the target, by field."""
        facts = request.attempt.input.facts
        own = {
            path.removeprefix(f"{record}."): value
            for path, value in facts.items()
            if path.startswith(f"{record}.")
        }
        return {field: value for field, value in own.items() if "." not in field}

    def _kept(self, combatant: Combatant) -> str:
        if self._aside:
            kept = {field: value for field, value in combatant.sheet.items() if field not in self._aside}
            kept |= {field: self._before[field] for field in self._aside if field in self._before}
            combatant = combatant._replace(sheet=kept)
        shown = [
            combatant.sheet,
            sorted((one.slug, sorted(one.sets.items())) for one in combatant.conditions),
        ]
        standing = json.dumps(shown, sort_keys=True, default=str)
        self._known.setdefault(standing, combatant)
        return standing

    def record(self, attack: int) -> str:
        return self._records[attack]

    def request(self, standing: str, attack: int) -> Request:
        data, record = self._attacks[attack], self._records[attack]
        vocabulary = self._game.procedure(data["procedure"]).vocabulary.fields
        now = effects.present(self._known[standing])
        changed = {
            field: value
            for field, value in now.items()
            if value != self._before.get(field)
            and (path := vocabulary.get(f"{record}.{field}")) is not None
            and path.derived_from is None
        }
        given = data["situation"].get(record, {})
        given = {"use": given} if isinstance(given, str) else dict(given)
        return check_request(
            {**data, "situation": {**data["situation"], record: {**given, **changed}}}, self._game
        )

    def after(self, standing: str, attack: int, done: Sequence[Effect]) -> str:
        rules, combatant = self._game.ruleset.turns, self._known[standing]
        assert rules is not None
        for effect in done:
            if effect.who != self._records[attack]:
                continue
            if effect.type in effects.POINTS:
                combatant = effects.moved(rules, combatant, effect._asdict())
            elif effect.type == "add-condition":
                combatant = effects.with_condition(
                    combatant, self._condition(effect.what, dict(effect.detail))
                )
        lost = next(
            (field for field in combatant.sheet if field not in self._before and field.endswith("_lost")),
            None,
        )
        if lost is not None:
            field = f"{self._records[attack]}.{lost.removesuffix('_lost')}"
            message = "it must be known to count the wounds"
            raise InputError.one(f"attacks[{attack}].situation.{field}", "missing-field", message)
        return self._kept(combatant)

    def _condition(self, slug: str, detail: Mapping[str, Any]) -> Condition:
        """A condition of the packs with what it sets and changes, as long as the exchange lasts."""
        entry = self._game.packs.entry("condition", slug)
        data: Mapping[str, Any] = entry.data if entry else {}
        fields = {
            name.removeprefix("set_"): value for name, value in detail.items() if name.startswith("set_")
        }
        sets = {**data.get("sets", {}), **fields}
        return Condition(slug, slug, sets, tuple(data.get("changes", ())), stacks=bool(data.get("stacks")))


def reported(
    exchange: Exchange, labels: Sequence[str], times: Sequence[int], order: str = "given"
) -> dict[str, Any]:
    """What comes of an exchange, as data.

    Args:
        labels: of the attacks, for people.
        times: how often each is made.
        order: ``given``, or ``best`` to find the best one.

    Raises:
        InputError, OverBudgetError: see `Exchange.course` and `best`.
    """
    if refusals := exchange.refusals(0):
        return {"status": "refused", "refusals": list(refusals)}
    wanted = [attack for attack, often in enumerate(times) for _ in range(often)]
    answer: dict[str, Any] = {"status": "resolved", "cut": False}
    if order == "best":
        rows, worst, compared = best(exchange, times)
        answer["orders"] = {"compared": compared, "worst": _rows(worst, labels)}
    else:
        rows = exchange.course(wanted)
    answer["cut"] = len(rows) < len(wanted)
    last = rows[-1]
    return answer | {
        "attacks": _rows(rows, labels),
        "down": last.down,
        "standing": max(0.0, 1.0 - last.down),
        "damage": last.damage,
    }


def _rows(rows: Sequence[Row], labels: Sequence[str]) -> list[dict[str, Any]]:
    return [{**row._asdict(), "label": labels[row.attack]} for row in rows]


def sentence(answer: Mapping[str, Any], target: str = "the target") -> str:
    """An exchange in one sentence: after how many attacks the target has dropped more likely than not.

    Args:
        answer: of `reported`, not refused.
        target: what they are called.
    """
    rows = answer["attacks"]
    shown = next((at for at, row in enumerate(rows) if row["down"] >= _LIKELY), len(rows) - 1)
    times = "one attack" if shown == 0 else f"{shown + 1} attacks"
    damage = f"{rows[shown]['damage']:.1f}"
    about = "about " if rows[shown]["estimated"] else ""
    return f"{target} drops within {times} with a chance of {about}{rows[shown]['down']:.0%}; expected damage {damage}."


def lines(answer: Mapping[str, Any]) -> Iterator[str]:
    """An exchange as a table of text.

    Args:
        answer: of `reported`.
    """
    if answer["status"] == "refused":
        yield from answer["refusals"]
        return
    yield sentence(answer, "The target")
    yield "attack      hit  dropped  damage"
    for at, row in enumerate(answer["attacks"], 1):
        yield f"{at:>6} {row['hit']:>8.1%} {row['down']:>8.1%} {row['damage']:>7.2f}  {row['label']}"
    if orders := answer.get("orders"):
        worst = orders["worst"][-1]["down"]
        yield f"The best of {orders['compared']} orders; in the worst one the chance is {worst:.1%}."
    if answer["attacks"][-1]["estimated"]:
        yield ESTIMATED
    if answer["cut"]:
        yield "There was no time for more attacks."

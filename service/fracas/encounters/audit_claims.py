"""What events claim beside dice, outcomes and effects: who and when, explained numbers, prices, changes.

The packs of that time are not there, so none of this is worked out anew. But it has to fit together, and to fit the
fight: a sum is that of its lines, a price can be paid, a condition that ended was there before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.encounters import by_itself, order, steps
from fracas.encounters.audit_scene import Data, expect, require
from fracas.encounters.events import Event
from fracas.encounters.state import Combatant, Resolution, State
from fracas.kernel.turns import InitiativeRoll, TurnRules

_GM = frozenset(("gm",))
_ANYBODY = frozenset(("gm", "player", "clock"))
_PEOPLE = frozenset(("gm", "player"))
ROLES: Mapping[str, frozenset[str]] = {
    "created": _GM,
    "joined": _GM,
    "left": _GM,
    "began-turn": _GM,
    "rolled-initiative": _GM,
    "acted": _PEOPLE,
    "delayed": _PEOPLE,
    "intervened": _PEOPLE,
    "answered": _ANYBODY,
    "contested": _GM,
    "applied": frozenset(("gm", "clock")),
    "discarded": frozenset(("gm", "clock")),
    "bought": _PEOPLE,
    "set": _PEOPLE,
    "placed": _GM,
    "moved": _PEOPLE,
    "mapped": _GM,
    "ruled": _GM,
    "advanced": _PEOPLE,
    "undone": _PEOPLE,
    "redone": _GM,
    "contributed": frozenset(("player",)),
    "reseeded": frozenset(("service",)),
    "closed": _GM,
}
"""Who may cause events of each type."""

_ASKING = frozenset(("asks", "asks_reactions"))
"""What players may set of their combatants."""
_COUNTING = ("applied", "capped")
_UNCOMPUTED = ("failed", "unknown")
_ORIGINS = ("base", "pack", "hand", "rule")
_POOLS = (".pool", ".chance")
"""How the names of numbers end that a first stage throws or compares."""
_FRESH = ("rolled", "done", "spent", "marks", "skips", "targets", "used", "gone")


class Claims:
    """Follows who did something and when."""

    def __init__(self) -> None:
        self._at = 0
        self._tokens: dict[str, tuple[Any, Any]] = {}

    def event(self, event: Event) -> None:
        """The event's time and author fit those before.

        Raises:
            DiffersError: they do not.
        """
        at: Any = event.at
        require(type(at) is int and at >= self._at, "at", "it was before the event before it")
        self._at = at
        by = event.by
        expect(sorted(by), ["label", "role", "token"], "by: its fields")
        role, token, label = by["role"], by["token"], by["label"]
        allowed = ROLES[event.type]
        require(
            role in allowed, "by.role", f"{role!r} causes no such event, but {' or '.join(sorted(allowed))}"
        )
        if event.type == "set" and role == "player":
            given = {name for name, value in event.data.items() if value} - {"combatant"}
            expect(given, {"is"}, "what a player sets")
            expect(sorted(set(event.data["is"]) - _ASKING), [], "what a player sets")
        require(all(type(value) is str for value in (token, label)), "by", "token and label are texts")
        if role in ("clock", "service"):
            expect(token, "", "by.token")
            expect(label, "clock" if role == "clock" else "fracas restore", "by.label")
            return
        require(bool(token), "by.token", "there is none")
        expect([role, label], list(self._tokens.setdefault(token, (role, label))), f"by, of token {token!r}")


def check_hidden(event: Event, before: State) -> None:
    """An event is hidden when it is about those who are."""
    require(type(event.hidden) is bool, "hidden", "it is neither true nor false")
    data, there = event.data, before.combatants
    expected: bool | None = False
    if event.type == "joined":
        expected = data["combatant"]["hidden"]
    elif event.type in ("left", "delayed", "intervened", "bought"):
        expected = there[data["combatant"]].hidden
    elif event.type in ("placed", "moved"):
        expected = all(there[id].hidden for id in data["positions" if event.type == "placed" else "moves"])
    elif event.type == "advanced":
        expected = there[data["waits"]].hidden if data.get("waits") else False
    elif event.type in ("applied", "discarded"):
        expected = before.resolutions[data["resolution"]].hidden
    elif event.type == "answered":
        first = data["steps"][0]["resolution"]
        expected = before.resolutions[first].hidden
    elif event.type == "contested":
        expected = all(step["open"]["hidden"] for step in data["rolls"])
    elif event.type == "set":
        expected = there[data["combatant"]].hidden and data.get("is", {}).get("hidden") is not False
    elif event.type == "acted":
        step = data["step"]
        expected = step["open"]["hidden"] if step else None
        named = (data["combatant"], data["target"])
        if any(there[id].hidden for id in named if id in there):
            expected = True
        elif expected is None and event.by["role"] == "player":  # only a GM hides what all could see
            expected = False
    if expected is not None:
        expect(event.hidden, expected, "hidden")


TIMES = frozenset(("part", "turn-begin", "turn-end", "slot-end", "now"))
"""When timers may be due."""


def check_timer(event: Event, timer: Data, where: str) -> None:
    """A timer is one that this event sets."""
    id = str(timer["id"])
    require(id.partition(".")[0] == f"t{event.version}", f"{where}.id", "it is that of another event")
    require(timer["when"] in TIMES, f"{where}.when", f"{timer['when']!r} is no time")


def check_joined(data: Data) -> None:
    """Who joins has done nothing in this fight."""
    fresh = Combatant("", "", "", False, False, False, "", {})
    for name in _FRESH:
        if name in data["combatant"]:
            value = getattr(fresh, name)
            expect(
                data["combatant"][name],
                list(value) if isinstance(value, tuple) else value,
                f"combatant.{name}",
            )
    require(data["combatant"]["dice"] in ("service", "hand"), "combatant.dice", "service or hand is expected")


def check_acted(rules: TurnRules, data: Data, before: State) -> None:
    """An action's price can be paid, its timer is due, and its step is done with the same things."""
    id, timer = data["combatant"], data.get("timer")
    if timer:
        require(timer in before.timers, "timer", "there is no such timer")
        expect(timer, before.due, "timer, which is due")
        require(not before.timers[timer].happened, "timer", "it has happened already")
        expect(data["action"], before.timers[timer].action, "action of the timer")
    require(
        all(type(count) is int and count > 0 for count in data["payment"].values()), "payment", "no count"
    )
    if not data["forced"] and data["payment"]:
        table = order.table_of(rules, before)
        full, spent = rules.budget(table, id, order.economy_in(before)), before.combatants[id].spent
        for token, count in data["payment"].items():
            left = full.get(token, 0) - spent.get(token, 0)
            require(count <= left, f"payment.{token}", f"{count} are paid, and {max(0, left)} are left")
    limit = data["limit"]
    require(limit is None or limit.endswith(f":{data['action']}"), "limit", "it is that of another action")
    step = data["step"]
    if step and step.get("open"):
        opened = step["open"]
        if opened["item"]:  # of what is used up, the step itself knows nothing
            expect(opened["item"], data["item"], "step.open.item")
        expect(opened["holder"] or id, data.get("holder", id), "step.open.holder")
        expect(opened["purpose"], "action", "step.open.purpose")
        items = (data["item"], data.get("second_item", ""))
        for record, item in opened["things"].items():
            require(item in items, f"step.open.things.{record}", "it is done with another thing")


def check_rolls(
    rules: TurnRules, event: Event, state: State, step: Data, asked: list[InitiativeRoll]
) -> None:
    """A roll for initiative or a contest is one that the rules ask for.

    Args:
        asked: what is left of a round of initiative rolls; this one is taken from it, and a round that is over is
            followed by the next, such as coins between those who tossed alike.
    """
    opened = step["open"]
    for name in ("target", "action", "item", "holder"):
        expect(opened[name], "", f"rolls: {name}")
    expect(opened["things"], {}, "rolls: things")
    expect(list(opened["who"].values()), [opened["actor"]], "rolls: who")
    expect(opened["hidden"], state.combatants[opened["actor"]].hidden, "rolls: hidden")
    expect(opened["quiet"], False, "rolls: quiet")
    if event.type == "contested":
        expect(opened["purpose"], "contest", "rolls: purpose")
        expect(opened["procedure"], rules.contests[event.data["contest"]].procedure, "rolls: procedure")
        expect(opened["counts_for"], [], "rolls: counts_for")
        return
    expect(opened["purpose"], "initiative", "rolls: purpose")
    asked[:] = asked or steps.initiative_rolls(rules, state)
    roll = next((roll for roll in asked if roll.who == opened["actor"]), None)
    require(roll is not None, "rolls: actor", "nobody asks for this roll")
    assert roll is not None
    asked.remove(roll)
    expect(opened["procedure"], roll.procedure, "rolls: procedure")
    expect(opened["counts_for"], list(roll.counts_for), "rolls: counts_for")


def check_opened(one: Resolution, opened: Data) -> None:
    """A step as it begins: its numbers are the sums of their lines, and some of them are thrown."""
    for name in ("hidden", "quiet"):
        require(opened[name] in (True, False), f"step {one.id}: {name}", "it is neither true nor false")
    require(
        opened["first"] is None or opened.get("request") is None, f"step {one.id}: request", "it is prepared"
    )
    if one.purpose != "action":
        for name in ("target", "action", "item", "holder"):
            expect(opened.get(name, ""), "", f"step {one.id}: {name} of a test that is no action")
    check_numbers(opened["tallies"], opened["first"], f"step {one.id}")


def check_numbers(tallies: Sequence[Data], first: Any, where: str) -> None:
    """Totals are the sums of what counts; what is thrown first is among them.

    Args:
        first: the stage that they lead to; None where it is not known.
    """
    numbers = set(_numbers(first)) if first is not None else None
    for at, tally in enumerate(tallies):
        here = f"{where}: tallies[{at}], {tally['to']}"
        total = 0
        for entry in tally["entries"]:
            verdict, value = entry["verdict"], entry["value"]
            require(entry["origin"] in _ORIGINS, here, f"{entry['label']}: its origin is {entry['origin']!r}")
            if verdict in _COUNTING:
                require(type(value) is int, here, f"{entry['label']} counts, and has no number")
                total += value
            elif verdict in _UNCOMPUTED:  # a line of the rule or by hand has its number all the same
                expect(
                    value if entry["origin"] == "pack" else None,
                    None,
                    f"{here}: {entry['label']}, which does not count",
                )
            else:
                expect(verdict, "suppressed", f"{here}: {entry['label']}: verdict")
        expect(tally["total"], total, f"{here}: total, the sum of its lines")
        if numbers is not None and tally["to"].endswith(_POOLS):
            require(
                total <= 0 or total in numbers, here, f"{total} is no number of the step that it leads to"
            )
            numbers = None  # what others throw, such as a defense, may be chosen later


def _numbers(stage: Any) -> Iterator[Any]:
    if isinstance(stage, (list, tuple)):
        for part in stage:
            yield from _numbers(part)
    else:
        yield stage


def check_changes(rules: TurnRules, event: Event, before: State, after: State) -> None:
    """What an event says that it changed is so, and names conditions that came and went.

    Causes and their words, and numbers, depend on packs and on the version that wrote the event.
    """
    for at, change in enumerate(by_itself.changes_in(event)):
        here = f"changes[{at}]"
        kind, who = change["kind"], change["who"]
        if kind in (by_itself.SIDE_OUT, by_itself.SIDE_BACK):
            continue
        require(
            who in before.combatants and who in after.combatants, f"{here}.who", "there is no such combatant"
        )
        was, one = before.combatants[who], after.combatants[who]
        if kind in (by_itself.ENDS, by_itself.BEGINS):
            more, fewer = (was, one) if kind == by_itself.ENDS else (one, was)
            _check_condition(change, more, fewer, here)
        elif kind in (by_itself.OUT, by_itself.BACK):
            could = order.participant(rules, was, before.options).able
            can = order.participant(rules, one, after.options).able
            require(could is not can and can is (kind == by_itself.BACK), here, "they can act as before")
        elif kind == by_itself.MOVES:
            require(was.position != one.position, here, "they are where they were")
        elif kind == by_itself.JOB:
            known = {each.slug for each in one.conditions}
            require(change["what"] in known, f"{here}.what", "there is no such job")
            require(change["was"] < change["now"], here, "the job does not go on")
        else:
            expect(kind, by_itself.POINTS, f"{here}.kind")
            require(change["was"] != change["now"], here, "nothing is another")


def _check_condition(change: Data, more: Combatant, fewer: Combatant, here: str) -> None:
    key = _key(change["what"], change.get("towards", ()))
    had, has = (Counter(_key(one.slug, one.towards) for one in each.conditions) for each in (more, fewer))
    require(had[key] > has[key], f"{here}.what", f"{change['what']!r} neither comes nor goes there")
    labels = {one.label for one in more.conditions if one.slug == change["what"]}
    require(change["label"] in labels, f"{here}.label", "the condition has another label")


def _key(slug: str, towards: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    return slug, tuple(towards)

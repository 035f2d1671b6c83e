"""Who may see what of a fight: combatants, sheets, steps, and events without the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.encounters import by_itself
from fracas.encounters.command_context import Author
from fracas.encounters.effects import JOIN
from fracas.encounters.events import Event
from fracas.encounters.state import Resolution, State

HIDDEN = "hidden"
"""The type of an event for those who may not see it: only that there is one."""


def sees_all(viewer: Author) -> bool:
    return viewer.role in ("gm", "clock")


def sees_draws(viewer: Author, state: State) -> bool:
    """Whether a viewer may know how many dice were drawn: gaps would tell of hidden rolls. The end discloses all."""
    return sees_all(viewer) or state.phase == "closed"


def sees(viewer: Author, state: State, id: str) -> bool:
    """Whether a viewer may know of a combatant; one who is not there, as after an undo, may have been hidden."""
    one = state.combatants.get(id)
    return viewer.commands(id) or (one is not None and not one.hidden)


def may_see(viewer: Author, state: State, one: Resolution) -> bool:
    """Whether a viewer sees all of a step: nothing of it is hidden, or it is that of their own hidden combatant."""
    if sees_all(viewer):
        return True
    if one.hidden:
        return viewer.commands(one.actor) and state.combatants[one.actor].hidden
    return all(sees(viewer, state, id) for id in (one.actor, *one.who.values()))


def known_change(change: Mapping[str, Any], viewer: Author, state: State) -> Mapping[str, Any] | None:
    """A change as a viewer may know of it; None for one that they may not."""
    return by_itself.seen(
        change,
        lambda id: sees(viewer, state, id),
        lambda id: open_sheet(viewer, state, id),
        sees_all(viewer),
    )


def event(event: Event, viewer: Author, state: State) -> dict[str, Any]:
    """An event as a viewer sees it; of one that is hidden from them only that there is one."""
    if sees_all(viewer):
        return event.plain()
    unseen = {"version": event.version, "type": HIDDEN}
    if event.previous:
        unseen["previous"] = event.previous
    if event.hidden and not _own(event, viewer, state):
        return unseen
    data = dict(event.data)
    data.pop("forced", None)
    if by_itself.CHANGES in data:
        seen_ = (known_change(one, viewer, state) for one in data["changes"])
        data["changes"] = [one for one in seen_ if one is not None]
    if "ended" in data:
        data["ended"] = [one for one in data["ended"] if not one["hidden"]]
    if event.type == "joined":
        data["combatant"] = _known(data["combatant"], viewer, state)
    elif event.type == "set" and not open_sheet(viewer, state, data["combatant"]):
        data = {"combatant": data["combatant"], "effects": data.get("effects", [])}
    for several in ("rolls", "steps"):
        if several in data:
            data[several] = [step for step in data[several] if _rolled_in_sight(step, viewer, state)]
    secret = _secret(viewer, state) | {id for id in _named(data) if not sees(viewer, state, id)}
    seen = _without(data, secret) if secret else data
    if seen is None:
        return unseen
    shown = {**event.plain(), "data": _masked(without_newcomers(seen), viewer, state)}
    shown.pop("salt", None)
    if not sees_draws(viewer, state):
        del shown["draws"]
        shown["data"] = without_draws(shown["data"])
    return shown


def _own(event: Event, viewer: Author, state: State) -> bool:
    """What viewers did themselves, and what their own hidden combatants do."""
    if viewer.token and viewer.token == event.by["token"]:
        return True
    one = (
        state.combatants.get(event.data["combatant"])
        if isinstance(event.data.get("combatant"), str)
        else None
    )
    return one is not None and one.hidden and viewer.commands(one.id)


def _secret(viewer: Author, state: State) -> frozenset[str]:
    """Ids and names of the combatants that the viewer does not know of."""
    hidden = [one for one in state.combatants.values() if not sees(viewer, state, one.id)]
    known = {one.name for one in state.combatants.values() if sees(viewer, state, one.id)}
    return frozenset(one.id for one in hidden) | (frozenset(one.name for one in hidden) - known)


def _named(data: Mapping[str, Any]) -> Iterator[str]:
    """The combatants that an event names, also those whose joining was undone: they may have been hidden."""
    yield from data.get("given", ())
    yield from data.get("combatants", ())
    for name in ("combatant", "target"):
        if isinstance(data.get(name), str) and data[name]:
            yield data[name]
    for effect in (*data.get("effects", ()), *(data.get("settled") or ()), *data.get("follows", ())):
        yield effect["who"]


def _without(value: Any, secret: frozenset[str]) -> Any:
    """Data without what names a secret combatant: of a list what does, else the whole; None if nothing is left."""
    if isinstance(value, str):
        return None if value in secret else value
    if isinstance(value, Mapping):
        left = {}
        for key, part in value.items():
            if key in secret:
                continue
            left[key] = seen = _without(part, secret)
            if seen is None and part is not None:
                return None
        return left
    if isinstance(value, (list, tuple)):
        parts = ((part, _without(part, secret)) for part in value)
        return [seen for part, seen in parts if part is None or seen is not None]
    return value


def without_newcomers(value: Any) -> Any:
    """Data without the sheets of those whom an effect brings into the fight: views of the fight show of them what a
    viewer may know."""
    if isinstance(value, Mapping):
        joins = value.get("type") == JOIN
        return {
            key: without_newcomers(part) if isinstance(part, _NESTED) else part
            for key, part in value.items()
            if not (joins and key == "combatant")
        }
    return [without_newcomers(part) if isinstance(part, _NESTED) else part for part in value]


def without_draws(value: Any) -> Any:
    """Data without the numbers of draws: under ``draw``, and the third of a part of a roll, see
    `conversation.Thrown`."""
    if isinstance(value, Mapping):
        return {
            key: None if key == "draw" else without_draws(part) if isinstance(part, _NESTED) else part
            for key, part in value.items()
        }
    if len(value) == 3 and value[1] == "seed" and isinstance(value[0], _NESTED):
        return [*value[:2], None]
    return [without_draws(part) if isinstance(part, _NESTED) else part for part in value]


_NESTED = (dict, list, tuple)


def _masked(data: dict[str, Any], viewer: Author, state: State) -> dict[str, Any]:
    """Without what steps carry of sheets: what they were prepared from, and until the fight is over their stages."""
    reported = dict(data)
    if reported.get("step"):
        reported["step"] = _masked_step(reported["step"], viewer, state)
    for several in ("rolls", "steps"):
        if several in reported:
            reported[several] = [_masked_step(step, viewer, state) for step in reported[several]]
    return reported


def _masked_step(step: Mapping[str, Any], viewer: Author, state: State) -> dict[str, Any]:
    over = {} if state.phase == "closed" else {"first": None}
    reported = {name: value for name, value in step.items() if name != "request"}
    if reported.get("open"):
        reported["open"] = {**reported["open"], "request": None, "policies": [], **over}
    if reported.get("prepared"):
        reported["prepared"] = {**reported["prepared"], **over}
    return reported


def _rolled_in_sight(step: Mapping[str, Any], viewer: Author, state: State) -> bool:
    opened = step.get("open")
    if opened is not None:
        return not opened["hidden"] and all(
            sees(viewer, state, id) for id in (opened["actor"], *opened["who"].values())
        )
    known = state.resolutions.get(step.get("resolution", ""))
    return known is None or may_see(viewer, state, known)


def open_sheet(viewer: Author, state: State, id: str) -> bool:
    """Whether a viewer may read a combatant's sheet."""
    return sees_all(viewer) or viewer.commands(id) or bool(state.settings.get("open_sheets"))


def _known(combatant: Mapping[str, Any], viewer: Author, state: State) -> dict[str, Any]:
    """A combatant who joins: the sheet of another is the GM's affair."""
    if open_sheet(viewer, state, combatant["id"]):
        return dict(combatant)
    return {name: combatant[name] for name in ("id", "name", "side", "player", "hidden")}

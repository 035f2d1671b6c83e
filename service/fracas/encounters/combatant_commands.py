"""Commands about who is in the fight and what is known of them: join, leave, set by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.encounters import by_state, fold, order, owned_fields, resorting
from fracas.encounters.arrivals import MAX_EVER, free_id, is_full, numbered
from fracas.encounters.command_context import (
    MOST,
    Command,
    CommandContext,
    Draft,
    for_gm,
    item_named,
    known,
    mine,
    rolled_by_hand,
)
from fracas.encounters.consequences import called_for, condition
from fracas.encounters.contests import settled
from fracas.encounters.position_commands import position_of
from fracas.encounters.schema_fields import MAX_THERE
from fracas.encounters.sheets import carried_by, check_carried, fields_checked, items_of, sheet_of, weapons_of
from fracas.encounters.state import Combatant, to_json
from fracas.errors import InputError, Problem, RefusedError, suggestion
from fracas.kernel.items import slug_of
from fracas.kernel.stage import Fact


def join(context: CommandContext, command: Command) -> Draft:
    for_gm(context, "add combatants")
    given = command["combatant"]
    given = {"use": given} if isinstance(given, str) else given
    name, sheet = sheet_of(context.game, given)
    sheet = dict(context.rules.arriving(sheet, given, context.game.packs, context.state.options))
    name = name or str(given.get("use", "")) or "Combatant"
    there = {one.name for one in context.state.combatants.values() if not one.gone}
    name = command["name"] or next(numbered(name, 1, there))
    id = command["id"] or free_id(context.state, name)
    taken = context.state.combatants.get(id)
    if taken is not None and not taken.gone:
        raise RefusedError("taken", f"{id!r} is in the fight already")
    if is_full(context.state, again=taken is not None):
        most = f"at most {MAX_THERE} are in a fight at a time, and {MAX_EVER} in all of it"
        raise RefusedError("too-many", f"{most}: remove combatants, and use ids again")
    weapons = command["weapons"]
    carried = command["carried"]
    if carried is None:
        carried = carried_by(context.game, given) if weapons is None else {}
    else:
        check_carried(context.game, carried, context.rules.gear)
    weapons = weapons_of(context.game, given) if weapons is None else weapons
    items = items_of(context.game, weapons, context.rules, carried, sheet)
    sheet, conditions = owned_fields.arriving(context, sheet)
    player, asks = command["player"], command["asks"]
    one = Combatant(
        id,
        name,
        command["side"] or ("players" if player else "others"),
        player,
        command["hidden"],
        player if asks is None else asks,
        command["dice"],
        sheet,
        conditions,
        items=items,
        asks_reactions=command["asks_reactions"],
        position=position_of(command["position"]) if command["position"] else None,
    )
    data: dict[str, Any] = {"combatant": to_json(one)}
    if effects := by_state.follows(context, None, one):
        data["effects"] = effects
    return "joined", data, one.hidden


def leave(context: CommandContext, command: Command) -> Draft:
    for_gm(context, "remove combatants")
    one = known(context, command["combatant"])
    data: dict[str, Any] = {"combatant": one.id}
    if (
        found := settled(context, fold.departed(context.state, one.id))
    ) is not None:  # all others have thrown
        data["settled"] = found
    return "left", data, one.hidden


def set_by_hand(context: CommandContext, command: Command) -> Draft:
    if context.by.role == "player" and _is_about_asking(command):
        one = mine(context, command["combatant"])
    else:
        for_gm(context, "set values by hand")
        one = known(context, command["combatant"])
    data: dict[str, Any] = {"combatant": one.id}
    had = {condition.slug for condition in one.conditions}
    effects: list[dict[str, Any]] = []
    if command["fields"]:
        fields, effects = owned_fields.by_hand(
            context, one.id, fields_checked(context.game, command["fields"]), had - set(command["remove"])
        )
        if fields:
            data["fields"] = fields
    items = {
        item_named(context, one, given, f"items.{given}"): known for given, known in command["items"].items()
    }
    _check_items(context, items)
    if items:
        data["items"] = {
            name: {**_known_before(context, one, name), **known} for name, known in items.items()
        }
    if command["rolled"] is not None:
        seen = order.participant(context.rules, one, context.state.options)
        data["rolled"] = dict(rolled_by_hand(context.rules, seen, command["rolled"], "rolled"))
    own = {
        name: command[name]
        for name in ("name", "side", "player", "hidden", "asks", "asks_reactions", "dice", "skips", "done")
    }
    own = {name: value for name, value in own.items() if value is not None}
    if own:
        data["is"] = own
    towards = tuple(
        known(context, id, f"towards[{at}]").id for at, id in enumerate(dict.fromkeys(command["towards"]))
    )
    data["effects"] = [
        {
            "type": "add-condition",
            "who": one.id,
            "what": slug,
            **condition(context, slug, {}, "", towards=towards),
        }
        for slug in _conditions(context, command["add"])
    ]
    added = {effect["what"] for effect in data["effects"]}
    data["effects"] += [effect for effect in effects if effect["what"] not in added]
    data["effects"] += [
        {
            "type": "add-condition",
            "who": id,
            "what": other,
            **condition(context, other, {}, "", towards=(one.id,)),
        }
        for effect in data["effects"]
        if effect["type"] == "add-condition"
        for id in effect["condition"]["towards"]
        if (other := effect["condition"]["counterpart"])
    ]
    data["effects"] += called_for(context, data["effects"])
    for at, slug in enumerate(command["remove"]):
        if slug not in had:
            message = f"{one.name} is not in {slug!r}"
            raise InputError.one(f"remove[{at}]", "no-such-condition", message, suggestion(slug, had))
        data["effects"].append({"type": "remove-condition", "who": one.id, "what": slug})
    if "fields" in data:
        healed = one._replace(sheet={**one.sheet, **data["fields"]})
        data["effects"] += [
            effect
            for effect in by_state.mended(context, one, healed)
            if effect["what"] not in command["remove"]
        ]
    after = fold.changed_by_hand(context.rules, context.state, data).combatants[one.id]
    done = {(effect["type"], effect["who"], effect["what"]) for effect in data["effects"]}
    data["effects"] += [
        effect
        for effect in by_state.follows(context, one, after)
        if (effect["type"], effect["who"], effect["what"]) not in done
    ]
    if len(data) == 2 and not data["effects"]:
        raise InputError.one(
            "", "missing-field", "nothing is set: give fields, items, add, remove or the like"
        )
    data |= resorting.after(
        context, data["effects"], fold.changed_by_hand(context.rules, context.state, data)
    )
    return "set", data, one.hidden and own.get("hidden") is not False


_OF_PLAYERS = frozenset(("combatant", "asks", "asks_reactions"))


def _is_about_asking(command: Command) -> bool:
    """Whether a command sets when the decisions of a combatant are asked, and nothing else: that is the player's."""
    return not any(value for name, value in command.items() if name not in _OF_PLAYERS | {"command"})


def _known_before(context: CommandContext, one: Combatant, name: str) -> Mapping[str, Fact]:
    entry = context.game.packs.entry("weapon", slug_of(name))
    return one.items.get(name) or (context.rules.kept(entry.data) if entry else {})


def _check_items(context: CommandContext, items: Mapping[str, Mapping[str, Any]]) -> None:
    """What is known of a thing is a flag, a count or a word: of several that its entry names, one of these, such as the
    firing mode of a gun."""
    problems = [
        Problem(
            f"items.{slug}.{name}", "wrong-type", "true, false, a whole number from 0 or a word is expected"
        )
        for slug, known in items.items()
        for name, value in known.items()
        if not (
            value is None
            or isinstance(value, bool)
            or (isinstance(value, int) and 0 <= value <= MOST)
            or (isinstance(value, str) and len(value) <= 100)
        )
    ]
    for slug, state in items.items():
        entry = context.game.packs.entry("weapon", slug_of(slug))
        if entry is None:
            continue
        for name, value in state.items():
            words = entry.data.get(f"{name}s")
            if isinstance(value, str) and isinstance(words, list) and value not in words:
                message, hint = f"{value!r} is no {name} of {entry.label}", suggestion(value, words)
                problems.append(Problem(f"items.{slug}.{name}", "unknown-choice", message, hint))
    if problems:
        raise InputError(problems)


def _conditions(context: CommandContext, slugs: list[str]) -> list[str]:
    known = set(context.game.packs.names("condition"))
    problems = [
        Problem(f"add[{at}]", "unknown-condition", f"no condition {slug!r}", suggestion(slug, known))
        for at, slug in enumerate(slugs)
        if context.game.packs.entry("condition", slug) is None
    ]
    if problems:
        raise InputError(problems)
    return slugs

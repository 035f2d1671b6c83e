"""The command by which a combatant acts, and the step that begins with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.encounters import order, sides, steps
from fracas.encounters.action_places import left_behind, on_the_ground, under_fire
from fracas.encounters.command_context import Command, CommandContext, Draft, for_gm, item_named, known, mine
from fracas.encounters.consequences import called_for, handling, set_by_use
from fracas.encounters.permission import (
    default_item,
    described,
    holder_of,
    intent_of,
    is_against,
    judge,
    target_lacking,
)
from fracas.encounters.reactions import begin_with_reaction
from fracas.encounters.sheets import merged, needs_target, participant_roles, records
from fracas.encounters.state import Combatant, Resolution, Timer
from fracas.encounters.steps import Wish
from fracas.encounters.turn_commands import delay
from fracas.engine.game import Game
from fracas.engine.summary import MEANT, ROW
from fracas.errors import ForbiddenError, InputError, RefusedError, suggestion
from fracas.exports.cards.terms import label_of
from fracas.kernel.intents import GRANTED, Intent
from fracas.kernel.turns import DELAYING
from fracas.packs.entries import Entry
from fracas.space import rounded


def act(context: CommandContext, command: Command) -> Draft:
    one = mine(context, command["combatant"])
    action = action_of(context, command["action"])
    if DELAYING in action.data.get("conditions", ()):
        return delay(context, command)
    if action.data.get("gm") and not command["timer"]:  # what is due happens by itself
        for_gm(context, f"say that it happens: {action.label}")
    scene = context.scene()
    target, timer = command["target"] or "", command["timer"] or ""
    if target:
        known(context, target, "target")
    due = context.state.timers.get(timer)
    item, second = items_named(context, one, action, command, due)
    intent = intent_of(scene, one, action, item, target, command["situation"])
    if target and context.rules.alone(scene.table, one.id, intent):
        intent, target, command = intent._replace(target=None), "", {**command, "target": None}
    ground = on_the_ground(context, one, action, command, item, due)
    if ground.target != target:
        intent = intent_of(scene, one, action, item, ground.target, command["situation"])
    target, command = ground.target, {**command, "others": ground.others}
    if second:
        other = intent_of(scene, one, action, second, target, command["situation"])
        intent = intent._replace(second=other)
    others = [known(context, id, f"others[{at}]").id for at, id in enumerate(command["others"])]
    if others:
        intent = intent._replace(others=tuple(scene.table.participants[id] for id in others))
    there = ground.context
    verdict = judge(there.scene(), one.id, action, intent, timer, pay=command["pay"])
    reasons = (*verdict.reasons, *(ground.reasons if not verdict.reasons else ()))
    lacks = target_lacking(there.scene(), one.id, intent)
    if lacks:  # forced, it is done to nobody: what it brings to a target does not come about
        reasons = (("needs", f"needs {lacks}"), *reasons)
    forced: list[str] = []
    if reasons:
        if not command["force"]:
            raise RefusedError(*reasons[0], more=reasons[1:])
        for_gm(context, "force an action")
        forced = [reason for _, reason in reasons]
    hidden = _hidden(context, command, one, target, *command["others"])
    data = steps.action_taken(context, one.id, action, dict(verdict.payment), verdict.skips, intent)
    named = named_entries(context.game, action, command["situation"], due.situation if due else {})
    if named:
        data["label"] += f": {next(iter(named.values()))}"
    data |= {"target": target, "item": item, "forced": forced}
    data["judged"] = [label for label in verdict.judged if label != lacks]
    if second:
        data["second_item"] = second
    if (holder := holder_of(scene, one.id, action)).id != one.id:
        data["holder"] = holder.id
    if timer:
        data["timer"] = timer
    else:
        did = [*context.rules.action_tags(scene.table, one.id, intent)]
        if verdict.granted:
            did += [GRANTED + token for token, count in verdict.payment.items() for _ in range(count)]
        if did:
            data["action_tags"] = did
        if spares := context.rules.spared(scene.table, one.id, intent):
            data["spares"] = sorted(spares)
    if ground.moves:
        data["moves"] = ground.moves
    areas = under_fire(there, one, intent, ground, target)
    if areas := areas | left_behind(there, one, intent, ground, target):
        data["areas"] = areas
    knows_places = any(who.position is not None for who in scene.table.participants.values())
    strides = context.rules.strides(scene.table, one.id, context.game.packs) if knows_places else {}
    if stride := strides.get(action.slug):
        data["stride"] = rounded(stride)
        data["span"] = context.rules.movement_span(context.state.options)
    if note := command["note"]:
        data["note"] = note
    if what := action.data.get("item"):
        items = [name for name in dict.fromkeys((item, second)) if name]
        found = [handling(context, one.id, action, name, what, command["situation"]) for name in items]
        data["effects"] += [effect for effect in found if effect["set"]]
    if not timer:
        data["effects"] += set_by_use(context, one.id, action, intent)
    data["effects"] += called_for(context, data["effects"])
    data["step"] = None
    if "procedure" in action.data:
        begun = opened(there, one, action, target, item, command["others"], hidden, second)
        begun = begun._replace(places=ground.places, named=named)
        if out := _out_of_the_fight(context, action, begun, timer, intent):
            if command["force"]:
                for_gm(context, "force an action")
                forced.append(out)
            elif not command["confirm"]:
                raise _unconfirmed(out)
        usual = context.rules.usual(scene.table, one.id, intent)
        brought = merged(usual, due.situation if due else {})
        data["step"], overruled = _step(there, command, begun, action, brought)
        forced += overruled
    return "acted", data, hidden


_ROWS = {ROW: "power", "device": "weapon"}
"""Fields that name what an action is about by a row of a table or an entry of this kind: a spell, a device."""


def named_entries(game: Game, action: Entry, *situations: Mapping[str, Any]) -> dict[str, str]:
    """What an action is done with that is no item, such as the spell that is cast: its label, by its record."""
    procedure = game.ruleset.procedures.get(action.data.get("procedure", ""))
    for record, kind in (procedure.vocabulary.records if procedure else {}).items():
        if kind.entry_kind not in MEANT:
            continue
        for given in (situation.get(record) for situation in situations):
            name = given.get("use") if isinstance(given, Mapping) else given
            if isinstance(name, str):
                entry = game.packs.entry(kind.entry_kind, name)
                return {record: entry.label} if entry else {}
    for field, known_as in _ROWS.items():
        row = next((situation[field] for situation in situations if situation.get(field)), None)
        if isinstance(row, str) and field not in action.data.get("situation", {}):
            entry = game.packs.entry(known_as, row)
            return {field: entry.label if entry else label_of(row)}
    return {}


CONFIRM_TARGET = "confirm-target"
"""The code of the refusal to do something to a target who is out of the fight, until the command confirms it."""


def _unconfirmed(out: str) -> RefusedError:
    return RefusedError(CONFIRM_TARGET, f"{out}; to do it all the same, confirm it")


def _out_of_the_fight(
    context: CommandContext, action: Entry, begun: Resolution, timer: str, intent: Intent
) -> str:
    """That the targets of an action are out of the fight, as a sentence; "" where they are not, or where the
    action is meant for such, or helps. A comrade needs no confirmation where there are opponents, or where the action
    does no harm; neither does someone who only stands in a blast."""
    if timer or action.data.get("gm") or action.data.get("on_fallen"):
        return ""
    scene = context.scene()
    if context.rules.helps(scene.table, begun.actor, intent):
        return ""
    harms = is_against(scene, begun.actor, action, intent)
    aimed = [begun.target, *(id for record, id in begun.who.items() if record.startswith("target_"))]
    state = context.state
    own = state.combatants[begun.actor].side
    opponents = any(one.side != own and not one.gone for one in state.combatants.values())
    found = []
    for id in dict.fromkeys(aimed):
        if (
            id
            and id != begun.actor
            and not ((opponents or not harms) and state.combatants[id].side == own)
            and sides.is_out(context.rules, state, id)
        ):
            one = state.combatants[id]
            seen = order.participant(context.rules, one, state.options)
            found.append(f"{one.name} is out of the fight ({order.why_unable(context.rules, one, seen)})")
    return " and ".join(found)


def items_named(
    context: CommandContext, one: Combatant, action: Entry, given: Mapping[str, Any], due: Timer | None
) -> tuple[str, str]:
    """The item with which an action is done, and a second one; "" for none.

    Raises:
        InputError: one is not there, or both are the same.
    """
    whose = holder_of(context.scene(), one.id, action)
    item = due.item if due else item_named(context, whose, given["item"])
    second = item_named(context, whose, given["second_item"], "second_item")
    if not item and not described(given["situation"]):
        item = default_item(context.scene(), one.id, action, second)
    if second and second == item:
        message = f"{second!r} is the first weapon already"
        raise InputError.one(
            "second_item", "named-twice", message, suggestion(second, {*whose.items} - {second})
        )
    return item, second


def action_of(context: CommandContext, slug: str) -> Entry:
    """An action of the packs.

    Raises:
        InputError: there is none of that slug.
    """
    action = context.game.packs.entry("action", slug)
    if action is None:
        hint = suggestion(slug, context.game.packs.names("action"))
        raise InputError.one("action", "unknown-action", f"no action {slug!r}", hint)
    return action


def _hidden(context: CommandContext, command: Command, one: Combatant, *others: str) -> bool:
    if command["hidden"]:
        for_gm(context, "hide a roll")
    known = context.state.combatants
    return bool(command["hidden"]) or one.hidden or any(known[id].hidden for id in others if id in known)


def opened(
    context: CommandContext,
    one: Combatant,
    action: Entry,
    target: str,
    item: str,
    others: Sequence[str] = (),
    hidden: bool = False,
    second: str = "",
) -> Resolution:
    """The step that an action begins, before anything of it is known.

    Args:
        others: further people that it concerns, for the procedure's further records.
        second: a second weapon, for the procedure's second record of one.

    Raises:
        InputError: it is done to a combatant, and nobody is named.
    """
    procedure = context.game.procedure(action.data["procedure"])
    sides, helping = participant_roles(procedure)
    if needs_target(procedure) and not target:
        message = f"{action.label} needs a target"
        raise InputError.one("target", "missing-field", message)
    if len(sides) > 1 and target == one.id:
        raise InputError.one("target", "own-target", f"{action.label} needs another combatant as its target")
    who = dict(zip(sides, (one.id, target) if target else (one.id,), strict=False))
    further = [*sides[2:], *helping]
    if further and not others:
        scene = context.scene()
        intent = intent_of(scene, one, action, item, target, {})
        others = context.rules.bystanders(scene.table, one.id, intent)
    who |= _others(context, further, target, others)
    weapons = records(procedure, "weapon")
    if second and len(weapons) < 2:
        raise InputError.one("second_item", "out-of-range", f"{action.label} is done with one thing")
    filled_in = {record: slug for record, slug in zip(weapons, (item, second), strict=False) if slug}
    return Resolution(
        f"r{context.version}",
        "action",
        one.id,
        target,
        action.slug,
        filled_in.get(weapons[0], "") if weapons else "",
        (),
        procedure.id,
        who,
        hidden,
        None,
        None,
        (),
        {},
        items=filled_in,
        holder=holder_of(context.scene(), one.id, action).id,
    )


def _others(
    context: CommandContext, sides: Sequence[str], target: str, others: Sequence[str]
) -> dict[str, str]:
    """Further people by their records.

    Raises:
        InputError: there are more than the procedure has records for, or one is named twice.
    """
    if len(others) > len(sides):
        message = f"at most {len(sides)} further people are in one step, not {len(others)}"
        raise InputError.one("others", "out-of-range", message)
    for at, id in enumerate(others):
        known(context, id, f"others[{at}]")
        if id == target or id in others[:at]:
            raise InputError.one(f"others[{at}]", "named-twice", f"{id!r} is named twice")
    return dict(zip(sides, others, strict=False))


def _step(
    context: CommandContext, command: Command, begun: Resolution, action: Entry, known: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """A step that begins, and what its rules have against it, which is forced."""
    force = command["force"] and context.by.role != "player"
    choices = _own_choices(context, begun, command["decisions"])
    wish = Wish(command["situation"], command["modifiers"], choices, force)
    brought = merged(action.data.get("situation", {}), known)
    _may_be_given(context, begun, wish, brought)
    quiet = not command["ask"]
    forced = steps.overruled(context, context.state, begun, wish, brought) if force else []
    waiting = begin_with_reaction(context, begun, wish, brought, quiet)
    return waiting or steps.begin(context, context.state, begun, wish, brought, quiet), forced


def _may_be_given(context: CommandContext, begun: Resolution, wish: Wish, brought: Mapping[str, Any]) -> None:
    """
    Raises:
        ForbiddenError: a player says what is for the GM to say.
    """
    if wish.modifiers:
        for_gm(context, "add numbers by hand")
    if not begun.item and described(wish.situation) and context.state.settings["apply"] != "confirm":
        for_gm(context, "use a weapon that no pack has, where effects are applied at once")
    if context.by.role == "player" and (field := steps.settled_field(context, begun, wish, brought)):
        raise ForbiddenError(f"situation.{field}: only the GM may set this otherwise than the fight has it")


def rehearse_step(
    context: CommandContext, id: str, action: Entry, target: str, item: str, situation: Mapping[str, Any]
) -> None:
    """Whether the step of an action can begin, against which nothing else speaks; nothing comes of it.

    Raises:
        RefusedError, ForbiddenError, InputError: as the command `act`.
    """
    one = context.state.combatants[id]
    given = {"target": target, "others": (), "situation": situation, "spot": None, "to": None}
    ground = on_the_ground(context, one, action, given, item, None)
    if ground.reasons:
        raise RefusedError(*ground.reasons[0], more=ground.reasons[1:])
    context, target = ground.context, ground.target
    scene = context.scene()
    begun = opened(context, one, action, target, item, ground.others)._replace(places=ground.places)
    intent = intent_of(scene, one, action, item, target, situation)
    if out := _out_of_the_fight(context, action, begun, "", intent):
        raise _unconfirmed(out)
    brought = merged(action.data.get("situation", {}), context.rules.usual(scene.table, id, intent))
    wish = Wish(situation)
    _may_be_given(context, begun, wish, brought)
    request = steps.request_of(context.game, context.rules, context.state, begun, wish, brought, False)
    steps.prepared(request._replace(attempt=request.attempt._replace(brief=context.trying)))


def _own_choices(
    context: CommandContext, begun: Resolution, decisions: Sequence[Mapping[str, Any]]
) -> Sequence[Mapping[str, Any]]:
    """Choices that a player may take in advance: those of the combatants that they command, which is meant without a
    name.

    Raises:
        ForbiddenError: one is another combatant's.
    """
    if context.by.role != "player":
        return decisions
    records = [record for record, id in begun.who.items() if context.by.commands(id)]
    for at, choice in enumerate(decisions):
        if choice["by"] and choice["by"] not in records:
            raise ForbiddenError(f"decisions[{at}].by: only the GM decides for others")
    return [{**choice, "by": choice["by"] or record} for choice in decisions for record in records]

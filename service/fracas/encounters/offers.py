"""What a combatant may do now, and for everything else the reason why not; and the odds of what it might do."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from fracas.encounters import fold, ranking, steps
from fracas.encounters.action_commands import action_of, items_named, opened
from fracas.encounters.action_places import on_the_ground
from fracas.encounters.command_context import CommandContext, known, mine
from fracas.encounters.commands import decide
from fracas.encounters.permission import CHOOSE_PAYMENT, default_item, intent_of, judge
from fracas.encounters.prices import price
from fracas.encounters.reactions import possible
from fracas.encounters.rehearsing import SITUATION, Rehearsal, Stage, defaults, rehearse
from fracas.encounters.schemas import load_command
from fracas.encounters.sheets import merged, participant_roles
from fracas.encounters.state import Resolution
from fracas.encounters.steps import Wish
from fracas.engine.running import give_odds, prepare
from fracas.errors import ForbiddenError, InputError, RefusedError
from fracas.kernel.economy import Tokens
from fracas.kernel.turns import DELAYING
from fracas.packs.citations import rule_of
from fracas.packs.entries import Entry

_GUESSES = (1, 2, 3, 5, 10)
"""Numbers that are tried where a rule lacks one, to see whether it refuses a word."""


def offers(
    context: CommandContext,
    id: str,
    only: str | None = None,
    aim: str = "",
    earlier: Sequence[dict[str, Any]] | None = None,
    beside: Collection[str] | None = None,
) -> dict[str, Any]:
    """Every action with its price and the reasons against it, and what else a combatant may do.

    Args:
        context: that of the fight, for the caller.
        id: of the combatant.
        only: the slug of the one action that is wanted, which takes a fraction of the time.
        aim: the id of the combatant that usual attacks are aimed at; "" for the likeliest target of each.
        earlier: the ``actions`` of an earlier answer to the same caller about the same version of the fight.
        beside: the slugs of the actions that are wanted beside those that may be usual; None for all actions.

    Raises:
        InputError: nobody is called so, or no action.
        ForbiddenError: the combatant is not the author's.
        RefusedError: it has left the fight.
    """
    mine(context, id)
    if aim:
        known(context, aim, "target")
    scene = context.scene()
    context = context._replace(prepared=scene)
    bought = context.rules.purchases(scene.table, id)
    ways = context.rules.interventions(scene.table, id)
    left = scene.budget(id)
    stage = Stage.of(context, scene, id)
    wanted = context.game.packs.entries("action") if only is None else [action_of(context, only)]
    if beside is not None:
        likely = ranking.likely(scene, id)
        wanted = [action for action in wanted if action.slug in likely or action.slug in beside]
    actions = (
        [*earlier]
        if earlier is not None
        else [_action(context, stage, id, action, left) for action in wanted]
    )
    return {
        "combatant": id,
        "version": context.history.version,
        "acting": id in context.state.acting,
        "budget": left,
        "usual": ranking.usual(stage, id, actions, left, aim) if id in context.state.acting else [],
        "actions": actions,
        "purchases": [
            {
                "on": purchase.id,
                "label": purchase.label,
                "cost": dict(purchase.cost),
                **_tried(context, "spend", combatant=id, on=purchase.id),
            }
            for purchase in bought
        ],
        "delay": _tried(context, "delay", combatant=id),
        "interventions": [
            {"when": when, **_tried(context, "intervene", combatant=id, when=when)} for when in ways
        ],
        "next": _tried(context, "next", combatant=id),
    }


def _action(context: CommandContext, stage: Stage, id: str, action: Entry, left: Tokens) -> dict[str, Any]:
    scene = stage.scene
    item = default_item(scene, id, action)
    intent = intent_of(scene, scene.state.combatants[id], action, item, "", {})
    verdict = judge(scene, id, action, intent, left=left)
    against = [reason for reason in verdict.reasons if reason[0] != CHOOSE_PAYMENT]
    reported = _reasons_of(tuple(against))
    tried: Rehearsal | None = None
    if DELAYING in action.data.get("conditions", ()):  # which is the command by another name
        reported = _tried(context, "delay", combatant=id)
    elif action.data.get("gm") and context.by.role == "player":
        reported = _reasons_of((("forbidden", "only the GM may say that it happens"),))
    elif not against:
        tried = rehearse(stage, id, action, item, left)
        reported = _reasons_of(tried.reasons)
    given = tried.given if tried is not None else defaults(scene, action)
    tried = tried or Rehearsal()
    procedure = action.data.get("procedure")
    sides = participant_roles(scene.game.procedure(procedure))[0] if procedure else ()
    return {
        "action": action.slug,
        "label": action.label,
        "type": action.data.get("type"),
        "cost": [dict(tokens) for tokens in price(scene, action.data)],
        "rule": rule_of(action, scene.game.ruleset.id) or None,
        "procedure": procedure,
        "targets": len(sides) > 1,
        "item": item or None,
        "target": tried.target or None,
        "situation": dict(action.data.get("situation", {})),
        "defaults": dict(given),
        **reported,
        "missing": list(tried.missing),
        "unlikely": tried.unlikely,
        "payment": dict(verdict.payment),
        "payments": [dict(tokens) for tokens in verdict.payments],
        "choose_payment": len(against) < len(verdict.reasons),
        "skips": verdict.skips,
        "judged": list(verdict.judged),
        "together": {
            field: list(others) for field, others in scene.rules.together(scene.table, id, intent).items()
        },
    }


def barred(context: CommandContext, reported: Mapping[str, Any], aim: str = "") -> list[dict[str, Any]]:
    """The weapons that a combatant has at hand and cannot attack with now, see `ranking.barred`.

    Args:
        reported: what `offers` returned for them.
    """
    id, shown = reported["combatant"], {line["item"] for line in reported["usual"] if line["hit"] is not None}
    if not reported["acting"] or all(item in shown for item in context.state.combatants[id].items):
        return []
    scene = context.scene()
    stage = Stage.of(context._replace(prepared=scene), scene, id)
    return list(ranking.barred(stage, id, reported["actions"], reported["budget"], shown, aim))


def may_be_tried(offer: Mapping[str, Any]) -> bool:
    """Whether nothing forbids an offered action, though a command may have to say more than is known here."""
    return bool(offer["allowed"] or offer["missing"] or offer["unlikely"])


def _tried(context: CommandContext, command: str, **given: str) -> dict[str, Any]:
    """Whether a command would be carried out. It makes no event, and these commands throw no dice."""
    try:
        decide(context, load_command({"command": command, **given}))
    except RefusedError as error:
        return _reasons_of(error.reasons)
    except ForbiddenError as error:
        return _reasons_of(((error.code, error.message),))
    except InputError as error:
        return _reasons_of(tuple((problem.code, problem.message) for problem in error.problems))
    return _reasons_of(())


def _reasons_of(reasons: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    return {
        "allowed": not reasons,
        "reasons": [{"code": code, "message": message} for code, message in reasons],
    }


def odds(context: CommandContext, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The exact odds of an action's step, with all that the fight knows, whether or not it is allowed now.

    Args:
        wanted: as a command ``act``.

    Raises:
        InputError: what is named is not there, the action rolls no dice, or the rules lack a fact.
        ForbiddenError: the combatant is not the author's.
        RefusedError: a combatant has left the fight.
    """
    context, step, wish, brought = rehearsed(context, wanted)
    asked = steps.request_of(context.game, context.rules, context.state, step, wish, brought, False)
    asked = asked._replace(attribution=wanted.get("attribution", True))
    answer = give_odds(asked, context.budget)
    if answer["status"] == "resolved":
        answer["people"] = list(_of_each(context, step, answer["branches"]))
    if answer["status"] == "resolved" and asked.attribution:
        answer["reactions"] = list(_with_reactions(context, step, wish, brought))
    return answer


def rehearsed(
    context: CommandContext, wanted: Mapping[str, Any]
) -> tuple[CommandContext, Resolution, Wish, Mapping[str, Any]]:
    """The step of a command ``act`` without its dice, what the command says of it, and what else brings facts to it;
    first the context, in which combatants stand where the command has them."""
    one, action = mine(context, wanted["combatant"]), action_of(context, wanted["action"])
    if "procedure" not in action.data:
        raise InputError.one("action", "no-procedure", f"{action.label} rolls no dice")
    target = wanted["target"] or ""
    if target:
        known(context, target, "target")
    due = context.state.timers.get(wanted["timer"] or "")
    item, second = items_named(context, one, action, wanted, due)
    wish = Wish(wanted["situation"], wanted["modifiers"], wanted["decisions"])
    ground = on_the_ground(context, one, action, wanted, item, due)
    context, target, others = ground.context, ground.target, ground.others
    step = opened(context, one, action, target, item, others, False, second)
    step = step._replace(places=ground.places)
    scene = context.scene()
    intent = intent_of(scene, one, action, item, target, wanted["situation"])
    intent = intent._replace(others=tuple(scene.table.participants[id] for id in others))
    usual = merged(context.rules.usual(scene.table, one.id, intent), due.situation if due else {})
    brought = merged(action.data.get("situation", {}), usual)
    return context, step, wish, brought


def usable(context: CommandContext, id: str, slug: str, items: Sequence[str]) -> list[str]:
    """The things among these with which a combatant can take an action now, as far as the fight knows.

    Args:
        slug: of the action.
        items: names of things of the combatant, or of their bare hands.
    """
    scene = context.scene()
    context = context._replace(prepared=scene)
    stage, left = Stage.of(context, scene, id), scene.budget(id)
    one, action = scene.state.combatants[id], action_of(context, slug)

    def serves(item: str) -> bool:
        verdict = judge(scene, id, action, intent_of(scene, one, action, item, "", {}), left=left)
        if {code for code, _ in verdict.reasons} - {CHOOSE_PAYMENT}:
            return False
        return not rehearse(stage, id, action, item, left).unlikely

    return [item for item in items if serves(item)]


def refused(
    context: CommandContext, wanted: Mapping[str, Any], field: str, choices: Sequence[str]
) -> list[str]:
    """Which words of a field of the situation the rules refuse, such as a firing mode that a gun does not have. What
    they refuse whatever the field says speaks against none of them.

    Args:
        wanted: as a command ``act``; what the rules lack beside is taken as it is most often.
        field: the path of the field, of those that take one of some words.
    """
    codes = {word: _against(context, wanted, field, word) for word in choices}
    common = frozenset.intersection(*codes.values()) if codes else frozenset()
    return [word for word, against in codes.items() if against - common]


def _against(context: CommandContext, wanted: Mapping[str, Any], field: str, word: str) -> frozenset[str]:
    """The codes of what the rules refuse if a field says this word; none where they lack something to judge it. Of a
    number that they lack, such as shots, some are tried: what only some of them bring about does not count."""
    given = merged(wanted["situation"], _nested(field, word))
    lacking, codes = _refusals(context, wanted, given)
    if not lacking:
        return codes
    fields = context.game.procedure(action_of(context, wanted["action"]).data["procedure"]).vocabulary.fields
    numbers = [one for path in lacking if (one := fields.get(path)) is not None and one.type == "whole"]
    tried = []
    for guess in _GUESSES:
        guessed = given
        for one in numbers:
            guessed = merged(guessed, _nested(one.path, max(guess, int(one.least))))
        lacking, codes = _refusals(context, wanted, guessed)
        tried.append(frozenset() if lacking else codes)
    return frozenset.intersection(*tried)


def _refusals(
    context: CommandContext, wanted: Mapping[str, Any], given: Mapping[str, Any]
) -> tuple[list[str], frozenset[str]]:
    """What the rules lack to judge a situation, and else the codes of what they refuse in it."""
    context, step, wish, brought = rehearsed(context, {**wanted, "situation": given})
    try:
        request = steps.request_of(context.game, context.rules, context.state, step, wish, brought, False)
        return [], frozenset(refusal.code for refusal in prepare(request, request.attempt).refusals)
    except InputError as error:
        return [one.path.removeprefix(SITUATION) for one in error.problems], frozenset()


def _nested(path: str, value: Any) -> dict[str, Any]:
    """``{"fire": {"mode": "single"}}`` of the path ``fire.mode``."""
    record, _, rest = path.partition(".")
    return {record: _nested(rest, value) if rest else value}


def _of_each(
    context: CommandContext, step: Resolution, branches: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """The measures for each of several people, by their branches."""
    measures = context.game.procedure(step.procedure).measures
    for branch in branches:
        if who := step.who.get(branch["branch"]):
            values = {
                measure.id: sum(row["chance"] * measure.of(row["outcome"]) for row in branch["outcomes"])
                for measure in measures
            }
            yield {"who": who, "record": branch["branch"], "measures": values}


def _with_reactions(
    context: CommandContext, step: Resolution, wish: Wish, brought: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """The measures of a step after each reaction that its targets may choose, one at a time.

    What combatants may do is shown to those who may read their sheets.
    """
    scene = context.scene()
    asked = steps.request_of(context.game, context.rules, context.state, step, wish, brought, False)
    numbers = {tally.to for tally in steps.prepared(asked).tallies}
    for record in context.rules.reacting(step.procedure, numbers):
        id = step.who.get(record)
        if id is None or id == step.actor or not _reads(context, id):
            continue
        for action, verdict in possible(scene, step, id):
            intent = intent_of(scene, context.state.combatants[id], action, "", step.actor, {})
            done = steps.action_taken(context, id, action, dict(verdict.payment), verdict.skips, intent)
            state = fold.acted(context.rules, context.state, done)
            asked = steps.request_of(context.game, context.rules, state, step, wish, brought, False)
            found = give_odds(asked._replace(attribution=False), context.budget)
            if found["status"] == "resolved":
                reported = {"who": id, "action": action.slug, "label": action.label}
                yield {**reported, "measures": found["measures"]}


def _reads(context: CommandContext, id: str) -> bool:
    by = context.by
    return by.role == "gm" or by.commands(id) or bool(context.state.settings.get("open_sheets"))

"""Steps of resolutions: how a command makes one begin or go on, and what an event records of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.encounters import conversation, effects, fold, order, placing
from fracas.encounters.command_context import CommandContext
from fracas.encounters.consequences import called_for, of_action, of_outcome, resolved
from fracas.encounters.conversation import Paid, Talk, Turned, resumed
from fracas.encounters.sheets import item_record, merged, record_of, records
from fracas.encounters.state import Resolution, State, opened, to_json
from fracas.engine import report
from fracas.engine.game import Game
from fracas.engine.policies import Choice, choices_of, take
from fracas.engine.requests import DiceWish, HouseRules, Request, check_request
from fracas.engine.running import prepare
from fracas.errors import InputError, RefusedError
from fracas.kernel import readers
from fracas.kernel.intents import Intent, StepContext
from fracas.kernel.items import slug_of
from fracas.kernel.procedures import owners_of
from fracas.kernel.readers import ChoiceRecord
from fracas.kernel.remembering import by_identity
from fracas.kernel.ruleset import Prepared, Procedure
from fracas.kernel.stage import Decision
from fracas.kernel.stage import to_json as stage_json
from fracas.kernel.turns import InitiativeRoll, TurnRules
from fracas.packs.entries import Entry

Step = dict[str, Any]

MAX_ROUNDS = 20
"""How often initiative may be rolled again for ties."""


class Wish(NamedTuple):
    """What a command says of a step beside who does what: situation, modifiers, choices; `force`: what the rules of the
    step refuse is done all the same."""

    situation: Mapping[str, Any] = {}
    modifiers: Sequence[Mapping[str, Any]] = ()
    decisions: Sequence[Mapping[str, Any]] = ()
    force: bool = False

    def choices(self) -> list[Choice]:
        """
        Raises:
            InputError: a condition is none.
        """
        return list(choices_of(self.decisions))


def request_of(
    game: Game,
    rules: TurnRules,
    state: State,
    one: Resolution,
    wish: Wish,
    brought: Mapping[str, Any],
    ask: bool,
) -> Request:
    """The request that resolves a step, with all that the fight knows.

    Args:
        brought: fields that the action itself sets.
        ask: decisions may be asked.

    Raises:
        InputError: the situation or the modifiers do not fit.
    """
    reported = merged(brought, wish.situation)
    known = known_of(game, rules, state, one, reported)
    placed = placing.facts_of(game, rules, state, one, reported)
    data = {
        "procedure": one.procedure,
        "situation": merged(merged(known, placed), reported),
        "modifiers": [
            *wish.modifiers,
            *_of_conditions(rules, state, one, game.procedure(one.procedure)),
        ],
        "decisions": [{"by": "", "roll": "", **choice} for choice in wish.decisions],
        "mode": "step" if ask else "auto",
        "dice": DiceWish(),
        "attribution": True,
        "exact": False,
        "explain": "all",
    }
    return check_request(data, game, _house_rules(game, state.options))


@by_identity()
def _house_rules(game: Game, options: Mapping[str, Any]) -> HouseRules:
    """All house rules: those of a fight that the packs still have, and the defaults. Few of its events change any.

    Raises:
        InputError: the packs no longer have the value of one.
    """
    rules = game.house_rules
    other = {id: value for id, value in options.items() if id in rules and value != rules[id].default}
    return HouseRules.of(game, other)


def _of_conditions(
    rules: TurnRules, state: State, one: Resolution, procedure: Procedure
) -> Iterator[dict[str, Any]]:
    """What conditions add to the numbers of those who are in them, as modifiers."""
    owners: Mapping[str, str] = rules.tallies
    for record, id in one.who.items():
        for stat, label, value in effects.tally_changes(state.combatants[id]):
            owners = owners or owners_of((procedure,))
            named = rules.groups.get(stat) or (stat, *(f"{other}.{stat}" for other in one.who))
            for to in named:  # of a single number also those of further targets
                if to in procedure.targets and owners.get(to) == record:
                    yield {"to": to, "label": label, "value": value}


def known_of(
    game: Game, rules: TurnRules, state: State, one: Resolution, reported: Mapping[str, Any]
) -> dict[str, Any]:
    """What the fight knows of a step: sheets with their conditions, the weapon, and what the ruleset adds."""
    procedure = game.procedure(one.procedure)
    known: dict[str, Any] = {
        record: record_of(procedure, record, state.combatants[id], one.item if id == one.actor else None)
        for record, id in one.who.items()
    }
    for record, name in one.items.items():
        item = state.combatants[one.holder or one.actor].items.get(name, {})
        known[record] = item_record(procedure, record, name, item)
    if one.purpose != "initiative":
        table = order.table_of(rules, state)
        actor, target = table.participants[one.actor], table.participants.get(one.target)
        others = {
            record: table.participants[id]
            for record, id in one.who.items()
            if id not in (one.actor, one.target)
        }
        known = merged(
            known, rules.situate(StepContext(table, actor, target, procedure.id, reported, others))
        )
    return known


def settled_field(
    context: CommandContext, one: Resolution, wish: Wish, brought: Mapping[str, Any]
) -> str | None:
    """The first field of a situation that is given although the fight, the weapon or the action settles it, by itself
    or by what it would take the place of.

    Only a GM may say such; a player may add what nobody knows yet.
    """
    known = merged(
        known_of(context.game, context.rules, context.state, one, merged(brought, wish.situation)), brought
    )
    for record in records(context.game.procedure(one.procedure), "weapon"):
        item = one.items.get(record)
        entry = context.game.packs.entry("weapon", slug_of(item)) if item else None
        own = known.get(record, {})
        own = {"use": own} if isinstance(own, str) else own  # a weapon that the action itself brings
        known[record] = merged(dict(entry.data) if entry else {}, own)
    for name, value in wish.situation.items():
        have = known.get(name)
        for field in value if isinstance(value, Mapping) else ():
            if f"{name}.{field}" in context.rules.gm_says:
                return f"{name}.{field}"
        if not isinstance(have, Mapping):
            if name in known:
                return name
            continue
        given = value if isinstance(value, Mapping) else {"use": value}
        found = next(
            (field for field in given if field == "use" or _settles(context.rules, have, field)), None
        )
        if found is not None:
            return f"{name}.{found}"
    return None


def _settles(rules: TurnRules, known: Mapping[str, Any], field: str) -> bool:
    return field in known or any(other in known for other in rules.stand_ins.get(field, ()))


def prepared(request: Request, force: bool = False) -> Prepared:
    """The procedure made ready; `force`: whatever its rules refuse.

    Raises:
        RefusedError: the rules make it impossible, for the reasons that they give.
        InputError: the situation lacks something.
    """
    asked = request.attempt
    found = prepare(request, asked._replace(rules=asked.rules.overruling()) if force else asked)
    if found.stage is None:
        reasons = [(refusal.code, refusal.label) for refusal in found.refusals]
        raise RefusedError(*reasons[0], more=reasons[1:])
    return found


def overruled(
    context: CommandContext, state: State, one: Resolution, wish: Wish, brought: Mapping[str, Any]
) -> list[str]:
    """What the rules have against a step that is done all the same.

    Raises:
        InputError: the situation lacks something.
    """
    request = request_of(context.game, context.rules, state, one, wish, brought, False)
    return [refusal.label for refusal in prepare(request, request.attempt).refusals]


def talk_of(
    context: CommandContext, state: State, one: Resolution, choices: list[Choice], quiet: bool = False
) -> Talk:
    """Who is asked, and who throws; `quiet`: the actor is asked nothing."""

    def asks(id: str, decision: Decision) -> bool:
        combatant = state.combatants.get(id)
        return (
            combatant is not None and combatant.decides(decision.reaction) and not (quiet and id == one.actor)
        )

    def by_hand(id: str) -> bool:
        combatant = state.combatants.get(id)
        return combatant is not None and (context.trying or combatant.dice == "hand")

    def can_pay(id: str, cost: Mapping[str, int], paid: Sequence[Paid]) -> bool:
        return not cost or id not in state.combatants or not context.scene(state).why_not_pay(id, cost, paid)

    return Talk(one.who, asks, by_hand, context.dice, choices, can_pay)


def begin(
    context: CommandContext,
    state: State,
    one: Resolution,
    wish: Wish,
    brought: Mapping[str, Any],
    quiet: bool,
) -> Step:
    """A resolution that begins at once: prepared, and played to its first question or its end.

    Raises:
        RefusedError, InputError: see `prepared`.
    """
    one, progress, talk = made_ready(context, state, one, wish, brought, quiet)
    turned = conversation.go_on(progress, talk)
    return {"open": opened(one), **ended(context, state, one, turned)}


def made_ready(
    context: CommandContext,
    state: State,
    one: Resolution,
    wish: Wish,
    brought: Mapping[str, Any],
    quiet: bool,
) -> tuple[Resolution, readers.Progress, Talk]:
    """A resolution that is prepared, where it stands, and what its conversation needs.

    Raises:
        RefusedError, InputError: see `prepared`.
    """
    talk = talk_of(context, state, one, wish.choices(), quiet)
    people = {id for id in one.who.values() if not (quiet and id == one.actor)} & state.combatants.keys()
    ask = any(state.combatants[id].decides(True) for id in people)
    request = request_of(context.game, context.rules, state, one, wish, brought, ask)
    if context.trying:
        request = request._replace(attempt=request.attempt._replace(brief=True))
    found = prepared(request, wish.force)
    assert found.stage is not None
    reported = merged(brought, wish.situation)
    facts = placing.facts_of(context.game, context.rules, state, one, reported)
    one = one._replace(
        places={**one.places, **placing.kept(facts, reported)},
        first=stage_json(found.stage),
        tallies=tuple(report.tallies(found.tallies, request.attempt.input.used)),
        facts=dict(found.facts),
        request=None,
        policies=tuple(wish.decisions),
        quiet=quiet,
    )
    return one, readers.begin(found.stage), talk


def action_taken(
    context: CommandContext, who: str, action: Entry, payment: Mapping[str, int], skips: int, intent: Intent
) -> dict[str, Any]:
    """What an event records of an action: its price, and what it does by itself."""
    limit = action.data.get("limit")
    return {
        "combatant": who,
        "action": action.slug,
        "label": action.label,
        "payment": payment,
        "skips": skips,
        "limit": f"{limit['per']}:{action.slug}" if limit else None,
        "effects": of_action(context, who, who, action.slug, action.data, intent),
    }


def go_on(
    context: CommandContext, one: Resolution, answers: Sequence[Any], progress: readers.Progress
) -> Step:
    """A resolution after an answer, played to its next question or its end."""
    choices = list(choices_of(one.policies))
    for record in progress.records:  # whose question has come already are spent, unless they are policies
        if isinstance(record, ChoiceRecord):
            take(choices, record.decision)
    talk = talk_of(context, context.state, one, choices, one.quiet)
    turned = conversation.go_on(progress, talk)
    turned = turned._replace(answers=(*answers, *turned.answers))
    return {"resolution": one.id, **ended(context, context.state, one, turned)}


def ended(context: CommandContext, state: State, one: Resolution, turned: Turned) -> Step:
    """What an event records of the end of a conversation, or of its next question."""
    step: Step = {"answers": list(turned.answers), "question": None}
    if turned.question is not None:
        step["question"] = asked(context, one, turned.question)
        return step
    progress = turned.progress
    if context.played is not None:
        context.played[one.id] = progress
    outcome = dict(progress.details)
    step |= {"outcome": outcome, "effects": resolved(context, one, progress.effects())}
    if one.purpose == "action":
        _where_it_lies(one, outcome, step["effects"])
        besides = of_outcome(context, one, context.game.packs.entry("action", one.action), outcome)
        besides += called_for(context, [*step["effects"], *besides])
        step |= {"effects": [*step["effects"], *besides], "besides": len(besides)}
    step["applied"] = True
    if one.purpose == "initiative":
        table = order.table_of(context.rules, state)
        step["rolled"] = {
            id: dict(context.rules.rolled(table.participants[id], progress.details))
            for id in one.counts_for
            if id in table.participants
        }
    elif one.purpose == "action" and step["effects"] and context.state.settings["apply"] == "confirm":
        step["applied"] = False
        options = [{"id": "apply", "label": "Apply the effects"}, {"id": "discard", "label": "Discard them"}]
        question = {"kind": "confirm", "owners": [], "options": options, "default": "apply"}
        step["question"] = asked(context, one, question)
    return step


def _where_it_lies(one: Resolution, outcome: Mapping[str, Any], effects: Sequence[dict[str, Any]]) -> None:
    """What was thrown at a spot and goes off later lies where it landed."""
    later = [effect for effect in effects if "timer" in effect]
    there = placing.landed(one.places, outcome) if later else None
    for effect in later if there is not None else ():
        effect["timer"] = {**effect["timer"], "spot": to_json(there)}


def asked(context: CommandContext, one: Resolution, question: Mapping[str, Any]) -> dict[str, Any]:
    """A question with its id and when it was asked; the deadline follows from that and from the settings.

    An event may open several steps, each with a question, but asks only one question of each.
    """
    return {"id": f"q{context.version}.{one.id}", **question, "asked": context.at}


def initiative_rolls(rules: TurnRules, state: State) -> list[InitiativeRoll]:
    """A round of initiative rolls: those that the rules ask for, and that are not awaited already."""
    awaited = {
        id
        for one in state.resolutions.values()
        if one.purpose == "initiative"
        for id in (one.actor, *one.counts_for)
    }
    return [roll for roll in rules.initiative(order.table_of(rules, state)) if roll.who not in awaited]


def initiative(context: CommandContext, state: State, wish: Wish) -> tuple[list[Step], State]:
    """The initiative rolls that the ruleset asks for, again while it asks for more, until people must answer.

    Raises:
        InputError: a sheet lacks what the roll needs.
    """
    steps: list[Step] = []
    for _ in range(MAX_ROUNDS):
        wanted = initiative_rolls(context.rules, state)
        if not wanted:
            break
        for roll in wanted:
            step = _initiative_step(context, state, roll, wish, len(steps))
            state = fold.steps(context.rules, state, [step])
            steps.append(step)
    return steps, state


def initiative_of(game: Game, roll: InitiativeRoll, hidden: bool, id: str) -> Resolution:
    """The step that an initiative roll is, before anything of it is known."""
    who = {records(game.procedure(roll.procedure), "combatant")[0]: roll.who}
    return Resolution(
        id,
        "initiative",
        roll.who,
        "",
        "",
        "",
        tuple(roll.counts_for),
        roll.procedure,
        who,
        hidden,
        None,
        None,
        (),
        {},
    )


def _initiative_step(
    context: CommandContext, state: State, roll: InitiativeRoll, wish: Wish, number: int
) -> Step:
    one = initiative_of(context.game, roll, state.combatants[roll.who].hidden, f"r{context.version}.{number}")
    mine = [choice for choice in wish.decisions if choice.get("combatant", roll.who) == roll.who]
    plain = [{key: value for key, value in choice.items() if key != "combatant"} for choice in mine]
    try:
        return begin(context, state, one, Wish({}, (), plain), roll.situation, False)
    except InputError as error:
        raise InputError(
            problem._replace(path=f"{roll.who}.{problem.path.rpartition('.')[2]}")
            for problem in error.problems
        ) from None


def resume(one: Resolution) -> readers.Progress:
    """Where a resolution stands.

    Raises:
        StageCodecError: another version of Fracas began it.
    """
    return resumed(one.first, one.answers)

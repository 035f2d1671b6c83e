"""Steps of a log, played again from their first stage with their answers: is this what the rules make of them?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.dice.sources import SeededDice
from fracas.encounters import conversation, order
from fracas.encounters.audit_claims import check_numbers, check_opened
from fracas.encounters.audit_dice import DiffersError, Thrown
from fracas.encounters.audit_effects import check_action, check_besides, check_effects
from fracas.encounters.audit_scene import Data, Scene, expect, require
from fracas.encounters.conversation import Talk
from fracas.encounters.events import Event
from fracas.encounters.reactions import NO_REACTION
from fracas.encounters.state import Resolution, State, resolution_of, to_json
from fracas.engine import report
from fracas.kernel import readers
from fracas.kernel.readers import MAX_STEPS, Progress
from fracas.kernel.stage import Decision, Roll

_HOW = ("chosen", "policy", "default", "timeout")
_FRESH: Data = {"answers": [], "question": None, "outcome": None, "effects": []}


def check_step(scene: Scene, known: Mapping[str, Resolution], step: Data, number: str) -> None:
    """A piece of a resolution.

    Args:
        known: the resolutions that are open before it.
        number: what follows ``r`` in the id of a resolution that begins here.

    Raises:
        DiffersError: it is not what the rules make of it.
    """
    one = _begun(scene, known, step, number)
    here = f"step {one.id}"
    if step.get("before"):
        owners = (one.question or {}).get("owners", ())
        require(
            [step["before"]["combatant"]] == list(owners), here, "another combatant than was asked reacts"
        )
        expect(step["before"]["action"], step.get("reaction"), f"{here}: reaction")
        check_action(scene, step["before"])
    elif "reaction" in step:
        expect(step["reaction"], NO_REACTION, f"{here}: reaction")
    if one.first is None:
        _check_reaction(scene, one, step, here)
        return
    asked = one.question or {}
    pending = asked["parts"] if asked.get("kind") == "roll" else None
    progress = conversation.resumed(one.first, one.answers)
    answers = step["answers"]
    require(len(one.answers) + len(answers) <= MAX_STEPS, here, "there are too many answers")
    for at, answer in enumerate(answers):
        progress = _answered(scene, one, progress, answer, pending if at == 0 else None, here)
    if progress.done:
        _check_end(scene, one, progress, step, here)
        return
    require(step.get("outcome") is None, here, "it has an outcome before its last question is answered")
    question = step["question"]
    require(isinstance(question, Mapping), here, "it waits, and nobody is asked")
    if not answers and asked.get("kind") == "roll":
        _check_partly_thrown(scene, progress, asked, question, here)
    else:
        _check_question(scene, one, progress, question, here)


def _begun(scene: Scene, known: Mapping[str, Resolution], step: Data, number: str) -> Resolution:
    """The resolution as the step finds it, with its first stage."""
    opened = step.get("open")
    if opened:
        one = resolution_of(opened)
        if scene.state is not None:
            expect(one.id, f"r{number}", "id of the step")
        fresh = {name: opened.get(name, value) for name, value in _FRESH.items()}
        expect(fresh, _FRESH, f"step {one.id}, where it begins")
        if scene.state is not None:
            check_opened(one, opened)
        return one
    id = step["resolution"]
    require(id in known, f"step {id}", "it goes on, but it is not open")
    one = known[id]
    if step.get("prepared"):
        require(one.first is None, f"step {id}", "it is prepared a second time")
        made = step["prepared"]
        check_numbers(made["tallies"], made["first"], f"step {id}")
        one = one._replace(first=made["first"], request=None)
    waits = one.request is not None or scene.state is None
    require(one.first is not None or waits, f"step {id}", "it goes on before it is prepared")
    return one


def _check_reaction(scene: Scene, one: Resolution, step: Data, here: str) -> None:
    """The target is asked how it reacts; which reactions there are, the packs know."""
    known = one.request is not None or scene.state is None  # others do not see what it is prepared from
    require(known and not step["answers"], here, "it has no first stage")
    question = step["question"]
    require(isinstance(question, Mapping) and question["kind"] == "reaction", here, "nobody is asked")
    owners = question["owners"]
    require(
        len(owners) == 1 and owners[0] in one.who.values() and owners[0] != one.actor,
        here,
        "another combatant than its targets is asked how to react",
    )
    expected = {
        "id": _id(scene, one),
        "kind": "reaction",
        "owners": question["owners"],
        "options": question["options"],
        "default": NO_REACTION,
        "asked": scene.event.at,
    }
    expect(question, expected, f"{here}: question")


def _answered(
    scene: Scene, one: Resolution, progress: Progress, answer: Any, pending: Any, here: str
) -> Progress:
    """The progress after one answer of the log."""
    awaited = progress.stage.awaits
    kind, *value = answer
    if isinstance(awaited, Roll):
        require(kind == "r", here, f"dice are awaited ({awaited.request}), and the answer is {answer!r}")
        thrown = _thrown(awaited, value[0], here)
        _check_thrown(scene, one, awaited, thrown, pending)
        return readers.skip_empty(readers.throw(progress, conversation.dealt_of(value[0])))
    require(isinstance(awaited, Decision), here, "it is over, and still there are answers")
    assert isinstance(awaited, Decision)
    require(kind == "c", here, f"a choice is awaited ({awaited.id}), and the answer is {kind!r}")
    option, how = value
    options = [known.id for known in awaited.options]
    require(option in options, f"{here}: {awaited.id}", f"{option!r} is none of {', '.join(options)}")
    require(how in _HOW, f"{here}: {awaited.id}", f"it was answered {how!r}, not {', '.join(_HOW)}")
    if how == "default":
        expect(option, awaited.default, f"{here}: {awaited.id}, by default")
    if how == "timeout":
        expect(scene.event.by.get("role"), "clock", f"{here}: {awaited.id}: who answers when time is over")
    return readers.skip_empty(readers.choose(progress, option, how))


def _thrown(roll: Roll, parts: Any, here: str) -> list[Thrown]:
    requests = report.roll_parts(roll)
    require(
        isinstance(parts, Sequence) and len(parts) == len(requests),
        here,
        f"{roll.request} has {len(requests)} parts",
    )
    return [
        Thrown(label, request, *part)
        for label, request, part in zip(roll.labels, requests, parts, strict=True)
    ]


def _check_thrown(scene: Scene, one: Resolution, roll: Roll, thrown: Sequence[Thrown], pending: Any) -> None:
    """Dice that answer a roll: some may have been thrown, and checked, before."""
    if pending is None:
        for by, part in zip(roll.by, thrown, strict=True):
            who = _talk(scene, one).combatant(by)
            if scene.state is not None and any(part.faces) and _by_hand(scene.state, who):
                raise DiffersError(
                    "dice", roll.labels[0], f"the dice of {who} are typed in, and nobody was asked"
                )
    fresh = []
    for at, part in enumerate(thrown):
        asked = pending[at] if pending is not None else {}
        if asked.get("thrown") is not None:
            expect([part.faces, part.source, part.draw], asked["thrown"], part.label, "dice")
            continue
        if part.source == "supplied" and not asked.get("hand"):
            raise DiffersError("dice", part.label, "the dice are supplied, and nobody was asked for them")
        fresh.append(part)
    scene.dice.roll(fresh)


def _check_partly_thrown(scene: Scene, progress: Progress, asked: Data, question: Data, here: str) -> None:
    """Some of those who throw have thrown."""
    roll = progress.stage.awaits
    assert isinstance(roll, Roll)
    requests, fresh = report.roll_parts(roll), []
    before, now = asked["parts"], question["parts"]
    require(len(before) == len(now) == len(requests), here, "the roll has other parts than before")
    for was, part, request in zip(before, now, requests, strict=True):
        if was["thrown"] is not None or part["thrown"] is None:
            expect(part["thrown"], was["thrown"], f"{here}: {part['label']}", "dice")
            continue
        require(bool(was["hand"]), here, f"nobody was asked for the dice of {part['label']}")
        fresh.append(Thrown(part["label"], request, *part["thrown"]))
    require(bool(fresh), here, "nobody has thrown anything")
    scene.dice.roll(fresh)
    parts = [{**was, "thrown": part["thrown"]} for was, part in zip(before, now, strict=True)]
    left = dict.fromkeys(one["who"] for one in parts if one["hand"] and one["thrown"] is None)
    require(bool(left), here, "all dice are thrown, and the roll is not answered")
    expect(question, {**asked, "parts": parts, "owners": list(left)}, f"{here}: question")


def _check_question(scene: Scene, one: Resolution, progress: Progress, question: Data, here: str) -> None:
    """What is asked now."""
    awaited, talk = progress.stage.awaits, _talk(scene, one)
    if isinstance(awaited, Decision):
        expected = conversation.decision_question(awaited, talk)
    else:
        assert isinstance(awaited, Roll)
        expected = conversation.roll_question(awaited, talk)
        if scene.state is None:  # whose dice are typed in is not known
            reported = [
                {**part, "hand": was["hand"]}
                for part, was in zip(expected["parts"], question["parts"], strict=True)
            ]
            expected |= {"parts": reported, "owners": question["owners"]}
    expected |= {"id": _id(scene, one), "asked": scene.event.at}
    expect(question, to_json(expected), f"{here}: question")


def _talk(scene: Scene, one: Resolution) -> Talk:
    state = scene.state

    def by_hand(id: str) -> bool:
        return state is not None and _by_hand(state, id)

    return Talk(one.who, lambda _id, _decision: True, by_hand, _NO_DICE, [])


_NO_DICE = SeededDice(bytes(32))


def _by_hand(state: State, id: str) -> bool:
    combatant = state.combatants.get(id)
    return combatant is not None and combatant.dice == "hand"


def _id(scene: Scene, one: Resolution) -> str:
    """The id that a question gets when it is asked; see `steps.asked`."""
    return f"q{scene.event.version}.{one.id}"


def _check_end(scene: Scene, one: Resolution, progress: Progress, step: Data, here: str) -> None:
    """The outcome, the effects, and what becomes of them."""
    require(step.get("outcome") is not None, here, "all is answered, and it has no outcome")
    expect(step["outcome"], to_json(dict(progress.details)), f"{here}: outcome")
    besides = step.get("besides", 0)
    require(
        type(besides) is int and 0 <= besides <= len(step["effects"]),
        here,
        "its effects are fewer than it says",
    )
    own = len(step["effects"]) - besides
    check_effects(scene, one, progress.effects(), step["effects"][:own], here)
    check_besides(scene, one, step["effects"][own:], here)
    if one.purpose == "initiative":
        if scene.state is not None:
            expect(step["rolled"], to_json(_rolled(scene, scene.state, one, progress)), f"{here}: rolled")
        waits = False
    else:
        require(not step.get("rolled"), here, "it is no initiative, and has rolled some")
        waits = one.purpose == "action" and bool(step["effects"]) and scene.apply == "confirm"
    expect(step["applied"], not waits, f"{here}: applied at once")
    question = step["question"]
    if not waits:
        expect(question, None, f"{here}: question")
        return
    require(isinstance(question, Mapping), here, "its effects wait, and nobody is asked to confirm them")
    options = [{"id": "apply", "label": "Apply the effects"}, {"id": "discard", "label": "Discard them"}]
    expected = {
        "id": _id(scene, one),
        "kind": "confirm",
        "owners": [],
        "options": options,
        "default": "apply",
        "asked": scene.event.at,
    }
    expect(question, expected, f"{here}: question")


def _rolled(scene: Scene, state: State, one: Resolution, progress: Progress) -> dict[str, Any]:
    table = order.table_of(scene.rules, state)
    return {
        id: dict(scene.rules.rolled(table.participants[id], progress.details))
        for id in one.counts_for
        if id in table.participants
    }


def steps_of(event: Event) -> Sequence[Mapping[str, Any]]:
    """The pieces of resolutions that an event reports."""
    data = event.data
    if event.type == "acted":
        return [data["step"]] if data["step"] else []
    if event.type == "set":
        rolled: Sequence[Mapping[str, Any]] = data.get("rolls", ())
        return rolled
    if event.type in ("began-turn", "rolled-initiative", "contested"):
        found: Sequence[Mapping[str, Any]] = data["rolls"]
        return found
    return data["steps"] if event.type == "answered" else []


def follow(open: dict[str, Resolution], step: Mapping[str, Any]) -> None:
    """A resolution after a step, where there is no state to keep it."""
    one = resolution_of(step["open"]) if step.get("open") else open[step["resolution"]]
    if step.get("prepared"):
        one = one._replace(first=step["prepared"]["first"], request=None)
    one = one._replace(answers=(*one.answers, *step["answers"]), question=step["question"])
    if step.get("outcome") is None:
        open[one.id] = one
    elif step["applied"]:
        open.pop(one.id, None)
    else:
        open[one.id] = one._replace(outcome=step["outcome"], effects=tuple(step["effects"]))

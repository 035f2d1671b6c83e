"""A combat step inside a fight is a conversation: rolls and decisions, each answered by its owner.

The stages are those of every other reader; a fight keeps the first one and the answers. Dice come from the fight's
committed seed, or from people who type theirs in: each part of a roll from the one who throws it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.dice.requests import Faces, check_faces
from fracas.dice.sources import Dealt, SeededDice
from fracas.engine import report
from fracas.engine.policies import Choice, take
from fracas.errors import InputError, RefusedError, StageCodecError, suggestion
from fracas.kernel import readers
from fracas.kernel.readers import ChoiceRecord, Progress, RollRecord
from fracas.kernel.stage import Decision, Roll, from_json

Question = Mapping[str, Any]
Thrown = tuple[list[list[int]], str, int | None]
"""One part of a roll: the faces of its groups, ``seed`` or ``supplied``, and the index of its first draw."""
Paid = tuple[str, Mapping[str, int]]
"""Who has chosen something, and its price in resources."""


class Talk(NamedTuple):
    """What a conversation needs to know of the fight.

    Attributes:
        who: the combatant behind each record of the procedure.
        asks: whether a combatant wants to be asked for a decision.
        by_hand: whether a combatant's dice are typed in.
        dice: the fight's dice.
        choices: decisions that were taken in advance; each answers the first question it fits, a policy every one.
        can_pay: whether a combatant still has what an option costs, after what has been paid in the same step; what
            was given in advance is void without.
    """

    who: Mapping[str, str]
    asks: Callable[[str, Decision], bool]
    by_hand: Callable[[str], bool]
    dice: SeededDice
    choices: list[Choice]
    can_pay: Callable[[str, Mapping[str, int], Sequence[Paid]], bool] = lambda id, cost, paid: True

    def combatant(self, by: str) -> str:
        return self.who.get(by, by)


class Turned(NamedTuple):
    """Where a conversation stands after it went on.

    Attributes:
        answers: what was answered, to be added to the resolution's.
        question: what is asked now, without its id and deadline; None at the end.
        progress: the stage, and how it was reached.
    """

    answers: tuple[Any, ...]
    question: Question | None
    progress: Progress


def resumed(first: Any, answers: Iterable[Sequence[Any]]) -> Progress:
    """A resolution played again to where it stands.

    Raises:
        StageCodecError: it was begun by another version of Fracas, whose stages are not known.
    """
    progress = readers.skip_empty(readers.begin(from_json(first)))
    for kind, *value in answers:
        if kind == "r":
            progress = readers.throw(progress, dealt_of(value[0]))
        elif kind == "c":
            progress = readers.choose(progress, value[0], value[1])
        else:
            raise StageCodecError(f"an answer of kind {kind!r}")
        progress = readers.skip_empty(progress)
    return progress


def dealt_of(parts: Sequence[Sequence[Any]]) -> Dealt:
    faces = tuple(tuple(group) for groups, _, _ in parts for group in groups)
    sources = {source for _, source, _ in parts}
    draws = [draw for _, _, draw in parts if draw is not None]
    return Dealt(faces, sources.pop() if len(sources) == 1 else "mixed", min(draws, default=None))


def go_on(progress: Progress, talk: Talk) -> Turned:
    """Answer what nobody needs to be asked for, up to the next question or the end."""
    answers: list[Any] = []
    while True:
        awaited = progress.stage.awaits
        if awaited is None:
            return Turned(tuple(answers), None, progress)
        if isinstance(awaited, Roll):
            if not awaited.request.groups():  # as `readers.skip_empty` does
                progress = readers.throw(progress, readers.NO_DICE)
                continue
            if any(talk.by_hand(talk.combatant(by)) for by in awaited.by):
                question = roll_question(awaited, talk)
                if question["owners"]:  # who throws by hand may have no dice in this roll
                    return Turned(tuple(answers), question, progress)
            parts = [_throw(part, talk.dice) for part in report.roll_parts(awaited)]
            progress = readers.throw(progress, dealt_of(parts))
            answers.append(["r", parts])
            continue
        choice = take(talk.choices, awaited)
        if choice is not None and _affordable(progress, talk, awaited, choice.choose):
            option, how = choice.choose, choice.how
        elif talk.asks(talk.combatant(awaited.by), awaited):
            return Turned(tuple(answers), decision_question(awaited, talk), progress)
        else:
            option, how = awaited.default, "default"
        progress = readers.choose(progress, option, how)
        answers.append(["c", option, how])


def _affordable(progress: Progress, talk: Talk, decision: Decision, choice: str) -> bool:
    return talk.can_pay(talk.combatant(decision.by), _cost(decision, choice), paid(progress, talk.who))


def paid(progress: Progress, who: Mapping[str, str]) -> list[Paid]:
    """Who has chosen what costs something, so far in a step."""
    found = [
        (who.get(one.decision.by, one.decision.by), _cost(one.decision, one.choice))
        for one in progress.records
        if isinstance(one, ChoiceRecord)
    ]
    return [(id, cost) for id, cost in found if cost]


def _cost(decision: Decision, choice: str) -> Mapping[str, int]:
    return next(dict(option.cost) for option in decision.options if option.id == choice)


def _throw(part: Any, dice: SeededDice) -> Thrown:
    dealt = dice.deal(part)
    return [list(group) for group in dealt.faces], "seed", dealt.draw


def roll_question(roll: Roll, talk: Talk) -> dict[str, Any]:
    parts = []
    for label, by, part in zip(roll.labels, roll.by, report.roll_parts(roll), strict=True):
        who = talk.combatant(by)
        groups = [
            {"count": group.dice, "sides": group.sides, "exploding": group.exploding}
            for group in part.groups()
        ]
        asked = {"label": label, "by": by, "who": who, "dice": str(part), "groups": groups}
        parts.append(asked | {"hand": talk.by_hand(who) and bool(groups), "thrown": None})
    return {"kind": "roll", "owners": _open_hands(parts), "dice": str(roll.request), "parts": parts}


def _open_hands(parts: Iterable[Mapping[str, Any]]) -> list[str]:
    """Whose dice are still awaited, each once."""
    return list(dict.fromkeys(part["who"] for part in parts if part["hand"] and part["thrown"] is None))


def decision_question(decision: Decision, talk: Talk) -> dict[str, Any]:
    options = [
        {"id": option.id, "label": option.label, "cost": dict(option.cost)} for option in decision.options
    ]
    return {
        "kind": "decision",
        "owners": [talk.combatant(decision.by)],
        "decision": decision.id,
        "by": decision.by,
        "options": options,
        "default": decision.default,
        "about": dict(decision.context),
        "reaction": decision.reaction,
    }


def answer_roll(
    progress: Progress,
    question: Question,
    talk: Talk,
    faces: Sequence[Sequence[int]] | None,
    throwers: Callable[[str], bool],
    everything: bool = False,
) -> tuple[Any | None, Question | None, Progress]:
    """Dice for the parts of a roll that a combatant throws: typed in, or by the service where `faces` is None.

    Args:
        throwers: whether the one who answers may throw for a combatant.
        everything: the service throws whatever is still missing, of any owner.

    Returns:
        The answer to the roll and no question, or no answer and the question with the parts thrown so far.

    Raises:
        RefusedError: nothing is left to throw for the one who answers.
        InputError: the faces do not fit.
    """
    roll = progress.stage.awaits
    assert isinstance(roll, Roll)
    parts = [dict(part) for part in question["parts"]]
    mine = [
        at
        for at, part in enumerate(parts)
        if part["hand"] and part["thrown"] is None and (everything or throwers(part["who"]))
    ]
    if not mine:
        raise RefusedError("already-answered", "your dice for this roll are thrown already")
    requests = report.roll_parts(roll)
    left = list(faces or ())
    for at in mine:
        if faces is None:
            parts[at]["thrown"] = list(_throw(requests[at], talk.dice))
            continue
        count = len(requests[at].groups())
        given: tuple[Faces, ...] = tuple(map(tuple, left[:count]))
        checked = check_faces(requests[at], given, "dice", len(faces) - len(left))
        parts[at]["thrown"] = [[list(group) for group in checked], "supplied", None]
        left = left[count:]
    if left:
        message = f"{len(left)} lists of faces were given but not asked for"
        raise InputError.one(f"dice[{len(faces or ()) - len(left)}]", "too-many-dice-given", message)
    if owners := _open_hands(parts):
        return None, {**question, "parts": parts, "owners": owners}, progress
    thrown = [
        part["thrown"] or list(_throw(asked, talk.dice)) for part, asked in zip(parts, requests, strict=True)
    ]
    return ["r", thrown], None, readers.throw(progress, dealt_of(thrown))


def answer_decision(progress: Progress, option: str, how: str) -> tuple[Any, Progress]:
    """
    Raises:
        InputError: there is no such option.
    """
    return ["c", option, how], readers.choose(progress, option, how, path="choose")


def check_option(question: Question, option: str | None) -> str:
    """
    Raises:
        InputError: no option, or one that the question does not offer.
    """
    known = [one["id"] for one in question["options"]]
    if option in known:
        return str(option)
    message = f"a choice is awaited: {', '.join(known)}" if option is None else f"{option!r} is no option"
    raise InputError.one(
        "choose", "unknown-option" if option else "wrong-answer", message, suggestion(option, known)
    )


def rolls_of(progress: Progress, answers: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    """Every roll of a resolution, part by part, each with where its dice came from."""
    thrown = [value[0] for kind, *value in answers if kind == "r"]
    rolls: list[dict[str, Any]] = []
    records = [record for record in progress.records if isinstance(record, RollRecord) and record.dealt.faces]
    for record, parts in zip(records, thrown, strict=True):
        for row, (_, source, draw) in zip(report.roll_rows(record), parts, strict=True):
            rolls.append(row | {"source": source, "draw": draw})
    return rolls


def account(progress: Progress, answers: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """Rolls, decisions and facts so far, as `engine.report` has them, but with the origin of each part's dice."""
    return {
        "rolls": rolls_of(progress, answers),
        "decisions": report.decisions_of(progress),
        "outcome": dict(progress.details),
    }

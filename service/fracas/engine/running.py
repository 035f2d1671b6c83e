"""Running requests: resolve, step with continuations, odds."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from itsdangerous import BadSignature, URLSafeSerializer

from fracas.dice.requests import check_faces
from fracas.dice.sources import Dealt, DiceSource, SeededDice, SuppliedDice, SystemDice, new_seed
from fracas.engine import report
from fracas.engine.cards import Caption, caption_of, with_cards
from fracas.engine.game import load_ruleset
from fracas.engine.policies import ChoicesAlways, ChoicesOnce
from fracas.engine.requests import DiceWish, Request
from fracas.engine.summary import with_summary
from fracas.engine.unnamed_items import with_names
from fracas.errors import ContinuationError, InputError, OverBudgetError, StageCodecError
from fracas.kernel import preparing, readers
from fracas.kernel.budget import UNLIMITED, Budget
from fracas.kernel.expectations import Valuation, expected
from fracas.kernel.odds import MAX_PATHS_BESIDES, Transitions, odds
from fracas.kernel.readers import Progress
from fracas.kernel.ruleset import AttemptRequest, Measure, Prepared, Procedure, Ruleset
from fracas.kernel.stage import Decision, Roll, Stage, from_json, to_json
from fracas.kernel.tally import Entry, tally_of
from fracas.kernel.vocabulary import EntryLookup

SYSTEM = SystemDice()

MOST_DIGITS = 4000
"""Digits of the fractions that `exact` gives; Python writes few more."""
LONGEST = 10**MOST_DIGITS


def resolve(request: Request) -> dict[str, Any]:
    """Run a request to its outcome and report it.

    Raises:
        InputError: the situation lacks something, or dice or decisions do not fit.
    """
    prepared = prepare(request, request.attempt)
    if prepared.stage is None:
        return _finished(request, report.refused(request, prepared))
    dice = _source(request.dice)
    progress = played(request, prepared.stage, dice)
    answer = report.resolved(request, prepared, progress, _disclosed(dice, True))
    return _finished(request, answer)


def played(request: Request, stage: Stage, dice: DiceSource) -> Progress:
    """A request's first stage played to its outcome, with the decisions of the request.

    Raises:
        InputError: dice or decisions do not fit.
    """
    policy = ChoicesOnce(request.choices)
    progress = readers.resolve(stage, dice, policy)
    if isinstance(dice, SuppliedDice):
        dice.finish()
    policy.finish()
    return progress


def _finished(request: Request, answer: dict[str, Any]) -> dict[str, Any]:
    """An answer with its sentence, and with the cards and as much explanation as are wanted."""
    ruleset = request.game.ruleset
    caption = caption_of(request.procedure, request.attempt.input, request.game.packs)
    packs = request.game.packs
    return _reported(ruleset, request.procedure, caption, answer, request.cards, request.explain, packs)


def _reported(
    ruleset: Ruleset,
    procedure: Procedure,
    caption: Caption,
    answer: dict[str, Any],
    cards: Sequence[str],
    how: str,
    lookup: EntryLookup | None = None,
) -> dict[str, Any]:
    carded = with_cards(answer, caption, ruleset, procedure, cards, lookup)
    reported = with_summary(ruleset, procedure, caption.names, carded)
    return report.unexplained(reported) if how == "none" else reported


def prepare(request: Request, asked: AttemptRequest) -> Prepared:
    """The procedure made ready; a modifier typed by hand for a number that it does without is reported as well.

    Raises:
        InputError: the situation lacks something that the rule needs.
    """
    try:
        prepared = preparing.prepare(request.procedure, asked)
    except InputError as error:
        raise with_names(error, request.procedure, asked.input, request.game.packs) from None
    built = {tally.to for tally in prepared.tallies}
    strays: dict[str, list[Entry]] = {}
    for number, modifier in enumerate(asked.hand, start=1):
        if modifier.to not in built:
            reason = "this step has no such number"
            entry = Entry(f"hand-{number}", modifier.label, modifier.value, "failed", reason, "hand")
            strays.setdefault(modifier.to, []).append(entry)
    if not strays:
        return prepared
    labels = request.procedure.targets
    more = tuple(tally_of(to, labels[to], tuple(entries)) for to, entries in strays.items())
    return prepared._replace(tallies=prepared.tallies + more)


def _source(wish: DiceWish) -> DiceSource:
    if wish.source == "supplied":
        return SuppliedDice(wish.faces)
    if wish.source == "seed":
        return SeededDice(wish.seed or new_seed())
    return SYSTEM


def _disclosed(dice: DiceSource | None, done: bool) -> dict[str, Any] | None:
    """What may be disclosed of committed dice: the commitment at once, the seed at the end."""
    if not isinstance(dice, SeededDice):
        return None
    reported: dict[str, Any] = {"commitment": dice.commitment, "draws": dice.draw}
    if done:
        reported["seed"] = dice.seed.hex()
    return reported


def explain(request: Request) -> dict[str, Any]:
    """The tallies of a request, without any roll."""
    prepared = prepare(request, request.attempt)
    if prepared.stage is None:
        return report.refused(request, prepared)
    return report.waiting(request, prepared, readers.begin(prepared.stage), None, None)


class Answer(NamedTuple):
    """The answer to a waiting step: dice that people threw, a choice, or neither: the service rolls."""

    dice: tuple[tuple[int, ...], ...] | None = None
    choose: str | None = None


class Stepper:
    """Steps through requests, one question at a time; between two steps nothing is kept but the continuation.

    A continuation holds the first stage, the answers so far and the explanation, signed. The seed that the service
    makes for committed dice is derived from its secret and a nonce in the continuation, so that nobody can read it
    there. A seed that the caller gave is known to the caller anyway.

    Args:
        rulesets: finds the ruleset of a continuation by its id, such as `Games.ruleset` in the words of the packs.
    """

    def __init__(
        self, secret: bytes | None = None, rulesets: Callable[[str], Ruleset] = load_ruleset
    ) -> None:
        self._rulesets = rulesets
        self._secret = secret or os.urandom(32)
        self._signer = URLSafeSerializer(self._secret, salt="fracas.continuation.2")

    def begin(self, request: Request) -> dict[str, Any]:
        """The first question of a request.

        Raises:
            InputError: the situation lacks something.
        """
        prepared = prepare(request, request.attempt)
        if prepared.stage is None:
            return _finished(request, report.refused(request, prepared))
        if request.dice.source == "supplied" or request.choices:
            field = "decisions" if request.choices else "dice"
            message = "step mode asks for dice and decisions one at a time"
            raise InputError.one(field, "not-in-step-mode", message)
        state = {
            "ruleset": request.game.ruleset.id,
            "procedure": request.procedure.id,
            "packs": [[pack.manifest.id, pack.manifest.version] for pack in request.game.packs.packs],
            "first": to_json(prepared.stage),
            "answers": [],
            "explanation": report.explanation(request, prepared),
            "seed": request.dice.seed.hex() if request.dice.seed else None,
            "nonce": os.urandom(16).hex() if request.dice.source == "seed" else None,
            "caption": caption_of(request.procedure, request.attempt.input, request.game.packs),
            "explain": request.explain,
        }
        begun = readers.skip_empty(readers.begin(prepared.stage))
        return self._report(state, begun, self._dice(state), request.cards)

    def go_on(self, continuation: str, answer: Answer, cards: Sequence[str] = ()) -> dict[str, Any]:
        """The next question, or the outcome, with as much explanation as the request wanted: in short at the beginning
        and at the end, in full with each answer.

        Args:
            cards: the forms of cards that are wanted.

        Raises:
            ContinuationError: the continuation was not made by this service.
            InputError: the answer does not fit the question.
        """
        state = self._read(continuation)
        progress = self._replay(state)
        dice = self._dice(state)
        awaited = progress.stage.awaits
        if isinstance(awaited, Roll):
            if answer.choose is not None:
                raise InputError.one("choose", "wrong-answer", "dice are awaited, not a choice")
            if answer.dice is not None:
                dealt = Dealt(check_faces(awaited.request, answer.dice), "supplied")
            else:
                dealt = dice.deal(awaited.request)
            progress = readers.throw(progress, dealt)
            state["answers"].append(["r", [list(group) for group in dealt.faces], dealt.source, dealt.draw])
        elif isinstance(awaited, Decision):
            if answer.choose is None:
                ids = ", ".join(option.id for option in awaited.options)
                raise InputError.one("choose", "wrong-answer", f"a choice is awaited: {ids}")
            progress = readers.choose(progress, answer.choose, path="choose")
            state["answers"].append(["c", answer.choose, "chosen"])
        return self._report(state, readers.skip_empty(progress), dice, cards)

    def _read(self, continuation: str) -> dict[str, Any]:
        try:
            state: dict[str, Any] = self._signer.loads(continuation)
        except (BadSignature, UnicodeError):
            raise ContinuationError(
                "this continuation was not made by this service, or was altered"
            ) from None
        return state

    def _replay(self, state: Mapping[str, Any]) -> Progress:
        self._rulesets(state["ruleset"])  # a service that has just started does not know its stages yet
        try:
            progress = readers.skip_empty(readers.begin(from_json(state["first"])))
        except StageCodecError as error:
            raise ContinuationError(f"this continuation is of another version: {error}") from None
        for kind, value, *rest in state["answers"]:
            if kind == "r":
                progress = readers.throw(progress, Dealt(tuple(map(tuple, value)), *rest))
            else:
                progress = readers.choose(progress, value, *rest)
            progress = readers.skip_empty(progress)
        return progress

    def _dice(self, state: Mapping[str, Any]) -> DiceSource:
        if state["nonce"] is None:
            return SYSTEM
        if state["seed"]:
            seed = bytes.fromhex(state["seed"])
        else:
            seed = hmac.digest(self._secret, b"seed:" + bytes.fromhex(state["nonce"]), hashlib.sha256)
        return SeededDice(seed, state.get("draw", 0))

    def _report(
        self, state: dict[str, Any], progress: Progress, dice: DiceSource, cards: Sequence[str]
    ) -> dict[str, Any]:
        if isinstance(dice, SeededDice):
            state["draw"] = dice.draw
        reported = _disclosed(dice, progress.done)
        continuation = None if progress.done else str(self._signer.dumps(state))
        answer = report.stepped(state, progress, continuation, reported)
        ruleset = self._rulesets(state["ruleset"])
        procedure = ruleset.procedures[state["procedure"]]
        between = bool(state["answers"]) and not progress.done and state["explain"] == "applied"
        how = "none" if between else state["explain"]
        return _reported(ruleset, procedure, Caption(*state["caption"]), answer, cards, how)


def give_odds(request: Request, budget: Budget = UNLIMITED) -> dict[str, Any]:
    """The exact distribution over outcomes, and what each modifier changes.

    Args:
        budget: processor time for all of it.

    Raises:
        InputError: the situation lacks something, or is too complex.
    """
    try:
        return _odds(request, budget)
    except OverBudgetError as error:
        raise OverBudgetError.after(budget.seconds, "situation", _cheaper(request)) from error


def _odds(request: Request, budget: Budget) -> dict[str, Any]:
    asked = request.attempt
    if request.attribution:
        asked = asked._replace(rules=asked.rules.remembering())
    prepared = prepare(request, asked)
    if prepared.stage is None:
        return _finished(request, report.refused(request, prepared))
    policy = ChoicesAlways(request.choices)
    transitions = Transitions(policy, policy.inputs, budget)
    found = odds(prepared.stage, transitions)
    if request.exact and any(one.total > LONGEST for one in found.branches.values()):
        message = f"the fractions have more than {MOST_DIGITS} digits"
        raise InputError.one(
            "exact", "too-complex", message, "leave exact out: chances are computed all the same"
        )
    policy.finish({decision.id: decision.default for decision in request.procedure.decisions})
    measures = request.procedure.measures

    known: dict[Stage, tuple[float, ...]] = {}  # what modifiers change is weighed over the same outcomes

    def measured(outcome: Stage) -> tuple[float, ...]:
        if outcome not in known:
            known[outcome] = _measured(measures, outcome)
        return known[outcome]

    values = found.expected(measured)
    attribution = []
    if request.attribution:
        transitions.allow(MAX_PATHS_BESIDES)
        valued: Callable[[Stage], Sequence[float]] = Valuation(transitions, measured)
        if found.rests:
            valued = partial(expected, transitions=transitions, of=measured)
        attribution = _attribution(request.procedure, asked, prepared, values, valued, budget)
    answer = report.odds(request, prepared, found, values, attribution, budget)
    return report.unexplained(answer) if request.explain == "none" else answer


def _cheaper(request: Request) -> str:
    """What would make the odds of a request cheaper."""
    ways = []
    if request.attribution:
        ways.append("leave attribution out (attribution: false)")
    if request.choices:
        ways.append("take fewer decisions in advance")
    if request.exact:
        ways.append("leave exact out")
    return "; ".join((*ways, "have fewer dice, rolls or targets"))


def _measured(measures: Sequence[Measure], outcome: Stage) -> tuple[float, ...]:
    facts = outcome.notes()
    return tuple(measure.of(facts) for measure in measures)


def _attribution(
    procedure: Procedure,
    asked: AttemptRequest,
    prepared: Prepared,
    with_all: Sequence[float],
    valued: Callable[[Stage], Sequence[float]],
    budget: Budget,
) -> list[dict[str, Any]]:
    """The change of each measure through each modifier and line of the rule that counts: with it, less without it."""
    ids = [measure.id for measure in procedure.measures]
    rows = []
    for tally in prepared.tallies:
        if tally.to not in procedure.targets:
            continue
        for entry in tally.changing():
            budget.check()
            stage = prepared.rebuild and prepared.rebuild(asked.rules.retally(tally, entry.id))
            stage = stage or procedure.prepare(_without(asked, tally.to, entry)).stage
            if stage is not None:
                changes = [have - lack for have, lack in zip(with_all, valued(stage), strict=True)]
                row = {"to": tally.to, "id": entry.id, "label": entry.label, "value": entry.value}
                rows.append(row | {"change": dict(zip(ids, changes, strict=True))})
    return rows


def _without(asked: AttemptRequest, to: str, entry: Entry) -> AttemptRequest:
    """The attempt without one line of a tally."""
    if entry.origin != "hand":
        return asked._replace(rules=asked.rules.without(to, entry.id))
    typed = [at for at, modifier in enumerate(asked.hand) if modifier.to == to]
    gone = typed[int(entry.id.removeprefix("hand-")) - 1]
    return asked._replace(hand=asked.hand[:gone] + asked.hand[gone + 1 :])

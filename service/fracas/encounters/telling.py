"""What a viewer sees of steps: names, prices, rolls, choices, outcomes and effects, as lines of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from fracas.encounters import asking, by_itself, conversation, overtaken_conditions, placing, sight, wording
from fracas.encounters.command_context import Author
from fracas.encounters.contests import CONTEST
from fracas.encounters.fight import Fight
from fracas.encounters.glossary import Glossary
from fracas.encounters.state import Condition, Resolution, State, resolution_of
from fracas.encounters.wording import UNNAMED, plain
from fracas.engine import report
from fracas.engine.game import Game
from fracas.engine.summary import in_words, sentences
from fracas.exports.cards.terms import NOTHING, came_to, label_of
from fracas.exports.readable import counted, listed
from fracas.kernel.readers import ChoiceRecord, Progress, RollRecord
from fracas.kernel.stage import Decision
from fracas.kernel.turns import TurnRules

Data = Mapping[str, Any]
Lines = Iterator[str]


class Telling:
    """Steps in the words of a viewer, who may not know everybody."""

    def __init__(self, game: Game, rules: TurnRules, fight: Fight, viewer: Author) -> None:
        self._game = game
        self._rules = rules
        self._glossary = Glossary(game, rules)
        self._fight = fight
        self._viewer = viewer
        self._names = {id: one.name for id, one in fight.state.combatants.items()}
        self._labels: dict[str, str] = {}
        self._begun: list[Data] = []
        self._overtaken: overtaken_conditions.Begun = frozenset()
        self._renewed: overtaken_conditions.Begun = frozenset()

    def name(self, id: str, state: State | None = None) -> str:
        """What a combatant is called, for a viewer who may know of them."""
        if not id:
            return "nobody"
        if not sight.sees(self._viewer, self._fight.state, id):
            return UNNAMED
        there = state.combatants.get(id) if state else None
        return plain(there.name if there else self._names.get(id, id))

    def _named(self, ids: Iterable[str], state: State) -> str:
        seen = [id for id in ids if sight.sees(self._viewer, self._fight.state, id)]
        return listed([self.name(id, state) for id in seen])

    def _price(self, data: Data) -> str:
        payment, skips = data["payment"], data.get("skips", 0)
        kind = self._glossary.whole_action(
            data["action"], payment, self._fight.state.economy.get("types", {})
        )
        found = [plain(self._glossary.token(token, count)) for token, count in payment.items() if count]
        found = [plain(kind)] if kind else found
        if skips:
            found.append(plain(counted(skips, f"coming {self._rules.words.slot}")))
        return f" ({', '.join(found)})" if found else ""

    def _what(self, one: Resolution, before: State) -> str:
        """What a step is called: its action, the test of a contest, or the initiative roll."""
        if one.purpose == CONTEST and before.contest is not None:
            found = self._rules.contests.get(before.contest[CONTEST])
            return plain(found.label if found else before.contest[CONTEST])
        return self._label(one.action)

    def _label(self, action: str) -> str:
        """What an action was called when it was taken, or is called now."""
        label = self._labels.get(action) or (self._glossary.action(action) if action else "initiative roll")
        return plain(label)

    def _facts(self, known: Data) -> str:
        return plain(self._glossary.facts(known))

    def _initiative(self, known: Data) -> str:
        """What an initiative roll gave."""
        named = not {"score", "side", "own"}.isdisjoint(known)
        words = in_words(self._game.ruleset, known) if named else []
        if not words:  # such as a score of 0, which no phrase names
            words = [f"Initiative {known['score']}" if "score" in known else self._glossary.facts(known)]
        first = plain(words[0])
        return ", ".join((first if "nitiative" in first else f"initiative: {first}", *map(plain, words[1:])))

    def _steps(self, steps: Iterable[Data], state: State) -> Lines:
        for step in steps:
            opened = step.get("open")
            one = resolution_of(opened) if opened else state.resolutions.get(step["resolution"])
            if one is None:
                continue
            yield from self._step(one, step, state)

    def _step(self, one: Resolution, step: Data, state: State) -> Lines:
        who = f"{self.name(one.actor, state)}: " if one.purpose != "action" else ""
        if before := step.get("before"):
            reaction = f"{plain(before['label'])}{self._price(before)}"
            yield f"{self.name(before['combatant'], state)} reacts: {reaction}"
            yield from self._effects(before["effects"], state)
        elif step.get("reaction"):
            owners = (one.question or {}).get("owners", (one.target,))
            yield f"{self._named(owners, state)} does not react"
        if made := step.get("prepared"):
            one = one._replace(first=made["first"], tallies=tuple(made["tallies"]))
        if step.get("open"):
            yield from (plain(line["text"]) for line in placing.sentences(one, self._glossary))
        if made or step.get("open"):
            yield from (
                f"{who}{self._tally(one, tally, state)}" for tally in one.tallies if wording.counts(tally)
            )
        yield from self._answers(one, step, state)
        if step.get("outcome") is not None:
            for id, facts in (step.get("rolled") or {}).items():
                known = {name: value for name, value in facts.items() if value not in NOTHING}
                if not step["answers"] and [*known.values()] == [tally["total"] for tally in one.tallies]:
                    continue  # the number above is all of it
                yield f"{self.name(id, state)}: {self._initiative(known)}"
            if one.purpose != "initiative":
                yield from (f"{who}{line}" for line in self._outcome(one, step, state))
            if step["applied"]:
                yield from self._effects(step["effects"], state)
            else:
                yield from (f"if applied: {line}" for line in self._possible(step["effects"], state))
        if (question := step.get("question")) is not None and question["kind"] != "confirm":
            yield self._asked(one, question, state)

    def _tally(self, one: Resolution, tally: Data, state: State) -> str:
        """A number; of one among several people with the name in place of the record."""
        line = wording.tally(tally)
        for record, id in one.who.items():
            number = f"{label_of(record)}: "
            if line.startswith(number):
                return f"{self.name(id, state)}: {line.removeprefix(number)}"
        return line

    def _asked(self, one: Resolution, question: Data, state: State) -> str:
        seen = [id for id in question["owners"] if sight.sees(self._viewer, self._fight.state, id)]
        verb = "are" if len(seen) > 1 else "is"
        by = self.name(one.actor, state)
        text = asking.text(self._glossary, question, self._what(one, state), by, one.procedure)
        return f"{self._named(seen, state) or UNNAMED} {verb} asked: {text}"

    def _outcome(self, one: Resolution, step: Data, state: State) -> Lines:
        """What an outcome says beyond its rolls and effects, a sentence for each target."""
        procedure = self._game.ruleset.procedures.get(one.procedure)
        if procedure is None:
            return
        rows: list[Data] = []
        if one.first is not None:
            with suppress(Exception):  # begun by another version of Fracas: what was rolled is repeated
                progress = conversation.resumed(one.first, (*one.answers, *step["answers"]))
                rolls = (record for record in progress.records if isinstance(record, RollRecord))
                rows = [row for record in rolls for row in report.roll_rows(record)]
        yield from sentences(self._game.ruleset, procedure, self._records(one, state), step["outcome"], rows)

    def _records(self, one: Resolution, state: State) -> dict[str, str]:
        """What the records of a step are called: combatants by their names, weapons and spells by their labels."""
        weapons = (one.items or {"weapon": one.item}).items()
        found = {record: plain(self._glossary.item(item)) for record, item in weapons if item}
        found |= {record: plain(label) for record, label in one.named.items()}
        return found | {record: self.name(id, state) for record, id in one.who.items()}

    def _answers(self, one: Resolution, step: Data, state: State) -> Lines:
        answers = step["answers"]
        question = step.get("question") or {}
        if not answers and question.get("kind") == "roll":
            for part in question["parts"]:
                if part["thrown"] is not None:
                    label = plain(asking.roll(part["label"], part["by"]))
                    yield f"{label} ({self.name(part['who'], state)}): {wording.faces(*part['thrown'])}"
        if one.first is None or not answers:
            return
        progress: Progress | None
        try:
            progress = conversation.resumed(one.first, one.answers)
        except Exception:  # begun by another version of Fracas: its dice are shown without their meaning
            progress = None
        for answer in answers:
            if progress is None:
                yield from _raw(answer)
                continue
            awaited = progress.stage.awaits
            progress = conversation.resumed(one.first, (*one.answers, answer))
            one = one._replace(answers=(*one.answers, answer))
            record = [found for found in progress.records if not _empty(found)][-1]
            if isinstance(record, RollRecord):
                yield from self._roll(one, record, answer[1], state)
            elif isinstance(awaited, Decision):
                yield self._choice(one, record, state)

    def _roll(self, one: Resolution, record: RollRecord, parts: Sequence[Any], state: State) -> Lines:
        for row, thrown in zip(report.roll_rows(record), parts, strict=True):
            who = self.name(one.who.get(row["by"], row["by"]), state)
            result = plain(", ".join(came_to(row["result"])))
            label = self._roll_label(one, row, state)
            yield f"{label} ({who}): {plain(row['dice'])}: {wording.faces(*thrown)}; {result}"

    def _roll_label(self, one: Resolution, row: Data, state: State) -> str:
        """What a roll is called; one that is about another than its maker with the name of the other."""
        record, _, own = row["label"].partition(".")
        if own and record != row["by"] and record in one.who:
            return f"{plain(asking.roll(own, row['by']))} for {self.name(one.who[record], state)}"
        return plain(asking.roll(row["label"], row["by"]))

    def _choice(self, one: Resolution, record: ChoiceRecord, state: State) -> str:
        decision, choice, how = record
        label = next((option.label for option in decision.options if option.id == choice), choice)
        who = self.name(one.who.get(decision.by, decision.by), state)
        reported = {
            "policy": ", as decided in advance",
            "default": ", by default",
            "timeout": ", since time was over",
        }.get(how, "")
        asked = plain(self._glossary.decision(decision.id, one.procedure))
        return f"{who}: {asked}? {plain(label)}{reported}"

    # Effects

    def _effects(self, effects: Iterable[Data], state: State) -> Lines:
        """What effects do; which conditions end by them is among the changes of the event."""
        for effect in effects:
            nobody = not effect["who"]  # such as a drone that is not in the fight
            ended = effect["type"] == "remove-condition"
            named = overtaken_conditions.begins_again(effect, self._begun) or _lasts_already(state, effect)
            named = (
                named
                or overtaken_conditions.is_overtaken(effect, self._overtaken)
                or self._is_renewed(effect, state)
            )
            if not (nobody or ended or named) and wording.is_reported(effect, self._glossary):
                yield wording.effect(
                    lambda id: self.name(id, state), effect, self._glossary, acting=state.acting
                )

    def _is_renewed(self, effect: Data, state: State) -> bool:
        """Whether a condition that there is ends and begins in one event: it goes on with another number."""
        return (
            effect["type"] == "add-condition"
            and overtaken_conditions.begun_by(effect) in self._renewed
            and _has(state, effect)
        )

    def _possible(self, effects: Iterable[Data], state: State) -> Lines:
        """What effects would do."""
        for effect in effects:
            gone = effect["type"] == "remove-condition" and not _has(state, effect)
            if not gone and wording.is_reported(effect, self._glossary):
                yield wording.effect(
                    lambda id: self.name(id, state), effect, self._glossary, acting=state.acting
                )


def _has(state: State, effect: Data) -> bool:
    one = state.combatants.get(effect["who"])
    return one is not None and any(condition.slug == effect["what"] for condition in one.conditions)


def _lasts_already(state: State, effect: Data) -> bool:
    """Whether a combatant is in a condition already, and as long, such as one who charges and has struck."""
    if not by_itself.begins_once(effect):
        return False
    one, new = state.combatants.get(effect["who"]), effect["condition"]
    return one is not None and any(
        each.slug == effect["what"]
        and (each.unit, each.until) == (new["unit"], new["until"])
        and (not new.get("towards") or _holds_all(each, new))
        for each in one.conditions
    )


def _holds_all(each: Condition, new: Data) -> bool:
    """Whether a condition that concerns others adds nobody to one, which is of the same action and item."""
    same = (each.by, each.item) == (new["by"], new["item"])
    return same and set(new["towards"]) <= set(each.towards)


def _empty(record: Any) -> bool:
    return isinstance(record, RollRecord) and not record.dealt.faces


def _raw(answer: Sequence[Any]) -> Lines:
    kind, *value = answer
    if kind == "r":
        yield from (f"dice: {wording.faces(*part)}" for part in value[0])
    else:
        yield f"choice: {plain(value[0])}"

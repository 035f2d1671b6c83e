"""How fights of Lanterns are ordered: d12 and skill, highest first; an act, a step and an answer to what others do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fracas.dice.totals import Total
from fracas.kernel.forms import Outcome, Waiting
from fracas.kernel.intents import Participant
from fracas.kernel.procedures import Attempt, Procedure, mean
from fracas.kernel.stage import Facts, Roll, Stage
from fracas.kernel.tally import Entry
from fracas.kernel.turns import Gauge, Track, TurnRules
from fracas.kernel.vocabulary import Catalog, Vocabulary
from lanterns.rules import person, person_fields


class Initiative(Procedure):
    """d12 and skill."""

    id = "initiative"
    label = "Initiative"
    doc = "d12 and skill; the highest acts first."
    vocabulary = Vocabulary((person("tester", "Who"),), person_fields("tester"))
    targets = {"initiative": "Initiative bonus"}
    measures = (mean("score", "Expected score"),)

    def numbers(self, it: Attempt) -> None:
        it.tally("initiative", Entry("skill", "Skill", it.need("tester.skill", "the skill")))

    def first(self, it: Attempt) -> Stage:
        return Start(it.total("initiative"))


class Start(Waiting, kind="lanterns.start"):
    """Waits for the d12 of initiative."""

    bonus: int

    @property
    def awaits(self) -> Roll:
        return Roll(("initiative",), ("tester",), Total(((1, 12),), self.bonus))

    def advance(self, answer: int) -> Stage:
        return Started(answer)


class Started(Outcome, kind="lanterns.started"):
    """The score by which a combatant acts."""

    score: int

    def notes(self) -> Facts:
        return {"score": self.score}


class Turns(TurnRules):
    """A round of turns; hit points at 0 take a combatant out."""

    tracks = {"hp": Track("hp", mark=-1, noun="HP"), "sparks": Track("sparks", mark=-1, noun="spark")}
    tallies = {"attack.bonus": "attacker", "attack.damage": "attacker", "initiative": "tester"}

    def unable(self, participant: Participant) -> str:
        return "down" if participant.sheet.get("hp") == 0 else ""

    def gauges(self, participant: Participant, catalog: Catalog) -> Sequence[Gauge]:
        return [*self._gauges(participant)]

    def _gauges(self, participant: Participant) -> Iterator[Gauge]:
        for id, label, harm in (("hp", "HP", True), ("sparks", "Sparks", False)):
            if id in participant.sheet:
                yield Gauge(id, label, participant.sheet[id], fills=False, harm=harm)

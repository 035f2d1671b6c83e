"""How fights of Lanterns are ordered: d12 and skill, highest first; hit points at 0 take a combatant out."""

from __future__ import annotations

from fracas.dice.totals import Total
from fracas.kernel.fields import fields, person, vocabulary
from fracas.kernel.procedures import Attempt, Procedure, mean
from fracas.kernel.stage import Stage
from fracas.kernel.steps import Score, Throw
from fracas.kernel.tally import Entry
from fracas.kernel.tracks import Track
from fracas.kernel.turns import TurnRules
from lanterns.rules import PERSON


class Initiative(Procedure):
    """d12 and skill; the highest acts first."""

    vocabulary = vocabulary(person("tester", "Who"), fields("tester", **PERSON))
    targets = {"initiative": "Initiative bonus"}
    measures = (mean("score", "Expected score"),)

    def numbers(self, it: Attempt) -> None:
        it.tally("initiative", Entry("skill", "Skill", it.need("tester.skill", "the skill")))

    def first(self, it: Attempt) -> Stage:
        return Throw("initiative", "tester", Total(((1, 12),), it.total("initiative")), Score())


class Turns(TurnRules):
    """A plain order of turns."""

    tracks = {
        "hp": Track("hp", mark=-1, noun="HP", gauge="HP", out="down"),
        "sparks": Track("sparks", mark=-1, noun="spark", gauge="Sparks", harm=False),
    }

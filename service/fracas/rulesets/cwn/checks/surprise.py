"""Who is caught unaware: one group steals up on another, Dexterity/Sneak against Wisdom/Notice (section 2.3).

Of those who steal up the worst check counts, of those who may notice them the best. Ties go to the PC, as in every
opposed check.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import person, vocabulary
from fracas.kernel.forms import Outcome, Waiting
from fracas.kernel.intents import Participant, Table
from fracas.kernel.procedures import Attempt, Procedure, mean
from fracas.kernel.stage import Awaited, Effect, Facts, Roll, Stage
from fracas.kernel.turns import Contest
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.cwn.checks.skill_numbers import CHECK_DICE, check_fields, is_won, number_of_check

TESTER, BONUS = "tester", "surprise.bonus"
SURPRISED = "surprised"
"""The condition of the packs."""
SNEAKING, EXPECTING = "surprise.sneaking", "surprise.expecting"

SURPRISE_CHECK = vocabulary(
    person(TESTER, "Tester"),
    Record("surprise", "What is afoot"),
    check_fields(TESTER),
    Field(SNEAKING, "flag", "Steals up", "Left out: may notice those who do."),
    Field(EXPECTING, "flag", "Expects a fight", "No group with such a one in it is surprised."),
)


class SurpriseCheck(Procedure):
    """One check of those that a contest of surprise compares."""

    id = "surprise-check"
    label = "Surprise check"
    doc = "Dexterity/Sneak of the one who steals up, or Wisdom/Notice of those who may notice it."
    vocabulary = SURPRISE_CHECK
    targets: Mapping[str, str] = {BONUS: "Surprise check"}
    measures = (mean("total", "Expected total"),)

    def numbers(self, it: Attempt) -> None:
        sneaking = it.facts.get(SNEAKING)
        skill, attribute = ("sneak", "dexterity") if sneaking else ("notice", "wisdom")
        number_of_check(it, BONUS, TESTER, (skill,), (attribute,))

    def first(self, it: Attempt) -> Stage:
        return Listening(it.total(BONUS), bool(it.facts.get(SNEAKING)), bool(it.facts.get(EXPECTING)))


class Listening(Waiting, kind="cwn.surprise-check"):
    """Waits for the dice of one check."""

    bonus: int
    sneaking: bool
    expecting: bool

    @property
    def awaits(self) -> Awaited:
        return Roll(("surprise",), (TESTER,), Total(CHECK_DICE, self.bonus))

    def advance(self, answer: Any) -> Stage:
        return Listened(answer, self.sneaking, self.expecting)


class Listened(Outcome, kind="cwn.surprise-checked"):
    """What one of them threw; who is surprised follows from the checks of all."""

    total: int
    sneaking: bool
    expecting: bool

    def notes(self) -> Facts:
        return {"total": self.total, "sneaking": self.sneaking, "expecting": self.expecting}


def settled(table: Table, results: Mapping[str, Facts]) -> list[Effect]:
    """Each group whose best check falls short of the worst of those who steal up on it is surprised."""
    checks = {id: (_total(facts), table.participants[id]) for id, facts in results.items()}
    sneaking = [id for id, facts in results.items() if facts.get("sneaking")]
    watching: dict[str, list[str]] = {}
    for id in results:
        if id not in sneaking:
            watching.setdefault(checks[id][1].side, []).append(id)
    found = []
    for side, members in watching.items():
        stealing = [checks[id] for id in sneaking if checks[id][1].side != side]
        if not stealing or any(results[id].get("expecting") for id in members):
            continue
        if _prevails(min(stealing, key=_first), max((checks[id] for id in members), key=_first)):
            found += [Effect("add-condition", id, SURPRISED) for id in members]
    return found


def _total(facts: Facts) -> int:
    total = facts.get("total")
    return total if isinstance(total, int) else 0


def _first(check: tuple[int, Participant]) -> int:
    return check[0]


def _prevails(one: tuple[int, Participant], other: tuple[int, Participant]) -> bool:
    return is_won(one[0], other[0], one[1].player, other[1].player)


SURPRISE = {"surprise": Contest("Surprise", SurpriseCheck.id, settled, between_sides=True)}
"""By the word of the command."""

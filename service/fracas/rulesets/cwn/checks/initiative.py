"""Who acts first, and who is caught unaware: the initiative roll and the checks of surprise (sections 2.2 and 2.3).

Initiative is 1d8 and the Dexterity modifier. Whose roll it is (`initiative.scope`) changes what is added: a side
rolls with its best Dexterity, without anybody's implant; among holders of automatic initiative a Reaction Booster II
rolls the bare die. Surprise is Dexterity/Sneak against Wisdom/Notice: of those who steal up the worst check counts,
of those who may notice them the best. Ties go to the PC, as in every opposed check.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import choice, fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Outcome, Waiting, rolls
from fracas.kernel.intents import Table
from fracas.kernel.procedures import Attempt, Procedure, mean
from fracas.kernel.stage import Effect, Facts, Stage
from fracas.kernel.tally import Entry
from fracas.kernel.turns import Contest
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.cwn.checks.skill_check import CHECK_DICE, check_fields, is_won, number_of_check
from fracas.rulesets.cwn.vocabulary import FOCI_HAD, NAME, attribute_modifier, implants

TOTAL = "initiative.total"
DIE = 8
IMPLANTS = "roller.augmentations"
_BOOSTERS = {"reaction-booster-1": 1, "reaction-booster-2": 2}


class Initiative(Procedure):
    """Who acts first: 1d8 and the Dexterity modifier, of a side or of one combatant."""

    vocabulary = vocabulary(
        person("roller", "Who rolls"),
        Record("initiative", "Whose roll it is"),
        fields(
            "roller",
            name=NAME,
            dexterity=whole("Dexterity", "Score. Left out, as with most NPCs: adds nothing.", 1, 30),
            dexterity_modifier=whole("Dexterity modifier", "In place of the score.", -5, 10),
            foci=FOCI_HAD,
            augmentations=implants("reaction-booster-1"),
            reaction_booster=whole(
                "Grade of the Reaction Booster", "0 for none.", 0, 2, derived_from=IMPLANTS
            ),
        ),
        fields(
            "initiative",
            scope=choice(
                "Counts for",
                "own: the roller alone. side: all of a side. automatic: the roller, among holders of automatic "
                "initiative. Left out: own.",
                choices=("own", "side", "automatic"),
            ),
            twice=flag("Rolled twice", "The better roll counts. Left out: by the roller's focus Alert."),
        ),
    )
    targets = {TOTAL: "Initiative"}
    measures = (mean("total", "Expected initiative"),)

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        if IMPLANTS in facts:
            facts["roller.reaction_booster"] = booster_of(entry.slug for entry in facts[IMPLANTS])
        facts.setdefault("initiative.twice", facts.get("roller.foci", {}).get("alert", 0) >= 1)
        it.shown["initiative.scope"] = facts.setdefault("initiative.scope", "own")
        it.tally(TOTAL, *_base(facts))

    def first(self, it: Attempt) -> Stage:
        return Throw(it.total(TOTAL), it.facts["initiative.twice"], None, it.facts["initiative.scope"])


def booster_of(implants: Iterable[str]) -> int:
    """Grade of the Reaction Booster among implants; 0 for none."""
    return max((_BOOSTERS.get(slug, 0) for slug in implants), default=0)


def _base(facts: Mapping[str, Any]) -> list[Entry]:
    """The Dexterity modifier, unless the bare die is rolled."""
    if facts["initiative.scope"] == "automatic" and facts.get("roller.reaction_booster", 0) >= 2:
        return []
    modifier = facts.get("roller.dexterity_modifier")
    if modifier is None and "roller.dexterity" in facts:
        modifier = attribute_modifier(facts["roller.dexterity"])
    return [] if modifier is None else [Entry("dexterity", "Dexterity", modifier)]


class Throw(Waiting, kind="cwn.initiative"):
    """Waits for a die. `twice`: it is thrown once more. `first`: the first throw's total; None before it."""

    bonus: int
    twice: bool
    first: int | None
    scope: str

    awaits = rolls(
        lambda self: "initiative" if self.first is None else "again",
        "roller",
        lambda self: Total(((1, DIE),), self.bonus),
    )

    def advance(self, answer: Any) -> Stage:
        if self.twice:
            return Throw(self.bonus, False, answer, self.scope)
        best = answer if self.first is None else max(self.first, answer)
        return InitiativeEnd(best, best - self.bonus, self.scope)


class InitiativeEnd(Outcome, kind="cwn.initiative-end"):
    """An initiative roll: its total, the die that counts, and whose it is."""

    total: int
    die: int
    scope: str
    reports = ("total", "die", "scope")


TESTER, BONUS = "tester", "surprise.bonus"
SURPRISED = "surprised"
"""The condition of the packs."""
SNEAKING, EXPECTING = "surprise.sneaking", "surprise.expecting"


class SurpriseCheck(Procedure):
    """Dexterity and Sneak of those who approach, against Wisdom and Notice of those who may notice them."""

    vocabulary = vocabulary(
        person(TESTER, "Tester"),
        Record("surprise", "What is afoot"),
        check_fields(TESTER),
        Field(SNEAKING, "flag", "Steals up", "Left out: may notice those who do."),
        Field(EXPECTING, "flag", "Expects a fight", "No group with such a one in it is surprised."),
    )
    targets = {BONUS: "Surprise check"}
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
    awaits = rolls("surprise", TESTER, lambda self: Total(CHECK_DICE, self.bonus))

    def advance(self, answer: Any) -> Stage:
        return Listened(answer, self.sneaking, self.expecting)


class Listened(Outcome, kind="cwn.surprise-checked"):
    """What one of them threw; who is surprised follows from the checks of all."""

    total: int
    sneaking: bool
    expecting: bool
    reports = ("total", "sneaking", "expecting")


def settled(table: Table, results: Mapping[str, Facts]) -> list[Effect]:
    """Each group whose best check falls short of the worst of those who steal up on it is surprised."""
    checks = {id: (int(facts.get("total") or 0), table.participants[id]) for id, facts in results.items()}
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
        worst = min(stealing, key=lambda check: check[0])
        best = max((checks[id] for id in members), key=lambda check: check[0])
        if is_won(worst[0], best[0], worst[1].player, best[1].player):
            found += [Effect("add-condition", id, SURPRISED) for id in members]
    return found


SURPRISE = {"surprise": Contest("Surprise", SurpriseCheck.id, settled, between_sides=True)}
"""By the word of the command."""

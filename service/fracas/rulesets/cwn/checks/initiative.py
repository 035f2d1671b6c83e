"""The initiative roll: 1d8 and the Dexterity modifier (rulebook section 2.2).

Whose roll it is (`initiative.scope`) changes what is added: a side rolls with its best Dexterity, without anybody's
implant; among holders of automatic initiative a Reaction Booster II rolls the bare die.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import choice, entries, fields, flag, person, ratings, text, vocabulary, whole
from fracas.kernel.forms import Outcome, Waiting
from fracas.kernel.procedures import Attempt, Procedure, mean
from fracas.kernel.stage import Awaited, Facts, Roll, Stage
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Record
from fracas.rulesets.cwn.attacks.facts import attribute_modifier
from fracas.rulesets.cwn.fights.sheet import booster_of
from fracas.rulesets.cwn.vocabulary import FOCI

TOTAL = "initiative.total"
SCOPES = ("own", "side", "automatic")
DIE = 8

INITIATIVE = vocabulary(
    person("roller", "Who rolls"),
    Record("initiative", "Whose roll it is"),
    fields(
        "roller",
        name=text("Name", most=80, example="Wren"),
        dexterity=whole("Dexterity", "Score. Left out, as with most NPCs: adds nothing.", least=1, most=30),
        dexterity_modifier=whole("Dexterity modifier", "In place of the score.", -5, 10),
        foci=ratings("Foci", "Level by focus; a focus that is not listed is not had.", most=2, choices=FOCI),
        augmentations=entries(
            "Implants",
            "An empty list for none.",
            entry_kind="augmentation",
            example=["reaction-booster-1"],
        ),
        reaction_booster=whole(
            "Grade of the Reaction Booster", "0 for none.", most=2, derived_from="roller.augmentations"
        ),
    ),
    fields(
        "initiative",
        scope=choice(
            "Counts for",
            "own: the roller alone. side: all of a side. automatic: the roller, among holders of "
            "automatic initiative. "
            "Left out: own.",
            choices=SCOPES,
        ),
        twice=flag("Rolled twice", "The better roll counts. Left out: by the roller's focus Alert."),
    ),
)


class InitiativeProcedure(Procedure):
    """1d8 + Dexterity modifier; with Alert twice, and the better one counts."""

    id = "initiative"
    label = "Initiative"
    doc = "Who acts first: 1d8 and the Dexterity modifier, of a side or of one combatant."
    vocabulary = INITIATIVE
    targets: Mapping[str, str] = {TOTAL: "Initiative"}
    measures = (mean("total", "Expected initiative"),)

    def numbers(self, it: Attempt) -> None:
        it.facts = _derive(it.facts)
        it.shown["initiative.scope"] = it.facts["initiative.scope"]
        it.tally(TOTAL, *_base(it.facts))

    def first(self, it: Attempt) -> Stage:
        return Throw(it.total(TOTAL), it.facts["initiative.twice"], None, it.facts["initiative.scope"])


def _derive(said: Mapping[str, Any]) -> dict[str, Any]:
    facts = dict(said)
    if "roller.augmentations" in facts:
        facts["roller.reaction_booster"] = booster_of(entry.slug for entry in facts["roller.augmentations"])
    facts.setdefault("initiative.scope", "own")
    if "initiative.twice" not in facts:
        facts["initiative.twice"] = facts.get("roller.foci", {}).get("alert", 0) >= 1
    return facts


def _base(facts: Mapping[str, Any]) -> list[Entry]:
    """The Dexterity modifier, unless the bare die is rolled."""
    if facts["initiative.scope"] == "automatic" and facts.get("roller.reaction_booster", 0) >= 2:
        return []
    modifier = facts.get("roller.dexterity_modifier")
    if modifier is None and "roller.dexterity" in facts:
        modifier = attribute_modifier(facts["roller.dexterity"])
    return [] if modifier is None else [Entry("dexterity", "Dexterity", modifier)]


class Throw(Waiting, kind="cwn.initiative"):
    """Waits for a die.

    Attributes:
        bonus: added to it.
        twice: the die is thrown once more.
        first: the first throw's total; None before it.
    """

    bonus: int
    twice: bool
    first: int | None
    scope: str

    @property
    def awaits(self) -> Awaited:
        label = "initiative" if self.first is None else "again"
        return Roll((label,), ("roller",), Total(((1, DIE),), self.bonus))

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

    def notes(self) -> Facts:
        return {"total": self.total, "die": self.die, "scope": self.scope}

"""Pinning and nerve (rulebook section 20), and fear (section 26): tests of Nerve under fire and at a terrible sight.

What helps and hinders is data of the packs; the table ``fear`` has what each grade costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.fields import fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Continuation, Outcome
from fracas.kernel.percentiles import matched
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.required import has_record
from fracas.kernel.stage import Effect, Facts, Stage
from fracas.kernel.steps import Filling, Throw, ended
from fracas.kernel.tables import row_of, source_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Record
from fracas.rulesets.imperium import vocabulary as known
from fracas.rulesets.imperium.checks import percentile

TESTER, PINNED, PRONE = "tester", "pinned", "prone"
FEAR_GRADE, FACED = "fear_grade", "has-faced"
"""The field of a sheet with the grade of fear at its sight, and the condition of those who have tested, towards it."""
_WHO = (
    person(TESTER, "Who tests"),
    known.fields_named(TESTER, "name", "nerve", "traits", "grants"),
    fields(
        TESTER,
        pinned=known.PINNED,
        conscious=flag("Conscious", "Left out: is."),
        left_hand=known.LEFT_HAND,
        undaunted=known.UNDAUNTED,
        unafraid=flag("Unafraid", "Not frightened, as some drugs have it. Left out: is not."),
    ),
)


class PinningTest(Procedure):
    """A test of Nerve, or of a leader's Leadership, of one who is under fire."""

    vocabulary = vocabulary(
        *_WHO,
        Record("pinning", "The fire"),
        fields(
            "pinning",
            cover=flag("Behind cover", "Left out: is not."),
            hit=flag("Hit by it", "Left out: was not."),
            flames=flag("Flames", "Left out: none."),
            shooters=whole("Further shooters", "In this round. Left out: none.", most=50),
            leadership=whole(
                "Leadership of a leader", "Near by, of trained troops. Left out: none.", most=200, example=60
            ),
        ),
    )
    targets: Mapping[str, str] = {"pinning.chance": "Chance not to be pinned"}
    measures = (chance("pinned", "Chance to be pinned"),)

    def numbers(self, it: Attempt) -> None:
        facts = it.facts = known.with_grants(it.facts, TESTER)
        nerve = it.need(f"{TESTER}.nerve", "the Nerve of the one under fire")
        led = facts.get("pinning.leadership", 0)
        base = (
            Entry("leadership", "Leadership of the leader", led)
            if led > nerve
            else Entry("nerve", "Nerve", nerve)
        )
        percentile.keep_chance(it, "pinning.chance", base)

    def first(self, it: Attempt) -> Stage:
        held = it.facts.get(f"{TESTER}.left_hand", "")
        follows = UnderFire(bool(it.facts.get("pinning.cover")), held)
        return percentile.tested(it, "pinning.chance", TESTER, follows)


class UnderFire(Continuation, kind="imperium.under-fire"):
    """What comes of the test; `held`: what the off hand lets go after a matched failure."""

    cover: bool
    held: str

    def on_result(self, test: percentile.Percentile, face: int) -> Stage:
        pinned = not test.passes(face)
        prone, dropped = pinned and not self.cover, self.held if pinned and matched(face) else ""
        effects = [Effect("add-condition", TESTER, what) for what in (PINNED,) * pinned + (PRONE,) * prone]
        if dropped:
            effects.append(Effect("item", TESTER, dropped, None, (("ready", False), ("dropped", True))))
        return ended({"pinned": pinned, "prone": prone, "drops_item": dropped}, *effects)


class RecoverFromPinning(Procedure):
    """A test of Nerve at the start of an own round: a success ends being pinned."""

    vocabulary = vocabulary(
        *_WHO,
        Record("recovering", "How it stands"),
        fields(
            "recovering",
            comrade=flag("A comrade talks to them", "And spends an action on it. Left out: nobody."),
            quiet=flag("Not shot at", "Since their last round. Left out: was."),
        ),
    )
    targets: Mapping[str, str] = {"recovering.chance": "Chance to recover"}
    measures = (chance("success", "Chance to recover"),)

    def numbers(self, it: Attempt) -> None:
        percentile.number_of_test(it, "recovering.chance", TESTER, "nerve")

    def first(self, it: Attempt) -> Stage:
        free = ended({"success": True}, Effect("remove-condition", TESTER, PINNED))
        test = percentile.of_number(it, "recovering.chance")
        return percentile.either("test", TESTER, test, free, ended({"success": False}))


class Fear(Procedure):
    """A test of Nerve at the first sight of something terrible."""

    vocabulary = vocabulary(
        *_WHO,
        person("target", "Who is seen", optional=True),
        fields("target", **{FEAR_GRADE: whole("Fear at its sight", "", 1, 4, example=3)}),
        Record("fear", "What is seen"),
        fields("fear", grade=whole("Grade", "1 disturbing to 4 unearthly.", 1, 4)),
    )
    targets: Mapping[str, str] = {"fear.chance": "Chance to stand it"}
    measures = (chance("success", "Chance to stand it"),)

    def numbers(self, it: Attempt) -> None:
        it.facts = known.with_grants(it.facts, TESTER)
        seen = it.facts.get(f"target.{FEAR_GRADE}")
        grade = it.facts.get("fear.grade", seen) or it.need("fear.grade", "the grade of fear", instead=1)
        it.plan = row_of(it.lookup, "fear", f"grade-{grade}")
        modifier = it.plan["modifier"]
        line = Entry("grade", f"Fear of grade {grade}", modifier, source=source_of(it.lookup, "fear"))
        more = (line,) if modifier else ()
        percentile.number_of_test(it, "fear.chance", TESTER, "nerve", *more)

    def first(self, it: Attempt) -> Stage:
        stuns = percentile.dice_in("fear", it.plan["stunned"])
        faced = has_record(it.facts, "target")
        fills = Filling(FearEnd(it.plan["condition"] or "", faced=faced), "stunned")
        frightened = Throw("stun", TESTER, stuns, fills) if stuns.dice else fills.on_result(stuns.plus)
        test = percentile.of_number(it, "fear.chance")
        stands = ended({"success": True}, *(_FACED,) * faced)
        return percentile.either("test", TESTER, test, stands, frightened)


_FACED = Effect("add-condition", TESTER, FACED, None, (("towards", "target"),))


class FearEnd(Outcome, kind="imperium.fear-end"):
    """What a terrible sight does to a combatant who cannot stand it; `faced`: it is that of a combatant."""

    condition: str
    stunned: int = 0
    faced: bool = False

    def notes(self) -> Facts:
        return {"success": False, "stunned_actions": self.stunned}

    def changes(self) -> Iterator[Effect]:
        if self.faced:
            yield _FACED
        if self.condition:
            yield Effect("add-condition", TESTER, self.condition)
        if self.stunned:
            yield Effect("mark", TESTER, "stunned-actions", self.stunned)
            yield Effect("add-condition", TESTER, "stunned")

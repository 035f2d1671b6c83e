"""Drugs and poisons: what a dose does, for how long, and what it leaves (rulebook chapter 24).

What they do meanwhile is data: conditions of the packs. All figures are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel import fields as kit
from fracas.kernel.forms import Continuation, Outcome, Part, Waiting
from fracas.kernel.percentiles import matched
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Roll, Shared, Stage, lasting, share, used_up
from fracas.kernel.steps import Filling, Throw, ended
from fracas.kernel.tables import rows_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Record
from fracas.rulesets.imperium import vocabulary as known
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.harms import bodies, injury
from fracas.rulesets.imperium.harms.bodies import PRONE, UNCONSCIOUS, actions_a_round, rounds_as_they_count
from fracas.rulesets.imperium.harms.injuring import Weakening
from fracas.rulesets.imperium.harms.injury import Harm, stunned, unhurt, unlocated

VICTIM, CHANCE = "victim", "poison.chance"
SUFFERS, WORKS, WEARS_OFF = "suffer-poison", "poison-works", "drug-wears-off"
"""Actions that come up by themselves: the test against a poison, and what it does; and the end of a drug."""
IN_GAS = "in-gas"
"""The condition of those who stand in gas."""
_BRINGS = "Of a poison after a failed test, of a drug while it lasts."
BRINGS = kit.entries("Conditions", _BRINGS, entry_kind="condition")
HALLUCINATION = "hallucination"
"""The table of what they do who see what is not there."""
_WHO = (
    kit.person(VICTIM, "Who takes it"),
    bodies.body_fields(VICTIM),
    known.fields_named(VICTIM, "traits", "grants"),
)


def _for_rounds(names: tuple[str, ...], rounds: int) -> Iterator[Effect]:
    """Conditions for so many rounds beside the present one; who loses consciousness falls."""
    for name in names:
        yield lasting(VICTIM, name, "round", rounds, ("from", "next"))
        if name == UNCONSCIOUS:
            yield Effect("add-condition", VICTIM, PRONE)


def _slugs(it: Attempt, field: str) -> tuple[str, ...]:
    return tuple(one.slug for one in it.facts.get(field, ()))


class Poison(Procedure):
    """A test of Toughness less the strength of the poison, as the own round ends in which it was taken."""

    label = "A poison works"
    vocabulary = kit.vocabulary(
        *_WHO,
        Record("poison", "Poison", "drug", "A poison of the packs, or fields of one, or both."),
        kit.fields(
            "poison",
            name=kit.text("Name", most=80),
            strength=kit.whole(
                "Strength",
                "Taken off the Toughness.",
                most=200,
                example=20,
                required="the strength of the poison",
            ),
            brings=BRINGS,
            rounds=kit.text("Lasts", "Dice of rounds. Left out: none.", most=20, example="1d6"),
            stuns=kit.text("Stuns", "Dice of actions lost. Left out: none.", most=20, example="1d3"),
            stuns_rounds=kit.flag("Stuns for rounds", "And not for single actions."),
            injury=kit.text(
                "Injury",
                "Dice on the Injury Total as each own round ends. Left out: none.",
                most=20,
                example="1d6",
            ),
            worst=kit.entries(
                "Conditions of a matched failure", "In place of the others.", entry_kind="condition"
            ),
            hallucinates=kit.flag("Hallucinates", "A die shows what the victim does. Left out: not."),
        ),
        kit.fields(VICTIM, in_gas=kit.flag("In gas", "It is tested in each round. Left out: is not.")),
        kit.fields("", works=kit.flag("It works already", "The test has failed in a round before.")),
    )
    targets: Mapping[str, str] = {CHANCE: "Chance to resist the poison", **bodies.INJURY_TEST.targets(VICTIM)}
    measures = (
        chance("success", "Chance to resist it"),
        mean("net_damage", "Expected points of Injury"),
        mean("stunned_actions", "Expected actions lost"),
    )

    def numbers(self, it: Attempt) -> None:
        it.facts = known.with_grants(it.facts, VICTIM)
        it.plan = bodies.known_body(it, VICTIM)
        if not it.facts.get("works"):
            less = Entry("poison", "Strength of the poison", -it.need("poison.strength"))
            percentile.number_of_test(it, CHANCE, VICTIM, "toughness", less)

    def first(self, it: Attempt) -> Stage:
        facts = it.facts
        toxin = Toxin(
            it.request.input.slug("poison"),
            percentile.dice_if_given(it, "poison.rounds"),
            percentile.dice_if_given(it, "poison.stuns"),
            actions_a_round(it.request) if facts.get("poison.stuns_rounds") else 1,
            percentile.dice_if_given(it, "poison.injury"),
            _slugs(it, "poison.brings"),
            _slugs(it, "poison.worst"),
            _behaviors(it) if facts.get("poison.hallucinates") else (),
            rounds_as_they_count(it.request, 1),
            bool(facts.get(f"{VICTIM}.{IN_GAS.replace('-', '_')}")),
        )
        plan, harm = share(toxin), unhurt(bodies.as_numbered(it, VICTIM, it.plan))
        if facts.get("works"):
            return Throw("injury", VICTIM, toxin.injury, Weakening(Sickened(harm, plan)))
        return percentile.tested(it, CHANCE, VICTIM, Poisoning(plan, harm))


def _behaviors(it: Attempt) -> tuple[tuple[str, int, int, str], ...]:
    rows = rows_of(it.lookup, HALLUCINATION).items()
    return tuple((name, row["from"], row["to"], row["condition"] or "") for name, row in rows)


class Toxin(Part, kind="imperium.toxin"):
    """A poison.

    Attributes:
        name: its slug; "" where it is described.
        lasts: dice of rounds, each of which counts `rounds`.
        stuns: dice of spans of so many actions (`unit`).
        injury: dice on the Injury Total as each own round ends.
        brings, worst: conditions of a failure, and of a matched one if it has its own.
        behaviors: name, lowest and highest roll, condition: what a die shows.
        gas: the victim stands in it, and tests again as the next own round ends.
    """

    name: str
    lasts: Total
    stuns: Total
    unit: int
    injury: Total
    brings: tuple[str, ...]
    worst: tuple[str, ...]
    behaviors: tuple[tuple[str, int, int, str], ...]
    rounds: int
    gas: bool = False


class Poisoning(Continuation, kind="imperium.poisoning"):
    """What comes of the test."""

    plan: Shared[Toxin]
    harm: Harm

    def on_result(self, test: percentile.Percentile, face: int) -> Stage:
        if test.passes(face):
            return PoisonEnd(self.plan, self.harm, True)
        its, twice = self.plan.value, matched(face)
        due = (("lasts", its.lasts), ("stuns", its.stuns), ("behavior", Total(((1, 10),))))
        wanted = tuple(
            name for name, dice in due if (its.behaviors if name == "behavior" else dice.dice or dice.plus)
        )
        end = PoisonEnd(self.plan, self.harm, False, twice)
        return Symptoms(end, wanted).settled()


class Symptoms(Waiting, kind="imperium.symptoms"):
    """Waits for the first of the dice that are due: of rounds, of actions lost, of what the victim does."""

    end: PoisonEnd
    due: tuple[str, ...]

    @property
    def _dice(self) -> Total:
        its = self.end.plan.value
        return {"lasts": its.lasts, "stuns": its.stuns}.get(self.due[0], Total(((1, 10),)))

    @property
    def awaits(self) -> Awaited:
        return Roll((self.due[0],), (VICTIM,), self._dice)

    def settled(self) -> Stage:
        """The next stage: what has no dice needs no roll."""
        if not self.due:
            return self.end
        return self if self._dice.dice else self.advance(self._dice.plus)

    def advance(self, answer: Any) -> Stage:
        its, times = self.end.plan.value, 2 if self.end.twice else 1
        match self.due[0]:
            case "lasts":
                end = self.end._replace(lasts_rounds=answer * times * its.rounds)
            case "stuns":
                end = self.end._replace(harm=stunned(self.end.harm, answer * times * its.unit))
            case _:
                row = next(one for one in its.behaviors if one[1] <= answer <= one[2])
                end = self.end._replace(behavior=row[0], acts=row[3])
        return Symptoms(end, self.due[1:]).settled()


class PoisonEnd(Outcome, kind="imperium.poison-end"):
    """What a poison does once it is taken.

    Attributes:
        twice: the failure was matched.
        behavior, acts: what a die shows that the victim does, and its condition.
    """

    plan: Shared[Toxin]
    harm: Harm
    success: bool
    twice: bool = False
    lasts_rounds: int = 0
    behavior: str = ""
    acts: str = ""

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"success": self.success}
        if self.success:
            return facts
        facts |= {"lasts_rounds": self.lasts_rounds, "stunned_actions": self.harm.stunned}
        return facts | ({"behavior": self.behavior} if self.behavior else {})

    def changes(self) -> Iterator[Effect]:
        its = self.plan.value
        if its.gas and its.name and self.harm.out != bodies.DEAD:
            yield taken_in(VICTIM, its.name, IN_GAS)
        if self.success:
            return
        brings = its.worst if self.twice and its.worst else its.brings
        yield from _for_rounds((*brings, *((self.acts,) if self.acts else ())), self.lasts_rounds)
        yield from self.harm.effects(VICTIM)
        if its.injury.dice or its.injury.plus:
            yield from _works_again(its.name, brings)


def taken_in(who: str, poison: str, lasting: str = "") -> Effect:
    """A poison is resisted as the next own round ends; `lasting`: if its victim is in that condition still."""
    detail = (("when", injury.ROUND_END), ("set_poison.use", poison))
    return Effect("schedule", who, SUFFERS, None, (*detail, ("while", lasting)) if lasting else detail)


def _works_again(name: str, brings: tuple[str, ...]) -> Iterator[Effect]:
    """The next harm of a poison, as the next own round ends, while its condition lasts."""
    if name and brings and UNCONSCIOUS not in brings:
        when = (("when", injury.ROUND_END), ("while", brings[0]))
        yield Effect("schedule", VICTIM, WORKS, None, (*when, ("set_poison.use", name)))


class Sickened(Outcome, kind="imperium.sickened"):
    """What a poison did in a round."""

    harm: Harm
    plan: Shared[Toxin]

    def notes(self) -> Facts:
        return {"success": False, **self.harm.facts()}

    def changes(self) -> Iterator[Effect]:
        yield from self.harm.effects(VICTIM)
        if self.harm.out != bodies.DEAD:
            its = self.plan.value
            yield from _works_again(its.name, its.worst or its.brings)


class TakeDrug(Procedure):
    """A dose brings its conditions for some rounds; when it is over, what it leaves."""

    label = "Take a drug"
    vocabulary = kit.vocabulary(
        *_WHO,
        Record("drug", "Drug", "drug", "A drug of the packs, or fields of one, or both."),
        Record("action", "The action"),
        kit.fields(VICTIM, drugs=kit.entries("Drugs", "Those that are carried.", entry_kind="drug")),
        kit.fields(
            "drug",
            name=kit.text("Name", most=80),
            brings=BRINGS,
            lasts=kit.whole("Lasts", "Left out: a moment.", 1, 100, unit="rounds"),
            leaves=kit.entries("Conditions afterwards", "When it is over.", entry_kind="condition"),
            leaves_rounds=kit.whole("For how long", "Left out: none.", 1, 100, unit="rounds"),
            doses=kit.whole("Doses at hand", "Where they are counted.", most=1000),
            leaves_stunned=kit.whole("Stuns afterwards", "Left out: not.", 1, 100, unit="rounds"),
            leaves_injury=kit.whole("Injury afterwards", "On the Injury Total. Left out: none.", 1, 100),
            leaves_faint=kit.text(
                "Faints afterwards",
                "Dice of rounds, unless a test of Toughness prevents it. Left out: not.",
                most=20,
                example="1d3",
            ),
        ),
        kit.fields("", worn_off=kit.flag("It is over", "What it leaves comes.")),
        known.MERGING,
    )
    targets: Mapping[str, str] = bodies.INJURY_TEST.targets(VICTIM)
    measures = (mean("lasts_rounds", "Rounds"), mean("net_damage", "Expected points of Injury"))

    def numbers(self, it: Attempt) -> None:
        over = bool(it.facts.get("worn_off"))
        it.plan = bodies.known_body(it, VICTIM) if over else None

    def first(self, it: Attempt) -> Stage:
        facts = it.facts
        if not facts.get("worn_off"):
            rounds = rounds_as_they_count(it.request, facts.get("drug.lasts", 1))
            leaves = any(path.startswith("drug.leaves") for path in facts)
            slug = it.request.input.slug("drug")
            drug, dose = (slug if counts else "" for counts in (leaves, "drug.doses" in facts))
            return ended({"lasts_rounds": rounds}, *_taken(drug, dose, _slugs(it, "drug.brings"), rounds))
        harm = unhurt(bodies.as_numbered(it, VICTIM, it.plan))
        lost = facts.get("drug.leaves_stunned", 0) * actions_a_round(it.request)
        harm = unlocated(harm, facts.get("drug.leaves_injury", 0))._replace(stunned=max(harm.stunned, lost))
        kept_awake = any(one.data.get("sets", {}).get("steady") for one in facts.get("drug.brings", ()))
        if kept_awake and not harm.out and it.plan is not None and bodies.would_faint(it.plan.value):
            harm = harm._replace(out=UNCONSCIOUS, prone=True)
        rounds = rounds_as_they_count(it.request, facts.get("drug.leaves_rounds", 0))
        end = WornOff(harm, _slugs(it, "drug.leaves"), rounds)
        dice = percentile.dice_if_given(it, "drug.leaves_faint")
        if not dice.dice:
            return end
        test = percentile.of_number(it, bodies.INJURY_TEST.of(VICTIM))
        return percentile.either(
            "test", VICTIM, test, end, Throw("faints", VICTIM, dice, Filling(end, "faints"))
        )


def _taken(drug: str, dose: str, brings: tuple[str, ...], rounds: int) -> Iterator[Effect]:
    """A drug works for so many rounds; its slug: `drug` if it leaves something, `dose` if its doses are counted."""
    yield from used_up(VICTIM, dose, bool(dose))
    yield from _for_rounds(brings, rounds)
    if drug:
        when = (("when", injury.ROUND_END), ("turns", rounds), ("set_drug.use", drug))
        lasting = (("while", brings[0]),) if brings else ()
        yield Effect("schedule", VICTIM, WEARS_OFF, None, (*when, *lasting))


class WornOff(Outcome, kind="imperium.drug-worn-off"):
    """What a drug leaves; `faints`: for so many rounds."""

    harm: Harm
    leaves: tuple[str, ...]
    lasts_rounds: int
    faints: int = 0

    def notes(self) -> Facts:
        return {**self.harm.facts(), "lasts_rounds": self.lasts_rounds, "faints_rounds": self.faints}

    def changes(self) -> Iterator[Effect]:
        yield from self.harm.effects(VICTIM)
        yield from _for_rounds(self.leaves, self.lasts_rounds)
        if self.faints:
            yield from _for_rounds((UNCONSCIOUS,), self.faints)

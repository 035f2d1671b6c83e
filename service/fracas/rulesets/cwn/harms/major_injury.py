"""Major Injuries: what lethal damage to 0 hit points leaves behind after a Traumatic Hit (rulebook section 9.3).

`risk_of` settles beforehand what the save needs; `after_harm` goes on from any outcome with a field ``hurt``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import entries, fields, flag, person, ratings, vocabulary, whole, words
from fracas.kernel.forms import Outcome, Part, Waiting
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.ruleset import Asked
from fracas.kernel.stage import Awaited, Effect, Facts, Roll, Stage
from fracas.kernel.tally import Tally
from fracas.kernel.vocabulary import Catalog, Field
from fracas.rulesets.cwn.checks import saves
from fracas.rulesets.cwn.harms.harm import DEAD, MORTALLY_WOUNDED, UNKNOWN, Hurt
from fracas.rulesets.cwn.vocabulary import FOCI, TRAUMA_SOURCES

DIE = 12
TABLE = "major-injuries"
ABSORBED = "redundant-systems-broken"
"""What becomes of Redundant Systems that take an injury upon themselves: a condition, and the word for the injury."""
PLACES = ("head", "eyes", "right-leg", "left-leg", "right-arm", "left-arm")


class InjuryRow(Part, kind="cwn.injury-row"):
    """A row of the table: rolls from `least` to `most`, and the condition that it brings ("" for none)."""

    least: int
    most: int
    slug: str
    condition: str


class Risk(Part, kind="cwn.risk"):
    """What somebody risks by falling.

    Attributes:
        save: target of the Physical save; None when the request does not tell it.
        before: a Traumatic Hit came earlier in this scene.
        modifier: of the d12.
        exempt: suffers no Major Injuries at all.
        absorbs: Redundant Systems that are whole.
        rows: the table; those that do nothing to this body have no condition.
    """

    save: int | None
    before: bool
    modifier: int
    exempt: bool
    absorbs: bool
    rows: tuple[InjuryRow, ...]


def injury_fields(who: str) -> tuple[Field, ...]:
    """What `risk_of` reads of somebody."""
    return (
        *fields(
            who,
            traumatic_before=flag(
                "Traumatic Hit before", "Suffered one earlier in this scene. Left out: none."
            ),
            mortally_wounded=flag(
                "Mortally Wounded", "And not stabilized yet; a further blow begins nothing anew."
            ),
            injury_roll=whole("Modifier of the Major Injury", "Of the d12; the drug Avalanche: -1.", -12, 12),
            augmentations=entries(
                "Implants", "An empty list for none.", entry_kind="augmentation", example=["skull-citadel"]
            ),
            durable=words(
                "Durable cyberware", "Limbs and eyes with the mod Durable System.", choices=PLACES[1:]
            ),
            redundancy_broken=flag(
                "Redundant Systems broken", "They have taken an injury upon themselves already."
            ),
        ),
        *saves.save_fields(who),
    )


def risk_of(asked: Asked, facts: Mapping[str, Any], who: str, record: str = "") -> tuple[Risk, Tally | None]:
    """What somebody risks, and the tally of the save; None where the request does not tell what it needs.

    Args:
        record: for the name of the tally, see `save_tally`.
    """
    tally = None
    if saves.save_base(facts, who, saves.PHYSICAL) is not None:
        tally = saves.save_tally(asked, facts, who, saves.PHYSICAL, record=record)
    implants = {entry.slug for entry in facts.get(f"{who}.augmentations", ())}
    foci = facts.get(f"{who}.foci", {})
    converted = "full-body-conversion" in {*implants, *facts.get(f"{who}.trauma_sources", ())}
    spared = {*facts.get(f"{who}.durable", ()), *(("head", "eyes") if "skull-citadel" in implants else ())}
    risk = Risk(
        None if tally is None else tally.total,
        bool(facts.get(f"{who}.traumatic_before")),
        facts.get(f"{who}.injury_roll", 0),
        converted or foci.get("all-natural", 0) >= 1,
        "redundant-systems" in implants and not facts.get(f"{who}.redundancy_broken"),
        injury_rows(asked.catalog, spared),
    )
    return risk, tally


def injury_rows(catalog: Catalog, spared: Iterable[str] = ()) -> tuple[InjuryRow, ...]:
    """The table of the packs; injuries of the places that are spared count as its last row."""
    table = catalog.entry("table", TABLE)
    raw = table.data["rows"] if table else {}
    places = set(spared)
    rows = [
        InjuryRow(row["least"], row["most"], slug, row.get("condition") or "") for slug, row in raw.items()
    ]
    last = rows[-1] if rows else None
    return tuple(
        row._replace(slug=last.slug, condition=last.condition)
        if last and raw[row.slug].get("place") in places
        else row
        for row in rows
    )


def after_harm(end: Any, who: str, risk: Risk) -> Stage:
    """Goes on from an outcome with a field ``hurt``: the save and the injury, where the harm calls for them."""
    hurt: Hurt = end.hurt
    fallen = hurt.down == MORTALLY_WOUNDED and (hurt.traumatic or risk.before)
    stage: Stage = end
    if not fallen or risk.exempt:
        return stage
    if risk.save is None:
        stage = end._replace(hurt=hurt._replace(injury=UNKNOWN))
        return stage
    return InjurySave(end, who, risk)


def injured(hurt: Hurt, risk: Risk, rolled: int) -> Hurt:
    """The harm with the injury of this total of the d12."""
    at = max(1, min(DIE, rolled))
    row = next((row for row in risk.rows if row.least <= at <= row.most), None)
    if row is None:
        return hurt._replace(injury=UNKNOWN)
    if row.condition == DEAD:
        return hurt._replace(injury=row.slug, down=DEAD)
    return hurt._replace(injury=row.slug, injured=row.condition)


class InjurySave(Waiting, kind="cwn.injury-save"):
    """Waits for the Physical save of whoever has fallen; `end` is the outcome that it belongs to."""

    end: Any
    who: str
    risk: Risk

    @property
    def awaits(self) -> Awaited:
        assert self.risk.save is not None
        return saves.save_roll("injury_save", self.who, self.risk.save)

    def advance(self, answer: Any) -> Stage:
        if answer:
            return _ended(self.end, injury="none")
        if self.risk.absorbs:
            return _ended(self.end, injury=ABSORBED, injured=ABSORBED)
        return Injury(self.end, self.who, self.risk)

    def notes(self) -> Facts:
        return {"down": self.end.hurt.down}


class Injury(Waiting, kind="cwn.injury"):
    """Waits for the d12 of a Major Injury; the rest as in `InjurySave`."""

    end: Any
    who: str
    risk: Risk

    @property
    def awaits(self) -> Awaited:
        return Roll(("major_injury",), (self.who,), Total(((1, DIE),), self.risk.modifier))

    def advance(self, answer: Any) -> Stage:
        stage: Stage = self.end._replace(hurt=injured(self.end.hurt, self.risk, answer))
        return stage

    def notes(self) -> Facts:
        return {"injury_saved": False}


def _ended(end: Any, **of_hurt: str) -> Stage:
    stage: Stage = end._replace(hurt=end.hurt._replace(**of_hurt))
    return stage


VICTIM = "victim"

MAJOR_INJURY = vocabulary(
    person(VICTIM, "Victim"),
    injury_fields(VICTIM),
    fields(
        VICTIM,
        foci=ratings("Foci", "Level by focus.", most=2, choices=FOCI),
        trauma_sources=words(
            "What raises the Trauma Target",
            "Full Body Conversion spares all Major Injuries.",
            choices=TRAUMA_SOURCES,
        ),
    ),
)


class MajorInjury(Procedure):
    """The Physical save of a victim Mortally Wounded after a Traumatic Hit, and the d12 of the injury."""

    label = "Major Injury"
    vocabulary = MAJOR_INJURY
    targets: Mapping[str, str] = saves.save_targets(saves.PHYSICAL, records=(VICTIM,))
    measures = (
        chance("major_injury", "Chance of a Major Injury", "injury", but=("none", "flesh-wound")),
        chance("down", "Chance to die at once", "dead", among=(DEAD,)),
    )

    def numbers(self, it: Attempt) -> None:
        if saves.number_of_save(it, VICTIM, saves.PHYSICAL):
            it.shown["save"] = it.total(saves.save_name(saves.PHYSICAL, VICTIM))
        it.need(f"{VICTIM}.traumatic_before", "whether a Traumatic Hit came in this scene")

    def first(self, it: Attempt) -> Stage:
        risk, _ = risk_of(it.asked, it.facts, VICTIM, VICTIM)
        fallen = InjuryEnd(Hurt(0, 0, 0, None, MORTALLY_WOUNDED))
        return after_harm(
            fallen, VICTIM, risk._replace(save=it.total(saves.save_name(saves.PHYSICAL, VICTIM)))
        )


class InjuryEnd(Outcome, kind="cwn.injury-end"):
    """What the fall left behind, in `hurt`."""

    hurt: Hurt

    def notes(self) -> Facts:
        hurt = self.hurt
        return {"major_injury": hurt.injury or "none", "rolled": bool(hurt.injury), "down": hurt.down}

    def changes(self) -> Iterator[Effect]:
        """The fall itself has been applied when it came."""
        if self.hurt.down == DEAD:
            yield Effect("add-condition", VICTIM, DEAD)
        if self.hurt.injured:
            yield Effect("add-condition", VICTIM, self.hurt.injured)

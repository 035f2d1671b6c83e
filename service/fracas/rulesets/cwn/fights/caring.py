"""What a fight knows for checks, Morale, healing, drugs and poison (rulebook sections 1.2, 9 to 11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.intents import Participant, Table
from fracas.rulesets.cwn.checks.morale import MoraleProcedure
from fracas.rulesets.cwn.checks.skill_check import EXPERTISE_USED, SkillCheckProcedure
from fracas.rulesets.cwn.fights import order
from fracas.rulesets.cwn.fights.sheet import listed, slugs
from fracas.rulesets.cwn.harms.care import HEALER, PATIENT
from fracas.rulesets.cwn.harms.drugs import TakeDrugProcedure
from fracas.rulesets.cwn.harms.harm import MORTALLY_WOUNDED
from fracas.rulesets.cwn.harms.healing import PANACEA, PATCH, FirstAidProcedure, StabilizeProcedure
from fracas.rulesets.cwn.harms.major_injury import MajorInjuryProcedure
from fracas.rulesets.cwn.harms.poison import PoisonProcedure
from fracas.rulesets.cwn.vocabulary import DRUGS

TRAUMATIC = "traumatic-hit"
_AT_WORK = {f"on-{word}": word for word in DRUGS}
"""Conditions of those who are on a drug, with the word by which attacks and Morale know it."""


def drugs_of(who: Participant) -> list[str]:
    """The drugs at work in somebody: those of the sheet, and those that the fight has seen him take."""
    said = who.sheet.get("drugs")
    found = [*said] if isinstance(said, list) else []
    found += [word for condition, word in _AT_WORK.items() if condition in who.conditions]
    return list(dict.fromkeys(found))


def rounds_down(table: Table, who: Participant) -> int | None:
    """Whole rounds since somebody was Mortally Wounded; None while he is not, or where the moment is not known.

    A round is counted when the initiative comes back to the slot in which he fell (R12).
    """
    if MORTALLY_WOUNDED not in who.since:
        return None
    turn, during = who.since[MORTALLY_WOUNDED]
    passed = table.turn - turn
    return max(0, passed if order.has_come_to(table, during) else passed - 1)


def situated(
    table: Table,
    actor: Participant,
    target: Participant | None,
    procedure: str,
    situation: Mapping[str, Any],
    others: Mapping[str, Participant] = {},
) -> dict[str, Any]:
    """What the fight knows of a procedure of these sections, nested as in a request; nothing of any other."""
    if procedure == TakeDrugProcedure.id:
        return _dose_of(actor, situation.get("drug"))
    if procedure == FirstAidProcedure.id:
        aid = situation.get("aid")
        given = aid if isinstance(aid, Mapping) else {}
        return _doses(actor, "aid", PANACEA if given.get("panacea") else str(given.get("means", "")))
    if procedure == SkillCheckProcedure.id:
        return _check(actor, target, others)
    if procedure == MoraleProcedure.id:
        return {"tester": {"player": actor.player, "drugs": drugs_of(actor)}}
    if procedure == MajorInjuryProcedure.id or procedure == PoisonProcedure.id:
        return {"victim": _victim(actor)}
    if procedure == StabilizeProcedure.id:
        record, patient = (HEALER, actor) if target is None else (PATIENT, target)
        rounds = rounds_down(table, patient)
        known = {} if rounds is None else {record: {"rounds_down": rounds}}
        return known | _doses(actor, "stabilizing", PATCH)
    return {}


def _doses(who: Participant, record: str, slug: str) -> dict[str, Any]:
    """How many doses somebody has of a drug, where they are counted."""
    doses = who.items.get(slug, {}).get("rounds")
    return {record: {"doses": doses}} if isinstance(doses, int) else {}


def _dose_of(who: Participant, said: object) -> dict[str, Any]:
    """The same of the drug that a command names."""
    name = said.get("use") if isinstance(said, Mapping) else said
    for slug in slugs([name]):
        if known := _doses(who, "drug", slug):
            return {"drug": {"use": slug, **known["drug"]}}
    return {}


def _victim(who: Participant) -> dict[str, Any]:
    return {"traumatic_before": TRAUMATIC in who.conditions}


def _check(
    actor: Participant, target: Participant | None, others: Mapping[str, Participant]
) -> dict[str, Any]:
    known: dict[str, dict[str, Any]] = {"tester": {"player": actor.player}}
    if listed(actor.sheet, "edges", "masterful-expertise"):
        known["tester"]["masterful_expertise"] = EXPERTISE_USED not in actor.conditions
    if target is not None:
        known["opponent"] = {"player": target.player}
    known |= {record: {"player": one.player} for record, one in others.items()}
    return known

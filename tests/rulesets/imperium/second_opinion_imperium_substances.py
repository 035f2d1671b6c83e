"""The second opinion on imperium: drugs and poisons (24). See `second_opinion_imperium`.

Written from the rulebook by one who knows the ruleset's code; what a substance is made of is read from its plain YAML.
"""

from __future__ import annotations

from second_opinion_imperium_rules import OUT, Body, Case, Person, entries
from second_opinions import Entry

ACTS = ((3, "flees", "fleeing"), (6, "attacks-the-nearest", "raving"), (10, "nothing", ""))


def substance(case: Case, record: str) -> tuple[str, Entry]:
    """The drug or poison, with its slug; "" for one that is only described."""
    said = case.said[record]
    said = {"use": said} if isinstance(said, str) else dict(said)
    slug = said.get("use", "")
    return slug, {**(entries("drugs")[slug] if slug else {}), **said}


def rounds(case: Case, number: int) -> int:
    """Twice as many rounds of one action where durations are doubled (3.3)."""
    doubled = (
        case.options.get("one_action_rounds") and case.options.get("one_action_scale_durations") == "double"
    )
    return number * (2 if doubled else 1)


def brought(case: Case, names: list[str], length: int) -> None:
    for name in names:
        span = {"unit": "round", "length": length, "from": "next"} if length else {}
        case.then("add-condition", "victim", name, **span)
        if name == "unconscious":
            case.then("add-condition", "victim", "prone")


def stunned(case: Case, body: Body) -> None:
    """Actions lost, beside those that are lost anyway."""
    if lost := body.stunned - body.person.get("stunned_actions", 0):
        case.then("mark", "victim", "stunned-actions", lost)
        case.then("add-condition", "victim", "stunned")


def hurt(body: Body, points: int) -> None:
    """Points on the Injury Total, past armor and location."""
    body.net, body.total = body.net + points, body.total + points
    if points and body.total >= body.dies_at():
        body.out = "dead"


def poison(case: Case) -> None:
    """Toughness less the strength; effects last twice as long after a matched failure."""
    case.only("victim poison works")
    victim, (slug, what) = Person(case.said["victim"]), substance(case, "poison")
    if victim.may("daemon"):
        case.refusals.add("daemon")
        return
    body = Body(case, "victim", victim)
    if case.said.get("works"):
        hurt(body, case.table.throw(what["injury"]))
        case.out(success=False)
        body.tell()
        if body.out != "dead":
            case.then("schedule", "victim", "poison-works")
        return
    test = case.d100("test", case.chance("poison.chance", victim["toughness"], [-what["strength"]]))
    case.out(success=test.passed)
    if victim.get("in_gas") and slug:
        case.then("schedule", "victim", "suffer-poison")
    if test.passed:
        return
    twice = 2 if test.matched else 1
    lasts = rounds(case, case.table.throw(what["rounds"]) * twice) if "rounds" in what else 0
    if "stuns" in what:
        spans = case.round_of_actions() if what.get("stuns_rounds") else 1
        lost = case.table.throw(what["stuns"]) * twice * spans
        body.stunned = body.stunned if victim.get("steady") else max(body.stunned, lost)
    brings = list(what["worst"] if test.matched and what.get("worst") else what.get("brings", ()))
    case.out(lasts_rounds=lasts, stunned_actions=body.stunned)
    acts = []
    if what.get("hallucinates"):
        rolled = case.table.throw("1d10")
        _, name, condition = next(one for one in ACTS if rolled <= one[0])
        case.out(behavior=name)
        acts = [condition] if condition else []
    brought(case, [*brings, *acts], lasts)
    stunned(case, body)
    if slug and "injury" in what and brings and "unconscious" not in brings:
        case.then("schedule", "victim", "poison-works", **{"while": brings[0]})


def take_drug(case: Case) -> None:
    """What it brings; or, when it is over, what it leaves."""
    case.only("victim drug worn_off action")
    victim, (slug, what) = Person(case.said["victim"]), substance(case, "drug")
    if not case.said.get("worn_off"):
        lasts = rounds(case, what.get("lasts", 1))
        if what.get("doses") == 0:
            case.refusals.add("no_dose")
            return
        case.out(lasts_rounds=lasts)
        if "doses" in what:
            case.then("item", "victim", slug, -1)
        brought(case, list(what.get("brings", ())), lasts)
        if slug and any(name.startswith("leaves") for name in what):
            case.then("schedule", "victim", "drug-wears-off", turns=lasts)
        return
    body = Body(case, "victim", victim)
    hurt(body, what.get("leaves_injury", 0))
    body.stunned = max(body.stunned, what.get("leaves_stunned", 0) * case.round_of_actions())
    wakes = slug == "stimm" and not body.out
    if wakes and any((place.rpartition("-")[2], n) in OUT for place, n in victim.get("injuries", {}).items()):
        body.out, body.prone = "unconscious", True
    faints = 0
    if "leaves_faint" in what and not case.d100("test", body.withstands).passed:
        faints = case.table.throw(what["leaves_faint"])
    body.tell()
    lasts = rounds(case, what.get("leaves_rounds", 0))
    case.out(lasts_rounds=lasts, faints_rounds=faints)
    brought(case, list(what.get("leaves", ())), lasts)
    if faints:
        brought(case, ["unconscious"], faints)


SUBSTANCES = {"poison": poison, "take-drug": take_drug}

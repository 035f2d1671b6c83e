"""Reports: what a request is answered with, as plain data ready for JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fracas.dice.pools import Opposed
from fracas.engine.requests import Request
from fracas.kernel.budget import Budget
from fracas.kernel.odds import Distribution, Odds
from fracas.kernel.readers import Progress, RollRecord
from fracas.kernel.ruleset import Measure, Prepared
from fracas.kernel.stage import Decision, Effect, Facts, Roll, Stage
from fracas.kernel.tally import Tally
from fracas.packs import certainty
from fracas.packs.citations import rule_of, section_at
from fracas.packs.library import RulesetPacks
from fracas.packs.manuscript import rule_of_procedure


def _head(request: Request, status: str) -> dict[str, Any]:
    return {
        "status": status,
        **procedure_of(request.game.ruleset.id, request.procedure.id),
        "packs": [
            {"id": pack.manifest.id, "version": pack.manifest.version} for pack in request.game.packs.packs
        ],
    }


def procedure_of(ruleset: str, procedure: str) -> dict[str, Any]:
    """What an answer is about, and the section of the rulebook with the rule, if there is one."""
    rule = rule_of_procedure(ruleset, procedure)
    return {"ruleset": ruleset, "procedure": procedure} | ({"rule": rule} if rule else {})


def tallies(found: Sequence[Tally], used: Mapping[str, str]) -> list[dict[str, Any]]:
    """Numbers with all their lines; `used`: the entries that records are filled in from, which lines have as source."""
    return [
        {
            "to": tally.to,
            "label": tally.label,
            "total": tally.total,
            "entries": [
                {
                    "id": id,
                    "label": label,
                    "value": value,
                    "verdict": verdict,
                    "reason": reason,
                    "origin": origin,
                    "source": source or used.get(id.removeprefix(PENETRATION), ""),
                }
                for id, label, value, verdict, reason, origin, source in tally.entries
            ],
        }
        for tally in found
    ]


PENETRATION = "ap-"
"""What the id of a line begins with that has the armor penetration of a record."""


def founded(
    found: Iterable[Mapping[str, Any]], packs: RulesetPacks, ruleset: str, how: str = "all"
) -> list[dict[str, Any]]:
    """The same with where the rule of each line stands in the rulebook, and how sure its number is.

    Args:
        how: the explanation that is made of it: a short one needs this of the lines that it shows alone.
    """
    every = how == "all"
    return [
        {
            **tally,
            "entries": [
                {**entry, **_about(packs, ruleset, entry["source"])} if every or _is_shown(entry) else entry
                for entry in tally["entries"]
            ],
        }
        for tally in found
    ]


APPLIED = "applied"
"""The verdict of a line of a short explanation that says none."""
_COUNTING = (APPLIED, "capped")
OF_A_CHOICE = ".otherwise"
"""How the name of a number ends that counts if people choose something else than usual."""


def explanation(request: Request, prepared: Prepared) -> dict[str, Any]:
    """What an answer says of its numbers: the lines that count, or all of them with what follows from the situation.

    The line of an entry has the address of its ``rule`` in the rulebook, in short only the ``section`` of a modifier if
    that is not the answer's; and a ``provenance`` or a ``confidence`` if no source gives its number or its pack is not
    sure.
    `unknown` has the fields that would decide further modifiers. An answer without explanation is made of the same;
    see `unexplained`.
    """
    packs, ruleset = request.game.packs, request.game.ruleset.id
    found = founded(tallies(prepared.tallies, request.attempt.input.used), packs, ruleset, request.explain)
    rule = rule_of_procedure(ruleset, request.procedure.id)
    return explained(found, prepared.facts, request.explain, rule, bool(request.attempt.open))


def explained(
    found: Sequence[Mapping[str, Any]], facts: Mapping[str, Any], how: str, rule: str, decides: bool
) -> dict[str, Any]:
    """The same of numbers that are reported in full already; see `tallies`.

    Args:
        rule: where the rule of the answer stands.
        decides: a player may choose; otherwise a short explanation leaves out the numbers of other choices.
    """
    rows = [entry for tally in found for entry in tally["entries"]]
    unknown = [*dict.fromkeys(entry["reason"] for entry in rows if entry["verdict"] == "unknown")]
    if how == "all":
        return {"modifiers": list(found), "unknown": unknown, "facts": dict(facts)}
    reported = [tally for tally in found if decides or not tally["to"].endswith(OF_A_CHOICE)]
    short = (_counting(tally, rule) for tally in reported)
    counting = [tally for tally in short if tally["entries"] or tally["total"]]
    return {"modifiers": counting, "unknown": unknown}


def _about(packs: RulesetPacks, ruleset: str, source: str) -> dict[str, Any]:
    """Where the rule of an entry stands in the rulebook, and how sure its number is; empty for what is no entry's."""
    entry = packs.by_id(source) if source else None
    if entry is None:
        return {}
    rule = rule_of(entry, ruleset)
    unsure = {name: entry.meta[name] for name in certainty.FIELDS if name in entry.meta}
    return {"rule": rule, **unsure} if rule else unsure


def _is_shown(entry: Mapping[str, Any]) -> bool:
    """Whether a short explanation has a line."""
    return bool(entry["value"]) and (entry["verdict"] in _COUNTING or entry["origin"] == "hand")


def _counting(tally: Mapping[str, Any], rule: str) -> dict[str, Any]:
    """A number with the lines that make it, and with what was typed by hand for it in vain."""
    entries = []
    for entry in tally["entries"]:
        if _is_shown(entry):
            counts = entry["verdict"] in _COUNTING
            names = ["label", "value"]
            if entry["verdict"] != APPLIED:
                names += ["verdict"] if counts else ["verdict", "reason"]
            short = {name: entry[name] for name in (*names, *certainty.FIELDS) if name in entry}
            if entry["origin"] == "pack" and entry.get("rule", rule) != rule:
                short["section"] = section_at(entry["rule"])
            entries.append(short)
    return {**tally, "entries": entries}


def unexplained(answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer without the explanation of its numbers."""
    return {name: part for name, part in answer.items() if name not in ("modifiers", "unknown", "facts")}


def refused(request: Request, prepared: Prepared) -> dict[str, Any]:
    """Nothing is rolled and nothing is spent."""
    return {
        **_head(request, "refused"),
        "refusals": [
            {**refusal._asdict(), **_about(request.game.packs, request.game.ruleset.id, refusal.source)}
            for refusal in prepared.refusals
        ],
        **explanation(request, prepared),
    }


def resolved(
    request: Request, prepared: Prepared, progress: Progress, committed: Mapping[str, Any] | None
) -> dict[str, Any]:
    answer = {
        **_head(request, "resolved"),
        **explanation(request, prepared),
        **account(progress),
    }
    if committed:
        answer["committed"] = dict(committed)
    return answer


def waiting(
    request: Request, prepared: Prepared, progress: Progress, continuation: str | None, committed: Any
) -> dict[str, Any]:
    answer = resolved(request, prepared, progress, committed)
    answer |= {"status": "waiting", "continuation": continuation, "awaits": awaits(progress.stage)}
    return answer


def stepped(
    state: Mapping[str, Any],
    progress: Progress,
    continuation: str | None,
    committed: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """A step's report, from what its continuation carries."""
    answer: dict[str, Any] = {
        "status": "resolved" if progress.done else "waiting",
        **procedure_of(state["ruleset"], state["procedure"]),
        "packs": [{"id": id, "version": version} for id, version in state["packs"]],
        **state["explanation"],
        **account(progress),
    }
    if not progress.done:
        answer |= {"continuation": continuation, "awaits": awaits(progress.stage)}
    if committed:
        answer["committed"] = dict(committed)
    return answer


def account(progress: Progress) -> dict[str, Any]:
    """Every roll and decision so far, the facts, and at the end the effects."""
    rolls = [row for one in progress.records if isinstance(one, RollRecord) for row in roll_rows(one)]
    return {
        "rolls": rolls,
        "decisions": decisions_of(progress),
        "outcome": dict(progress.details),
        "effects": [effect(change) for change in progress.effects()] if progress.done else [],
    }


def decisions_of(progress: Progress) -> list[dict[str, Any]]:
    """Every decision so far."""
    found: list[dict[str, Any]] = []
    for record in progress.records:
        if not isinstance(record, RollRecord):
            decision = record.decision
            found.append(
                {"decision": decision.id, "by": decision.by, "choice": record.choice, "how": record.how}
            )
            about = dict(decision.context)
            if "roll" in about:
                found[-1]["roll"] = about["roll"]
    return found


def roll_rows(record: RollRecord) -> list[dict[str, Any]]:
    """A roll, part by part."""
    roll, dealt = record.roll, record.dealt
    groups = {group.sides for group in roll.request.groups()}
    sides = max(groups) if groups else 0
    return [
        {
            "label": label,
            "by": by,
            "dice": str(part),
            "sides": sides,
            "faces": list(faces),
            "source": dealt.source,
            "draw": dealt.draw,
            "result": dict(facts),
        }
        for label, by, part, faces, facts in zip(
            roll.labels,
            roll.by,
            roll_parts(roll),
            roll.request.by_part(dealt.faces),
            record.facts,
            strict=True,
        )
    ]


def roll_parts(roll: Roll) -> tuple[Any, ...]:
    """The requests of a roll, one for each that throws."""
    request = roll.request
    return (request.first, request.second) if isinstance(request, Opposed) else (request,)


def awaits(stage: Stage) -> dict[str, Any] | None:
    """The question of a stage."""
    awaited = stage.awaits
    if isinstance(awaited, Roll):
        groups = [
            {
                "label": label,
                "by": by,
                "count": group.dice,
                "sides": group.sides,
                "exploding": group.exploding,
            }
            for label, by, part in zip(awaited.labels, awaited.by, roll_parts(awaited), strict=True)
            for group in part.groups()
        ]
        return {"kind": "roll", "dice": str(awaited.request), "groups": groups}
    if isinstance(awaited, Decision):
        return {
            "kind": "decision",
            "decision": awaited.id,
            "by": awaited.by,
            "default": awaited.default,
            "options": [
                {"id": option.id, "label": option.label, "cost": dict(option.cost)}
                for option in awaited.options
            ],
            "about": dict(awaited.context),
            "reaction": awaited.reaction,
        }
    return None


def effect(change: Effect) -> dict[str, Any]:
    return {
        "type": change.type,
        "who": change.who,
        "what": change.what,
        "amount": change.amount,
        **dict(change.detail),
    }


def odds(
    request: Request,
    prepared: Prepared,
    found: Odds,
    values: Sequence[float],
    attribution: Sequence[Mapping[str, Any]],
    budget: Budget,
) -> dict[str, Any]:
    branches = []
    for name, distribution in found.branches.items():
        branches.append({"branch": name, "outcomes": _outcomes(distribution, request.exact, budget)})
        if request.exact:
            branches[-1]["total"] = str(distribution.total)
    return {
        **_head(request, "resolved"),
        **explanation(request, prepared),
        "branches": branches,
        "measures": [
            {"id": measure.id, "label": _label(measure, found), "value": value}
            for measure, value in zip(request.procedure.measures, values, strict=True)
        ],
        "attribution": list(attribution),
        "glitches": [
            {"roll": roll, "glitch": chances.glitch, "critical": chances.critical}
            for roll, chances in found.glitches.items()
        ],
        "policy": [choice.as_json() for choice in request.choices],
    }


def _label(measure: Measure, found: Odds) -> str:
    """What a measure is called: the chances of several targets, added up, are no chance, and may be above 1."""
    if len(found.branches) == 1 or not measure.label.startswith(CHANCE):
        return measure.label
    counting = (any(map(measure.of, map(_notes, one.outcomes))) for one in found.branches.values())
    return measure.label if sum(counting) < 2 else f"Sum of the chances{measure.label.removeprefix(CHANCE)}"


CHANCE = "Chance"
"""The first word of the label of a measure that is a chance."""


def _notes(outcome: Stage) -> Facts:
    return outcome.notes()


def _outcomes(distribution: Distribution, exact: bool, budget: Budget) -> list[dict[str, Any]]:
    total = distribution.total
    rows = []
    for stage, weight in sorted(distribution.outcomes.items(), key=lambda item: -item[1]):
        budget.check()
        row: dict[str, Any] = {"chance": weight / total, "outcome": dict(stage.notes())}
        if exact:
            row["weight"] = str(weight)
        rows.append(row)
    return rows

"""What happened, in sentences for people, and the two facts that every attack has: `hit` and `damage`.

The ruleset reads what an attack did to a target (`kernel.ruleset.Struck`), and has the words for all other facts
(`kernel.ruleset.Phrases`); names come from the situation and the packs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.exports.cards.card import OUTCOME, Line, apart, outcome_lines
from fracas.exports.cards.terms import value_text, words
from fracas.exports.readable import by_means, counted, plain
from fracas.kernel.ruleset import Attack, Procedure, Ruleset, Struck
from fracas.kernel.stage import Fact

Names = Mapping[str, str]
"""What the records of the request are called."""
MOST_FACTS = 5
"""Facts of an outcome that stand in a sentence where nothing better is known."""
_NOUN = re.compile(r"{([^{}]*)}")
MEANT = ("power", "drug")
"""Kinds of entries that a step is about, and that its sentence names."""
ROW = "act"
"""The field that names a row of a table for an action: a spell, a power."""
OF_ALL_TARGETS = ("hit", "damage")
"""What the outcome of an attack says of all its targets together; see `attack_facts`."""
_NOTHING = (None, False, 0, "", "none")


def with_summary(
    ruleset: Ruleset, procedure: Procedure, names: Names, answer: Mapping[str, Any]
) -> dict[str, Any]:
    """An answer with its sentence after its status, and with `hit` and `damage` in the outcome of an attack."""
    reported = dict(answer)
    sentence = summary(ruleset, procedure, {record: plain(name) for record, name in names.items()}, answer)
    if answer["status"] == "resolved":
        facts = attack_facts(ruleset, procedure, answer["outcome"])
        reported["outcome"] = facts | answer["outcome"] | facts
    return {"status": reported.pop("status"), "summary": sentence, **reported}


def summary(
    ruleset: Ruleset, procedure: Procedure, names: Names, answer: Mapping[str, Any], called: str = ""
) -> str:
    """One sentence about an answer: what happened, what is asked, or why nothing can happen.

    Args:
        called: what an action that the procedure resolves is called; else the procedure has its own name.
    """
    if answer["status"] == "refused":
        reasons = ", ".join(refusal["label"] for refusal in answer["refusals"])
        return f"{_beginning(procedure, names)} is not possible: {reasons}."
    if answer["status"] == "waiting":
        return _question(procedure, names, answer["awaits"])
    attack = ruleset.attacks.get(procedure.id)
    blows = [*_blows(ruleset, procedure, attack, answer["outcome"])] if attack is not None else []
    if attack is not None and any(blow.of_target for blow in blows):
        return _attacked(ruleset, attack, blows, names)
    reported = _joined(_results(ruleset, procedure, names, answer["outcome"], answer["rolls"]))
    if not reported and any(map(ruleset.struck, _branches(answer["outcome"]).values())):
        reported = "no damage"
    elif not reported and not answer["effects"]:
        reported = "without effect"
    return f"{_beginning(procedure, names, called)}{f': {reported}' if reported else ''}."


def sentences(
    ruleset: Ruleset,
    procedure: Procedure,
    names: Names,
    outcome: Mapping[str, Fact],
    rolls: Sequence[Mapping[str, Any]] = (),
) -> list[str]:
    """What an outcome says, below a line that names who acts and what they do: of an attack a sentence for each target,
    of anything else its results in one line. Empty if the rolls and effects show everything.

    Args:
        rolls: what was rolled, which need not be repeated.
    """
    attack = ruleset.attacks.get(procedure.id)
    blows = [*_blows(ruleset, procedure, attack, outcome)] if attack is not None else []
    targets = [blow for blow in blows if blow.of_target]
    if attack is None or not targets:
        found, about = _joined(_results(ruleset, procedure, names, outcome, rolls)), _about(procedure, names)
        return [_sentence(f"{about}: {found}" if about else found)] if found else []
    struck = {blow.branch for blow in blows}
    lines: list[str] = []
    used: set[str] = set()
    for branch, facts in _branches(outcome).items():
        given = [one for one in _given(ruleset, facts) if one not in used] if branch not in struck else []
        if given:
            used.update(given)
            lines.append(
                f"{_called(branch, names)}: {', '.join(given)}." if branch else f"{', '.join(given)}."
            )
    lines = [f"{line[:1].upper()}{line[1:]}" for line in lines]
    called = _numbered([blow.record for blow in targets], names)
    lines += [_struck(ruleset, attack, blow, name, names) for name, blow in zip(called, targets, strict=True)]
    for blow in blows:
        if not blow.of_target:
            lines.append(_sentence(f"{_called(blow.record, names)}: {', '.join(blow.struck.words)}"))
    return lines


def outcome_told(
    ruleset: Ruleset,
    procedure: Procedure,
    names: Names,
    outcome: Mapping[str, Fact],
    rolls: Sequence[Mapping[str, Any]] = (),
) -> list[Line]:
    """The lines of an outcome on a card: its sentences in one, then the numbers that led to the damage."""
    if not outcome:
        return []
    result = " ".join(sentences(ruleset, procedure, names, outcome, rolls))
    found = [Line(OUTCOME, "Result", result)] if result else []
    return found + [Line(OUTCOME, *one) for one in measured(ruleset, names, outcome)]


def measured(ruleset: Ruleset, names: Names, outcome: Mapping[str, Fact]) -> Iterator[tuple[str, str]]:
    """The numbers of an outcome that led to the damage, with their labels."""
    called = apart(names)
    for branch, facts in _branches(outcome).items():
        struck = ruleset.struck(facts)
        for label, value in struck.numbers if struck is not None else ():
            yield (f"{label} ({_called(branch, called)})" if branch else label, value)


def attack_facts(ruleset: Ruleset, procedure: Procedure, outcome: Mapping[str, Fact]) -> dict[str, Fact]:
    """The facts `hit` and `damage` of a finished attack, and of each of several targets (`target_2.hit`).

    Of several, whether any of them was hit, and the damage of all together. Empty for what is no attack, such as a
    spell that heals.
    """
    attack = ruleset.attacks.get(procedure.id)
    if attack is None:
        return {}
    targets = [blow for blow in _blows(ruleset, procedure, attack, outcome) if blow.of_target]
    if not targets and any("success" in found for found in _branches(outcome).values()):
        return {}
    facts: dict[str, Fact] = {}
    for branch, struck in ((blow.branch, blow.struck) for blow in targets if blow.branch):
        facts |= {f"{branch}.hit": struck.hit, f"{branch}.damage": struck.damage}
    aimed_at = [blow.struck for blow in targets if not blow.branch] or [blow.struck for blow in targets]
    hit, damage = any(struck.hit for struck in aimed_at), sum(struck.damage for struck in aimed_at)
    return {"hit": hit, "damage": damage, **facts}


class _Blow(NamedTuple):
    """
    Attributes:
        branch: of the outcome; "" where it has one only.
        record: who or what was struck.
        means: the record of what it was done with; "" for nothing.
        of_target: False for what befell the attacker, such as Drain.
        facts: of the branch.
    """

    branch: str
    record: str
    means: str
    of_target: bool
    struck: Struck
    facts: Mapping[str, Fact]


def _blows(
    ruleset: Ruleset, procedure: Procedure, attack: Attack, outcome: Mapping[str, Fact]
) -> Iterator[_Blow]:
    records, branches = procedure.vocabulary.records, _branches(outcome)
    order = ["", *records]
    for branch in sorted(branches, key=lambda name: order.index(name) if name in order else len(order)):
        facts = branches[branch]
        if not branch and len(branches) > 1 and "result" not in facts:
            facts = {name: fact for name, fact in facts.items() if name not in OF_ALL_TARGETS}
        struck = ruleset.struck(facts)
        if struck is None:
            continue
        kind = records[branch].entry_kind if branch in records else ""
        if kind == "weapon":  # the second of two weapons
            yield _Blow(branch, attack.target, branch, True, struck, facts)
        elif branch in ("", attack.target) or (kind == "combatant" and branch != attack.by):
            yield _Blow(branch, struck.instead or branch or attack.target, attack.means, True, struck, facts)
        elif struck.words:
            yield _Blow(branch, branch.rpartition(".")[2], "", False, struck, facts)


def _branches(outcome: Mapping[str, Fact]) -> dict[str, dict[str, Fact]]:
    """The facts of each branch of an outcome; those of all together under ""."""
    found: dict[str, dict[str, Fact]] = {}
    for name, fact in outcome.items():
        branch, _, own = name.rpartition(".")
        found.setdefault(branch, {})[own] = fact
    return found


def _attacked(ruleset: Ruleset, attack: Attack, blows: Sequence[_Blow], names: Names) -> str:
    """Who hit which targets with what, and what it did."""
    targets = [blow for blow in blows if blow.of_target]
    also = [
        f"; {_called(one.record, names)}: {', '.join(one.struck.words)}" for one in blows if not one.of_target
    ]
    if len(targets) == 1:
        (blow,) = targets
        reported = _struck(ruleset, attack, blow, _named(blow.record, names), names).removesuffix(".")
    else:
        means = {blow.means for blow in targets}
        one_means = means.pop() if len(means) == 1 else ""
        called = _numbered([blow.record for blow in targets], names)
        each = []
        for name, blow in zip(called, targets, strict=True):
            hit = "hit" if blow.struck.hit else ""
            result = ", ".join(filter(None, (hit, _did(ruleset, blow.struck, blow.facts)))) or "missed"
            each.append(f"{name}{'' if one_means else _with(blow.means, names)} ({result})")
        reported = f"{_named(attack.by, names)} attacks{_with(one_means, names)}: {', '.join(each)}"
    return _sentence(reported + "".join(also))


def _struck(ruleset: Ruleset, attack: Attack, blow: _Blow, name: str, names: Names) -> str:
    """A sentence about one target."""
    hit, did = blow.struck.hit, _did(ruleset, blow.struck, blow.facts)
    did = did or ("no damage" if hit else "")
    missed = blow.struck.result in ("", "miss")  # such as a save against a blast is neither
    verb = "hits" if hit else "misses" if missed else "attacks"
    return _sentence(
        f"{_named(attack.by, names)} {verb} {name}{_with(blow.means, names)}{did and f': {did}'}"
    )


def _did(ruleset: Ruleset, struck: Struck, facts: Mapping[str, Fact]) -> str:
    """What became of a target; how it went as well, where the rules have another word for it than hit or miss."""
    usual = struck.result in ("", "hit", "miss")
    known = None if usual else _phrase(ruleset, {"result": struck.result}, "result")
    result = words(struck.result) if known is None and not usual else known
    given = (result, *struck.words, *_given(ruleset, facts, ("result",)))
    return ", ".join(dict.fromkeys(filter(None, given)))


def in_words(ruleset: Ruleset, facts: Mapping[str, Fact]) -> list[str]:
    """Facts in the words of the ruleset, as far as it has any; an empty phrase leaves one out."""
    found = [*_given(ruleset, facts)]
    return found + [
        _fact(words(name), value_text(facts[name])) for name in facts if name not in ruleset.phrases
    ]


def _given(ruleset: Ruleset, facts: Mapping[str, Fact], without: Sequence[str] = ()) -> Iterator[str]:
    """Facts for which the ruleset has words, in the order in which it has them."""
    for name in ruleset.phrases:
        if name in facts and name not in without and (text := _phrase(ruleset, facts, name)):
            yield text


def _phrase(ruleset: Ruleset, facts: Mapping[str, Fact], name: str) -> str | None:
    """A fact in the words of the ruleset; None if it has none."""
    phrase, value = ruleset.phrases.get(name, ""), facts[name]
    if not isinstance(phrase, str):
        return phrase.get(value)
    if not phrase or value in _NOTHING:
        return None
    number = value if isinstance(value, int) else 0

    def filled(found: re.Match[str]) -> str:
        noun = found[1]
        if noun.startswith("="):
            return value_text(facts[noun[1:]])
        noun = str(facts[noun[1:]]) if noun.startswith("@") else noun
        return counted(number, noun) if noun else value_text(value)

    return _NOUN.sub(filled, phrase)


def _with(means: str, names: Names) -> str:
    if means not in names:
        return ""
    return by_means(names[means], "" if means == "spell" else "the ")


def _numbered(records: Sequence[str], names: Names) -> list[str]:
    """The names of records; those that several of them have, with a number. One that is struck twice has one name."""
    called = {record: _named(record, names) for record in records}
    count, so_far = Counter(called.values()), Counter[str]()
    for record, name in called.items():
        so_far[name] += 1
        called[record] = f"{name} {so_far[name]}" if count[name] > 1 else name
    return [called[record] for record in records]


def _results(
    ruleset: Ruleset,
    procedure: Procedure,
    names: Names,
    outcome: Mapping[str, Fact],
    rolls: Sequence[Mapping[str, Any]],
) -> list[str]:
    """What an outcome that is no attack's says: how it went, and what was measured or befell people."""
    reported, harmed = [], False
    facts = {name.rpartition(".")[2]: fact for name, fact in outcome.items()}
    records = procedure.vocabulary.records
    measures = {measure.id: measure for measure in procedure.measures}
    passed = measures.pop("success", None)
    # A measure of success that looks at the fact of that name says nothing where nothing was tested.
    if passed is not None and ("success" in facts or not passed.of({"success": True})):
        reported.append("success" if passed.of(facts) else "failure")
    for branch, own in _branches(outcome).items():
        struck = ruleset.struck(own)
        if struck is not None:
            did = _did(ruleset, struck, own)
            known = bool(struck.words or (branch in records and records[branch].entry_kind))
            harmed = harmed or bool(struck.words)
        else:
            did, known = ", ".join(_given(ruleset, own)), branch in names
        if did:
            of_itself = not branch or not known or (branch in records and records[branch].entry_kind in MEANT)
            reported.append(did if of_itself else f"{_called(branch, names)} ({did})")
    if harmed or ruleset.phrases:
        return reported
    measured = tuple(words(id).casefold() for id in measures)
    lines = [line for line in outcome_lines(outcome, rolls) if line.label != "Result"]
    best = [line for line in lines if line.label.casefold().endswith(measured)]
    if not best and not reported:
        failed = [name for name in measured if facts.get(name.replace(" ", "_")) is False]
        return [f"not {name}" for name in failed] or [_fact(*line[1:]) for line in lines[:MOST_FACTS]]
    return reported + [_fact(*line[1:]) for line in best]


def _joined(results: Sequence[str]) -> str:
    """Results, each once; apart by semicolons where one of them, such as a name, has a comma."""
    found = list(dict.fromkeys(results))
    return ("; " if any(", " in one for one in found) else ", ").join(found)


def _fact(label: str, value: str) -> str:
    return label.lower() if value == "yes" else f"{label.lower()} {value}"


def _question(procedure: Procedure, names: Names, asked: Mapping[str, Any]) -> str:
    """Who has to roll what, or to decide what."""
    if asked["kind"] == "roll":
        people = " and ".join(dict.fromkeys(_named(group["by"], names) for group in asked["groups"]))
        return _sentence(f"{people or 'the service'}: roll {asked['dice']}")
    labels = {decision.id: decision.label for decision in procedure.decisions}
    options = ", ".join(option["label"] for option in asked["options"])
    label = labels.get(asked["decision"], words(asked["decision"]))
    return f"{_named(asked['by'], names)}: {label} ({options})?"


def _beginning(procedure: Procedure, names: Names, called: str = "") -> str:
    """Who does what; of those who have no name only what is done."""
    kinds = {path: record.entry_kind for path, record in procedure.vocabulary.records.items()}
    who = names.get(next((path for path, kind in kinds.items() if kind == "combatant"), ""))
    about = _about(procedure, names)
    label = called or procedure.label
    what = f"{label} ({about})" if about else label
    return f"{who}: {what}" if who else what


def _about(procedure: Procedure, names: Names) -> str:
    """The spell, power or drug that a step is about; "" for none."""
    records = procedure.vocabulary.records
    about = (path for path in names if path == ROW or (path in records and records[path].entry_kind in MEANT))
    return next((names[path] for path in about), "")


def _called(branch: str, names: Names) -> str:
    return names.get(branch) or words(branch)


def _named(record: str, names: Names) -> str:
    if record in names:
        return names[record]
    reported = words(record)
    return reported if reported[-1:].isdigit() else f"the {reported}"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."

"""Attacks on one target or several: the numbers, the opposed test, and what follows (sections 6.2, 6.3 and 8.4).

Multiple attacks split the pool, Carnival of Carnage rolls all of it against each. Each target is attacked once, and is
the record ``target`` of its own attack.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from fracas.errors import InputError
from fracas.kernel.fields import choice, fields, person, vocabulary
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import has_record, in_place_of
from fracas.kernel.ruleset import AttemptRequest, Measure
from fracas.kernel.stage import Fork, Stage, share
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Field, Record, Vocabulary
from fracas.rulesets.sr5.harms.damage import ARMOR, MEASURES, Compare, Plan
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.sheet import Facts, pool_entries

SEVERAL = tuple(f"target_{number}" if number > 1 else "target" for number in range(1, 7))
"""The records of the combatants that one action takes on together."""
SPLIT, CARNIVAL = "split", "carnival"


def others(doc: str, label: str = "Target", *, optional: bool = False) -> Iterator[Record]:
    """The records of all but the first of them."""
    for number, who in enumerate(SEVERAL[1:], start=2):
        yield person(who, f"{label} {number}", doc, optional=optional)


def named(record: str, to: str) -> str:
    """The name of a number of this record; those of the target have their plain names."""
    return to if record == "target" else f"{record}.{to}"


def labels_of(labels: Mapping[str, str]) -> dict[str, str]:
    """The labels of these numbers for each of several targets."""
    of = {who: "" if who == "target" else f"{who.replace('_', ' ').capitalize()}: " for who in SEVERAL}
    return {named(who, to): f"{of[who]}{label}" for who in SEVERAL for to, label in labels.items()}


def owners_in(targets: Collection[str], attackers: Collection[str]) -> dict[str, str]:
    """Whose number each is in an attack on one or several: the attacker's, or that of the target that it is for."""
    return {named(who, to): "attacker" if to in attackers else who for who in SEVERAL for to in targets}


def attempt_on(it: Attempt, record: str, facts: Facts) -> Attempt:
    """The attempt as it is for one of the targets; `facts`: as of `in_place_of`."""
    return it.of("" if record == "target" else record, facts)


def people_in(facts: Facts) -> list[str]:
    """The records that the situation has any fields of."""
    return [who for who in SEVERAL if has_record(facts, who)]


def targets_of(facts: Facts) -> list[str]:
    """The records of those who are attacked: the target, and every other victim that the situation has."""
    return ["target", *(who for who in people_in(facts) if who != "target")]


def whole_pool(facts: Facts) -> list[Entry]:
    """The attack pool before it is split, and before modifiers: Agility and the skill, or a pool that is given.

    Those who control a machine aim by the attribute of the packs' table.
    """
    attribute = facts.get("attacker.aims_by", "agility")
    entries = pool_entries(facts, "attacker", (attribute,), facts.get("weapon.skill", ""), defaults=False)
    rig = facts.get("attacker.control_rig", 0) if facts.get("attacker.control") == "jumped-in" else 0
    return [*entries, Entry("control-rig", "Control rig", rig)] if rig else entries


def defense_base(facts: Facts, options: Mapping[str, Any]) -> list[Entry]:
    """The defense pool: Reaction + Intuition, of a drone its Pilot and the autosoft for evasion; the option
    ``no_autosoft`` says whether one without it has its Pilot twice."""
    once = facts.get("target.nature") == "drone" and options["no_autosoft"] == "pilot"
    second = ("evasion",) if "target.evasion" in facts else () if once else ("intuition",)
    return pool_entries(facts, "target", ("reaction", *second))


def attack_base(facts: Facts) -> list[Entry]:
    """The attack pool; of a split one, the part that this attack gets (section 6.2).

    Raises:
        InputError: the part is not smaller than the whole.
    """
    entries = whole_pool(facts)
    if "attacker.split_dice" in facts:
        whole, part = sum(entry.value or 0 for entry in entries), facts["attacker.split_dice"]
        if part >= whole:
            message = f"another attack gets a die of the {whole}, so this one gets at most {whole - 1}"
            raise InputError.one("situation.attacker.split_dice", "out-of-range", message)
        entries.append(Entry("split", "Dice of the other attacks", part - whole, origin="rule"))
    return entries


class AttackProcedure(dice_test.TestingProcedure):
    """An attack on one target: an opposed test with a limit, damage against armor, damage resistance.

    Attributes:
        pool, limit, defense: the names of the numbers; the target's defense is not made where it makes none.
        defense_limit: of a defense that has one.
        shows: facts for the explanation.
    """

    measures: Sequence[Measure] = MEASURES
    inner: Collection[str] = (ARMOR,)
    pool: str
    limit: str
    defense: str
    defense_limit = ""
    shows: Sequence[str] = ()

    def ready(self, facts: dict[str, Any], request: AttemptRequest) -> None:
        """Add to the facts what follows for an attack on the target.

        Raises:
            InputError: the request lacks something that the rule cannot do without.
        """

    def make(self, it: Attempt) -> None:
        """Make the numbers of an attack whose facts are ready.

        Raises:
            InputError: the target's armor is missing.
        """
        raise NotImplementedError

    def plan(self, it: Attempt) -> Plan:
        """What follows the opposed test."""
        raise NotImplementedError

    def numbers(self, it: Attempt) -> None:
        with it.faults.collect():
            self.ready(it.facts, it.request)
            self.make(it)
        it.shown |= {name: it.facts[name] for name in self.shows if name in it.facts}

    def receiver(self, it: Attempt, *, several: bool = False) -> dice_test.Receiver:
        """What takes the opposed test; `several`: of one attack among others."""
        return Compare(share(self.plan(it)))

    def first(self, it: Attempt, *, edge: bool = True, several: bool = False) -> Stage:
        """The opposed test; `edge`: the attacker has a point of Edge left for it."""
        attack = dice_test.side_of(it, "attack", "attacker", it.total(self.pool), it.total(self.limit))
        attack, defense = attack if edge else attack.without_points(), None
        if (pool := it.known(self.defense)) is not None:
            defense = dice_test.side_of(it, "defense", "target", pool, it.known(self.defense_limit))
        return dice_test.start(attack, defense, self.receiver(it, several=several))


class SeveralAttacks(dice_test.TestingProcedure):
    """One action against several targets, each attacked once.

    Any attack that is impossible makes the action impossible. Edge is offered on no more of them than there are points.

    Attributes:
        single: the attack on each.
        of_each: the fields of the single attack that are given with each target, by their names there.
    """

    doc = "Multiple attacks with a split pool, or Carnival of Carnage with all of it."
    measures: Sequence[Measure] = MEASURES
    single: AttackProcedure
    of_each: Sequence[str]

    def ready(self, it: Attempt, records: Sequence[str]) -> Iterator[dict[str, Any]]:
        """The facts of each attack."""
        for record in records:
            facts = self.against(it.facts, record)
            with it.faults.collect({"target": record}):
                self.single.ready(facts, it.request)
            yield facts

    def numbers(self, it: Attempt) -> None:
        records = targets_of(it.facts)
        attacks = [*self.ready(it, records)]
        if it.faults.problems:
            return
        dice: Sequence[int] = ()
        if len(records) > 1 and it.facts.get("way") != CARNIVAL:
            dice = shares(it.facts, records, sum(entry.value or 0 for entry in whole_pool(attacks[0])))
        it.plan = []
        for at, (record, facts) in enumerate(zip(records, attacks, strict=True)):
            facts.pop("attacker.split_dice", None)
            facts |= {"attacker.split_dice": dice[at]} if dice else {}
            one = attempt_on(it, record, facts)
            with it.faults.collect({"target": record}):
                self.single.make(one)
                it.refused += it.request.rules.refusals(one.facts)
                it.plan.append((record, one))
        it.facts = attacks[0]  # by which the packs refuse

    def first(self, it: Attempt) -> Stage:
        points = it.facts.get("attacker.edge_points", 0)
        begin = self.single.first
        return Fork(
            tuple((who, begin(one, edge=at < points, several=True)) for at, (who, one) in enumerate(it.plan))
        )

    def against(self, facts: Facts, record: str) -> dict[str, Any]:
        """The facts of the attack on one of them, who is the target then."""
        seen = in_place_of(facts, record, without=SEVERAL)
        for path in self.of_each:
            if (given := f"target.{path.rpartition('.')[2]}") in seen:
                seen[path] = seen.pop(given)
        return seen


def shares(facts: Facts, records: Sequence[str], whole: int) -> list[int]:
    """The dice of each: those given, and the rest of the pool in equal parts, the first ones getting one more.

    Raises:
        InputError: the pool is too small to give each target a die.
    """
    given = {who: facts[f"{who}.split_dice"] for who in records if f"{who}.split_dice" in facts}
    open_ones = [who for who in records if who not in given]
    left = whole - sum(given.values())
    if left < len(open_ones):
        message = f"the pool has {whole} dice, too few for these {len(records)} targets"
        raise InputError.one("situation.target.split_dice", "out-of-range", message)
    each, more = divmod(left, len(open_ones)) if open_ones else (0, 0)
    parts = {who: each + (at < more) for at, who in enumerate(open_ones)} | given
    return [parts[who] for who in records]


def vocabulary_of_several(single: Vocabulary, of_each: Sequence[str]) -> Vocabulary:
    """The words of an attack on one target for several; `of_each`: see `SeveralAttacks`."""
    plain = [field for field in single.fields.values() if field.path != "attacker.split_dice"]
    of_target = "Of the attack on this target; what is given of the whole action if left out."
    of_ways = "Multiple attacks split the pool; Carnival of Carnage rolls all of it against each."
    each = {path.rpartition(".")[2]: single.fields[path]._replace(doc=of_target) for path in of_each}
    return vocabulary(
        *single.records.values(),
        *others("Another target of the same action."),
        plain,
        *(_as_target(plain, who) for who in SEVERAL[1:]),
        *([one._replace(path=f"{who}.{name}") for name, one in each.items()] for who in SEVERAL),
        fields("", way=choice("How several are attacked", of_ways, choices=(SPLIT, CARNIVAL))),
    )


def _as_target(single: Sequence[Field], who: str) -> Iterator[Field]:
    for field in single:
        if field.path.startswith("target."):
            derived = field.derived_from and field.derived_from.replace("target.", f"{who}.", 1)
            yield field._replace(path=field.path.replace("target.", f"{who}.", 1), derived_from=derived)

"""From the casting of a spell to what it does, and to the drain: rulebook sections 7, 11.6, 11.8 and 16.

    touch -> spellcasting (against the resistance or the defense of a single target) -> how much of it raises the damage
          -> fork: one branch for each of those whom it reaches, and one for the drain

A spell that strikes an area is cast by itself, and everybody in the area opposes its hits in a branch.
"""

from __future__ import annotations

from fracas.kernel.forms import Part, Waiting
from fracas.kernel.ruleset import Clue, DecisionInfo
from fracas.kernel.stage import (
    Awaited,
    Decision,
    Facts,
    Fork,
    Option,
    Shared,
    Stage,
)
from fracas.rulesets.sr4.harms.damage import AttackOutcome, Compare, Plan, short_of_contact
from fracas.rulesets.sr4.magic.spell_facts import CASTER, DIRECT
from fracas.rulesets.sr4.magic.spell_outcomes import (
    Aid,
    AidEnd,
    Drain,
    Drained,
    NotTouched,
    Outside,
    Overwhelmed,
)
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import CRITICAL_SUCCESS, Receiver, RollRules, Side

NET_HITS = "spell-net-hits"
ALL = "all"
_MOST = 20
DECISION = DecisionInfo(
    NET_HITS,
    "How many net hits raise the damage",
    (ALL, *map(str, range(_MOST))),
    ALL,
    (Clue("hits", "Hits of the caster; net hits against a single target"),),
)
"""Only where they cost drain (house rule ``direct_spell_net_drain``)."""

SPELL = "spell"
"""The branch of a spell that is no attack."""
LEAST_DRAIN = 1
TOUCHED = "target"
"""Whoever has to be touched: one person only."""


class Subject(Part, kind="sr4.spell-subject"):
    """Somebody whom a spell may harm.

    Attributes:
        opposes: the test against it, of a direct spell the resistance, of others the defense; None without one.
        object_resistance: hits that a thing has against it without a test.
        reached: it is within the area.
        plan: damage, armor and what follows.
    """

    who: str
    opposes: Side | None
    object_resistance: int
    reached: bool
    plan: Shared[Plan]


class Spell(Part, kind="sr4.spell"):
    """A spell about to be cast, with all that the stages need.

    Attributes:
        force: hits count up to it; it is the DV before net hits.
        way: ``direct``, ``indirect``; "" for what is no attack.
        cast: the Spellcasting test.
        subjects: those in its reach; a single one opposes the test itself, unless it strikes an area.
        area: it strikes everybody in an area.
        aid: what it does where it is no attack.
        net_drain: each net hit that raises the damage adds to the drain.
        asks: how many net hits do so is asked.
    """

    force: int
    way: str
    cast: Side
    subjects: tuple[Shared[Subject], ...]
    area: bool
    aid: Aid | None
    drain: Drain
    net_drain: bool
    asks: bool
    rules: RollRules


def begin(shared: Shared[Spell], spent: tuple[int, int] = (0, 0)) -> Stage:
    """The Spellcasting test.

    Args:
        spent: points of Edge that caster and target have spent on touching.
    """
    spell = shared.value
    side = spell.cast.without_edge() if spent[0] else spell.cast
    subject = None if spell.area or not spell.subjects else spell.subjects[0].value
    opposes = subject.opposes if subject is not None else None
    then = Cast(shared, spent)
    if subject is None or opposes is None:
        return dice_test.start(side, None, then, spell.rules)
    if subject.plan.value.edge_points <= spent[1]:
        opposes = opposes.without_points()
    return dice_test.start(side, opposes, then, spell.rules._replace(both_hits=True, limit=spell.force))


class Touching(Receiver, kind="sr4.touching"):
    """Takes the attack to touch: a tie is contact, and contact is enough. Without it the spell is not cast.

    Attributes:
        defended: the target tries to avoid it.
        grazing: what of a tie is contact, see `Plan.grazing`.
    """

    spell: Shared[Spell]
    defended: bool
    grazing: str

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        if self.short(net, scoreless) <= 0:
            return begin(self.spell, edge_spent)
        return _not_touched(self.defended, edge_spent)

    def forgo(self) -> Stage:
        """Without dice nobody is touched."""
        return _not_touched(False, (0, 0))

    def short(self, net: int, scoreless: bool) -> int:
        return short_of_contact(net, scoreless, self.grazing if self.defended else "off")


def _not_touched(defended: bool, edge_spent: tuple[int, int]) -> Fork:
    """Nothing is cast, and there is no drain."""
    target = NotTouched(TOUCHED, defended, edge_spent[1])
    return Fork(((TOUCHED, target), (CASTER, NotTouched(CASTER, False, edge_spent[0]))))


class Cast(Receiver, kind="sr4.cast"):
    """Takes the Spellcasting test. `spent`: points of Edge that caster and target have spent before."""

    spell: Shared[Spell]
    spent: tuple[int, int]

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        spell = self.spell.value
        mine, theirs = self.spent
        spent = mine + edge_spent[0], theirs + edge_spent[1]
        return _aimed(self.spell, min(net, spell.force), scoreless, spent)

    def forgo(self) -> Stage:
        """Without dice nothing comes of it but drain."""
        return _spread(self.spell, None, False, 0, self.spent)

    def short(self, net: int, scoreless: bool) -> int:
        spell = self.spell.value
        single = spell.subjects[0].value if spell.subjects and not spell.area else None
        resists = single.object_resistance if single is not None and single.opposes is None else 0
        return resists + 1 - min(net, spell.force)

    def critical(self) -> int:
        """Above what it takes: the Object Resistance of a thing, the threshold of a spell that is no attack."""
        spell = self.spell.value
        if spell.aid is not None:
            return spell.aid.threshold + CRITICAL_SUCCESS
        single = spell.subjects[0].value if spell.subjects and not spell.area else None
        return CRITICAL_SUCCESS + (single.object_resistance if single is not None else 0)


def _aimed(shared: Shared[Spell], hits: int, scoreless: bool, spent: tuple[int, int]) -> Stage:
    """How much of the hits raises the damage, where that costs drain; or at once what comes of the spell."""
    spell = shared.value
    if spell.net_drain and spell.way == DIRECT and spell.subjects:
        most = hits
        if not spell.area and spell.subjects[0].value.opposes is None:
            most -= spell.subjects[0].value.object_resistance
        if most > 0:
            if spell.asks:
                return NetHits(shared, hits, most, spent)
            return _spread(shared, hits, scoreless, most, spent)
    return _spread(shared, hits, scoreless, 0, spent)


class NetHits(Waiting, kind="sr4.spell-net-hits"):
    """The caster says how many net hits raise the damage; each of them costs drain.

    Attributes:
        hits: of an area those of the caster, otherwise net hits.
        most: the greatest number.
    """

    spell: Shared[Spell]
    hits: int
    most: int
    spent: tuple[int, int]

    @property
    def awaits(self) -> Awaited:
        options = (
            Option(ALL, f"All {self.most}, drain +{self.most}"),
            *(Option(str(less), f"{less}, drain +{less}") for less in range(min(self.most, _MOST))),
        )
        return Decision(NET_HITS, CASTER, options, ALL, (("roll", "spell"), ("hits", self.hits)))

    def advance(self, answer: str) -> Stage:
        return _spread(self.spell, self.hits, False, self.most if answer == ALL else int(answer), self.spent)


def _spread(
    shared: Shared[Spell], hits: int | None, scoreless: bool, raising: int, spent: tuple[int, int]
) -> Fork:
    """The fork: everybody whom it reaches, and the drain.

    Args:
        hits: against a single target net hits, otherwise those of the caster; None where nothing was rolled.
        raising: hits that raise the damage at most, and the drain, where they cost any.
        spent: points of Edge of caster and target.
    """
    spell = shared.value
    branches: list[tuple[str, Stage]] = []
    raises = raising if spell.net_drain else None
    for subject in spell.subjects:
        reached = subject.value
        if spell.area:
            stage = _in_area(spell, subject, hits, raises)
        else:
            stage = _met(spell, reached, hits, scoreless, raises, spent[1])
        branches.append((reached.who, stage))
    if spell.aid is not None:
        branches.append((SPELL, AidEnd(spell.aid, hits or 0)))
    drain = spell.drain
    resist = drain.resist.without_edge() if spent[0] else drain.resist
    value = max(LEAST_DRAIN, drain.value + (raising if spell.net_drain else 0))
    taken = Drained(drain, value, spent[0])
    branches.append((CASTER, dice_test.start(resist, None, taken, spell.rules)))
    return Fork(tuple(branches))


def _met(
    spell: Spell, subject: Subject, hits: int | None, scoreless: bool, raises: int | None, spent: int
) -> Stage:
    """What the net hits against a single target do."""
    if hits is None:
        return _without_attack(spell, subject, spent)
    net = hits if subject.opposes is not None else hits - subject.object_resistance
    return _struck(spell, subject, net, scoreless, raises, spent)


def _without_attack(spell: Spell, subject: Subject, spent: int = 0) -> Stage:
    if spell.way == DIRECT:
        return Overwhelmed(0, 0, subject.plan, spent)
    return AttackOutcome("no-attack", 0, "", subject.plan, 0, (0, spent))


def _struck(
    spell: Spell, subject: Subject, net: int, scoreless: bool, raises: int | None, spent: int
) -> Stage:
    """Net hits against somebody: of a direct spell the damage itself, of others what is compared with the armor."""
    if spell.way == DIRECT:
        used = net if raises is None else min(net, raises)
        return Overwhelmed(max(0, net), max(0, used), subject.plan, spent)
    return Compare(subject.plan, spell.rules).take(net, scoreless, (0, spent))


def _in_area(spell: Spell, shared: Shared[Subject], hits: int | None, raises: int | None) -> Stage:
    """Somebody in the area opposes the hits of the caster; of a direct spell only where there are any."""
    subject = shared.value
    if not subject.reached:
        return Outside()
    if hits is None or (spell.way == DIRECT and hits <= 0):
        return _without_attack(spell, subject)
    if subject.opposes is None:
        return _struck(spell, subject, hits - subject.object_resistance, False, raises, 0)
    opposed = Opposed(spell.way, shared, hits, -1 if raises is None else raises, spell.rules)
    return dice_test.start(subject.opposes, None, opposed, spell.rules)


class Opposed(Receiver, kind="sr4.spell-opposed"):
    """Takes the test of somebody in the area against the hits of the caster.

    Attributes:
        raises: net hits that raise the damage at most; -1 for all.
    """

    way: str
    subject: Shared[Subject]
    hits: int
    raises: int
    rules: RollRules

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        over, plan = self.hits - net, self.subject.value.plan
        if self.way == DIRECT:
            used = over if self.raises < 0 else min(over, self.raises)
            return Overwhelmed(max(0, over), max(0, used), plan, edge_spent[0])
        return Compare(plan, self.rules).take(over, self.hits == net == 0, (0, edge_spent[0]))

    def short(self, net: int, scoreless: bool) -> int:
        over = self.hits - net
        if self.way == DIRECT:
            return over
        return 1 - Compare(self.subject.value.plan, self.rules).short(over, self.hits == net == 0)

    def critical(self) -> int:
        return self.hits + CRITICAL_SUCCESS

    def notes(self) -> Facts:
        return {"hits_against": self.hits}

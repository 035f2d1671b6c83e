"""The stages of a spell in Shadowrun 4, from the touch that it may take to what it does to each combatant in its reach.

Rulebook sections 9.1, 10.2, 11.6 to 11.8 and 16.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.forms import Part, Waiting
from fracas.kernel.ruleset import ContextField, DecisionInfo
from fracas.kernel.stage import Awaited, Decision, Fork, Option, Shared, Stage, share
from fracas.rulesets.sr4.harms.damage import AttackOutcome, Compare, Plan, short_of_contact
from fracas.rulesets.sr4.magic import spell_facts
from fracas.rulesets.sr4.magic.drain import CASTER, Drain
from fracas.rulesets.sr4.magic.spell_outcomes import NotTouched, Outside, Overwhelmed
from fracas.rulesets.sr4.magic.workings import Aid, AidEnd
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import CRITICAL_SUCCESS, Receiver, RollRules, Side, Spent, Striking

NET_HITS, ALL = "spell-net-hits", "all"
_MOST = 20
_CHOICES = (ALL, *map(str, range(_MOST)))
_HITS = ContextField("hits", "Hits of the caster; net hits against a single target")
DECISION = DecisionInfo(NET_HITS, "How many net hits raise the damage", _CHOICES, ALL, (_HITS,))
"""Only where they cost drain (house rule ``direct_spell_net_drain``)."""

LEAST_DRAIN = 1


class Subject(Part, kind="sr4.spell-subject"):
    """A combatant that a spell may harm, or change.

    Attributes:
        opposes: the test against it, of a direct spell the resistance, of others the defense; None without one.
        object_resistance: hits that a thing has against it without a test.
        reached: it is within the area.
        plan: damage, armor and what follows; of a spell that is no attack what it does.
    """

    who: str
    opposes: Side | None
    object_resistance: int
    reached: bool
    plan: Shared[Any]


class Helped(Part, kind="sr4.spell-helped"):
    """Magicians who help another to protect people (house rule ``counterspelling_several``). `dice`: of all of them;
    each hit is a die more for these people. `most`: as many dice more at most."""

    people: tuple[str, ...]
    dice: int
    most: int


class Spell(Part, kind="sr4.spell"):
    """A spell about to be cast, with all that the stages need.

    Attributes:
        force: hits count up to it; it is the DV before net hits.
        way: ``direct``, ``indirect``, ``works``, see `spell_facts`; "" for what nobody resists.
        cast: the Spellcasting test.
        subjects: those in its reach; a single one opposes the test itself, unless it strikes an area.
        area: it strikes everybody in an area.
        aid: what it does where it is no attack.
        net_drain: each net hit that raises the damage adds to the drain.
        asks: how many net hits do so is asked.
        protections: where dice of counterspelling are rolled once: who is protected, by whom, and with how many dice.
        lifts: dice that the target opposes in place of the hits of the caster; 0 for none.
        helps: magicians who help others to protect, before the spell is cast.
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
    protections: tuple[tuple[str, str, int], ...] = ()
    lifts: int = 0
    helps: tuple[Helped, ...] = ()

    @property
    def one_by_one(self) -> bool:
        """It is cast by itself, and each of those that it reaches opposes its hits."""
        return self.area or self.way == spell_facts.WORKS

    @property
    def single(self) -> Subject | None:
        """The one who opposes the test itself; None where each opposes its hits, and of what nobody resists."""
        return self.subjects[0].value if self.subjects and not self.one_by_one else None

    @property
    def resistance(self) -> int:
        """Hits that a single thing has against it without a test."""
        return self.single.object_resistance if self.single and self.single.opposes is None else 0


def begin(shared: Shared[Spell], spent: Spent = (0, 0)) -> Stage:
    """The dice of magicians who help, and the Spellcasting test. `spent`: Edge of caster and target on touching."""
    spell = shared.value
    if spell.helps:
        helped = spell.helps[0]
        dice = Side("counterspelling_help", helped.people[0], helped.dice)
        return dice_test.start(dice, None, Helping(shared, spent), spell.rules)
    side = spell.cast.without_edge() if spent[0] else spell.cast
    single, then, rules = spell.single, Cast(shared, spent), spell.rules
    opposes = None if single is None else single.opposes
    if single is not None and opposes is not None:
        rules = rules._replace(both_hits=True, limit=spell.force)
        opposes = opposes.without_points() if single.plan.value.edge_points <= spent[1] else opposes
    return dice_test.start(side, opposes, then, rules)


class Helping(Receiver, kind="sr4.spell-helping"):
    """Takes the dice of magicians who help another to protect people."""

    spell: Shared[Spell]
    spent: Spent

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        spell = self.spell.value
        (people, _, most), later = spell.helps[0][:3], spell.helps[1:]
        more = min(net, most)
        once = tuple((who, by, dice + more * (who in people)) for who, by, dice in spell.protections)
        saved = () if once else people
        subjects = tuple(_with_dice(one, more) if one.value.who in saved else one for one in spell.subjects)
        return begin(share(spell._replace(helps=later, protections=once, subjects=subjects)), self.spent)


def _with_dice(shared: Shared[Subject], more: int) -> Shared[Subject]:
    """A subject with more dice of counterspelling: against a direct spell, or against the damage of another."""
    subject = shared.value
    if isinstance(subject.plan.value, Plan) and subject.plan.value.defended:
        plan = subject.plan.value
        return share(subject._replace(plan=share(plan._replace(resist=_more(plan.resist, more)))))
    return share(subject._replace(opposes=subject.opposes and _more(subject.opposes, more)))


def _more(side: Side, dice: int) -> Side:
    return side._replace(pool=side.pool + dice)


class Touching(Receiver, kind="sr4.touching"):
    """Takes the attack to touch: a tie is contact, and contact is enough. Without it the spell is not cast. `defended`:
    the target tries to avoid it. `grazing`: what of a tie is contact, see `Plan.grazing`."""

    spell: Shared[Spell]
    defended: bool
    grazing: str

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        if self.hits_needed(net, scoreless) <= 0:
            return begin(self.spell, edge_spent)
        return _not_touched(self.defended, edge_spent)

    def on_skip(self) -> Stage:
        """Without dice nobody is touched."""
        return _not_touched(False, (0, 0))

    def hits_needed(self, net: int, scoreless: bool) -> int:
        return short_of_contact(net, scoreless, self.grazing if self.defended else "off")


def _not_touched(defended: bool, edge_spent: Spent) -> Fork:
    """Nothing is cast, and there is no drain."""
    target = NotTouched("target", defended, edge_spent[1])
    return Fork((("target", target), (CASTER, NotTouched(CASTER, False, edge_spent[0]))))


class Cast(Receiver, kind="sr4.cast"):
    """Takes the Spellcasting test. `spent`: points of Edge that caster and target have spent before."""

    spell: Shared[Spell]
    spent: Spent

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        spell, (mine, theirs) = self.spell.value, self.spent
        hits, most, spent = min(net, spell.force), 0, (mine + edge_spent[0], theirs + edge_spent[1])
        if spell.net_drain and spell.way == spell_facts.DIRECT and spell.subjects:
            most = max(0, hits - spell.resistance)
            if most and spell.asks:
                return NetHits(self.spell, hits, most, spent)
        return _spread(self.spell, hits, scoreless, most, spent)

    def on_skip(self) -> Stage:
        """Without dice nothing comes of it but drain."""
        return _spread(self.spell, None, False, 0, self.spent)

    def hits_needed(self, net: int, scoreless: bool) -> int:
        spell = self.spell.value
        return spell.resistance + 1 - min(net, spell.force)

    def critical(self) -> int:
        """Above what it takes: the Object Resistance of a thing, the threshold of a spell that is no attack."""
        spell = self.spell.value
        return CRITICAL_SUCCESS + (spell.resistance if spell.aid is None else spell.aid.threshold)


class NetHits(Waiting, kind="sr4.spell-net-hits"):
    """The caster says how many net hits raise the damage; each of them costs drain. `hits`: of an area those of the
    caster, otherwise net hits. `most`: the greatest number."""

    spell: Shared[Spell]
    hits: int
    most: int
    spent: Spent

    @property
    def awaits(self) -> Awaited:
        less = (Option(str(some), f"{some}, drain +{some}") for some in range(min(self.most, _MOST)))
        options = (Option(ALL, f"All {self.most}, drain +{self.most}"), *less)
        return Decision(NET_HITS, CASTER, options, ALL, (("roll", "spell"), ("hits", self.hits)))

    def advance(self, answer: str) -> Stage:
        return _spread(self.spell, self.hits, False, self.most if answer == ALL else int(answer), self.spent)


def _spread(
    shared: Shared[Spell],
    hits: int | None,
    scoreless: bool,
    raising: int,
    spent: Spent,
    guards: tuple[tuple[str, int], ...] = (),
) -> Stage:
    """The dice of magicians who protect people in the area, those of each once; then the fork: everybody that the spell
    reaches, and the drain.

    Args:
        hits: against a single target net hits, otherwise those of the caster; None where nothing was rolled.
        raising: hits that raise the damage at most, and the drain, where they cost any.
        spent: points of Edge of caster and target.
        guards: magicians whose dice are rolled already, with the hits.
    """
    spell, guarded = shared.value, dict(guards)
    waiting = [one for one in spell.protections if one[1] not in guarded]
    if hits and waiting:
        by, magician, dice = waiting[0]
        label = f"counterspelling_{len(guards) + 1}" if guards else "counterspelling"
        then = Guarding(shared, hits, raising, spent, guards, magician)
        return dice_test.start(Side(label, by, dice), None, then, spell.rules)
    saved = {who: guarded.get(magician, 0) for who, magician, _ in spell.protections}
    raises = raising if spell.net_drain else None
    branches: list[tuple[str, Stage]] = []
    for subject in spell.subjects:
        if spell.one_by_one:
            stage = _inside(spell, subject, hits, raises, saved.get(subject.value.who, 0))
        else:
            net = hits if hits is None else hits - spell.resistance
            stage = _struck(spell, subject, net, scoreless, raises, spent[1])
        branches.append((subject.value.who, stage))
    if spell.aid is not None:
        branches.append(("spell", AidEnd(spell.aid, hits or 0)))
    value = max(LEAST_DRAIN, spell.drain.value + (raises or 0))
    return Fork((*branches, spell.drain.resisted(value, spent[0], spell.rules)))


class Guarding(Receiver, kind="sr4.spell-guarding"):
    """Takes the dice of a magician who protects people in the area of a spell. `hits`, `raising`, `spent`, `guards`:
    see `_spread`. `magician`: whose dice they are."""

    spell: Shared[Spell]
    hits: int
    raising: int
    spent: Spent
    guards: tuple[tuple[str, int], ...]
    magician: str

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        guards = (*self.guards, (self.magician, net))
        return _spread(self.spell, self.hits, False, self.raising, self.spent, guards)


def _guarded(shared: Shared[Subject], saved: int) -> Shared[Subject]:
    """A subject with the hits of a protecting magician: less damage of an indirect spell, the armor as before."""
    subject = shared.value
    plan = subject.plan.value
    return share(subject._replace(plan=share(plan._replace(burst=plan.burst - saved))))


def _inside(spell: Spell, shared: Shared[Subject], hits: int | None, raises: int | None, saved: int) -> Stage:
    """One in the area opposes the caster's hits; of a direct spell only any there are. `saved`: by a protector."""
    subject = shared.value
    if not subject.reached:
        return Outside()
    if saved and spell.way == spell_facts.INDIRECT:
        shared = _guarded(shared, saved)
    elif saved and hits:
        hits = max(0, hits - saved)
    if spell.way == spell_facts.WORKS and (not hits or hits < subject.plan.value.threshold):
        return AidEnd(subject.plan.value, hits or 0)
    if subject.opposes is None or hits is None or (spell.way == spell_facts.DIRECT and hits <= 0):
        net = hits if hits is None else hits - subject.object_resistance
        return _struck(spell, shared, net, False, raises, 0, hits or 0)
    opposed = Opposed(spell.way, shared, hits, -1 if raises is None else raises, spell.rules)
    if spell.lifts:
        lifting = Lifting(subject.plan, hits)
        return dice_test.start(Side("lifting", CASTER, spell.lifts), subject.opposes, lifting, spell.rules)
    return dice_test.start(subject.opposes, None, opposed, spell.rules)


def _struck(
    spell: Spell | Opposed,
    subject: Shared[Subject],
    net: int | None,
    scoreless: bool,
    raises: int | None,
    spent: int,
    hits: int = 0,
) -> Stage:
    """Net hits against a combatant: of a direct spell the damage itself, of an indirect one what is compared with the
    armor, of others how well they work.

    Args:
        net: None where nothing was rolled.
        raises: net hits that raise the damage at most; None for all.
        spent: points of Edge of the target.
        hits: of the caster, where the spell is no attack.
    """
    plan = subject.value.plan
    if spell.way == spell_facts.WORKS:
        return AidEnd(plan.value, hits, net or 0, spent)
    if spell.way == spell_facts.DIRECT:
        over = max(0, net or 0)
        return Overwhelmed(over, over if raises is None else min(over, raises), plan, spent)
    if net is None:
        return AttackOutcome("no-attack", 0, "", plan, 0, (0, spent))
    return Compare(plan, spell.rules).on_result(net, scoreless, (0, spent))


class Lifting(Striking, kind="sr4.spell-lifting"):
    """Takes the dice of a spell that lifts by its Force. `aid`: its effect. `hits`: of the caster."""

    aid: Shared[Any]
    hits: int

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return AidEnd(self.aid.value, self.hits, max(0, net), edge_spent[1])


class Opposed(Receiver, kind="sr4.spell-opposed"):
    """Takes the test of one in the area against the caster's hits. `raises`: net hits that add damage; -1 for all."""

    way: str
    subject: Shared[Subject]
    hits: int
    raises: int
    rules: RollRules
    reports = (("hits_against", "hits"),)

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        over, raises = self.hits - net, None if self.raises < 0 else self.raises
        scoreless = self.hits == net == 0
        return _struck(self, self.subject, over, scoreless, raises, edge_spent[0], self.hits)

    def hits_needed(self, net: int, scoreless: bool) -> int:
        over = self.hits - net
        if self.way != spell_facts.INDIRECT:
            return over
        return 1 - Compare(self.subject.value.plan, self.rules).hits_needed(over, self.hits == net == 0)

    def critical(self) -> int:
        return self.hits + CRITICAL_SUCCESS

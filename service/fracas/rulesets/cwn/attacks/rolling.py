"""The attack roll, and what may be declared once it is seen: rulebook sections 4.1, 4.4, 10.1, 10.3, 17 (R15, R19).

What follows from a hit or a miss is the business of what the plan holds in `after`: a blow, a shove, a grapple.

Words in `spent`: the decisions that were used (``total-defense``, ``gunlink-reroll``, ``attacker-luck``,
``target-luck``, ``trajectory-node``, ``iron-hand``) and what the attack used up (``charge``, ``shock-burst``,
``shock-shield``, ``skillplug``).
"""

from __future__ import annotations

from typing import Any, Protocol

from fracas.dice.totals import Total
from fracas.kernel.forms import Part, Waiting
from fracas.kernel.stage import Awaited, Decision, Option, Roll, Stage

TOTAL_DEFENSE = "total-defense"
GUNLINK_REROLL = "gunlink-reroll"
VETERANS_LUCK = "veterans-luck"
TRAJECTORY_NODE = "trajectory-node"
IRON_HAND = "iron-hand"
LUCK_OF = {"attacker": "attacker-luck", "target": "target-luck"}


class Guard(Part, kind="cwn.guard"):
    """What the target has against the attack: the Armor Class, and the points of Shock that a miss deals. `shield`:
    only what stops one Shock a round, and is then used up, keeps it at 0."""

    ac: int
    shock: int
    shield: bool


class Natural(Part, kind="cwn.natural"):
    """What a face of the attack die means by itself (4.1, R19). `fails_to`: the highest that fails; 0 for none."""

    fails_to: int
    one_misses: bool
    twenty_hits: bool


class Instants(Part, kind="cwn.instants"):
    """What may be asked for once the roll is seen, beside Total Defense.

    Attributes:
        rerolls: Gunlink rerolls of the attacker.
        attacker_luck, target_luck: Veteran's Luck.
        trajectory_node: of the attacker.
        iron_hand: the target may ward the attack off with an Iron Hand Aegis.
    """

    rerolls: int
    attacker_luck: bool
    target_luck: bool
    trajectory_node: bool
    iron_hand: bool


class Afterwards(Protocol):
    """What follows an attack roll."""

    @property
    def victim(self) -> str: ...

    def followed(self, guard: Guard, spent: tuple[str, ...], hit: bool) -> Stage: ...


class Plan(Part, kind="cwn.plan"):
    """Everything that is settled before the first roll.

    Attributes:
        bonus: added to the d20.
        raised: the target's guard under Total Defense; None unless that may be declared after the roll.
        after: what follows; its ``victim`` is the record of the one who is attacked, and ``followed(guard, spent,
            hit)`` gives the next stage.
    """

    bonus: int
    raised: Guard | None
    instants: Instants
    natural: Natural
    after: Afterwards

    @property
    def keeps_total(self) -> bool:
        """Whether the attack's total still matters after it is compared with the Armor Class."""
        return self.raised is not None or any(self.instants[:-1]) or self.natural.fails_to > 0

    def least(self, ac: int) -> int:
        """The lowest total that hits."""
        natural = self.natural
        face = min(ac - self.bonus, 20) if natural.twenty_hits else ac - self.bonus
        return self.bonus + max(face, natural.fails_to + 1, 2 if natural.one_misses else 1)

    def followed(self, guard: Guard, spent: tuple[str, ...], hit: bool) -> Stage:
        """What follows when it is settled whether the attack hits."""
        return self.after.followed(guard, spent, hit)


class Attack(Waiting, kind="cwn.attack"):
    """Waits for the attack roll. Its answer is whether it hits, or the total where that still matters."""

    plan: Plan
    guard: Guard
    spent: tuple[str, ...]
    reports = (("target_ac", "guard.ac"),)

    @property
    def awaits(self) -> Awaited:
        plan = self.plan
        target = None if plan.keeps_total else plan.least(self.guard.ac)
        return Roll(("attack",), ("attacker",), Total(((1, 20),), plan.bonus, target))

    def advance(self, answer: Any) -> Stage:
        plan = self.plan
        if not plan.keeps_total:
            return plan.followed(self.guard, self.spent, answer)
        if answer - plan.bonus <= plan.natural.fails_to:
            return plan.followed(self.guard, (*self.spent, "skillplug"), False)
        hit = answer >= plan.least(self.guard.ac)
        return Reaction(plan, self.guard, self.spent, answer, hit, False, ()).settled()


class Reaction(Waiting, kind="cwn.reaction"):
    """The roll is seen; the side that it displeases may do something about it (R15).

    Attributes:
        total: of the attack roll.
        hit: how the attack stands now.
        fixed: it stands so by a combatant's luck or implant, whatever the roll.
        declined: what was not wanted as things stand.
    """

    plan: Plan
    guard: Guard
    spent: tuple[str, ...]
    total: int
    hit: bool
    fixed: bool
    declined: tuple[str, ...]
    reports = (("target_ac", "guard.ac"), "hit")

    def question(self) -> tuple[str, str]:
        """(decision, side) of the next thing that may be declared; empty words when there is no more."""
        instants, spent, raised = self.plan.instants, self.spent, self.plan.raised
        defends = raised is not None and TOTAL_DEFENSE not in spent
        questions: tuple[tuple[str, str, bool], ...]
        if self.hit:
            questions = (
                (TOTAL_DEFENSE, "target", defends and not self.fixed),
                (IRON_HAND, "target", instants.iron_hand and IRON_HAND not in spent),
                (VETERANS_LUCK, "target", instants.target_luck and LUCK_OF["target"] not in spent),
            )
        else:
            rerolls = instants.rerolls > spent.count(GUNLINK_REROLL)
            shocks = raised is not None and raised.shock < self.guard.shock
            questions = (
                (GUNLINK_REROLL, "attacker", rerolls and not self.fixed),
                (TRAJECTORY_NODE, "attacker", instants.trajectory_node and TRAJECTORY_NODE not in spent),
                (VETERANS_LUCK, "attacker", instants.attacker_luck and LUCK_OF["attacker"] not in spent),
                (TOTAL_DEFENSE, "target", defends and shocks),
            )
        return next((one[:2] for one in questions if one[2] and one[0] not in self.declined), ("", ""))

    def settled(self) -> Stage:
        """This stage if it has a question left, or what follows."""
        return self if any(self.question()) else self.plan.followed(self.guard, self.spent, self.hit)

    @property
    def awaits(self) -> Awaited:
        decision, side = self.question()
        options, raised = OPTIONS[decision], self.plan.raised
        about: tuple[tuple[str, int], ...] = (("attack_total", self.total), ("target_ac", self.guard.ac))
        if decision == TOTAL_DEFENSE and raised is not None:
            about += (("target_ac_defended", raised.ac), ("shock", 0 if self.hit else self.guard.shock))
            options = (options[0], options[1]._replace(notes=(("target_ac", raised.ac),)))
        who = "attacker" if side == "attacker" else self.plan.after.victim
        return Decision(decision, who, options, options[0].id, about, decision in REACTIONS)

    def advance(self, answer: Any) -> Stage:
        (decision, side), plan = self.question(), self.plan
        if answer == OPTIONS[decision][0].id:
            return self._replace(declined=(*self.declined, decision)).settled()
        if decision == TOTAL_DEFENSE and plan.raised is not None:
            braced = self._replace(guard=plan.raised, spent=(*self.spent, TOTAL_DEFENSE))
            if not self.hit:  # against the Shock: the attack missed and goes on missing
                return braced.settled()
            hit = self.total >= plan.least(plan.raised.ac)
            return braced._replace(hit=hit, declined=()).settled()
        if decision == GUNLINK_REROLL:
            return Attack(plan, self.guard, (*self.spent, GUNLINK_REROLL))
        if decision == IRON_HAND:  # warded off, which no luck turns around
            unhurt = self.guard._replace(shock=0, shield=False)
            return plan.followed(unhurt, (*self.spent, IRON_HAND), False)
        word = LUCK_OF[side] if decision == VETERANS_LUCK else decision
        return Reaction(plan, self.guard, (*self.spent, word), self.total, not self.hit, True, ()).settled()


def _offer(no: Option, id: str, label: str, cost: str) -> tuple[Option, Option]:
    return no, Option(id, label, ((cost, 1),))


_KEEP = Option("keep", "Let the miss stand")
_CORRECTED = "Make it a hit with the Trajectory Optimization Node"
_WARDED = "Ward it off with the Iron Hand Aegis"
OPTIONS = {
    TOTAL_DEFENSE: _offer(Option("decline", "Take what comes"), "defend", "Total Defense", "main-action"),
    GUNLINK_REROLL: _offer(_KEEP, "reroll", "Roll the attack again", GUNLINK_REROLL),
    TRAJECTORY_NODE: _offer(_KEEP, "correct", _CORRECTED, TRAJECTORY_NODE),
    IRON_HAND: _offer(Option("decline", "Take the hit"), "ward-off", _WARDED, IRON_HAND),
    VETERANS_LUCK: _offer(Option("decline", "Let it stand"), "use", "Turn the attack around", VETERANS_LUCK),
}
"""The options of each decision; the first is the default and changes nothing."""

REACTIONS = (TOTAL_DEFENSE, IRON_HAND)
"""Decisions by which the target defends itself."""

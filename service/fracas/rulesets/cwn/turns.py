"""Rounds of Cities Without Number: who acts, with what, and what a fight knows of an attack (sections 2, 3, 9.1).

A turn is a round, which has one part; a slot is a side's, or somebody's own (option ``initiative``). Nobody delays:
members of a side act in any order, and whoever waits for something takes the action ``hold-action``. While the
condition ``holding`` lasts, any action may be taken out of turn as long as its tokens are left. Snap Attack and Total
Defense pay with the Main Action of the round, so they are possible before and after one's own slot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.kernel.economy import Economy, Tokens
from fracas.kernel.stage import Fact, Facts
from fracas.kernel.turns import (
    NEXT_PART,
    TURN_BEGIN,
    Contest,
    InitiativeRoll,
    Intent,
    Moment,
    Moving,
    Need,
    OutOfTurn,
    Participant,
    Purchase,
    Slot,
    Table,
    Track,
    Words,
    plainly_handled,
    spans_of_time,
)
from fracas.rulesets.cwn import order
from fracas.rulesets.cwn.needs import BOOSTED, NEEDS, swarm_others
from fracas.rulesets.cwn.sheet import is_surprised, listed, reflexes

HOLDING = "holding"
_MAIN_LOST = frozenset(("main-action-lost", "unplugged"))
"""Conditions that cost a Main Action."""


class CwnTurns:
    """Rounds of six seconds; initiative is rolled once in a fight."""

    words = Words("Round", "Round part", "Turn")
    seconds = 6
    rerolls = False
    tallies: Mapping[str, str] = {
        "attack.bonus": "attacker",
        "damage.bonus": "attacker",
        "damage.swarm": "attacker",
        "shock.damage": "attacker",
        "shock.ac": "attacker",
        "trauma.bonus": "attacker",
        "target.ac": "target",
        "shock.immunity": "target",
        "trauma.target": "target",
        "initiative.total": "roller",
    }
    tracks: Mapping[str, Track] = {
        "hp": Track("hp", mark=-1),
        "soak": Track("soak"),
        "main-action": Track("", token="main"),
        "veterans-luck": Track("veterans_luck", flag=True),
        "gunlink-reroll": Track("gunlink_rerolls"),
        "shock-burst": Track("shock_bursts"),
        "system-strain": Track("system_strain"),
    }
    groups: Mapping[str, Sequence[str]] = {}
    needs: Mapping[str, Need] = NEEDS
    moments: Mapping[str, str] = {"own-turn": "own-slot", "next-main-action": "own-slot-end"}

    def initiative(self, table: Table) -> Sequence[InitiativeRoll]:
        """None in a round of surprise. To be asked again after each roll: ties are rolled off (R22)."""
        return order.missing(table)

    def rolled(self, participant: Participant, details: Facts) -> Facts:
        return order.kept(participant.rolled, details)

    def set_by_hand(self, participant: Participant, facts: Facts) -> Facts:
        return facts

    def parts(self, table: Table) -> int:
        return 1

    def order(self, table: Table) -> Sequence[Slot]:
        return order.slots(table)

    def rank(self, table: Table, who: str) -> str:
        if order.in_surprise(table):
            return ""
        units = (unit for unit in order.units(table) if any(member.id == who for member in unit.members))
        return next((order.standing(unit) for unit in units), "")

    def unable(self, participant: Participant) -> str:
        hp = participant.sheet.get("hp")
        return "0 hit points" if isinstance(hp, (int, float)) and hp <= 0 else ""

    def why_no_slot(self, table: Table, who: str) -> str:
        return "surprised" if is_surprised(table.participants[who]) else ""

    def budget(self, table: Table, who: str, economy: Economy) -> Tokens:
        """The economy's budget, and the tokens of edges, implants and conditions that sheets tell."""
        participant = table.participants[who]
        tokens = dict(economy.budget)
        known = {*economy.budget, *economy.bonus}
        for token, count in _bonus(participant).items():
            if token in known:
                tokens[token] = tokens.get(token, 0) + count
        if _MAIN_LOST & participant.conditions and "main" in tokens:
            # What is spent already was not lost.
            tokens["main"] = min(tokens["main"], participant.spent.get("main", 0))
        return tokens

    def keeps(self, options: Mapping[str, Any]) -> frozenset[str]:
        return frozenset()

    def at_hand(self, thing: Mapping[str, Any]) -> bool:
        return thing.get("type") == "unarmed"

    def purchases(self, table: Table, who: str) -> Sequence[Purchase]:
        return ()

    def why_no_delay(self, table: Table, who: str) -> str:
        return "nobody delays here; the action 'hold-action' keeps the rest of one's actions for later in the round"

    def interventions(self, table: Table, who: str) -> Mapping[str, str]:
        return {}

    def out_of_turn(self, table: Table, who: str, action: Mapping[str, Any]) -> OutOfTurn:
        """Any action for those who hold theirs, Instants for all."""
        participant = table.participants[who]
        if is_surprised(participant):
            return OutOfTurn("surprised")
        if HOLDING in participant.conditions or action.get("out_of_turn"):
            return OutOfTurn()
        return OutOfTurn("only in its own turn, unless it holds its action")

    contests: Mapping[str, Contest] = {}
    inherited: Mapping[str, Sequence[str]] = {}
    stand_ins: Mapping[str, Sequence[str]] = {}

    def reacting(self, procedure: str) -> Sequence[str]:
        return ("target",)

    def objections(self, table: Table, who: str, intent: Intent) -> Sequence[str]:
        return ()

    def handled(self, table: Table, who: str, intent: Intent, what: str) -> Mapping[str, Fact]:
        return plainly_handled(what, intent.thing)

    def movement(self, table: Table, who: str) -> Moving | None:
        return None

    def moment(self, table: Table, who: str, when: str, turns: int) -> Moment:
        """A round has one part: what would come in the next comes as the next round begins."""
        return spans_of_time(table, TURN_BEGIN if when == NEXT_PART else when, turns)

    def situate(
        self,
        table: Table,
        actor: Participant,
        target: Participant | None,
        procedure: str,
        situation: Mapping[str, Any],
        others: Mapping[str, Participant] = {},
    ) -> Mapping[str, Any]:
        if procedure != "attack":
            return {}
        known: dict[str, Any] = {}
        attack: dict[str, Any] = {}
        said = situation.get("attack")
        said = said if isinstance(said, Mapping) else {}
        if said.get("snap"):
            known["attacker"] = {"main_spent": False}  # what was unspent is what pays for it
        if "snap-steadied" in actor.conditions:
            attack["steadied"] = True
        if "shock-burst-set" in actor.conditions:
            attack["shock_burst"] = True
        if target is not None:
            known["target"] = {"can_total_defense": _may_defend(table, target)}
            swarm = swarm_others(table, actor, target.id) if said.get("swarm") else None
            if swarm is not None:
                attack["swarm_others"] = swarm
        if attack:
            known["attack"] = attack
        return known


def _bonus(who: Participant) -> dict[str, int]:
    """Tokens beside those that everybody has (10.1 to 10.4, 13.1)."""
    bonus: dict[str, int] = {}
    if BOOSTED in who.conditions:
        bonus["main"] = 1
        if reflexes(who.sheet) >= 2:
            bonus["move"] = 1
    hacking = int(bool(listed(who.sheet, "edges", "hacker"))) + int("move-traded" in who.conditions)
    if hacking:
        bonus["hacking-main"] = hacking
    if listed(who.sheet, "augmentations", "remote-control-unit"):
        bonus["drone-move"] = 1
    if "drone-urged" in who.conditions:
        bonus["drone-main"] = 1
    return bonus


def _mains_left(who: Participant) -> int:
    """Main Actions that are unspent in this round."""
    if who.sheet.get("main_spent") or _MAIN_LOST & who.conditions:
        return 0
    return 1 + _bonus(who).get("main", 0) - who.spent.get("main", 0)


def _may_defend(table: Table, who: Participant) -> bool:
    """Total Defense costs an unspent Main Action, and somebody who sees it coming."""
    return (
        who.able
        and who.id in table.participants
        and not who.sheet.get("total_defense")
        and not is_surprised(who)
        and _mains_left(who) > 0
    )


TURNS = CwnTurns()

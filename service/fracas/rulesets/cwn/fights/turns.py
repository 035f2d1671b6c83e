"""Rounds of Cities Without Number: who acts, with what, and what a fight knows of an attack (sections 2, 3, 9.1).

A turn is a round, which has one part; a slot is a side's, or somebody's own (option ``initiative``). Nobody delays:
members of a side act in any order, and whoever waits for something takes the action ``hold-action``. While the
condition ``holding`` lasts, any action may be taken out of turn as long as its tokens are left. Snap Attack and Total
Defense pay with the Main Action of the round, so they are possible before and after one's own slot.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from fracas.kernel.economy import Economy, Tokens
from fracas.kernel.intents import Intent, Need, OutOfTurn, Participant, StepContext, Suggestion, Table
from fracas.kernel.stage import Fact, Facts
from fracas.kernel.turns import (
    Contest,
    Gauge,
    InitiativeRoll,
    Moving,
    Slot,
    Track,
    TurnRules,
)
from fracas.kernel.vocabulary import Catalog
from fracas.rulesets.cwn.checks.initiative import SURPRISE
from fracas.rulesets.cwn.fights import action_rules, crews, handling, melee, order
from fracas.rulesets.cwn.fights.action_rules import MAIN_LOST, bonus_tokens
from fracas.rulesets.cwn.fights.needs import NEEDS
from fracas.rulesets.cwn.fights.sheet import STAND_INS, gauges, is_surprised
from fracas.rulesets.cwn.fights.situating import situated
from fracas.rulesets.cwn.procedures import TALLIES

ATTACK = "attack"
SHOT = ("gun", "bow", "launcher")
"""Types of weapons whose missiles nobody parries."""
MOST_SCREENS = 3
"""Screeners for whom the attack has room."""
HOLDING = "holding"
INTERRUPTING = "reflexes-interrupting"
"""The condition of those whose Enhanced Reflexes were set off as an Instant; their own next Turn ends it."""
_BY_REFLEXES: Tokens = {"main": 1, "swift-move": 1}
"""What can be spent out of turn in it (10.3)."""
TOWARDS_SOMEBODY = frozenset(
    (
        melee.ENGAGED,
        melee.SWARMING,
        melee.LED_SWARM,
        melee.SCREENING,
        crews.CONTROLLING,
        crews.ABOARD,
        crews.DRIVING,
        crews.AT_THE_GUN,
    )
)
"""Conditions that concern those to whom the action that brings them is done."""


class CwnTurns(TurnRules):
    """Rounds of six seconds; initiative is rolled once in a fight."""

    rolled_once = True
    tallies = TALLIES
    tracks: Mapping[str, Track] = {
        "hp": Track("hp", mark=-1, noun="HP"),
        "soak": Track("soak", noun="point of Soak"),
        "main-action": Track("", token="main", noun="Main Action"),
        "veterans-luck": Track("veterans_luck", flag=True, noun="use of Veteran's Luck"),
        "gunlink-reroll": Track("gunlink_rerolls", noun="Gunlink reroll"),
        "trajectory-node": Track(
            "trajectory_node", flag=True, noun="use of the Trajectory Optimization Node"
        ),
        "iron-hand": Track("iron_hand", flag=True, noun="use of the Iron Hand Aegis"),
        "shock-burst": Track("shock_bursts", noun="Shock Burst"),
        "system-strain": Track("system_strain"),
        "access": Track("access", noun="point of Access"),
        "shielding": Track("shielding", noun="point of Shielding"),
        "neural-buffer": Track("neural_buffer", noun="point of the Neural Buffer"),
    }
    needs: Mapping[str, Need] = NEEDS
    moments: Mapping[str, str] = {
        "own-turn": "own-slot",
        "next-main-action": "own-slot-end",
        "cannot-act": "unable",
    }

    def initiative(self, table: Table) -> Sequence[InitiativeRoll]:
        """None in a round of surprise. To be asked again after each roll: ties are rolled off (R22)."""
        return order.missing(table)

    def rolled(self, participant: Participant, details: Facts) -> Facts:
        return order.kept(participant.rolled, details)

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

    def counts_for_side(self, participant: Participant) -> bool:
        return crews.acts_by_itself(participant)

    def gauges(self, participant: Participant, catalog: Catalog) -> Sequence[Gauge]:
        return gauges(participant.sheet)

    def why_no_slot(self, table: Table, who: str) -> str:
        one = table.participants[who]
        if not crews.acts_by_itself(one):
            return "a vehicle" if crews.is_vehicle(one.sheet) else "a drone under control"
        return "surprised" if is_surprised(one) else ""

    def budget(self, table: Table, who: str, economy: Economy) -> Tokens:
        """The economy's budget, and the tokens of edges, implants and conditions that sheets tell."""
        participant = table.participants[who]
        tokens = dict(economy.budget)
        known = {*economy.budget, *economy.bonus}
        for token, count in bonus_tokens(table, participant).items():
            if token in known:
                tokens[token] = tokens.get(token, 0) + count
        if MAIN_LOST & participant.conditions and "main" in tokens:
            # What is spent already was not lost.
            tokens["main"] = min(tokens["main"], participant.spent.get("main", 0))
        return tokens

    def first_readied(self, sheet: Mapping[str, Any], things: Sequence[Mapping[str, Any]]) -> Sequence[bool]:
        return handling.first_readied(sheet, things)

    def bare_hands(self, sheet: Mapping[str, Any]) -> str:
        return "" if crews.is_machine(sheet) else handling.FIST

    def at_hand(self, thing: Mapping[str, Any]) -> bool:
        return handling.is_of_body(thing)

    def kept(self, thing: Mapping[str, Any]) -> Mapping[str, Fact]:
        return handling.kept(thing)

    def why_no_delay(self, table: Table, who: str) -> str:
        return (
            "delays are not part of these rules: Hold an Action keeps the actions left for later in the round"
        )

    def out_of_turn(self, table: Table, who: str, action: Mapping[str, Any]) -> OutOfTurn:
        """Any action for those who hold theirs, Instants for all, and what Enhanced Reflexes pay for as an Instant."""
        participant = table.participants[who]
        if is_surprised(participant):
            return OutOfTurn("surprised")
        if HOLDING in participant.conditions or action.get("out_of_turn"):
            return OutOfTurn()
        if INTERRUPTING in participant.conditions:
            return OutOfTurn(tokens=_BY_REFLEXES)
        return OutOfTurn("only in its own turn, unless it holds its action")

    contests: Mapping[str, Contest] = SURPRISE
    gm_says: Collection[str] = ("attack.pierces", "attack.prepared")
    first_values: Mapping[str, str] = {"hp_maximum": "hp"}
    stand_ins: Mapping[str, Sequence[str]] = STAND_INS

    def objections(self, table: Table, who: str, intent: Intent) -> Sequence[str]:
        me = table.participants[who]
        return action_rules.objections(table, me, intent)

    def deeds(self, table: Table, who: str, intent: Intent) -> Sequence[str]:
        return (action_rules.HACKING,) if action_rules.is_hacking(intent) else crews.shots(intent)

    def at_once(self, action: str, other: str) -> bool:
        """Snap Attacks of one moment (section 3)."""
        return action == other == "snap-attack"

    def suggested(self, table: Table, who: str, intent: Intent) -> Sequence[Suggestion]:
        """A weapon that needs a stationary rest is fired from one."""
        shot = intent.action.get("procedure") == ATTACK and "unrested" in intent.thing
        return (Suggestion({"attack": {"rested": True}}),) if shot else ()

    def handled(self, table: Table, who: str, intent: Intent, what: str) -> Mapping[str, Fact]:
        return handling.handled(table.participants[who], intent, what)

    def holder(self, table: Table, who: str, action: Mapping[str, Any]) -> str:
        return crews.gun_mount(table, table.participants[who], action) or who

    def arriving(
        self, sheet: Mapping[str, Any], said: Mapping[str, Any], catalog: Catalog, options: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        return crews.strengthened(sheet, said, catalog, options)

    def bystanders(self, table: Table, who: str, intent: Intent) -> Sequence[str]:
        """Those who screen the target of an attack (3.2), all who hold somebody in a grapple, those who fly, drive or
        are aboard what an action concerns, and whoever defends against a program."""
        me = table.participants[who]
        for known in (melee.bystanders, crews.bystanders):
            if people := known(table, me, intent):
                return people
        if intent.action.get("procedure") != ATTACK or intent.target is None or melee.is_held_fast(intent):
            return ()
        shot = intent.thing.get("type") in SHOT
        found = melee.screeners(table, table.participants[who], intent.target, shot=shot)
        return [one.id for one in found][:MOST_SCREENS]

    def concerned(
        self, table: Table, who: str, by: str, intent: Intent, condition: str
    ) -> Sequence[str] | None:
        """Whoever moves out of melee exposes himself to the armed foes there; most of what is done to somebody concerns
        that one."""
        if condition == melee.LEFT_MELEE:
            return melee.strikers(table, table.participants[who], intent.people)
        if condition == melee.SCREENED_OFF:
            return self.bystanders(table, who, intent)
        if condition not in TOWARDS_SOMEBODY:
            return None
        return [by] if who != by else [one.id for one in intent.people]

    def movement(self, table: Table, who: str) -> Moving | None:
        """What a Move covers, and what two of them do, of which the Main Action pays for one."""
        one = table.participants[who]
        metres = action_rules.move_of(one)
        mode = "stationary" if metres == 0 else "crawl" if one.sheet.get("prone") else "run"
        return Moving(mode, metres, None if metres is None else 2 * metres)

    def situate(self, step: StepContext) -> Mapping[str, Any]:
        return situated(step)


TURNS = CwnTurns()

"""Rounds of Cities Without Number: who acts, with what, and what a fight knows of an attack (sections 2, 3, 9.1).

A turn is a round, which has one part; a slot is a side's, or a combatant's own (option ``initiative``). Nobody delays:
members of a side act in any order, and the one who waits for something takes the action ``hold-action``. While the
condition ``holding`` lasts, any action may be taken out of turn as long as its tokens are left. Snap Attack and Total
Defense pay with the Main Action of the round, so they are possible before and after one's own slot.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from fracas.kernel.economy import Economy, Tokens
from fracas.kernel.intents import Intent, Need, OutOfTurn, Participant, Suggestion, Table
from fracas.kernel.stage import Effect
from fracas.kernel.tracks import Gauge, Track
from fracas.kernel.turns import Contest, Moving
from fracas.kernel.vocabulary import EntryLookup
from fracas.rulesets.cwn.checks.initiative import SURPRISE
from fracas.rulesets.cwn.fights import action_rules, crews, melee
from fracas.rulesets.cwn.fights.action_rules import MAIN_LOST, Handling, bonus_tokens
from fracas.rulesets.cwn.fights.needs import CHECKS, FORMS, NEEDS
from fracas.rulesets.cwn.fights.order import Initiative
from fracas.rulesets.cwn.fights.places import Places
from fracas.rulesets.cwn.fights.sheet import is_surprised
from fracas.rulesets.cwn.fights.situating import situated
from fracas.rulesets.cwn.harms.harm import FALLS, WRECKED, Body, Hurt, fall_of
from fracas.rulesets.cwn.harms.healing import STABILIZED
from fracas.rulesets.cwn.machines.hack import DEVICE_VERBS

ATTACK = "attack"
SHOT = ("gun", "bow", "launcher")
"""Types of weapons whose missiles nobody parries."""
MOST_SCREENS = 3
"""Screeners that the attack has room for."""
HOLDING = "holding"

INTERRUPTING = "reflexes-interrupting"
"""The condition of those whose Enhanced Reflexes were set off as an Instant; their own next Turn ends it."""
_BY_REFLEXES: Tokens = {"main": 1, "swift-move": 1}
"""What can be spent out of turn in it (10.3)."""
_OF_CREWS = (crews.CONTROLLING, crews.ABOARD, crews.DRIVING, crews.AT_THE_GUN)
TOWARDS_SOMEBODY = {melee.ENGAGED, melee.SWARMING, melee.LED_SWARM, melee.SCREENING, *_OF_CREWS}
"""Conditions that concern the targets of the action that brings them."""


class CwnTurns(Initiative, Handling, Places):
    """Rounds of six seconds; initiative is rolled once in a fight."""

    harm_parts: Mapping[type, Mapping[str, Any]] = {Body: {"hp": 0}}
    tracks: Mapping[str, Track] = {
        "hp": Track("hp", mark=-1, noun="HP"),
        "soak": Track("soak", noun="point of Soak"),
        "main-action": Track("", token="main", noun="Main Action", fleeting=True),
        "veterans-luck": Track("veterans_luck", flag=True, noun="use of Veteran's Luck"),
        "gunlink-reroll": Track("gunlink_rerolls", noun="reroll by Gunlink"),
        "trajectory-node": Track(
            "trajectory_node", flag=True, noun="use of the Trajectory Optimization Node"
        ),
        "iron-hand": Track("iron_hand", flag=True, noun="use of the Iron Hand Aegis"),
        "shock-burst": Track("shock_bursts", noun="Shock Burst"),
        "system-strain": Track("system_strain", noun="point of System Strain", burden=True),
        "access": Track("access", noun="point of Access"),
        "shielding": Track("shielding", noun="point of Shielding"),
        "neural-buffer": Track("neural_buffer", noun="point of the Neural Buffer"),
    }
    needs: Mapping[str, Need] = NEEDS
    need_checks = CHECKS
    need_forms = FORMS
    moments = {"own-turn": "own-slot", "next-main-action": "own-slot-end", "cannot-act": "unable"}

    def unable(self, participant: Participant) -> str:
        hp = participant.sheet.get("hp")
        return "0 hit points" if isinstance(hp, (int, float)) and hp <= 0 else ""

    def gauges(self, participant: Participant, lookup: EntryLookup) -> Sequence[Gauge]:
        """Hit points first; what is 0 and can only be spent is left out."""
        sheet, found = participant.sheet, []
        hp, soak, access = (sheet.get(name) for name in ("hp", "soak", "access"))
        if isinstance(hp, int):
            found.append(Gauge("hp", "Hit points", hp, sheet.get("hp_maximum"), fills=False))
        if isinstance(soak, int) and soak:
            found.append(Gauge("soak", "Soak", soak, fills=False, harm=False))
        strain, most = sheet.get("system_strain"), sheet.get("strain_maximum", sheet.get("constitution"))
        if isinstance(strain, int):
            found.append(Gauge("system-strain", "System Strain", strain, most, harm=False))
        if isinstance(access, int) and access:
            found.append(Gauge("access", "Access", access, fills=False, harm=False))
        return found

    def budget(self, table: Table, who: str, economy: Economy) -> Tokens:
        """The economy's budget, and the tokens of edges, implants and conditions that sheets show."""
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

    def why_no_delay(self, table: Table, who: str) -> str:
        return (
            "delays are not part of these rules: Hold an Action keeps the actions left for later in the round"
        )

    def out_of_turn(self, table: Table, who: str, action: Mapping[str, Any]) -> OutOfTurn:
        """Any action for those who hold theirs, Instants for all, and what Enhanced Reflexes pay for as an Instant."""
        participant = table.participants[who]
        if is_surprised(participant):
            return OutOfTurn(f"{participant.name} is surprised")
        if HOLDING in participant.conditions or action.get("out_of_turn"):
            return OutOfTurn()
        if INTERRUPTING in participant.conditions:
            return OutOfTurn(tokens=_BY_REFLEXES)
        return OutOfTurn("only in their own Turn, unless they hold their action")

    contests: Mapping[str, Contest] = SURPRISE
    gear: Collection[str] = ("medkit",)
    gm_says: Collection[str] = ("attack.pierces", "attack.prepared")
    first_values: Mapping[str, str] = {"hp_maximum": "hp"}

    def objections(self, table: Table, who: str, intent: Intent) -> Sequence[str]:
        return action_rules.objections(table, table.participants[who], intent)

    def action_tags(self, table: Table, who: str, intent: Intent) -> Sequence[str]:
        return (action_rules.HACKING,) if action_rules.is_hacking(intent) else crews.shots(intent)

    def at_once(self, action: str, other: str) -> bool:
        """Snap Attacks of one moment (section 3)."""
        return action == other == "snap-attack"

    def suggested(self, table: Table, who: str, intent: Intent) -> Sequence[Suggestion]:
        """A weapon that needs a stationary rest is fired from one; programs, as the sheet lists them."""
        if intent.action.get("procedure") == "hack":
            known = table.participants[who].sheet.get("programs", ())
            verbs = [verb for verb in known if verb in DEVICE_VERBS]
            return [Suggestion({"hack": {"verb": verb}}, verb.capitalize()) for verb in verbs]
        shot = intent.action.get("procedure") == ATTACK and "unrested" in intent.item_data
        return (Suggestion({"attack": {"rested": True}}),) if shot else ()

    def holder(self, table: Table, who: str, action: Mapping[str, Any]) -> str:
        return crews.gun_mount(table, table.participants[who], action) or who

    arriving = staticmethod(crews.strengthened)

    def follows(
        self, before: Participant | None, after: Participant, lookup: EntryLookup, options: Mapping[str, Any]
    ) -> Sequence[Effect]:
        """0 hit points that are set by hand, or with which a combatant joins, mean the same as after a lethal attack;
        what a wreck does to those aboard is unknown without the damage of the last blow."""
        hp, had = after.sheet.get("hp"), None if before is None else before.sheet.get("hp")
        if not isinstance(hp, int) or hp == had:
            return ()
        if hp > 0:
            if not isinstance(had, int) or had > 0:
                return ()
            ended = [name for name in (*FALLS, WRECKED) if name in after.conditions]
            return [Effect("remove-condition", after.id, name) for name in ended]
        fall = fall_of({f"own.{name}": value for name, value in after.sheet.items()}, "own", lethal=True)
        if not after.conditions.isdisjoint((*FALLS, WRECKED, STABILIZED)):
            return ()
        if fall == WRECKED:
            return [Effect("add-condition", after.id, WRECKED)]
        return list(Hurt(0, 0, 0, 0, fall).effects(after.id))

    def bystanders(self, table: Table, who: str, intent: Intent) -> Sequence[str]:
        """Those who screen the target of an attack (3.2), all who hold a combatant in a grapple, those who fly, drive
        or are aboard what an action concerns, and the one who defends against a program."""
        me = table.participants[who]
        for known in (melee.bystanders, crews.bystanders):
            if people := known(table, me, intent):
                return people
        held = "hold" in intent.action.get("situation", {}).get("attack", {})  # nobody steps in its way
        if intent.action.get("procedure") != ATTACK or intent.target is None or held:
            return ()
        shot = intent.item_data.get("type") in SHOT
        found = melee.screeners(table, table.participants[who], intent.target, shot=shot)
        return [one.id for one in found][:MOST_SCREENS]

    def concerned(
        self, table: Table, who: str, by: str, intent: Intent, condition: str
    ) -> Sequence[str] | None:
        """Moving out of melee exposes to the armed foes there; most conditions bind actor and targets."""
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

    situate = staticmethod(situated)


TURNS = CwnTurns()

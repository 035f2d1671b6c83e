"""The ambush of the Inquisitor universe that is recorded: `python tests/acceptance/ambush.py <port>` plays it with the
service that listens there, and writes it down.

An agent, a seer and a chirurgeon with a silenced pistol surprise a sergeant, a juve and a fanatic. Four rounds, with
pairs, aim and fire, a reload over two rounds, psychic powers, semi-automatic fire, a grenade, charges, a blow that a
power weapon parries and breaks, a force weapon, criticals, bleeding to unconsciousness and staunching. All dice are
typed in; each step says what falls, and what follows from it by the rulebook.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from recorded_fights import FOLDER, LaidOut, at

ENCOUNTER = {
    "ruleset": "imperium",
    "title": "Pump house nine",
    "settings": {"apply": "at-once"},
    "options": {"pinning": False},
}
PLAYERS = {"Ada": ["hale"], "Ben": ["ysmene"], "Cam": ["marrow"]}
CLEAR: Mapping[str, Any] = {"visibility": []}
NEAR: Mapping[str, Any] = {}


class Ambush(LaidOut):
    """The fight that is recorded."""

    def __init__(self, port: int) -> None:
        super().__init__(port, ENCOUNTER, PLAYERS)

    def suffers(self, who: str, *faces: int, **facts: Any) -> None:
        """What bleeding does as somebody's own round ends."""
        view = self.table.view()
        assert view["phase"] == "due", view["phase"]
        [timer] = [one["id"] for one in view["timers"] if one["who"] == who]
        self.falls(*faces)
        body = {"command": "act", "combatant": who, "action": "suffer-injuries", "timer": timer}
        self.told(self.answer(self.send("gm", body)), **facts)
        self.gm("next")

    def first(self, who: str, action: str, second: str, **said: Any) -> dict[str, Any]:
        """The first of a merged pair."""
        situation = {**said.pop("situation", {}), "action": {"merged_with": second}}
        return self.act(who, action, situation=situation, **said)


def cast(fight: Ambush) -> None:
    """Six combatants, who throw their own dice."""
    crew = {"hale": "agent", "ysmene": "seer", "marrow": "chirurgeon"}
    for id, who in crew.items():
        fight.gm("join", combatant=who, id=id, player=True, side="crew", dice="hand")
    foes = {"brannoc": "squad-sergeant", "juve": "raw-juve", "fanatic": "cult-fanatic"}
    for id, who in foes.items():
        fight.gm("join", combatant=who, id=id, side="cult", dice="hand")
    fight.seat()
    fight.gm("set", combatant="marrow", items={"stub-gun": {"fixed": "removable-silencer"}})
    for id in foes:
        fight.gm("set", combatant=id, add=["surprised"])


def order_is(fight: Ambush, *ids: str) -> None:
    """Who acts now, and what the places of all are."""
    ranks = {one["id"]: one["rank"] for one in fight.table.view()["combatants"]}
    assert tuple(ranks[id] for id in ("hale", "ysmene", "marrow", "brannoc", "juve", "fanatic")) == ids, ranks


def single(metres: float, **more: Any) -> dict[str, Any]:
    return at(metres, **CLEAR, fire={"mode": "single"}, **more)


# Round 1: the three who are surprised have half their Initiative, rounded up: 31, 26 and 23.


def hale_aims_and_fires(fight: Ambush) -> None:
    """70 + 20 for aim - 10 for medium range = 80; 36 hits the right arm (63), which has no armor.

    2D10+4 with 5 and 3: 12. Toughness 61: 12 / 7, two levels, heavy. 12 is not above 13, the System Shock value; a
    heavy arm asks for a test not to drop the gun: 40 of 61.
    """
    order_is(fight, "66", "56", "54", "31", "26", "23")
    fight.refused(
        "hale", "draw-weapon", item="power-sword", situation={"action": {"merged_with": "fire-weapon"}}
    )
    fight.act("hale", "aim", item="bolt-pistol")
    fight.falls(36, 5, 3, 40)
    shot = fight.act("hale", "fire-weapon", item="bolt-pistol", target="brannoc", situation=single(15))
    fight.told(shot, shot_chance=80, net_damage=12, right_arm_level=2, down="none", rounds_left=5)
    fight.refused("hale", "walk")
    fight.next("hale")


def ysmene_strikes_with_her_mind(fight: Ambush) -> None:
    """78 - 20 = 58; 50 succeeds by 8."""
    fight.refused("ysmene", "use-psychic-power", target="juve", situation={"power": {"difficulty": 20}})
    fight.act("ysmene", "concentrate")
    fight.falls(50)
    used = fight.act("ysmene", "use-psychic-power", target="juve", situation={"power": {"difficulty": 20}})
    fight.told(used, success=True)
    fight.next("ysmene")


def marrow_shoots_silently(fight: Ambush) -> None:
    """46 - 10 for the silencer = 36. Merged with a walk 18: 66 is a matched failure, which is heard.

    Then 33 of 36, a critical nobody hears: the body; 3 and 4, doubled 14, less leather 2 = 12. Toughness 56: 12 / 6,
    two levels, a heavy body: stunned for an action; 12 is not above 12.
    """
    fight.first("marrow", "walk", "fire-weapon")
    fight.falls(66)
    shot = fight.act("marrow", "fire-weapon", item="stub-gun", target="fanatic", situation=single(8))
    fight.told(shot, shot_chance=18, hit=False, heard=True)
    fight.falls(33, 3, 4)
    shot = fight.act("marrow", "fire-weapon", item="stub-gun", target="fanatic", situation=single(8))
    fight.told(
        shot, shot_chance=36, critical=True, heard=False, net_damage=12, body_level=2, stunned_actions=1
    )
    fight.next("marrow")


def brannoc_sprays(fight: Ambush) -> None:
    """64 - 15 for four shots = 49 for each. 12 hits the body (21): 4 + 5 + 3 less carapace 6 = 6, one level of 7."""
    salvo = at(15, **CLEAR, fire={"mode": "semi-auto", "shots": 4})
    fight.falls(12, 4, 5, 55, 81, 90)
    shots = fight.act("brannoc", "fire-weapon", item="lasgun", target="hale", situation=salvo)
    fight.told(shots, shots=4, hits=1, net_damage=6, body_level=1, rounds_left=56)
    fight.act("brannoc", "draw-weapon", item="frag-grenade", second_item="lasgun")
    fight.next("brannoc")


def juve_charges(fight: Ambush) -> None:
    """38 + 10 for the charge - 10 for the staff = 38: 41 fails, and would have hit but for the staff."""
    fight.act("juve", "draw-weapon", item="knife")
    fight.falls(41)
    blow = fight.act("juve", "charge", item="knife", target="ysmene", situation=NEAR)
    fight.told(blow, attack_chance=38, result="parried", net_damage=0)
    fight.next("juve")


def fanatic_draws(fight: Ambush) -> None:
    """Of his two actions he loses one."""
    fight.act("fanatic", "draw-weapon", item="axe")
    fight.refused("fanatic", "walk")
    fight.next("fanatic")


# Round 2: all have their whole Initiative.


def hale_misses(fight: Ambush) -> None:
    """70 - 10 for medium range; the sergeant stands. Then his sword, in the free hand."""
    order_is(fight, "66", "56", "54", "61", "52", "45")
    fight.falls(71)
    shot = fight.act("hale", "fire-weapon", item="bolt-pistol", target="brannoc", situation=single(12))
    fight.told(shot, shot_chance=60, hit=False, rounds_left=4)
    fight.act("hale", "draw-weapon", item="power-sword")
    fight.next("hale")


def brannoc_throws(fight: Ambush) -> None:
    """64 - 10, as 10 yards are within a fifth of Strength 60: 54. 21 hits the left leg (12) of Hale.

    2D10 with 6 and 7, + 1 for Strength 60: 14. Hale less carapace 6 = 8, two levels of 7, heavy: the test not to fall
    is 30 of 62. Ysmene, two yards off: a D100 of 30 is the body, less mesh 4 = 10, two levels of 5: stunned for an
    action; 10 is not above 10.
    """
    near = at(10, **CLEAR, other_1={"distance": 10, "from_target": 2})
    fight.falls(21, 6, 7, 30, 30)
    blast = fight.act(
        "brannoc", "throw-grenade", item="frag-grenade", target="hale", others=["ysmene"], situation=near
    )
    fight.told(blast, **{"target.net_damage": 8, "target.left_leg_level": 2, "target.prone": False})
    fight.told(blast, **{"other_1.net_damage": 10, "other_1.body_level": 2, "other_1.stunned_actions": 1})
    fight.act("brannoc", "draw-weapon", item="lasgun")
    fight.next("brannoc")


def ysmene_strikes_back(fight: Ambush) -> None:
    """55 + 5 of the force staff - 5 of the knife = 55: 25 hits the body (52).

    40 of Willpower 78 passes: D10 with 5, another with 6 = 11, less leather 2 = 9, doubled 18. Toughness 44: 18 / 5,
    four levels, acute: falls, stunned D3 rounds (2), two bleeding injuries; 18 > 9: the test of system shock, 30 of 44,
    passes.
    """
    fight.falls(25, 40, 5, 6, 30, 2)
    blow = fight.act("ysmene", "attack", item="force-staff", target="juve", situation=NEAR)
    fight.told(blow, attack_chance=55, net_damage=18, body_level=4, bleeding=2, stunned_actions=4, prone=True)
    fight.refused("ysmene", "concentrate")
    fight.next("ysmene")


def marrow_reloads(fight: Ambush) -> None:
    """64 of 36 is a plain miss, unheard. The first of two actions of reloading."""
    fight.falls(64)
    shot = fight.act("marrow", "fire-weapon", item="stub-gun", target="fanatic", situation=single(8))
    fight.told(shot, hit=False, heard=False, rounds_left=3)
    fight.act("marrow", "reload", item="stub-gun")
    fight.next("marrow")


def juve_bleeds(fight: Ambush) -> None:
    """Stunned, and then two D3: 1 + 3 = 4. 22 is not above 22, the Consciousness value."""
    fight.refused("juve", "get-up")
    fight.next("juve")
    fight.suffers("juve", 1, 3, bleeding_points=4, injury_total=22, conscious=True)


def fanatic_loses_his_axe(fight: Ambush) -> None:
    """52 + 10 + 10 - 20 of the power sword = 52: 60 is parried, and 20 of 25 destroys the axe.

    A shot of his pistol goes by Weapon Skill, 52 - 20 = 32: 80 misses.
    """
    fight.falls(60, 20)
    blow = fight.act("fanatic", "charge", item="axe", target="hale", situation=NEAR)
    fight.told(blow, attack_chance=52, result="parried", broken="attacker")
    fight.falls(80)
    shot = fight.act("fanatic", "close-shot", item="autopistol", target="hale", situation=NEAR)
    fight.told(shot, attack_chance=32, hit=False)
    fight.next("fanatic")


# Round 3.


def hale_cuts_him_down(fight: Ambush) -> None:
    """68 + 15 = 83: 55 is critical, the body: 4 + 7 + 5 doubled 32, less leather 2 = 30, five levels of 6.

    The body had two: beyond crippled is death. It is taken back, and done again. Then he walks and looks around: 66
    halved is 33, 20 succeeds by 13.
    """
    fight.falls(55, 4, 7, 5)
    blow = fight.act("hale", "attack", item="power-sword", target="fanatic", situation=NEAR)
    fight.told(blow, attack_chance=83, critical=True, net_damage=30, down="dead")
    fight.gm("undo", steps=2)
    fight.gm("redo", steps=2)
    assert "dead" in fight.conditions("fanatic")
    fight.first("hale", "walk", "do-nothing")
    fight.falls(20)
    fight.told(fight.act("hale", "do-nothing"), test_chance=33, test_margin=13, notices=True)
    fight.next("hale")


def brannoc_runs_and_fires(fight: Ambush) -> None:
    """64 - 10 for 25 yards, halved: 27. 27 hits the right arm (72): 6 + 6 + 3 less carapace 6 = 9, two levels of 7.

    70 of 62 fails: Hale drops what his right hand holds. A sprint would not have merged with a shot.
    """
    fight.refused("brannoc", "sprint", situation={"action": {"merged_with": "fire-weapon"}})
    fight.first("brannoc", "run", "fire-weapon")
    fight.falls(27, 6, 6, 70)
    shot = fight.act("brannoc", "fire-weapon", item="lasgun", target="hale", situation=single(25))
    fight.told(shot, shot_chance=27, shot_margin=0, net_damage=9, right_arm_level=2, drops="right-arm")
    fight.act("brannoc", "aim", item="lasgun")
    fight.next("brannoc")


def ysmene_hurries(fight: Ambush) -> None:
    """Both in one action: (78 - 20) / 2 = 29, and 30 is one too many."""
    fight.first("ysmene", "concentrate", "use-psychic-power")
    fight.falls(30)
    used = fight.act("ysmene", "use-psychic-power", target="brannoc", situation={"power": {"difficulty": 20}})
    fight.told(used, success=False)
    fight.next("ysmene")


def marrow_has_reloaded(fight: Ambush) -> None:
    """Six shots again with the second action. The juve is a pace away."""
    fight.act("marrow", "reload", item="stub-gun")
    assert fight.shown("marrow")["items"]["stub-gun"]["rounds"] == 6
    fight.act("marrow", "walk")
    fight.next("marrow")


def juve_passes_out(fight: Ambush) -> None:
    """2 + 3 = 5, 27 in all: above 22, and 60 of Toughness 44 fails."""
    fight.next("juve")
    fight.suffers("juve", 2, 3, 60, bleeding_points=5, injury_total=27, down="unconscious")


# Round 4.


def hale_charges(fight: Ambush) -> None:
    """He picks his pistol up on the way, which merges with no blow, and charges: 68 + 15 + 10 = 93.

    91 hits the left leg (19): 9 + 8 + 7 less flak 4 = 20, three levels of 7, serious: falls, bleeds. 20 > 13: 95 of 61
    fails, and the sergeant is stunned for a round.
    """
    fight.refused("hale", "draw-weapon", item="bolt-pistol", situation={"action": {"merged_with": "charge"}})
    fight.first("hale", "walk", "draw-weapon")
    fight.act("hale", "draw-weapon", item="bolt-pistol")
    fight.falls(91, 9, 8, 7, 95)
    blow = fight.act("hale", "charge", item="power-sword", target="brannoc", situation=NEAR)
    fight.told(
        blow, attack_chance=93, net_damage=20, left_leg_level=3, bleeding=1, stunned_actions=2, prone=True
    )
    fight.next("hale")


def brannoc_gives_up(fight: Ambush) -> None:
    """Neither aim nor an action is left; one D3. 32 + 2 = 34 is above 31: 50 of 61, he stays awake."""
    assert "aiming" not in fight.conditions("brannoc")
    fight.refused("brannoc", "fire-weapon", item="lasgun", target="hale", situation=single(2))
    fight.next("brannoc")
    fight.suffers("brannoc", 2, 50, bleeding_points=2, injury_total=34, conscious=True)


def ysmene_looks_around(fight: Ambush) -> None:
    """56, not merged: 57 notices nothing."""
    fight.falls(57)
    fight.told(fight.act("ysmene", "do-nothing"), test_chance=56, notices=False)
    fight.next("ysmene")


def marrow_staunches(fight: Ambush) -> None:
    """Merged with a step 50 / 2 = 25: 20 by 5 stops one. 38 of 50 by 12 would stop two, and one is left.

    Juve, who is out of it, has nothing left to suffer.
    """
    body = {"staunching": {"location": "body"}}
    fight.first("marrow", "walk", "staunch-bleeding")
    fight.falls(20)
    fight.told(
        fight.act("marrow", "staunch-bleeding", target="juve", situation=body), stopped=1, bleeding_left=1
    )
    fight.falls(38)
    fight.told(
        fight.act("marrow", "staunch-bleeding", target="juve", situation=body), stopped=1, bleeding_left=0
    )
    assert "suffering" not in fight.conditions("juve")
    fight.next("marrow")


FIRST = [hale_aims_and_fires, ysmene_strikes_with_her_mind, marrow_shoots_silently]
FIRST += [brannoc_sprays, juve_charges, fanatic_draws]
SECOND = [
    hale_misses,
    brannoc_throws,
    ysmene_strikes_back,
    marrow_reloads,
    juve_bleeds,
    fanatic_loses_his_axe,
]
THIRD = [hale_cuts_him_down, brannoc_runs_and_fires, ysmene_hurries, marrow_has_reloaded, juve_passes_out]
FOURTH = [hale_charges, brannoc_gives_up, ysmene_looks_around, marrow_staunches]


def main() -> None:
    fight = Ambush(int(sys.argv[1]))
    cast(fight)
    fight.play((FIRST, SECOND, THIRD, FOURTH), ("injury_total", "injuries", "bleeding"))
    fight.write(FOLDER / "imperium-ambush.jsonl")


if __name__ == "__main__":
    main()

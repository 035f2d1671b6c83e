"""The raid of Shadowrun 5 with bonus actions that is recorded: `python tests/acceptance/extraction.py <port>` plays
it with the service that listens there, and writes it down.

Kestrel (wired reflexes), Cinder (an initiate) and Splice (in hot-sim) surprise a captain and two guards. Four
turns, with bonus actions of each world, Free actions in other people's phases, saved actions that pay for full
defense, hitting the dirt and a parry, a Carnival of Carnage, bursts whose recoil adds up within a phase, a tie by
Edge and one by a coin, seizing the initiative twice and a blitz, a spell, a spirit, a device that is bricked, a
drug, a grenade with a fuse, suppressive fire, Dead Man's Trigger, Push the Limit, a Second Chance and a Close Call.
All dice are typed in; each step says what falls, and what follows from it by the rulebook (its sections in
brackets).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from recorded_fights import FOLDER, LaidOut, at

ENCOUNTER = {
    "ruleset": "sr5",
    "title": "The clinic at the harbor",
    "settings": {"apply": "at-once"},
    "options": {"limp_in_vr": False},
}
PLAYERS = {"Ada": ["kestrel"], "Ben": ["cinder"], "Cam": ["splice"]}

INITIATIVE: Sequence[Mapping[str, Sequence[int]]] = (
    {
        "kestrel": [4, 5, 3],  # 6 + 4 + 12 = 22
        "cinder": [4],  # 4 + 5 + 4 = 13
        "splice": [2, 3, 1, 2],  # Data Processing 6 + 5 + 8 = 19
        "brix": [1, 4],  # 5 - 1 for what he wears + 4 + 5 = 13
        "anders": [4],  # 4 + 3 + 4 = 11
        "boyle": [2],  # 4 + 3 - 10 + 2 = -1
    },
    {
        "kestrel": [1, 2, 3],  # two boxes of Stun take nothing: 16
        "cinder": [5],  # 14
        "splice": [4, 4, 2, 1],  # 22
        "brix": [6, 4, 3, 2, 5],  # a blitz: 8 - 2 for seven boxes + 20 = 26
        "anders": [6],  # 7 - 2 + 6 = 11
        "boyle": [5],  # 7 - 1 + 5 = 11
        "a coin": [1],
    },
    {
        "kestrel": [2, 1, 2],  # 15
        "cinder": [2],  # 9 - 3 + 2 = 8
        "splice": [1, 2, 1, 3],  # 18
        "anders": [6, 6, 5],  # on jazz 5 + 3 - 2 + 17 = 23
    },
    {
        "kestrel": [5, 4, 3],  # 10 - 2 + 12 = 20
        "splice": [1, 2, 2, 1],  # 17
        "anders": [1, 2, 3],  # 6 + 6 = 12
    },
)
"""What falls as each turn begins."""


def dice(hits: int, of: int) -> list[int]:
    """A throw of so many dice with so many hits, and no ones."""
    return [5 + at % 2 if at < hits else 2 + at % 3 for at in range(of)]


class Extraction(LaidOut):
    """The fight that is recorded."""

    def __init__(self, port: int) -> None:
        super().__init__(port, ENCOUNTER, PLAYERS)

    def turn(self, choose: Mapping[str, str] | None = None, **said: Any) -> dict[str, Any]:
        number = self.table.view()["turn"]
        self.falls(*(face for faces in INITIATIVE[number].values() for face in faces))
        return super().turn(choose, **said)

    def ranks(self, **scores: int) -> None:
        """The Initiative Scores of this turn."""
        found = {one["id"]: one["rank"] for one in self.table.view()["combatants"]}
        assert {who: found[who] for who in scores} == {who: str(score) for who, score in scores.items()}

    def goes_off(self, who: str, **said: Any) -> dict[str, Any]:
        """What somebody has thrown goes off; what came of it."""
        view = self.table.view()
        assert view["phase"] == "due", view["phase"]
        [timer] = [one["id"] for one in view["timers"] if one["due"]]
        body = {"command": "act", "combatant": who, "action": "grenade-goes-off", "timer": timer, **said}
        outcome = self.answer(self.send("gm", body))
        self.gm("next")
        return outcome


def cast(fight: Extraction) -> None:
    """Six combatants, who throw their own dice; a guard is surprised."""
    hands = {"kestrel": "ares-alpha", "cinder": "stun-baton", "splice": "ares-crusader-ii"}
    for id, weapon in hands.items():
        fight.gm("join", combatant=id, id=id, player=True, side="crew", dice="hand", asks=True)
        fight.gm("set", combatant=id, items={weapon: {"ready": True}})
    foes = {"brix": ("shift-captain", "fn-p93-praetor"), "anders": ("gate-guard", "hk-227")}
    foes["boyle"] = ("gate-guard", "stun-baton")
    for id, (who, weapon) in foes.items():
        fight.gm("join", combatant=who, id=id, side="clinic", dice="hand", asks=id == "brix")
        fight.gm("set", combatant=id, items={weapon: {"ready": True}})
    fight.gm("set", combatant="brix", items={"grenade-flash-bang": {"ready": True}})
    fight.gm("set", combatant="anders", items={"stun-baton": {"ready": True}})
    fight.gm("set", combatant="splice", fields={"attack": 6})
    fight.gm("set", combatant="brix", fields={"device_rating": 3, "firewall": 3})
    fight.seat()
    fight.falls(*dice(3, 8), *dice(3, 7), *dice(1, 7))
    fight.answer(fight.gm("contest", contest="surprise", combatants=["brix", "anders", "boyle"]))


def kestrel_fires_two_bursts(fight: Extraction) -> None:
    """22. Cinder speaks in his phase, and has no second Free action in it (1.5).

    Six rounds in the phase, both attacks suffer their recoil (6.2): compensation 2 + 1 + 5 / 3 up = 5, so -1.
    Agility 6 + Automatics 6 + 2 for the implanted smartlink - 1 = 13. Anders defends with 4 + 3 - 2 = 5: 3 against
    1. 11 + 2 = 13P; vest 9 + helmet 2 - 2 = 9: Physical. Body 4 + 9 = 13 dice, 6 hits: 7 boxes, at least his
    Physical limit (6 + 4 + 4) / 3 = 5: prone.

    Brix: 2 hits, a Second Chance throws the other 11 again, 3 more; 5 against 1 of 5 + 4 - 1 - 2 = 6 (8.5: helmet 2
    + shield 6 are 3 above Strength 5: only 5 count, and Agility and Reaction lose 1). 11 + 4 = 15; 12 + 5 - 2 = 15:
    equal stays Physical (14.26). 6 + 15 = 21 dice, 8 hits: 7 boxes, his limit (10 + 6 + 5) / 3 = 7: prone. Two
    Complex are his 2 + 2.
    """
    fight.ranks(kestrel=22, splice=19, cinder=13, brix=13, anders=11, boyle=-1)
    fight.act("cinder", "speak")
    fight.refused("cinder", "drop-prone")
    burst = {"item": "ares-alpha", "situation": at(10, attacker={"rounds_phase": 6})}
    fight.falls(*dice(3, 13), *dice(1, 5), *dice(6, 13))
    shot = fight.act("kestrel", "fire-burst", target="anders", **burst)
    fight.told(shot, net_hits=2, modified_dv=13, damage=7, track="physical", knockdown=True)
    fight.falls(*dice(2, 13), *dice(1, 6), *dice(3, 11), *dice(8, 21))
    again = {"item": "ares-alpha", "situation": at(10)}
    shot = fight.act("kestrel", "fire-burst", {"edge-after": "second-chance"}, target="brix", **again)
    fight.told(
        shot, net_hits=4, modified_dv=15, modified_armor=15, damage=7, track="physical", knockdown=True
    )
    fight.refused("kestrel", "fire-burst", target="brix", **again)
    fight.next("kestrel")


def splice_spikes(fight: Extraction) -> None:
    """19. Two normal and three of the Matrix: a Matrix Search 2, Data Spike 2, a message 1 (B25); a sixth is
    refused.

    Logic 6 + Cybercombat 5 + 2 for hot-sim = 13, limit 6; Intuition 4 + Firewall 3 - 2 for the wounds = 5.
    5 against 2: 6 + 3 = 9. Rating 3 + Firewall 3 = 6 dice, 1 hit: 8 boxes of 10 (12).
    """
    fight.act("splice", "matrix-search")
    fight.falls(*dice(5, 13), *dice(2, 5), *dice(1, 6))
    spike = fight.act("splice", "data-spike", target="brix")
    fight.told(spike, damage=8, device_after=8, bricked=False)
    fight.act("splice", "send-message")
    fight.refused("splice", "change-icon")
    fight.act("splice", "drop-prone")
    fight.next("splice")


def cinder_stuns(fight: Extraction) -> None:
    """13, before Brix with 13: Edge 3 against 2 (1.3). Her two of magic pay for it, so that two normal ones are
    left.

    Magic 6 + Spellcasting 6 = 12: 6 hits, limit Force 5. Willpower 3, 1 hit: 4 Stun for Boyle, -1. Drain 5 - 3 = 2:
    Willpower 5 + Logic 5 = 10 dice, 1 hit: a box; 5 kept hits are not above Magic 6, so Stun (11.7).
    """
    spell = {"spell": "stunbolt", "force": 5}
    fight.falls(*dice(6, 12), *dice(1, 3), *dice(1, 10))
    cast = fight.act("cinder", "cast-combat-spell", target="boyle", situation=spell)
    fight.told(cast, **{"target.damage": 4, "drain.damage": 1, "drain.track": "stun"})
    fight.next("cinder")


def brix_grazes_her(fight: Extraction) -> None:
    """13. Stands up with the bonus action, without a test (5); the burst takes both normal ones.

    5 + 5 - 1 - 2 - 1 for medium range = 6 dice. She pays what she has saved for a full defense (B23): 4 + 5 + 5 - 2
    = 12. 2 against 2: a graze (8.4).
    """
    fight.act("brix", "stand-up")
    fight.falls(*dice(2, 6), *dice(2, 12))
    shot = fight.act("brix", "fire-burst", {"reaction": "full-defense"}, target="cinder", situation=at(12))
    fight.told(shot, result="graze", damage=0)
    fight.next("brix")


def anders_shoots_lying(fight: Extraction) -> None:
    """11. 4 + 3 - 2 = 5 dice: goggles without DNI give the smartgun nothing (6.4). 3 against 1 of 6 + 4 = 10.

    7 + 2 = 9P; 12 + 2 + 1 of the body = 15: Stun. 5 + 15 + 1 for bone lacing = 21 dice, 7 hits: 2 boxes. Boyle,
    surprised, has -1, and no phase (8.7).
    """
    fight.falls(*dice(3, 5), *dice(1, 10), *dice(7, 21))
    shot = fight.act("anders", "fire-semi-automatic", item="hk-227", target="kestrel", situation=at(10))
    fight.told(shot, modified_dv=9, modified_armor=15, damage=2, track="stun")
    fight.next("anders")


# Turn 2


def boyle_charges(fight: Extraction) -> None:
    """11, but a point of Edge makes him first (B19); before, a coin decided between him and Anders, both 11 and
    alike.

    4 + 3 - 1 + 2 for the charge, without the -2 for running, = 8: 5 hits, limit 4. Cinder's full defense lasts to
    her next phase: 4 + 5 + 5 - 1 for the defense before = 13, 2 hits. 9 + 2 = 11S; 9 - 5 = 4; 3 + 4 = 7 dice, 2
    hits: 9 boxes, 10 of 11; her limit is (4 + 3 + 4) / 3 up = 4: prone.
    """
    fight.ranks(brix=26, splice=22, kestrel=16, cinder=14, anders=11, boyle=11)
    fight.gm("spend", combatant="boyle", on="seize-the-initiative")
    fight.act("boyle", "run")
    fight.falls(*dice(5, 8), *dice(2, 13), *dice(2, 7))
    charge = {"attacker": {"charging": True}}
    blow = fight.act("boyle", "melee-attack", item="stun-baton", target="cinder", situation=charge)
    fight.told(blow, net_hits=2, modified_dv=11, damage=9, track="stun", stun_after=10, knockdown=True)
    fight.next("boyle")


def brix_throws(fight: Extraction) -> None:
    """26: wounds lower the score only now (B20). The fuse burns to his next phase.

    5 + 3 - 2 - 1 - 1 for the range = 4 dice, 3 hits: on the spot. One bonus action is saved.
    """
    fight.falls(*dice(3, 4))
    thrown = fight.act("brix", "throw-fused-grenade", item="grenade-flash-bang", situation=at(12))
    fight.told(thrown, **{"blast.scatter": 0})
    fight.next("brix")


def splice_does_both(fight: Extraction) -> None:
    """22. Two normal ones for the burst, three of the Matrix for spike and message; a clip would be a physical one
    more.

    3 + 3 + 2 - 1 = 7 dice, no recoil within 0 + 2 + 1 + 1 = 4. 3 against 0 of 5 + 4 - 1 - 2 - 2 = 4: 7 + 3 = 10,
    below 17: Stun. 6 + 17 = 23 dice, 6 hits: 4. Wounds -2 - 1: the device defends with 4 dice. 4 against 1: 6 + 3 =
    9, 2 resisted: 7; 15 of 10 boxes: bricked.
    """
    fight.falls(*dice(3, 7), *dice(0, 4), *dice(6, 23))
    shot = fight.act("splice", "fire-burst", target="brix", situation=at(15))
    fight.told(shot, net_hits=3, modified_dv=10, modified_armor=17, damage=4, track="stun")
    fight.falls(*dice(4, 13), *dice(1, 4), *dice(2, 6))
    fight.told(fight.act("splice", "data-spike", target="brix"), damage=7, device_after=15, bricked=True)
    fight.refused("splice", "insert-clip")
    fight.act("splice", "send-message")
    fight.next("splice")


def kestrels_carnival(fight: Extraction) -> None:
    """16. Complex and a Simple for each further target (6.3): four targets would be 5 of his 4, two are 3.

    Six rounds again: 13 dice against each. Brix 9 - 3 - 1 - 1 - 2 = 2: 4 against 0, 15 not below 15, 21 dice, 9
    hits: 6 boxes, 13 of 11: dying. Boyle 7 - 1 - 2, and - 3 for his melee with Cinder = 1: 3 against 0, 14 against
    9, 13 dice, 7 hits: 7, and with 4 Stun 11 of 10: a grunt is out. It is taken back and done again. Then Dead Man's
    Trigger (8.3): 6 + 4 - 5 = 5 dice, 3 hits: what Brix has saved pays for a last action.
    """
    burst = at(10, fire={"mode": "burst"})
    said = {"item": "ares-alpha", "target": "brix", "situation": burst}
    fight.refused("kestrel", "carnival-of-carnage-ranged", others=["boyle", "anders", "splice"], **said)
    fight.falls(*dice(4, 13), *dice(0, 2), *dice(9, 21), *dice(3, 13), *dice(0, 1), *dice(7, 13))
    shots = fight.act("kestrel", "carnival-of-carnage-ranged", others=["boyle"], **said)
    fight.told(
        shots,
        **{"target.damage": 6, "target.dying": True, "target_2.damage": 7, "target_2.unconscious": True},
    )
    fight.gm("undo", steps=2)
    fight.gm("redo", steps=2)
    fight.falls(*dice(3, 5))
    fight.told(fight.act("brix", "dead-mans-trigger"), success=True)
    fight.act("brix", "use-simple-device")
    fight.next("kestrel")


def cinder_summons(fight: Extraction) -> None:
    """14. 6 + 5 - 3 = 8 dice: 4 hits, limit 3, against 1 of the spirit's 3: two services.

    Drain twice the spirit's hits, 2: 10 dice, 2 hits: none. After the summoning with magic's two she stands up.
    """
    fight.falls(*dice(4, 8), *dice(1, 3), *dice(2, 10))
    fight.told(
        fight.act("cinder", "summon", situation={"force": 3}), **{"spirit.services": 2, "drain.damage": 0}
    )
    fight.act("cinder", "stand-up")
    fight.next("cinder")


def anders_takes_jazz(fight: Extraction) -> None:
    """11. Stands up, and a dose: D6 of 3, half an hour. Reaction + 1 and two dice, but no bonus action (4)."""
    fight.act("anders", "stand-up")
    fight.falls(3)
    fight.told(fight.act("anders", "take-drug", situation={"drug": "jazz"}), length=30, unit="minute")
    fight.next("anders")


# Turn 3


def the_grenade_goes_off(fight: Extraction) -> None:
    """Brix has no phase any more: it goes off at 26, the score at which it was thrown.

    10S everywhere within 10 m, -4. Cinder 9 - 4 = 5: 8 dice, 3 hits: 7; one fills the Stun monitor, of the other 6
    each two are a Physical box (8.6). Kestrel 15 - 4 = 11, 5 + 11 + 1 = 17 dice, 5 hits: 5 Stun, -2.
    """
    near = {"target": {"blast_distance": 3}, "target_2": {"blast_distance": 8}}
    fight.falls(*dice(3, 8), *dice(5, 17))
    blast = fight.goes_off("brix", target="cinder", others=["kestrel"], situation=near)
    fight.told(blast, **{"target.damage": 7, "target.stun_after": 11, "target.physical_after": 3})
    fight.told(blast, **{"target.unconscious": True, "target_2.damage": 5, "target_2.track": "stun"})


def anders_suppresses(fight: Extraction) -> None:
    """23. 5 dice, 3 hits against which people in the zone roll (10); Kestrel hits the dirt with the bonus action
    that he saved, and Splice lies already.
    """
    fight.ranks(anders=23, splice=18, kestrel=15, cinder=8)
    fight.falls(*dice(3, 5))
    zone = {"item": "hk-227", "target": "kestrel", "others": ["splice"], "situation": at(10)}
    fire = fight.act("anders", "suppressive-fire", {"kestrel:reaction": "hit-the-dirt"}, **zone)
    fight.told(fire, suppression=3)
    assert {"prone", "suppressed"} <= fight.conditions("kestrel")
    fight.next("anders")


def splice_gets_out(fight: Extraction) -> None:
    """18. Reaction 4 + Edge 4 = 8 dice, 3 hits are enough. No test of what is behind.

    A long burst: 3 + 3 + 2 - 1 - 2 for recoil 6 - 4 = 5 dice, three ones: a critical glitch, of which a Close Call
    makes a plain one.
    """
    fight.falls(*dice(3, 8))
    fight.told(fight.act("splice", "leave-suppressed-zone", target="anders"), threshold=3, result="avoided")
    assert "suppressed" not in fight.conditions("splice")
    fight.falls(1, 1, 1, 2, 3, *dice(1, 1))
    shot = fight.act("splice", "fire-long-burst", {"close-call": "lessen"}, target="anders", situation=at(10))
    fight.told(shot, result="miss", attack_ones=3, attack_glitch="glitch")
    fight.next("splice")


def kestrel_gets_ready(fight: Extraction) -> None:
    """15. Stands up, and a sword is Complex (5, 14.29): 3 of 4, one is saved."""
    fight.act("kestrel", "stand-up")
    fight.act("kestrel", "ready-sword", item="katana")
    fight.next("kestrel")


# Turn 4


def anders_charges(fight: Extraction) -> None:
    """12, but first, for a point of Edge. 4 + 3 - 2 + 2 = 7 dice, 3 hits.

    Kestrel pays what he saved for a parry (B16): 6 + 4 + 5 Blades - 2 = 13 dice, 4 hits.
    """
    fight.ranks(kestrel=20, splice=17, anders=12)
    fight.gm("spend", combatant="anders", on="seize-the-initiative")
    fight.act("anders", "run")
    fight.falls(*dice(3, 7), *dice(4, 13))
    charge = {"attacker": {"charging": True}}
    said = {"item": "stun-baton", "target": "kestrel", "situation": charge}
    fight.told(fight.act("anders", "melee-attack", {"reaction": "parry"}, **said), result="miss")
    fight.next("anders")


def kestrel_ends_it(fight: Extraction) -> None:
    """20. Push the Limit: 6 + 5 - 2 + 3 for Edge = 12 dice; three sixes roll again 6, 5, 2, and the six again 4: 8
    hits, no limit (B17).

    Anders 4 + 1 + 3 - 2 = 6, 1 hit. 3 + 5 + 7 = 15P; 11 - 3 = 8; 4 + 8 = 12 dice, 3 hits: 12 boxes, 19 of 10.
    """
    fight.falls(6, 6, 6, 5, 5, 5, 2, 3, 4, 2, 3, 4, 6, 5, 2, 4, *dice(1, 6), *dice(3, 12))
    blow = fight.act("kestrel", "melee-attack", {"edge-before": "push"}, item="katana", target="anders")
    fight.told(blow, attack_hits=8, modified_dv=15, damage=12, physical_after=19, unconscious=True)
    fight.next("kestrel")


def splice_sends_for_help(fight: Extraction) -> None:
    """17. Cinder and Brix lie there; what Splice saved of the Matrix before adds to this phase (7)."""
    fight.act("splice", "send-message")
    fight.next("splice")


FIRST = [kestrel_fires_two_bursts, splice_spikes, cinder_stuns, brix_grazes_her, anders_shoots_lying]
SECOND = [boyle_charges, brix_throws, splice_does_both, kestrels_carnival, cinder_summons, anders_takes_jazz]
THIRD = [the_grenade_goes_off, anders_suppresses, splice_gets_out, kestrel_gets_ready]
FOURTH = [anders_charges, kestrel_ends_it, splice_sends_for_help]
CHOSEN: list[Mapping[str, str]] = [
    {"brix:bonus-world": "physical"},
    {"brix:edge-initiative": "blitz", "brix:bonus-world": "physical"},
]


def main() -> None:
    fight = Extraction(int(sys.argv[1]))
    cast(fight)
    fight.play((FIRST, SECOND, THIRD, FOURTH), ("physical", "stun", "edge_points"), CHOSEN)
    fight.write(FOLDER / "sr5-extraction.jsonl")


if __name__ == "__main__":
    main()

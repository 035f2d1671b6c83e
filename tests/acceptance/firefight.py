"""The firefight that is recorded: `python tests/acceptance/firefight.py <port>` plays it with the service that listens
there, and writes it down.

Three runners (a street samurai with three passes, a combat mage, Rook) meet two guards and a troll. Three Combat
Turns, with surprise, Edge of many kinds, delays, reactions, a fuse, suppressive fire, melee, magic and wounds. All dice
are typed in.
"""

from __future__ import annotations

import sys

from recorded_fights import FOLDER, Recorder, at

ENCOUNTER = {"ruleset": "sr4", "title": "The loading dock", "settings": {"apply": "at-once"}}
PLAYERS = {"Ada": ["kestrel"], "Ben": ["vesper"], "Cam": ["rook"]}
SEED = 2467
SEEDS = {2: 14, 3: 2}
"""By turn: dice with which the fight of that turn goes as its plan says."""
GIVEN = {
    2: {
        "kestrel": {"hits": 4},
        "vesper": {"score": 11},
        "rook": {"score": 10},
        "officer": {"score": 10},
        "guard": {"score": 5},
        "brick": {"score": 2},
    }
}
"""By turn: initiative that was rolled at the table."""


def cast(fight: Recorder) -> None:
    """Six combatants, who throw their own dice."""
    for who in ("kestrel", "vesper", "rook"):
        fight.gm("join", combatant=who, id=who, player=True, side="runners", dice="hand")
    foes = {"officer": "corporate-security-officer", "brick": "brick", "guard": "guard"}
    for id, who in foes.items():
        fight.gm("join", combatant=who, id=id, side="corp", dice="hand")
    fight.seat()
    fight.gm("set", combatant="guard", items={"high-explosive-grenade": {"ready": True, "rounds": 2}})
    fight.gm("set", combatant="officer", asks=True)
    fight.gm("set", combatant="brick", asks=True)


def surprise(fight: Recorder) -> None:
    """Kestrel lies in wait for the guard and the troll; the others see each other come."""
    lurking = {"kestrel": {"tester": {"ambushing": True}}}
    fight.answer(
        fight.gm("contest", contest="surprise", combatants=["kestrel", "guard", "brick"], situations=lurking)
    )


def rook_goes_first(fight: Recorder) -> None:
    """Edge for the first place; nobody acts against whoever surprised him; a reroll; aiming."""
    fight.send("Cam", {"command": "spend", "combatant": "rook", "on": "go-first"})
    fight.refused("brick", "melee-attack", target="kestrel")
    fight.act("rook", "fire-semi-automatic", {"reaction": "full-dodge"}, target="officer", situation=at(12))
    fight.act("rook", "take-aim")
    fight.refused("rook", "take-aim")
    fight.next("rook")


def kestrel_shoots(fight: Recorder) -> None:
    """Running, which she says first: how one moves comes before all else."""
    fight.refused("kestrel", "fire-short-burst", item="ingram-smartgun-x", target="guard", situation=at(8))
    fight.act("kestrel", "run")
    fight.act("kestrel", "ready-weapon", item="ingram-smartgun-x")
    burst = at(8, fire={"spread": "wide"})
    fight.act(
        "kestrel",
        "fire-short-burst",
        {"edge-before": "push"},
        item="ingram-smartgun-x",
        target="guard",
        situation=burst,
    )
    fight.refused("kestrel", "walk")
    fight.next("kestrel")


def vesper_delays(fight: Recorder) -> None:
    fight.send("Ben", {"command": "delay", "combatant": "vesper"})


def brick_charges(fight: Recorder) -> None:
    fight.act("brick", "run")
    charge = {"attacker": {"charging": True}}
    fight.act("brick", "melee-attack", target="rook", item="club", situation=charge)


def vesper_cuts_in(fight: Recorder) -> None:
    """Before the troll is done: a bolt, the drain of it, and the delayed action is used up."""
    fight.send("Ben", {"command": "intervene", "combatant": "vesper", "when": "with"})
    spell = {"spell": "stunbolt", "force": 5}
    fight.act("vesper", "cast-spell", {"edge-after": "add"}, target="brick", situation=spell)
    fight.next("brick", "vesper")


def guard_throws_a_grenade(fight: Recorder) -> None:
    """Prone and hurt, with a fuse: it lies there until his score in the next pass."""
    fight.act("guard", "throw-fused-grenade", item="high-explosive-grenade", situation=at(10))
    fight.next("guard")


def kestrel_cuts(fight: Recorder) -> None:
    """The second pass: those with one action have none, and she has three."""
    fight.refused("rook", "speak")
    fight.act("kestrel", "melee-attack", target="brick", item="katana")
    fight.next("kestrel")


def officer_suppresses(fight: Recorder) -> None:
    """His second pass. Twenty rounds into the room; who is there and exposed must get away."""
    fight.refused(
        "officer", "fire-semi-automatic", item="ares-predator-iv", target="kestrel", situation=at(9)
    )
    fight.act("officer", "suppressive-fire", item="hk-227-x", others=["vesper"], situation=at(12))
    fight.next("officer")


def grenade(fight: Recorder) -> None:
    """It goes off at the score of whoever threw it, whoever is up by then."""
    view = fight.table.view()
    assert view["phase"] == "due", view["phase"]
    [timer] = [timer["id"] for timer in view["timers"] if timer["due"]]
    reach = {"victim_1": {"blast_distance": 4}, "victim_2": {"blast_distance": 3}}
    fight.act("guard", "grenade-goes-off", timer=timer, others=["rook", "officer"], situation=reach)
    fight.gm("next")


def kestrel_reloads(fight: Recorder) -> None:
    """Her third pass: the smartgun's clip out as a Free Action, another in, and a shot."""
    fight.act("kestrel", "eject-smartgun-clip", item="ingram-smartgun-x")
    fight.refused("kestrel", "fire-short-burst", item="ingram-smartgun-x", target="guard", situation=at(6))
    fight.act("kestrel", "insert-clip", item="ingram-smartgun-x")
    fight.act(
        "kestrel",
        "fire-short-burst",
        item="ingram-smartgun-x",
        target="brick",
        situation=at(2, fire={"spread": "narrow"}),
    )
    fight.next("kestrel")


FIRST = [
    rook_goes_first,
    kestrel_shoots,
    vesper_delays,
    brick_charges,
    vesper_cuts_in,
    guard_throws_a_grenade,
    kestrel_cuts,
    officer_suppresses,
    grenade,
    kestrel_reloads,
]


def kestrel_strikes_first(fight: Recorder) -> None:
    """The guard pays for one more pass; the troll has no action left by his wounds, but defends."""
    fight.gm("spend", combatant="guard", on="extra-pass")
    fight.refused("brick", "speak")
    fight.act("kestrel", "melee-attack", target="brick", item="katana")
    fight.next("kestrel")


def vesper_burns_the_guard(fight: Recorder) -> None:
    fight.act("vesper", "cast-spell", target="guard", situation={"spell": "flamethrower", "force": 2})
    fight.next("vesper")


def rook_and_officer_at_once(fight: Recorder) -> None:
    """The same score: both act, whatever the other does to them."""
    fight.act("rook", "stand-up")
    fight.act("rook", "fire-semi-automatic", target="officer", situation=at(12))
    burst = at(12, fire={"spread": "narrow"})
    fight.act(
        "officer",
        "fire-long-burst",
        {"reaction": "full-dodge"},
        item="hk-227-x",
        target="vesper",
        situation=burst,
    )
    fight.next("rook", "officer")


def kestrel_throws_the_troll_down(fight: Recorder) -> None:
    fight.act("kestrel", "knockdown-attack", target="brick", item="katana")
    fight.next("kestrel")


def officer_draws(fight: Recorder) -> None:
    """Up again, which takes a test when one is hurt, and a quick draw that fires in the same Simple Action."""
    fight.act("officer", "stand-up")
    fight.act("officer", "quick-draw", item="ares-predator-iv", target="rook", situation=at(10))
    fight.next("officer")


def kestrel_aims(fight: Recorder) -> None:
    """Aiming keeps from turn to turn, and a word would cost it."""
    fight.act("kestrel", "take-aim", item="ingram-smartgun-x")
    fight.refused("kestrel", "take-aim", item="ingram-smartgun-x")
    fight.next("kestrel")


SECOND = [
    kestrel_strikes_first,
    vesper_burns_the_guard,
    rook_and_officer_at_once,
    kestrel_throws_the_troll_down,
    officer_draws,
    kestrel_aims,
]


def guard_burns(fight: Recorder) -> None:
    """As the turn begins, before anybody acts."""
    view = fight.table.view()
    [timer] = [timer["id"] for timer in view["timers"] if timer["due"]]
    fight.act("guard", "burn", timer=timer)
    fight.gm("next")


def guard_lives(fight: Recorder) -> None:
    """A point of the Edge attribute, for ever."""
    fight.act("guard", "escape-death")


def kestrel_calls_her_shot(fight: Recorder) -> None:
    """Call, then fire: the call costs the aim of the turn before."""
    fight.act("kestrel", "call-shot")
    burst = at(8, fire={"spread": "narrow"}, called_shot={"kind": "vital", "dv": 2})
    fight.act("kestrel", "fire-short-burst", item="ingram-smartgun-x", target="officer", situation=burst)
    fight.act("kestrel", "take-aim", item="ingram-smartgun-x")
    fight.next("kestrel")


def rook_helps(fight: Recorder) -> None:
    """Vesper's phase is gone for her dodge. Rook looks around, and takes aim."""
    fight.refused("vesper", "cast-spell", target="brick", situation={"spell": "stunbolt", "force": 3})
    fight.act("rook", "observe-in-detail")
    fight.act("rook", "take-aim")
    fight.next("rook")


def officer_will_not_go_alone(fight: Recorder) -> None:
    """Dying, with an action still due in this turn."""
    fight.act("officer", "dead-mans-trigger")


def kestrel_ends_it(fight: Recorder) -> None:
    fight.act(
        "kestrel",
        "fire-short-burst",
        item="ingram-smartgun-x",
        target="brick",
        situation=at(2, fire={"spread": "narrow"}),
    )
    fight.act("kestrel", "stow-weapon", item="ingram-smartgun-x")
    fight.next("kestrel")


def kestrel_stabilizes(fight: Recorder) -> None:
    fight.act("kestrel", "speak")
    fight.next("kestrel")


THIRD = [
    guard_burns,
    guard_lives,
    kestrel_calls_her_shot,
    officer_will_not_go_alone,
    rook_helps,
    kestrel_ends_it,
    kestrel_stabilizes,
]


def main() -> None:
    fight = Recorder(int(sys.argv[1]), ENCOUNTER, PLAYERS, SEED)
    cast(fight)
    surprise(fight)
    shown = ("physical", "stun", "edge_points")
    fight.play((FIRST, SECOND, THIRD), shown, ({}, {}, {"edge-before": "push"}), given=GIVEN, seeds=SEEDS)
    fight.write(FOLDER / "sr4-firefight.jsonl")


if __name__ == "__main__":
    main()

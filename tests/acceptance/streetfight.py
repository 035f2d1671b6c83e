"""The street fight that is recorded: `python tests/acceptance/streetfight.py <port>` plays it with the service that
listens there, and writes it down.

Three of a crew (Tor with an automatic rifle, Dov with a sword, Pim with a doctor's bag) meet a gang lieutenant, a
gunman and a bruiser. Four rounds, with suppressive fire, a held action, a charge, a swarm, smoke, a screen, luck,
Total Defense, Shock, a mortal wound, a trauma patch and a check of Morale. All dice are typed in.
"""

from __future__ import annotations

import sys

from recorded_fights import FOLDER, Recorder, at

ENCOUNTER = {"ruleset": "cwn", "title": "Behind the noodle bar", "settings": {"apply": "at-once"}}
PLAYERS = {"Ada": ["pim"], "Ben": ["dov"], "Cam": ["tor"]}
SEED = 2176


def cast(fight: Recorder) -> None:
    """Six combatants, who throw their own dice."""
    for who in ("pim", "dov", "tor"):
        fight.gm("join", combatant=who, id=who, player=True, side="crew", dice="hand")
    foes = {"boss": "gang-lieutenant", "gunman": "gang-gunman", "bruiser": "gang-bruiser"}
    for id, who in foes.items():
        fight.gm("join", combatant=who, id=id, side="gang", dice="hand")
    fight.seat()
    fight.gm("set", combatant="boss", asks=True)


NEAR = at(1)


def tor_suppresses(fight: Recorder) -> None:
    """From the ground, which steadies the rifle. Who is in the cone must save; a burst would take three rounds."""
    fight.refused("tor", "suppressive-fire", item="automatic-rifle", others=["gunman"], situation=at(20))
    fight.act("tor", "go-prone")
    cone = {"victim_1": {"distance": 20}, "victim_2": {"distance": 24}}
    fight.act("tor", "suppressive-fire", item="automatic-rifle", others=["gunman", "bruiser"], situation=cone)
    fight.refused("tor", "ranged-attack", item="automatic-rifle", target="gunman", situation=at(20))


def pim_holds(fight: Recorder) -> None:
    fight.act("pim", "hold-action")


def dov_charges(fight: Recorder) -> None:
    run_up = at(1, attack={"charge_distance": 25})
    fight.refused("dov", "charge", item="sword", target="boss", situation=run_up)
    run_up = at(1, attack={"charge_distance": 8})
    fight.act("dov", "charge", item="sword", target="boss", situation=run_up)
    fight.next("pim", "dov", "tor")


def pim_is_quicker(fight: Recorder) -> None:
    """Her held action, in answer to the gunman."""
    fight.act("pim", "ranged-attack", item="taser-pistol", target="gunman", situation=at(9))
    fight.refused("pim", "ranged-attack", item="taser-pistol", target="gunman", situation=at(9))


def gunman_fires_a_burst(fight: Recorder) -> None:
    burst = at(20, attack={"burst": True})
    fight.act("gunman", "ranged-attack", item="trained-combat-rifle", target="tor", situation=burst)


def boss_and_bruiser_swarm(fight: Recorder) -> None:
    """Each pays the Main Action, one of them strikes; Shock lands whatever the armor."""
    fight.act("bruiser", "swarm-attack", target="dov")
    fight.act("boss", "swarm-attack", target="dov")
    fight.act("boss", "strike-as-swarm", item="commander-body-blades-2", target="dov", situation=NEAR)
    fight.next("boss", "gunman", "bruiser")


def dov_strikes_back(fight: Recorder) -> None:
    """He stands before Pim as well, for as many attackers as he has levels."""
    fight.act("dov", "melee-attack", item="sword", target="boss", situation=NEAR)
    fight.act("dov", "screen-ally", target="pim")


def pim_throws_smoke(fight: Recorder) -> None:
    """The gunman disappears in it, and is shot at badly."""
    fight.act("pim", "drop-item", item="taser-pistol")
    reach = {"distance": 9, "victim_1": {"blast_distance": 1}}
    fight.act("pim", "throw-grenade", item="grenade-smoke", others=["gunman"], situation=reach)


def tor_shoots(fight: Recorder) -> None:
    """He gets up, and rolls a miss again by his Gunlink."""
    fight.act("tor", "stand-up")
    aimed = at(14, target={"cover": "half"})
    reroll = {"gunlink-reroll": "reroll"}
    fight.act("tor", "ranged-attack", reroll, item="automatic-rifle", target="boss", situation=aimed)
    fight.next("pim", "dov", "tor")


def bruiser_goes_for_pim(fight: Recorder) -> None:
    """Dov screens her: an opposed check says whom the blades strike at."""
    fight.act(
        "bruiser", "melee-attack", item="bruiser-body-blades-1", target="pim", others=["dov"], situation=NEAR
    )


def boss_turns_on_pim(fight: Recorder) -> None:
    """Enhanced Reflexes give a second Main Action. Dov is in the way."""
    fight.act("boss", "enhanced-reflexes")
    fight.act("boss", "ranged-attack", item="heavy-pistol", target="pim", situation=at(6))
    fight.act("boss", "melee-attack", item="commander-body-blades-2", target="dov", situation=NEAR)
    view = fight.table.view()
    fight.next(*view["acting"])


def slugs(fight: Recorder, who: str) -> set[str]:
    """The conditions that somebody is in."""
    [one] = [one for one in fight.table.view()["combatants"] if one["id"] == who]
    return {each["slug"] for each in one["conditions"]}


def somebody_is_down(fight: Recorder) -> None:
    """Dov is dying. Tor keeps the boss busy, who is lucky; Pim is beside him with a patch."""
    assert "mortally-wounded" in slugs(fight, "dov")
    fight.refused("dov", "run")
    lucky = {"veterans-luck": "use"}
    fight.act("tor", "ranged-attack", lucky, item="automatic-rifle", target="boss", situation=at(14))
    fight.act("pim", "apply-trauma-patch", item="trauma-patch", target="dov")
    assert "stabilized" in slugs(fight, "dov")
    fight.next("pim", "tor")


def gang_answers(fight: Recorder) -> None:
    """The boss defends himself, which is all he does; the others shoot at Tor."""
    fight.act("boss", "total-defense")
    fight.refused("boss", "ranged-attack", item="heavy-pistol", target="pim", situation=at(6))
    fight.act("gunman", "ranged-attack", item="trained-combat-rifle", target="tor", situation=at(15))
    fight.act("bruiser", "ranged-attack", item="heavy-pistol", target="tor", situation=at(9))
    fight.next("boss", "gunman", "bruiser")


def tor_ends_it(fight: Recorder) -> None:
    burst = at(14, attack={"burst": True})
    fight.refused("tor", "ranged-attack", item="automatic-rifle", target="gunman", situation=burst)
    fight.act("tor", "ranged-attack", item="automatic-rifle", target="gunman", situation=at(14))
    fight.act("pim", "go-prone")
    fight.next("pim", "tor")


def gang_gives_up(fight: Recorder) -> None:
    """The gunman is dead: that is a reason to think again."""
    assert "dead" in slugs(fight, "gunman")
    fight.act("bruiser", "run")
    fight.act("boss", "check-morale")
    fight.next("boss", "bruiser")


ROUNDS = [
    [tor_suppresses, pim_holds, dov_charges, pim_is_quicker, gunman_fires_a_burst, boss_and_bruiser_swarm],
    [dov_strikes_back, pim_throws_smoke, tor_shoots, bruiser_goes_for_pim, boss_turns_on_pim],
    [somebody_is_down, gang_answers],
    [tor_ends_it, gang_gives_up],
]


def main() -> None:
    fight = Recorder(int(sys.argv[1]), ENCOUNTER, PLAYERS, SEED)
    cast(fight)
    fight.play(ROUNDS, ("hp", "soak"))
    fight.write(FOLDER / "cwn-streetfight.jsonl")


if __name__ == "__main__":
    main()

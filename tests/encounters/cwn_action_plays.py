"""How each action of the packs of Cities Without Number is played once: what somebody needs for it, and what the
command says.

`me` has many things and acts first, with `friend`; `foe` is on the other side, `drone` and `car` are machines of the
own one. An action that needs nothing has an empty line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Fields = Mapping[str, Any]


class Play(NamedTuple):
    """One play of an action.

    Attributes:
        item: the thing that is Readied, alone; "": all is Stowed. With `names_item` the command names it.
        state: more that is known of it.
        said: more of the command.
        fields: of the sheet of `me`.
        conditions: those that `me` is in; `bonds`: those towards `whom`, who gets into their counterparts.
        whom: whom it concerns; `whom_fields` are of the sheet, `on_whom` and `whom_bonds` (towards `me`) conditions.
        target: whom it is done to, "" for nobody; None: `whom` if the procedure has somebody for it.
        before: actions that `me` takes first, each with what its command says.
        out_of_turn: it is played in the slot of `foe`.
        npc: `me` is nobody's character.
        actor: who takes it, in place of `me`.
    """

    item: str = ""
    state: Fields = {}
    said: Fields = {}
    fields: Fields = {}
    conditions: Sequence[str] = ()
    bonds: Sequence[str] = ()
    whom: str = "foe"
    whom_fields: Fields = {}
    on_whom: Sequence[str] = ()
    whom_bonds: Sequence[str] = ()
    target: str | None = None
    before: Sequence[tuple[str, Fields]] = ()
    out_of_turn: bool = False
    names_item: bool = False
    npc: bool = False
    actor: str = "me"


GUN, RIFLE, BLADE, KNIFE, BOW, FISTS, FRAG = (
    "heavy-pistol",
    "combat-rifle",
    "sword",
    "knife",
    "advanced-bow",
    "unarmed",
    "grenade-frag",
)
AT_5 = {"situation": {"distance": 5}}
AT_PLACE = {"others": ["foe"], "situation": {"distance": 8}}
RUN_UP = {"situation": {"distance": 1, "attack": {"charge_distance": 8}}}
SWARM = [("swarm-attack", {"target": "foe"})]
HACK = {"situation": {"hack": {"verb": "glitch"}, "distance": 5}}
GUNNER = {"whom": "car", "bonds": ["at-the-gun"]}
DRONE = {"whom": "drone", "bonds": ["controlling"]}
FALLEN = {"whom": "friend", "whom_fields": {"hp": 0}, "on_whom": ["mortally-wounded"]}
UNLOADED = {"rounds": 0, "spare_magazines": 1}
STOWED = {"ready": False}
LYING = {"ready": False, "dropped": True}


def implants(*slugs: str, **more: Any) -> Fields:
    return {"augmentations": list(slugs), **more}


def foci(**levels: int) -> Fields:
    return {"foci": {name.replace("_", "-"): level for name, level in levels.items()}}


PLAYS: Mapping[str, Play] = {
    # Attacks
    "melee-attack": Play(BLADE),
    "further-attack": Play(BLADE, fields={"attacks": 2}, before=[("melee-attack", {"target": "foe"})]),
    "ranged-attack": Play(GUN, said=AT_5),
    "snap-attack": Play(GUN, said=AT_5, out_of_turn=True),
    "swarm-attack": Play(BLADE, target="foe"),
    "strike-as-swarm": Play(BLADE, before=SWARM),
    "charge": Play(BLADE, said=RUN_UP),
    "free-attack": Play(BLADE, whom_bonds=["left-melee"], out_of_turn=True),
    "attack-after-kill": Play(BLADE, fields=foci(whirlwind_assault=2), conditions=["has-killed"]),
    "shove": Play(BLADE),
    "whirlwind-assault": Play(BLADE, fields=foci(whirlwind_assault=1)),
    # Places and postures
    "screen-ally": Play(whom="friend", target="friend"),
    "total-defense": Play(out_of_turn=True),
    "total-defense-before-the-roll": Play(out_of_turn=True),
    "run": Play(),
    "swift-move": Play(fields=implants("enhanced-reflexes-2"), conditions=["reflexes-boosted"]),
    "fighting-withdrawal": Play(bonds=["engaged"], whom="foe"),
    "fighting-withdrawal-on-turn": Play(bonds=["engaged"], fields={"edges": ["ghost"]}),
    "ghost-move": Play(fields={"edges": ["ghost"]}),
    "stand-up": Play(conditions=["prone"]),
    "go-prone": Play(),
    "hold-action": Play(),
    "enter-cloud": Play(),
    "leave-cloud": Play(conditions=["concealed"]),
    # Things
    "ready-stow": Play(BLADE, STOWED),
    "stow": Play(BLADE),
    "ready-melee-weapon-instant": Play(BLADE, STOWED, fields=foci(armsmaster=1), names_item=True),
    "ready-ranged-weapon-instant": Play(GUN, STOWED, fields=foci(deadeye=1), names_item=True),
    "sheathe": Play(BLADE),
    "reload": Play(GUN, UNLOADED),
    "reload-quick": Play(BOW, UNLOADED),
    "reload-on-turn": Play(BOW, UNLOADED),
    "reload-deadeye": Play(GUN, UNLOADED, fields=foci(deadeye=2)),
    "drop-item": Play(BLADE),
    "pick-up": Play(BLADE, LYING),
    "break-bundle": Play(),
    "reel-in": Play(KNIFE, LYING, said={"situation": {"weapon": {"mods": ["reel-wires"]}}}),
    "use-shock-burst": Play(),
    "heat-blade": Play(BLADE, said={"situation": {"weapon": {"mods": ["thermal-charge"]}}}),
    # Grapples
    "grapple": Play(FISTS),
    "release-grapple": Play(bonds=["grappling"]),
    "escape-grapple": Play(whom_bonds=["grappling"]),
    "drag-grappled": Play(bonds=["grappling"]),
    # Whatever else
    "improvise": Play(),
    "improvise-move": Play(),
    "improvise-main": Play(),
    "say-something": Play(),
    # Edges and implants
    "operators-fortune": Play(fields={"edges": ["operators-fortune"]}),
    "enhanced-reflexes": Play(fields=implants("enhanced-reflexes-1")),
    "enhanced-reflexes-instant": Play(fields=implants("enhanced-reflexes-2"), out_of_turn=True),
    "steady-snap": Play(fields=implants("reaction-booster-1")),
    "shock-fists": Play(fields=implants("shock-fists")),
    "zombie-wires": Play(fields=implants("zombie-wires", hp=0), conditions=["mortally-wounded"]),
    "veterans-luck": Play(fields={"veterans_luck": True}),
    "gunlink-reroll": Play(fields={**implants("gunlink"), "gunlink_rerolls": 1, "cyberware": ["gunlink"]}),
    "correct-trajectory": Play(fields=implants("trajectory-optimization-node")),
    "catch-bullet": Play(fields=implants("iron-hand-aegis"), out_of_turn=True),
    "seal-armor": Play(),
    # Areas
    "throw-grenade": Play(FRAG, said=AT_PLACE, target=""),
    "suppressive-fire": Play(
        "automatic-rifle", said={"others": ["friend"], "situation": {"fire": {"mounts": ["support"]}}}
    ),
    "shoot-at-a-point": Play(
        "grenade-launcher",
        said={"others": ["foe"], "situation": {"distance": 30, "aim": "point", "blast": {"like": FRAG}}},
        target="",
    ),
    "fire-rocket": Play("rocket-launcher", said={"others": ["friend"], "situation": {"distance": 30}}),
    "aim-headshot-pod": Play("headshot-pod"),
    "fire-headshot-pod": Play(
        "headshot-pod",
        said={"others": ["foe"], "situation": {"distance": 30, "aim": "point"}},
        conditions=["pod-aimed", "pod-aimed"],
        target="",
    ),
    "set-charge": Play("demo-charge", target=""),
    "set-off-charge": Play("demo-charge", said={"others": ["foe"]}, target=""),
    "charge-goes-off": Play("demo-charge", said={"others": ["foe"]}, target=""),
    "mine-goes-off": Play("mine-anti-personnel", said={"others": ["foe"]}, target=""),
    "retribution-shield": Play(said={"others": ["foe"]}, fields=implants("retribution-shield"), target=""),
    "banshee-scream": Play(said={"others": ["foe"]}, fields=implants("banshee-module"), target=""),
    "dazzle": Play(fields=implants("eye-dazzler")),
    "suicide-charge": Play(said={"others": ["foe"]}, target=""),
    # Grapples that go on, and what takes a minute
    "grapple-damage": Play(FISTS, bonds=["grappling"]),
    "sharkskin-shock": Play(bonds=["grappling"], fields=implants("sharkskin-electrodes")),
    "sharkskin-shock-held": Play(whom_bonds=["grappling"], fields=implants("sharkskin-electrodes")),
    "execution-attack": Play(GUN, said=AT_5, on_whom=["surprised"]),
    # Drones and vehicles
    "grab-drone": Play(FISTS, whom="drone"),
    "ram": Play(whom="car", bonds=["driving"], target="foe"),
    "deploy-drone": Play(),
    "take-control-of-drone": Play(target="drone"),
    "release-drone": Play(**DRONE),
    "drone-attack": Play(said=AT_5, **DRONE, target="foe"),
    "move-drone": Play(**DRONE, target="drone"),
    "assume-command": Play(fields=foci(drone_pilot=2), target="drone"),
    "urge-drone": Play(**DRONE, fields=foci(drone_pilot=2)),
    "drive": Play(whom="car", bonds=["driving"], target="car"),
    "drive-jacked-in": Play(whom="car", bonds=["driving"], target="car"),
    "get-aboard": Play(target="car"),
    "take-the-wheel": Play(target="car"),
    "man-the-gun": Play(target="car"),
    "get-out": Play(whom="car", bonds=["aboard"]),
    "fire-mounted-gun": Play(**GUNNER, said=AT_5, target="foe"),
    "fire-another-gun": Play(
        **GUNNER,
        said=AT_5,
        target="foe",
        before=[("fire-mounted-gun", {"target": "foe", "item": "mounted-autogun", **AT_5})],
        whom_fields={"vehicle_fittings": ["targeting-board"]},
    ),
    "suppress-with-mounted-gun": Play(**GUNNER, said={"others": ["foe"]}, target=""),
    "fire-tank-gun": Play(**GUNNER, said=AT_PLACE, target=""),
    "reload-mounted-gun": Play(
        **GUNNER,
        before=[("fire-mounted-gun", {"target": "foe", **AT_5})],
        conditions=["reflexes-boosted"],
    ),
    "drone-fires-alone": Play(actor="drone", said=AT_5),
    "stop-vehicle": Play(whom="car", bonds=["driving"]),
    "lose-control": Play(actor="car", whom="me", whom_bonds=["driving"], target=""),
    "crash": Play(actor="car", whom="me", whom_bonds=["aboard"], target=""),
    "vehicle-is-destroyed": Play(
        actor="car",
        said={"situation": {"vehicle": {"wreck_damage": 12}}},
        fields={"hp": 0},
        conditions=["wrecked"],
        whom="me",
        whom_bonds=["aboard"],
        target="",
    ),
    # Hacking
    "use-skill": Play(),
    "run-program": Play(said=HACK),
    "trade-move-for-hacking": Play(),
    "end-program": Play(),
    "jack-in": Play(),
    "jack-out": Play(conditions=["jacked-in"]),
    "command-hijacked-device": Play(bonds=["hijacking"], whom="drone", target="drone"),
    "stun-avatar": Play(said={"situation": {}}),
    "kill-avatar": Play(said={"situation": {}}),
    "paralyze-avatar": Play(said={"situation": {}}),
    "be-unplugged": Play(conditions=["jacked-in"]),
    "reboot-device": Play(actor="drone", conditions=["shut-down"]),
    "reboot": Play(conditions=["deactivated"]),
    # Checks
    "make-check": Play(said={"situation": {"check": {"skills": ["notice"], "attributes": ["wisdom"]}}}),
    "make-save": Play(said={"situation": {"save": {"kind": "luck"}}}),
    "sneak-up": Play(),
    "chase-on-foot": Play(said={"situation": {"chase": {"head_start": "none"}}}),
    "chase-in-vehicle": Play(said={"situation": {"chase": {"spotter": True}}}),
    "check-morale": Play(npc=True, fields={"morale": 8}),
    "meet-strangers": Play(),
    # Injury and healing
    "roll-major-injury": Play(fields={"hp": 0}, conditions=["mortally-wounded", "traumatic-hit"]),
    "stabilize": Play(**FALLEN),
    "stabilize-without-medkit": Play(**FALLEN),
    "stabilize-on-turn": Play(
        **FALLEN, fields=foci(healer=1), said={"situation": {"stabilizing": {"medkit": True}}}
    ),
    "apply-trauma-patch": Play(**FALLEN),
    "stabilize-by-drone": Play(**FALLEN),
    "biostabilize": Play(fields={"hp": 0}, conditions=["mortally-wounded"], target=""),
    "emergency-stabilization": Play(
        fields=implants("emergency-stabilization-factor", hp=0), conditions=["mortally-wounded"], target=""
    ),
    "first-aid": Play(whom="friend"),
    "first-aid-with-panacea": Play(whom="friend"),
    "give-lurch": Play(target=""),
    "treat-all": Play(whom="friend", fields=foci(healer=2)),
    "repair-body": Play(
        whom="friend",
        whom_fields={**implants("full-body-conversion"), "hp": 40},
        said={"situation": {"aid": {"points": 12}}},
    ),
    "revive": Play(fields=implants("skull-citadel", hp=0), conditions=["dead"]),
    "spare-strain": Play(fields={"system_strain": 2}),
    "nights-rest": Play(),
    "treat-frailty": Play(whom="friend", on_whom=["frail"]),
    "nurse-the-frail": Play(whom="friend", on_whom=["frail"]),
    "lie-unattended": Play(conditions=["frail"], target=""),
    # Drugs and poison
    "use-drug": Play(said={"situation": {"drug": "boneshaker"}}, target=""),
    "drug-wears-off": Play(
        said={"situation": {"drug": {"use": "olympus"}}}, conditions=["on-olympus"], target=""
    ),
    "be-poisoned": Play(said={"situation": {"drug": "hellbender"}}, target=""),
    "suffer-poison": Play(said={"situation": {"drug": "hellbender"}}, target=""),
}

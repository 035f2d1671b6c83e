"""How each action of the packs of Shadowrun 5 is played once: what it takes, and what the command says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sr5_board import PERSON, SKILLS

MORE_SKILLS = {"longarms": 4, "archery": 4, "throwing-weapons": 4, "heavy-weapons": 4, "clubs": 4}
MORE_SKILLS |= {"spellcasting": 5, "summoning": 4, "banishing": 4, "counterspelling": 4, "astral-combat": 4}
MORE_SKILLS |= {
    "cybercombat": 5,
    "hacking": 4,
    "computer": 4,
    "electronic-warfare": 3,
    "software": 3,
    "hardware": 3,
}
MORE_SKILLS |= {"first-aid": 5, "gunnery": 3, "perception": 3, "exotic-ranged-weapon": 3}
SOMEBODY: Mapping[str, Any] = {
    **PERSON,
    "skills": {**SKILLS, **MORE_SKILLS},
    "essence": 6,
    "magic": 6,
    "awakened": "magician",
    "initiate_grade": 2,
    "initiative_dice": 3,
    "data_processing": 5,
    "firewall": 4,
    "interface": "ar",
    "dni": True,
    "smartlink": "implanted",
}
"""Who can do everything."""
WEAPONS = ("ares-alpha", "ares-predator-v", "katana", "knife", "bow-4", "throwing-knife", "remington-950")
WEAPONS += ("grenade-fragmentation", "armtech-mgl-12", "ruger-super-warhawk", "ingram-valiant")


class Play(NamedTuple):
    """One play of an action.

    Attributes:
        item: the thing that is in hand; "" for all as at first.
        state: of that thing; `away`: it is not in hand.
        said: more of the command, such as its situation.
        fields: of the sheet of who acts; `of_foe` the same of the target.
        conditions: those that who acts is in; `on_foe` those of the target.
        before: actions that who acts takes first, with what their commands say.
        world: where his bonus actions are.
        due: it happens when its time has come.
        friend: it is done to one's own side.
        others: further people belong to it.
        alone: nobody is its target, though it could have one.
    """

    item: str = ""
    state: Mapping[str, Any] = {}
    away: bool = False
    said: Mapping[str, Any] = {}
    fields: Mapping[str, Any] = {}
    of_foe: Mapping[str, Any] = {}
    conditions: Sequence[str] = ()
    on_foe: Sequence[str] = ()
    before: Sequence[tuple[str, Mapping[str, Any]]] = ()
    world: str = "physical"
    due: bool = False
    friend: bool = False
    others: bool = False
    alone: bool = False


SHOT: Mapping[str, Any] = {"situation": {"distance": 6}}
VOLLEY: Mapping[str, Any] = {"situation": {"distance": 6, "fire": {"mode": "burst"}}}
AT_SPOT = {"target": {"spot_distance": 0}, "target_2": {"spot_distance": 3, "bearing": 90}}
THROW: Mapping[str, Any] = {"situation": {"distance": 6, **AT_SPOT}}
LYING = {"target": {"blast_distance": 2}, "target_2": {"blast_distance": 5}}
SPIKE = {"attacker": {"attack": 5}, "target": {"device_rating": 3, "firewall": 3, "device_damage": 0}}
FIRE = {"attacker": {"suppression": 3}, "weapon": {"use": "ingram-valiant"}}
MAGE = {"caster": {"drain_attribute": "logic"}}
HURT: Mapping[str, Any] = {"physical": 6, "stun": 3}
BURST: Mapping[str, Any] = {"situation": {"distance": 6, "fire": {"mode": "burst"}}}
DRIVEN: Mapping[str, Any] = {"situation": {"tester": {"handling": 4}, "threshold": 2}}
RAMMED: Mapping[str, Any] = {"situation": {"impact_speed": 30, "attacker": {"pool": 6, "handling": 4}}}
RIGGER: Mapping[str, Any] = {"interface": "hot-sim", "data_processing": 5, "firewall": 3}
TECHNO: Mapping[str, Any] = {"technomancer": True, "resonance": 5}
DECK: Mapping[str, Any] = {
    **dict.fromkeys(("attack", "sleaze", "data_processing", "firewall"), 5),
    "device_rating": 3,
    "interface": "ar",
    "device_damage": 0,
}
ONLINE = Play(world="matrix", fields=DECK, of_foe=DECK)
OWNED = ONLINE._replace(on_foe=("marked-thrice",))
BOMB = OWNED._replace(said={"situation": {"rating": 3}})
PLAYS: Mapping[str, Play] = {
    # Technomancers, toxins
    "compile-sprite": Play(fields=TECHNO, said={"situation": {"force": 3}}),
    "decompile-sprite": Play(fields=TECHNO, said={"situation": {"target": {"force": 3}}}),
    "thread-complex-form": Play(
        fields=TECHNO, of_foe=DECK, said={"situation": {"act": "resonance-spike", "force": 3}}
    ),
    "erase-matrix-signature": Play(
        world="matrix", fields={**DECK, **TECHNO}, said={"situation": {"rating": 3}}, alone=True
    ),
    "kill-complex-form": Play(
        world="matrix",
        fields=TECHNO,
        said={
            "situation": {
                "act": "infusion-of-firewall",
                "force": 3,
                "maker": {"resonance": 4},
                "target": {"spell_hits": 2},
            }
        },
        on_foe=("infused",),
    ),
    "resist-toxin": Play(said={"situation": {"toxin": "pepper-punch"}}),
    # Spirits and spells
    "cast-spell": Play(said={"situation": {"act": "confusion", "force": 3, **MAGE}}, world="magic"),
    "use-power": Play(fields={"force": 4}, said={"situation": {"act": "confusion"}}, world="magic"),
    "regenerate": Play(fields={"force": 4, "physical": 3}),
    "dispel": Play(
        said={
            "situation": {
                "act": "confusion",
                "force": 3,
                "maker": {"magic": 4},
                "target": {"spell_hits": 2},
                **MAGE,
            }
        },
        on_foe=("confused",),
        world="magic",
    ),
    "break-control": Play(
        conditions=("controlled",),
        said={"situation": {"act": "control-actions", "caster": {"spell_hits": 2, "spell_force": 5}}},
    ),
    "press-through-barrier": Play(world="magic", said={"situation": {"rating": 3}}),
    "boost-attribute": Play(
        fields={"awakened": "adept"}, said={"situation": {"act": "boost-strength", "force": 2}}, world="magic"
    ),
    "break-loose": Play(conditions=("stuck",)),
    "escape-hold": Play(conditions=("held",)),
    "break-out": Play(conditions=("engulfed",)),
    "drop-a-spell": Play(conditions=("sustaining",), world="magic"),
    # Machines
    "fire-mounted-weapon": Play("ares-alpha", said=BURST, world="matrix", fields={"vehicle": True}),
    **dict.fromkeys(("make-vehicle-test", "chase"), Play(world="matrix", said=DRIVEN)),
    "drive-and-fire": Play(fields={"pilot": 3, "vehicle": True}),
    "use-sensors": Play(world="matrix", said={"situation": {"tester": {"sensor": 3}}}),
    "ram": Play(world="matrix", said=RAMMED),
    "be-aboard-a-crash": Play(said={"situation": {"damage": {"value": 6}}}),
    "feel-the-machine": Play(fields=RIGGER, said={"situation": {"damage": {"felt": 5}}}),
    # The Matrix
    **dict.fromkeys(("brute-force", "hack-on-the-fly", "erase-mark", "hide-icon", "jam-signals"), ONLINE),
    **dict.fromkeys(
        ("check-overwatch-score", "matrix-perception", "compensate-for-noise", "jack-out"), ONLINE
    ),
    **dict.fromkeys(("control-device-free", "control-device-simple", "control-device-complex"), OWNED),
    **dict.fromkeys(("crash-program", "edit-file", "set-data-bomb", "format-device", "reboot-device"), OWNED),
    **dict.fromkeys(("snoop", "spoof-command", "trace-icon"), OWNED),
    "jump-into-device": OWNED._replace(of_foe={**OWNED.of_foe, "vehicle": True}),
    **dict.fromkeys(("crack-file", "disarm-data-bomb"), BOMB),
    "stop-running-silent": ONLINE._replace(conditions=("running-silent",)),
    "leave-host": ONLINE._replace(conditions=("in-host",)),
    "go-online": ONLINE._replace(conditions=("offline",)),
    "converge": Play(fields=DECK),
    "ic-attack": ONLINE._replace(
        fields={**DECK, "nature": "ic", "initiative": 12}, said={"situation": {"act": "killer"}}
    ),
    **dict.fromkeys(
        ("sound-the-alarm", "launch-ic"),
        Play(fields={**DECK, "nature": "ic", "ic": "patrol", "initiative": 12}),
    ),
    # What the packs do by themselves
    "bleed": Play(fields={"physical": 10}, conditions=("dying", "unconscious")),
    "first-aid": Play(of_foe=HURT, friend=True),
    "stabilize": Play(of_foe={"physical": 10}, on_foe=("dying", "unconscious"), friend=True),
    "cast-combat-spell": Play(
        said={"situation": {"spell": "lightning-bolt", "force": 4, **MAGE}},
        world="magic",
    ),
    # Things
    "drop-object": Play("knife"),
    "pick-up-put-down": Play("knife", {"dropped": True}, away=True),
    "eject-smartgun-clip": Play("ares-predator-v"),
    "eject-smartgun-clip-by-hand": Play("ares-predator-v"),
    "remove-clip": Play("ares-alpha"),
    "remove-clip-dni": Play("ares-predator-v"),
    "insert-clip": Play("ares-alpha", {"rounds": 0, "loaded": False}),
    "reload-firearm": Play("ruger-super-warhawk", {"rounds": 0}),
    "nock-arrow": Play("bow-4", {"rounds": 0}),
    "ready-quick-pistol": Play("ares-predator-v", away=True),
    "ready-small-weapon": Play("knife", away=True),
    "ready-large-weapon": Play("ares-alpha", away=True),
    "ready-sword": Play("katana", away=True),
    # Attacks
    "take-aim": Play("ares-alpha"),
    "throw-weapon": Play("throwing-knife", said=SHOT),
    "throw-grenade": Play("grenade-fragmentation", said=THROW, others=True),
    "throw-fused-grenade": Play("grenade-fragmentation", said=SHOT, alone=True),
    "grenade-goes-off": Play(
        "grenade-fragmentation",
        said={"item": "grenade-fragmentation", "situation": LYING},
        before=[("throw-fused-grenade", SHOT)],
        due=True,
        others=True,
    ),
    "fire-launcher": Play(
        "armtech-mgl-12",
        said={"situation": {"distance": 30, "load": "grenade-high-explosive", **AT_SPOT}},
        others=True,
    ),
    "fire-bow": Play("bow-4", {"rounds": 1}, said=SHOT),
    "load-and-fire-bow": Play("bow-4", {"rounds": 1}, said=SHOT),
    "fire-single-shot": Play("remington-950", said=SHOT),
    "fire-semi-automatic": Play("ares-predator-v", said=SHOT),
    "fire-semi-automatic-burst": Play("ares-predator-v", said=SHOT),
    **dict.fromkeys(("fire-burst", "fire-long-burst"), Play("ares-alpha", said=SHOT)),
    **dict.fromkeys(("fire-full-automatic", "fire-long-full-automatic"), Play("ares-alpha", said=SHOT)),
    "suppressive-fire": Play("ingram-valiant", said=SHOT),
    **dict.fromkeys(
        ("enter-suppressed-zone", "cross-suppressed-zone", "leave-suppressed-zone"),
        Play(said={"situation": FIRE}, conditions=("suppressed",), on_foe=("suppressing",)),
    ),
    **dict.fromkeys(
        (
            "call-sprite",
            "command-sprite",
            "register-sprite",
        ),
        Play(fields={"technomancer": True}),
    ),
    "multiple-attacks-ranged": Play("ares-alpha", said=VOLLEY, others=True),
    "carnival-of-carnage-ranged": Play("ares-alpha", said=VOLLEY, others=True),
    **dict.fromkeys(("melee-attack", "intercept"), Play("katana")),
    "multiple-attacks-melee": Play("katana", others=True),
    "carnival-of-carnage-melee": Play("katana", others=True),
    "parry": Play("katana"),
    "leave-melee": Play(conditions=("in-melee",)),
    "stand-up": Play(conditions=("prone",)),
    "dead-mans-trigger": Play(fields={"physical": 10}, conditions=("dying", "unconscious")),
    **dict.fromkeys(("take-drug", "be-drugged"), Play(said={"situation": {"drug": "jazz"}})),
    # Other worlds
    "summon": Play(said={"situation": {"force": 3, **MAGE}}, world="magic"),
    "banish-spirit": Play(said={"situation": {"target": {"force": 3}, **MAGE}}, world="magic"),
    **dict.fromkeys(("spell-defense", "defend-against-spell", "assense"), Play(world="magic")),
    **dict.fromkeys(("astral-attack", "astral-attack-physical"), Play(world="magic")),
    "data-spike": Play(said={"situation": SPIKE}, world="matrix"),
    "enter-cold-sim": Play(fields={"data_processing": 5}),
    "enter-hot-sim": Play(fields={"data_processing": 5}),
    "control-vehicle": Play(fields={"interface": "hot-sim", "data_processing": 5}, world="matrix"),
    "be-dumped": Play(fields={"interface": "hot-sim", "data_processing": 5, "firewall": 3}),
    "control-vehicle-jumped-in": Play(conditions=("jumped-in",), world="matrix"),
}
"""Actions of which nothing stands here take nothing."""

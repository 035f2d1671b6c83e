"""How each action of the packs of Shadowrun 4 is played once: what somebody needs for it, and what the command says.

`me` has many weapons and acts, `foe` stands before him, `friend` beside. An action that is not named here is played as
it is, at `foe` if its procedure has a target.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Fields = Mapping[str, Any]


class Play(NamedTuple):
    """One play of an action.

    Attributes:
        item: the weapon that is in the hand, alone; "": all is put away.
        state: more that is known of it.
        second: another weapon in the hand, said as `second_item`.
        said: more of the command.
        fields: of the sheet of `me`; `foe`: of that of `foe`.
        conditions: those that `me` is in; `on_foe`: those that `foe` is in.
        target: whom it is done to, "" for nobody; None: `foe` if the procedure has somebody for it.
        before: actions that `me` takes first, each with what its command says.
        due: it is played when a timer has run down that one of `before` has set.
        out_of_turn: it is played in the Action Phase of `foe`.
    """

    item: str = ""
    state: Fields = {}
    second: str = ""
    said: Fields = {}
    fields: Fields = {}
    foe: Fields = {}
    conditions: Sequence[str] = ()
    on_foe: Sequence[str] = ()
    target: str | None = None
    before: Sequence[tuple[str, Fields]] = ()
    due: bool = False
    out_of_turn: bool = False


def _shot(weapon: str, distance: int = 4, **more: Any) -> Play:
    return Play(weapon, said={"situation": {"distance": distance, **more}})


def _burst(weapon: str) -> Play:
    return _shot(weapon, fire={"spread": "narrow"})


PISTOL, RIFLE, SHOTGUN, BLADE = "ares-predator-iv", "ak-97", "mossberg-am-cmdt", "katana"
OTHER_PISTOL, GRENADE, SPELL = "colt-america-l36", "fragmentation-grenade", "stunbolt"
NEAR = {"distance": 4}
PLACE = {"distance": 15}
AWAY = {"ready": False}
SEMI_AUTOMATIC = {"mode": "semi-automatic"}
WARHEAD = {"weapon": {"ammunition": "high-explosive-grenade"}}
WALL = {"barrier": {"material": "average"}}
"""What barrier attacks strike that are not at somebody."""

CAR = {"vehicle": True, "vehicle_armor": 6, "vehicle_skill": 3}
DRONE = {"vehicle": True, "vehicle_armor": 6, "control": "pilot", "pilot": 3, "sensor": 3, "body": 3}
_PROGRAMS = (
    "analyze armor attack black-hammer blackout command decrypt defuse edit encrypt exploit medic scan sniffer spoof "
    "stealth track"
)
ICON = {
    **dict.fromkeys(("response", "signal", "system", "firewall"), 4),
    "programs": dict.fromkeys(_PROGRAMS.split(), 4),
}
"""What a hacker has, and whoever they meet in the Matrix."""


def _hack(
    fields: Fields = ICON,
    conditions: Sequence[str] = (),
    foe: Fields = ICON,
    on_foe: Sequence[str] = (),
    target: str | None = None,
) -> Play:
    """An action in hot sim, against somebody in hot sim."""
    mine, theirs = ["in-hot-sim", *conditions], ["in-hot-sim", *on_foe]
    return Play(fields=fields, foe=foe, conditions=mine, on_foe=theirs, target=target)


SPIRIT = {"force": 4, "by_force": {"body": 1}}

PLAYS: Mapping[str, Play] = {
    # Firing
    "fire-single-shot": _shot("ruger-super-warhawk"),
    "fire-semi-automatic": _shot(PISTOL),
    "fire-short-burst": _burst(RIFLE),
    "fire-long-burst": _burst(RIFLE),
    "fire-full-burst": _burst(RIFLE),
    "throw-weapon": _shot("shuriken"),
    "throw-grenade": Play(GRENADE, said={"situation": PLACE}),
    "throw-fused-grenade": Play(GRENADE, said={"situation": PLACE}),
    "set-charge": Play(GRENADE, said={"situation": PLACE}),
    "take-aim": Play(PISTOL),
    "line-up-magnification": Play("ranger-arms-sm-4"),
    "melee-attack": Play(BLADE),
    "knockdown-attack": Play(BLADE),
    # Weapons in the hand
    "change-gun-mode": Play(RIFLE),
    "change-choke": Play(SHOTGUN),
    "change-smartgun-mode": Play(RIFLE),
    "change-smartgun-choke": Play(SHOTGUN),
    "remove-clip": Play(PISTOL),
    "eject-smartgun-clip": Play(PISTOL),
    "insert-clip": Play(PISTOL, {"rounds": 0, "loaded": False, "spare_clips": 1}),
    "reload-firearm": Play("ruger-super-warhawk", {"rounds": 0}),
    "reload-speed-loader": Play("ruger-super-warhawk", {"rounds": 0, "speed_loaders": 1}),
    "ready-weapon": Play(BLADE, {"ready": False}),
    "ready-throwing-weapons": Play("shuriken", {"ready": False}, said={"item": "shuriken"}),
    "stow-weapon": Play(BLADE),
    "drop-object": Play(BLADE, second=PISTOL),
    "put-down-object": Play(BLADE),
    "pick-up-object": Play(BLADE, {"ready": False, "dropped": True}),
    "full-parry": Play(BLADE),
    # Several targets, two weapons, barriers
    "split-full-burst": Play(
        RIFLE,
        said={
            "others": ["friend"],
            "situation": {
                "distance": 4,
                "apart": 1,
                "fire": {"spread": "narrow"},
                "fire_2": {"spread": "narrow"},
            },
        },
    ),
    "fire-spread": Play(
        SHOTGUN,
        said={"others": ["friend"], "situation": {"distance": 4, "apart": 1, "fire": {"choke": "medium"}}},
    ),
    "fire-two-weapons": Play(
        PISTOL, second=OTHER_PISTOL, said={"situation": {**NEAR, "attacker": {"split_dice": 5}}}
    ),
    "suppressive-fire": Play(RIFLE, said={"situation": NEAR}),
    "suppress-zone": Play(RIFLE, before=[("suppressive-fire", {"target": "foe", "situation": NEAR})]),
    "quick-draw": Play(PISTOL, AWAY, said={"target": "foe", "situation": {**NEAR, "fire": SEMI_AUTOMATIC}}),
    "quick-draw-two": Play(PISTOL, AWAY, said={"second_item": OTHER_PISTOL}),
    "fire-drawn-weapons": Play(
        PISTOL,
        second=OTHER_PISTOL,
        conditions=["quick-drawn"],
        said={"situation": {**NEAR, "attacker": {"split_dice": 5}}},
    ),
    "fire-launcher": Play("ares-antioch-2", said={"situation": {"distance": 30, **WARHEAD}}),
    "shoot-barrier": Play(PISTOL, said={"situation": {**NEAR, "fire": SEMI_AUTOMATIC}}),
    "shoot-barrier-full": Play(RIFLE, said={"situation": {**NEAR, "fire": {"spread": "narrow"}}}),
    "break-barrier": Play(BLADE),
    "explosion-at-barrier": Play(GRENADE, target="", said={"situation": WALL, "item": GRENADE}),
    "fire-mounted-weapon": Play(RIFLE, said={"situation": {**NEAR, "fire": SEMI_AUTOMATIC}}),
    "grenade-goes-off": Play(
        GRENADE,
        before=[("throw-fused-grenade", {"situation": PLACE})],
        due=True,
        target="",
        said={"others": ["friend"], "situation": {"victim_1": {"blast_distance": 3}}},
    ),
    # Melee
    "melee-sweep": Play(BLADE, said={"others": ["friend"]}),
    "intercept": Play(BLADE),
    "leave-melee": Play(conditions=["in-melee"]),
    "hold-hurt": Play(conditions=["holding"]),
    "hold-improve": Play(conditions=["holding"]),
    "keep-hold": Play(conditions=["holding"]),
    "hold-throw-down": Play(conditions=["holding"]),
    "let-go": Play(conditions=["holding"]),
    "escape-hold": Play(conditions=["held"], on_foe=["holding"], foe={"grip": 1}),
    # Magic and worlds
    "cast-spell": Play(fields={"tradition": "hermetic"}, said={"situation": {"spell": SPELL, "force": 3}}),
    "shift-perception-back": Play(conditions=["astral-perception"]),
    "astral-attack": Play(conditions=["astral-perception"], on_foe=["astral-perception"]),
    "return-to-body": Play(conditions=["astral-projection"]),
    "drop-sustained-spell": Play(conditions=["sustaining-spell"]),
    "see-through": Play(on_foe=["invisible"], foe={"invisibility": 2}, fields={"willpower": 3}),
    "break-control": Play(
        fields={"mind_control": 3, "willpower": 3}, conditions=["spell-controlled"], target="foe"
    ),
    "dispel": Play(
        fields={"tradition": "hermetic"},
        on_foe=["sustaining-spell"],
        foe={"magic": 4},
        said={"situation": {"spell": "armor", "force": 3, "hits": 2}},
    ),
    "boost-attribute": Play(
        fields={"powers": ["attribute-boost"], "body": 3, "willpower": 3},
        said={"situation": {"boosts": "agility", "level": 2}},
    ),
    "boost-ends": Play(
        fields={"powers": ["attribute-boost"], "body": 3, "willpower": 3},
        said={"situation": {"boosts": "agility", "level": 2}},
    ),
    "go-berserk": Play(fields={"powers": ["berserk"]}),
    "poltergeist-strikes": Play(target="me"),
    "declare-counterspelling": Play(said={"others": ["friend"]}),
    "summon": Play(fields={"tradition": "hermetic"}, said={"situation": {"force": 3}}),
    "banish": Play(
        fields={"tradition": "hermetic"}, foe={"force": 3, "services": 2, "tradition": "hermetic"}
    ),
    "activate-focus": Play(fields={"power_focus": 2}),
    "deactivate-focus": Play(fields={"power_focus": 2}, conditions=["focus-active"]),
    "enter-cold-sim": Play(fields={"response": 4}),
    "enter-hot-sim": Play(fields={"response": 4}),
    "jump-in-cold": Play(fields={"vehicle_response": 3}),
    "jump-in-hot": Play(fields={"vehicle_response": 3}),
    "leave-virtual-reality": Play(fields={"response": 4}, conditions=["in-cold-sim"]),
    "leave-augmented-reality": Play(conditions=["in-augmented-reality"]),
    "dumpshock": Play(fields={"response": 4}, conditions=["in-hot-sim"]),
    # The Matrix
    "jack-out": Play(fields={"response": 4}, conditions=["in-hot-sim"]),
    "jack-out-jammed": _hack(fields={**ICON, "jam": 3}, conditions=["jammed"]),
    "log-on-again": _hack(conditions=["icon-crashed"], fields={**ICON, "matrix_boxes": 3}, target=""),
    "reboot": Play(fields=ICON),
    **dict.fromkeys(
        ("analyze-icon", "analyze-hidden-icon", "capture-signals", "detect-hidden-node"), _hack()
    ),
    **dict.fromkeys(("track-user", "matrix-attack", "matrix-attack-black-hammer", "decrypt"), _hack()),
    **dict.fromkeys(
        ("matrix-attack-blackout", "crash-program", "disarm-data-bomb", "cut-connection"), _hack()
    ),
    **dict.fromkeys(("hack-on-the-fly", "edit-stream"), _hack()),
    **dict.fromkeys(("full-matrix-defense", "issue-command", "matrix-routine"), _hack(target="")),
    **dict.fromkeys(("crash-node", "intercept-traffic"), _hack(conditions=["logged-on"])),
    "raise-alert": _hack(target="foe"),
    "launch-program": _hack(target="")._replace(said={"situation": {"program": "hunter-4"}}),
    "cut-connection": _hack(on_foe=["under-alert"]),
    "medic": _hack(fields={**ICON, "matrix_boxes": 3}, target=""),
    "load-programs": _hack(conditions=["programs-crashed"], target=""),
    "spoof-drone": _hack(conditions=["access-id"], foe={**ICON, "pilot": 3}),
    "spoof-smartgun-clip": _hack(conditions=["access-id"]),
    "spoof-smartgun-safety": _hack(conditions=["access-id"]),
    "order-smartgun": _hack(conditions=["logged-on"]),
    "crash-smartlink": _hack(conditions=["logged-on"]),
    "spoof-cyberware": _hack(conditions=["access-id"], foe={**ICON, "passes": 3}),
    "keep-editing": _hack(conditions=["editing-stream"], target="foe"),
    "jam-signals": Play(fields=ICON, foe={"signal": 2}, target="foe"),
    **{
        action: Play(fields={**ICON, "smartlink": True}, conditions=[condition])
        for action, condition in {
            "stop-jamming": "jamming-signals",
            "safety-off": "safety-on",
            "relink-smartlink": "smartlink-off",
            "switch-cyberware-on": "reflexes-off",
            "wireless-on": "wireless-off",
        }.items()
    },
    "wireless-off": Play(fields={"smartlink": True}),
    # Damage, and Edge against it
    "burn": Play(fields={"burning_dv": 3}, conditions=["burning"]),
    "put-out": Play(fields={"burning_dv": 3}, conditions=["burning"]),
    "acid-burns": Play(fields={"acid_dv": 3}, conditions=["acid-burning"]),
    "wash-off": Play(fields={"acid_dv": 3}, conditions=["acid-burning"]),
    "bleed": Play(fields={"physical": 10}, conditions=["dying"]),
    "stabilize": Play(target="foe", foe={"physical": 33}, on_foe=["dying"]),
    "stabilize-with-medicine": Play(target="foe", foe={"physical": 33}, on_foe=["dying"]),
    "first-aid": Play(target="foe", foe={"physical": 4}),
    "dead-mans-trigger": Play(fields={"physical": 10}, conditions=["dying"]),
    "escape-death": Play(fields={"physical": 10}, conditions=["dying"]),
    # Spirits and critters
    "use-power": Play(fields={"powers": ["fear"], "willpower": 3}, said={"situation": {"power": "fear"}}),
    "conceal": Play(fields={"powers": ["concealment"]}),
    "guard-ally": Play(fields={"powers": ["guard"]}),
    "drop-powers": Play(conditions=["using-power"]),
    "elemental-attack": Play("fire-attack", said={"situation": NEAR}),
    "engulf": Play(fields={"engulfs": "water"}),
    "let-go-engulfed": Play(conditions=["engulfing"]),
    "escape-engulf": Play(conditions=["engulfed"], on_foe=["engulfing"]),
    "break-binding": Play(conditions=["bound-in-place"]),
    "engulf-harms": Play(
        fields={"engulfed_dv": 4, "engulfed_by": "water"}, conditions=["engulfed"], target=""
    ),
    "aura-backlash": Play(
        fields={"scorched_dv": 4, "scorched_by": "fire"}, conditions=["scorched"], target=""
    ),
    "materialize": Play(fields=SPIRIT, conditions=["dematerialized"]),
    "become-mist": Play(fields={"powers": ["mist-form"]}),
    "become-solid": Play(conditions=["mist-form"]),
    "dematerialize": Play(fields=SPIRIT),
    "manifest": Play(fields=SPIRIT, conditions=["dematerialized"]),
    "order-spirit": Play(foe={"force": 3, "services": 2}, said={"situation": {"order": "fight"}}),
    "regenerate": Play(fields={"powers": ["regeneration"], "physical": 3}),
    # Toxins and drugs
    "shoot-dart": Play("parashield-dart-pistol", said={"situation": {**NEAR, "toxin": "narcoject"}}),
    "toxin-works": Play(target="", said={"situation": {"toxin": "narcoject"}}),
    "take-drug": Play(target="", said={"situation": {"drug": "jazz"}}),
    "drug-crash": Play(target="", said={"situation": {"drug": "jazz", "minutes": 30}}),
    # Machines
    "take-the-wheel": Play(foe=CAR, target="foe"),
    "command-machine": Play(foe=CAR, target="foe", fields={"response": 4}),
    "jump-into-machine": Play(foe=CAR, target="foe", fields={"vehicle_response": 3}),
    "leave-the-controls": Play(conditions=["at-the-controls"]),
    "drive": Play(fields=DRONE, target=""),
    "drive-evasively": Play(conditions=["at-the-controls", "driving"], target=""),
    "regain-control": Play(
        fields=DRONE, conditions=["at-the-controls", "driving", "losing-control"], target=""
    ),
    "chase": Play(fields=DRONE, foe={**CAR, **DRONE}),
    "lock-on": Play(fields=DRONE),
    "ram": Play(fields=DRONE, foe={**CAR, **DRONE}, said={"situation": {"speed": 60}}),
    "crash": Play(
        fields={name: its for name, its in DRONE.items() if name != "pilot"},
        target="",
        said={"situation": {"speed": 60}},
    ),
    "crash-test": Play(
        fields=DRONE, conditions=["out-of-control"], target="", said={"situation": {"speed": 60}}
    ),
    # The body
    "stand-up": Play(conditions=["prone"]),
    "use-skill": Play(said={"situation": {"attribute": "logic", "skill": "first-aid"}}),
}

"""How each action of the packs of the Inquisitor universe is played once: what it takes, and what the command says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

WEAPONS = ["autogun", "laspistol", "sword", "frag-grenade", "heavy-bolter", "hand-flamer", "melta-bomb"]


class Play(NamedTuple):
    """One play of an action.

    Attributes:
        item: the thing that is in hand; "" for all as at first.
        said: more of the command, such as its target.
        fields: of the sheet of `me`; `of_foe` the same of `foe`.
        conditions: those that `me` is in.
        before: actions that `me` takes first, with what their commands say.
        options: house rules.
    """

    item: str = ""
    said: Mapping[str, Any] = {}
    fields: Mapping[str, Any] = {}
    of_foe: Mapping[str, Any] = {}
    conditions: Sequence[str] = ()
    before: Sequence[tuple[str, Mapping[str, Any]]] = ()
    options: Mapping[str, Any] = {}


SHOT = {"target": "foe", "situation": {"distance": 5, "visibility": [], "fire": {"mode": "single"}}}
THROW = {"target": "foe", "situation": {"distance": 4, "visibility": []}}
BLOW = {"target": "foe"}
HURT = {"injuries": {"left-leg": 3}, "bleeding": {"left-leg": 2}, "injury_total": 20}
PLAYS: Mapping[str, Play] = {
    **dict.fromkeys(("crawl", "wade", "walk", "run", "sprint", "drive", "other", "concentrate"), Play()),
    **dict.fromkeys(
        ("sneak", "swim", "leap", "tread-water", "do-nothing", "drop-prone", "tend-injury"), Play()
    ),
    **dict.fromkeys(("resist-poison", "resist-trauma"), Play()),
    "concentrate": Play(fields={"traits": ["psyker"]}),
    "get-up": Play(conditions=["prone"]),
    "draw-weapon": Play(item="sword", said={"item": "laspistol"}),
    "fire-weapon": Play("autogun", SHOT),
    "throw-grenade": Play("frag-grenade", THROW),
    "attack": Play("sword", BLOW),
    "charge": Play("sword", BLOW),
    "close-shot": Play("laspistol", BLOW),
    "strike-bare-handed": Play(said=BLOW),
    "reload": Play("autogun"),
    "aim": Play("autogun"),
    "use-psychic-power": Play(
        said={"situation": {"power": {"difficulty": 10}}},
        fields={"traits": ["psyker"]},
        before=[("concentrate", {})],
    ),
    "staunch-bleeding": Play(said=BLOW, of_foe=HURT),
    "heal-injury": Play(
        said={"target": "foe", "situation": {"healing": {"equipment": True}}},
        fields={"traits": ["medic"]},
        of_foe=HURT,
        before=[("tend-injury", {})],
    ),
    "converse": Play(options={"converse": True}),
    "other-test": Play(said={"situation": {"test": {"kind": "find-data", "modifier": -20}}}),
    "forgo-merged": Play(before=[("walk", {"situation": {"action": {"merged_with": "other"}}})]),
    "suffer-injuries": Play(fields=HURT),
    "suffer-damage": Play(said={"situation": {"injury": {"damage": 6}}}),
    "stay-conscious": Play(fields={"injury_total": 30}),
    "subordination-test": Play(options={"subordination": True}),
    "set-tripod": Play("heavy-bolter"),
    "brace": Play("heavy-bolter"),
    "take-down-tripod": Play(conditions=["braced"]),
    "fire-flamer": Play("hand-flamer", {"target": "foe", "situation": {"distance": 4}}),
    "plant-charge": Play("melta-bomb", {"target": "foe"}, of_foe={"hull": 30}),
    "charge-goes-off": Play(
        said={"situation": {"hit": {"dice": "6d10+10", "facing": "front", "halves": True}}},
        fields={"hull": 80, "hull_full": 80, "plates_front": 12},
    ),
    "put-out-fire": Play(conditions=["burning"]),
    "burn": Play(conditions=["burning"]),
    "hold-on-the-world": Play(fields={"traits": ["daemon"]}),
    "renew-power": Play(
        said={"situation": {"power": "force-shield"}},
        fields={"traits": ["psyker"], "powers": ["force-shield"]},
        conditions=["holding-force-shield"],
    ),
    "let-powers-go": Play(conditions=["holding-force-shield"]),
    "hold-powers": Play(conditions=["holding-force-shield"]),
    "pinning-test": Play(),
    "recover-from-pinning": Play(conditions=["pinned"]),
    "fall": Play(said={"situation": {"fall": {"height": 4}}}),
    "stand-fear": Play(said={"situation": {"fear": {"grade": 2}}}, options={"fear": True}),
    "driving-test": Play(fields={"hull": 30, "handling": 0}),
    "ram": Play(said={"situation": {"driving": {"speed": 12}}}, fields={"hull": 30, "handling": 0}),
    "vehicle-hit": Play(
        said={"situation": {"hit": {"dice": "3d10", "facing": "front"}}},
        fields={"hull": 30, "hull_full": 30, "plates_front": 6},
    ),
    "take-drug": Play(said={"situation": {"drug": "slaught"}}, fields={"drugs": ["slaught"]}),
    "drug-wears-off": Play(said={"situation": {"drug": "slaught"}}),
    "suffer-poison": Play(said={"situation": {"poison": "choke-gas"}}),
    "poison-works": Play(said={"situation": {"poison": "blade-venom"}}, conditions=["poisoned"]),
    "hold-the-saddle": Play(conditions=["mounted"]),
    "break-free": Play(conditions=["gripped"]),
}

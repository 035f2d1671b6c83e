"""A single device of a combatant in the Matrix: a gun, an implant, goggles. Rulebook section 12.6.

Without a device named, a Matrix action concerns the device through which its owner is online. A named one defends with
the network of its owner, keeps its own boxes, and does what the packs' table says when it is bricked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.forms import Part
from fracas.kernel.procedures import Attempt
from fracas.kernel.stage import Effect
from fracas.kernel.tables import Row, row_of
from fracas.kernel.tally import Refusal

DEVICES, WEAPON = "devices", "weapon"
"""The table of the packs, and its row for weapons."""
BRICKED = "bricked"
"""The condition of the device of a persona, and the state of a weapon whose electronics do nothing."""
REFLEXES = "reflexes-dark"
"""The condition of those whose reflex ware is bricked."""
CLIP, DARK, REBOOTS = "clip", "dark", "reboots"
"""What is done to a device: the clip of a gun falls out, its link goes dark, or it is off for a while."""
OFF = "device-reboots"
"""The condition of those with a weapon that is off until it has rebooted."""
REBOOTING = 2
"""Combat Turns that a device is off: this one and the next."""
BOXES_OF = "damage-of-"
"""The beginning of the track of the boxes of a device."""
_CABLE = "cable"


class Device(Part, kind="sr5.device"):
    """A device that is named.

    Attributes:
        slug: a row of the table of devices, or the slug of a weapon.
        weapon: it is one.
        dark: the condition of its owner while it does nothing; "" for none.
        loses: points of Reaction and dice that its owner loses with it.
        does: what a success does to it beside damage: `CLIP`, `DARK`, `REBOOTS`, or "".
    """

    slug: str
    weapon: bool
    dark: str
    loses: int = 0
    does: str = ""

    @property
    def track(self) -> str:
        """The track of its boxes."""
        return f"{BOXES_OF}{self.slug}"

    def bricked(self) -> Iterator[Effect]:
        """What happens when its monitor is full."""
        if self.weapon:
            yield Effect("item", "target", self.slug, None, ((BRICKED, True),))
        if self.dark and not self.weapon:
            detail = (("add_reaction", -self.loses),) if self.loses else ()
            yield Effect("add-condition", "target", self.dark, None, detail)

    def obeys(self) -> Iterator[Effect]:
        """What a success does to it beside damage."""
        if self.does == CLIP and self.weapon:
            yield Effect("item", "target", self.slug, None, (("rounds", 0), ("loaded", False)))
        if self.does == DARK and self.dark:
            yield Effect("add-condition", "target", self.dark)
        if self.does == REBOOTS and self.weapon:
            yield Effect("add-condition", "target", OFF, None, (("item", self.slug),))
        elif self.does == REBOOTS and self.dark:
            detail = (("length", REBOOTING), ("unit", "turn"))
            yield Effect("add-condition", "target", self.dark, None, detail)


def boxes_of(slug: str, sheet: Mapping[str, Any]) -> int:
    """Filled boxes of a device, as a fight keeps them on the sheet of its owner."""
    return int(sheet.get(f"damage_of_{slug.replace('-', '_')}", 0))


def device_of(it: Attempt, row: Row) -> Device | None:
    """The device that the situation names, whose numbers are added to the facts; None for none.

    Raises:
        InputError: the packs have neither such a device nor such a weapon.
    """
    facts: dict[str, Any] = it.facts
    slug = facts.get("device")
    if slug is None:
        return None
    weapon = it.lookup.entry(WEAPON, slug) is not None
    known = row_of(it.lookup, DEVICES, WEAPON if weapon else slug)
    rating = int(facts["rating"] if "rating" in facts else known["rating"])
    facts |= {"target.device_rating": rating, "target.firewall": _firewall(it, rating)}
    facts["target.device_damage"] = facts.get("device_filled", 0)
    reboots = bool(row.get("reboots"))
    obeys = reboots or row.get("commands")
    if obeys and known.get("ware") and it.options["hack_cyberware"] == "no_override":
        it.refused.append(Refusal("nerve_driven", "Ware that nerves drive obeys nobody else"))
    dice = facts.get("target.initiative_dice", 1) if known.get("reflexes") else 1
    does = REBOOTS if reboots else str(row.get("on_device", ""))
    return Device(slug, weapon, str(known.get("dark", "")), dice - 1, does)


def machine_as_device(facts: dict[str, Any]) -> None:
    """Add what a machine is as a device, where its sheet does not say it: its Pilot is the rating, and the Firewall."""
    if facts.get("target.vehicle") and "target.pilot" in facts:
        facts.setdefault("target.device_rating", facts["target.pilot"])
        facts.setdefault("target.firewall", facts["target.device_rating"])


def _firewall(it: Attempt, own: int) -> int:
    """The Firewall of a named device: its rating, or that of its owner's network: the better one, unless the option
    names the network alone, or a cable leads into the device."""
    master = it.facts.get("target.firewall")
    if master is None or it.facts.get("noise_distance") == _CABLE:
        return own
    return max(own, int(master)) if it.options["slave_defense"] == "better" else int(master)

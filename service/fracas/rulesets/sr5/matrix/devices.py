"""Those who meet in the Matrix, and single devices of theirs: a gun, an implant, goggles. Rulebook section 12.6.

Without a device named, a Matrix action concerns the device through which its owner is online. A named one defends with
the network of its owner, keeps its own boxes, and does what the packs' table says when it is bricked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.fields import choice, fields, flag, text, whole, words
from fracas.kernel.forms import Part
from fracas.kernel.procedures import Attempt
from fracas.kernel.stage import Effect
from fracas.kernel.tables import Row, row_of
from fracas.kernel.tally import Refusal
from fracas.kernel.vocabulary import Field
from fracas.rulesets.sr5 import combatant
from fracas.rulesets.sr5.combatant import BRICKED

RATINGS = ("attack", "sleaze", "data_processing", "firewall")
"""The attributes of a device."""
SIDES = ("attacker", "target")

_LINK_LOCKED = flag("Link-locked", "An opponent keeps the persona in the Matrix.")
DEVICE_FIELDS = fields(
    *SIDES,
    pool=combatant.POOL,
    **combatant.DEVICE,
    **combatant.PERSONA,
    sleaze=combatant.SLEAZE,
    programs=combatant.RUNNING,
    deck=text("Deck", "Those who name the same one share its boxes and score.", most=60),
    interface=combatant.INTERFACE,
    technomancer=flag("Technomancer"),
    running_silent=flag("Running silent", "The icon has to be found first."),
)
ATTACK_FIELDS = fields(
    *SIDES, attack=whole("Attack", "Of a deck: limit and damage of attacks.", most=20, example=5)
)
ACTOR_FIELDS = fields(
    "attacker",
    biofeedback=flag("Biofeedback", "The attack hurts the user as much as the device."),
    marks=whole("Marks on the target", "Of the one who acts, or of their host; 4 of an owner.", most=4),
    overwatch=combatant.SCORE,
    noise_reduction=whole("Noise reduction", "Of gear and of what compensates for noise.", most=20),
    link_locked=_LINK_LOCKED,
    resonance=combatant.RESONANCE,
)
OWNER_FIELDS = fields(
    "target",
    marks=whole("Marks on the one who acts", "Of the owner of the icon.", most=4),
    through_device=flag("In the Matrix through the device", "Left out: in virtual reality."),
    full_matrix_defense=flag("Full Matrix defense", "Declared and still in force."),
    unattended=flag("Unattended", "Nobody holds the device: its rating stands for mental attributes."),
    link_locked=_LINK_LOCKED,
    overwatch=combatant.SCORE,
    pilot=combatant.PILOT,
    initiative_dice=combatant.INITIATIVE_DICE,
)
_RUNNING = "target.programs"
DERIVED_FIELDS = (
    *fields(
        "attacker",
        apt_programs=words(
            "Programs for the action", choices=combatant.SOFTWARE, derived_from="attacker.programs"
        ),
        limited_by=choice("Limit", choices=RATINGS, derived_from="attacker.programs"),
    ),
    *fields(
        "target",
        defends_by=choice("Defense", choices=RATINGS, derived_from=_RUNNING),
        sneaks=flag("Hides from being traced", derived_from=_RUNNING),
        user_programs=words("Programs of the user", choices=combatant.SOFTWARE, derived_from=_RUNNING),
    ),
)
"""What programs look at: whether they are for the action, the attribute that is its limit, the one in the defense, and
what runs for the user who suffers."""
GRIDS = ("public", "other", "both")
NOISE_FIELDS = (
    *fields(
        "",
        noise=whole("Noise", "Of zones and jamming at the place.", most=50, in_scene=True),
        noise_distance=text("Distance in the Matrix", "A row of the table of noise.", most=60),
        grid=choice("Grid", "The public one, another than the target's, or both.", choices=GRIDS),
        noise_left=whole("Noise that is left", "After noise reduction.", most=60, derived_from="noise"),
    ),
)
TEST_FIELDS = fields(
    "",
    marks_tried=whole("Marks tried for", "1 unless given.", 1, 3, example=1),
    rating=whole("Rating of what is there", "Of a protection, a data bomb, or the named device.", most=20),
    device=text("Device", "A row of a table, or a weapon. Left out: that of the persona.", most=60),
    device_filled=whole("Boxes of the named device", "Filled ones.", most=50, unit="boxes"),
)


def matrix_fields() -> tuple[Field, ...]:
    """The fields of both sides, and of what lies between them."""
    sides = (field for who in SIDES for field in combatant.combatant_fields(who))
    own = (*DEVICE_FIELDS, *ATTACK_FIELDS, *ACTOR_FIELDS, *OWNER_FIELDS, *DERIVED_FIELDS)
    return (*sides, *own, *NOISE_FIELDS, *TEST_FIELDS)


DEVICES, WEAPON = "devices", "weapon"
"""The table of the packs, and its row for weapons."""
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

"""What may be given of those who meet in the Matrix: their devices, their programs, and what lies between them."""

from __future__ import annotations

from fracas.kernel.fields import fields, flag, text, whole, words
from fracas.kernel.vocabulary import Field
from fracas.rulesets.sr5.combatant import INITIATIVE_DICE, INTERFACE, PILOT, combatant_fields

PROGRAMS = (
    *("armor", "biofeedback", "biofeedback-filter", "blackout", "decryption", "defuse", "demolition", "edit"),
    *("encryption", "exploit", "guard", "hammer", "lockdown", "mugger", "shell", "signal-scrub", "sneak"),
    *("stealth", "toolbox", "track", "virtual-machine"),
)
"""Programs whose effect in a fight the rules know, by the slugs that sheets list."""
SIDES = ("attacker", "target")

DEVICE_FIELDS = fields(
    *SIDES,
    pool=whole("Pool", "Dice before modifiers.", most=60),
    device_rating=whole("Device rating", most=20, example=3),
    device_damage=whole("Boxes of the device", "Filled boxes of its monitor.", most=50, unit="boxes"),
    data_processing=whole("Data Processing", most=20, example=5),
    firewall=whole("Firewall", most=20, example=4),
    sleaze=whole("Sleaze", "Of a deck: the limit of actions that nobody is to notice.", most=20, example=4),
    programs=words("Programs running", "Those that the device runs.", choices=PROGRAMS),
    interface=INTERFACE,
    technomancer=flag("Technomancer"),
    running_silent=flag("Running silent", "The icon has to be found before anything is done to it."),
)
ATTACK_FIELDS = fields(
    *SIDES, attack=whole("Attack", "Of a deck: limit and damage of attacks.", most=20, example=5)
)
ACTOR_FIELDS = fields(
    "attacker",
    biofeedback=flag("Biofeedback", "The attack hurts the user as much as the device."),
    marks=whole("Marks on the target", "Of the one who acts, or of their host; 4 of an owner.", most=4),
    overwatch=whole("Overwatch Score", most=200, unit="points"),
    noise_reduction=whole("Noise reduction", "Of gear and of what compensates for noise.", most=20),
    link_locked=flag("Link-locked", "Somebody keeps the persona in the Matrix."),
    resonance=whole("Resonance", "Of a technomancer.", most=20, example=5),
)
OWNER_FIELDS = fields(
    "target",
    marks=whole("Marks on the one who acts", "Of the owner of the icon.", most=4),
    through_device=flag("In the Matrix through the device", "Bricked, it throws its user out: dumpshock."),
    full_matrix_defense=flag("Full Matrix defense", "Declared and still in force."),
    unattended=flag("Unattended", "Nobody holds the device: its rating stands for mental attributes."),
    link_locked=flag("Link-locked", "Somebody keeps the persona in the Matrix."),
    overwatch=whole("Overwatch Score", most=200, unit="points"),
    pilot=PILOT,
    initiative_dice=INITIATIVE_DICE,
)
NOISE_FIELDS = (
    *fields(
        "",
        noise=whole("Noise", "Of zones and jamming at the place.", most=50, in_scene=True),
        noise_distance=text("Distance in the Matrix", "A row of the packs' table of noise.", most=60),
        noise_left=whole("Noise that is left", "After noise reduction.", most=60, derived_from="noise"),
    ),
)
TEST_FIELDS = fields(
    "",
    marks_tried=whole("Marks tried for", "1 unless given.", 1, 3, example=1),
    rating=whole(
        "Rating of what is there", "Of a file's protection, of a data bomb, or of the named device.", most=20
    ),
    device=text(
        "Device",
        "Of the target: a row of the packs' table, or a weapon. Left out: that of the persona.",
        most=60,
    ),
    device_filled=whole("Boxes of the named device", "Filled ones of its monitor.", most=50, unit="boxes"),
)


def matrix_fields() -> tuple[Field, ...]:
    """The fields of both sides, and of what lies between them."""
    sides = (field for who in SIDES for field in combatant_fields(who))
    return (
        *sides,
        *DEVICE_FIELDS,
        *ATTACK_FIELDS,
        *ACTOR_FIELDS,
        *OWNER_FIELDS,
        *NOISE_FIELDS,
        *TEST_FIELDS,
    )

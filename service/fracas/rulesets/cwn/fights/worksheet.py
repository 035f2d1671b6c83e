"""What a fight reads of somebody's sheet that no procedure reads."""

from __future__ import annotations

from fracas.kernel.fields import entries, fields, person, vocabulary, whole
from fracas.kernel.ruleset import Worksheet

FIGHT = Worksheet(
    "fight",
    "Fight",
    vocabulary(
        person("fighter", "Fighter"),
        fields(
            "fighter",
            edges=entries(
                "Edges and arts",
                "Beside the foci; an empty list for none.",
                entry_kind="trait",
                example=["veterans-luck"],
            ),
            attacks=whole(
                "Attacks with one Main Action",
                "Of a stat block. Left out: one.",
                least=1,
                most=10,
                example=2,
            ),
            constitution=whole(
                "Constitution",
                "Score. It is also the most System Strain that one bears.",
                least=1,
                most=30,
            ),
            system_strain=whole("System Strain", "Points, rounded up, that of implants among them."),
        ),
    ),
    {},
)
"""Edges give tokens and actions; System Strain pays for what implants do (rulebook sections 1.6 and 10)."""

"""What a request may say of a barrier: rulebook section 11.8."""

from __future__ import annotations

from fracas.kernel.fields import fields, text, whole
from fracas.kernel.vocabulary import Field, Record

RATING = "barrier.rating"
"""The armor after penetration, as a fact and as a number."""

BARRIER_RECORD = Record("barrier", "Barrier", "", "A material of the packs, or its numbers, or both.")
BARRIER_FIELDS = (
    *fields(
        "barrier",
        material=text(
            "Material", "A row of the table of barriers, which gives the numbers.", most=60, example="average"
        ),
        armor=whole("Armor of the barrier", "In place of that of its material.", most=200),
    ),
    Field(RATING, "whole", "Armor of the barrier after penetration", derived_from="barrier.armor"),
)

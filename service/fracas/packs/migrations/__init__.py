"""Bringing packs of older file formats up to date: numbered steps, each from one ``schema_version`` to the next.

A step is a module ``vBEFORE_to_vAFTER.py`` listed in `plan.STEPS`. It states the same change twice: as edits of the
texts, and as a function from the old data to the new. The plan loads the edited texts and holds them against the
second, so a step that would alter anything else fails.
"""

from fracas.packs.migrations.plan import Migration, migrate

__all__ = ["Migration", "migrate"]

"""Melee: attacks on one and on several, holds."""

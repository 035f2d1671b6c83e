"""Attacks: with firearms, in melee, with what explodes, and on devices."""

"""Attacks on everybody in an area: explosives, suppressive fire."""

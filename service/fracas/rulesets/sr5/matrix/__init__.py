"""Damage to devices."""

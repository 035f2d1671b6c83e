"""Checks of Shadowrun 5 beside attacks: initiative."""

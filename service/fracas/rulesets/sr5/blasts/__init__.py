"""Grenades and whatever else explodes: scatter, and everybody in reach."""

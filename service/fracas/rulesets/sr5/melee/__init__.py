"""Blows: one target, or several in one action."""

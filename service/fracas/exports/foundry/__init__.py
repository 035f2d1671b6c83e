"""Packs as documents of Foundry VTT 13 and 14, as plain dictionaries."""

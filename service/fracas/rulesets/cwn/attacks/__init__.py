"""Attacks of one against one: the roll, damage, Shock and Trauma."""

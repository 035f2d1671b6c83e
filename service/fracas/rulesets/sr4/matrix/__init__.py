"""Hacking and cybercombat during a fight."""

"""Attacks from afar: firearms, bows, thrown weapons, several targets, suppressive fire, blasts, barriers."""

"""Characters of other programs as combatants: what was understood, what was not, and nothing that half fits."""

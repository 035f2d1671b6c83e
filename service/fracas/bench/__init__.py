"""``fracas bench``: speed side by side with peers, in one run, as medians of several runs.

Peers (icepool, d20, @dice-roller/rpg-dice-roller) are development tools; a row whose peer is missing says so.
"""

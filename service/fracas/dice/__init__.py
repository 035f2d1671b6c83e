"""Dice: typed roll requests, where dice come from, and the exact distribution of every request."""

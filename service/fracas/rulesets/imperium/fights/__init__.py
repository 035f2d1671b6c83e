"""Fights: rounds and their order, what a round has room for, things in hand, and what a fight knows of a step."""

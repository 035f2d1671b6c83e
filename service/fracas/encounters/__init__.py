"""Fights that last: events, the state they make, and where they are kept."""

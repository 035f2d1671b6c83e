"""Combat magic and astral combat."""

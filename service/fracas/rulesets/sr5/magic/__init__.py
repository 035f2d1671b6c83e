"""Combat spells and drain."""

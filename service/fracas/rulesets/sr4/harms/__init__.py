"""What hits do: armor, damage, elements, healing."""

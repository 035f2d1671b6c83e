"""What hits do: armor, damage resistance, condition monitors, care."""

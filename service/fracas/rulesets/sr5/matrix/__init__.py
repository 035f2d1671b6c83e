"""The Matrix during a fight: tests on icons, marks, damage to devices, IC."""

"""Vehicles, drones, and hacking in a firefight."""

"""Vehicles and drones: driving, ramming, sensors."""

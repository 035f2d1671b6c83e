"""Vehicles and drones: driving, chases, crashes, ramming, sensors."""

"""Shots, throws and attacks in close combat."""

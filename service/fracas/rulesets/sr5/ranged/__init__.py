"""Shots: pools, limits, recoil, range and environment, suppressive fire."""

"""Toxins, gas and drugs."""

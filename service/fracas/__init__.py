"""Fracas: combat resolution for virtual tabletops."""

__version__ = "0.2.0"

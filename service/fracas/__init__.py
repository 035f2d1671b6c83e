"""Fracas: combat resolution for virtual tabletops."""

__version__ = "0.1.0"

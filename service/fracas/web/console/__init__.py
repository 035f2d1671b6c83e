"""The GM console: pages drawn by the service, for a screen beside any virtual tabletop."""

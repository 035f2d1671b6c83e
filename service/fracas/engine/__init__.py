"""The engine: requests in, readers run, reports out. No web, no terminal."""

"""What harm does to people: injuries, system shock, bleeding, consciousness, and how they are mended."""

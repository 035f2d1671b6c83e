"""What harm does to people: Soak, hit points, Major Injuries, and how they are mended."""

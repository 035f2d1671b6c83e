"""Chat cards: what a combat step came to, for people, and as texts for chats."""

KNOWN = ("data", "roll20", "markdown", "text", "mod", "beyond20")
"""The forms in which cards are given; `forms` makes them."""

"""Packs in the forms of other programs: spreadsheets, Markdown, and documents of Foundry VTT."""

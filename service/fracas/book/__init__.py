"""The rulebooks: our own account of each ruleset, with tables made from the packs."""

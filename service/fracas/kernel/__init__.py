"""The kernel: stages, the four readers that run them, modifiers with verdicts, and the ruleset contract.

Nothing here knows a ruleset, a file, a clock or the web.
"""

"""The rulesets. One never imports another."""

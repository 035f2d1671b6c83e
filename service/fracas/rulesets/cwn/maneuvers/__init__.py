"""Attacks of their own kind: shoves, grapples, executions."""

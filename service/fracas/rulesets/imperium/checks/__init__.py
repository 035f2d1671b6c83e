"""Tests with percentile dice."""

"""Tests with limits and Edge: plain, opposed, extended, with helpers, and bought hits."""

"""Tests and what hangs on them alone: Success, Extended, Initiative and Surprise Tests, and Edge."""

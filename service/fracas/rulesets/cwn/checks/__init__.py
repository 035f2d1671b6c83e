"""Rolls that decide something by themselves: initiative, skills, saves, morale, reactions."""

"""Forecasts: how a fight will probably end, by playing it many times with the exact odds of its steps."""

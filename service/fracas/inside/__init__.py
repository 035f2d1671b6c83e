"""Fracas inside a page: the same application in a Python for browsers, without a service."""

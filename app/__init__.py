"""Signet: everybody decides in secret, everybody reveals at once."""

__version__ = "0.1.0"

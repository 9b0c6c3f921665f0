"""Drawings made by the server, and the sentences of the log."""

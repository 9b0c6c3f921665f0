"""The state of a fight: its declarations, its events and how they fold, and the numbers derived from it."""

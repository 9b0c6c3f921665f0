"""The state of a fight: declarations, events and how they fold, and derived numbers."""

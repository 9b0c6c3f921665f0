"""A turn cycle from its declarations to its end: legality, asks, and each phase in order."""

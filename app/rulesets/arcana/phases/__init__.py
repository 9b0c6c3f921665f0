"""A turn cycle from its declarations to its end: what is legal, what is asked, and each phase in order."""

"""A whole campaign in one file: leaving a house with it, and arriving in another."""

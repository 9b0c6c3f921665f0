"""A campaign's home, and what is called, settled and ended from it."""

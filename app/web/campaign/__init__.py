"""A campaign's home page, its decisions and challenges, lines and veils, and its deletion."""

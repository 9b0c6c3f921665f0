"""The book's data and the geometry of the ground: spells, weapons, statuses, cells, cover, settings."""

"""The data of the book and the geometry of the ground: spells, weapons, statuses, cells, cover, settings."""

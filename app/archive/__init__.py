"""A whole campaign in one file: export from one database, import into another."""

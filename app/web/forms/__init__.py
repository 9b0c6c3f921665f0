"""Forms: reading them, checking them, and building them from a JSON schema."""

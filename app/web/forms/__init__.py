"""Forms: what was typed, what it means, and forms made from a JSON schema."""

"""Encryption at rest: the vault, and every column that it encrypts."""

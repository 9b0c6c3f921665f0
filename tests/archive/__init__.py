"""A whole campaign in one file, there and back."""

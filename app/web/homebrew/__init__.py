"""Homebrew: a campaign's own spells and foes."""

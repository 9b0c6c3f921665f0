"""A campaign's own spells and foes."""

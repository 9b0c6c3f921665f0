"""The effects of attacks, spells and items when they land, with those of skills, wards and hazards."""

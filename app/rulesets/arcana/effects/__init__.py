"""What attacks, spells and things do when they land, and what skills, wards and hazards add to that."""

"""Who is here: coming in, people and their roles, one's own seat and browsers."""

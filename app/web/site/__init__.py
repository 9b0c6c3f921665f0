"""Pages that belong to no campaign: the front page, the rulebook, whether the server is well."""

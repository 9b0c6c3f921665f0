"""Characters: their sheets, how they are rolled, how they spend their days, whose they are."""

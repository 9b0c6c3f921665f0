"""In-world calendars: their shape as data, day numbers inside, what repeats and when. Pure, and exact for any year."""

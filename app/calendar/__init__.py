"""In-world calendars: shapes as data, day numbers, repetition. Pure, and exact for any year."""

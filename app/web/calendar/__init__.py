"""The calendar: to look at, to write on, to let time pass."""

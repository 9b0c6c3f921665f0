"""Pages of the calendar: reading it, writing on it, letting time pass."""

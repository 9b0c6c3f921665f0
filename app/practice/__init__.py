"""A practice opponent for duels, who knows only the view of his own seat (docs/practice.md)."""

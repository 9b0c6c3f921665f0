"""An opponent to practise a duel with, who knows no more than the view of his own seat (docs/practice.md)."""

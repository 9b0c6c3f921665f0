"""The rule systems Signet ships; one folder each, none knows another."""

"""Logs and metrics for the operator: known fields and figures, never who did what."""

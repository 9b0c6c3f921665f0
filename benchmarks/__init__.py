"""Figures as ratios to a floor measured in the same run on the same cores; docs/performance.md explains each."""

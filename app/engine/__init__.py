"""What every ruleset shares. Pure: no clock, no randomness of its own, no I/O, no web, no database."""

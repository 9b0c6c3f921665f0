"""Shared parts of all rulesets. Pure: no clock, no random numbers, no I/O, no web, no database."""

"""The mass battle: units on a hex map, quick units and intents sealed, clusters and melee worked out by the rules."""

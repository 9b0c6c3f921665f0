"""Cases: situations in TOML, played against the rules with luck written down beforehand (docs/cases.md)."""

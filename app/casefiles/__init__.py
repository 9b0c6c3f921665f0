"""Case files: situations in TOML, played against the rules with scripted luck (docs/cases.md)."""

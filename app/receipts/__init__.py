"""What anybody can check afterwards without trusting the server: hashes, the record of a scene, and who recomputes it.

Pure: knows the engine and the rulesets, no table, no database, no web. docs/fairness.md is the same in words.
"""

"""Receipts, to check a scene without trusting the server: hashes, the record of a scene, and its recomputation.

Pure: knows the engine and the rulesets, but no table, database or web. docs/fairness.md says the same in words.
"""

"""Pages of a scene: its table, its transcript and receipts, and sandboxes to learn and practise in."""

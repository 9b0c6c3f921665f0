"""Pages of characters: sheets, rolling, downtime, history, and changes of owner."""

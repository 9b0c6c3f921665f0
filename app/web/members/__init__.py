"""Members: joining, people and their roles, the member's own seat and browsers."""

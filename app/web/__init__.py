"""Pages, streams, forms, sessions, security headers."""

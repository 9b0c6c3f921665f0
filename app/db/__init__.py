"""Database: engine, sessions, base, the embedded Postgres."""

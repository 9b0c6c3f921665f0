"""Database: engine, sessions, the embedded Postgres."""

"""The database: engine, order of locks, the embedded Postgres."""

"""The table: takes envelopes, reveals steps, and keeps deadlines."""

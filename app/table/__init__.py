"""The sealed step: envelopes, reveal, deadlines, absence."""

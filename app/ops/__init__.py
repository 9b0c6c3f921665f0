"""What whoever runs a Signet does from the command line."""

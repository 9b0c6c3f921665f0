"""What whoever runs a server may know of it: a log of known fields, and figures. Never who or what."""

"""Pictures drawn by the server."""

"""Shared by all requests: middleware, limits, seat sessions, error pages, templates, cached pages."""

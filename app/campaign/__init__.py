"""Campaigns with their members, invitations and characters."""

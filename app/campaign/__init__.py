"""Campaigns, members, invitations, characters."""

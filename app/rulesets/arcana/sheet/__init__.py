"""Sheets of wizards and foes between fights, how they are made and how they grow, and their numbers."""

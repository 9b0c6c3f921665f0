"""Arcana: a wizards' duel in turn cycles. In the making: no scene kind yet, so it is not among RULESETS."""

"""Zone skirmish: quick and full turns in zones, Tests of three tiers, reactions, morale."""

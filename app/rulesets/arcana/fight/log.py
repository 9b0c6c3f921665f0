"""The log of a fight, into which the rules write events."""

from app.engine.ruleset import Log
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.state import State

Table = Log[State, ev.Event]

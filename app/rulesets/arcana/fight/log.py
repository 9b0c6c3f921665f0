"""The log of a fight, to which the rules add events."""

from app.engine.ruleset import Log
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.state import State

Table = Log[State, ev.Event]

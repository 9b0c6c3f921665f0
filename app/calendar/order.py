"""The order of events on one day (CHR-CAL-11): the year turns, works and journeys end, wounds heal, then the rest."""

KINDS = (
    "scene", "leg", "arrival", "completion", "healing", "reckoning", "event", "holiday", "note", "session",
)  # fmt: skip
"""The kinds of calendar entries (CHR-CAL-13), and some that groups asked for."""

PLAYED = frozenset({"scene", "leg"})
"""Kinds that a group plays: a scene, and a leg of a journey. Time stops at them unless the entry says otherwise."""

_RANKS = {"reckoning": 0, "arrival": 1, "completion": 1, "healing": 2, "scene": 4, "leg": 4}


def place_in_day(kind: str, minute: int | None, made_no: int) -> tuple[int, int, int]:
    """The sort key of an entry among those of its day. Arrivals and completions sort by when they were made, whatever
    the hour; others by hour, all-day entries first.
    """
    rank = _RANKS.get(kind, 3)
    return rank, -1 if rank < 3 or minute is None else minute, made_no

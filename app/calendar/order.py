"""The order of things on one day (CHR-CAL-11): the year turns, works and journeys end, wounds heal, then the rest."""

KINDS = (
    "scene", "leg", "arrival", "completion", "healing", "reckoning", "event", "holiday", "note", "session",
)  # fmt: skip
"""What an entry of a calendar may be (CHR-CAL-13), and what groups asked for besides."""

_RANKS = {"reckoning": 0, "arrival": 1, "completion": 1, "healing": 2, "scene": 4, "leg": 4}


def place_in_day(kind: str, minute: int | None, made_no: int) -> tuple[int, int, int]:
    """What to sort the entries of one day by. Among arrivals and completions the one made first comes first, whatever
    the hour; among others the earlier hour does, and the whole day before any hour."""
    rank = _RANKS.get(kind, 3)
    return rank, -1 if rank < 3 or minute is None else minute, made_no

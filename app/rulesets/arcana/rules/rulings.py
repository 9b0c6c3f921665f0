"""Questions to the GM in the middle of a cycle, and their rulings (ledger 5)."""

from typing import Literal

from app.engine.frozen import frozen

Cover = Literal["none", "half", "three_quarter", "full"]
Edge = Literal["north", "east", "south", "west"]
About = Literal["condition", "interrupt", "knot", "custom", "length", "gait", "wards", "counter", "use"]


@frozen(kw_only=True)
class Question:
    """One question of a reveal: `who` it is about, the text or action in question, and the rules' own number."""

    key: str  # unique in its cycle: "interrupt/ada"
    about: About
    who: tuple[str, ...]
    words: str = ""
    value: int = 0


@frozen(kw_only=True)
class Ruling:
    """`yes`: true, allowed, released, or an automatic success. `value`: another number to reach; 0: the usual one."""

    yes: bool
    value: int = 0
    waived: bool = False  # no check: it succeeds
    group: bool = False  # a group check: everyone rolls, at least half must succeed (ARC-120)
    words: str = ""

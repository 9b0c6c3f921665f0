"""The nine pairs of motivations, in the order of the draw (CHR-MOT-01)."""

from collections.abc import Mapping
from dataclasses import dataclass

LOWEST, HIGHEST, MOST_OF_A_PAIR, DIE = 2, 10, 12, 12  # CHR-MOT-02, CHR-MOT-07

TALK = "convince"  # the usual skill of an appeal

POOL = ((2, 10), (3, 9), (3, 9), (4, 8), (4, 8), (4, 8), (5, 7), (5, 7), (6, 6))  # CHR-MOT-03, in the order of the draw


@dataclass(frozen=True, slots=True)
class Motivation:
    """One half of a pair. Its key is a field of forms and sheets."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two motivations that oppose each other; left and right are those of the orientation die."""

    left: Motivation
    right: Motivation


PAIRS: tuple[Pair, ...] = (
    Pair(Motivation("energetic", "Energetic"), Motivation("lazy", "Lazy, efficient")),
    Pair(Motivation("forgiving", "Forgiving"), Motivation("avenging", "Avenging")),
    Pair(Motivation("honest", "Honest"), Motivation("deceitful", "Deceitful, sly")),
    Pair(Motivation("merciful", "Merciful, kind"), Motivation("cruel", "Cruel, ruthless")),
    Pair(Motivation("modest", "Modest, humble"), Motivation("proud", "Proud, arrogant")),
    Pair(Motivation("prudent", "Prudent, cautious"), Motivation("reckless", "Reckless")),
    Pair(Motivation("bold", "Valourous, bold"), Motivation("fearful", "Cowardly, fearful")),
    Pair(Motivation("trusting", "Trusting"), Motivation("independent", "Independent")),
    Pair(Motivation("generous", "Generous, self-sacrificing"), Motivation("selfish", "Selfish, pleasure-seeking")),
)
MOTIVATIONS: Mapping[str, Motivation] = {one.key: one for pair in PAIRS for one in (pair.left, pair.right)}
OTHER: Mapping[str, str] = {
    **{pair.left.key: pair.right.key for pair in PAIRS},
    **{pair.right.key: pair.left.key for pair in PAIRS},
}
"""The other half of a motivation's pair."""

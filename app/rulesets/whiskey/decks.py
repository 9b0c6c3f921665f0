"""Decks as the set of cards left, never as an order: each draw picks one of them (WHI-47 to WHI-54)."""

from dataclasses import dataclass, field
from typing import Any

VALUES = tuple(range(-12, 14))  # one half: ace 1 to king 13, black suits minus 13 (WHI-48)


@dataclass(slots=True)
class Deck:
    """The cards a faction has left: of half A or B, of the whole pack ("single"), or all of them, always ("dice")."""

    half: str = "A"
    left: list[int] = field(default_factory=lambda: list(VALUES))

    @classmethod
    def fresh(cls, mode: str) -> "Deck":
        if mode == "halves":
            return cls()
        return cls("single", sorted(VALUES * 2)) if mode == "single" else cls("dice", list(VALUES))

    @classmethod
    def read(cls, kept: Any, mode: str) -> "Deck":
        """Reads a deck as the campaign stored it; a fresh one if it stored none, or one of another mode."""
        fresh = cls.fresh(mode)
        if not isinstance(kept, dict) or mode == "dice":
            return fresh
        half, left = str(kept.get("half", "")), kept.get("left")
        fits = half in ("A", "B") if mode == "halves" else half == "single"
        if not fits or not isinstance(left, list) or not left or any(value not in VALUES for value in left):
            return fresh
        return cls(half, sorted(left))

    def write(self) -> dict[str, Any]:
        return {"half": self.half, "left": list(self.left)}

    def last(self, mode: str) -> bool:
        """Whether the next draw uses up this half or pack."""
        return mode != "dice" and len(self.left) == 1

    def take(self, value: int, mode: str) -> None:
        """Removes a card until its half is used up; then that half is shuffled and the other one is used (WHI-51)."""
        if mode == "dice":
            return
        self.left.remove(value)
        if not self.left:
            self.half, self.left = {"A": "B", "B": "A"}.get(self.half, "single"), Deck.fresh(mode).left


def odds(x: int, y: int, left: list[int]) -> float:
    """The chance that x + card > y over the cards left; a full half gives (13 + x - y) / 26 (WHI-36, WHI-37)."""
    return sum(x + card > y for card in left) / len(left)


def suit(value: int, half: str) -> str:
    """The card's face for people: half A has hearts and spades, half B diamonds and clubs, a whole pack both."""
    rank = value if value > 0 else value + 13
    name = {1: "A", 11: "J", 12: "Q", 13: "K"}.get(rank, str(rank))
    red, black = {"B": ("♦", "♣"), "single": ("♥♦", "♠♣")}.get(half, ("♥", "♠"))
    return f"{name}{red if value > 0 else black}"

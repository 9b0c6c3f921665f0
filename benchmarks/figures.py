"""One figure: what was measured, the floor it is held against, and whether the bound holds; and the table of them."""

from collections.abc import Iterable
from dataclasses import dataclass

HEADINGS = ("figure", "measured", "floor", "ratio", "bound", "ok")


class Missing(Exception):
    """A tool this benchmark needs is not here; the text says what to install."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """`ratio` must be at least or at most `bound`. Without a bound a figure is only shown."""

    name: str
    measured: str
    floor: str = ""
    ratio: float | None = None
    at_most: float | None = None
    at_least: float | None = None

    @property
    def ok(self) -> bool:
        if self.ratio is None:
            return True
        low, high = self.at_least, self.at_most
        return (low is None or self.ratio >= low) and (high is None or self.ratio <= high)

    def cells(self) -> tuple[str, ...]:
        bound = ""
        if self.at_most is not None:
            bound = f"≤ {self.at_most:g}"
        elif self.at_least is not None:
            bound = f"≥ {self.at_least:g}"
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}"
        return self.name, self.measured, self.floor, ratio, bound, ("yes" if self.ok else "NO") if bound else ""


def table(figures: Iterable[Figure]) -> str:
    """The figures as aligned columns: words to the left, numbers to the right."""
    rows = [HEADINGS, *(figure.cells() for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    rows.insert(1, tuple("-" * width for width in widths))
    lines = []
    for row in rows:
        name, *numbers, ok = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        lines.append("  ".join((name.strip().ljust(widths[0]), *numbers, ok.strip())))
    return "\n".join(lines)

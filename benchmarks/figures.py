"""A figure: its measured value, the floor it is compared with, and its bound; and the table of all figures."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

HEADINGS = ("figure", "measured", "floor", "ratio", "processor", "bound", "ok")
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"


class Missing(Exception):
    """Something that a benchmark needs is missing; the text says what to do."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """`ratio` must be at least `at_least` or at most `at_most`; without either, the figure is only shown. `work` is the
    server's processor time in seconds per measured item, `floor_work` the floor's."""

    name: str
    measured: str
    floor: str = ""
    ratio: float | None = None
    at_most: float | None = None
    at_least: float | None = None
    work: float | None = None
    floor_work: float | None = None

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
        work = " : ".join(f"{each * 1000:.2f}" for each in (self.work, self.floor_work) if each is not None)
        ok = ("yes" if self.ok else "NO") if bound else ""
        return self.name, self.measured, self.floor, ratio, work and f"{work} ms", bound, ok


def table(figures: Iterable[Figure]) -> str:
    """Returns the figures as aligned columns: words to the left, numbers to the right."""
    rows = [HEADINGS, *(figure.cells() for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    rows.insert(1, tuple("-" * width for width in widths))
    lines = []
    for row in rows:
        name, *numbers, ok = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        lines.append("  ".join((name.strip().ljust(widths[0]), *numbers, ok.strip())))
    return "\n".join(lines)


def markdown(figures: Iterable[Figure]) -> str:
    """Returns the figures as a Markdown table."""
    rows = [HEADINGS, ("---",) * len(HEADINGS), *(figure.cells() for figure in figures)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def put(page: Path, text: str) -> None:
    """Replaces the figures on a page by a run's. Raises Missing where the page has no place for them."""
    before, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise Missing(f"{page} has no place for figures: {BEGIN} and {END}.")
    page.write_text(f"{before}{BEGIN}\n{text}{END}{after}", encoding="utf-8")

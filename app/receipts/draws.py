"""Checks draws: every die and card has the face that its label gives in the luck of its closing."""

from collections.abc import Iterable, Iterator
from typing import Any

from app.engine.chance import face
from app.receipts.file import Entry
from app.receipts.report import Report, Seeds, Walk

SAYS = {"label": str, "size": int, "face": int, "stream": str}


def rolls(value: Any) -> Iterator[dict[str, Any]]:
    """Yields every draw inside an event, at any depth, also incomplete ones."""
    if isinstance(value, dict):
        if "stream" in value or len(SAYS.keys() & value.keys()) > 1:
            yield value
        for inner in value.values():
            yield from rolls(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from rolls(inner)


def _whole(roll: dict[str, Any]) -> bool:
    typed = roll.keys() == SAYS.keys() and all(type(roll[name]) is kind for name, kind in SAYS.items())
    return typed and roll["size"] > 0 and roll["stream"] in ("open", "veiled")


def check_told(report: Report, walk: Walk, entry: Entry, *, desk: bool) -> None:
    """Checks the draws of a record: open luck in a public closing, veiled luck in what is told of a hidden one and in
    the GM's acts at the desk (which can be checked when the scene is over), none where a player enters."""
    for event in entry.events:
        for roll in rolls(event.event):
            if not _whole(roll):
                report.wrong.append(f"{entry.key or 'A record'}: event {event.n} has a draw that is none.")
            elif (entry.what == "told" or desk) and roll["stream"] == "veiled":
                report.waiting_draws += 1
            elif entry.what != "closing" or desk or roll["stream"] != "open":
                report.wrong.append(f"{entry.key or 'A record'}: a draw “{roll['label']}” has no source.")
    if entry.what == "closing":
        check_draws(report, entry.key, (event.event for event in entry.events), walk.seeds.get(entry.key, (None, None)))


def check_draws(report: Report, key: str, events: Iterable[Any], seeds: Seeds) -> None:
    """Checks that each label is drawn once in a closing, with the face that the closing's luck gives."""
    drawn: set[str] = set()
    for event in events:
        for roll in rolls(event):
            seed = seeds[0] if roll.get("stream") == "open" else seeds[1]
            if not _whole(roll) or seed is None:
                continue
            label, shown = roll["label"], roll["face"]
            report.draws += 1
            report.expect(label not in drawn, f"{key}: the draw “{label}” was made twice.")
            drawn.add(label)
            right = face(seed, label, roll["size"]) == shown
            report.expect(right, f"{key}: the draw “{label}” shows {shown}, which its luck did not give.")

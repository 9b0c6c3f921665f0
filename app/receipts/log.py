"""Checks the log of a finished scene against its record: the same public events, in the same places."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from app.receipts import chain
from app.receipts.draws import check_draws
from app.receipts.file import Entry, LogEvent, Receipts
from app.receipts.report import Report, Walk


class PlacedEntry(NamedTuple):
    """A record in its place in the log."""

    entry: Entry
    hidden: bool  # not everybody may know of this closing
    logged: list[LogEvent]  # its events
    sheet: str | None  # of a player who entered
    roll: str | None  # of a GM's secret roll
    acts: str | None  # what a GM did to the seats of steps


def placed(report: Report, receipts: Receipts) -> list[PlacedEntry]:
    """Returns all records in the order in which they were made; none where the file is inconsistent."""
    opened = receipts.opened
    assert opened is not None
    shown = sum(place.hidden is None for place in opened.records)
    ends = [0, *(place.last_event for place in opened.records)]
    right = (
        shown == len(receipts.entries)
        and ends == sorted(ends)
        and [event.number for event in opened.log] == list(range(1, ends[-1] + 1))
    )
    if not report.expect(right, "The record and the log are from different scenes."):
        return []
    public, hidden = iter(receipts.entries), iter(receipts.hidden)
    return [
        PlacedEntry(
            next(public if place.hidden is None else hidden),
            place.hidden is not None,
            opened.log[first : place.last_event],
            place.sheet,
            place.roll,
            place.acts,
        )
        for first, place in zip(ends, opened.records, strict=False)
    ]


def check_log(
    report: Report, walk: Walk, receipts: Receipts, records: Sequence[PlacedEntry], desk: Callable[[Entry], bool]
) -> None:
    """Checks that the record of each closing has its public events, with their public numbers, and that the draws whose
    luck opens now have the faces that it gives: those that not everybody saw, and those of the GM at the `desk`."""
    assert receipts.opened is not None
    numbers = {event.number: event.n for event in receipts.opened.log if event.n is not None}
    for place, one in enumerate(records):
        key, before = one.entry.key or one.entry.what, records[place - 1] if place else None
        public = [_logged(event, numbers) for event in one.logged if event.n is not None]
        if one.entry.what in ("told", "rolled", "shown", "end"):
            report.expect(not one.logged, "The log has events that belong to no closing.")
        if one.entry.what == "told":
            report.expect(before is not None and before.hidden, "There are events of a closing that did not happen.")
            continue
        behind = records[place + 1].entry if one.hidden and place + 1 < len(records) else None
        told = behind if behind is not None and behind.what == "told" else None
        said = told if one.hidden else one.entry
        report.expect(_said(said) == chain.canonical(public), f"{key}: the record does not match what everyone saw.")
        report.expect(told is None or bool(told.events), f"{key}: it has no events.")
        rest = [event.event for event in one.logged if one.hidden or event.n is None or desk(one.entry)]
        check_draws(report, key, rest, walk.seeds.get(one.entry.key, (None, None)))
    report.waiting_draws = 0


def _said(entry: Entry | None) -> str:
    events = () if entry is None else entry.events
    return chain.canonical([[event.n, event.rule, event.because, event.event] for event in events])


def _logged(event: LogEvent, numbers: dict[int, int]) -> list[Any]:
    return [event.n, event.rule, [numbers[cause] for cause in event.because if cause in numbers], event.event]

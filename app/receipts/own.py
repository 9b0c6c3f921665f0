"""Checks the record against the file owner's own data: their envelopes, and what their browser noted."""

from app.engine import form_text
from app.errors import MissingRules
from app.receipts.file import NotedSeal, OwnEnvelope, Receipts, Row
from app.receipts.report import Report, Walk
from app.receipts.setup import STEP
from app.rulesets import find_kind


def check_own(report: Report, walk: Walk, receipts: Receipts) -> None:
    """Checks that the newest acknowledged seal that was not taken back is the one that was opened."""
    closed = {step for step, _ in walk.rows}
    for mine in receipts.mine:
        if mine.step in closed:
            _mine(report, mine, walk.rows.get((mine.step, mine.seat)))
            _ballot(report, mine, walk.rows.get((mine.step, mine.seat)), receipts)
    for place in sorted({(kept.step, kept.seat) for kept in receipts.kept if kept.draft}):
        drafts = [kept for kept in receipts.kept if kept.draft and (kept.step, kept.seat) == place]
        if place[0] in closed:
            _drafted(report, drafts, walk.rows.get(place))
    for place in sorted({(kept.step, kept.seat) for kept in receipts.kept if not kept.draft}):
        noted = [kept for kept in receipts.kept if not kept.draft and (kept.step, kept.seat) == place]
        if place[0] in closed:
            _noted(report, noted, walk.rows.get(place))
        elif receipts.opened is not None:
            _never_closed(report, walk, place[0])
    for kept in receipts.kept:
        shown = kept.head is None or kept.head in report.heads
        report.expect(shown, f"{kept.step}: {kept.seat}'s browser was shown a different history.")


def _mine(report: Report, mine: OwnEnvelope, row: Row | None) -> None:
    if row is None or row.wax is None:
        report.expect(not mine.ready, f"{mine.step}: {mine.seat}'s own seal is missing.")
    elif (row.revision or 0) <= mine.revision:
        same = row.revision == mine.revision and row.wax == mine.wax and mine.salted_by in (None, row.salted_by)
        report.expect(same, f"{mine.step}: the record has a different seal from {mine.seat}'s own.")


def _ballot(report: Report, mine: OwnEnvelope, row: Row | None, receipts: Receipts) -> None:
    """Checks that one's own answer is among those that the events of a step list, whose words never open."""
    entry = next((one for one in receipts.entries if one.key == mine.step), None)
    if entry is None or row is None or row.words is not None or row.wax != mine.wax:
        return
    try:
        kind = find_kind(receipts.header.ruleset, receipts.header.kind)[1]
    except MissingRules:
        return
    try:
        step = STEP.validate_python(entry.step.model_dump(mode="json") if entry.step else None)
        listed = kind.unnamed(step, [kind.event.validate_python(event.event) for event in entry.events])
        form = form_text.unflatten(form_text.read(mine.words))
        own = kind.declaration.validate_python({**form, "ask": row.ask})
        counted = None if listed is None else own in listed
    except (ValueError, TypeError):  # of a forged file; a ValidationError is one
        counted = False
    if counted is not None:
        report.expect(counted, f"{mine.step}: {mine.seat}'s own ballot is not counted as it was sealed.")
        report.ballots += counted


def _noted(report: Report, noted: list[NotedSeal], row: Row | None) -> None:
    sealed = {kept.revision: kept for kept in noted if not kept.taken}
    if not sealed:
        return
    newest = sealed[max(sealed)]
    where, who = newest.step, newest.seat
    if row is None or row.wax is None:
        taken = any(kept.taken and kept.revision > newest.revision for kept in noted)
        if not taken and where in report.given_back:
            seats = report.given_back[where]
            if seats is None or who in seats:
                report.notes.append(f"{where}: the server says that a GM gave {who}'s seal back, and it was left out.")
                return
        report.expect(
            taken,
            f"{where}: {who}'s seal was acknowledged, and then left out. That is right only if {who} took it back in "
            "another browser, the GM gave it back, or somebody else took over the seat.",
        )
        return
    report.compared += row.revision in sealed
    report.expect((row.revision or 0) >= newest.revision, f"{where}: an older seal of {who}'s was opened.")
    right = row.revision not in sealed or sealed[row.revision].wax == row.wax
    again = any(kept.wax == row.wax and kept.revision != row.revision for kept in sealed.values())
    right = right and not (again and row.how == "sealed")
    report.expect(right, f"{where}: {who}'s browser sealed something different.")
    report.expect(row.how == "sealed" or row.revision not in sealed, f"{where}: {who}'s seal was treated as a draft.")


def _drafted(report: Report, noted: list[NotedSeal], row: Row | None) -> None:
    """Checks a draft that counted against those that this browser saved last; it uses one salt in a step."""
    where, who = noted[-1].step, noted[-1].seat
    if row is None or row.how == "sealed":
        return
    if row.wax is None:
        if any(kept.sure for kept in noted):
            report.notes.append(
                f"{where}: {who}'s browser had saved a draft, and the rules' default counted. That is right if the "
                "draft was not legal."
            )
    elif all(kept.luck != row.luck for kept in noted):
        report.notes.append(f"{where}: {who}'s draft that counted was made in another browser.")
    else:
        last = any(kept.wax == row.wax for kept in noted)
        report.compared += report.expect(last, f"{where}: {who}'s draft that counted is not the one saved last.")


def _never_closed(report: Report, walk: Walk, step: str) -> None:
    """Checks a seal of a step that never closed: the rules withdrew it, or it was open when the scene ended."""
    if walk.asked is None:
        report.notes.append(f"{step}: it has a seal that was never opened.")
    else:
        report.expect(step in walk.asked, f"{step}: the server accepted a seal for something the rules never asked.")

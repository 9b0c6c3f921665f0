"""Checks the answers of a closing: every ask has its row, every seal is made for this place, and all words that the
rules open are there."""

from collections.abc import Sequence
from dataclasses import fields

from app.engine.ruleset import GM, Ask, Step
from app.receipts import luck
from app.receipts.file import AskRecord, Entry, Receipts, Row, StepRecord
from app.receipts.report import Report, Walk

BARE = frozenset({"seat", "ask", "how", "rank"})  # no envelope was laid; the rules' default counted
SEALED = BARE | {"revision", "salted_by", "wax", "luck", "inner"}
WHOLE = SEALED | {"salt", "words"}
STEP_SAYS = frozenset(field.name for field in fields(Step))
ASK_SAYS = frozenset(field.name for field in fields(Ask))


def check_rows(report: Report, walk: Walk, receipts: Receipts, entry: Entry, *, hidden: bool) -> list[bytes | None]:
    """Checks the rows of a closing; returns each answer's luck part, in seat order."""
    step, key = entry.step, entry.key
    assert step is not None
    report.expect(key not in walk.seeds, f"{key}: a step was closed twice.")
    _step(report, step, hidden=hidden)
    asks = {ask.seat: ask for ask in step.asks}
    seats = [seat.seat for seat in receipts.header.seats]
    wanted = sorted(asks, key=lambda seat: seats.index(seat) if seat in seats else len(seats))
    report.expect(
        len(asks) == len(step.asks) and [row.seat for row in entry.rows] == wanted,
        f"{key}: the answers are not those of the seats asked.",
    )
    _ranks(report, step, entry.rows)
    _by(report, entry)
    for row in entry.rows:
        report.expect(row.seat in seats, f"{key}: there is no seat {row.seat} at this scene.")
        _row(report, walk, receipts, key, row, asks.get(row.seat), hidden=hidden)
    return [_bytes(row.luck) for row in entry.rows]


def _step(report: Report, step: StepRecord, *, hidden: bool) -> None:
    known = step.model_fields_set == STEP_SAYS and all(ask.model_fields_set == ASK_SAYS for ask in step.asks)
    report.expect(known, f"{step.key}: the question says less or more than questions do.")
    secret = any(ask.known_to is not None for ask in step.asks)
    report.expect(secret == hidden, f"{step.key}: who may know of this question is not who knew of it.")


def _ranks(report: Report, step: StepRecord, rows: Sequence[Row]) -> None:
    """Checks the ranks: 1..n in a ranked step, seats without an answer last and in seat order; otherwise all zero."""
    answered = [row.rank for row in rows if row.wax is not None]
    silent = [row.rank for row in rows if row.wax is None]
    if step.ranked:
        right = sorted(answered) + silent == list(range(1, len(rows) + 1))
    else:
        right = not any(answered + silent)
    report.expect(right, f"{step.key}: the order in which its seats spoke is not one.")


def _by(report: Report, entry: Entry) -> None:
    """Checks why the step closed: by itself without asks, because all had sealed, or because of a clock or a GM.

    An older Signet wrote "all" too where a GM went on without some seats and the others sealed."""
    by, rows = entry.by, entry.rows
    right = by == "itself" if not rows else by in ("all", "due", "gm")
    report.expect(right, f"{entry.key}: it did not close for the reason given.")
    without = [row.seat for row in rows if row.how != "sealed"]
    if by == "all" and without:
        report.notes.append(f"{entry.key}: the server says that a GM went on without {', '.join(without)}.")


def _row(
    report: Report, walk: Walk, receipts: Receipts, key: str, row: Row, ask: AskRecord | None, *, hidden: bool
) -> None:
    late = walk.late.get((key, row.seat))
    whole = row if late is None else row.model_copy(update={"salt": late.salt, "words": late.words})
    walk.rows[key, row.seat] = whole
    if not report.expect(ask is not None and row.ask == ask.kind, f"{key}: {row.seat} answered what was not asked."):
        return
    assert ask is not None
    if row.wax is None:
        report.expect(row.how == "default", f"{key}: {row.seat}'s answer has no seal.")
        report.expect(row.model_fields_set == BARE, f"{key}: {row.seat}'s default says more than a default.")
        return
    said = row.model_fields_set if None not in row.model_dump(exclude_unset=True).values() else frozenset()
    at_once = ask.opens == "close" or (hidden and ask.opens == "end")
    late_now = ask.opens == "end" and not hidden and receipts.opened is not None
    report.expect(
        said == (WHOLE if at_once else SEALED) and (late is not None) == late_now,
        f"{key}: {row.seat}'s words are missing, or are shown where the rules do not open them.",
    )
    report.expect(row.how in ("sealed", "draft"), f"{key}: {row.seat} answered in no known way.")
    report.expect((row.revision or 0) > 0, f"{key}: {row.seat}'s seal is of no revision.")
    report.expect(row.salted_by in ("browser", "server"), f"{key}: nobody made the salt of {row.seat}'s seal.")
    _seal(report, receipts, key, whole)
    if row.salted_by == "server":
        chosen = "" if row.seat == GM else ", and the server could have chosen dice by it"
        report.notes.append(f"{key}: the server made the salt of {row.seat}'s seal; it proves only its word{chosen}.")
    elif row.seat != GM:
        report.browsers += 1


def _seal(report: Report, receipts: Receipts, key: str, row: Row) -> None:
    header, report.seals = receipts.header, report.seals + 1
    part, inner = _bytes(row.luck) or b"", _bytes(row.inner) or b""
    commitment = luck.commitment(header.campaign, header.scene, key, row.seat, row.ask, part, inner)
    report.expect(commitment.hex() == row.wax, f"{key}: {row.seat}'s seal is not made of the luck and words beside it.")
    if row.salt is None or row.words is None:
        report.closed += 1
        return
    report.opened += 1
    made = luck.seal(header.campaign, header.scene, key, row.seat, row.ask, bytes.fromhex(row.salt), row.words)
    report.expect(
        (made.luck, made.inner) == (part, inner), f"{key}: {row.seat}'s words are not those that were sealed."
    )


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else bytes.fromhex(text)

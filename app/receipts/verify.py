"""Checks a scene from its file of receipts, without a server: hashes, seals, dice, and the rules themselves."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from app.engine.ruleset import GM
from app.receipts import chain, luck, replay, secret_rolls, step_acts
from app.receipts.draws import check_told, rolls
from app.receipts.file import SAYS, Entry, Header, Receipts
from app.receipts.log import PlacedEntry, check_log, placed
from app.receipts.own import check_own
from app.receipts.report import Moment, Report, Walk
from app.receipts.rows import check_rows

RECORDED = SAYS.keys() - {"hidden", "desk"}
"""What a record may say that it is."""
MOST_KEYS = 5
"""How many steps a note names."""


def check(receipts: Receipts) -> Report:
    """Checks everything that one file can show; counts what cannot be checked yet."""
    report, header = Report(), receipts.header
    anchor = bytes.fromhex(header.anchor)
    walk = Walk(link=anchor, thread=luck.first_thread(anchor))
    _late(report, walk, receipts)
    report.head = _head(header)
    report.heads.add(report.head.hex())
    for number, (record, entry) in enumerate(zip(receipts.records, receipts.entries, strict=True), start=1):
        report.head = chain.next_head(report.head, record.record)
        right = report.head.hex() == record.head
        report.expect(right, f"Record {number} does not follow from the records before it.")
        report.heads.add(report.head.hex())
        _entry(report, walk, receipts, entry, number)
    _end(report, receipts)
    if receipts.opened is not None:
        _opened(report, walk, receipts)
    check_own(report, walk, receipts)
    return report


def _head(header: Header) -> bytes:
    return chain.first_head(
        protocol=header.protocol,
        campaign=header.campaign,
        scene=header.scene,
        ruleset=header.ruleset,
        kind=header.kind,
        version=header.version,
        anchor=bytes.fromhex(header.anchor),
        setup=bytes.fromhex(header.setup),
        carried=header.carried,
    )


def _came_back(entry: Entry) -> bool:
    """Whether an inner scene came back in a known way, with no more than that brings back."""
    known = entry.how in ("over", "abandoned", "stuck", "left", "missing", "failed")
    return (
        known
        and (entry.head is not None or entry.how in ("missing", "failed"))
        and (entry.result is None or entry.how == "over")
    )


def _late(report: Report, walk: Walk, receipts: Receipts) -> None:
    """Reads words that opened at the end; each must belong to an answer that the record has closed."""
    if receipts.opened is None:
        return
    wanted = {
        (entry.key, ask.seat)
        for entry in receipts.entries
        for ask in (entry.step.asks if entry.step else ())
        if ask.opens == "end"
    }
    for row in receipts.opened.rows:
        place = row.step, row.seat
        report.expect(
            place in wanted and place not in walk.late,
            f"{row.step}: words of {row.seat} do not belong to any question.",
        )
        walk.late[place] = row


def _entry(report: Report, walk: Walk, receipts: Receipts, entry: Entry, number: int) -> None:
    desk = at_desk(receipts, entry)
    _says(report, entry, "desk" if desk else entry.what if entry.what in RECORDED else "", f"Record {number}")
    for event in entry.events:
        walk.told += 1
        in_order = event.n == walk.told and all(0 < cause < event.n for cause in event.because)
        report.expect(in_order, f"Record {number}: events are missing or out of order.")
        report.expect(not event.model_extra, f"Record {number}: event {event.n} says more than events say.")
    if desk:
        report.closings += 1
        check_rows(report, walk, receipts, entry, hidden=False)
        walk.seeds[entry.key] = None, None
    elif entry.what == "closing":
        _closing(report, walk, receipts, entry)
    step_acts.check_record(report, entry)
    walk.moments.append(Moment(walk.thread, walk.salted))
    if entry.what == "inner":
        report.expect(_came_back(entry), f"Record {number} says less or more than such a record does.")
    if entry.what in ("rolled", "shown"):
        secret_rolls.check_record(report, walk, entry)
    check_told(report, walk, entry, desk=desk)


def at_desk(receipts: Receipts, entry: Entry) -> bool:
    """Whether a closing is an act of the GM at the desk, which opens no link; under protocol 1 it does."""
    desk = entry.what == "closing" and entry.step is not None and entry.step.at_desk
    return desk and receipts.header.protocol > 1


def _says(report: Report, entry: Entry, what: str, where: str) -> None:
    always, sometimes = SAYS.get(what, (frozenset(), frozenset()))
    said = entry.model_fields_set
    right = always <= said <= always | sometimes and all(getattr(entry, name) is not None for name in said)
    report.expect(right, f"{where} says less or more than such a record does.")


def _closing(report: Report, walk: Walk, receipts: Receipts, entry: Entry) -> None:
    key, link = entry.key, bytes.fromhex(entry.link or "")
    report.closings += 1
    walk.links += 1
    report.expect(entry.k == walk.links, f"{key}: closings are missing or out of order.")
    report.expect(luck.follows(walk.link, link), f"{key}: its luck was not fixed when the scene was made.")
    parts = check_rows(report, walk, receipts, entry, hidden=False)
    players = [part for row, part in zip(entry.rows, parts, strict=True) if row.seat != GM]
    walk.link = link
    walk.thread = luck.next_thread(walk.thread, walk.links, players)
    walk.salted = walk.salted or salted(entry)
    if not walk.salted and any(True for event in entry.events for _ in rolls(event.event)):
        unsalted(report, key)
    root = bytes.fromhex(receipts.opened.root) if receipts.opened else None
    veil = None
    if root is not None and receipts.header.protocol > 1:
        veil = luck.veiled_seed(root, walk.thread)
    elif root is not None:
        veil = luck.old_veiled_seed(root, key, parts)
    walk.seeds[key] = luck.open_seed(link, walk.thread), veil


def _end(report: Report, receipts: Receipts) -> None:
    """Checks that the last record says how the scene ended, and that all its secrets are open then."""
    header, ends = receipts.header, [entry for entry in receipts.entries if entry.what == "end"]
    report.expect(header.status in ("open", "over", "abandoned"), "The scene is in no known state.")
    if header.status == "open":
        report.expect(not ends and receipts.opened is None, "The scene is not over, but something says that it is.")
        return
    right = len(ends) == 1 and receipts.entries[-1] is ends[0] and ends[0].how == header.status
    report.expect(right, "The scene's end is not what was recorded.")
    report.expect(receipts.opened is not None, "The scene is over, but what opens at its end is missing from the file.")
    for end in ends if header.status == "abandoned" else ():
        left = end.kept or end.sheets or end.entries or end.made
        report.expect(not left, "The scene was abandoned, but changed something anyway.")


def _opened(report: Report, walk: Walk, receipts: Receipts) -> None:
    """Checks what opened at the end: the root of the chain, the setup, hidden closings, and a replay by the rules."""
    opened, header = receipts.opened, receipts.header
    assert opened is not None
    root, salt = bytes.fromhex(opened.root), bytes.fromhex(opened.setup_salt)
    report.expect(luck.chain_link(root, 0).hex() == header.anchor, "The chain of luck is not the one that was fixed.")
    right = chain.setup_digest(salt, opened.setup).hex() == header.setup
    report.expect(right, "The scene did not start from this setup.")
    _setup(report, receipts)
    texts = [place.hidden for place in opened.records if place.hidden is not None]
    committed = next((entry.hidden for entry in receipts.entries if entry.what == "end"), None)
    right = chain.hidden_digest(salt, texts).hex() == committed
    report.expect(right, "The hidden closings are not those of the last record.")
    for number, entry in enumerate(receipts.hidden, start=1):
        _says(report, entry, "hidden" if entry.what == "closing" else "", f"Hidden record {number}")
        parts = check_rows(report, walk, receipts, entry, hidden=True)
        step_acts.check_hidden(report, entry)
        walk.parts[entry.key] = [part for row, part in zip(entry.rows, parts, strict=True) if row.seat != GM]
        walk.seeds[entry.key] = None, luck.old_veiled_seed(root, entry.key, parts)
    records = placed(report, receipts)
    if records:
        (_veiled_luck if header.protocol > 1 else _old_veiled_luck)(report, walk, receipts, records, root)
        check_log(report, walk, receipts, records, desk=lambda entry: at_desk(receipts, entry))
        for one in records:
            if not one.hidden:
                step_acts.check_opened(report, salt, one.entry, one.acts)
        secret_rolls.check_opened(report, walk, root, records)
        replay.replay(report, walk, receipts, records)


def _veiled_luck(report: Report, walk: Walk, receipts: Receipts, records: Sequence[PlacedEntry], root: bytes) -> None:
    """Works out the luck of hidden closings and of the GM's acts at the desk, each from the moment at which it fell,
    and notes what was drawn before a player's salt was in."""
    now, public = Moment(luck.first_thread(bytes.fromhex(receipts.header.anchor)), False), iter(walk.moments)
    closings = acts = 0
    for one in records:
        now = now if one.hidden else next(public)
        if one.entry.what != "closing":
            continue
        key, drew = one.entry.key, any(True for event in one.logged for _ in rolls(event.event))
        if at_desk(receipts, one.entry):
            walk.seeds[key] = None, luck.desk_seed(root, acts, now.thread)
            acts += drew
        elif one.hidden:
            closings += 1
            walk.seeds[key] = None, luck.hidden_seed(root, closings, now.thread, walk.parts[key])
        if drew and not now.salted and not (one.hidden and salted(one.entry)):
            unsalted(report, key)


def _old_veiled_luck(
    report: Report, walk: Walk, receipts: Receipts, records: Sequence[PlacedEntry], root: bytes
) -> None:
    """Notes what a host could do under protocol 1, where the veiled luck is known by the closing alone."""
    drawn = [one.entry.key for one in records if any(_veiled(event.event) for event in one.logged)]
    if drawn:
        where = ", ".join([*drawn[:MOST_KEYS], *(["…"] if len(drawn) > MOST_KEYS else [])])
        report.notes.append(
            f"{where}: under protocol 1 the GM's salt was in the luck that nobody saw, so a GM who ran the server "
            "could have chosen it."
        )


def _veiled(event: Any) -> bool:
    return any(roll.get("stream") == "veiled" for roll in rolls(event))


def salted(entry: Entry) -> bool:
    """Whether a player's browser made one of the salts of a closing."""
    return any(row.salted_by == "browser" for row in entry.rows if row.seat != GM)


def unsalted(report: Report, key: str) -> None:
    note = f"{key}: its luck was drawn before any player's browser had put a salt in."
    if note not in report.notes:
        report.notes.append(note)


def _setup(report: Report, receipts: Receipts) -> None:
    """Checks the file's header against the scene's setup and the seats that entered later."""
    header, setup, came = receipts.header, setup_of(receipts), [e for e in receipts.entries if e.what == "entered"]
    brief, names, kept = (_part(setup, name) for name in ("brief", "names", "kept"))
    right = (brief.get("title"), brief.get("kind")) == (header.title, header.kind)
    report.expect(right, "The title or kind at the top of the file is not the scene's.")
    seats = [*_part(brief, "seats"), *(entry.seat for entry in came)]
    right = [seat.seat for seat in header.seats] == seats
    report.expect(right, "The seats at the top of the file are not the scene's, in their order.")
    report.expect(kept.keys() == header.carried.keys(), "The scene began with more or less than it says it took over.")
    report.expect(not names or names.keys() == _part(brief, "seats").keys(), "Some of the seats began without a name.")
    right = all((entry.name is None) == (entry.sheet is None) for entry in came)
    report.expect(right, "Someone joined without a name or without a sheet.")
    names |= {entry.seat: entry.name for entry in came if entry.name is not None}
    for seat in header.seats:
        called = names.get(seat.seat, seat.name)
        report.expect(seat.name == called, f"{seat.seat} is called “{seat.name}” here, but was called “{called}”.")
    if len(names) < len(header.seats):
        report.notes.append("Only the server says what the seats are called: an older Signet did not seal the names.")


def setup_of(receipts: Receipts) -> dict[str, Any]:
    """Returns the opened setup; empty if it cannot be read."""
    assert receipts.opened is not None
    try:
        raw = json.loads(receipts.opened.setup)
    except (ValueError, RecursionError):
        raw = None
    return raw if isinstance(raw, dict) else {}


def _part(raw: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = raw.get(name)
    return found if isinstance(found, dict) else {}


def check_many(files: Sequence[Receipts]) -> tuple[list[Report], list[str]]:
    """Checks each file, and what scenes took over from others; returns the reports in order, and the mismatches."""
    reports = [check(one) for one in files]
    ends = {report.head.hex(): one for report, one in zip(reports, files, strict=True)}
    scenes = {
        (one.header.campaign, one.header.scene): (report, one) for report, one in zip(reports, files, strict=True)
    }
    wrong: list[str] = []
    for report, one in zip(reports, files, strict=True):
        for name, head in sorted(one.header.carried.items()):
            before = ends.get(head or "")
            if before is None and any(head in other.heads for other in reports):
                wrong.append(f"“{one.header.title}” took {name} out of a scene that had not ended.")
            elif before is None:
                report.notes.append(_apart(name, head))
            elif one.opened is not None:
                wrong += _carried(name, before, one)
        for entry in (entry for entry in one.entries if entry.what == "inner"):
            inside, title = scenes.get((one.header.campaign, entry.scene)), entry.title or "a scene that is gone"
            if inside is None:
                report.notes.append(f"“{title}” was played inside it. Check that scene's file together with this one.")
            elif not _is_inside(entry, *inside):
                wrong.append(f"“{one.header.title}” did not take “{title}” as that scene was when it came back.")
    return reports, wrong


def _is_inside(entry: Entry, report: Report, inner: Receipts) -> bool:
    """Whether a scene is the one that the entry of another scene tells of, as it was at that moment."""
    header = inner.header
    if (entry.kind, entry.title) != (header.kind, header.title) and entry.how != "missing":
        return False
    if entry.how not in ("over", "abandoned"):
        return entry.head is None or entry.head in report.heads
    ended = header.status == entry.how and entry.head == report.head.hex()
    return ended and (entry.how != "over" or report.result in (None, chain.canonical(entry.result)))


def _apart(name: str, head: str | None) -> str:
    if head is None:
        return f"It began with {name} as the server had it, not from a recorded scene."
    words = chain.six_words(bytes.fromhex(head))
    return f"It went on with {name}, as the scene “{words}” left it. Check that scene's file together with this one."


def _carried(name: str, before: Receipts, after: Receipts) -> list[str]:
    left = next((entry.kept.get(name) for entry in reversed(before.entries) if entry.what == "end"), None)
    if before.opened is None:
        return [f"“{before.header.title}” is not over, but “{after.header.title}” uses its {name}."]
    salt = bytes.fromhex(before.opened.setup_salt)
    taken = chain.left_digest(salt, name, _part(setup_of(after), "kept").get(name)).hex()
    if left != taken:
        return [f"“{after.header.title}” did not take {name} as “{before.header.title}” left it."]
    return []

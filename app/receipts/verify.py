"""Check a scene from its file of receipts, without any server: hashes, seals, dice, and the rules themselves."""

from collections.abc import Iterator, Mapping
from typing import Any

from app.engine.chance import face
from app.engine.ruleset import GM
from app.receipts import chain, luck, replay
from app.receipts.file import Entry, Receipts, Row
from app.receipts.report import Report, Walk


def check(receipts: Receipts) -> Report:
    """Everything that one file can show; what cannot be checked yet is counted, never passed over."""
    report = Report()
    header = receipts.header
    anchor = bytes.fromhex(header.anchor)
    head = chain.first_head(
        campaign=header.campaign,
        scene=header.scene,
        ruleset=header.ruleset,
        kind=header.kind,
        version=header.version,
        anchor=anchor,
        setup=bytes.fromhex(header.setup),
        carried=header.carried,
    )
    walk = Walk(link=anchor, thread=luck.first_thread(anchor), heads={head.hex()})
    late = {(row.step, row.seat): row for row in receipts.opened.rows} if receipts.opened else {}
    root = bytes.fromhex(receipts.opened.root) if receipts.opened else None
    for number, (record, entry) in enumerate(zip(receipts.records, receipts.entries, strict=True), start=1):
        head = chain.next_head(head, record.record)
        report.expect(head.hex() == record.head, f"Record {number} does not follow from what stands before it.")
        walk.heads.add(head.hex())
        if entry.what == "closing":
            rows = [_with_late(entry, row, late) for row in entry.rows]
            _closing(report, walk, receipts, entry, rows, root)
        _draws(report, walk, entry.step.get("key", ""), (event.event for event in entry.events))
    ends = [entry.how for entry in receipts.entries if entry.what == "end"]
    report.expect(ends == ([] if header.status == "open" else [header.status]), "The scene's end is not as recorded.")
    report.expect(header.status in ("open", "over", "abandoned"), "The scene is in no known state.")
    report.head = head
    _own(report, walk, receipts)
    if receipts.opened is not None:
        _opened(report, walk, receipts)
    elif header.status != "open":
        report.wrong.append("The scene is over, but what opens at its end is missing from the file.")
    return report


def _with_late(entry: Entry, row: Row, late: Mapping[tuple[str, str], Any]) -> Row:
    found = late.get((entry.step.get("key", ""), row.seat))
    return row if found is None else row.model_copy(update={"salt": found.salt, "words": found.words})


def _closing(report: Report, walk: Walk, receipts: Receipts, entry: Entry, rows: list[Row], root: bytes | None) -> None:
    key, link = str(entry.step.get("key", "")), bytes.fromhex(entry.link or "")
    report.closings += 1
    report.expect(entry.k == report.closings, f"{key}: closings are missing or out of order.")
    report.expect(luck.follows(walk.link, link), f"{key}: its luck was not fixed when the scene was made.")
    report.expect(key not in walk.seeds, f"{key}: a step was closed twice.")
    _rows(report, walk, receipts, entry, rows)
    parts = [_bytes(row.luck) for row in rows]
    players = [part for row, part in zip(rows, parts, strict=True) if row.seat != GM]
    walk.link = link
    walk.thread = luck.next_thread(walk.thread, report.closings, players)
    walk.salted = walk.salted or any(row.salted_by == "browser" for row in rows if row.seat != GM)
    if not walk.salted and any(True for event in entry.events for _ in rolls(event.event)):
        report.notes.append(f"{key}: its luck was drawn before any player's browser had put a salt in.")
    walk.seeds[key] = luck.open_seed(link, walk.thread), luck.veiled_seed(root, key, parts) if root else None


def _rows(report: Report, walk: Walk, receipts: Receipts, entry: Entry, rows: list[Row]) -> None:
    """Every ask of the step has its row, in seat order, and every seal is made for this very place."""
    key = str(entry.step.get("key", ""))
    order = {seat.seat: place for place, seat in enumerate(receipts.header.seats)}
    asks = {str(ask["seat"]): ask for ask in entry.step.get("asks", ())}
    wanted = sorted(asks, key=lambda seat: order.get(seat, len(order)))
    report.expect([row.seat for row in rows] == wanted, f"{key}: the answers are not those of the seats asked.")
    ranks = [row.rank for row in rows]
    ranked = list(range(1, len(rows) + 1)) if entry.step.get("ranked") else [0] * len(rows)
    report.expect(sorted(ranks) == ranked, f"{key}: the order in which its seats spoke is not one.")
    for row in rows:
        walk.rows[key, row.seat] = row
        report.expect(row.seat in order, f"{key}: there is no seat {row.seat} at this scene.")
        ask = asks.get(row.seat, {})
        report.expect(row.ask == ask.get("kind"), f"{key}: {row.seat} answered what was not asked.")
        if row.wax is None:
            report.expect(row.how == "default", f"{key}: {row.seat}'s answer has no seal.")
            continue
        report.expect(row.how in ("sealed", "draft", "standing"), f"{key}: {row.seat} answered in no known way.")
        _seal(report, receipts, key, row)
        if row.salted_by != "browser":
            report.notes.append(f"{key}: the server made the salt of {row.seat}'s seal; it proves only its word.")


def _seal(report: Report, receipts: Receipts, key: str, row: Row) -> None:
    header, report.seals = receipts.header, report.seals + 1
    part, inner = _bytes(row.luck) or b"", _bytes(row.inner) or b""
    wax = luck.wax(header.campaign, header.scene, key, row.seat, row.ask, part, inner)
    report.expect(wax.hex() == row.wax, f"{key}: {row.seat}'s seal is not made of the luck and words beside it.")
    if row.salt is None or row.words is None:
        report.closed += 1
        return
    report.opened += 1
    made = luck.seal(header.campaign, header.scene, key, row.seat, row.ask, bytes.fromhex(row.salt), row.words)
    report.expect(
        (made.luck, made.inner) == (part, inner), f"{key}: {row.seat}'s words are not those that were sealed."
    )


def rolls(event: Any) -> Iterator[dict[str, Any]]:
    """Every draw inside an event, however deep."""
    if isinstance(event, dict):
        if set(event) == {"label", "size", "face", "stream"}:
            yield event
        for value in event.values():
            yield from rolls(value)
    elif isinstance(event, list):
        for value in event:
            yield from rolls(value)


def _draws(report: Report, walk: Walk, key: str, events: Iterator[Any]) -> None:
    """Every die and card has the one face that its label gives; an event may repeat an earlier draw, never alter it."""
    seeds = walk.seeds.get(key, (None, None))
    for event in events:
        for roll in rolls(event):
            place, shown = (str(roll["stream"]), str(roll["label"])), (int(roll["size"]), int(roll["face"]))
            if walk.drawn.get(place) == shown:
                continue
            seed = seeds[0] if roll["stream"] == "open" else seeds[1]
            if seed is None:
                if roll["stream"] == "open":
                    report.wrong.append(f"{key or 'A record'}: a draw “{roll['label']}” comes from nowhere.")
                else:
                    report.waiting_draws += 1
                continue
            report.draws += 1
            walk.drawn[place] = shown
            right = shown[0] > 0 and face(seed, place[1], shown[0]) == shown[1]
            report.expect(right, f"{key}: the draw “{place[1]}” shows {shown[1]}, which its luck did not give.")


def _own(report: Report, walk: Walk, receipts: Receipts) -> None:
    """The owner's seals, and what the browser noted, against the record."""
    for mine in receipts.mine:
        row = walk.rows.get((mine.step, mine.seat))
        if row is None or row.revision != mine.revision:
            continue  # not closed yet, or another one counted
        report.expect(row.wax == mine.wax, f"{mine.step}: the record has another seal than {mine.seat}'s own.")
    for kept in receipts.kept:
        row = walk.rows.get((kept.step, kept.seat))
        if row is not None and row.revision == kept.revision:
            report.expect(row.wax == kept.wax, f"{kept.step}: {kept.seat}'s browser sealed something else.")
        if kept.head is not None:
            report.expect(
                kept.head in walk.heads, f"{kept.step}: {kept.seat}'s browser was shown another history than this one."
            )


def _opened(report: Report, walk: Walk, receipts: Receipts) -> None:
    """What opened at the end: the far end of the chain, the setup, hidden closings, and the rules played again."""
    opened, header = receipts.opened, receipts.header
    assert opened is not None
    root, salt = bytes.fromhex(opened.root), bytes.fromhex(opened.setup_salt)
    report.expect(luck.chain_link(root, 0).hex() == header.anchor, "The chain of luck is not the one that was fixed.")
    report.expect(
        chain.setup_digest(salt, opened.setup).hex() == header.setup, "The scene did not start from this setup."
    )
    texts = [place.hidden for place in opened.records if place.hidden is not None]
    end = next((entry for entry in receipts.entries if entry.what == "end"), None)
    committed = end.hidden if end is not None else None
    report.expect(
        chain.hidden_digest(salt, texts).hex() == committed, "The hidden closings are not those of the last record."
    )
    for entry in receipts.hidden:
        key = str(entry.step.get("key", ""))
        _rows(report, walk, receipts, entry, entry.rows)
        veil = luck.veiled_seed(root, key, [_bytes(row.luck) for row in entry.rows])
        walk.seeds[key] = veil, veil
    replay.replay(report, walk, receipts)


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else bytes.fromhex(text)


def check_many(files: list[Receipts]) -> tuple[list[Report], list[str]]:
    """Each file, and where one scene goes on with what another left: (reports in order, what does not fit)."""
    reports = [check(one) for one in files]
    ends = {report.head.hex(): one for report, one in zip(reports, files, strict=True)}
    wrong: list[str] = []
    for one in files:
        for name, head in one.header.carried.items():
            before = ends.get(head or "")
            if before is not None and one.opened is not None:
                wrong += _carried(name, before, one)
    return reports, wrong


def _carried(name: str, before: Receipts, after: Receipts) -> list[str]:
    left = next((entry.kept.get(name) for entry in reversed(before.entries) if entry.what == "end"), None)
    if before.opened is None:
        return [f"“{before.header.title}” is not over, yet “{after.header.title}” goes on with its {name}."]
    salt = bytes.fromhex(before.opened.setup_salt)
    taken = chain.left_digest(salt, name, replay.setup_of(after).get("kept", {}).get(name)).hex()
    if left != taken:
        return [f"“{after.header.title}” did not take {name} as “{before.header.title}” left it."]
    return []

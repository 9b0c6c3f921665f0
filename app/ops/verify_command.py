"""`signet verify`: checks downloaded receipts, without a server and without a database."""

import re
from collections.abc import Sequence
from pathlib import Path

from app.errors import UserError
from app.receipts import chain
from app.receipts.file import NoReceipts, Receipts, parse
from app.receipts.report import Report
from app.receipts.verify import check_many
from app.terminal import say

MOST_BYTES = 256 * 1024 * 1024
MOST_FINDINGS = 100
"""How many findings of each sort are printed for a file; the others are counted."""
LONGEST = 400
"""How many characters of a line are printed: what a file says about itself may not push the verdict out of sight."""
VERDICTS = {
    0: "Everything that can be checked is correct.",
    1: "This is not an honest record.",
    3: "The hashes are correct, but the rules could not be replayed: events were taken as they are.",
}


def verify(paths: list[Path]) -> int:
    """Prints the findings, file by file. Returns 0 if everything holds, 1 if something does not, 3 if nothing was found
    wrong, but the rules could not be replayed."""
    files = [_read(path) for path in paths]
    try:
        reports, apart = check_many(files)
    except RecursionError:
        raise UserError("Something in these files is nested too deeply for a receipts file.", code=2) from None
    for path, receipts, report in zip(paths, files, reports, strict=True):
        for line in report_lines(path.name, receipts, report):
            say(line)
    for line in _some("WRONG: ", apart):
        say(line)
    codes = {report.code for report in reports}
    return 1 if apart or 1 in codes else max(codes, default=0)


def _read(path: Path) -> Receipts:
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)  # of a pipe or a device nobody knows the size
        if len(raw) > MOST_BYTES:
            raise UserError(f"{path} is too large to be a receipts file.", code=2)
        return parse(raw.decode())
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.", code=2) from None
    except UnicodeDecodeError:
        raise UserError(f"{path} is not a receipts file: it is not text.", code=2) from None
    except NoReceipts as wrong:
        raise UserError(_short(f"{path} is not a receipts file that can be checked. {wrong}"), code=2) from None


def report_lines(name: str, receipts: Receipts, report: Report) -> list[str]:
    """Returns a report as lines to print."""
    lines = [f"{name}: “{_short(receipts.header.title)}”"]
    lines.append(f"  by protocol {receipts.header.protocol} (docs/fairness.md)")
    lines.append(
        f"  checked: {_many(report.closings, 'closing')}, {_many(report.seals, 'seal')} "
        f"({report.opened} with their words), {_many(report.draws, 'die or card', 'dice and cards')}"
    )
    if report.replayed:
        lines.append(f"  replayed by the rules: {_many(report.replayed, 'closing')}")
    if report.closed:
        lines.append(f"  not yet: {_many(report.closed, 'seal')} still closed")
    if report.waiting_draws:
        lines.append(f"  not yet: {_many(report.waiting_draws, 'hidden draw')} can be checked when the scene is over")
    if report.rolls:
        lines.append(
            f"  rolled in secret by the GM: {_many(report.rolls, 'roll')}, {len(report.told_rolls)} of them open"
        )
        lines += _some("    roll ", [f"{number}, {said}" for number, said in sorted(report.told_rolls.items())])
        if receipts.opened is None:
            lines.append("  not yet: the luck of secret rolls can be checked when the scene is over")
    if report.browsers:
        lines.append(
            f"  only the server says that browsers made the salts of {_many(report.browsers, 'seal')}; "
            f"{report.compared} compared with what a browser saved"
        )
    if report.ballots:
        lines.append(f"  {_many(report.ballots, 'secret ballot')} of this player: counted as sealed")
    lines += _some("  done by a GM: ", [*report.acts.values()])
    lines += _some("  note: ", report.notes)
    lines += _some("  NOT REPLAYED: ", report.unplayed)
    lines += _some("  WRONG: ", report.wrong)
    lines.append(f"  in six words: {chain.six_words(report.head)}")
    lines.append(f"  {VERDICTS[report.code]}")
    return lines


def _some(before: str, said: Sequence[str]) -> list[str]:
    """Returns a line for each of the first findings, and one for the number of the others."""
    lines = [before + _short(one) for one in said[:MOST_FINDINGS]]
    return lines if len(said) <= MOST_FINDINGS else [*lines, f"{before}… and {len(said) - MOST_FINDINGS} more."]


def _short(text: str) -> str:
    """Returns foreign text for a line of our own: not too long, and without room for a line that looks like ours."""
    text = re.sub(" {2,}", " ", text)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text) - LONGEST} more characters)"


def _many(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"

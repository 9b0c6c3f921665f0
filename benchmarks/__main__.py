"""`python -m benchmarks [--quick] [--check] [--write] [NAME…]`: measure, and print one table."""

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from benchmarks import (
    answers,
    armies,
    battles,
    calendars,
    cycles,
    duels,
    fights,
    fives,
    histories,
    pages,
    practice,
    reveals,
    seals,
    skirmishes,
    stops,
)
from benchmarks.figures import Figure, Missing, markdown, put, table
from benchmarks.ground import ROOT

PAGE = ROOT / "docs/performance.md"

SUITES: dict[str, Callable[..., Iterator[Figure]]] = {
    "battles": battles.figures,
    "duels": duels.figures,
    "fights": fights.figures,
    "armies": armies.figures,
    "cycles": cycles.figures,
    "skirmishes": skirmishes.figures,
    "practice": practice.figures,
    "answers": answers.figures,
    "seals": seals.figures,
    "fives": fives.figures,
    "pages": pages.figures,
    "histories": histories.figures,
    "calendar": calendars.figures,
    "reveals": reveals.figures,
    "stops": stops.figures,
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these: {', '.join(SUITES)}")
    parser.add_argument("--quick", action="store_true", help="less time for each: about two minutes in all")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a figure misses its bound")
    parser.add_argument("--write", action="store_true", help=f"put the figures of a whole run into {PAGE.name}")
    given = parser.parse_args(arguments)
    if given.write and given.names:
        parser.error("--write takes the figures of a whole run")
    unknown = [name for name in given.names if name not in SUITES]
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}; there is {', '.join(SUITES)}")
    found: list[Figure] = []
    missing: list[str] = []
    load = os.getloadavg()[0]
    for name in given.names or SUITES:
        began = time.monotonic()
        _say(f"{name} …")
        try:
            found += SUITES[name](quick=given.quick)
        except Missing as what:
            missing.append(f"{name}: {what}")
        _say(f" {time.monotonic() - began:.0f} s\n")
    sys.stdout.write(table(found) + "\n")
    for line in missing:
        sys.stdout.write(f"Not measured: {line}\n")
    if given.write:
        put(PAGE, _told(found, missing, load, "--quick " if given.quick else ""))
    bad = bool(missing) or not all(figure.ok for figure in found)
    return 1 if given.check and bad else 0


def _told(found: Sequence[Figure], missing: Sequence[str], load: float, how: str) -> str:
    """Returns the figures with the machine and its load: measured on a busy machine, they are worth little."""
    lacking = "".join(f"\nNot measured: {line}\n" for line in missing)
    return (
        f"`run.py bench {how}--write` on {time.strftime('%d %B %Y', time.gmtime())}: {os.cpu_count()} cores, Python "
        f"{platform.python_version()}, a load of {load:.1f} before it began. Processor time is that of the server's\n"
        f"processes for one answer, and after the colon the floor's; the database's is not in it.\n\n"
        f"{markdown(found)}{lacking}"
    )


def _say(what: str) -> None:
    sys.stderr.write(what)
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())

"""`python -m benchmarks [--quick] [--check] [NAME…]`: measure, and print one table."""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from benchmarks import battles, calendars, cycles, duels, fights, pages, practice, reveals, seals
from benchmarks.figures import Figure, Missing, table

SUITES: dict[str, Callable[..., Iterator[Figure]]] = {
    "battles": battles.figures,
    "duels": duels.figures,
    "fights": fights.figures,
    "cycles": cycles.figures,
    "practice": practice.figures,
    "seals": seals.figures,
    "pages": pages.figures,
    "calendar": calendars.figures,
    "reveals": reveals.figures,
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these: {', '.join(SUITES)}")
    parser.add_argument("--quick", action="store_true", help="less time for each: under two minutes in all")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a figure misses its bound")
    given = parser.parse_args(arguments)
    unknown = [name for name in given.names if name not in SUITES]
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}; there is {', '.join(SUITES)}")
    found: list[Figure] = []
    missing: list[str] = []
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
    bad = bool(missing) or not all(figure.ok for figure in found)
    return 1 if given.check and bad else 0


def _say(what: str) -> None:
    sys.stderr.write(what)
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())

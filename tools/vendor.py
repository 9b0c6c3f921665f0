"""Fetches third-party browser files into the checkout, as `vendor.toml` lists them, or checks those that are there.

    python tools/vendor.py            fetch with npm, verify, cut down, write; any unexpected result stops it
    python tools/vendor.py --record   the same, and write the new sums into vendor.toml (after a change of version)
    python tools/vendor.py --check    only compare the files in the checkout with their sums; no network

Fetching needs `npm`, and the extra `vendor` of this project (fonttools, brotli). It runs no code of any package.
"""

import argparse
import base64
import hashlib
import io
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "vendor.toml"
SUMS = "[sha256]"
SVG = "http://www.w3.org/2000/svg"


class Mismatch(Exception):
    """A file or package is not the one that vendor.toml names."""


def packages(listing: Path = LIST) -> list[dict[str, Any]]:
    """Returns the packages to fetch, in the order of the file."""
    return list(tomllib.loads(listing.read_text(encoding="utf-8"))["package"])


def sums(listing: Path = LIST) -> dict[str, str]:
    """Returns path in the checkout -> sha256, for every vendored file."""
    return dict(tomllib.loads(listing.read_text(encoding="utf-8")).get("sha256", {}))


def check(root: Path = ROOT, listing: Path = LIST) -> list[str]:
    """Returns the faults of the vendored files, one sentence each; empty if all are as recorded."""
    wrong = []
    recorded = sums(listing)
    for name, wanted in recorded.items():
        path = root / name
        if not path.is_file():
            wrong.append(f"{name} is missing: run tools/vendor.py.")
        elif sha256(path.read_bytes()) != wanted:
            wrong.append(f"{name} was changed by hand: run tools/vendor.py to restore it.")
    for place in ("static/vendor", "tests/vendor"):
        for path in sorted((root / place).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.is_file() and name not in recorded:
                wrong.append(f"{name} is not listed in vendor.toml.")
    return wrong


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def fetch(package: Mapping[str, Any], place: Path) -> dict[str, bytes]:
    """Returns the package's files by path. Raises `Mismatch` unless the archive has the pinned integrity."""
    spec = f"{package['name']}@{package['version']}"
    command = ["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", str(place), spec]
    subprocess.run(command, check=True, cwd=place, stdout=subprocess.DEVNULL)
    (archive,) = place.glob("*.tgz")
    data = archive.read_bytes()
    found = "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode()
    if found != package["integrity"]:
        raise Mismatch(f"{spec}: the archive is {found}, not {package['integrity']} as vendor.toml says.")
    files = {}
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        for member in tar:
            handle = tar.extractfile(member) if member.isfile() else None
            if handle is not None:
                files[member.name.partition("/")[2]] = handle.read()
    return files


def make(package: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Returns the files to write for a package: path in the checkout -> content."""
    into = package["into"]
    made = {f"{into}/{target}": files[source] for source, target in package.get("copy", {}).items()}
    for font in package.get("font", []):
        made[f"{into}/{font['to']}"] = cut_font(files[font["from"]], font)
    for drawn in package.get("sprite", []):
        made[drawn["to"]] = sprite(package, drawn["icons"], files)
    return made


def cut_font(data: bytes, font: Mapping[str, Any]) -> bytes:
    """Returns a font with only the listed characters, features and axes; the same bytes on every run."""
    from fontTools import subset
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    whole = TTFont(io.BytesIO(data), recalcTimestamp=False)
    axes = {tag: tuple(value) if isinstance(value, list) else value for tag, value in font["axes"].items()}
    narrowed = io.BytesIO()  # written and read again, because the cutter needs the tables as a file has them
    instantiateVariableFont(whole, axes).save(narrowed)
    whole = TTFont(narrowed, recalcTimestamp=False)
    options = subset.Options(layout_features=font["features"], hinting=False, desubroutinize=True, notdef_outline=True)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=characters(font["characters"]))
    cutter.subset(whole)
    whole.flavor = "woff2"
    out = io.BytesIO()
    whole.save(out)
    return out.getvalue()


def characters(ranges: str) -> list[int]:
    """ "U+41-43, U+2019" as numbers."""
    found: list[int] = []
    for part in ranges.split(","):
        first, _, last = part.strip().removeprefix("U+").partition("-")
        found.extend(range(int(first, 16), int(last or first, 16) + 1))
    return found


def sprite(package: Mapping[str, Any], icons: Iterable[str], files: Mapping[str, bytes]) -> bytes:
    """Returns one SVG with a <symbol> for each icon; lines take their colour and width from the page."""
    ET.register_namespace("", SVG)
    lines = [f"<!-- {package['name']} {package['version']}, ISC licence: see NOTICE. Made by tools/vendor.py. -->"]
    lines.append(f'<svg xmlns="{SVG}">')
    for name in sorted(icons):
        drawing = ET.fromstring(files[f"icons/{name}.svg"])
        shapes = "".join(ET.tostring(shape, encoding="unicode").strip() for shape in drawing)
        shapes = shapes.replace(f' xmlns="{SVG}"', "")
        lines.append(f'<symbol id="{name}" viewBox="{drawing.get("viewBox")}">{shapes}</symbol>')
    return ("\n".join(lines) + "\n</svg>\n").encode()


def bring(record: bool) -> None:
    """Fetches and writes everything. Raises `Mismatch`, before writing, where a file differs from its recorded sum."""
    made: dict[str, bytes] = {}
    for package in packages():
        with tempfile.TemporaryDirectory(prefix="signet-vendor-") as place:
            made |= make(package, fetch(package, Path(place)))
    recorded = sums()
    if not record:
        for name in sorted(made.keys() | recorded.keys()):
            if name not in made or sha256(made[name]) != recorded.get(name):
                raise Mismatch(f"{name} does not come out as recorded. If that is meant, run with --record.")
    for name, data in made.items():
        path = ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    if record:
        head = LIST.read_text(encoding="utf-8").partition(SUMS)[0]
        tail = "".join(f'"{name}" = "{sha256(data)}"\n' for name, data in sorted(made.items()))
        LIST.write_text(f"{head}{SUMS}\n{tail}", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Bring in, or check, the browser files that others wrote.")
    parser.add_argument("--check", action="store_true", help="compare the files with their sums, without network")
    parser.add_argument("--record", action="store_true", help="write the sums of what was fetched into vendor.toml")
    asked = parser.parse_args()
    if not asked.check:
        try:
            bring(asked.record)
        except Mismatch as mismatch:
            sys.stderr.write(f"{mismatch}\n")
            return 1
    wrong = check()
    sys.stderr.write("".join(f"{line}\n" for line in wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())

"""What the browser's own script makes of files of receipts, run by the Node that Playwright brings; no browser."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from playwright._impl._driver import compute_driver_executable

from tests.server import ROOT

SCRIPT = """
import { readFileSync } from "node:fs";
import { check, parse } from "./static/js/record.js";
const verdict = (text) => {
  try { return check(parse(text)).wrong; } catch (error) { return [`unreadable: ${error.message}`]; }
};
console.log(JSON.stringify(JSON.parse(readFileSync("files.json", "utf8")).map(verdict)));
"""


def wrong_in_javascript(files: Sequence[str], place: Path) -> list[list[str]]:
    """For each file what is wrong with it."""
    for name in ("js", "vendor"):
        shutil.copytree(ROOT / "static" / name, place / "static" / name)
    (place / "package.json").write_text('{"type": "module"}')
    (place / "files.json").write_text(json.dumps(files))
    (place / "check.js").write_text(SCRIPT)
    node = compute_driver_executable()[0]
    done = subprocess.run([node, "check.js"], cwd=place, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    found: list[list[str]] = json.loads(done.stdout)
    return found

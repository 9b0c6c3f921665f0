"""What the browser's own script makes of files of receipts, run by the Node that Playwright brings; no browser."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

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


WORDS = """
import { readFileSync } from "node:fs";
import { sixWords, words } from "./static/js/six-words.js";
console.log(JSON.stringify([words, JSON.parse(readFileSync("files.json", "utf8")).map(sixWords)]));
"""


def wrong_in_javascript(files: Sequence[str], place: Path) -> list[list[str]]:
    """For each file what is wrong with it."""
    found: list[list[str]] = _run(SCRIPT, files, place)
    return found


def six_words_in_javascript(heads: Sequence[str], place: Path) -> tuple[list[str], list[str]]:
    """All words by their places, and the six of each head."""
    words, said = _run(WORDS, heads, place)
    return words, said


def _run(script: str, given: Sequence[str], place: Path) -> Any:
    for name in ("js", "vendor"):
        shutil.copytree(ROOT / "static" / name, place / "static" / name)
    (place / "package.json").write_text('{"type": "module"}')
    (place / "files.json").write_text(json.dumps(given))
    (place / "check.js").write_text(script)
    node = compute_driver_executable()[0]
    done = subprocess.run([node, "check.js"], cwd=place, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)

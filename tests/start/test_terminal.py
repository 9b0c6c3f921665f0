"""What other people wrote, in a terminal and in the log: it is shown, and steers nothing."""

import ast
import io
import json
import logging
import re
import sys
from pathlib import Path

import pytest

from app import cli
from app.errors import UserError
from app.observability import logs
from app.ops import startup_banner, verify_command
from app.receipts.file import parse
from app.receipts.report import Report
from app.settings import Settings
from app.terminal import say, visible
from tests.receipts.recorder import examples
from tests.rulesets.whiskey.subject import WHISKEY_SUBJECT

APP = Path(cli.__file__).parent
HOSTILE = "\x1b[8mA\nB\u202eC\x9b2J\x07"
SHOWN = r"\x1b[8mA\nB\u202eC\x9b2J\x07"

SIGNS = {
    "": "",
    "Žluťoučký kůň 🐎 “so”": "Žluťoučký kůň 🐎 “so”",
    "hide\x1b[8m": r"hide\x1b[8m",
    "a\r\nb\tc\x00": r"a\r\nb\tc\x00",
    "\u202eright to left\u2066": r"\u202eright to left\u2066",
    "\u200b\ufeff\u00ad\u2028\u2029": r"\u200b\ufeff\xad\u2028\u2029",
    "\x85\x9b1m": r"\x85\x9b1m",
    "\ud800\U000e0041": r"\ud800\U000e0041",
}


@pytest.mark.parametrize("text", SIGNS)
def test_what_cannot_be_printed_is_escaped(text: str) -> None:
    assert visible(text) == SIGNS[text]


def test_only_one_module_prints() -> None:
    """A rulebook's people, which are our own words, are written as CSV."""
    found = set()
    texts = {path: path.read_text(encoding="utf-8") for path in APP.rglob("*.py")}
    for path, text in texts.items():
        for node in ast.walk(ast.parse(text)) if re.search(r"print\(|echo\(|std(out|err)\.", text) else ():
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if called in ("print", "typer.echo", "typer.secho", "sys.stdout.write", "sys.stderr.write"):
                found.add((str(path.relative_to(APP)), called))
    assert found == {
        ("terminal.py", "print"),
        ("cli.py", "sys.stdout.write"),
        ("observability/handlers.py", "sys.stderr.write"),  # of a log that cannot be written
    }


def test_a_terminal_that_lacks_letters_shows_escapes(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    say("“Žába”")
    assert raw.getvalue() == rb"\u201c\u017d\xe1ba\u201d" + b"\n"


def test_names_and_errors_are_printed_in_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    cli._say_links(Settings(public_url="https://a.test"), [(HOSTILE, "/enter/x")])
    assert capsys.readouterr().out == f"{SHOWN}\n  https://a.test/enter/x\n"
    with pytest.raises(SystemExit):
        cli._fail(HOSTILE, 2)
    assert capsys.readouterr().err == f"signet: {SHOWN}\n"
    place = startup_banner.Place("127.0.0.1", 1, 1, Path("/x"), None)
    assert f"\n  {SHOWN}\n" in startup_banner.text(place, [(HOSTILE, "/enter/x")])


@pytest.fixture(scope="module")
def honest() -> str:
    return examples(WHISKEY_SUBJECT, 1, 2)[0]


def test_a_forged_title_shows_no_verdict_of_its_own(
    honest: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [json.loads(line) for line in honest.splitlines()]
    verdict = verify_command.VERDICTS[0]
    lines[0]["title"] = f"{HOSTILE}”{' ' * 500}{verdict}\x1b]0;fine\x07{'x' * 10_000}"
    file = tmp_path / "a\x1b[2J.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert verify_command.verify([file]) == 1
    first, *others = capsys.readouterr().out.splitlines()
    assert first.startswith(rf"a\x1b[2J.jsonl: “{SHOWN}” {verdict}\x1b]0;fine\x07xxx") and len(first) < 600
    assert all(line.isprintable() for line in (first, *others))
    assert others[-1] == f"  {verify_command.VERDICTS[1]}" and any(
        "WRONG: The title or kind" in line for line in others
    )


def test_what_an_editor_adds_to_a_file_does_no_harm(honest: str, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    for raw in (b"\xef\xbb\xbf" + honest.encode(), honest.replace("\n", "\r\n").encode() + b"\r\n\r\n"):
        file.write_bytes(raw)
        assert verify_command.verify([file]) == 0
    header = json.loads(honest.splitlines()[0])
    for sign in ("\u2028", "\u2029", "\x85"):
        odd = {**header, "title": f"A{sign}B"}
        text = "\n".join([json.dumps(odd, ensure_ascii=False), *honest.splitlines()[1:]])
        assert parse(text).header.title == f"A{sign}B"


def test_what_has_no_end_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify_command, "MOST_BYTES", 1 << 20)
    with pytest.raises(UserError, match="/dev/zero is too large"):
        verify_command.verify([Path("/dev/zero")])


@pytest.mark.parametrize("deep", [2_000, 200_000])
def test_what_is_nested_too_deeply_is_said(honest: str, tmp_path: Path, deep: int) -> None:
    first, *others = honest.splitlines()
    record = next(json.loads(line) for line in others if '"closing' in line)
    nested = record["record"].replace('"event":{', '"event":{"a":' + "[" * deep + "]" * deep + ",", 1)
    file = tmp_path / "a.jsonl"
    file.write_text("\n".join([first, json.dumps({**record, "record": nested})]), encoding="utf-8")
    with pytest.raises(UserError, match=r"nested too deeply|cannot be read"):
        verify_command.verify([file])


def test_only_the_first_findings_are_printed(honest: str) -> None:
    report = Report(wrong=[f"w{n}" for n in range(251)], notes=["x" * 1000], head=bytes(32))
    lines = verify_command.report_lines("a", parse(honest), report)
    wrong = [line for line in lines if "WRONG" in line]
    assert len(wrong) == 101 and wrong[99:] == ["  WRONG: w99", "  WRONG: … and 151 more."]
    assert f"  note: {'x' * 400}… (600 more characters)" in lines


@pytest.mark.parametrize("style", ["json", "lines"])
def test_a_value_adds_no_line_to_the_log(style: logs.Style) -> None:
    made = logging.LogRecord("signet.x", logging.ERROR, "", 1, "at %s: %s", (HOSTILE, UserError(HOSTILE)), None)
    made.error, made.where = f"Type{HOSTILE}", ["one", f"two\x1b{HOSTILE}"]
    said = logs.Door(style).format(made)
    assert all(line.isprintable() for line in said.split("\n"))
    text = json.loads(said)["event"] if style == "json" else said
    assert f"at {SHOWN}: {SHOWN}" in text

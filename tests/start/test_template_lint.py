"""Templates: what djlint finds, what the content security policy forbids, and lines that may only get fewer."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import jinja2
import pytest
from jinja2 import nodes

pytestmark = pytest.mark.first
ROOT = Path(__file__).parents[2]
FOLDERS = [ROOT / "templates", ROOT / "app/rulesets"]
TEMPLATES = {path.relative_to(ROOT).as_posix(): path for folder in FOLDERS for path in sorted(folder.rglob("*.html"))}
READER = jinja2.Environment(extensions=["jinja2.ext.i18n", "jinja2.ext.do", "jinja2.ext.loopcontrols"])

WIDEST = 120
# Templates with longer lines, and how many. A template that is not listed has none.
LISTED = Path(__file__).with_name("long_template_lines.toml")

# Attributes that the content security policy makes useless: inline styles and scripts, htmx's too.
FORBIDDEN = re.compile(r"(?<![\w-])(style|on[a-z]+|hx-on[\w:-]*)\s*=")


def test_djlint_finds_nothing() -> None:
    """Which of its rules are left out stands in pyproject.toml."""
    command = [sys.executable, "-m", "djlint", "--lint", "--quiet", *map(str, FOLDERS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_long_lines_only_get_fewer() -> None:
    listed = tomllib.loads(LISTED.read_text(encoding="utf-8"))
    counts = {name: _long_lines(path) for name, path in TEMPLATES.items()}
    wrong = []
    for name in sorted(counts.keys() | listed.keys()):
        now, then = counts.get(name, 0), listed.get(name, 0)
        if now > then:
            wrong.append(f"{name}: {now} lines over {WIDEST} columns, {then} are allowed: wrap them")
        elif now < then:
            wrong.append(f"{name}: {f'lower its number to {now}' if now else 'remove its line'} in {LISTED.name}")
        elif name in listed and not now:
            wrong.append(f"{name}: remove its line in {LISTED.name}")
    assert wrong == []


def _long_lines(path: Path) -> int:
    return sum(len(line) > WIDEST for line in path.read_text(encoding="utf-8").splitlines())


def test_no_text_in_code_is_broken_by_a_line() -> None:
    """A key of a dictionary that a long line was wrapped in is never found again."""
    wrong = [
        f"{name}:{line}"
        for name, path in TEMPLATES.items()
        for line, kind, value in READER.lex(path.read_text(encoding="utf-8"))
        if kind == "string" and "\n" in value
    ]
    assert wrong == []


def test_no_line_has_a_tab_or_ends_in_a_blank() -> None:
    wrong = []
    for name, path in TEMPLATES.items():
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if "\t" in line or line != line.rstrip():
                wrong.append(f"{name}:{number}")
    assert wrong == []


def test_no_attribute_is_forbidden_by_the_content_security_policy() -> None:
    wrong = []
    for name, path in TEMPLATES.items():
        for number, kind, text in READER.lex(path.read_text(encoding="utf-8")):
            if kind in ("data", "string") and (found := FORBIDDEN.search(text)):
                wrong.append(f"{name}:{number + text[: found.start()].count(chr(10))}: {found[1]}")
    assert wrong == []


def test_only_fixed_text_is_marked_as_safe() -> None:
    """`' class="wide"' | safe` cannot carry what somebody typed; a value can, so what makes HTML returns Markup."""
    wrong = [f"{name}:{line}" for name, path in TEMPLATES.items() for line in _unsafe(path.read_text(encoding="utf-8"))]
    assert wrong == []


def _unsafe(source: str) -> Iterator[int]:
    tree = READER.parse(source)
    for node in tree.find_all(nodes.Filter):
        if node.name == "safe" and not isinstance(node.node, nodes.Const):
            yield node.lineno
    for node in tree.find_all(nodes.ScopedEvalContextModifier):
        yield node.lineno


@pytest.mark.parametrize(
    "source", ["{{ x | safe }}", "{{ ('<b>' ~ x) | safe }}", "{% autoescape false %}{{ x }}{% endautoescape %}"]
)
def test_a_value_marked_as_safe_is_found(source: str) -> None:
    assert list(_unsafe(source)) == [1]


@pytest.mark.parametrize(
    "source", ['<p style="x">', "<p\n onclick=x>", "{{ ' style=\"x\"' | safe }}", "<p hx-on:click='x'>"]
)
def test_a_forbidden_attribute_is_found(source: str) -> None:
    assert any(kind in ("data", "string") and FORBIDDEN.search(text) for _, kind, text in READER.lex(source))

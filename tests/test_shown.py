"""The words of pages: what is read from a page, and that a retired sentence is found wherever it comes back."""

import re
from pathlib import Path

import pytest

from tests import shown
from tools import texts

ROOT = Path(__file__).parents[1]
PAGE = """<title>Camp</title><h1>Your seat</h1>
<p>Save <strong>your
 personal</strong> link.</p><button title="Copy it">Copy</button><script>let word = "unseen";</script>"""


def test_the_words_of_a_page_line_by_line() -> None:
    assert shown.lines(PAGE) == ["Camp", "Your seat", "Save your personal link.", "[title: Copy it]", "Copy"]


@pytest.mark.parametrize("sentence", shown.RETIRED)
def test_a_retired_sentence_is_found_wherever_the_page_breaks_it(sentence: str) -> None:
    page = f"<p>{sentence.capitalize().replace(' ', chr(10) + '  ', 1).replace(chr(39), '&#39;')}</p>"
    assert sentence in shown.retired(page)
    with pytest.raises(AssertionError, match="says again"):
        shown.check("GET /", page)


def test_a_part_of_other_words_is_no_retired_sentence() -> None:
    assert shown.retired('<span class="mark">able found item lunar sphere tiny</span> a delay aside') == []


def test_no_source_says_a_retired_sentence() -> None:
    """Also refusals that no test provokes; a ruleset's files are read too."""
    wrong = {}
    for pattern in ("app/**/*.py", "app/**/*.html", "app/**/*.md", "app/**/*.toml", "templates/**/*", "static/js/*.js"):
        for path in ROOT.glob(pattern):
            if path.is_file() and (found := shown.retired(path.read_text(encoding="utf-8"))):
                wrong[path.relative_to(ROOT).as_posix()] = found
    assert wrong == {}


def test_each_command_has_help_in_words_that_are_not_retired() -> None:
    told = dict(shown.helps())
    assert {"signet --help", "signet play --help", "signet verify --help"} <= told.keys()
    for command, text in told.items():
        assert re.search(r"[A-Z]\w+ .*\.", text), command
        shown.check(command, text)


def test_lines_that_were_printed_are_left_out() -> None:
    lines = ["== GET /", "Signet", "Rules", "== GET /new", "Signet", "== GET /about", "Signet", "Who sees what"]
    assert list(texts.unread(lines)) == ["== GET /", "Signet", "Rules", "== GET /about", "Who sees what"]

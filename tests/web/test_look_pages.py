"""What holds for all pages: nothing inline that the CSP forbids, static files that browsers keep, a light start."""

import gzip
import re
from collections.abc import Iterable
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI

from app.engine.sentences import and_list
from app.web.http import templating

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted([*ROOT.glob("templates/**/*.html"), *ROOT.glob("app/rulesets/*/templates/**/*.html")])
SCRIPTS = [*ROOT.glob("static/js/*.js"), *ROOT.glob("app/rulesets/*/static/*.js")]
FIRST_LOAD = 90_000  # bytes, compressed: page, styles, scripts, fonts
PAGE_AT_MOST = 7_000  # of them for a player's page, which is sent as it is
FIELD, FIELD_ASKED = 8_000, 12_500  # bytes, compressed: the scripts of a mass battle, without and with a question
IMPORTED = re.compile(r'(?m)^import [^"]*"([^"]+)";')
WHISKEYS = [ROOT / f"app/rulesets/whiskey/static/{name}.js" for name in ("aim", "sentence")]
ON_THEIR_OWN = (
    "announce.js",
    "asked.js",
    "beats.js",
    "bell.js",
    "calendar.js",
    "copy.js",
    "film.js",
    "finding.js",
    "hashes.js",
    "keys-list.js",
    "keys.js",
    "last-call.js",
    "mended.js",
    "moments.js",
    "musters.js",
    "owned.js",
    "pan-zoom.js",
    "panels.js",
    "presence.js",
    "quiet-drafts.js",
    "select-width.js",
    "six-words.js",
    "record.js",
    "resend.js",
    "rolled.js",
    "step_acts.js",
    "steppers.js",
    "theme.js",
    "tables.js",
    "tally.js",
    "verify.js",
    "waiting.js",
    "working.js",
)
"""Scripts that only some pages load, and never the scene over https, or that follow when the page is there."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def client() -> httpx2.AsyncClient:
    app = FastAPI()
    templating.install_static(app)
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://signet")


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_template_has_what_the_csp_forbids(template: Path) -> None:
    text = template.read_text(encoding="utf-8")
    assert not re.search(r"""<[^>]*\s(style|on\w+|hx-on\S*)\s*=""", text)
    assert "<style" not in text
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)
    assert "javascript:" not in text and "js:" not in text


async def test_static_files_are_kept_for_ever_and_travel_light(client: httpx2.AsyncClient) -> None:
    answer = await client.get(templating.static("css/signet.css"))
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["content-type"].startswith("text/css")
    assert b"@layer reset,tokens,base,parts,pages;" in answer.content
    plain = await client.get(templating.static("css/signet.css"), headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == answer.content


async def test_an_old_pages_address_still_works_but_is_not_kept(client: httpx2.AsyncClient) -> None:
    answer = await client.get("/static/000000000000/css/signet.css")
    assert answer.status_code == 200
    assert "immutable" not in answer.headers.get("cache-control", "")


async def test_nothing_outside_the_folder_is_served(client: httpx2.AsyncClient) -> None:
    for path in ("/static/x/../../pyproject.toml", "/static/x/%2e%2e/%2e%2e/pyproject.toml", "/static/x", "/static/"):
        assert (await client.get(path)).status_code == 404


def test_comments_stay_at_home_and_nothing_else_does() -> None:
    css = templating.light(str(ROOT / "static/css/signet.css")).decode()
    assert "/*" not in css and css.count("{") == (ROOT / "static/css/signet.css").read_text().count("{")
    for script in SCRIPTS:
        lines = script.read_text(encoding="utf-8").splitlines()
        kept = templating.light(str(script)).decode().splitlines()
        assert len(lines) == len(kept)
        for number, (line, left) in enumerate(zip(lines, kept, strict=True), 1):
            code = "" if line.strip().startswith("//") else line.strip()
            assert code.startswith(left) and re.fullmatch(r"(\s+// [^'\"`]*)?", code[len(left) :]), (
                f"{script.name}:{number}"
            )
            assert line.count("`") % 2 == 0, f"{script.name}:{number}: a text over several lines could lose a line"


def test_a_missing_static_file_is_an_error_at_once() -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        templating.static("css/nowhere.css")


def test_the_first_load_is_light() -> None:
    def sent(path: Path) -> int:
        return len(gzip.compress(templating.light(str(path)), 9))

    sheets = [ROOT / f"static/css/{name}.css" for name in ("fonts", "signet", "parts", "scene", "frame")]
    scripts = [path for path in (ROOT / "static/js").glob("*.js") if path.name not in ON_THEIR_OWN]
    scripts += [ROOT / "static/vendor/htmx.org/4.0.1/htmx.min.js"]
    drawings = [ROOT / "static/sprite.svg", ROOT / "static/seal.svg"]
    text = sum(sent(path) for path in [*sheets, *scripts, *WHISKEYS, *drawings])
    fonts = sum(path.stat().st_size for path in (ROOT / "static/vendor").rglob("*-latin.woff2"))
    assert fonts > 0
    assert text + fonts + PAGE_AT_MOST <= FIRST_LOAD, f"{text} of text, {fonts} of fonts"


def test_the_field_of_a_battle_is_light() -> None:
    """What a page with a battle loads: at first, on phones with the small field, and once moves are asked for."""
    static = ROOT / "app/rulesets/chronicle/static"
    field = _with_imports(static / "field.js")
    assert ROOT / "static/js/pan-zoom.js" in field
    assert _packed(field | _with_imports(static / "overview.js")) <= FIELD
    kinds = {path for path in static.glob("field-*.js") if path.stem != "field-orders"}
    assert len(kinds) == 6
    for kind in kinds:
        asked = field | _with_imports(static / "field-orders.js") | _with_imports(kind)
        assert _packed(asked) <= FIELD_ASKED, (kind.stem, _packed(asked))


def _packed(scripts: Iterable[Path]) -> int:
    return sum(len(gzip.compress(templating.light(str(path)), 9)) for path in scripts)


def _with_imports(script: Path) -> set[Path]:
    """A script with all that it imports at once, without what the pages of scenes have already."""
    found, rest = set[Path](), [script]
    while rest:
        path = rest.pop()
        if path not in found and path.name != "swaps.js":
            found.add(path)
            for name in IMPORTED.findall(path.read_text(encoding="utf-8")):
                shared = ROOT / "static/js" / name.removeprefix("../../js/")
                rest.append(shared if name.startswith("../../js/") else path.parent / name)
    return found


def test_words_for_people() -> None:
    assert and_list(["Ann"]) == "Ann"
    assert and_list(["Ann", "Bea", "Cyd"], "or") == "Ann, Bea or Cyd"
    assert templating.signed(-4) == "−4"
    assert templating.signed(9) == "+9"
    assert templating.playing(-5, "8 of spades") == (
        '<span class="playing" title="8 of spades"><span class="said">the card 8 of spades counts </span>−5</span>'
    )

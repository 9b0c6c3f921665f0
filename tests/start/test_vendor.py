"""What others wrote is in the checkout byte for byte as recorded, small enough, and named where it must be."""

import importlib.util
import re
import shutil
from pathlib import Path
from types import ModuleType

import pytest

from app.web.calendar.words import KINDS, SIGNS

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def vendor() -> ModuleType:
    spec = importlib.util.spec_from_file_location("vendor", ROOT / "tools" / "vendor.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_vendored_file_is_as_recorded(vendor: ModuleType) -> None:
    assert len(vendor.sums()) >= 10
    assert vendor.check() == []


def test_a_changed_a_missing_and_an_extra_file_are_noticed(vendor: ModuleType, tmp_path: Path) -> None:
    for place in ("static/vendor", "tests/vendor"):
        shutil.copytree(ROOT / place, tmp_path / place)
    for name in ("sprite", "kinds"):
        shutil.copy(ROOT / f"static/{name}.svg", tmp_path / f"static/{name}.svg")
    assert vendor.check(root=tmp_path) == []
    (tmp_path / "static/sprite.svg").unlink()
    (tmp_path / "static/vendor/htmx.org/4.0.1/htmx.min.js").write_text("alert(1)")
    (tmp_path / "tests/vendor/stray.js").write_text("")
    assert [line.split()[0] for line in vendor.check(root=tmp_path)] == [
        "static/sprite.svg",
        "static/vendor/htmx.org/4.0.1/htmx.min.js",
        "tests/vendor/stray.js",
    ]


def test_an_archive_with_another_integrity_is_refused(
    vendor: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = dict(vendor.packages()[0])

    def pack(command: list[str], cwd: Path, **_: object) -> None:
        (cwd / "some.tgz").write_bytes(b"not what was pinned")

    monkeypatch.setattr(vendor.subprocess, "run", pack)
    with pytest.raises(vendor.Mismatch, match=r"as vendor\.toml says"):
        vendor.fetch(package, tmp_path)


def test_the_latin_fonts_together_stay_small(vendor: ModuleType) -> None:
    latin = [ROOT / name for name in vendor.sums() if name.endswith("-latin.woff2")]
    assert len(latin) == 2
    assert sum(path.stat().st_size for path in latin) <= 55_000


def test_font_rules_name_files_that_exist_and_the_characters_they_hold(vendor: ModuleType) -> None:
    css = ROOT / "static/css/fonts.css"
    rules = re.findall(r'src: url\("([^"]+)"\).*?unicode-range: ([^;]+);', css.read_text(encoding="utf-8"), re.S)
    by_file = {(css.parent / url).resolve(): ranges for url, ranges in rules}
    fonts = [(package, font) for package in vendor.packages() for font in package.get("font", [])]
    assert by_file == {ROOT / package["into"] / font["to"]: font["characters"] for package, font in fonts}
    assert all(path.is_file() for path in by_file)


def test_every_icon_a_template_asks_for_is_in_the_sprite() -> None:
    sprite = (ROOT / "static/sprite.svg").read_text(encoding="utf-8")
    there = set(re.findall(r'<symbol id="([^"]+)"', sprite))
    asked = set()
    for template in (*ROOT.glob("templates/**/*.html"), *ROOT.glob("app/rulesets/*/templates/**/*.html")):
        asked |= set(re.findall(r"""\bicon\(["']([\w-]+)["']""", template.read_text(encoding="utf-8")))
    assert asked and asked <= there


def test_every_kind_of_entry_has_an_icon_of_its_own() -> None:
    there = re.findall(r'<symbol id="([^"]+)"', (ROOT / "static/kinds.svg").read_text(encoding="utf-8"))
    assert sorted(SIGNS.values()) == there and SIGNS.keys() == KINDS.keys()


def test_notice_and_licences_cover_every_package(vendor: ModuleType) -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    for package in vendor.packages():
        place = ROOT / package["into"]
        assert (place / "LICENSE").is_file()
        assert package["into"].rpartition("/")[0] in notice

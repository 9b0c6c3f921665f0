"""Templates are compiled once for all processes of a user, in a folder that nobody else can change."""

import os
import shutil
from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment

from app.web.http import compiled_templates, templating
from app.web.http.compiled_templates import CompiledTemplates


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that Jinja compiles from now on."""
    sources: list[str] = []
    compile_source = Environment.compile

    def counted(environment: Environment, source: str, *more: object) -> object:
        sources.append(source)
        return compile_source(environment, source, *more)  # type: ignore[call-overload]

    monkeypatch.setattr(Environment, "compile", counted)
    return sources


def drawn(source: str, cache: CompiledTemplates | None) -> str:
    """What a new process draws from this source of a page."""
    return (
        Environment(loader=DictLoader({"page.html": source}), bytecode_cache=cache).get_template("page.html").render()
    )


def test_the_second_process_compiles_nothing(
    compiled: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    pages = [name for name in templating.environment().list_templates() if name.startswith("site/")]
    for _ in range(2):
        process = templating.environment.__wrapped__()
        for name in pages:
            process.get_template(name)
        assert len(compiled) == len(pages) > 5
    made = tmp_path / "cache" / "signet" / "templates"
    assert [one.stat().st_mode & 0o777 for one in (made, made.parent, made.parent.parent)] == [0o700] * 3


def test_another_source_another_maker_and_a_broken_file_are_compiled_anew(compiled: list[str], tmp_path: Path) -> None:
    first, other = CompiledTemplates(tmp_path, "Jinja 3"), CompiledTemplates(tmp_path, "Jinja 4")
    for source, cache in (("one", first), ("one", first), ("two", first), ("two", other)):
        assert drawn(source, cache) == source
    assert compiled == ["one", "two", "two"]
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-9])
    assert drawn("two", other) == "two" and len(compiled) == 4


def test_another_filter_makes_another_maker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment = Environment()
    plain = compiled_templates.of(environment, tmp_path)
    environment.filters["percent"] = templating.percent
    assert plain and (ours := compiled_templates.of(environment, tmp_path))
    assert plain.get_source_checksum("page") != ours.get_source_checksum("page")


def test_a_folder_that_is_gone_or_cannot_be_made_costs_no_page(compiled: list[str], tmp_path: Path) -> None:
    cache = compiled_templates.of(Environment(), tmp_path / "templates")
    shutil.rmtree(tmp_path / "templates")
    assert [drawn("one", cache), drawn("one", cache)] == ["one", "one"] and compiled == ["one", "one"]
    (tmp_path / "file").touch()
    assert compiled_templates.of(Environment(), tmp_path / "file" / "templates") is None
    assert compiled_templates.of(Environment(), Path("~/.cache/signet/templates")) is None, "a user without a home"


def test_a_folder_that_others_can_change_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    place = tmp_path / "above" / "templates"
    assert compiled_templates.of(Environment(), place)
    for folder, mode in ((place, 0o755), (place, 0o770), (place.parent, 0o777)):
        before = folder.stat().st_mode
        folder.chmod(mode)
        assert compiled_templates.of(Environment(), place) is None, f"{folder} may be {mode:o}"
        folder.chmod(before)
    (linked := tmp_path / "linked").symlink_to(place)
    assert compiled_templates.of(Environment(), linked) is None, "whoever owns the link decides where it leads"
    assert compiled_templates.of(Environment(), place)
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    assert compiled_templates.of(Environment(), place) is None, "it is another user's"

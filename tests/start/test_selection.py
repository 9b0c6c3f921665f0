"""What a run of the suite is made of: with `--changed` what is near the changes, and by what it knows that."""

import asyncio
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI

from tests import changes, recording
from tests.changes import ROOT, Pick, plan
from tests.picking import MOST, START, Picking
from tests.recording import Recorded

HOME, SHEET, BOARD = "templates/campaign/home.html", "static/css/home.css", "app/rulesets/duel/templates/board.html"
LAY = "app/web/scene/table.py"
PEOPLE, DUEL, SCENE = (f"tests/web/{name}_pages.py" for name in ("test_people", "test_duel", "test_scene"))
TURNS = "tests/browser/test_turns.py"
RECORDED = Recorded(
    {PEOPLE: 20, DUEL: 10, TURNS: 20},
    {
        HOME: [f"{PEOPLE}::test_home", f"{DUEL}::test_home[gm]"],
        BOARD: [f"{DUEL}::test_board", f"{TURNS}::test_turns"],
        LAY: [f"{SCENE}::test_lay"],
        SHEET: [f"{TURNS}::test_turns"],
        "static/js/main.js": [f"{TURNS}::test_turns"],
    },
)


def picked(*changed: str) -> set[str]:
    """The files of the picked tests, without those that each change to Python code picks."""
    made = plan([ROOT / name for name in changed], RECORDED)
    assert not made.whole_commit
    return {pick.file for pick in made.picks} - set(changes.HOUSE)


@pytest.mark.parametrize(
    ("changed", "near", "far"),
    [
        (HOME, {PEOPLE, DUEL, "tests/start/test_template_lint.py"}, {SCENE, TURNS, changes.ROUTES}),
        ("templates/campaign/new.html", {PEOPLE, "tests/web/test_look_pages.py"}, {DUEL, TURNS}),
        ("templates/new/new.html", {changes.ROUTES}, {PEOPLE, DUEL, TURNS}),
        (SHEET, {TURNS, "tests/web/test_look_css.py"}, {PEOPLE, DUEL, SCENE}),
        ("static/js/swaps.js", {TURNS, "tests/browser/test_modules.py"}, {PEOPLE, SCENE}),
        (BOARD, {DUEL, TURNS}, {PEOPLE, "tests/rulesets/duel/test_legal.py"}),
        (
            "app/rulesets/duel/declarations.py",
            {"tests/rulesets/duel/test_legal.py", "tests/rulesets/test_laws.py", "tests/practice/test_mind.py", DUEL}
            | {"tests/stored/test_stored.py"},
            {"tests/rulesets/whiskey/test_cards.py", "tests/table/test_races.py", PEOPLE, SCENE},
        ),
        (
            "app/table/closing.py",
            {"tests/table/test_races.py", "tests/kills/test_clock.py", "tests/receipts/test_receipts.py", DUEL, SCENE},
            {PEOPLE, "tests/rulesets/test_laws.py", "tests/web/test_every_page.py"},
        ),
        (LAY, {SCENE, DUEL, changes.ROUTES, "tests/web/test_page_cache.py"}, {PEOPLE, "tests/table/test_races.py"}),
        ("app/web/calendar/month.py", {"tests/web/test_calendar_pages.py", changes.ROUTES}, {PEOPLE, SCENE}),
        ("app/engine/chance.py", {"tests/engine/test_chance.py", "tests/rulesets/test_laws.py", DUEL}, {PEOPLE}),
        ("app/calendar/repeat.py", {"tests/calendar/test_repeat.py"}, {"tests/engine/test_chance.py", PEOPLE}),
        (
            "migrations/versions/0001_first.py",
            {"tests/start/test_migrate.py", "tests/campaign/test_migration.py", "tests/stored/test_stored.py"},
            {PEOPLE, DUEL, "tests/table/test_races.py"},
        ),
        ("docs/new.md", {"tests/test_docs.py"}, {PEOPLE}),
        ("docs/cases.md", {"tests/test_docs.py"}, {PEOPLE}),
        ("Dockerfile", {"tests/start/test_docker.py"}, {PEOPLE}),
        (PEOPLE, {PEOPLE}, {DUEL}),
        ("tests/kinds.py", {"tests/web/test_seal_blocks.py", "tests/rulesets/test_ways.py"}, {PEOPLE}),
        ("tests/stored/README.md", {"tests/stored/test_stored.py"}, {PEOPLE}),
        (
            "tests/rulesets/duel/cases/setup/any.toml",
            {"tests/rulesets/test_cases.py", "tests/rulesets/test_mutants.py"},
            {"tests/rulesets/duel/test_legal.py"},
        ),
        ("benchmarks/__main__.py", {"tests/benchmarks/test_benchmarks.py"}, {PEOPLE}),
    ],
)
def test_a_change_picks_what_is_near_it_and_not_what_is_far(changed: str, near: set[str], far: set[str]) -> None:
    files = picked(changed)
    assert near <= files and not far & files
    assert all((ROOT / file).exists() for file in near | far), "the names in this test are old"


@pytest.mark.parametrize("changed", ["pyproject.toml", "run.py", "tests/conftest.py", ".ci/run", "unheard-" + "of.bin"])
def test_what_may_touch_anything_runs_all_tests_of_a_commit(changed: str) -> None:
    picking = Picking.for_files([ROOT / HOME, ROOT / changed], RECORDED)
    assert not picking.picks
    assert picking.lines == (
        f"{HOME}: tests from 8 files",
        f"{changed}: may touch anything",
        "So all tests of a commit run.",
    )


def test_where_nothing_has_changed_almost_nothing_runs() -> None:
    assert {pick.file for pick in Picking.for_files([], RECORDED).picks} == {"tests/start/test_names.py"}


def test_more_than_ten_minutes_are_left_to_the_commit() -> None:
    def told(seconds: int) -> str:
        recorded = Recorded({PEOPLE: seconds, **dict.fromkeys(changes.HOUSE, 0)})
        return Picking.for_files([ROOT / PEOPLE], recorded).lines[-1]

    most = 2 * (MOST - START)
    assert told(most) == "So tests from 3 files run, about 600 s in two workers."
    assert told(most + 2) == "So all tests of a commit run, as these would take 601 s."


def test_a_test_of_a_ruleset_is_known_by_its_parameters() -> None:
    share = next(pick for pick in changes._share("chronicle", "tests/rulesets/test_laws.py"))
    names = {f"test_law[{each}]" for each in ("chronicle-hand", "hand", "duel-duel", "handy")} | {"test_all"}
    assert {name for name in names if share.takes(name, names)} == {
        "test_law[chronicle-hand]",
        "test_law[hand]",
        "test_all",
    }
    assert not share.takes("test_all", names, nightly=True), "what is slow is not slow for this ruleset alone"


def test_a_recorded_test_that_is_gone_picks_its_whole_file() -> None:
    assert not Pick(PEOPLE, "test_home").takes("test_other", {"test_home", "test_other"})
    assert Pick(PEOPLE, "test_old").takes("test_other", {"test_home", "test_other"})


def test_a_recorded_file_that_is_gone_picks_the_tests_of_the_folder_too() -> None:
    gone = Recorded(tests={HOME: ["tests/web/test_gone.py::test_home"], "templates/campaign/call.html": [f"{DUEL}::a"]})
    assert Pick(DUEL, "a", nightly=True) in plan([ROOT / HOME], gone).picks


@pytest.fixture
def items(request: pytest.FixtureRequest) -> list[pytest.Item]:
    """Three tests of this file: two of a commit, one for the night."""
    made = [
        pytest.Function.from_parent(request.node.parent, name=name, callobj=lambda: None)
        for name in ("test_one", "test_two", "test_night")
    ]
    made[2].add_marker("nightly")
    return list(made)


HERE = Path(__file__).relative_to(ROOT).as_posix()


@pytest.mark.parametrize(
    ("picks", "seconds", "expected"),
    [
        ([], 0, {"test_one", "test_two"}),
        ([Pick(HERE)], 10, {"test_one", "test_two"}),
        ([Pick(HERE, nightly=True)], 10, {"test_one", "test_two", "test_night"}),
        ([Pick(HERE, nightly=True)], 0, {"test_one", "test_two"}),
        ([Pick(HERE, "test_two"), Pick(PEOPLE)], 10, {"test_two"}),
        ([Pick(HERE, "test_night", nightly=True)], 10, {"test_night"}),
    ],
)
def test_tests_of_the_night_run_if_picked_and_if_there_is_time(
    items: list[pytest.Item], picks: list[Pick], seconds: float, expected: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIGNET_NIGHTLY", "no")
    assert {item.name for item in Picking(frozenset(picks), seconds).of(items)} == expected


def test_a_worker_is_handed_what_was_picked_and_reads_no_other_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIGNET_PICKS", "")
    picks = frozenset({Pick(PEOPLE, "test_home"), Pick(DUEL, words=("duel",), nightly=True)})
    Picking(picks, 7.5, ("a line",)).hand_on()
    worker = Picking.handed_on()
    assert (worker.picks, worker.room_for_nightly, worker.lines) == (picks, 7.5, ())
    read = [name for name in (PEOPLE, DUEL, SCENE, "tests/web") if not worker.pytest_ignore_collect(ROOT / name)]
    assert read == [PEOPLE, DUEL, "tests/web"]


def test_a_revision_that_git_does_not_know_is_told() -> None:
    with pytest.raises(pytest.UsageError, match="no-such-revision"):
        Picking.since("no-such-revision")


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """This process notes what it renders, until the test is over."""
    from fastapi.routing import APIRoute

    from app.web.http import templating

    monkeypatch.setattr(APIRoute, "handle", APIRoute.handle)
    monkeypatch.setattr(templating, "static", templating.static)
    monkeypatch.setattr(templating.environment(), "get_template", templating.environment().get_template)
    monkeypatch.setitem(templating.environment().globals, "static", templating.static)
    monkeypatch.setenv(recording.NOTES, str(tmp_path / "notes"))
    recording.watch()
    yield tmp_path / "notes"


def test_a_request_notes_its_module_its_templates_and_what_they_link(watched: Path) -> None:
    from app.web.http.templating import environment, static

    app = FastAPI()

    @app.get("/there")
    def there() -> str:
        environment().get_template("scene/parts.html")
        return static("css/home.css")

    async def ask() -> httpx2.Response:
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://signet.test") as http:
            return await http.get("/there")

    assert asyncio.run(ask()).status_code == 200
    lines = set(watched.read_text().splitlines())
    assert {re.sub(r"^GET .*there\t", "", line) for line in lines} >= {HERE, "templates/scene/parts.html", SHEET}


def test_a_template_is_noted_with_the_macros_that_it_imports(watched: Path) -> None:
    from app.web.http.templating import environment

    environment().get_template("campaign/home.html")
    imported = re.findall(r'from "([\w/.-]+)" import', (ROOT / HOME).read_text())
    assert imported and {f"\ttemplates/{name}" for name in (*imported, "campaign/home.html")} <= set(
        watched.read_text().splitlines()
    )


def covering(took: dict[str, float], enough: float, **routes: Iterable[str]) -> list[str]:
    tests = {f"tests/web/{name[0]}.py::{name}": set(of) for name, of in routes.items()}
    seconds = {f"tests/web/{name[0]}.py::{name}": lasted for name, lasted in took.items()}
    return [test.partition("::")[2] for test in recording.covering(tests, seconds, enough)]


def test_a_few_tests_cover_all_routes_from_all_files_in_the_time_there_is() -> None:
    took = {"a1": 1.0, "a2": 1.0, "a3": 10.0, "b1": 10.0, "c1": 100.0}
    routes = {"a1": ["x"], "a2": ["x", "y"], "a3": ["z"], "b1": ["x"], "c1": ["x", "w"]}
    assert covering(took, 40, **routes) == ["a2", "a3", "b1"], "a1 adds nothing, c1 takes too long"
    assert covering(took, 5, **routes) == ["a2"]
    assert covering(took, 0, c1=["x"]) == ["c1"], "one at least"


def test_files_that_did_not_run_stay_as_they_were_recorded(tmp_path: Path) -> None:
    before = Recorded(
        {PEOPLE: 20, DUEL: 10, "tests/gone.py": 5}, {HOME: [f"{PEOPLE}::a", f"{DUEL}::old", "tests/gone.py::a"]}
    )
    took = {f"{DUEL}::new": 3.0, f"{TURNS}::turns": 30.0}
    notes = {
        f"{DUEL}::new": [f"GET home\t{HOME}", f"GET home\t{SHEET}"],
        f"{TURNS}::turns": [f"GET home\t{SHEET}"],
    }
    after = recording.merged(before, took, notes)
    assert after.seconds == {PEOPLE: 20, DUEL: 5, TURNS: 50}
    assert after.tests == {HOME: [f"{PEOPLE}::a", f"{DUEL}::new"], SHEET: [f"{TURNS}::turns"]}, "styles need a browser"
    after.write(tmp_path / "recorded.toml")
    assert Recorded.read(tmp_path / "recorded.toml") == after


def test_a_sweep_through_all_routes_is_recorded_only_where_nothing_closer_is() -> None:
    sweep = [f"GET {number}\ttemplates/base.html" for number in range(recording.SWEEP)]
    sweep += [f"GET home\t{HOME}", f"GET play\t{BOARD}"]
    notes = {f"{SCENE}::sweep": sweep, f"{PEOPLE}::home": [f"GET home\t{HOME}"]}
    after = recording.merged(Recorded(), dict.fromkeys(notes, 1.0), notes)
    assert after.tests[HOME] == [f"{PEOPLE}::home"] and after.tests[BOARD] == [f"{SCENE}::sweep"]

"""The benchmarks run and print their table, on sizes so small that no figure means anything; no time is judged here."""

import re
import shutil
from pathlib import Path

import psycopg
import pytest

from app.rulesets.chronicle.mass.state import SIDES
from benchmarks import __main__ as program
from benchmarks import (
    answers,
    armies,
    battles,
    calendars,
    cycles,
    duels,
    fights,
    fives,
    ground,
    histories,
    pages,
    retelling,
    reveals,
    seals,
    statements,
    stops,
    tables,
)  # fmt: skip
from benchmarks.closings import same_chance
from benchmarks.figures import Figure, Missing, table


def test_the_table_says_which_bounds_hold() -> None:
    rows = table(
        [
            Figure(name="slow", measured="5 s", floor="1 s", ratio=5.0, at_most=2.5),
            Figure(name="fast", measured="9/s", floor="10/s", ratio=0.9, at_least=0.5),
            Figure(name="only shown", measured="3 ms"),
        ]
    ).splitlines()
    assert [line.split()[-1] for line in rows[2:4]] == ["NO", "yes"]
    assert "≤ 2.5" in rows[2] and "≥ 0.5" in rows[3]
    assert rows[4].split() == ["only", "shown", "3", "ms"]


def test_check_fails_where_a_bound_misses_or_a_tool_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def slow(*, quick: bool) -> list[Figure]:
        return [Figure(name="slow", measured="5 s", ratio=5.0, at_most=2.5)]

    def lacking(*, quick: bool) -> list[Figure]:
        raise Missing("`wrk` is missing: install it.")

    monkeypatch.setattr(program, "SUITES", {"slow": slow, "lacking": lacking})
    assert program.main(["slow"]) == 0
    assert program.main(["--check", "slow"]) == 1
    assert program.main(["--check", "lacking"]) == 1
    assert "Not measured: lacking: `wrk` is missing: install it." in capsys.readouterr().out
    with pytest.raises(SystemExit):
        program.main(["nothing"])


def test_a_whole_run_is_put_into_the_page(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Finds a page that has lost the place for its figures, or loses what stands around them."""

    def lacking(*, quick: bool) -> list[Figure]:
        raise Missing("`wrk` is missing: install it.")

    ours = Figure(name="a page", measured="5/s", floor="9/s", ratio=0.56, at_least=0.5, work=0.0123, floor_work=0.001)
    page = tmp_path / "performance.md"
    page.write_text(program.PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    before, _, after = page.read_text(encoding="utf-8").partition("<!-- figures -->")
    monkeypatch.setattr(program, "PAGE", page)
    monkeypatch.setattr(program, "SUITES", {"ours": lambda *, quick: [ours], "lacking": lacking})
    assert program.main(["--write"]) == program.main(["--write", "--quick"]) == 0
    told = page.read_text(encoding="utf-8")
    assert told.startswith(before) and told.endswith(after.partition("<!-- end of figures -->")[2])
    assert told.count("| a page | 5/s | 9/s | 0.56 | 12.30 : 1.00 ms | ≥ 0.5 | yes |") == 1
    assert "`run.py bench --quick --write`" in told and "Not measured: lacking: `wrk` is missing" in told
    with pytest.raises(SystemExit):
        program.main(["--write", "ours"])


def test_battles_have_both_floors_at_each_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battles, "ENOUGH", 20)
    monkeypatch.setattr(battles, "_diplomacy", lambda games: games * 1e-6)  # an extra that tests do without
    found = list(battles.figures(quick=True, sizes=(10, 20)))
    assert [f.at_most for f in found] == [1.0, 3.0, 1.0, 3.0, 1.1]
    assert all(f.ratio is not None and f.ratio > 0 for f in found)
    assert re.search(r"n\^\d\.\d\d", found[-1].measured)
    assert len(table(found).splitlines()) == 7


def test_the_floor_makes_and_folds_the_very_events_of_the_round() -> None:
    begun, again = battles._begun(12), battles._begun(12)
    battles._round(12, begun)
    retelling.replay(battles._log(12), again[0])
    assert again[0].events == begun[0].events
    assert again[0].state == begun[0].state


def test_a_clash_is_held_against_making_and_folding_its_events() -> None:
    (figure,) = duels.figures(quick=True, count=2)
    assert figure.ratio is not None and figure.ratio > 0 and figure.at_most == 3.0
    for clash in duels._clashes(2):
        log, again = clash.begin(), clash.begin()
        duels._resolve(clash, log)
        retelling.replay(clash.log, again)
        assert again.events == log.events
        assert again.state == log.state


def test_a_round_of_a_fight_is_held_against_one_of_a_battle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fights, "TABLES", 1)
    monkeypatch.setattr(battles, "ENOUGH", 4)
    found = list(fights.figures(quick=True, sizes=(2, 4)))
    assert [figure.at_most for figure in found] == [6.0, 6.0]
    assert all(figure.ratio is not None and figure.ratio > 0 for figure in found)
    told = []
    for closing in fights.prepared(4):
        log = closing.begin()
        fights.HAND.resolve(log, closing.step, closing.answers, same_chance())
        told += [event.event.kind for event in log.events]
    assert (told.count("ordered"), told.count("struck"), told.count("contest")) == (4, 4, 2)


def test_a_round_of_two_armies_is_held_against_one_of_a_battle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(armies, "TABLES", 1)
    monkeypatch.setattr(battles, "ENOUGH", 4)
    (figure,) = armies.figures(quick=True)
    assert figure.at_most == 3.0 and figure.ratio is not None and figure.ratio > 0
    closings, told = armies.prepared(), []
    assert [len(closings[0].state.of(side)) for side in SIDES] == [9, 9]
    for closing in closings:
        log = closing.begin()
        armies.MASS.resolve(log, closing.step, closing.answers, same_chance())
        told += [event.event.kind for event in log.events]
    assert told.count("moved") >= 9 and told.count("fought") >= 6 and "shot" in told and told.count("round-over") == 1


def test_a_cycle_of_wizards_is_held_against_a_round_of_a_battle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cycles, "ENOUGH", 4)
    monkeypatch.setattr(battles, "ENOUGH", 4)
    found = list(cycles.figures(quick=True, sizes=(8, 16)))
    assert [figure.at_most for figure in found] == [3.0, 3.0, 1.15]
    assert all(figure.ratio is not None and figure.ratio > 0 for figure in found[:2])
    state, step, answers = cycles.prepared(16)
    log: cycles.Table = cycles.Recorder(state, cycles.FIGHT.apply)
    cycles.FIGHT.resolve(log, step, answers, cycles.SeededChance(b"open" * 8, b"shut" * 8))
    judged = [told.event.card.verdict for told in log.events if told.event.kind == "judged"]
    assert len(judged) == 8 and "fired" in judged and "not_fired" in judged


@pytest.mark.anyio
async def test_the_floor_of_a_seal_still_seals(db_url: str) -> None:
    """Finds a script that the tables have left behind: it seals at each table, one revision after the other."""
    if not shutil.which("pgbench"):
        pytest.skip("pgbench is not installed")
    chairs = [table.players[0] for table in await tables.lay_tables(db_url, 2)]
    assert statements.pgbench(db_url, chairs, 1) > 0
    with psycopg.connect(ground.plain(db_url)) as connection:
        for chair in chairs:
            envelopes = "SELECT revision, box IS NULL FROM envelopes WHERE scene_id = %s AND seat = 'alice' ORDER BY 1"
            laid = connection.execute(envelopes, [chair.scene]).fetchall()
            last = len(laid)
            assert last > statements.REPEATS and laid == [(n + 1, n + 1 < last) for n in range(last)]


def test_seals_are_measured_over_http(monkeypatch: pytest.MonkeyPatch, postgres_url: str) -> None:
    if not (shutil.which("wrk") and shutil.which("pgbench")):
        with pytest.raises(Missing, match="Install the package"):
            list(seals.figures(quick=True, count=2))
        return
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    rate, slowest, draft = seals.figures(quick=True, count=20)
    assert rate.ratio is not None and rate.ratio > 0 and rate.at_least == 0.2
    assert draft.ratio is not None and draft.ratio > 0 and draft.at_most == 0.3
    assert slowest.measured.endswith("ms")


def test_a_missing_tool_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Missing, match="Install the package wrk"):
        ground.tool("wrk")


@pytest.mark.nightly
def test_reveals_are_measured_on_open_streams(monkeypatch: pytest.MonkeyPatch, postgres_url: str) -> None:
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    monkeypatch.setattr(reveals, "WATCHING", 3)
    hint, fetched, memory = reveals.figures(quick=True, streams=12)
    assert [figure.at_most for figure in (hint, fetched, memory)] == [2.5, 1.5, 1.3]
    assert hint.ratio is not None and hint.ratio > 0 and fetched.ratio is not None and fetched.ratio > 0


@pytest.mark.once
@pytest.mark.nightly
def test_answers_are_measured_on_open_connections_to_two_workers(
    monkeypatch: pytest.MonkeyPatch, postgres_url: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    monkeypatch.setattr(answers, "WARM", 1)
    small, page = answers.figures(quick=True, count=2)
    assert small.ratio is not None and small.ratio > 0 and page.ratio is not None and page.ratio > 0
    assert small.at_most == page.at_most == 10.0 and small.work is not None


@pytest.mark.once
@pytest.mark.nightly
def test_a_stop_is_measured_up_to_the_last_bar(monkeypatch: pytest.MonkeyPatch, postgres_url: str) -> None:
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    [stop] = stops.figures(quick=True, pages=3)
    assert stop.ratio is not None and stop.ratio > 0 and stop.at_most == 1.0 and stop.floor == "2 s"


def test_pages_are_measured_and_their_first_load_weighed(monkeypatch: pytest.MonkeyPatch, postgres_url: str) -> None:
    if not shutil.which("wrk"):
        pytest.skip("wrk is not installed")
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    rate, first, sent = pages.figures(quick=True, count=2)
    assert rate.ratio is not None and rate.ratio > 0 and rate.at_least == 0.25
    assert first.ratio is not None and 0.2 < first.ratio < 3 and sent.measured.endswith("kB")


@pytest.mark.once
@pytest.mark.nightly
def test_a_full_month_is_measured_against_an_empty_one(monkeypatch: pytest.MonkeyPatch, postgres_url: str) -> None:
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    figures = list(calendars.figures(quick=True, entries=700))
    assert [(one.name, one.at_most) for one in figures] == [
        ("A month of 700 entries", 3.0), ("An empty month again", 0.5), ("A month of 700 again", 0.8),
    ]  # fmt: skip
    assert all(one.ratio is not None and one.ratio > 0 for one in figures)


def test_a_font_counts_where_the_page_has_one_of_its_signs() -> None:
    one = "@font-face { src: url(a.woff2); unicode-range: U+20-7E; }"
    sheet = f"{one} @font-face {{ src: url(b.woff2); unicode-range: U+101; }}"
    assert pages.ASKED.findall(pages._used(sheet, {0x41}))[0][0] == "a.woff2"
    assert len(pages.ASKED.findall(pages._used(sheet, {0x41}))) == 1
    assert len(pages.ASKED.findall(pages._used(sheet, {0x41, 0x101}))) == 2


@pytest.mark.nightly
def test_a_late_round_is_held_against_an_early_one(monkeypatch: pytest.MonkeyPatch, postgres_url: str) -> None:
    """Finds a battle that ends before the round that is measured, or a seal that is refused there."""
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    page, seal, film, length = histories.figures(quick=True, few=3, many=5, count=2)
    assert page.at_most == seal.at_most == film.at_most == length.at_most == 1.15
    assert length.ratio is not None and 0.9 < length.ratio < 1.3 and page.work is not None


@pytest.mark.nightly
def test_a_seal_at_a_table_of_five_is_held_against_whole_pages(
    monkeypatch: pytest.MonkeyPatch, postgres_url: str
) -> None:
    """Finds a browser that gets its page whole after another's seal, or an answer that is as long as that."""
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    work, sent = fives.figures(quick=True, count=3)
    assert work.at_most == sent.at_most == 1 / 3 and work.work is not None
    assert sent.ratio is not None and sent.ratio < 1 / 3

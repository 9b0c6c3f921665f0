"""The benchmarks run and print their table, on sizes so small that no figure means anything; no time is judged here."""

import re
import shutil

import pytest

from benchmarks import __main__ as program
from benchmarks import (
    battles,
    calendars,
    cycles,
    duels,
    fights,
    ground,
    pages,
    retelling,
    reveals,
    seals,
    statements,
    tables,
)  # fmt: skip
from benchmarks.figures import Figure, Missing, table


@pytest.mark.once
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


@pytest.mark.once
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


@pytest.mark.once
def test_battles_have_both_floors_at_each_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battles, "ENOUGH", 20)
    monkeypatch.setattr(battles, "_diplomacy", lambda games: games * 1e-6)  # an extra that tests do without
    found = list(battles.figures(quick=True, sizes=(10, 20)))
    assert [f.at_most for f in found] == [1.0, 3.0, 1.0, 3.0, 1.1]
    assert all(f.ratio is not None and f.ratio > 0 for f in found)
    assert re.search(r"n\^\d\.\d\d", found[-1].measured)
    assert len(table(found).splitlines()) == 7


@pytest.mark.once
def test_the_floor_makes_and_folds_the_very_events_of_the_round() -> None:
    begun, again = battles._begun(12), battles._begun(12)
    battles._round(12, begun)
    retelling.replay(battles._log(12), again[0])
    assert again[0].told == begun[0].told
    assert again[0].state == begun[0].state


@pytest.mark.once
def test_a_clash_is_held_against_making_and_folding_its_events() -> None:
    (figure,) = duels.figures(quick=True, count=2)
    assert figure.ratio is not None and figure.ratio > 0 and figure.at_most == 3.0
    for clash in duels._clashes(2):
        tale, again = clash.begin(), clash.begin()
        duels._resolve(clash, tale)
        retelling.replay(clash.log, again)
        assert again.told == tale.told
        assert again.state == tale.state


@pytest.mark.once
def test_a_round_of_a_fight_is_held_against_one_of_a_battle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fights, "TABLES", 1)
    monkeypatch.setattr(battles, "ENOUGH", 4)
    found = list(fights.figures(quick=True, sizes=(2, 4)))
    assert [figure.at_most for figure in found] == [6.0, 6.0]
    assert all(figure.ratio is not None and figure.ratio > 0 for figure in found)
    told = []
    for closing in fights.prepared(4):
        tale = closing.begin()
        fights.HAND.resolve(tale, closing.step, closing.answers, fights._chance())
        told += [event.event.kind for event in tale.told]
    assert (told.count("ordered"), told.count("struck"), told.count("contest")) == (4, 4, 2)


@pytest.mark.once
def test_a_cycle_of_wizards_is_held_against_a_round_of_a_battle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cycles, "ENOUGH", 4)
    monkeypatch.setattr(battles, "ENOUGH", 4)
    found = list(cycles.figures(quick=True, sizes=(8, 16)))
    assert [figure.at_most for figure in found] == [3.0, 3.0, 1.15]
    assert all(figure.ratio is not None and figure.ratio > 0 for figure in found[:2])
    state, step, answers = cycles.prepared(16)
    tale: cycles.Table = cycles.Telling(state, cycles.FIGHT.apply)
    cycles.FIGHT.resolve(tale, step, answers, cycles.SeededChance(b"open" * 8, b"shut" * 8))
    judged = [told.event.card.verdict for told in tale.told if told.event.kind == "judged"]
    assert len(judged) == 8 and "fired" in judged and "not_fired" in judged


@pytest.mark.anyio
async def test_a_seal_is_noted_and_sent_again_by_pgbench(db_url: str) -> None:
    one, *rest = [table.players[0] for table in await tables.lay_tables(db_url, 3)]
    noted = await statements.note(db_url, one)
    words = [entry.text.split()[0] for entry in noted]
    assert words.count("COMMIT") == words.count("BEGIN") == 1 and "WITH" in words, words
    assert sum(bool(entry.revision) for entry in noted) == 1, "one statement tells the newest revision"
    text, fixed = statements.script(noted, one)
    assert str(one.scene) not in text and str(one.scene) not in fixed.values(), "each table has its own"
    if shutil.which("pgbench"):
        assert statements.pgbench(db_url, noted, one, rest, 1) > 0


def test_seals_are_measured_over_http(monkeypatch: pytest.MonkeyPatch, postgres_url: str) -> None:
    if not (shutil.which("wrk") and shutil.which("pgbench")):
        with pytest.raises(Missing, match="Install the package"):
            list(seals.figures(quick=True, count=2))
        return
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    rate, slowest = seals.figures(quick=True, count=20)
    assert rate.ratio is not None and rate.ratio > 0 and rate.at_least == 0.2
    assert slowest.measured.endswith("ms")


def test_a_missing_tool_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Missing, match="Install the package wrk"):
        ground.tool("wrk")


def test_reveals_are_measured_on_open_streams(monkeypatch: pytest.MonkeyPatch, postgres_url: str) -> None:
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    monkeypatch.setattr(reveals, "WATCHING", 3)
    hint, fetched, memory = reveals.figures(quick=True, streams=12)
    assert [figure.at_most for figure in (hint, fetched, memory)] == [2.5, 1.5, 1.3]
    assert hint.ratio is not None and hint.ratio > 0 and fetched.ratio is not None and fetched.ratio > 0


def test_pages_are_measured_and_their_first_load_weighed(monkeypatch: pytest.MonkeyPatch, postgres_url: str) -> None:
    if not shutil.which("wrk"):
        pytest.skip("wrk is not installed")
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    rate, first, sent = pages.figures(quick=True, count=2)
    assert rate.ratio is not None and rate.ratio > 0 and rate.at_least == 0.25
    assert first.ratio is not None and 0.2 < first.ratio < 3 and sent.measured.endswith("kB")


@pytest.mark.once
def test_a_full_month_is_measured_against_an_empty_one(monkeypatch: pytest.MonkeyPatch, postgres_url: str) -> None:
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    (figure,) = calendars.figures(quick=True, entries=700)
    assert figure.name == "A month of 700 entries" and figure.ratio is not None and figure.at_most == 3.0


def test_a_font_counts_where_the_page_has_one_of_its_signs() -> None:
    one = "@font-face { src: url(a.woff2); unicode-range: U+20-7E; }"
    sheet = f"{one} @font-face {{ src: url(b.woff2); unicode-range: U+101; }}"
    assert pages.ASKED.findall(pages._used(sheet, {0x41}))[0][0] == "a.woff2"
    assert len(pages.ASKED.findall(pages._used(sheet, {0x41}))) == 1
    assert len(pages.ASKED.findall(pages._used(sheet, {0x41, 0x101}))) == 2

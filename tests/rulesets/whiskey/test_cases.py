"""Whether the runner of case files notices a case that is wrong, shown with a case of Whiskey."""

import re
from pathlib import Path

import pytest

from app.casefiles.play import play_file, run

ROOT = Path(__file__).parents[3]
SHAMAN = Path(__file__).parent / "cases/pairing/shaman.toml"


FALSIFIED = [
    ("hp = 15\nable = true", "hp = 14\nable = true", "failed", "fighters.alice.hp: expected 14, is 15"),
    ('"WHI-36/die/second>bob" = 1', '"spare" = 1\n"WHI-36/die/second>bob" = 1', "failed", "luck nobody drew: spare"),
    ('"WHI-36/die/second>bob" = 1\n', "", "failed", "no value for the draw 'WHI-36/die/second>bob'"),
    ('"WHI-36/die/second>bob" = 1\n', '"WHI-36/die/second>bob" = 7\n', "failed", "the faces 1..6"),
    ("damage = 7", "damage = 6", "failed", "damage: expected 6, is 7"),
    ('why = "guard"\nrule = "WHI-14"', 'why = "guard"\nrule = "WHI-12"', "failed", "rule: expected 'WHI-12'"),
    ('[[step.expect]]\nkind = "stopped"\nwho = "bob"\n', "", "failed", "unexpected event"),
    ('who = "bob"\nafter', 'who = "bob"\nfollows = []\nafter', "failed", "follows: expected 0 events"),
    ("count = 24", "count = 25", "failed", "left.count: expected 25, is 24"),
    ("lacks = [2, 13]", "lacks = [2, 12]", "failed", "has 12"),
    ('hp = "(none)"', "hp = 8", "failed", "view.alice.fighters.shaman.hp"),
    ('attack = "shaman"', 'attack = "nobody"', "failed", "refused to alice"),
    ('key = "r1/declare"', 'key = "r1/dream"', "failed", "never opens"),
    ("[step.answers.bob.of.bob]", "[step.answers.zoe.of.zoe]", "failed", "nobody asks zoe"),
    ('"WHI-12", ', '"WHI-99", ', "unusable", "no WHI-99"),
    ('ruleset = "whiskey"', 'ruleset = "gin"', "unusable", "gin"),
    ('kind = "battle"', 'kind = "duel"', "unusable", "duel"),
    ("[[step]]\n", "[[stepp]]\n", "unusable", "stepp"),
    ('title = "', 'title = ', "unusable", "not valid TOML"),
    ('cards = ["second-wind"]', 'cards = ["double-strike"]', "unusable", "double-strike"),
    ("combat = 11", "comat = 11", "unusable", "comat"),
    ("combat = 9", "comat = 9", "unusable", "comat"),
    ('intent = "attack"', 'intend = "attack"', "unusable", "alice answers declare: of.alice.intend: There is no"),
    ('intent = "attack"', 'intent = "attack"\n[step.answers.gm]\nhow = "sealt"', "unusable", "not 'sealt'"),
    ('"failed", "checked"', '"failed", "cheked"', "unusable", "no event 'cheked'; do you mean 'checked'?"),
    ('kind = "stopped"', 'kind = "stoped"', "unusable", "step r1/declare: expect 2: there is no event 'stoped'"),
    ('why = "guard"', 'wy = "guard"', "unusable", "there is no 'wy'; do you mean 'why'?"),
    ('why = "guard"', 'unseen_by = ["bobb"]', "unusable", "unseen_by: nobody sits at 'bobb'; do you mean 'bob'?"),
    ('why = "guard"', 'seen_by = "bob"', "unusable", "seen_by is a list of seats"),
    ('why = "guard"', 'follows = [{ kind = "mett" }]', "unusable", "expect 1: follows 1: there is no event 'mett'"),
    ("[[step.expect]]", '[[step.never]]\nkind = "hitt"\n[[step.expect]]', "unusable", "never 1: there is no event"),
    ('hp = "(none)"', 'hpp = "(none)"', "unusable", "view.alice.fighters.shaman: there is no 'hpp'"),
    ("[end.view.alice.", "[end.view.alicia.", "unusable", "nobody sits at 'alicia'"),
    ("[end.fighters.alice]\n", '[end.outcome.sheets.alice]\nhpp = "(none)"\n[end.fighters.alice]\n', "unusable", "hpp"),
    ("[end]", '[step.asks.alice]\nkynd = "(none)"\n[end]', "unusable", "asks.alice: there is no 'kynd'"),
    ("[[step]]", '[[area]]\nkey = "ford"\nbarers = []\n[[step]]', "unusable", "areas.ford.barers: There is no"),
    ("[[step]]", '[given]\nweather = "rain"\n[[step]]', "unusable", "weather"),
    ("[[step]]", "[given.so_far]\nround = 2\n[[step]]", "unusable", "so_far: There is no such field"),
    ("[[step]]", '[settings]\nweather = "rain"\n[[step]]', "unusable", "weather"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "verdict", "words"), FALSIFIED)
def test_a_falsified_case_fails(tmp_path: Path, old: str, new: str, verdict: str, words: str) -> None:
    text = SHAMAN.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "falsified.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    result = play_file(path)
    assert result.verdict == verdict
    assert words in result.problem


def test_all_that_is_wrong_is_told_at_once_by_name(tmp_path: Path) -> None:
    path = tmp_path / "falsified.toml"
    text = SHAMAN.read_text(encoding="utf-8")
    for old, new in (
        ('"WHI-12", ', '"WHI-99", '),
        ("combat = 11", "comat = 11"),
        ("combat = 12", 'combat = "strong"'),
        ("combat = 7", "combat = 7000"),
        ('id = "second"', 'id = "the second"'),
        ("[[step]]", '[settings]\ndeck_mode = "tarot"\n[[step]]'),
        ('kind = "stopped"', 'kind = "stoped"'),
    ):
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")
    problem = play_file(path).problem
    for words in (
        "The rulebook has no WHI-99.",
        "there is no event 'stoped'",
        "alice: comat: There is no such field.",
        "bob: combat: Enter a whole number.",
        "foes.shaman.combat: At most 999.",
        "foes.the second.key: 'the second' does not fit ^[A-Za-z0-9]",
        "settings: deck_mode: 'tarot' is not one of 'halves', 'single' or 'dice'.",
    ):
        assert words in problem, problem


def test_a_name_that_is_good_for_a_player_is_good_for_a_foe(tmp_path: Path) -> None:
    path = tmp_path / "capital.toml"
    path.write_text(SHAMAN.read_text(encoding="utf-8").replace("shaman", "Shaman"), encoding="utf-8")
    assert play_file(path).problem == ""


def test_a_failure_shows_all_events_with_their_rules(tmp_path: Path) -> None:
    path = tmp_path / "falsified.toml"
    path.write_text(SHAMAN.read_text(encoding="utf-8").replace("damage = 7", "damage = 6"), encoding="utf-8")
    problem = play_file(path).problem
    assert re.search(r"WHI-14 +met +clash='first>alice'", problem)
    assert "expected" in problem


def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = SHAMAN.read_text(encoding="utf-8")
    good, bad, broken = tmp_path / "a.toml", tmp_path / "b.toml", tmp_path / "c.toml"
    good.write_text(text, encoding="utf-8")
    assert run([tmp_path]) == 0
    bad.write_text(text.replace("damage = 7", "damage = 6"), encoding="utf-8")
    assert run([good]) == 0
    assert run([tmp_path]) == 1
    broken.write_bytes(b"\xff")
    assert run([tmp_path]) == 2
    assert run([tmp_path / "gone.toml"]) == 2
    assert "1 passed, 1 failed, 1 unusable." in capsys.readouterr().out


def test_a_folder_without_cases_is_no_success(tmp_path: Path) -> None:
    assert run([tmp_path]) == 2


def test_the_documented_example_passes(tmp_path: Path) -> None:
    fence = re.search(r"```toml\n(.*?)```", (ROOT / "docs/cases.md").read_text(encoding="utf-8"), re.DOTALL)
    assert fence
    path = tmp_path / "example.toml"
    path.write_text(fence[1], encoding="utf-8")
    assert play_file(path).problem == ""

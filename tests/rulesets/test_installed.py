"""A package whose ruleset cannot be used stops Signet with the package's name and the reason."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.errors import UserError
from app.rulesets import installed

DUEL = "from dataclasses import replace\nfrom app.rulesets.duel import RULESET as duel\n"
NAMED = "The ruleset omens = signet_omens:RULESET of the package signet-omens 1.2"


def install(folder: Path, module: str, key: str = "omens") -> None:
    """Lay a package into a folder as an installer does."""
    about = folder / "signet_omens-1.2.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: signet-omens\nVersion: 1.2\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(f"[signet.rulesets]\n{key} = signet_omens:RULESET\n", encoding="utf-8")
    (folder / "signet_omens.py").write_text(module, encoding="utf-8")


@pytest.mark.usefixtures("omens_unloaded")
@pytest.mark.parametrize(
    ("module", "key", "words"),
    [
        ("import no_such_module", "omens", f"{NAMED} cannot be loaded: ModuleNotFoundError: No module named 'no_such"),
        ("RULES = 1", "omens", f"{NAMED} cannot be loaded: AttributeError: "),
        ("RULESET = 1", "omens", f"{NAMED} is not a Ruleset but int."),
        ("from app.rulesets.duel import RULESET", "omens", f"{NAMED} has the key 'duel'; both must be the same."),
        ("from app.rulesets.duel import RULESET", "duel", "takes a key that another ruleset has already."),
        (
            f"{DUEL}RULESET = replace(duel, key='battle')",
            "battle",
            "The demo 'battle' of the ruleset 'chronicle' has the same key as the ruleset 'battle'.",
        ),
        (
            f"{DUEL}RULESET = replace(duel, key='omens', demos={{'whiskey': duel.demo}})",
            "omens",
            f"{NAMED}: The demo 'whiskey' of the ruleset 'omens' has the same key as the ruleset 'whiskey'.",
        ),
        (
            f"{DUEL}RULESET = replace(duel, key='omens', demos={{'battle': duel.demo}})",
            "omens",
            "The demo 'battle' of the ruleset 'omens' has the same key as a demo of the ruleset 'chronicle'.",
        ),
    ],
)
def test_a_ruleset_that_cannot_be_used_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, key: str, words: str
) -> None:
    install(tmp_path, module, key)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UserError) as refused:
        installed()
    assert words in str(refused.value)
    assert "Correct the package or uninstall it" in str(refused.value)


def test_the_command_says_which_declared_file_is_missing(tmp_path: Path) -> None:
    module = """
from dataclasses import replace
from app.rulesets.throw import RULESET as throw
RULESET = replace(throw, key="omens", help=("omens.md",))
"""
    install(tmp_path, module)
    done = subprocess.run(
        [sys.executable, "-m", "app.cli", "cases", "--vocabulary", "duel"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("signet: A ruleset declares files that do not exist: ")
    assert done.stderr.strip().endswith("throw/omens.md")

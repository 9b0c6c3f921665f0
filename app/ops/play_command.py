"""`signet play --help`: names the demos, those of installed packages too."""

from typing import Any

from typer.core import TyperCommand


class PlayCommand(TyperCommand):
    """Loads the rulesets when its help is shown, not whenever `signet` starts: that takes a second."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from app.play.demo import DEMOS

        for option in self.params:
            if option.name == "demo":
                option.help = f"The demo campaign: {', '.join(DEMOS)}."  # type: ignore[attr-defined]
        super().format_help(ctx, formatter)

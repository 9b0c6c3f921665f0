"""What stands in the way, in words for the person it happens to: at a page, or at the keyboard of the server."""

from typing import ClassVar


class Refusal(Exception):
    """A request that cannot be granted. `message` says what and why, `hint` what to do, `field` is the form field.

    Raising it undoes the request's transaction. `status` is that of the answer, where no form shows the words.
    """

    status: ClassVar[int] = 409

    def __init__(self, message: str, hint: str = "", *, field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.field = field

    @property
    def text(self) -> str:
        """What and why, then what to do, in one line."""
        return f"{self.message} {self.hint}".strip()


class NotThere(Refusal):
    """There is no such thing here, or not any more, or nothing for this member: all look the same."""

    status = 404


class NotYours(Refusal):
    """It is there, but not for this member."""

    status = 403


class Over(Refusal):
    """It was there and has had its time: expired, withdrawn, used."""

    status = 410


class MissingRules(Refusal, LookupError):
    """A scene or a character needs a ruleset, or a kind of scene, that is not installed."""

    def __init__(self, ruleset: str, kind: str = "") -> None:
        super().__init__(
            f"The rules “{ruleset}” of this Signet have no kind of scene “{kind}”."
            if kind
            else f"This Signet has no rules called “{ruleset}”.",
            "They came with a package that is not installed any more; whoever runs this Signet can install it again.",
        )


class Conflict(Refusal):
    """Somebody or something else was first."""


class SeatClosed(Refusal):
    """This browser does not sit in the seat that the address names."""

    status = 401

    def __init__(self, slug: str, handle: str) -> None:
        super().__init__("This seat is not open in this browser.")
        self.slug = slug
        self.handle = handle


class TooMany(Refusal):
    """Too often in too short a time; `wait` seconds from now it goes on."""

    status = 429

    def __init__(self, wait: float) -> None:
        self.wait = max(1, round(wait + 0.5))
        minutes = -(-self.wait // 60)
        span = f"{self.wait} seconds" if self.wait < 60 else "a minute" if minutes == 1 else f"{minutes} minutes"
        super().__init__("That was tried too often in a short time.", f"Wait {span}, then try again.")


class TooMuch(Refusal):
    """A body above the limit."""

    status = 413

    def __init__(self, most: int) -> None:
        super().__init__(
            f"That is too much at once: a form may hold {most // 1024} kilobytes, about {most // 1024 // 3} pages.",
            "Nothing was changed. Go back, your browser has kept what you typed, and shorten it.",
        )


class Unreadable(Refusal):
    """What was sent is not a form."""

    status = 415


class Unfit(Refusal):
    """A form with something wrong in it; its fields say what."""

    status = 422


class Forged(Refusal):
    """A change that was not asked for by one of our own pages."""

    status = 403


class UserError(Exception):
    """Something the person can understand and mend: its text says what happened, why, and what to do now.

    The command line prints it as it is, without a traceback, and exits with `code`: 1 for a failure,
    2 for a wrong call.
    """

    def __init__(self, text: str, *, code: int = 1) -> None:
        super().__init__(text)
        self.code = code

"""Errors with a text for the person they happen to: on a page, or at the server's command line."""

from typing import ClassVar


class Refusal(Exception):
    """A request that is refused. `message` says what is wrong and why, `hint` what to do; `field` is the form field.

    Raising it rolls back the request's transaction. `status` is the answer's HTTP status where no form shows the error.
    """

    status: ClassVar[int] = 409

    def __init__(self, message: str, hint: str = "", *, field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.field = field

    @property
    def text(self) -> str:
        """The message, then the hint, in one line."""
        return f"{self.message} {self.hint}".strip()


class NotThere(Refusal):
    """The thing does not exist, no longer exists, or is hidden from this member: all three look the same."""

    status = 404


class NotYours(Refusal):
    """This member may not see or do this."""

    status = 403


class Over(Refusal):
    """The thing has expired, was withdrawn, or was used."""

    status = 410


class MissingRules(Refusal, LookupError):
    """A scene or a character needs a ruleset, or a kind of scene, that is not installed."""

    def __init__(self, ruleset: str, kind: str = "") -> None:
        super().__init__(
            f"On this server, the rules “{ruleset}” have no kind of scene “{kind}”."
            if kind
            else f"This server has no rules called “{ruleset}”.",
            "Their package is no longer installed. The people who run this server can install it again.",
        )


class Conflict(Refusal):
    """The request conflicts with the present state, often because another change came first."""


class SeatClosed(Refusal):
    """This browser is not signed in to the seat that the address names."""

    status = 401

    def __init__(self, slug: str, handle: str) -> None:
        super().__init__("You're not signed in to this seat in this browser.")
        self.slug = slug
        self.handle = handle


class TooMany(Refusal):
    """Too many tries in a short time; the next one is allowed in `wait` seconds."""

    status = 429

    def __init__(self, wait: float) -> None:
        self.wait = max(1, round(wait + 0.5))
        minutes = -(-self.wait // 60)
        span = f"{self.wait} seconds" if self.wait < 60 else "a minute" if minutes == 1 else f"{minutes} minutes"
        super().__init__("Too many tries in a short time.", f"Wait {span}, then try again.")


class TooMuch(Refusal):
    """A request body above the limit of `most` bytes."""

    status = 413

    def __init__(self, most: int) -> None:
        super().__init__(
            f"That is too much text: a form can hold {most // 1024} kilobytes, about {most // 1024 // 3} pages.",
            "Nothing was changed. Go back and shorten it; your browser has kept what you typed.",
        )


class Unreadable(Refusal):
    """The request body is not a form."""

    status = 415


class Unfit(Refusal):
    """A form with errors; its fields show them."""

    status = 422


class Forged(Refusal):
    """A change that did not come from one of Signet's own pages."""

    status = 403


class BadFile(ValueError):
    """A file of other people that cannot be used. Its text says what the file is, what is wrong, and what to do."""


class UserError(Exception):
    """An error that the person can understand and fix: its text says what happened, why, and what to do now.

    The command line prints it without a traceback and exits with `code`: 1 for a failure, 2 for wrong usage.
    """

    def __init__(self, text: str, *, code: int = 1) -> None:
        super().__init__(text)
        self.code = code

"""What stands in the way, said to the person it happens to."""


class Refusal(Exception):
    """A wish that cannot be granted. `says` tells what and why, `now` what to do, `field` where the form shows it.

    Raising it undoes the request's transaction.
    """

    def __init__(self, says: str, now: str = "", *, field: str = "") -> None:
        super().__init__(says)
        self.says = says
        self.now = now
        self.field = field


class NotThere(Refusal):
    """There is no such thing here, or not any more."""


class NotYours(Refusal):
    """It is there, but not for this member."""


class Over(Refusal):
    """It was there and has had its time: expired, withdrawn, used."""


class Taken(Refusal):
    """Somebody or something else was first."""

"""The one kind of error whose words are meant for the person at the keyboard."""


class Trouble(Exception):
    """Something the person can understand and mend: its text says what happened, why, and what to do now.

    The command line prints it as it is, without a traceback, and exits with `code`: 1 for a failure,
    2 for a wrong call.
    """

    def __init__(self, text: str, *, code: int = 1) -> None:
        super().__init__(text)
        self.code = code

"""What the table must do, in a hundred plain lines without a database: the toy ruleset's door, and who may see what."""

from dataclasses import dataclass, field, replace
from typing import Any

GM_SEAT = "gm"


@dataclass(frozen=True)
class Word:
    """The newest envelope of one seat in one question."""

    revision: int
    ready: bool
    use_draft: bool
    text: str
    times: int
    tenure: int  # who held the seat when these words were written
    taken: bool = False  # there was a seal before


@dataclass
class Question:
    key: str
    seats: tuple[str, ...]
    laid: dict[str, Word] = field(default_factory=dict)
    clock: bool = False
    excused: set[str] = field(default_factory=set)  # the GM goes on without them
    held: bool = False  # it opens at the GM's word
    nudged: set[str] = field(default_factory=set)  # a moment ago
    quiet: dict[str, Word] = field(default_factory=dict)  # chosen, and not laid

    @property
    def kind(self) -> str:
        return self.key.split("/")[1].split("-")[0] if not self.key.startswith("bell") else "bell"

    @property
    def complete(self) -> bool:
        sealed = all(seat in self.excused or (seat in self.laid and self.laid[seat].ready) for seat in self.seats)
        return sealed and not self.held


@dataclass
class Model:
    rounds: int
    late: bool  # Cyd knocks like the others; else he steals, and nobody but him and the GM may know
    people: list[str]
    holder: dict[str, str]
    tenure: dict[str, int]
    round: int = 1
    tries: int = 1
    bells: int = 0
    stealing: bool = True
    paused: bool = False
    over: bool = False
    open: list[Question] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    events: list[tuple[object, ...]] = field(default_factory=list)
    back: dict[tuple[str, str], Word] = field(default_factory=dict)  # withdrawn words by question and seat

    # ---- what happens ------------------------------------------------------------------------------------------

    def lay(self, question: Question, seat: str, word: Word) -> None:
        before = question.laid.get(seat)
        taken = not word.ready and before is not None and (before.ready or before.taken)
        question.laid[seat] = replace(word, taken=taken)
        if question.complete and not self.paused:
            self.close(question)

    def close(self, question: Question) -> None:
        self.open.remove(question)
        self.closed.append(question.key)
        if question.kind == "bell":
            word = question.laid[GM_SEAT]
            self.events.append(("rang", bool(word.times)))
            self.bells, self.tries = self.bells + 1, self.tries + bool(word.times)
        elif question.kind == "steal":
            self.events.append(("stolen", self._says(question, "cyd", "nothing")[1]))
            self.stealing = False
        else:
            for seat in question.seats:
                self.events.append(("knocked", seat, *self._says(question, seat, "")))
            self.events.append(("rolled",))
            self.closed.append(f"r{self.round}/roll")
            self.round, self.tries, self.stealing = self.round + 1, 1, True
            self.over = self.round > self.rounds
        self.ask()

    def _says(self, question: Question, seat: str, default: str) -> tuple[int, str, str]:
        word = question.laid.get(seat) or question.quiet.get(seat)
        if seat not in question.laid and word is not None and word.tenure != self.tenure[seat]:
            word = None
        if word is None or not (word.ready or (word.use_draft and word.times != 5)):
            return 0, default, "default"
        return word.times, word.text, "sealed" if word.ready else "draft"

    def ask(self) -> None:
        """Withdraw what is not asked any more, ask what is new."""
        wanted = {} if self.over else self._wanted()
        for gone in [question for question in self.open if question.key not in wanted]:
            self.open.remove(gone)
            for seat, word in gone.laid.items():
                self.back[stem(gone.key), seat] = word
        known = {question.key for question in self.open}
        self.open += [Question(key, seats) for key, seats in wanted.items() if key not in known]

    def _wanted(self) -> dict[str, tuple[str, ...]]:
        knock = f"r{self.round}/knock" + (f"-{self.tries}" if self.tries > 1 else "")
        knocking = tuple(seat for seat in self.people if seat != "cyd" or self.late)
        wanted = {f"bell/{self.bells}": (GM_SEAT,), knock: knocking}
        if self.stealing and not self.late and "cyd" in self.people:
            wanted[f"r{self.round}/steal"] = ("cyd",)
        return wanted

    def go_on(self) -> None:
        self.paused = False
        for question in list(self.open):
            if question in self.open and question.complete:
                self.close(question)

    def enter(self, seat: str) -> None:
        self.people.append(seat)
        self.tries += 1
        self.events.append(("came", seat))
        self.ask()

    def hand_over(self, seat: str, to: str) -> None:
        if self.holder[seat] != to:
            self.holder[seat], self.tenure[seat] = to, self.tenure[seat] + 1

    # ---- who may see what --------------------------------------------------------------------------------------

    def seats_of(self, member: str) -> set[str]:
        return {seat for seat in (*self.people, GM_SEAT) if self.holder[seat] == member}

    def knows(self, member: str, kind: str) -> bool:
        return kind not in ("steal", "stolen") or bool({"cyd", GM_SEAT} & self.seats_of(member))

    def status(self, question: Question, seat: str) -> str:
        word = question.laid.get(seat)
        return "waiting" if word is None else "ready" if word.ready else "taken" if word.taken else "waiting"

    def mine(self, question: Question, seat: str) -> tuple[int, bool, str | None] | None:
        """Revision, sealed or not, and the words where the holder may read them."""
        word = question.laid.get(seat)
        if word is not None:
            return word.revision, word.ready, word.text if word.tenure == self.tenure[seat] else None
        returned = self.back.get((stem(question.key), seat))
        if returned is None or returned.tenure != self.tenure[seat]:
            return None
        return 0, False, returned.text


def stem(key: str) -> str:
    """The same question asked anew has the same stem."""
    return key.rsplit("-", 1)[0]


def heard(event: Any) -> tuple[object, ...]:
    """An event of the log as the model has it."""
    match event.kind:
        case "knocked":
            return ("knocked", event.seat, event.times, event.note, event.how)
        case "stolen":
            return ("stolen", event.what)
        case "rang":
            return ("rang", event.loud)
        case _:
            return (event.kind,)

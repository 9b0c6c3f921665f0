"""The file of receipts: one JSON object per line, each of one of the shapes below.

1. `Header`, once. 2. `Record`, one for each entry of the scene's public record; `record` is exactly the text that was
hashed. 3. `OwnEnvelope`: an envelope of the file's owner that the record does not show. 4. `NotedSeal`: a browser's
note of a seal or draft. 5. `Opened`, once the scene is over: all secrets, except words that the rules never open.

Unknown keys of a line are ignored. In the text of a record, which is hashed, they are read and reported as wrong.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, ValidationError

from app.engine.steps import at_desk
from app.receipts.chain import canonical

Hex = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
M = TypeVar("M", bound=BaseModel)


class _Line(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class _RecordModel(BaseModel):
    """A part of a record's text; keeps unknown keys, so that they can be reported."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)


class SeatName(_Line):
    seat: str
    name: str


class Header(_Line):
    """The scene, and everything that was fixed before it began."""

    protocol: int = Field(alias="signet-receipts")
    campaign: str
    scene: str
    title: str
    ruleset: str
    kind: str
    version: str
    status: str
    seats: list[SeatName]
    anchor: Hex
    setup: Hex
    carried: dict[str, Hex | None]


class Row(_RecordModel):
    """One seat's answer in a closing. Without `wax` no envelope was laid, and the rules' default counted."""

    seat: str
    ask: str
    how: str
    rank: int = 0
    revision: int | None = None
    salted_by: str | None = None
    wax: Hex | None = None
    luck: Hex | None = None
    inner: Hex | None = None
    salt: Hex | None = None
    words: str | None = None


class AskRecord(_RecordModel):
    """The fields of an ask that the checks need; a replay by the rules covers the others."""

    seat: str
    kind: str
    opens: Literal["close", "end", "never"] = "close"
    known_to: list[str] | None = None


PROTOCOLS = (1, 2)


class StepRecord(_RecordModel):
    key: str
    title: str
    asks: list[AskRecord] = Field(default_factory=list)
    pace: str = "plan"
    ranked: bool = False

    @property
    def at_desk(self) -> bool:
        return at_desk(self.pace, [ask.seat for ask in self.asks])


class Event(_RecordModel):
    """One event that everybody may see, under its public number."""

    n: int
    rule: str
    because: list[int]
    event: dict[str, Any]


class Entry(_RecordModel):
    """The parsed text of a record."""

    what: str  # closing, entered, told, rolled, shown, inner, end
    k: int | None = None  # of a closing: its place in the chain of luck
    link: Hex | None = None
    by: str = ""
    step: StepRecord | None = None
    rows: list[Row] = Field(default_factory=list)
    events: list[Event] = Field(default_factory=list)
    seat: str = ""
    name: str | None = None  # None: recorded by an older Signet, without the name
    sheet: Hex | None = None
    how: str = ""
    hidden: Hex | None = None
    kept: dict[str, Hex] = Field(default_factory=dict)
    sheets: dict[str, Hex] = Field(default_factory=dict)
    entries: Hex | None = None  # None: the scene left nothing on the calendar
    made: Hex | None = None  # None: it made no characters
    n: int | None = None  # of a GM's secret roll: its number
    wax: Hex | None = None  # of a secret roll that was made
    roll: str | None = None  # of one that was shown: its text, as it was hashed
    acts: list[dict[str, Any]] = Field(default_factory=list)  # what a GM did to steps, as step_acts.py reads it
    who: Hex | None = None  # the hash of the same with its seats
    scene: str = ""  # of a scene that was played inside this one: its id
    kind: str = ""
    title: str = ""
    head: Hex | None = None  # its last one; None: it is gone
    result: JsonValue = None

    @property
    def key(self) -> str:
        """The key of the closed step; empty if there is none."""
        return self.step.key if self.step is not None else ""


SAYS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "closing": (frozenset({"what", "step", "by", "k", "link", "rows", "events"}), frozenset({"acts", "who"})),
    "desk": (frozenset({"what", "step", "by", "rows", "events"}), frozenset()),
    "entered": (frozenset({"what", "seat", "events"}), frozenset({"name", "sheet"})),
    "told": (frozenset({"what", "events"}), frozenset()),
    "rolled": (frozenset({"what", "n", "wax"}), frozenset()),
    "shown": (frozenset({"what", "n", "roll"}), frozenset()),
    "inner": (frozenset({"what", "scene", "kind", "title", "how", "sheet", "events"}), frozenset({"head", "result"})),
    "end": (frozenset({"what", "how", "hidden", "kept", "sheets"}), frozenset({"entries", "made", "acts", "who"})),
    "hidden": (frozenset({"what", "step", "by", "rows"}), frozenset({"acts"})),
}
"""The keys of each kind of record: required, and optional. `hidden` is a closing that not everybody may know of, `desk`
a GM's act at the desk, which opens no link."""


class Record(_Line):
    record: str
    head: Hex


class OwnEnvelope(_Line):
    step: str
    seat: str
    revision: int
    wax: Hex
    salt: Hex
    words: str
    ready: bool = True  # false: a draft, or a seal taken back
    salted_by: str | None = None


class NotedSeal(_Line):
    step: str
    seat: str
    revision: int
    wax: Hex
    head: Hex | None = None
    taken: bool = False  # its owner took the seal back in this browser; of a draft always, for older Signets
    draft: bool = False  # a quiet draft, no seal
    luck: Hex | None = None  # of a draft: the luck part of the salt that this browser uses in the step
    sure: bool = True  # false: a draft was sent, and no answer came


class Place(_Line):
    """A record's place in the log; the text of a hidden closing, a newcomer's sheet, a secret roll, or a GM's acts."""

    last_event: int
    hidden: str | None
    sheet: str | None = None  # or the sheets that came back from an inner scene
    roll: str | None = None
    acts: str | None = None


class LateRow(_Line):
    step: str
    seat: str
    salt: Hex
    words: str


class LogEvent(_Line):
    number: int
    n: int | None
    rule: str
    because: list[int]
    event: dict[str, Any]


class Opened(_Line):
    root: Hex
    setup_salt: Hex
    setup: str
    records: list[Place]
    rows: list[LateRow]
    log: list[LogEvent]


@dataclass(slots=True)
class Receipts:
    """A parsed file; nothing in it has been checked."""

    header: Header
    records: list[Record] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    mine: list[OwnEnvelope] = field(default_factory=list)
    kept: list[NotedSeal] = field(default_factory=list)
    opened: Opened | None = None
    hidden: list[Entry] = field(default_factory=list)  # read from `opened`, in order


class NoReceipts(ValueError):
    """The text is not a file of receipts; the message names the line and the fault."""


def parse(text: str) -> Receipts:
    """Parses a file, also one that an editor gave a byte order mark or line ends of Windows. Raises `NoReceipts` where
    it is not one, or was cut or changed so that it cannot be read."""
    whole = text.removeprefix("\ufeff").split("\n")  # not splitlines: a word may hold a line separator
    lines = [(number, line) for number, line in enumerate(whole, start=1) if line.strip()]
    if not lines:
        raise NoReceipts("The file is empty.")
    found = Receipts(_model(Header, *_object(*lines[0]), "the header"))
    if found.header.protocol not in PROTOCOLS:
        raise NoReceipts(f"The file is of version {found.header.protocol}; this copy of Signet reads versions 1 and 2.")
    for number, line in lines[1:]:
        raw, _ = _object(number, line)
        if "record" in raw:
            record = _model(Record, raw, number, "a record")
            found.records.append(record)
            found.entries.append(_entry(number, record.record, "a record's text"))
        elif "mine" in raw:
            found.mine.append(_model(OwnEnvelope, raw["mine"], number, "an own seal"))
        elif "kept" in raw:
            found.kept.append(_model(NotedSeal, raw["kept"], number, "a kept receipt"))
        elif "opened" in raw and found.opened is not None:
            raise NoReceipts(f"Line {number} opens the scene a second time.")
        elif "opened" in raw:
            found.opened = _model(Opened, raw["opened"], number, "what was opened")
            texts = [place.hidden for place in found.opened.records if place.hidden is not None]
            found.hidden = [_entry(number, text, "a hidden record") for text in texts]
        else:
            raise NoReceipts(f"Line {number} is not a kind of line that a receipts file has.")
    return found


def _entry(number: int, text: str, what: str) -> Entry:
    raw, _ = _object(number, text)
    entry = _model(Entry, raw, number, what)
    if entry.what == "closing" and entry.step is None:
        raise NoReceipts(f"Line {number}, {what}: a closing without a step.")
    if canonical(raw) != text:  # otherwise two readers might read it differently
        raise NoReceipts(f"Line {number}, {what}: not written the way it was hashed.")
    return entry


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is not a JSON number")


def _object(number: int, line: str) -> tuple[dict[str, Any], int]:
    try:
        raw = json.loads(line, parse_constant=_no_number)
        if "\\u" in line:
            json.dumps(raw, ensure_ascii=False).encode()  # half a character is not text and has no hash
    except (ValueError, RecursionError):
        raw = None
    if not isinstance(raw, dict):
        raise NoReceipts(f"Line {number} cannot be read: a receipts file has one JSON object per line.")
    return raw, number


def _model(model: type[M], raw: Any, number: int, what: str) -> M:
    try:
        return model.model_validate(raw)
    except ValidationError as wrong:
        fault = wrong.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in fault["loc"])
        raise NoReceipts(f"Line {number}, {what}: {where or 'all of it'}: {fault['msg']}.") from None

"""What a GM did to steps before they closed: how it is written down, and checked (docs/fairness.md)."""

import json
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, ValidationError

from app.receipts import chain
from app.receipts.file import Entry
from app.receipts.report import Report


class Acts(BaseModel):
    """What a GM did to one step; `back` names a seat once for each of its seals that was given back."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    step: str
    held: bool = False
    back: list[str] = []
    without: list[str] = []

    @property
    def told(self) -> "ToldActs":
        """Returns it as the record tells it at once: in numbers."""
        return ToldActs(step=self.step, held=self.held, back=len(self.back), without=len(self.without))

    @property
    def said(self) -> str:
        """Returns it in words: "r3/declare: held; 2 seals given back (ann, bea); went on without one seat (cyd)."."""
        return _said(self.told, f" ({', '.join(self.back)})", f" ({', '.join(self.without)})")


class ToldActs(BaseModel):
    """The same in numbers."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    step: str
    held: bool
    back: int
    without: int

    @property
    def said(self) -> str:
        return _said(self, "", "")


def _said(acts: ToldActs, back: str, without: str) -> str:
    seals = "one seal" if acts.back == 1 else f"{acts.back} seals"
    seats = "one seat" if acts.without == 1 else f"{acts.without} seats"
    parts = [
        "held" if acts.held else "",
        f"{seals} given back{back}" if acts.back else "",
        f"went on without {seats}{without}" if acts.without else "",
    ]
    return f"{acts.step}: {'; '.join(part for part in parts if part)}."


def write(acts: Sequence[Acts]) -> str:
    """Returns the text that is hashed and opens at the end of the scene."""
    return chain.canonical([one.model_dump() for one in acts])


def read(text: str) -> list[Acts]:
    """Returns what a text says. Raises ValueError where it is none, or is not written as it was hashed."""
    found = [Acts.model_validate(one) for one in json.loads(text)]
    if write(found) != text:
        raise ValueError("not written the way it was hashed")
    return found


def check_record(report: Report, entry: Entry) -> None:
    """Reads what a public record tells at once."""
    where = entry.key or "The end"
    told, said = _told(entry), entry.model_fields_set
    report.expect(told is not None, f"{where}: what a GM did to its steps cannot be read.")
    named = any(one.back or one.without for one in told or ())
    right = ("who" in said or not named) and ("acts" not in said or told != [])
    report.expect(right, f"{where}: a GM's acts lack their seats.")
    for one in told or ():
        report.acts[one.step] = one.said
        if one.back:
            report.given_back[one.step] = None


def check_opened(report: Report, salt: bytes, entry: Entry, text: str | None) -> None:
    """Checks the text that opens beside a record against what it told at once: the same acts, with their seats. The
    last record's may have those on hidden steps, too."""
    where, told = entry.key or "The end", _told(entry) or []
    if entry.who is None and text is None:
        return
    right = text is not None and chain.acts_digest(salt, text).hex() == entry.who
    if not report.expect(right, f"{where}: what a GM did to its seats is not what was recorded.") or text is None:
        return
    try:
        found = read(text)
    except (ValidationError, ValueError, TypeError, RecursionError):
        report.wrong.append(f"{where}: what a GM did to its seats cannot be read.")
        return
    shown = [one.told for one in found]
    same = all(one in shown for one in told) if entry.what == "end" else shown == told
    report.expect(same, f"{where}: a GM did more or less to its seats than was told at once.")
    _name(report, found)


def check_hidden(report: Report, entry: Entry) -> None:
    """Reads what the record of a hidden closing tells, with the seats."""
    try:
        _name(report, [Acts.model_validate(one) for one in entry.acts])
    except ValidationError:
        report.wrong.append(f"{entry.key}: what a GM did to its seats cannot be read.")


def _name(report: Report, acts: Sequence[Acts]) -> None:
    for one in acts:
        report.acts[one.step] = one.said
        if one.back:
            report.given_back[one.step] = one.back


def _told(entry: Entry) -> list[ToldActs] | None:
    try:
        return [ToldActs.model_validate(one) for one in entry.acts]
    except ValidationError:
        return None

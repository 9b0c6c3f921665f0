"""A world without a database that time passes in, with what movements leave behind put back into it."""

import uuid
from dataclasses import dataclass, replace
from typing import Any

from app.almanac.calendar_state import AlmanacSettings, CalendarState
from app.almanac.time_walk import CharacterDays, DayOutcome, OpenEntry, SheetAfterDay, TimeItem, World, next_of, run
from app.calendar.days import reckoning
from app.calendar.presets import PRESETS
from app.calendar.repeat import EveryDays
from app.engine.chance import SeededChance
from tests.toy import TOY, Sheet


def luck(slug: str, day: int) -> SeededChance:
    seed = f"{slug} {day}".encode().rjust(32)
    return SeededChance(seed, seed)


@dataclass
class Pure:
    book: CalendarState
    items: list[TimeItem]
    cast: list[CharacterDays]
    told: list[DayOutcome]

    @classmethod
    def build(cls, things: list[Any], bruises: tuple[int, ...], turn: int) -> "Pure":
        shape = PRESETS["festivals"]
        settings = AlmanacSettings(turn_day=turn, at_turn="stop" if turn > 8 else "pass")
        items = [
            TimeItem(
                uuid.UUID(int=number), number, kind, "open", kind, "", day, 0, None,
                EveryDays(start=day, days=again) if again else None, standing, (), "all", (),
            )
            for number, (kind, day, standing, again) in enumerate(things, start=1)
        ]  # fmt: skip
        cast = [
            CharacterDays(f"p{i}", f"P{i}", TOY, TOY.days, Sheet(name=f"P{i}", bruises=b), {})
            for i, b in enumerate(bruises)
        ]
        return cls(CalendarState(shape, reckoning(shape), 0, None, settings, 1), items, cast, [])

    def move(self, to: int) -> None:
        if to <= self.book.today:
            return
        already = {(ran.thing, ran.day) for ran in self.told}
        journey = run(World(self.book, self.items, self.cast, already, luck), to)
        for act in journey.acts:
            match act:
                case DayOutcome():
                    self.told.append(act)
                    if act.entry is not None and act.entry.rule is None:
                        self._put(replace(act.entry, state="done"))
                case OpenEntry():
                    self._open(act)
                case SheetAfterDay():
                    assert self.cast[int(act.slug[1:])].sheet is not None
        self.book = replace(self.book, today=journey.to_day)

    def whole(self) -> Any:
        things = [(ran.day, ran.thing, ran.text, ran.rolls, ran.title) for ran in self.told]
        assert len({thing[:2] for thing in things}) == len(things), "nothing runs twice"
        return self.book.today, self.items, [being.sheet for being in self.cast], things

    def _put(self, now: TimeItem) -> None:
        self.items = [now if one.id == now.id else one for one in self.items if one.state == "open"]

    def _open(self, opens: OpenEntry) -> None:
        made = uuid.UUID(int=1000 + len(self.items) + opens.day * 100)
        if opens.of is None:
            self.items.append(
                TimeItem(
                    made, 1000, "reckoning", "open", opens.title, "", opens.day, 0, None, None, "stop", (), "all", ()
                )
            )
            return
        series = next(one for one in self.items if one.id == opens.of.id)
        self.items.append(replace(series, id=made, rule=None, due=opens.day))
        following = next_of(series, self.book, opens.day)
        assert following is not None and series.rule is not None
        self._put(replace(series, rule=series.rule.model_copy(update={"start": following}), due=following))

"""A scene of any kind, played and recorded without a database: the text of its file of receipts, whole."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from app.engine import dice, form_text
from app.engine.chance import SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, SPECTATOR, Answer, Answers, Ask, LoggedEvent, Outcome, Seat, Setup, Step
from app.engine.steps import at_desk
from app.receipts import chain, luck, secret_rolls, step_acts
from app.receipts.setup import characters_made, inner_scene, planned, write_setup
from app.receipts.step_acts import Acts
from tests.rulesets.laws import STEP, Draw, Subject, copied, viewer

CAMPAIGN, SCENE = "the-campaign", "the-scene"
ROOT, SALT = hashlib.sha256(b"root").digest(), hashlib.sha256(b"setup").digest()
LATE = Seat("latecomer")
Thing = dict[str, Any]


def pairs(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """A declaration as a form would send it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from pairs(inner, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from pairs(inner, f"{name}[]")
    elif value is not None:
        yield name, {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)


@dataclass
class RecordedScene:
    subject: Subject
    setup: Setup[Any, Any]
    records: list[Thing] = field(default_factory=list)
    places: list[Thing] = field(default_factory=list)
    late: list[Thing] = field(default_factory=list)
    log: list[Thing] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)
    links: int = 0
    hidden: int = 0
    desk_draws: int = 0
    gm_salt: bytes = b"the GM's"
    acted: bool = False

    def __post_init__(self) -> None:
        self.kind = self.subject.kind
        self.state = self.kind.start(self.setup)
        self.seats = list(self.setup.brief.seats)
        self.thread = luck.first_thread(luck.chain_link(ROOT, 0))

    def close(self, step: Step, answers: Sequence[tuple[Ask, Answer[Any], str | None]]) -> None:
        public = all(ask.known_to is None for ask in step.asks)
        salts = [self._salt(step, ask) for ask, _, _ in answers]
        parts = [luck.digest("signet-salt-1", salt) if words else None
                 for salt, (_, _, words) in zip(salts, answers, strict=True)]  # fmt: skip
        players = [part for part, (ask, _, _) in zip(parts, answers, strict=True) if ask.seat != GM]
        desk, entry = at_desk(step.pace, [ask.seat for ask in step.asks]), {"what": "closing"}
        if desk:
            seed = luck.desk_seed(ROOT, self.desk_draws, self.thread)
            chance = SeededChance(seed, seed, "veiled")
        elif public:
            self.links += 1
            link = luck.chain_link(ROOT, self.links)
            self.thread = luck.next_thread(self.thread, self.links, players)
            chance = SeededChance(luck.open_seed(link, self.thread), luck.veiled_seed(ROOT, self.thread))
            entry |= {"k": self.links, "link": link.hex()}
        else:
            self.hidden += 1
            seed = luck.hidden_seed(ROOT, self.hidden, self.thread, players)
            chance = SeededChance(seed, seed, "veiled")
        rows = [self._row(step, salt, *one, public=public) for salt, one in zip(salts, answers, strict=True)]
        by = "itself" if not rows else "all" if all(row["how"] == "sealed" for row in rows) else "gm"
        entry |= {"step": STEP.dump_python(step, mode="json"), "by": by, "rows": rows}
        log = Recorder(copied(self.kind, self.state), self.kind.apply, last=len(self.log))
        self.kind.resolve(log, step, Answers(of={ask.seat: answer for ask, answer, _ in answers}), chance)
        self.state = log.state
        self.desk_draws += desk and bool(chance.used)
        told = self._tell(log.events)
        acts = self._acts(step, answers) if not desk else []
        if public:
            text = step_acts.write(acts)
            who = {"who": chain.acts_digest(SALT, text).hex()} if acts else {}
            numbers = {"acts": [one.told.model_dump() for one in acts]} if acts else {}
            self._put(entry | {"events": told} | numbers | who, **({"acts": text} if acts else {}))
            return
        named = {"acts": [one.model_dump() for one in acts]} if acts else {}
        self.places.append({"last_event": len(self.log), "hidden": chain.canonical(entry | named)})
        if told:
            self._put({"what": "told", "events": told})

    def _acts(self, step: Step, answers: Sequence[tuple[Ask, Answer[Any], str | None]]) -> list[Acts]:
        """A GM has held each second step, given its first seal back, and gone on without whoever is missing."""
        self.acted = not self.acted
        sealed = [ask.seat for ask, answer, _ in answers if answer.how == "sealed"]
        without = [ask.seat for ask, answer, _ in answers if answer.how != "sealed"]
        acted = self.acted and (sealed or without)
        return [Acts(step=step.key, held=True, back=sealed[:1], without=without)] if acted else []

    def _salt(self, step: Step, ask: Ask) -> bytes:
        mine = self.gm_salt if ask.seat == GM else b""
        return hashlib.sha256(mine + f"{step.key}/{ask.seat}".encode()).digest()

    def _row(self, step: Step, salt: bytes, ask: Ask, answer: Answer[Any], words: str | None, *, public: bool) -> Thing:
        row = {"seat": ask.seat, "ask": ask.kind, "how": answer.how, "rank": answer.rank}
        if words is None:
            return row
        made = luck.seal(CAMPAIGN, SCENE, step.key, ask.seat, ask.kind, salt, words)
        row |= {"revision": 1, "salted_by": "browser"}
        row |= {"wax": made.commitment.hex(), "luck": made.luck.hex(), "inner": made.inner.hex()}
        opened = {"salt": salt.hex(), "words": words}
        if ask.opens == "end" and public:
            self.late.append({"step": step.key, "seat": ask.seat, **opened})
        return row | opened if ask.opens == "close" or (ask.opens == "end" and not public) else row

    def enter(self, sheet: Any) -> None:
        log = Recorder(copied(self.kind, self.state), self.kind.apply, last=len(self.log))
        assert self.kind.enter is not None
        self.kind.enter(log, LATE, LATE, sheet)
        self.state = log.state
        text = chain.canonical(self.subject.ruleset.character.dump_python(sheet, mode="json"))
        self.seats.append(LATE)
        entry = {"what": "entered", "seat": LATE, "name": LATE, "sheet": chain.came_digest(SALT, LATE, text).hex()}
        self._put(entry | {"events": self._tell(log.events)}, sheet=text)

    def come_back(self, how: str, result: Any = None) -> None:
        """A scene that was played inside this one comes back with all sheets as they were."""
        adapter = self.subject.ruleset.character
        sheets = {slug: adapter.dump_python(sheet, mode="json") for slug, sheet in self.setup.sheets.items()}
        text, scene = chain.canonical(sheets), "the-inner-scene"
        entry = {"what": "inner", "scene": scene, "kind": "hand", "title": "Knives out", "how": how}
        entry |= {"head": "ab" * 32} | ({} if result is None else {"result": result})
        log = Recorder(copied(self.kind, self.state), self.kind.apply, last=len(self.log))
        assert self.kind.inner is not None
        self.kind.inner(log, inner_scene(self.subject.ruleset, entry, text))
        self.state = log.state
        sheet = chain.back_digest(SALT, scene, text).hex()
        self._put(entry | {"sheet": sheet, "events": self._tell(log.events)}, sheet=text)

    def roll(self, purpose: str, formula: str, *, show: bool = False) -> None:
        """The GM rolls in secret, and perhaps shows it."""
        number = 1 + sum(entry["what"] == "rolled" for entry in self.records)
        seed, salt = luck.rolled_seed(ROOT, number, self.thread), hashlib.sha256(purpose.encode()).digest()
        text = secret_rolls.make(seed, number, purpose, dice.read(formula), salt)
        self._put({"what": "rolled", "n": number, "wax": chain.rolled_digest(number, text).hex()}, roll=text)
        if show:
            self._put({"what": "shown", "n": number, "roll": text})

    def _tell(self, told: Sequence[LoggedEvent[Any]]) -> list[Thing]:
        seen = []
        for one in told:
            shown = self.kind.sees(one.event, SPECTATOR)
            if shown:
                self.numbers[one.number] = len(self.numbers) + 1
            event = self.kind.event.dump_python(one.event, mode="json")
            n, because = self.numbers.get(one.number), list(one.because)
            line = {"number": one.number, "n": n, "rule": one.rule, "because": because, "event": event}
            self.log.append(line)
            causes = [self.numbers[cause] for cause in because if cause in self.numbers]
            if shown:
                seen.append({"n": n, "rule": one.rule, "because": causes, "event": event})
        return seen

    def _put(self, entry: Thing, **beside: str) -> None:
        self.records.append(entry)
        self.places.append({"last_event": len(self.log), "hidden": None, **beside})

    def end(self) -> str:
        how = "abandoned" if self.kind.steps(self.state) else "over"
        outcome = self.kind.outcome(self.state) if how == "over" else Outcome()
        hidden = [place["hidden"] for place in self.places if place["hidden"] is not None]
        digest = {name: chain.left_digest(SALT, name, body).hex() for name, body in outcome.kept.items()}
        sheets = {name: chain.left_digest(SALT, name, body).hex() for name, body in outcome.sheets.items()}
        left = {"entries": ("calendar", planned(outcome)), "made": ("made", characters_made(outcome))}
        last = {name: chain.left_digest(SALT, *body).hex() for name, body in left.items() if body[1]}
        entry = {"what": "end", "how": how, "hidden": chain.hidden_digest(SALT, hidden).hex()}
        self._put(entry | {"kept": digest, "sheets": sheets} | last)
        return self._text(how)

    def _text(self, how: str) -> str:
        names = {str(seat): f"{seat}’s name" for seat in self.seats if seat != LATE}
        setup = write_setup(self.subject.ruleset, self.setup, names).decode()
        header = {
            "signet-receipts": luck.PROTOCOL, "campaign": CAMPAIGN, "scene": SCENE, "title": self.setup.brief.title,
            "ruleset": self.subject.ruleset.key, "kind": self.kind.key,
            "version": self.subject.ruleset.version_of(self.kind),
            "status": how, "seats": [{"seat": seat, "name": names.get(seat, seat)} for seat in self.seats],
            "anchor": luck.chain_link(ROOT, 0).hex(), "setup": chain.setup_digest(SALT, setup).hex(),
            "carried": dict.fromkeys(self.setup.kept),
        }  # fmt: skip
        head = chain.first_head(
            protocol=luck.PROTOCOL,
            campaign=CAMPAIGN, scene=SCENE, ruleset=header["ruleset"], kind=header["kind"], version=header["version"],
            anchor=bytes.fromhex(header["anchor"]), setup=bytes.fromhex(header["setup"]), carried=header["carried"],
        )  # fmt: skip
        lines: list[Thing] = [header]
        for entry in self.records:
            text = chain.canonical(entry)
            head = chain.next_head(head, text)
            lines.append({"record": text, "head": head.hex()})
        opened = {"root": ROOT.hex(), "setup_salt": SALT.hex(), "setup": setup}
        lines.append({"opened": opened | {"records": self.places, "rows": self.late, "log": self.log}})
        return "\n".join(json.dumps(line) for line in lines)


def record(subject: Subject, draw: Draw, closings: int, gm_salt: bytes = b"the GM's") -> str:
    """A scene with drawn answers and secret rolls, ended by its rules or broken off; somebody comes in where the rules
    let them."""
    setup = draw(subject.setups)
    setup = replace(setup, brief=replace(setup.brief, given=json.loads(json.dumps(setup.brief.given))))
    if GM not in setup.brief.seats:
        raise ValueError(f"{subject!r} draws a setup without the GM's chair")
    scene = RecordedScene(subject, setup, gm_salt=gm_salt)
    for number in range(closings):
        steps = scene.kind.steps(scene.state)
        if not steps:
            break
        if number == 2 and scene.kind.enter is not None and setup.sheets:
            scene.enter(next(iter(setup.sheets.values())))
            steps = scene.kind.steps(scene.state)
        if number == 1 and scene.kind.inner is not None:
            scene.come_back("abandoned")
            scene.come_back("over", {"winner": "red"})
            steps = scene.kind.steps(scene.state)
        if number:
            scene.roll("Does Ada hear the steps?", "2d8+d10(0-9)-d4+3")
            scene.roll("Is the ‘bridge’ still up?", "3d6-1", show=True)
        awaited = [step for step in steps if step.pace != "whenever"]
        step = draw(st.sampled_from(awaited * 3 + [step for step in steps if step.pace == "whenever"]))
        scene.close(step, _answers(scene, draw, step))
    return scene.end()


def examples(subject: Subject, number: int, closings: int, gm_salt: bytes = b"the GM's") -> list[str]:
    """The files of that many scenes, each time the same; with another `gm_salt` the same seats say the same."""
    found: list[str] = []

    @settings(
        max_examples=number, deadline=None, database=None, derandomize=True, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(data=st.data())
    def play(data: st.DataObject) -> None:
        found.append(record(subject, data.draw, closings, gm_salt))

    play()
    return found


def _answers(scene: RecordedScene, draw: Draw, step: Step) -> list[tuple[Ask, Answer[Any], str | None]]:
    """In seat order; where what was drawn cannot be said by a form, or not legally, the default."""
    asks = sorted(step.asks, key=lambda ask: scene.seats.index(ask.seat))
    said = [_words(scene, draw, ask) for ask in asks]
    spoke = [place for place, (_, words) in enumerate(said) if words]
    order = [*draw(st.permutations(spoke)), *(place for place, (_, words) in enumerate(said) if not words)]
    ranks = [order.index(place) + 1 if step.ranked else 0 for place in range(len(asks))]
    return [
        (ask, Answer(says=says, how="sealed" if words else "default", rank=rank), words)
        for ask, (says, words), rank in zip(asks, said, ranks, strict=True)
    ]


def _words(scene: RecordedScene, draw: Draw, ask: Ask) -> tuple[Any, str | None]:
    kind, view = scene.kind, scene.kind.view(scene.state, viewer(ask.seat))
    typed = kind.declaration.dump_python(scene.subject.says(draw, view, ask), mode="json", exclude_defaults=True)
    words = form_text.spell([(name, value) for name, value in pairs(typed) if name != "ask"])
    try:
        says = kind.declaration.validate_python({**form_text.unflatten(form_text.read(words)), "ask": ask.kind})
        if not kind.check(view, ask, says):
            return says, words
    except ValueError:
        pass
    return kind.default(view, ask), None

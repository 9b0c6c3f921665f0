"""Checks and their effects: riders, the one check of each clash, hits, and all changes at the same instant."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal

from app.engine.chance import Chance, Roll
from app.rulesets.whiskey import events as ev
from app.rulesets.whiskey.cards import CARDS, Card
from app.rulesets.whiskey.decks import VALUES
from app.rulesets.whiskey.state import BattleLog, Fight, State

MOST_CAUSES = 12  # in one "Why?"
LEAST_HP = -9999


def riders(log: BattleLog) -> None:
    """Riders, and spells as the main action, work exactly if their owner was not stopped and is in no mutual clash
    (WHI-23 to WHI-25); a card aimed at an attack works if that attack came about (WHI-59).
    """
    state = log.state
    mutual = {
        who: f.number
        for f in state.last.fights.values()
        if f.why == "mutual" and not f.struck
        for who in (f.by, f.other)
    }
    for d in list(state.last.declared.values()):
        if d.intent != "other" and not d.rider and not d.rider_words:
            continue
        stopped = d.who in state.last.stopped
        kept = any(CARDS[key].kept_when_stopped for key in (d.rider,) if key)
        if d.intent == "other":
            _rider(log, d, d.card, d.words, "WHI-12", works=not stopped or kept)
        if d.rider and CARDS[d.rider].aim == "attack":
            _rider(log, d, d.rider, "", "WHI-59", works=_attack_came(state, d))
        elif d.rider or d.rider_words:
            works = (not stopped and d.who not in mutual) or kept
            clash = () if stopped else (mutual.get(d.who, 0),)
            rule = "WHI-25" if any(clash) and not works else "WHI-24"
            _rider(log, d, d.rider, d.rider_words, rule, works=works, clash=clash)


def _attack_came(state: State, d: ev.Declared) -> bool:
    fight = clash_of(state, d)
    return fight is not None and (fight.by == d.who or fight.why == "mutual")


def clash_of(state: State, d: ev.Declared) -> Fight | None:
    """The clash of a character with the target of the declaration, if it takes place."""
    fights = state.last.fights
    fight = fights.get(f"{d.who}>{d.target}") or fights.get(f"{d.target}>{d.who}")
    return fight if fight is not None and not fight.struck else None


def _rider(
    log: BattleLog, d: ev.Declared, card: str, words: str, rule: str, *, works: bool, clash: tuple[int, ...] = ()
) -> None:
    """`rule` is why it works, or why it fails if its owner was not stopped; `clash` is the clash of its owner."""
    told = log.state.last.told[d.who]
    causes = tuple(n for n in (_stop_number(log, d.who), *clash) if n)
    if works:
        question = "" if card or not words else f"q{len(log.state.last.questions) + 1}"
        target = d.rider_target if card and CARDS[card].needs_target else ""
        once = bool(card) and CARDS[card].once
        log.emit(ev.Worked(d.who, card, words, target, question, spent=once), rule=rule, because=(told,))
    else:
        spent = bool(card) and log.state.settings.spent_on_stop == "yes"
        rule = rule if rule in ("WHI-25", "WHI-59") else "WHI-23"
        log.emit(ev.Failed(d.who, card, words, spent), rule=rule, because=(told, *causes))


def _stop_number(log: BattleLog, who: str) -> int:
    """The number of the clash that stopped a character; 0 if none did."""
    by = log.state.last.stopped.get(who)
    fight = log.state.last.fights.get(f"{by}>{who}")
    return fight.number if fight else 0


def check_all(log: BattleLog, chance: Chance) -> None:
    """Makes one check per clash, in roster order of the checker, then of the opponent (WHI-33 to WHI-36)."""
    state = log.state
    places = state.places()
    chants = _chants(state)
    pairs = [(*_who_checks(state, fight, places), fight) for fight in state.last.fights.values() if not fight.struck]
    for checker, other, why, fight in sorted(pairs, key=lambda pair: (places[pair[0]], places[pair[1]])):
        called = log.emit(ev.Called(fight.clash, checker, why), rule="WHI-34", because=(fight.number,))
        _check(log, chance, checker, other, fight, chants, called)


def _who_checks(
    state: State, fight: Fight, places: dict[str, int]
) -> tuple[str, str, Literal["began", "player", "first"]]:
    """The fighter who started it; after mutual attacks the player's, else the earlier in the roster (WHI-34)."""
    a, b = fight.by, fight.other
    one_pc = state.fighters[a].pc != state.fighters[b].pc
    one, two = state.last.declared.get(a), state.last.declared.get(b)
    both = False
    if one is not None and two is not None and one.target == b and two.target == a:
        both = "defend" not in (one.intent, two.intent)
    if one_pc and (both or state.settings.who_checks == "pc_first"):
        return (a, b, "player") if state.fighters[a].pc else (b, a, "player")
    if both:
        return (b, a, "first") if places[b] < places[a] else (a, b, "first")
    return a, b, "began"


def _check(
    log: BattleLog, chance: Chance, checker: str, other: str, fight: Fight, chants: dict[str, int], called: int
) -> None:
    state = log.state
    x, y = _combat(state, checker, chants), _combat(state, other, chants)
    name = f"{checker}>{other}"
    drawn, card = draw(log, chance, state.fighters[checker].faction, f"WHI-36/card/{name}", (called,))
    because = (fight.number, called, drawn)
    again = x + card <= y and checker not in state.last.again and any(c.redraw for c in active(state, checker))
    if again:
        # Second try: the failed card is out, the next one counts (house card), once a round, however many clashes.
        drawn, card = draw(log, chance, state.fighters[checker].faction, f"WHI-58/second-try/{name}", (drawn,))
        because = (*because, drawn)
    die = chance.die(6, f"WHI-36/die/{name}")
    event = ev.Checked(fight.clash, checker, other, x, card, y, die, passed=x + card > y, again=again)
    checked = log.emit(event, rule="WHI-36", because=because)
    _decide(log, event, checked)


def draw(log: BattleLog, chance: Chance, faction: str, label: str, because: tuple[int, ...]) -> tuple[int, int]:
    """Draws a card from the checker's own faction's deck, which serves only that faction's checks (WHI-53)."""
    deck, mode = log.state.decks[faction], log.state.settings.deck_mode
    among = VALUES if mode == "dice" else tuple(deck.left)
    card, roll = chance.pick(among, label)
    rule = {"dice": "WHI-52", "single": "WHI-49"}.get(mode, "WHI-50")
    turned = deck.last(mode)
    number = log.emit(ev.Drawn(faction, deck.half, card, roll, turned), rule=rule, because=because)
    if turned:
        rule = "WHI-51" if mode == "halves" else "WHI-49"
        log.emit(ev.Turned(faction, log.state.decks[faction].half), rule=rule, because=(number,))
    return number, card


def _decide(log: BattleLog, checked: ev.Checked, number: int) -> None:
    """Pass: the checker hits; fail: the opponent hits (WHI-33, WHI-64). Damage lands when all checks are made."""
    fight = log.state.last.fights[checked.clash]
    winner, loser = (checked.checker, checked.against) if checked.passed else (checked.against, checked.checker)
    base, die, instead = _weapon(log.state, winner, loser, fight)
    more = less = 0
    for card in active(log.state, winner):
        more += card.hit
    for card in active(log.state, loser):
        less += card.soak
    damage = max(0, base + die * checked.die.face + more - less)
    event = ev.Hit(checked.clash, winner, loser, base, die, checked.die.face, more, less, damage, instead)
    log.emit(event, rule="WHI-59" if instead else "WHI-38", because=(number,))


def _weapon(state: State, winner: str, loser: str, fight: Fight) -> tuple[int, int, str]:
    """Returns base and die of the winner's hit, and the ability card they come from, if any (WHI-59)."""
    declared = state.last.declared.get(winner)
    if declared is not None and declared.target == loser and (fight.by == winner or fight.why == "mutual"):
        for card in active(state, winner):
            if card.weapon is not None:
                return *card.weapon, card.key
    return state.fighters[winner].base, state.fighters[winner].die, ""


def _combat(state: State, who: str, chants: dict[str, int]) -> int:
    fighter = state.fighters[who]
    combat = fighter.combat + chants.get(fighter.side, 0)
    for card in active(state, who):
        combat += card.own_check - card.allies_check
    return combat


def _chants(state: State) -> dict[str, int]:
    """Returns the sum of all chants by side, this round; their owners do not profit from their own."""
    found: dict[str, int] = {}
    for who in state.last.active:
        side = state.fighters[who].side
        found[side] = found.get(side, 0) + sum(card.allies_check for card in active(state, who))
    return found


def active(state: State, who: str) -> Sequence[Card]:
    """The cards of a character that work this round."""
    working = state.last.active.get(who)
    return [CARDS[key] for key, _ in working] if working else ()


def land(log: BattleLog, chance: Chance) -> None:
    """Lands all damage and healing of the round at the same instant (WHI-42 to WHI-45, WHI-60), then ends the round."""
    state = log.state
    cosmetic = _cosmetic(state)
    delta: dict[str, int] = {}
    causes: dict[str, list[int]] = {}
    decided = [(fight, _loser(fight)) for fight in state.last.fights.values() if fight.winner]
    lost: dict[str, list[int]] = {}
    for fight, loser in decided:
        lost.setdefault(loser, []).append(fight.hit)
    for fight, loser in decided:
        if fight.clash in cosmetic:
            because = (fight.hit, *lost[fight.winner])[:MOST_CAUSES]
            log.emit(ev.Cosmetic(fight.clash, fight.winner, loser), rule="WHI-42", because=because)
            continue
        delta[loser] = delta.get(loser, 0) - fight.damage
        causes.setdefault(loser, []).append(fight.hit)
    for who, target, roll in _mends(state, chance):
        told = log.emit(ev.Healed(target, who, roll.face, roll, "mend"), rule="WHI-60", because=_told(state, who))
        delta[target] = delta.get(target, 0) + roll.face
        causes.setdefault(target, []).append(told)
    for who in [key for key in state.fighters if key in delta]:
        change(log, who, delta[who], because=tuple(causes[who]))
    _later(log)


def _loser(fight: Fight) -> str:
    return fight.other if fight.winner == fight.by else fight.by


def _cosmetic(state: State) -> set[str]:
    """Hits without effect: those of a centre who is put out of the battle by the clashes it lost (WHI-42)."""
    clashes: defaultdict[str, list[Fight]] = defaultdict(list)
    for fight in state.last.fights.values():
        if fight.winner:
            clashes[fight.by].append(fight)
            clashes[fight.other].append(fight)
    found = set()
    for who, fights in clashes.items():
        if len(fights) > 1 and state.fighters[who].hp - _lost(who, fights) <= 0:
            found |= {fight.clash for fight in fights if fight.winner == who}
    return found


def _lost(who: str, fights: list[Fight]) -> int:
    return sum(fight.damage for fight in fights if fight.winner != who)


def _mends(state: State, chance: Chance) -> Iterable[tuple[str, str, Roll]]:
    """Healing dice, after all checks and in roster order: owner, target, roll."""
    for who in [key for key in state.fighters if key in state.last.active]:
        for key, target in state.last.active[who]:
            if CARDS[key].heals_die and target in state.fighters:
                yield who, target, chance.die(6, f"WHI-60/mend/{who}>{target}")


def _told(state: State, who: str) -> tuple[int, ...]:
    return (state.last.told[who],) if who in state.last.told else ()


def _later(log: BattleLog) -> None:
    """The end of the round: an able owner of a card that heals later gets its HP."""
    state = log.state
    for who in [key for key in state.fighters if key in state.last.active]:
        for card in active(state, who):
            if card.heals_later and state.fighters[who].able:
                event = ev.Healed(who, who, card.heals_later, None, card.key)
                told = log.emit(event, rule="WHI-58", because=_told(state, who))
                change(log, who, card.heals_later, because=(told,))


def change(log: BattleLog, who: str, by: int, because: tuple[int, ...]) -> None:
    """Changes a character's HP: healing stops at the maximum, damage at 0 unless the table allows negative HP."""
    state, fighter = log.state, log.state.fighters[who]
    before = fighter.hp
    after = before + by
    if by > 0:
        after = max(before, min(after, fighter.hp_max))
    # The lowest HP that a sheet can hold.
    after = max(after, 0 if state.settings.overkill == "clamp" else LEAST_HP)
    down = after <= 0 < before
    event = ev.Changed(who, before, after, down, hidden=fighter.hidden, numbers=fighter.shown)
    rule = "WHI-45" if down else "WHI-44"
    log.emit(event, rule=rule, because=because)
    if not fighter.shown and not fighter.hidden:
        log.emit(ev.Looks(who, log.state.fighters[who].health, down), rule=rule, because=because)

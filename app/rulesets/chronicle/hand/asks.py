"""The asks of a fight: only fighters who have something left to decide are asked."""

from app.engine.ruleset import GM, Ask, Phase, Seat, Step
from app.engine.sentences import and_list
from app.engine.steps import gm_desk, retry_suffix
from app.rulesets.chronicle.hand import defences, effects, legal, many, moves
from app.rulesets.chronicle.hand.state import OTHER, Fight, Side, State

PHASES = (
    Phase(words="The ground", steps=("setting",), default="choose open ground", gms=True, opening=True),
    Phase(words="Making ready", steps=("ready",), default="keep their usual choices", opening=True),
    Phase(words="Who fights whom", steps=("pair",), default="take the first pair or combat"),
    Phase(words="Who joins", steps=("join",), default="follow their standing choice"),
    Phase(words="Footwork", steps=("foot", "free"), default="move to the usual square"),
    Phase(words="Actions", steps=("act",), default="follow their standing choice"),
    Phase(words="Defences", steps=("defend", "dodge"), default="use their usual defence"),
    Phase(words="Moves", steps=("move",), default="move to the usual square"),
    Phase(words="Wounds", steps=("protect", "pick"), default="follow their standing choice"),
    Phase(words="Surrenders", steps=("mercy",), default="show mercy"),
    Phase(words="After the round", steps=("next",), default="continue while both sides can fight", gms=True),
)

WORDS = {
    "Prepare <name>": "Get <name> ready",
    "Name a pair": "Choose who fights whom",
    "Join, wait or leave: <name>": "Choose whether to join, wait or leave, for <name>",
    "Act with <name>": "Choose an action for <name>",
    "Defend <name>": "Choose a defence for <name>",
    "Protect a part of <name>": "Choose what to protect, for <name>",
    "Choose where it hits: <name>": "Choose where it hits, for <name>",
    "Step after <name>, or not": "Decide whether to follow <name>",
    "Another takes the square: dodge elsewhere with <name>": "That square is taken: choose another dodge for <name>",
    "Take or refuse the surrender, for <name>": "Accept or refuse the surrender, for <name>",
    "Go on or end the fight": "Start another round or end the fight",
    "Round <n>: those without a combat": "Round <n>: free fighters",
    "Round <n>: a square for two": "Round <n>: two on one square",
    "Round <n>: taking a surrender": "Round <n>: surrenders",
}


def steps(state: State) -> tuple[Step, ...]:
    """The current step, and the GM's optional one; none once the scene is over."""
    if state.fight.phase == "over":
        return ()
    return at_hand(state), gm_desk(state.fight.desk, "Change something in the fight")


def at_hand(state: State) -> Step:
    """The step the scene waits for. Without asks (everything is settled beforehand) it closes at once."""
    fight = state.fight
    match fight.phase:
        case "setting":
            ask = (Ask(seat=GM, kind="setting", call="Lay out the ground"),)
            return _step(fight, "setting", "The ground", ask, "rule")
        case "ready":
            return _step(fight, "ready", "Making ready", _ready(fight))
        case "pair":
            return _step(fight, f"pair/{fight.turn}", "Who fights whom", _pair(fight), "react")
        case "join":
            return _step(fight, "join", "Who joins", _join(fight), "react")
        case "foot" | "free" | "move":
            name = {"foot": "Footwork", "free": "Those without a combat", "move": "Moves"}[fight.phase]
            return _step(fight, f"{fight.phase}/{fight.turn}", name, _move(state), "react")
        case "act":
            return _step(fight, "act", "Actions", _act(fight))
        case "defend":
            return _step(fight, "defend", "Defences", _defend(state), "react")
        case "dodge":
            who = fight.contested[0] if fight.contested else "all"
            return _step(fight, f"dodge/{who}", "A square for two", _dodge(state), "react")
        case "protect":
            return _step(fight, "protect", "Protecting a part", _protect(state), "react")
        case "pick":
            return _step(fight, "pick", "Where it hits", _pick(state), "react")
        case "mercy":
            return _step(fight, "mercy", "Taking a surrender", _mercy(fight), "react")
        case _:
            ask = (Ask(seat=GM, kind="next", call="Go on or end the fight"),)
            wanted = fight.settings.hand_between == "ask" or left_lying(fight)
            return _step(fight, "next", "After the round", ask if wanted else (), "rule")


def _step(fight: Fight, key: str, title: str, asks: tuple[Ask, ...], pace: str = "plan") -> Step:
    before = "" if not fight.round else f"r{fight.round}/"
    name = title if not fight.round else f"Round {fight.round}: {title[0].lower()}{title[1:]}"
    seconds = fight.settings.hand_seconds
    return Step(key=f"{before}{key}{retry_suffix(fight.tries)}", title=name, asks=asks, pace=pace, seconds=seconds)  # type: ignore[arg-type]


def _by_seat(fight: Fight, kind: str, call: str, about: dict[str, list[str]], *, late: bool = False) -> tuple[Ask, ...]:
    """One ask for each seat: `about` has ids by fighter. Sealed; `late`: the words hold standing choices."""
    seats: dict[str, list[str]] = {}
    names: dict[str, list[str]] = {}
    for key, ids in about.items():
        seats.setdefault(fight[key].seat, []).extend(ids)
        names.setdefault(fight[key].seat, []).append(fight[key].name)
    order = sorted(seats, key=lambda seat: seat == GM)
    return tuple(
        Ask(
            seat=Seat(seat),
            kind=kind,
            call=f"{call} {and_list(names[seat])}",
            about=tuple(dict.fromkeys(seats[seat])),
            opens="end" if late else "close",
        )
        for seat in order
    )


def _ready(fight: Fight) -> tuple[Ask, ...]:
    about = {key: [key] for key, one in fight.fighters.items() if one.here}
    return _by_seat(fight, "ready", "Prepare", about, late=True)


def _pair(fight: Fight) -> tuple[Ask, ...]:
    """Asks the side whose turn it is, or a fighter left over; no one if there is only one way (CHR-MUL-04, -05)."""
    found = many.pairs(fight)
    if found:
        return (_of_side(fight, many.turn(fight), "pair", "Name a pair"),) if len(found) > 1 else ()
    key = many.left_over(fight)
    if key and len(many.rooms(fight, key, fight.combats)) > 1:
        call = f"Choose a combat for {fight[key].name}"
        return (Ask(seat=Seat(fight[key].seat), kind="join_pair", call=call, about=(key,), open_to=None),)
    return ()


def speaker(fight: Fight, side: Side) -> str:
    """The seat that speaks for a side: that of its first able fighter."""
    return next((one.seat for one in fight.side(side) if fight.able(one.key)), GM)


def _of_side(fight: Fight, side: Side, kind: str, call: str) -> Ask:
    return Ask(seat=Seat(speaker(fight, side)), kind=kind, call=call, about=(side,), open_to=None)


def free_people(fight: Fight) -> list[str]:
    """Able fighters without a combat who have an enemy to fight, or to go to."""
    return [key for key, one in fight.fighters.items() if not one.combat and fight.able(key) and _drawn(fight, key)]


def _drawn(fight: Fight, key: str) -> bool:
    """Whether an enemy can act, can be fought from here, or lies out of reach of a Killing Blow."""
    foes = list(fight.side(OTHER[fight[key].side]))
    if any(fight.able(foe.key) for foe in foes) or many.ways_in(fight, key):
        return True
    return bool(foes) and not legal.victims(fight, key)


def victors(fight: Fight) -> list[str]:
    """Able fighters with no able enemy in their combat, while an enemy is elsewhere (CHR-MUL-09)."""
    return [
        key
        for key, one in fight.fighters.items()
        if one.combat
        and fight.able(key)
        and not any(fight.able(foe.key) for foe in fight.foes(key))
        and any(foe.combat != one.combat for foe in fight.side(OTHER[one.side]))
    ]


def joining(fight: Fight) -> list[str]:
    """Fighters who choose a combat at the start of a round: free ones and victors, in combatant order."""
    found = {*free_people(fight), *victors(fight)}
    return [key for key in fight.fighters if key in found]


def left_lying(fight: Fight) -> bool:
    """Whether only one side can act, and a fighter of the other is down and still defends (CHR-MUL-20)."""
    able = [side for side in OTHER if any(fight.able(one.key) for one in fight.side(side))]
    return len(able) == 1 and any(fight.defends(one.key) for one in fight.side(OTHER[able[0]]))


def _join(fight: Fight) -> tuple[Ask, ...]:
    return _by_seat(fight, "join", "Join, wait or leave:", {key: [key] for key in joining(fight)})


def _move(state: State) -> tuple[Ask, ...]:
    """Asks about the first move of the list, unless a standing choice or the ground leaves nothing to ask."""
    fight = state.fight
    if not fight.work:
        return ()
    move = fight.work[0]
    who = moves.chooser(move)
    if not moves.asked(fight, state.stands(who), move):
        return ()
    name = fight[move.who].name
    call = {
        "push": f"Push {name}",
        "follow": f"Step after {fight[move.other].name}, or not" if move.other else "",
        "approach": f"Approach with {name}",
        "grapple": f"Close in with {name}",
    }.get(move.why, f"Move {name}")
    return (Ask(seat=Seat(fight[who].seat), kind="move", call=call, about=(move.who,), open_to=None),)


def _act(fight: Fight) -> tuple[Ask, ...]:
    about = {key: [key] for key in fight.fighters if legal.acts(fight, key)}
    return _by_seat(fight, "act", "Act with", about, late=True)


def _defend(state: State) -> tuple[Ask, ...]:
    fight = state.fight
    about = {
        key: [f"{order.who}:{key}" for order in attacks]
        for key in fight.fighters
        if (attacks := legal.attacks_on(fight, key)) and not fight.helpless(key)
    }
    open_still = {key: ids for key, ids in about.items() if not defences.settled(fight, state.stands(key), key)}
    return _by_seat(fight, "defend", "Defend", open_still)


def _dodge(state: State) -> tuple[Ask, ...]:
    fight = state.fight
    if not fight.contested:
        return ()
    key = fight.contested[0]
    if state.stands(key).contest != "ask":
        return ()
    call = f"Another takes the square: dodge elsewhere with {fight[key].name}"
    return (Ask(seat=Seat(fight[key].seat), kind="dodge", call=call, about=(key,), open_to=None),)


def _protect(state: State) -> tuple[Ask, ...]:
    about: dict[str, list[str]] = {}
    for order in effects.protectors(state.fight):
        if state.stands(order.target).protect == "ask":
            about.setdefault(order.target, []).append(f"{order.who}:{order.target}")
    return _by_seat(state.fight, "protect", "Protect a part of", about)


def _pick(state: State) -> tuple[Ask, ...]:
    about: dict[str, list[str]] = {}
    for who, order in effects.pickers(state.fight):
        stand = state.stands(who)
        wish = stand.strike if who == order.who else stand.suffer
        if wish == "ask" and len(effects.parts(state.fight, order)) > 1:
            about.setdefault(who, []).append(f"{order.who}:{order.target}")
    return _by_seat(state.fight, "pick", "Choose where it hits:", about)


def surrendering(fight: Fight) -> list[str]:
    return [key for key in fight.fighters if key in fight.orders and fight.orders[key].surrender]


def _mercy(fight: Fight) -> tuple[Ask, ...]:
    """Able enemies of the same combat may refuse a surrender (CHR-ACT-36)."""
    about: dict[str, list[str]] = {}
    for key in surrendering(fight):
        for foe in fight.foes(key):
            if fight.able(foe.key):
                about.setdefault(foe.key, []).append(key)
    return _by_seat(fight, "mercy", "Take or refuse the surrender, for", about)


def waits(state: State) -> bool:
    """Whether the fight cannot continue without an answer, or is over."""
    return state.fight.phase == "over" or bool(at_hand(state).asks)

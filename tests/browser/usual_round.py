"""A usual round of any kind of scene in one window that takes all seats: whatever is asked is sealed with the first of
its choices, until something opens together."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import founding, seats
from app.crypto.vault import Vault
from app.models.people import Campaign, Member, Role
from tests.browser.engines import Engine
from tests.browser.seats import SHOTS
from tests.kinds import Kind, Rules, begin

FORM = "form.declare"
NEXT = """const seen = (one) => one.getClientRects().length;
for (const form of document.querySelectorAll(".ask:not(.is-sealed) form.declare")) {
  const any = form.querySelector('[type=hidden][value="seal"]') ? "button:not([type=button])" : "[value=seal]";
  const one = [...form.querySelectorAll(any)].find((it) => seen(it) && !it.disabled);
  if (!one || (one.closest(".whenever") && !arguments[0])) continue;
  return [form.closest(".ask").id, one.name && `[name="${CSS.escape(one.name)}"][value="${CSS.escape(one.value)}"]`];
}"""
"""The first ask that waits for this seat, and its button; what may be said at any time only where that is wanted."""
TURN = """for (const form of document.querySelectorAll(".ask:not(.is-sealed) form[data-page]:not([data-page=seal])")) {
  [...form.querySelectorAll("[data-sets]")].find((card) => card.dataset.sets.includes('"hold"')).click();
}
return true"""
"""Through the pages of a wizard's form: nothing is done."""
FILL = """const form = document.querySelector(arguments[0]);
for (const one of form.querySelectorAll("input[type=radio]:enabled, input[type=text], select")) {
  const group = [...form.querySelectorAll(`[type=radio][name="${CSS.escape(one.name)}"]`)];
  if (!(one.closest("label") ?? one).getClientRects().length) continue;
  if (one.matches("select") && /^(choose|whom|which)/.test(one.selectedOptions[0]?.text)) one.selectedIndex = 1;
  else if (one.matches("[type=text]") && !one.value && !one.closest("form details")) one.value = "Nell";
  else if (group[0] && !group.some((it) => it.checked)) (group.find((it) => it.value === "hold") ?? one).checked = true;
  else continue;
  one.dispatchEvent(new Event("change", {bubbles: true}));
}
return [...form.querySelectorAll(":invalid")].map((one) => one.name)"""
"""Who takes the first of whatever has to be chosen, or does nothing; what cannot be sent like this."""
ANSWERED = """const ask = document.getElementById(arguments[0]);
const faults = ask && [...ask.querySelectorAll(".fault")].map((one) => one.textContent).join("").trim();
return !ask || ask.matches(".is-sealed") ? "sealed" : faults"""


FITS = """const pen = document.createElement("canvas").getContext("2d");
const fits = (one) => {
  const style = getComputedStyle(one), number = (name) => parseFloat(style[name]);
  pen.font = style.font;
  const room = one.clientWidth - number("paddingLeft") - number("paddingRight");
  const words = pen.measureText(one.selectedOptions[0].text).width;
  return !one.getClientRects().length || (words <= room + 2 && words >= room - 24);
};
const lines = (one) => one.getBoundingClientRect().height < 1.9 * parseFloat(getComputedStyle(one).fontSize);
return [...document.querySelectorAll(".sentence select")].every(fits)
  && (innerWidth < 960 || [...document.querySelectorAll(".envelopes .soft")].every(lines))"""
"""Selects in a sentence are as wide as what they say, and an envelope's state has one line."""

MOST = 4  # times that everybody is asked before something opens
AT_REST = "return !document.documentElement.matches('[data-filming]')"
LOG = 'return document.querySelector("#log").innerText'
OPENED = "return !!document.querySelector(arguments[0])"
AGAIN = {
    **dict.fromkeys(("whiskey-battle", "duel-duel", "chronicle-hand", "skirmish-skirmish"), "#log [data-film-play]"),
    "arcana-fight": "#log [data-film-play]",
}
"""Where the reveal is shown piece by piece: the button that shows it again."""
VERDICT = """const told = document.querySelector("#findings").textContent;
return told && document.querySelector("#verdict").textContent + told"""
OVERFLOW = """document.querySelectorAll("body *").forEach((one) => one.getBoundingClientRect());
return document.documentElement.scrollWidth - document.documentElement.clientWidth"""
"""WebKit keeps the width of before a resize until something is measured."""


@dataclass(frozen=True, slots=True)
class Laid:
    campaign: Campaign
    people: dict[str, Member]
    scenes: dict[str, uuid.UUID]


async def lay(
    session: AsyncSession, vault: Vault, scenes: dict[str, uuid.UUID], kinds: Iterable[tuple[Rules, Kind]]
) -> Laid:
    """One campaign with a scene of each of these kinds; `scenes` is filled with them."""
    founded = await founding.found_campaign(session, "Every game", "whiskey", "GM", "test")
    people = {"gm": founded.member}
    for name in ("Ann", "Bea"):
        people[name.lower()] = await seats.add_member(session, founded.campaign, name, Role.PLAYER)
    laid = Laid(founded.campaign, people, scenes)
    for rules, kind in kinds:
        scenes[f"{rules.key}-{kind.key}"] = await begin(session, vault, laid.campaign, people, rules, kind)
    return laid


def sit(other: Engine, origin: str, links: dict[str, str]) -> dict[str, str]:
    """One window takes all seats, since the address says which: where each one's pages begin."""
    bases = {}
    for name, link in links.items():
        other.open(origin + link)
        other.click("main form button")
        other.wait("return location.pathname.startsWith('/c/') && document.readyState === 'complete'")
        bases[name] = other.run("return location.href")
    return bases


def answer(other: Engine, address: str) -> list[str]:
    """Seal everything that is asked on this page; which asks these were."""
    other.open(address)
    other.wait("return document.fonts.status === 'loaded'")  # a button moves when its letters come
    sealed = []
    while asked := other.wait(AT_REST) and other.run(TURN) and other.run(NEXT, False):
        press(other, *asked)
        sealed.append(asked[0])
    return sealed


def press(other: Engine, ask: str, button: str) -> None:
    assert other.run(FILL, f"#{ask} form.declare") == [], ask
    other.wait(FITS)
    other.click(f"#{ask} form.declare button{button}")
    assert other.wait(ANSWERED, ask) == "sealed", ask


def play(other: Engine, bases: dict[str, str], scene: str, until: str) -> list[str]:
    """Until something was opened together and is told; the pages of all who had sealed, the last one last."""
    sealed: dict[str, None] = {}
    for _ in range(MOST):
        for base in bases.values():
            if answer(other, base + scene):
                sealed = {**{page: None for page in sealed if page != base + scene}, base + scene: None}
                if other.run(OPENED, until):
                    return [*sealed]
    raise AssertionError(f"{until} never came to {scene}: {other.run(LOG)}")


def look(other: Engine, shots: Path, name: str) -> None:
    """By the table and on a phone: nothing sticks out. Pictures where they are asked for."""
    for device, width, height in (("desk", 1280, 800), ("phone", 450, 844)):
        other.resize(width, height)
        if SHOTS:
            other.shot(shots / f"{other.name}-{name}-{device}.png")
        assert other.run(OVERFLOW) <= 0, name
    other.resize(1280, 800)


def proved(other: Engine, page: str) -> bool:
    """Has the browser check the receipts of this page's scene; whether it had seals of its own to compare."""
    other.open(f"{page}/verify")
    found = other.wait(VERDICT)
    assert "Everything that can be checked is correct." in found, f"{page}: {found}"
    return "compared with what this browser saved" in found

"""The announcement of `signet play`: its addresses, and one link per seat of the demo."""

import io
import sys
from dataclasses import dataclass
from pathlib import Path

import segno
from sqlalchemy.ext.asyncio import AsyncSession

from app.crypto.vault import Vault
from app.ops.local_install import lan_addresses
from app.terminal import visible

EVERYWHERE = ("0.0.0.0", "::")


@dataclass(frozen=True, slots=True)
class Place:
    """This Signet's addresses and its data folder."""

    host: str
    port: int
    wanted_port: int
    data: Path
    public_url: str | None

    @property
    def here(self) -> str:
        """The address for this computer's own browser."""
        return self._url("127.0.0.1" if self.host in EVERYWHERE else self.host)

    @property
    def near(self) -> list[str]:
        """Addresses for other devices: the public one if it is known, else those in this network."""
        if self.public_url:
            return [self.public_url]
        return [self._url(address) for address in lan_addresses()] if self.host in EVERYWHERE else []

    def _url(self, address: str) -> str:
        return f"http://[{address}]:{self.port}" if ":" in address else f"http://{address}:{self.port}"


async def demo_links(session: AsyncSession, vault: Vault, demo: str) -> list[tuple[str, str]]:
    """Returns a label and a path per seat of that demo campaign, which is made if there is none."""
    from app.play.demo import ensure_demo

    return await ensure_demo(session, vault, demo, calendar=True)


def text(place: Place, links: list[tuple[str, str]]) -> str:
    """Returns the whole announcement."""
    near = place.near
    lines = ["", "Signet is ready."]
    if place.port != place.wanted_port:
        lines.append(f"Port {place.wanted_port} is in use, so Signet listens on {place.port}.")
    lines += ["", f"  on this computer   {place.here}/"]
    lines += [f"  in your network    {url}/" for url in near]
    if place.host in EVERYWHERE:
        lines.append("  Everyone in your network can reach it, but only a link opens a seat.")
        lines.append("  To keep it to this computer: signet play --host 127.0.0.1")
    if links:
        lines += ["", "The demo campaign, one link per seat. A link works like a key: give each to one person only."]
        for label, path in links:
            lines += ["", f"  {visible(label)}", f"    {place.here}{path}", *(f"    {url}{path}" for url in near)]
    if near and sys.stdout.isatty():
        lines += ["", f"{near[0]}/ for a phone:", "", _qr(near[0] + "/")]
    lines += ["", f"Everything is saved in {place.data}. Ctrl-C stops Signet and its database.", ""]
    return "\n".join(lines)


def _qr(address: str) -> str:
    drawn = io.StringIO()
    segno.make(address, micro=False).terminal(out=drawn, compact=True, border=2)
    return drawn.getvalue()

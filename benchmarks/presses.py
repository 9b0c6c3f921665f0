"""Load on a server with `wrk`: requests from a list, and the results."""

import json
import subprocess
import tempfile
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from app.engine import form_text
from app.receipts import luck
from benchmarks.ground import Server, tool
from benchmarks.tables import STEP, WORDS, Chair

DONE = """
function done(summary, latency, requests)
  local bad = summary.errors
  io.write(string.format(
    '\\n{"count": %d, "microseconds": %d, "p50": %d, "p99": %d, "failed": %d, "refused": %d}\\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    bad.connect + bad.read + bad.write + bad.timeout, bad.status))
end
"""

SEAL = """
local threads = 0
function setup(thread)
  thread:set("id", threads)
  threads = threads + 1
end
local all, chairs = {%(chairs)s}, {}
local body = %(body)s
local press, turn = 0, 0
function init()
  for n = id + 1, #all, %(threads)d do chairs[#chairs + 1] = all[n] end
  if id == 0 then press = -1 end  -- wrk asks the first thread once to look at a request, and never sends that
end
function request()
  press = press + 1
  if press == 0 then return wrk.format("GET", "/") end
  turn = turn %% #chairs + 1
  local chair = chairs[turn]
  local tail = string.format("&_revision=%%d&_request=%(run)s-%%012d", chair.seen, id * 1000000000 + press)
  chair.seen = chair.seen + 1
  return wrk.format("POST", chair.path, chair.headers, body .. tail)
end
"""

SAVE = """
local chairs = {%(chairs)s}
local turn = 0
function request()
  turn = turn %% #chairs + 1
  return wrk.format("POST", chairs[turn].path, chairs[turn].headers, chairs[turn].body)
end
"""

LOOK = """
local chairs = {%(chairs)s}
local turn = 0
function request()
  turn = turn %% #chairs + 1
  return wrk.format("GET", chairs[turn].path, chairs[turn].headers)
end
"""


@dataclass(frozen=True, slots=True)
class Pressed:
    """The result of a run of `wrk`. `refused` counts answers with status 400 and above."""

    a_second: float
    p50: float  # seconds
    p99: float
    count: int
    failed: int
    refused: int


def seal(server: Server, chairs: Sequence[Chair], seconds: float, connections: int) -> Pressed:
    """Seals again for each chair in turn. Each connection has its own thread and chairs, and waits for each answer
    before the next request, so that each revision follows the one before. The chairs have sealed once."""
    connections = min(connections, len(chairs))
    rows = [_row(f"{chair.page}/lay", chair, ", seen = 1", FORM) for chair in chairs]
    body = urlencode([*WORDS, ("_step", STEP), ("_seat", "alice"), ("_act", "seal")])
    run = str(uuid.uuid4()).rpartition("-")[0]
    script = SEAL % {"chairs": ",\n".join(rows), "body": json.dumps(body), "run": run, "threads": connections}
    return wrk(server, script, seconds, connections, threads=connections)


def save(server: Server, chairs: Sequence[Chair], seconds: float, connections: int) -> Pressed:
    """Saves a quiet draft again for each chair in turn; these chairs have laid no envelope."""
    rows = [_row(f"{one.page}/draft", one, f", body = {json.dumps(_draft(one))}", FORM) for one in chairs]
    return wrk(server, SAVE % {"chairs": ",\n".join(rows)}, seconds, connections)


def _draft(chair: Chair) -> str:
    salt, words = bytes(32), form_text.spell([(name.replace("alice", chair.handle), said) for name, said in WORDS])
    wax = luck.seal(str(chair.campaign), str(chair.scene), STEP, chair.handle, "declare", salt, words).commitment
    place = {"_campaign": chair.campaign, "_step": STEP, "_seat": chair.handle, "_ask": "declare"}
    return urlencode({**place, "_words": words, "_salt": salt.hex(), "_wax": wax.hex()})


def look(server: Server, chairs: Sequence[Chair], seconds: float, connections: int) -> Pressed:
    """Requests the page of each chair in turn."""
    return paths(server, [(chair.page, chair.cookie) for chair in chairs], seconds, connections)


def paths(server: Server, asked: Sequence[tuple[str, str]], seconds: float, connections: int) -> Pressed:
    rows = [f'{{path = {json.dumps(path)}, headers = {{["Cookie"] = {json.dumps(cookie)}}}}}' for path, cookie in asked]
    return wrk(server, LOOK % {"chairs": ",\n".join(rows)}, seconds, connections)


FORM = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}


def _row(path: str, chair: Chair, more: str, headers: dict[str, str]) -> str:
    named = ", ".join(f"[{json.dumps(name)}] = {json.dumps(value)}" for name, value in headers.items())
    return f'{{path = {json.dumps(path)}, headers = {{["Cookie"] = {json.dumps(chair.cookie)}, {named}}}{more}}}'


def wrk(server: Server, script: str, seconds: float, connections: int, threads: int = 1) -> Pressed:
    """Runs a script with `connections` connections, spread over `threads` threads."""
    program = tool("wrk")
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "requests.lua"
        file.write_text(script + DONE, encoding="utf-8")
        command = [program, f"-t{threads}", f"-c{connections}", f"-d{max(1, round(seconds))}s", "--timeout", "30s"]
        ran = subprocess.run(
            [*command, "-s", str(file), server.url], capture_output=True, text=True, check=False, timeout=seconds + 60
        )
    lines = [line for line in ran.stdout.splitlines() if line.startswith('{"count"')]
    if not lines:
        raise RuntimeError(f"wrk said nothing of use:\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}")
    said = json.loads(lines[-1])
    return Pressed(
        a_second=said["count"] / (said["microseconds"] / 1e6),
        p50=said["p50"] / 1e6,
        p99=said["p99"] / 1e6,
        count=said["count"],
        failed=said["failed"],
        refused=said["refused"],
    )

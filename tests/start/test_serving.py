"""A real `signet serve`: what it writes to its log, whom it believes, who may found."""

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from app.db.engine import migrate
from app.settings import new_key
from tests.start.playing import ROOT, command, environment, free_port

TOKEN = "kX3-7_abcdefghijklmnopqrstuvwxyzABCDEFGHIJK"


@contextmanager
def serving(url: str, place: Path, **more: str) -> Iterator[str]:
    """A `signet serve` that answers, and its address."""
    migrate(url)
    port = free_port()
    call = command("serve", "--port", str(port))
    ours = environment(**{"DATABASE_URL": url, "SIGNET_KEY": new_key(), **more})
    with (place / "log").open("w") as file:
        server = subprocess.Popen(call, cwd=ROOT, env=ours, stdout=file, stderr=file)
        try:
            until = time.monotonic() + 60
            while True:
                try:
                    assert httpx2.get(f"http://127.0.0.1:{port}/health/live").text == "alive\n"
                    break
                except httpx2.TransportError:
                    assert time.monotonic() < until and server.poll() is None, (place / "log").read_text()
                    time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            try:
                server.wait(30)
            finally:
                server.kill()
                server.wait()


def test_serve_lets_the_invited_found_unless_it_is_told_otherwise(empty_db_url: str, tmp_path: Path) -> None:
    key = new_key()
    with serving(empty_db_url, tmp_path, SIGNET_KEY=key) as base:
        assert "need an invitation" in httpx2.get(f"{base}/new").text
        call = command("invite-founder", "--days", "2")
        ours = environment(DATABASE_URL=empty_db_url, SIGNET_KEY=key, SIGNET_PUBLIC_URL=base)
        link = subprocess.run(call, cwd=ROOT, env=ours, capture_output=True, text=True, check=True).stdout.strip()
        assert link.startswith(f"{base}/new/")
        assert 'action="/new"' in httpx2.get(link).text
    assert link.rpartition("/")[2] not in (tmp_path / "log").read_text()
    with serving(empty_db_url, tmp_path, SIGNET_FOUNDING="anyone") as base:
        assert 'action="/new"' in httpx2.get(f"{base}/new").text


@pytest.mark.parametrize("believed", [True, False])
def test_who_is_asking_is_believed_of_named_proxies_alone(empty_db_url: str, tmp_path: Path, believed: bool) -> None:
    """Sixty looks a minute for each address; somebody who makes up addresses gets no more than that."""
    proxies = "127.0.0.0/8" if believed else "none"
    with serving(empty_db_url, tmp_path, SIGNET_PROXIES=proxies) as base, httpx2.Client(base_url=base) as client:
        answers = [
            client.get(f"/join/goblins/{TOKEN}", headers={"X-Forwarded-For": f"198.51.100.{n}"}).status_code
            for n in range(70)
        ]
        assert (429 in answers) is not believed, answers
        repeated = [
            client.get(f"/join/goblins/{TOKEN}", headers={"X-Forwarded-For": "203.0.113.9"}).status_code
            for _ in range(70)
        ]
        assert 429 in repeated


@pytest.mark.nightly
def test_the_log_of_serve_is_lines_of_json_without_a_token(empty_db_url: str, tmp_path: Path) -> None:
    with serving(empty_db_url, tmp_path) as base:
        httpx2.get(f"{base}/join/goblins/{TOKEN}?code={TOKEN}")
        httpx2.get(f"{base}/enter/goblins/{TOKEN}")
        httpx2.get(f"{base}/c/goblins/{TOKEN}/")
        httpx2.get(f"{base}/{TOKEN}")
        httpx2.post(f"{base}/c/goblins/alice/enter", data={"_token": TOKEN})
        httpx2.request(TOKEN.replace("_", ""), f"{base}/")
        with socket.create_connection(("127.0.0.1", int(base.rpartition(":")[2]))) as raw:
            raw.sendall(f"GET /join/{TOKEN} nonsense {TOKEN}\r\n\r\n".encode())
            raw.recv(1000)
    text = (tmp_path / "log").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert TOKEN not in text and "goblins" not in text
    told = [(line["method"], line["route"], line["status"]) for line in lines if line["logger"] == "signet.access"]
    assert told == [
        ("GET", "/join/{slug}/{token}", 404),
        ("GET", "/enter/{slug}/{token}", 404),
        ("GET", "/c/{slug}/{handle}/", 401),
        ("GET", "an unknown address", 404),
        ("POST", "/c/{slug}/{handle}/enter", 404),
        ("another method", "/", 405),
    ]
    assert all(line["ms"] > 0 for line in lines if line["logger"] == "signet.access")

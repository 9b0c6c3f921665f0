"""The line that each request leaves: the address's pattern, never the address, on a real `signet serve`."""

import json
import socket
import subprocess
import time
from pathlib import Path

import httpx2

from app.db.engine import migrate
from app.settings import new_key
from tests.start.playing import ROOT, command, environment, free_port

TOKEN = "kX3-7_abcdefghijklmnopqrstuvwxyzABCDEFGHIJK"


def test_the_log_of_serve_is_lines_of_json_without_a_token(empty_db: str, tmp_path: Path) -> None:
    migrate(empty_db)
    port = free_port()
    call = command("serve", "--port", str(port))
    ours = environment(DATABASE_URL=empty_db, SIGNET_KEY=new_key())
    with (tmp_path / "log").open("w") as file:
        server = subprocess.Popen(call, cwd=ROOT, env=ours, stdout=file, stderr=file)
        try:
            base = f"http://127.0.0.1:{port}"
            until = time.monotonic() + 60
            while True:
                try:
                    assert httpx2.get(f"{base}/health/live").text == "alive\n"
                    break
                except httpx2.TransportError:
                    assert time.monotonic() < until and server.poll() is None, (tmp_path / "log").read_text()
                    time.sleep(0.1)
            httpx2.get(f"{base}/join/goblins/{TOKEN}?code={TOKEN}")
            httpx2.get(f"{base}/enter/goblins/{TOKEN}")
            httpx2.get(f"{base}/c/goblins/{TOKEN}/")
            httpx2.get(f"{base}/{TOKEN}")
            httpx2.post(f"{base}/c/goblins/alice/enter", data={"_token": TOKEN})
            httpx2.request(TOKEN.replace("_", ""), f"{base}/")
            with socket.create_connection(("127.0.0.1", port)) as raw:
                raw.sendall(f"GET /join/{TOKEN} nonsense {TOKEN}\r\n\r\n".encode())
                raw.recv(1000)
        finally:
            server.terminate()
            server.wait(20)
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

"""Serving: the log names no token, and the end comes soon."""

import logging
import logging.config
from pathlib import Path

import pytest

from app.serving import logging_config, masked

TOKEN = "kX3-7_abcdefghijklmnopqrstuvwxyzABCDEFGHIJK"


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        (f"/enter/{TOKEN}", "/enter/…"),
        (f"/join/{TOKEN}", "/join/…"),
        (f"/enter/goblins/{TOKEN}?x=1", "/enter/…?x=1"),
        (f"/JOIN/{TOKEN}?y=2", "/JOIN/…?y=2"),
        (f"/c/goblins/device?a=1&code={TOKEN}&b=2", "/c/goblins/device?a=1&code=…&b=2"),
        (f"/join/goblins/{TOKEN[:20]}", "/join/…"),
        (f"/c/goblins/join/{TOKEN}?x=1", "/c/goblins/join/…?x=1"),
        ("/c/goblins/alice/table", "/c/goblins/alice/table"),
        ("/enter/", "/enter/"),
        ("/", "/"),
    ],
)
def test_addresses_are_shown_without_what_opens_a_seat(path: str, shown: str) -> None:
    assert masked(path) == shown


def test_the_log_file_holds_requests_with_masked_tokens(tmp_path: Path) -> None:
    file = tmp_path / "signet.log"
    logging.config.dictConfig(logging_config(file))
    try:
        access = logging.getLogger("uvicorn.access")
        access.info('%s - "%s %s HTTP/%s" %d', "10.0.0.7:5000", "POST", f"/join/{TOKEN}", "1.1", 303)
        logging.getLogger("uvicorn.error").warning("disk is getting full")
    finally:
        for name in ("uvicorn", "uvicorn.access"):
            for handler in list(logging.getLogger(name).handlers):
                logging.getLogger(name).removeHandler(handler)
                handler.close()
    lines = file.read_text()
    assert '10.0.0.7:5000 "POST /join/… HTTP/1.1" 303' in lines
    assert "disk is getting full" in lines
    assert TOKEN not in lines

"""Canaries and the search for them: words that mark a secret, found in whatever spelling and packing they turn up.

A search that finds nothing proves something only if it can find: `tests/web/test_canaries.py` plants canaries in every
spelling and packing that stands here.
"""

import base64
import contextlib
import gzip
import re
import uuid
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

ACCEPTED = "gzip, deflate, br, zstd"
_PACKED = re.compile(rb"\x1f\x8b\x08|\x78[\x01\x5e\x9c\xda]")  # where gzip and zlib begin
_MOST = 32 * 1024 * 1024  # bytes that one packing may unfold to


def spellings(word: str) -> dict[str, bytes]:
    """How a word of letters and digits may be written: as it is, in base 16 and 64, as wide characters."""
    raw = word.encode()
    found = {"raw": raw, "hex": raw.hex().encode(), "wide": word.encode("utf-16-le")}
    found["url"] = "".join(f"%{byte:02x}" for byte in raw).encode()
    found["backwards"] = raw[::-1]
    for shift in range(3):  # what comes before it decides how it falls into groups of three
        whole = base64.b64encode(b"\0" * shift + raw + b"\0" * (-(shift + len(raw)) % 3))
        first, last = (4 if shift else 0), (-4 if (shift + len(raw)) % 3 else None)
        found[f"base64/{shift}"] = whole[first:last]
    return found


@dataclass
class Canaries:
    """Secret words by what they mark; each is asked for by name where it is laid, and made then."""

    words: dict[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> str:
        return self.words.setdefault(name, uuid.uuid4().hex)

    def search(self, names: Iterable[str] | None = None) -> "Search":
        return Search({name: self[name] for name in (self.words if names is None else names)})


class Search:
    """Looks for some words in bytes."""

    def __init__(self, words: dict[str, str]) -> None:
        self._exact: dict[bytes, str] = {}
        self._in_any_case: dict[bytes, str] = {}
        for name, word in words.items():
            for how, mark in spellings(word).items():
                if how.startswith("base64"):
                    self._exact[mark] = f"{name} ({how})"
                else:
                    self._in_any_case[mark.lower()] = f"{name} ({how})"

    def plain(self, body: bytes) -> set[str]:
        """What stands in these bytes as they are. Mark by mark: ten times as fast as a pattern of all of them."""
        lower = body.lower()
        found = {name for mark, name in self._exact.items() if mark in body}
        return found | {name for mark, name in self._in_any_case.items() if mark in lower}

    def __call__(self, body: bytes, packed: str = "") -> set[str]:
        """What stands in these bytes, and in whatever is compressed in them; `packed` is their Content-Encoding."""
        body = opened(body, packed)
        found = self.plain(body)
        for inner in _inside(body):
            found |= self.plain(inner)
        return found


def opened(body: bytes, packed: str) -> bytes:
    """A body without its Content-Encoding. One that cannot be looked into is an error: nothing passes unread."""
    match packed:
        case "" | "identity":
            return body
        case "gzip":
            return gzip.decompress(body)
        case "deflate":
            with contextlib.suppress(zlib.error):
                return zlib.decompress(body)
            return zlib.decompress(body, -zlib.MAX_WBITS)
    raise AssertionError(f"an answer came packed as {packed!r}, which this search cannot read")


def _inside(body: bytes) -> Iterator[bytes]:
    for start in _PACKED.finditer(body):
        unpack = zlib.decompressobj(zlib.MAX_WBITS | 32)
        with contextlib.suppress(zlib.error):
            yield unpack.decompress(body[start.start() :], _MOST)


def files_under(place: Path) -> Iterator[tuple[str, bytes]]:
    """Every file below a folder, as bytes; those that go away meanwhile are gone."""
    for path in sorted(place.rglob("*")):
        if path.is_file():
            with contextlib.suppress(FileNotFoundError):
                yield str(path.relative_to(place)), path.read_bytes()


def planted(word: str) -> Iterator[tuple[str, bytes, str]]:
    """A word hidden in every way that a search must see through: (what, the bytes, their Content-Encoding)."""
    for how, mark in spellings(word).items():
        yield how, b"<p>before " + mark + b" after</p>", ""
    text = f"<p>{quote('before it')} {word} and behind</p>".encode()
    for lead in range(4):
        yield f"base64 behind {lead} letters", base64.b64encode(b"x" * lead + text), ""
    yield "HEX", text.hex().upper().encode(), ""
    yield "RAW", text.upper(), ""
    yield "gzip", gzip.compress(text), "gzip"
    yield "zlib", zlib.compress(text), "deflate"
    squeeze = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    yield "deflate", squeeze.compress(text) + squeeze.flush(), "deflate"
    yield "gzip inside a page", b"<pre>" + gzip.compress(text) + b"</pre>", ""
    yield "zlib at every strength", b"".join(b"|" + zlib.compress(text, level) for level in (1, 6, 9)), ""
    yield "gzip in gzip", gzip.compress(b"--" + gzip.compress(text)), "gzip"

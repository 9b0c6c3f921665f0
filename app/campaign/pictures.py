"""Pictures that people upload, made anew: nothing of the file but its pixels is stored.

A new picture has no place where a camera took it, no second content hidden behind the first, and a bounded size. Files
are foreign data: servers have them read in the child process (app/foreign), so what decoding takes is bounded, too.
"""

import io
import struct
import warnings
from dataclasses import dataclass

from PIL import Image, ImageOps, UnidentifiedImageError

from app.errors import BadFile

MOST_BYTES = 8 * 1024 * 1024  # of an uploaded file
MOST_PIXELS = {"PNG": 40_000_000, "JPEG": 50_000_000, "WEBP": 25_000_000, "GIF": 40_000_000}
"""The most pixels of an uploaded picture. Large maps are 6,300 x 6,300, phones take 50 million. Decoding a PNG or GIF
takes four bytes a pixel, and as many again to scale transparent ones; a WebP takes twice that; a JPEG is decoded at the
size that is needed. So each takes at most 400 megabytes, and the child (app/foreign/door.py) has 512."""

LONGEST_SIDE = 2000  # pixels of a stored one
QUALITY = 82
SCALED_AS_THEY_ARE = ("L", "LA", "RGB", "RGBA")  # pictures in other modes are converted at their full size
_SIZE = struct.Struct(">II")


class NoPicture(BadFile):
    """The file cannot be used; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as it is stored: WebP, at most `LONGEST_SIDE` pixels wide and high."""

    body: bytes
    width: int
    height: int


def reencoded(uploaded: bytes) -> Picture:
    """Returns an uploaded picture (PNG, JPEG, WebP, or a GIF's first frame) made anew, upright. Raises NoPicture, and
    MemoryError if the process may not take the memory."""
    if len(uploaded) > MOST_BYTES:
        raise NoPicture(f"This file is larger than {MOST_BYTES // 1024 // 1024} megabytes. Choose a smaller one.")
    try:
        return _anew(uploaded)
    except (NoPicture, MemoryError):
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise NoPicture(f"This {_kind(uploaded)} has too many pixels to read. Make it smaller.") from None
    except UnidentifiedImageError:
        if _kind(uploaded) == "file":
            raise NoPicture(
                "This is not a picture that Signet can read. Choose a PNG, JPEG, WebP or GIF file."
            ) from None
    except Exception:  # a decoder may fail with anything
        pass
    raise NoPicture(
        f"This {_kind(uploaded)} is damaged. Open it in another program, save it anew, and choose that."
    ) from None


def as_bytes(uploaded: bytes) -> bytes:
    """`reencoded`, as bytes that `restored` takes."""
    made = reencoded(uploaded)
    return _SIZE.pack(made.width, made.height) + made.body


def restored(result: bytes) -> Picture:
    """The picture of `as_bytes`."""
    width, height = _SIZE.unpack(result[: _SIZE.size])
    return Picture(result[_SIZE.size :], width, height)


def _anew(uploaded: bytes) -> Picture:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of blocks that are damaged, and not needed
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        with Image.open(io.BytesIO(uploaded), formats=tuple(MOST_PIXELS)) as opened:
            most = MOST_PIXELS[opened.format or "WEBP"]
            if opened.width * opened.height > most:
                kind, millions = _kind(uploaded), most // 1_000_000
                raise NoPicture(f"This {kind} has more than {millions} million pixels. Make it smaller.")
            opened.draft(None, (LONGEST_SIDE, LONGEST_SIDE))  # a JPEG is decoded at a half, a quarter or an eighth
            wanted = "RGBA" if _is_clear(opened) else "RGB"
            opened.load()
            as_it_is = opened.mode in SCALED_AS_THEY_ARE and "transparency" not in opened.info
            small = opened if as_it_is else opened.convert(wanted)
            small.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
            upright = ImageOps.exif_transpose(small).convert(wanted)
    made = io.BytesIO()
    Image.frombytes(upright.mode, upright.size, upright.tobytes()).save(made, "WEBP", quality=QUALITY)
    return Picture(made.getvalue(), upright.width, upright.height)


def _kind(uploaded: bytes) -> str:
    """The kind of picture that a file says it is."""
    for start, kind in ((b"\x89PNG", "PNG"), (b"\xff\xd8", "JPEG"), (b"GIF8", "GIF")):
        if uploaded.startswith(start):
            return f"{kind} picture"
    return "WebP picture" if uploaded[:4] == b"RIFF" and uploaded[8:12] == b"WEBP" else "file"


def _is_clear(picture: Image.Image) -> bool:
    return picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info

"""Pictures that people upload, made anew: nothing of the file but its pixels is stored.

A new picture has no place where a camera took it, no second content hidden behind the first, and a bounded size.
"""

import io
import warnings
from dataclasses import dataclass

from PIL import Image, ImageOps, UnidentifiedImageError

FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
MOST_BYTES = 8 * 1024 * 1024  # of an uploaded file
MOST_PIXELS = 40_000_000  # of an uploaded picture, which takes four bytes for each while it is made anew
LONGEST_SIDE = 2000  # pixels of a stored one
QUALITY = 82
TOO_LARGE = f"This picture has more than {MOST_PIXELS // 1_000_000} million pixels. Make it smaller."


class NoPicture(ValueError):
    """The file cannot be used; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as it is stored: WebP, at most `LONGEST_SIDE` pixels wide and high."""

    body: bytes
    width: int
    height: int


def reencoded(uploaded: bytes) -> Picture:
    """Returns an uploaded picture (PNG, JPEG, WebP, or a GIF's first frame) made anew, upright. Raises NoPicture."""
    if len(uploaded) > MOST_BYTES:
        raise NoPicture(f"This file is larger than {MOST_BYTES // 1024 // 1024} megabytes. Choose a smaller one.")
    try:
        with _opened(uploaded) as opened:
            if opened.width * opened.height > MOST_PIXELS:
                raise NoPicture(
                    f"This picture has more than {MOST_PIXELS // 1_000_000} million pixels. Make it smaller."
                )
            upright = ImageOps.exif_transpose(opened).convert("RGBA" if _is_clear(opened) else "RGB")
    except Image.DecompressionBombError:
        raise NoPicture(TOO_LARGE) from None
    except UnidentifiedImageError:
        raise NoPicture("This is not a picture that Signet can read. Choose a PNG, JPEG, WebP or GIF file.") from None
    except (OSError, SyntaxError, ValueError, EOFError) as broken:
        if isinstance(broken, NoPicture):
            raise
        raise NoPicture("This picture is damaged. Open it in another program, save it anew, and choose that.") from None
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    made = io.BytesIO()
    Image.frombytes(upright.mode, upright.size, upright.tobytes()).save(made, "WEBP", quality=QUALITY)
    return Picture(made.getvalue(), upright.width, upright.height)


def _opened(uploaded: bytes) -> Image.Image:
    with warnings.catch_warnings(action="error", category=Image.DecompressionBombWarning):
        try:
            return Image.open(io.BytesIO(uploaded), formats=FORMATS)
        except Image.DecompressionBombWarning:
            raise NoPicture(TOO_LARGE) from None


def _is_clear(picture: Image.Image) -> bool:
    return picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info

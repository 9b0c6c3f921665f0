"""Declarations in a draft. Field names are those of the forms."""

import unicodedata
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, TypeAdapter

from app.engine.form_fields import EMPTY_AS_ZERO, FormModel

Number = Annotated[Annotated[int, Field(ge=0, le=1000)], EMPTY_AS_ZERO]
Name = Annotated[str, StringConstraints(strip_whitespace=True, max_length=60)]
Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=120)]
Words = Annotated[str, StringConstraints(strip_whitespace=True, max_length=2000)]


class Cast(FormModel):
    """The number of main characters a seat plays (CHR-CHA-01)."""

    ask: Literal["cast"] = "cast"
    number: Number = 0


class Pick(FormModel):
    """A set by its number, and the character it becomes (CHR-CHA-07). Goals are not part of it (CHR-CHA-08)."""

    ask: Literal["pick"] = "pick"
    number: Number = 0
    name: Name = ""
    home: Line = ""
    standing: Line = ""
    context: Words = ""
    relations: Words = ""
    past: Words = ""
    terrain: Line = ""

    @property
    def named(self) -> bool:
        """Whether the name has a visible character."""
        return any(unicodedata.category(letter)[0] in "LNPS" for letter in self.name)


Declaration = Annotated[Cast | Pick, Field(discriminator="ask")]
DECLARATION: TypeAdapter[Declaration] = TypeAdapter(Declaration)

"""Names for characters of absent players: plain ones, for a poor and rural world (CHR-CHA-12)."""

from collections.abc import Collection

NAMES = (
    "Alda", "Bero", "Cilla", "Dorn", "Edda", "Falk", "Gerda", "Hanno", "Ilse", "Jorun", "Ketil", "Lene", "Marik",
    "Nela", "Odo", "Petra", "Runa", "Sander", "Tilda", "Ulf", "Vera", "Wido", "Ysolt", "Arvid", "Brida", "Corin",
    "Dagna", "Emmo", "Frida", "Goran", "Hilke", "Ivo", "Jelka", "Kuno", "Liska", "Mattis", "Nanna", "Orm", "Pavo",
    "Rike", "Sunna", "Tarik", "Una", "Valko", "Wenna", "Yorick", "Asta", "Bodo", "Dunja", "Egil",
)  # fmt: skip


def free_name(taken: Collection[str]) -> str:
    """The first name of the list that is not taken in the draft; after the last, the list repeats with numbers."""
    known = {name.casefold() for name in taken}
    lap = 1
    while True:
        for name in NAMES:
            found = name if lap == 1 else f"{name} {lap}"
            if found.casefold() not in known:
                return found
        lap += 1

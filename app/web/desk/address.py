"""What the address of the desk asks for: its panel, the notes that are open, and what its lists are searched for."""

from collections.abc import Sequence
from urllib.parse import parse_qsl, urlencode, urlsplit

from fastapi import Request

from app.web.forms.reading import EMPTY, TypedPairs

KEPT = ("note", "find", "npcs")
"""Parts of the query that a refresh and each form of the page keep."""
MOST_FIND = 80


def query_of(request: Request) -> TypedPairs:
    """The query of the page: of this address, or after a form of the page, of the address that the browser shows."""
    if request.method == "GET":
        return TypedPairs(tuple(request.query_params.multi_items()))
    at = urlsplit(request.headers.get("HX-Current-URL", ""))
    try:
        return TypedPairs(tuple(parse_qsl(at.query, keep_blank_values=True, max_num_fields=20)))
    except ValueError:
        return EMPTY


def words(asked: TypedPairs, name: str) -> str:
    """What a list is searched for, as it is shown again."""
    return " ".join(asked.get(name).replace("\0", "").split())[:MOST_FIND]


def panel_asked(asked: TypedPairs, panels: Sequence[str], named: str) -> str:
    """The panel to show: the one named, else the address's own, else the one that it asks something of, else the
    first."""
    of_search = "npcs" if "npcs" in asked else ""
    return next((one for one in (named, asked.get("panel"), of_search) if one in panels), panels[0])


def query(asked: TypedPairs, panel: str) -> str:
    """The part of a query that is kept, for an address, with the panel."""
    kept = [(name, asked.get(name)) for name in KEPT if name in asked]
    return urlencode([("panel", panel), *kept])

"""What the address of the desk asks for: the notes that are open, and what its lists are searched for."""

from urllib.parse import parse_qsl, urlencode, urlsplit

from fastapi import Request

from app.web.forms.reading import EMPTY, TypedPairs

KEPT = ("note", "find", "npcs")
"""Parts of the query that a refresh and each form of the page keep."""
MOST_FIND = 80


def query_of(request: Request) -> TypedPairs:
    """The query of the page: of this address, or after a form of the page, of the address that the browser shows."""
    if request.method in ("GET", "HEAD"):
        return TypedPairs(tuple(request.query_params.multi_items()))
    at = urlsplit(request.headers.get("HX-Current-URL", ""))
    try:
        return TypedPairs(tuple(parse_qsl(at.query, keep_blank_values=True, max_num_fields=20)))
    except ValueError:
        return EMPTY


def words(asked: TypedPairs, name: str) -> str:
    """What a list is searched for, as it is shown again."""
    return " ".join(asked.get(name).replace("\0", "").split())[:MOST_FIND]


def query(asked: TypedPairs) -> str:
    """The part of a query that is kept, for an address; "" for none."""
    return urlencode([(name, asked.get(name)) for name in KEPT if name in asked])

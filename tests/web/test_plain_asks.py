"""Forms of asks that have no template: drawn from their model and their options."""

from typing import Annotated, Any, Literal

from pydantic import Field
from selectolax.lexbor import LexborHTMLParser

from app.engine.form_fields import FormModel, Ticked, blank_as, is_flat, labels
from app.engine.options import Choice
from app.rulesets import find
from app.web.forms.plain_ask import PlainField, fields_of
from app.web.http.templating import ask_template, environment


class Parley(FormModel):
    ask: Literal["parley"] = "parley"
    to: str = ""
    along: tuple[str, ...] = ()
    go: Annotated[Literal["fight", "make_peace"], labels(fight="They fight")] = "fight"
    chips: Annotated[Annotated[int, Field(ge=1, le=9)] | None, blank_as(None)] = None
    loud: Ticked = False
    words: Annotated[str, Field(title="What happens", description="everyone reads it", max_length=200)] = ""


HILL = Choice("hill", "Up the <hill>", why_not="It burns.")
FORD = Choice("ford", "To the ford", "piece-ford")
OPTIONS = {"to": (HILL, FORD), "along": (Choice("bo", "Bo"), Choice("cy", "Cy"))}


def drawn(form: dict[str, Any], faults: dict[str, str]) -> LexborHTMLParser:
    kit = environment().get_template("scene/fields.html").make_module({})
    fields: list[PlainField] = list(fields_of(Parley, OPTIONS))
    made = [kit.field(one, form.get(one.name, "") if form else one.usual, faults) for one in fields]  # type: ignore[attr-defined]
    return LexborHTMLParser("".join(map(str, made)))


def test_each_field_is_drawn_by_its_type() -> None:
    page = drawn({}, {})
    of = {one.attributes["name"]: one for one in page.css("[name]")}
    assert list(of) == ["to", "along[]", "go", "chips", "loud", "words"]
    hill, ford = page.css('[name="to"]')
    assert "disabled" in hill.attributes and "disabled" not in ford.attributes
    assert ford.attributes["data-piece"] == "piece-ford" and not page.css('[name="to"][checked]')
    assert "Up the <hill>" in page.text() and "It burns." in page.text()
    assert [one.attributes["value"] for one in page.css('[name="go"][checked]')] == ["fight"]
    assert "They fight" in page.text() and "Make peace" in page.text() and "What happens" in page.text()
    assert (of["chips"].attributes["min"], of["chips"].attributes["max"], of["chips"].attributes["value"]) == (
        "1",
        "9",
        "",
    )
    assert of["words"].tag == "textarea" and of["words"].attributes["maxlength"] == "200"


def test_what_was_typed_stays_with_its_fault() -> None:
    page = drawn({"to": "ford", "along": ["cy"], "words": "We <talk>"}, {"chips": "Enter a number."})
    chosen = [one.attributes["value"] for one in page.css("[checked]")]
    assert chosen == ["ford", "cy"], "what the form's default has is not chosen again"
    assert page.css_first("textarea").text().strip() == "We <talk>"
    assert page.css_first('[name="chips"]').attributes["aria-describedby"] == "fault-chips"
    assert page.css_first("#fault-chips").text() == "Enter a number."


def test_only_a_flat_form_is_drawn_from_its_model() -> None:
    class Deep(FormModel):
        ask: Literal["deep"] = "deep"
        of: dict[str, str] = {}

    assert is_flat(Parley) and not is_flat(Deep)
    assert ask_template(find("throw"), "throw", "throw") == "scene/ask.html"
    assert ask_template(find("duel"), "duel", "half") == "rulesets/duel/ask-half.html"

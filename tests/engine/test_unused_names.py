"""Newcomers get names that nobody has yet."""

from app.engine.unused_names import unused, unused_name


def test_a_number_takes_the_place_of_the_last_letters() -> None:
    assert unused_name("x" * 60, {"x" * 60}) == "x" * 58 + " 2"
    assert unused_name("wolf", {"wolf"}, "-") == "wolf-2"


def test_a_name_is_numbered_only_if_it_is_taken() -> None:
    def wolf(number: int) -> str:
        return f"Wolf {number}"

    assert unused("Wolf", (), wolf) == "Wolf"
    assert unused("Wolf", {"Wolf"}, wolf) == "Wolf 2"
    assert unused("Wolf", {"Wolf", "Wolf 2", "Wolf 4"}, wolf) == "Wolf 3"

"""The page of explanations is the catalogue."""

from tools.explain_page import PAGE, page


def test_the_page_is_generated_from_the_catalogue() -> None:
    """Write it again with `python -m tools.explain_page`."""
    assert PAGE.read_text(encoding="utf-8") == page()

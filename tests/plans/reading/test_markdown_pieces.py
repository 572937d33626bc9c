"""A large Markdown document is parsed in pieces: the same outline, and memory that does not grow with its items."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_planguard.plans.judging.policy import PlanPolicy
from pytest_planguard.plans.reading import markdown_pieces
from pytest_planguard.plans.reading.markdown_pieces import TooMuchError
from pytest_planguard.plans.reading.outline import BLOCK_SIZE, MAX_BLOCKS, Block, outline

from ...support.cost import peak_memory
from ...support.nightly import drawn

LINES = st.sampled_from([
    "# a", "## b", "- c", "- [ ] T001 d", "  - e", "    - f", "1. g", "2. h", "3) i", "text", "", "", "  more", "```",
    "~~~", "  ```", "> q", "> - r", "<div>", "</div>", "<!-- s", "-->", "===", "---", "- - - t", "    code",
    "| a | b |",
    "|---|---|", "\tu", "-", "*", "+ v", " - w", "   x", "* * *", "<b>y</b>", "10. z", "#", "```python", "- ```",
    "a\x00b",
])  # fmt: skip
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])
TEXTS = st.lists(st.tuples(LINES, ENDS), max_size=14).map(lambda lines: "".join(line + end for line, end in lines))
PLANS = sorted((Path(__file__).parents[3] / "fixtures" / "plans").rglob("*.md"))


def in_pieces(text: str, size: int, offset: int = 0) -> list[Block]:
    """The blocks of a document of which each piece has at least so many characters."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(markdown_pieces, "LARGE", 0)
        patch.setattr(markdown_pieces, "PIECE", size)
        return outline(text, text[offset:], offset)


@given(TEXTS, st.integers(1, 20), st.integers(0, 4))
@example("text\n2. h\n3. i\n", 1, 0)
@example("- ```\n- c\n  ```\n# a\n", 1, 0)
@example("<!-- s\n# a\n-->\n- c\n", 1, 0)
@example("> q\ntext\n- c\n", 1, 0)
@example("```\n# a\n```\n# b\n", 1, 0)
@example("text\n===\n- c\n---\n", 1, 0)
@example("- c\n\n  - e\n- c\n", 1, 2)
def test_pieces_have_the_blocks_of_the_whole(text: str, size: int, offset: int) -> None:
    """With their places, sections and items, wherever a piece may end."""
    assert in_pieces(text, size, offset) == outline(text, text[offset:], offset)


@pytest.mark.parametrize("path", PLANS[::9], ids=lambda path: path.name)
def test_pieces_of_plans_have_their_blocks(path: Path) -> None:
    """Documents of every format."""
    text = path.read_text("utf-8")
    assert in_pieces(text, 100) == outline(text, text, 0)


def report(text: str) -> list[tuple[str, str, str]]:
    """What is said of a plan file, by code, severity and message."""
    (found,) = PlanPolicy().judge({"tasks.md": text}).values()
    return [(one.code, str(one.severity), one.message) for one in found.findings]


@pytest.mark.slow
def test_a_document_of_too_many_blocks_is_not_read_as_a_plan() -> None:
    """It is no plan of which a part was read."""
    most = "- a\n" * MAX_BLOCKS
    message = "the document has more than 5,000 headings, list items and paragraphs; it is not read as a plan"
    assert report(f"{most}- a\n") == [("too_large", "fail", message)]
    assert "too_large" not in {code for code, *_ in report(most)}


@pytest.mark.slow
def test_a_long_plan_may_have_as_many_blocks_as_lines() -> None:
    """A block for each 25 characters is fewer than a list of tasks has."""
    text = "- [ ] T001 Write the parser\n" * 6_000
    assert len(text) // BLOCK_SIZE > 6_000
    assert len(outline(text, text, 0)) == 6_000


SHORT = ("- a\n", "# a\n", "1. a\n", "> - a\n", "- a\n  - b\n  - b\n", "- - - a\n", "a\n\n")


@pytest.mark.slow
@pytest.mark.parametrize("unit", drawn(SHORT, 4))
def test_short_blocks_take_little_memory(unit: str) -> None:
    """The tokens of each item took two thousand bytes, five hundred times the text of a short one."""
    text = unit * (60_000 // len(unit))
    assert outline("# a\n", "# a\n", 0)

    def read() -> None:
        with suppress(TooMuchError):  # 15,000 blocks are refused, which takes no more either
            outline(text, text, 0)

    assert peak_memory(read) < 4_000_000

"""The page that is read first: few commands, no key, and what `make first-minutes` runs with a built wheel."""

import re

from .console import commands
from .pages import DOCS, blocks

PAGE = DOCS / "quick-start.md"
MOST = 6
"""Commands from the installation to a green test of one's own."""


def test_an_own_test_is_red_then_green_in_six_commands_and_fewer() -> None:
    """The first one installs; then the page says of each which exit code it has: red once, green from then on."""
    consoles = [block for block in blocks(PAGE) if block.language == "console"]
    shown = [(command, block) for block in consoles for command, _ in commands(block.text)]
    assert shown[0][0] == "pip install pytest-planguard"
    assert len(shown) <= MOST
    assert [block.value("exit") for _, block in shown if "run" in block.words] == ["1", "0", "0"]


def test_no_command_of_the_page_takes_a_key() -> None:
    """Nor does it set one; the words about the day when there is a key are no command."""
    for block in blocks(PAGE):
        if block.language == "console":
            assert not re.search(r"API_KEY|sk-", block.text)

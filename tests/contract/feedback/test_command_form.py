"""The fixed words of a command-style retry: how tries are counted, and how an earlier block is taken off again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.contract.feedback.autospec_style import AUTOSPEC, SEED
from pytest_planguard.contract.feedback.command_style import COMMAND, CommandForm

FORMS = {"command": COMMAND, "autospec": AUTOSPEC, "seed": SEED}
ERRORS = st.lists(st.sampled_from(["'a': wrong [rule]", "missing required field 'b'"]), min_size=1, max_size=12)
PROMPTS = st.sampled_from(["", "Write it.", "Write it.\n\nBriefly.", "RETRY it", "Fix these errors\n\nWrite it."])


@pytest.mark.parametrize("name", FORMS)
@given(errors=ERRORS, attempt=st.integers(1, 9), prompt=PROMPTS)
def test_a_block_in_front_of_a_prompt_is_taken_off(name: str, errors: list[str], attempt: int, prompt: str) -> None:
    """What is left is the prompt, with the slash command that stood in front of the block."""
    form = FORMS[name]
    block = form.text(errors, attempt, attempt + 2).text
    assert form.without(f"{block}\n\n{prompt}") == prompt
    assert form.without(f"/plan {block}\n\n{prompt}") == f"/plan {prompt}".rstrip()


@pytest.mark.parametrize("name", FORMS)
def test_a_block_alone_leaves_nothing(name: str) -> None:
    """Nor does one whose end is not there; a text without a block is none."""
    form = FORMS[name]
    block = form.text(["no"], 1, 3).text
    assert form.without(block) == ""
    assert form.without(block.rpartition("\n")[0] + "\n- no") == ""
    for text in ("", "Write it.", f"So: {block}", block.replace("RETRY ", "RETRY x")):
        assert form.without(text) is None


@pytest.mark.parametrize(
    ("form", "attempt", "of", "words"),
    [
        (COMMAND, 1, 3, "2/3"),
        (COMMAND, 2, 3, "3/3"),
        (SEED, 1, 3, "2/3"),
        (AUTOSPEC, 1, 3, "1/2"),
        (AUTOSPEC, 2, 3, "2/2"),
    ],
)
def test_tries_or_retries_are_counted(form: CommandForm, attempt: int, of: int, words: str) -> None:
    """The second try is 2/3 where tries are counted, and 1/2 where retries are."""
    assert form.count(attempt, of) == words
    assert form.text(["no"], attempt, of).text.startswith(f"RETRY {words}")


@pytest.mark.parametrize(("count", "shown"), [(9, 9), (10, 10), (11, 10), (13, 10)])
@pytest.mark.parametrize("name", FORMS)
def test_ten_errors_are_listed(name: str, count: int, shown: int) -> None:
    """The rest is counted."""
    worded = FORMS[name].text([f"no {n}" for n in range(count)], 1, 3)
    assert worded.shown == shown
    assert worded.text.count("- no ") == shown
    assert (f"...and {count - shown} more errors" in worded.text) is (count > shown)

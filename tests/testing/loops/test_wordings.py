"""The machine judges what a loop says by what comes and goes with a finding, in whatever words."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test

from pytest_planguard.testing import conversations
from pytest_planguard.testing.loops.conversation import ScriptedConversation

from ...support.nightly import SLOW, drawn
from .apps import TICKET
from .test_machine import RIGHT, SETTINGS, UNSHRUNKEN, failure, machine, played
from .wordings import CORRECT, WRONG, Words, loop_in, made_up

pytestmark = pytest.mark.slow
LAW = settings(SLOW, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
ANY = conversations(TICKET)
WITH_ERRORS = conversations(TICKET, ["fixes", "ignores", "regresses", "swings"])


def play(words: Words, script: ScriptedConversation) -> None:
    """Run a loop in these words on one script; raises AssertionError for a fault."""
    played(machine(loop_in(words))(), script)


@pytest.mark.parametrize("name", drawn(list(CORRECT), 2))
def test_a_correct_loop_passes_in_whatever_words(name: str) -> None:
    """It tells every error of its validator."""
    run_state_machine_as_test(machine(loop_in(CORRECT[name])), settings=settings(SETTINGS, max_examples=RIGHT))


@pytest.mark.parametrize("name", list(WRONG))
def test_a_loop_that_tells_less_or_something_else_fails(name: str) -> None:
    """Whether it says the same of every error, or names another field."""
    fault, _ = failure(machine(loop_in(WRONG[name])), UNSHRUNKEN)
    assert fault.startswith(("the loop drops feedback: ", "the loop drops some of the feedback: ")), fault


@given(script=ANY, key=st.text("abc", max_size=3))
@LAW
def test_words_that_nobody_reads_pass_if_they_come_and_go_with_the_errors(
    script: ScriptedConversation, key: str
) -> None:
    """For every model, in every language that has a word for each place and each kind of error."""
    play(made_up(key), script)


@given(script=WITH_ERRORS, words=st.text("gkrtu ", min_size=3, max_size=30).filter(str.strip))
@LAW
def test_words_that_are_always_the_same_fail(script: ScriptedConversation, words: str) -> None:
    """For every model that has something wrong in its first answer."""
    with pytest.raises(AssertionError, match=r"^the loop drops feedback: request 2"):
        play(lambda _: words, script)


@given(script=WITH_ERRORS)
@LAW
def test_a_word_for_the_number_of_errors_fails(script: ScriptedConversation) -> None:
    """For every model, also where each answer has several errors: the word goes with any of them."""
    with pytest.raises(AssertionError, match=r"^the loop drops (some of the )?feedback: request 2"):
        play(WRONG["number in unclear words"], script)

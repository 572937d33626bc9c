"""Prompt templates that say where the feedback belongs."""

import copy
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from pytest_planguard import Contract, converge
from pytest_planguard.contract.feedback.next_request import next_messages
from pytest_planguard.contract.feedback.prompt_template import (
    fill_content,
    first_messages,
    has_variables,
    lint_prompt,
    lint_retry_context,
)
from pytest_planguard.errors import UsageError

TEMPLATE = "/ticket the printer\n\n## Retry context (if present)\n$RETRY_INFO\n${VALIDATION_ERRORS}\n\nAnswer in JSON."
ERRORS = (
    "The last answer failed validation (automated check):\n"
    "- line 1: missing required field 'title'\n\n"
    "Fix these errors and keep everything else."
)


class Ticket(BaseModel):
    title: str
    priority: Literal["low", "high"] = "low"


TICKET = Contract(Ticket)


def test_both_variables_are_empty_on_the_first_attempt_and_filled_on_the_next() -> None:
    """A driven loop sends the template without them, then with the header and the errors in their places."""
    sent: list[str] = []
    answers = iter(["{}", '{"title": "Printer"}'])

    def ask(messages: list[dict[str, str]]) -> str:
        sent.append(messages[0]["content"])
        return next(answers)

    found = converge(ask, TEMPLATE, TICKET, placement="command", max_attempts=3)
    assert sent == [
        "/ticket the printer\n\n## Retry context (if present)\n\n\n\nAnswer in JSON.",
        f"/ticket the printer\n\n## Retry context (if present)\nRETRY 2/3\n{ERRORS}\n\nAnswer in JSON.",
    ]
    assert found.ok
    assert [graded.label for graded in found.attempts[0].fed_back] == ["located"]


@pytest.mark.parametrize("key", ["content", "parts"])
def test_the_variables_may_stand_in_a_part(key: str) -> None:
    """A message in parts is filled where its text names them; parts of another kind stay as they are."""
    parts = [{"inlineData": {}}, {"text": "Write a ticket."}, {"text": "$RETRY_INFO|$VALIDATION_ERRORS|"}]
    sent: list[list[str]] = []
    answers = iter(["{}", '{"title": "Printer"}'])

    def ask(messages: list[dict[str, list[dict[str, str]]]]) -> str:
        sent.append([part.get("text", "") for part in messages[0][key]])
        return next(answers)

    assert converge(ask, [{"role": "user", key: parts}], TICKET, placement="command", max_attempts=3).ok
    assert sent == [["", "Write a ticket.", "||"], ["", "Write a ticket.", f"RETRY 2/3|{ERRORS}|"]]


def test_a_style_without_header_fills_the_errors_alone() -> None:
    """The whole text stands where the errors belong."""
    messages = [{"role": "user", "content": "$RETRY_INFO|$VALIDATION_ERRORS"}]
    verdict = TICKET.check("{}")
    (told,) = next_messages(messages, "{}", verdict, placement="inject", attempt=1, max_attempts=2)
    assert told["content"].startswith("|Attempt 1 of 2 failed validation")


def test_a_template_that_would_lose_the_errors_is_refused() -> None:
    """With the header alone a retry would prove nothing."""
    with pytest.raises(UsageError, match=r"has no \$VALIDATION_ERRORS: a retry would not say what was wrong"):
        fill_content("$RETRY_INFO\nWrite a ticket.", "RETRY 2/3\n- x")
    with pytest.raises(UsageError, match=r"has no \$VALIDATION_ERRORS"):
        fill_content([{"text": "$RETRY_INFO"}, {"text": "Write a ticket."}], "RETRY 2/3\n- x")


FIRST: dict[str, tuple[dict[str, object], dict[str, object]]] = {
    "a text": (
        {"role": "user", "content": "Write it. $RETRY_INFO|$VALIDATION_ERRORS|"},
        {"role": "user", "content": "Write it. ||"},
    ),
    "parts": (
        {"role": "user", "parts": [{"text": "${VALIDATION_ERRORS}|"}, {"image": 1}]},
        {"role": "user", "parts": [{"text": "|"}, {"image": 1}]},
    ),
    "no variables": ({"role": "user", "content": "Write it."}, {"role": "user", "content": "Write it."}),
    "another role": (
        {"role": "system", "content": "$VALIDATION_ERRORS"},
        {"role": "system", "content": "$VALIDATION_ERRORS"},
    ),
    "no content": ({"role": "user", "content": None}, {"role": "user", "content": None}),
    "no role": ({"content": "$VALIDATION_ERRORS"}, {"content": "$VALIDATION_ERRORS"}),
}


@pytest.mark.parametrize("name", FIRST)
def test_the_variables_of_user_turns_are_empty_in_a_first_request(name: str) -> None:
    """Other turns are as they were, and nothing is changed in place."""
    given, sent = FIRST[name]
    before = copy.deepcopy(given)
    (made,) = first_messages([given])
    assert (made, given) == (sent, before)
    assert made is not given


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("$RETRY_INFO", True),
        ("a ${VALIDATION_ERRORS} b", True),
        ("$VALIDATION_ERRORS_X $RETRY", False),
        ([{"text": "a"}, {"text": "$RETRY_INFO"}], True),
        ([{"text": 5}, "$RETRY_INFO", {"image": "$RETRY_INFO"}], False),
        (None, False),
        (5, False),
    ],
)
def test_which_prompts_name_a_variable(content: object, named: bool) -> None:
    """A text, or one of the parts of a message."""
    assert has_variables(content) is named


@pytest.mark.parametrize(
    ("feedback", "filled"),
    [
        ("RETRY 2/3\n\n- a", "[RETRY 2/3] [- a]"),
        ("RETRY 12/30", "[RETRY 12/30] []"),
        ("So: RETRY 2/3", "[] [So: RETRY 2/3]"),
        ("\n- a\n", "[] [- a\n]"),
        ("", "[] []"),
    ],
)
def test_a_header_is_parted_from_the_errors(feedback: str, filled: str) -> None:
    """At the beginning alone."""
    assert fill_content("[$RETRY_INFO] [${VALIDATION_ERRORS}]", feedback) == filled


# What a prompt template lacks.


NO_SIGN = "RETRY_INFO has no dollar sign, so it is not filled in; write $RETRY_INFO"
MEANT = [f"$RETRY_INF{end} is not a variable; did you mean $RETRY_INFO?" for end in ("", "X")]
NO_INFO = "the prompt template has no $RETRY_INFO: a retry would not say how many attempts are left"
NO_ERRORS = "the prompt template has no $VALIDATION_ERRORS: a retry would not say what was wrong"


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("/ticket\n$RETRY_INFO\n${VALIDATION_ERRORS}\n", ()),
        ("$RETRY_INFO $VALIDATION_ERRORS $RETRY_COUNT, VALIDATION_ERRORS are above", ()),
        (
            "$RETRY_INFO\n$VALIDATION_ERROR costs $5 in $CITY, $VALIDATION_ERROR",
            ("line 2: $VALIDATION_ERROR is not a variable; did you mean $VALIDATION_ERRORS?", NO_ERRORS),
        ),
        (
            "$retry_info\n${VALIDATION_ERRORS}",
            ("line 1: $retry_info is not a variable; did you mean $RETRY_INFO?", NO_INFO),
        ),
        (
            "$RETRY_INFO\n\n{{ VALIDATION_ERRORS }}",
            (
                "line 3: VALIDATION_ERRORS has no dollar sign, so it is not filled in; write $VALIDATION_ERRORS",
                NO_ERRORS,
            ),
        ),
        ("Write a ticket.", (NO_INFO, NO_ERRORS)),
    ],
)
def test_the_lint_names_what_is_missing(template: str, told: tuple[str, ...]) -> None:
    """Nothing for a good template; a misspelt variable by its line, with the one that was meant."""
    assert tuple(map(str, lint_prompt(template))) == told


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("$RETRY_INFOS ${RETRY_INFO} $VALIDATION_ERRORS", ()),
        ("RETRY_INFO\nRETRY_INFO\n$VALIDATION_ERRORS", (f"line 1: {NO_SIGN}", NO_INFO)),
        ("$RETRY_INF $RETRY_INFX\n$VALIDATION_ERRORS", (f"line 1: {MEANT[0]}", f"line 1: {MEANT[1]}", NO_INFO)),
        ("$VALIDATION_ERRORS\n\n{RETRY_INFO}", (f"line 3: {NO_SIGN}", NO_INFO)),
        ("my_RETRY_INFO $VALIDATION_ERRORS", (NO_INFO,)),
        ("${RETRY_INFO $VALIDATION_ERRORS", (NO_INFO,)),
        ("$NAME $RET ${VALIDATION_ERRORS}", (NO_INFO,)),
    ],
)
def test_where_a_wrong_variable_stands(template: str, told: tuple[str, ...]) -> None:
    """Each name once, at its first place, in the order of the template."""
    assert tuple(map(str, lint_prompt(template))) == told


NO_SECTION = "no section on retries: got no heading Retry Context; write ## Retry Context above $RETRY_INFO"
OUTSIDE = "${} is outside the section Retry Context; move it below that heading"
SILENT = "the section Retry Context gives no instruction; say what to do with the errors"
BOTH = "$RETRY_INFO\n${VALIDATION_ERRORS}\n"


@pytest.mark.parametrize(
    ("template", "told"),
    [
        (f"# Task\n\n## Retry Context\n{BOTH}Correct these.\n\n## More\n", ()),
        (f"###### retry  CONTEXT (if present) ##\nCorrect these.\n{BOTH}", ()),
        ("## Retry Context\nCorrect what is wrong.", ()),
        (BOTH, (NO_SECTION,)),
        (f"## Retry Contexts\n{BOTH}", (NO_SECTION,)),
        (f"####### Retry Context\n{BOTH}", (NO_SECTION,)),
        (f"##Retry Context\n{BOTH}", (NO_SECTION,)),
        (f"## On Retry Context\n{BOTH}", (NO_SECTION,)),
        (f"## Retry Context\n{BOTH}", (f"line 1: {SILENT}",)),
        (f"# Task\n\n## Retry Context\n{BOTH}- a.\n## More\nCorrect these.", (f"line 3: {SILENT}",)),
        (
            "$RETRY_INFO\n## Retry Context\nCorrect these: $VALIDATION_ERRORS",
            (f"line 2: {OUTSIDE.format('RETRY_INFO')}",),
        ),
        (
            f"## Retry Context\nCorrect these.\n## Errors\n{BOTH}",
            (f"line 1: {OUTSIDE.format('RETRY_INFO')}", f"line 1: {OUTSIDE.format('VALIDATION_ERRORS')}"),
        ),
        ("\n## Retry Context\n$RETRY_INFO\n", (f"line 2: {SILENT}",)),
        (
            f"## Retry Context\n## Retry Context\n{BOTH}Correct these.",
            (
                f"line 1: {OUTSIDE.format('RETRY_INFO')}",
                f"line 1: {OUTSIDE.format('VALIDATION_ERRORS')}",
                f"line 1: {SILENT}",
            ),
        ),
    ],
)
def test_the_section_on_retries(template: str, told: tuple[str, ...]) -> None:
    """It has the variables that the template names, and an instruction; it ends at the next heading."""
    assert tuple(map(str, lint_retry_context(template))) == told


@given(
    st.lists(st.sampled_from(["$RETRY_INFO", "${VALIDATION_ERRORS}", "$VALIDATION_ERROR", "{", " x\n"])).map("".join)
)
def test_a_template_without_faults_passes_the_errors_on(template: str) -> None:
    """What the lint lets through, a retry fills in: both the header and the errors stand in it."""
    if lint_prompt(template):
        return
    told = fill_content(template, "RETRY 2/3\n- /title: missing")
    assert "RETRY 2/3" in told
    assert "- /title: missing" in told


@given(st.text(alphabet="$_{}REINFOTYVALD \n", max_size=60))
def test_a_template_that_is_refused_has_a_fault(template: str) -> None:
    """The lint never calls a template good that cannot be filled."""
    try:
        fill_content(template, "")
    except UsageError:
        assert lint_prompt(template)

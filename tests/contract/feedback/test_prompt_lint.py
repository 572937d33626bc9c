"""What a prompt template lacks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.contract.feedback.prompt_template import fill_variables, lint_prompt
from pytest_planguard.errors import UsageError

NO_INFO = "the prompt template has no $RETRY_INFO: a retry would not say how many attempts are left"
NO_ERRORS = "the prompt template has no $VALIDATION_ERRORS: a retry would not say what was wrong"


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("/ticket\n$RETRY_INFO\n${VALIDATION_ERRORS}\n", ()),
        ("$RETRY_INFO $VALIDATION_ERRORS $RETRY_COUNT, VALIDATION_ERRORS are above", ()),
        (
            "$RETRY_INFO\n$VALIDATION_ERROR costs $5 in $CITY, $VALIDATION_ERROR",
            ("line 2: $VALIDATION_ERROR is no variable; did you mean $VALIDATION_ERRORS?", NO_ERRORS),
        ),
        (
            "$retry_info\n${VALIDATION_ERRORS}",
            ("line 1: $retry_info is no variable; did you mean $RETRY_INFO?", NO_INFO),
        ),
        (
            "$RETRY_INFO\n\n{{ VALIDATION_ERRORS }}",
            (
                "line 3: VALIDATION_ERRORS stands without its sign and is not filled in; write $VALIDATION_ERRORS",
                NO_ERRORS,
            ),
        ),
        ("Write a ticket.", (NO_INFO, NO_ERRORS)),
    ],
)
def test_the_lint_names_what_is_missing(template: str, told: tuple[str, ...]) -> None:
    """Nothing for a good template; a misspelt variable by its line, with the one that was meant."""
    assert tuple(map(str, lint_prompt(template))) == told


@given(
    st.lists(st.sampled_from(["$RETRY_INFO", "${VALIDATION_ERRORS}", "$VALIDATION_ERROR", "{", " x\n"])).map("".join)
)
def test_a_template_without_faults_passes_the_errors_on(template: str) -> None:
    """What the lint lets through, a retry fills in: both the header and the errors stand in it."""
    if lint_prompt(template):
        return
    told = fill_variables(template, "RETRY 2/3\n- /title: missing")
    assert "RETRY 2/3" in told
    assert "- /title: missing" in told


@given(st.text(alphabet="$_{}REINFOTYVALD \n", max_size=60))
def test_a_template_that_is_refused_has_a_fault(template: str) -> None:
    """The lint never calls a template good that cannot be filled."""
    try:
        fill_variables(template, "")
    except UsageError:
        assert lint_prompt(template)

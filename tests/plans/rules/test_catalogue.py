"""The catalogue speaks of every rule, and the page in the documentation is the generated one."""

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.plans.rules.catalogue import RULES, explain, list_rules, rule_of


def test_explain_says_what_a_rule_checks_an_example_and_how_to_mend_it() -> None:
    """The text that the command prints, pinned for one rule."""
    assert explain(rule_of("dep-self")) == (
        "dep-self (retry)\n\n"
        "No task waits for itself.\n\n"
        "Example: T002 has `dependencies: [T002]`.\n"
        "Fix:     Remove the entry.\n"
    )


def test_an_unknown_code_is_answered_with_the_nearest() -> None:
    """A typing mistake in a code is an error of use."""
    with pytest.raises(UsageError, match=r"unknown plan rule \'dep-cycel\'. Did you mean \'dep-cycle\'\?"):
        rule_of("dep-cycel")


def test_the_list_has_a_line_for_every_rule() -> None:
    """Code, severity, first sentence; rules that are off say so."""
    lines = list_rules().splitlines()
    assert [line.split()[0] for line in lines] == [rule.code for rule in RULES]
    assert "id-gap                info, off    Ids have no gaps." in lines

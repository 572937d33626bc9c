"""Rules as text for a person."""

from pytest_planguard.plans.rules.judge_plan import RULES, rule_of
from pytest_planguard.report.plan_text import rule_list, rule_text


def test_explain_says_what_a_rule_checks_an_example_and_how_to_mend_it() -> None:
    """The text that the command prints, pinned for one rule."""
    assert rule_text(rule_of("dep-self")) == (
        "dep-self (retry)\n\n"
        "No task waits for itself.\n\n"
        "Example: T002 has `dependencies: [T002]`.\n"
        "Fix:     Remove the entry.\n"
    )


def test_the_list_has_a_line_for_every_rule() -> None:
    """Code, severity, first sentence; rules that are off say so."""
    lines = rule_list(RULES).splitlines()
    assert [line.split()[0] for line in lines] == [rule.code for rule in RULES]
    assert "id-gap                info, off    Ids have no gaps." in lines

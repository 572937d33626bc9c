"""The path of tool calls that a page draws."""

from dataclasses import replace

from pytest_planguard.report.forms.html_cases import about_attempt

from ...support.runs import attempt


def test_turns_follow_each_other_and_parallel_calls_stand_together() -> None:
    """An attempt without calls says nothing of them."""
    made = replace(attempt("1"), calls=(("search",), ("search", "price"), ("book",)), model="m")
    assert about_attempt(made, "m").endswith("calls search → search + price → book")
    assert "calls" not in about_attempt(replace(made, calls=()), "m")

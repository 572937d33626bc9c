"""The convergence table."""

from dataclasses import replace

from pytest_planguard.report.plain_text import columns, render_table
from pytest_planguard.retry.outcomes import Outcome
from pytest_planguard.wire.exchange import Exchange

from ...support.verdicts import lost_retry


def test_one_line_a_conversation():
    """Outcome, attempts, first valid attempt, grades and tokens."""
    silent = replace(
        lost_retry(),
        conversation="日本",
        outcome=Outcome.STUCK,
        attempts=tuple(replace(a, exchange=Exchange(1, "raw"), fed_back=()) for a in lost_retry().attempts[:1]),
    )
    assert render_table([lost_retry(), silent]) == (
        "conversation  contract  outcome    attempts  valid at  fed back              tokens\n"
        "1             Ticket    converged       2/3         2  1 located, 1 missing     240\n"
        "日本          Ticket    stuck           1/3         -  -                          -"
    )


def test_nothing_to_show():
    """No conversation, no table."""
    assert render_table([]) == ""


def test_cells_are_clipped_and_sanitised():
    """A cell is one line of bounded length."""
    assert columns([("a\nb\x1b", "x" * 99)]) == "a b\\x1b  " + "x" * 58 + " …"

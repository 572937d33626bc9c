"""What a conftest registers counts in the tables of all layers."""

import pytest

from pytest_planguard.contract.contract import Contract
from pytest_planguard.contract.feedback.feedback import build_feedback
from pytest_planguard.contract.feedback.style import Style, Worded
from pytest_planguard.contract.feedback.styles import STYLES
from pytest_planguard.errors import UsageError
from pytest_planguard.plugin.registry import Registry


class Config:
    """As much of pytest's configuration as a registry needs: what is to be done at the end of the run."""

    def __init__(self) -> None:
        self.cleanups = []
        self.add_cleanup = self.cleanups.append


def test_a_feedback_style_counts_until_the_run_ends():
    """It words feedback by its name, a name in use is refused, and it is gone when the run has ended."""
    config = Config()
    shout = Style("shout", lambda correction: Worded("WRONG!", len(correction.findings)))
    registry = Registry(config)
    registry.style(shout)
    assert build_feedback(Contract({"type": "object"}).check("[]"), style="shout").text == "WRONG!"
    with pytest.raises(UsageError, match="a feedback style 'default' exists already; choose another name"):
        registry.style(Style("default", shout.word))
    for cleanup in config.cleanups:
        cleanup()
    assert "shout" not in STYLES

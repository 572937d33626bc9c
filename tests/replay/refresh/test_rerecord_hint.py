"""What recording again would take: the line that a person types."""

from pytest_planguard.replay.refresh.rerecord_hint import RerecordHint, rerecord_hint
from pytest_planguard.wire.exchange import Exchange, Usage

COMMAND = "pytest test_app.py::test_ticket --planguard-record=stale"


def test_the_estimate_is_what_the_recording_took():
    """Calls are counted, tokens added up as far as the answers tell; the whole line can be typed."""
    told = [Exchange(1, "openai.chat", usage=Usage(1_000, 30)), Exchange(2, "openai.chat", usage=Usage(200))]
    assert str(rerecord_hint(COMMAND, told)) == f"{COMMAND} # about 2 calls, 1,230 tokens"
    assert str(rerecord_hint(COMMAND, told[:1])) == f"{COMMAND} # about 1 call, 1,030 tokens"


def test_what_is_unknown_is_not_told():
    """Answers without counts give no tokens, and where nothing is recorded there is no estimate."""
    assert str(rerecord_hint(COMMAND, [Exchange(1, "raw")])) == f"{COMMAND} # about 1 call"
    assert rerecord_hint(COMMAND, []) == RerecordHint(COMMAND, 0)
    assert str(rerecord_hint(COMMAND, [])) == COMMAND

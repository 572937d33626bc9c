"""`planguard show --rekey`: shown first, asked, refused where more than the envelope changed."""

from pathlib import Path

import pytest

from pytest_planguard.replay.privacy.redaction_rules import Redaction
from pytest_planguard.replay.session.rekey import SentRequest, keep_sent

from ...support.commands import run
from ...support.envelopes import message, write_twice


@pytest.fixture
def cassette(tmp_path: Path) -> Path:
    """Two interactions of one request."""
    return write_twice(tmp_path)


def test_nothing_is_written_without_a_yes(cassette: Path) -> None:
    """The changes are shown, then comes the question; "n" leaves the file as it is, "y" rewrites it."""
    keep_sent(cassette.parent, cassette, [SentRequest(1, message()), SentRequest(2, message(n=1))], Redaction())
    before = cassette.read_bytes()
    asked = run("show", str(cassette), "--rekey", stdin="n\n")
    assert asked.stdout.splitlines()[:3] == ["request 1: as recorded", "request 2:", "  n added: 1"]
    assert f"rewrite the requests of {cassette}? answers stay as they are [y/N]: n\n" in asked.stdout
    assert asked.stdout.endswith("nothing was written; --rekey --yes writes\n")
    nobody = run("show", str(cassette), "--rekey", stdin="")
    assert (nobody.exit_code, nobody.stdout.splitlines()[-1]) == (0, "nothing was written; --rekey --yes writes")
    assert cassette.read_bytes() == before
    done = run("show", str(cassette), "--rekey", stdin="y\n")
    assert done.stdout.endswith(f"rewritten: {cassette}\n")
    shown = run("show", str(cassette))
    assert "\nnote: request 2 was rewritten: n added: 1\n" in shown.stdout


def test_another_question_is_refused(cassette: Path) -> None:
    """Nothing is written; the way out is a new cassette."""
    keep_sent(
        cassette.parent, cassette, [SentRequest(1, message(n=1)), SentRequest(2, message(model="m2"))], Redaction()
    )
    before = cassette.read_bytes()
    refused = run("show", str(cassette), "--rekey", "--yes")
    assert refused.exit_code != 0
    assert "request 2 asks something else now, so the recorded answers do not fit" in refused.stderr
    keep_sent(
        cassette.parent,
        cassette,
        [SentRequest(1, message(n=1, model="m2")), SentRequest(2, message(model="m2"))],
        Redaction(),
    )
    assert "requests 1, 2 ask something else now" in run("show", str(cassette), "--rekey", "--yes").stderr
    assert cassette.read_bytes() == before


@pytest.mark.parametrize("requests", [[], [SentRequest(1, message())]])
def test_nothing_to_rewrite(cassette: Path, requests: list[SentRequest]) -> None:
    """Requests that are sent as recorded ask for nothing."""
    keep_sent(cassette.parent, cassette, requests, Redaction())
    assert run("show", str(cassette), "--rekey").stdout.endswith("nothing to rewrite\n")

"""Several samples of one case: recorded in order, judged by their rate."""

import pytest

from pytest_planguard.testing.example import Example

from ...support.lookalike import Lookalike
from ..projects import PRINTER, app, rows, run

TEST = """
@pytest.mark.planguard(TICKET, max_attempts=1, min_pass_rate=0.6)
def test_printer():
    apps.careful(ask.plain, "the printer is on fire", attempts=1)
"""
BAD = {**PRINTER, "priority": "hi"}
WHY = "Ticket: the answer is not valid: priority [enum]"
RATE = "3 of 4 (75 %, 95 % interval 30 to 95 %)"


@pytest.fixture(scope="module")
def recorded() -> Example:
    """Four samples, of which the third is bad: each run records the samples that are missing, and those alone."""
    example, lookalike = app(TEST), Lookalike()
    for samples, answer in ((2, PRINTER), (3, BAD), (4, PRINTER)):
        lookalike.scripts[:] = []
        lookalike.script(PRINTER, answer, when="printer")
        done = run(example, lookalike, "--planguard-record=missing", f"--planguard-samples={samples}")
        assert dict(done.outcomes) == {"passed": 1}, done.output
        assert len(lookalike.received) == samples
        example = done.example
    rate = f"{RATE} good; pass@2 1.00, pass^2 0.50; at least 60 % wanted"
    said = f"\nsamples\n  test_app.py::test_printer: {rate}\n    sample 3: {WHY}\n"
    assert said in done.stdout
    lookalike.stop()
    return example


def test_a_replay_judges_all_recorded_samples(recorded: Example, lookalike: Lookalike) -> None:
    """In the order of the cassette; the row counts them and says how sure that is; no option is needed."""
    assert [p.partition(".")[2] for p in recorded.paths(".yaml")] == ["2.yaml", "3.yaml", "4.yaml", "yaml"]
    done = run(recorded, lookalike)
    assert dict(done.outcomes) == {"passed": 1}, done.output
    assert "=\n1 case: 1 converged; " in done.stdout, "the section's title and its first line stand together"
    (row,) = rows(done.example)
    assert row["samples"] == {
        "good": 3, "total": 4, "min_pass_rate": 0.6, "bad": [{"number": 3, "why": WHY}],
    }  # fmt: skip
    assert [c["ok"] for c in row["judged"]] == [True, True, False, True]
    assert [c["name"] for c in row["judged"][1:3]] == ["1 (sample 2)", "1 (sample 3)"]
    assert row["outcome"] == "converged"


def test_too_few_good_samples_fail(recorded: Example, lookalike: Lookalike) -> None:
    """With the rate, the bad samples by number, and the whole of the first."""
    done = run(recorded.replaced("min_pass_rate=0.6", "min_pass_rate=0.8"), lookalike)
    assert dict(done.outcomes) == {"failed": 1}, done.output
    assert f"planguard: {RATE} samples are good: min_pass_rate=0.8 is not reached\n  sample 3: Ticket: " in done.stdout
    assert "expected one of" in done.stdout


def test_a_sample_that_is_not_recorded_proves_nothing(recorded: Example, lookalike: Lookalike) -> None:
    """Whatever the rate: a missing answer fails, with the command that records it."""
    done = run(recorded.replaced("min_pass_rate=0.6", "min_pass_rate=0.6, samples=5"), lookalike)
    assert dict(done.outcomes) == {"failed": 1}, done.output
    assert "3 of 5 (60 %, 95 % interval 23 to 88 %) samples are good: sample 5 proves nothing\n" in done.stdout
    assert "pytest test_app.py::test_printer --planguard-record=missing" in done.stdout


SWALLOWING = """
@pytest.mark.planguard(TICKET, samples=2)
def test_printer():
    try:
        text = ask.plain(apps.first("the printer"))
    except Exception:
        text = None
    assert text
"""


def test_a_reached_cap_is_what_is_said_of_a_sample(lookalike: Lookalike) -> None:
    """Whatever the test made of the refusal, the cap comes first, is told once, and the test's own error after it."""
    lookalike.script(PRINTER, PRINTER, when="printer")
    done = run(app(SWALLOWING), lookalike, "--planguard-record=missing", "--planguard-record-max-calls=1")
    cap = "Recording has stopped: the cap of 1 call is reached (1 call, 18 tokens so far)."
    assert f"sample 2 proves nothing\n  sample 2: {cap}\n\nsample 2: {cap}\n  sent:      nothing" in done.stdout
    assert "\n\nthe test itself failed with AssertionError: assert None\n" in done.stdout
    assert done.stdout.count("  sent:      nothing") == 1


def test_recording_anew_takes_all_samples_anew(recorded: Example, lookalike: Lookalike) -> None:
    """No sample of an older cassette is left among the new ones."""
    lookalike.script(PRINTER, PRINTER, when="printer")
    done = run(recorded, lookalike, "--planguard-record=all")
    assert dict(done.outcomes) == {"passed": 1}, done.output
    assert len(lookalike.received) == 4
    assert "4 of 4 (100 %, 95 % interval 51 to 100 %) good" in done.stdout


def test_samples_of_a_test_that_is_gone_are_orphans(recorded: Example, lookalike: Lookalike) -> None:
    """All of them are named, and none of a test that is there."""
    kept = [path for path in recorded.paths(".yaml") if "test_printer" in path]
    left = {path.replace("test_printer-", "test_gone-"): recorded.read(path) for path in kept[:2]}
    said = run(recorded.with_files(left), lookalike).stdout
    assert "2 cassettes are used by no test; remove or rename:\n  " + "\n  ".join(sorted(left)) in said

"""The figures of logs in words: every line, and the ends of long tables."""

from collections import Counter
from collections.abc import Iterator

import pytest

from pytest_planguard.cli.check.log_options import LogArguments
from pytest_planguard.cli.check.log_words import log_lines
from pytest_planguard.errors import UsageError
from pytest_planguard.runs.logs.summary import Figures, LogSummary


def lines(found: LogSummary) -> list[str]:
    """Return each figure as "name: text"."""
    return [f"{name}: {text}" for name, text in log_lines(found)]


def test_every_figure_of_logs_has_its_line() -> None:
    """In this order, counts from the largest to the smallest."""
    found = LogSummary(
        records=1_200,
        calls=1_000,
        older=1,
        undated=2,
        formats=Counter({"otlp": 700, "pairs": 500}),
        fidelity=Counter({"wire": 400, "full_text": 590}),
        unjudgeable=Counter({"no answer": 10}),
        unread=Counter({"no JSON": 3, "no format": 3}),
        not_judged=Counter({"no contract was given": 7}),
        conversations=800,
        ok=599,
        begin_late=50,
        outcomes=Counter({"converged": 600, "gave_up": 200}),
        kinds=Counter({"missing": 4, "wrong_type": 9}),
        checks_failed=Counter({"feedback": 1_001, "bounded": 2}),
        grades=Counter({"located": 5}),
        valid_at=Counter({1: 500, 2: 90, 3: 9, 4: 1}),
    )
    assert lines(found) == [
        "logs: 1,200 records (700 otlp, 500 pairs) with 1,000 calls",
        "older: 1 call before --since, left out",
        "undated: 2 calls without a time that --since can compare, left in",
        "content: 990 of 1,000 can be judged: 590 full text, 400 wire",
        "unjudgeable: 10 × no answer",
        "unread: 3 × no JSON",
        ": 3 × no format",
        "not judged: 7 × no contract was given",
        "conversations: 800: 600 converged, 200 gave up",
        "good: 74.9% of them",
        "valid by attempt: 500/590/599 of 750 (by attempt 1/2/3); 50 begin later than the logs",
        "bad answers: 9 wrong type, 4 missing",
        "checks failed: feedback in 1,001, bounded in 2",
        "feedback: 5 located",
        "judged: by reading alone: experiments run in tests, and what a kept run has of them is shown",
        ": on texts kept aside, reading misses 1 of 100 reported errors and accepts 3 of 100 wrong reports",
    ]


def test_logs_without_anything_to_judge_have_few_lines() -> None:
    """No share of nothing, and no empty table."""
    assert lines(LogSummary()) == ["logs: 0 records (none) with 0 calls"]
    assert lines(LogSummary(conversations=1, ok=1, valid_at=Counter({1: 1}), outcomes=Counter({"converged": 1}))) == [
        "logs: 0 records (none) with 0 calls",
        "conversations: 1: 1 converged",
        "good: 100.0% of them",
        "valid by attempt: 1/1/1 of 1 (by attempt 1/2/3)",
    ]


@pytest.mark.parametrize(("number", "last"), [(8, ": 1 × reason 8"), (9, ": and 1 more reason")])
def test_a_long_table_ends_with_the_number_of_the_others(number: int, last: str) -> None:
    """Eight lines are shown, and what is left is counted."""
    reasons = Counter({f"reason {at}": 1 for at in range(1, number + 1)})
    shown = lines(LogSummary(unread=reasons))
    assert shown[1:9] == ["unread: 1 × reason 1", *(f": 1 × reason {at}" for at in range(2, 9))]
    assert shown[-1] == last


def test_figures_by_model_have_tokens_and_costs() -> None:
    """A cost names the answers that it covers unless it covers all, and is left out if no answer has a price."""
    figures = {
        "model:large": Figures(30, 20, 10, 40, 1_500, 2_500, 1_234_500_000, 0),
        "model:small": Figures(30, 29, 28, 31, 5, 6, 70_000_000, 1),
        "model:": Figures(1, 0, 0, 2, 0, 0, 0, 2),
    }
    assert list(_by(figures)) == [
        "by model: large: 20 of 30 conversations good, 10 at once, 1,500 + 2,500 tokens, 1.2345 USD",
        ": small: 29 of 30 conversations good, 28 at once, 5 + 6 tokens, 0.0700 USD of 30 answers",
        ": (none): 0 of 1 conversation good, 0 at once, 0 + 0 tokens",
    ]


@pytest.mark.parametrize(("number", "more"), [(8, []), (9, [": and 1 more"])])
def test_a_long_list_of_models_ends_with_the_number_of_the_others(number: int, more: list[str]) -> None:
    """The models with the most conversations are shown."""
    shown = list(_by({f"model:m{at}": Figures(at, at, at, at) for at in range(1, number + 1)}))
    assert shown[0].startswith(f"by model: m{number}: {number} of {number} conversations good")
    assert (len(shown[:8]), shown[8:]) == (8, more)


def _by(figures: dict[str, Figures]) -> Iterator[str]:
    """Yield the lines of figures by an axis."""
    shown = lines(LogSummary(conversations=1, by=figures))
    yield from shown[next(at for at, line in enumerate(shown) if line.startswith("by ")) :]


@pytest.mark.parametrize(
    ("since", "seconds"),
    [("90s", 90), ("15m", 900), ("24h", 86_400), ("7d", 604_800), ("2w", 1_209_600), ("999999s", 999_999)],
)
def test_a_duration_has_one_of_five_units(since: str, seconds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls older than that are left out."""
    monkeypatch.setattr("time.time_ns", lambda: 10**19)
    assert LogArguments(since=since).grouping().since == 10**19 - seconds * 10**9


@pytest.mark.parametrize("since", ["soon", "1", "h", "1H", "1.5h", "-1h", "1000000s", "1h "])
def test_another_duration_is_refused(since: str) -> None:
    """The message shows the forms."""
    with pytest.raises(UsageError) as refused:
        LogArguments(since=since).grouping()
    assert str(refused.value) == f"--since {since!r} is not a duration; write 30m, 1h or 2d"


@pytest.mark.parametrize(
    ("sample", "share"),
    [("100%", 1.0), ("5%", 0.05), ("0.5%", 0.005), ("0.000001%", 1e-8), ("0.05", 0.05), (".25", 0.25), ("001%", 0.01)],
)
def test_a_sample_is_a_share(sample: str, share: float) -> None:
    """In percent or as a fraction."""
    assert LogArguments(sample=sample).share == pytest.approx(share, abs=1e-12)


@pytest.mark.parametrize("sample", ["0%", "100.1%", "101%", "1", "1.0", "0", "0.0", "-5%", "5 %", "1000%", "half", ""])
def test_another_sample_is_refused(sample: str) -> None:
    """Nothing, more than everything, and what is no number."""
    with pytest.raises(UsageError) as refused:
        _ = LogArguments(sample=sample).share
    assert str(refused.value) == f"--sample {sample!r} is not a share of groups; write 5% or 0.05"

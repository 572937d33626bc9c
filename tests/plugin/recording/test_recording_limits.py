"""Limits of recording: workers share a cap."""

from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.plugin.recording.open_recording import share_of


@given(st.integers(0, 10_000), st.integers(1, 64))
def test_the_shares_of_all_workers_are_the_cap(total: int, workers: int) -> None:
    """Nothing is missing and nothing is added, and no worker gets two more than another."""
    shares = [share_of(total, workers, number) for number in range(workers)]
    assert sum(shares) == total
    assert max(shares) - min(shares) <= 1

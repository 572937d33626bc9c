"""Replays the examples and shows what planguard says about each conversation: `python -m examples.demo`.

Everything comes from cassettes of a real model (examples/local_model): no network, no key, no model is needed.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_planguard import (
    Convergence,
    JudgeOptions,
    Outcome,
    judge,
    read_cassette,
    render_conversation,
)

from .contract import TICKET

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Story:
    """One recorded conversation, and what is to be seen in it."""

    test: str
    tells: str
    outcome: Outcome
    fed_back: bool = True
    """Whether the retries fed back what was wrong."""

    attempts: int = 4
    """Attempts that the conversation may take."""

    @property
    def recording(self) -> Path:
        """Where the plugin wrote it."""
        return next((HERE / "cassettes").rglob(f"{self.test}-*.yaml"))


STORIES = (
    Story(
        "test_converges",
        "Converges: each retry says what was wrong, and the third answer is a ticket.",
        Outcome.CONVERGED,
    ),
    Story(
        "test_the_prompt_gets_a_ticket", "Converges, with planguard asking again instead of an app.", Outcome.CONVERGED
    ),
    Story("test_is_stuck", "Stuck: the feedback is there every time; the answer stays the same.", Outcome.STUCK),
    Story(
        "test_makes_no_progress",
        "No progress: another answer each time, and the last two have the same finding.",
        Outcome.NO_PROGRESS,
        attempts=3,
    ),
    Story(
        "test_is_exhausted",
        "Exhausted: the budget of two attempts is spent and the answer is still no JSON.",
        Outcome.EXHAUSTED,
        attempts=2,
    ),
    Story(
        "test_converges_falsely",
        "Converges falsely: a valid ticket that calls the fire brigade for a failed backup, as the example does.",
        Outcome.FALSE_CONVERGENCE,
    ),
    Story("test_is_truncated", "Truncated: cut off at the token limit; the app rightly stops there.", Outcome.STOPPED),
    Story(
        "test_forgets_the_feedback",
        "The classic bug: valid by luck, but the retry never says what was wrong.",
        Outcome.CONVERGED,
        fed_back=False,
    ),
)


def main() -> int:
    """Print everything; 0 where every conversation came out as told, 1 otherwise."""
    color = sys.stdout.isatty()
    judged = []
    for number, story in enumerate(STORIES, 1):
        convergence = conversation(story)
        judged.append(convergence)
        print(f"{number}. {story.tells}\n")
        print(render_conversation(convergence, color=color), end="\n\n\n")
    print("All of them:\n")
    for one in judged:
        print(f"{one.conversation:26}{one.outcome.value:20}{len(one.attempts)} of {one.max_attempts} attempts")
    print()
    example = STORIES[-1].recording.relative_to(HERE.parent).as_posix()
    print(f"What was said, word for word: planguard show {example} -c examples/contract.py:TICKET\n")
    print("The same as contract tests: pytest examples\n", flush=True)
    tests = run_tests()
    for surprise in surprises(judged):
        print(f"not as told: {surprise}")
    return int(bool(tests or list(surprises(judged))))


def conversation(story: Story) -> Convergence:
    """The conversation of a story, judged from its cassette alone."""
    exchanges = read_cassette(story.recording).exchanges
    (convergence,) = judge(exchanges, [TICKET], options=JudgeOptions(max_attempts=story.attempts)).conversations
    return replace(convergence, conversation=story.test)


def run_tests() -> int:
    """Run the examples as a user would; pytest's exit code."""
    command = [sys.executable, "-m", "pytest", str(HERE), "-q", "-rx", "-p", "no:cacheprovider", "-p", "no:asyncio"]
    return subprocess.run(command, check=False).returncode


def surprises(judged: list[Convergence]) -> Iterator[str]:
    """Where a conversation came out differently than its story says."""
    for story, convergence in zip(STORIES, judged, strict=True):
        fed_back = convergence.check("feedback").status.value != "fail"
        if (convergence.outcome, fed_back) != (story.outcome, story.fed_back):
            yield f"{story.test}: {convergence.outcome.value}, fed back: {fed_back}"


if __name__ == "__main__":
    sys.exit(main())

"""Recorded answers of a search, by the key of each call; an unrecorded call is censored, never failed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from ...errors import NoRecordedAnswer, UsageError
from ..agenda.order import DFS
from ..agenda.policy import Policy
from ..agenda.search import Search
from ..context.step_context import StepContext, TapeKey
from ..model.config import SearchConfig

if TYPE_CHECKING:
    from ..model.result import SearchTree
    from ..model.step import Step

VERSION = 1
"""Of the form of a tape as data."""
_WHOLE_TREE = Policy("record", DFS, blame=False, own=False, downstream=False)
_NO_BOUND = 10**9


@dataclass(frozen=True, slots=True)
class CallTape:
    """The answers of one pipeline."""

    steps: tuple[str, ...]
    """Names of the pipeline's steps, in order."""
    answers: Mapping[TapeKey, str]
    feedback: bool = True
    """Whether the feedback is part of the key. A tape without it serves policies that differ in their feedback, and
    is right only where the recorded model was told none."""

    @classmethod
    def of(cls, trees: Iterable[SearchTree], *, feedback: bool = True) -> CallTape:
        """Return the tape of searches over one pipeline.

        Raises:
            UsageError: no tree, or trees of different pipelines.
        """
        answers: dict[TapeKey, str] = {}
        pipelines: dict[tuple[str, ...], None] = {}
        for tree in trees:
            pipelines[tree.steps] = None
            for node in tree.nodes:
                answers.setdefault(_key(node.key, feedback=feedback), node.answer)
        if len(pipelines) != 1:
            listed = "; ".join(", ".join(steps) for steps in pipelines) or "none"
            raise UsageError(f"a tape holds searches over one pipeline: got {listed}; make a tape of each")
        return cls(next(iter(pipelines)), answers, feedback)

    def replay(self, steps: Sequence[Step]) -> list[Step]:
        """Return the steps with this tape in place of who they ask.

        The pipeline may leave out steps of the recorded one, as control arms do.

        Raises:
            UsageError: the recording is of another pipeline.
        """
        remaining = iter(self.steps)
        for step in steps:
            if step.name not in remaining:  # consumes up to the step, so that the order counts
                raise UsageError(
                    f"the recording is of another pipeline: got step {step.name!r}, recorded are "
                    f"{', '.join(self.steps)} in this order; record this pipeline"
                )
        return [replace(step, ask=self._ask) for step in steps]

    def _ask(self, context: StepContext) -> str:
        answer = self.answers.get(_key(context.key, feedback=self.feedback))
        if answer is None:
            raise NoRecordedAnswer(
                f"step {context.step!r} has no recorded answer {context.attempt} to this path and feedback; "
                "record the search again"
            )
        return answer

    def data(self) -> dict[str, Any]:
        """Return the tape as plain JSON data."""
        calls = [{**asdict(key), "answer": answer} for key, answer in sorted(self.answers.items())]
        return {"version": VERSION, "steps": list(self.steps), "feedback": self.feedback, "calls": calls}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> CallTape:
        """Return the tape that `data` gave this data for.

        Raises:
            UsageError: no such data, or a version that is not known.
        """
        if data.get("version") != VERSION:
            raise UsageError(f"a call tape has version {VERSION}: got {data.get('version')!r}; record it again")
        try:
            answers = {
                TapeKey(call["step"], call["prefix"], call["feedback"], call["index"]): call["answer"]
                for call in data["calls"]
            }
            return cls(tuple(data["steps"]), answers, bool(data["feedback"]))
        except (KeyError, TypeError) as error:
            raise UsageError(f"no call tape: got data without a valid {error}; record it again") from error


def record_tree(steps: Sequence[Step], config: SearchConfig | None = None) -> CallTape:
    """Return a tape of every answer that any policy without feedback can ask for, by asking for all of them.

    The calls are those of the whole tree: for answers to a prefix of 2, 2, 2 and 3, at most
    2 + 2·2 + 2·2·2 + 2·2·2·3 = 38. `max_total_calls` does not bound them.

    Raises:
        UsageError: as `search`, or a step raised: its name is in the message.
    """
    config = config or SearchConfig()
    budgets = {
        step.name: replace(budget, backtrack_budget=_NO_BOUND, calls=None)
        for step, budget in zip(steps, config.budgets(steps), strict=True)
    }
    config = replace(config, step_budgets=budgets, max_total_calls=_NO_BOUND, classify=None)
    result = Search(steps, config, _WHOLE_TREE, to_first_success=False).run()
    if result.error is not None:
        raise UsageError(f"the tree cannot be recorded: {result.error}; mend the step")
    return CallTape.of([result.tree], feedback=False)


def _key(key: TapeKey, *, feedback: bool) -> TapeKey:
    return key if feedback or not key.feedback else replace(key, feedback="")

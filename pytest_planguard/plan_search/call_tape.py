"""The recorded answers of a search, one per call key. A call without an answer is censored; it does not fail."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..errors import NoRecordedAnswer, UsageError
from ..wire.exchange import Finish
from .context import StepContext, TapeKey
from .frame import DFS, Policy
from .loop import Search
from .step import SearchConfig, StepAnswer

if TYPE_CHECKING:
    from .result import SearchNode, SearchTree
    from .step import Step


VERSION = 1
"""Version of a tape as data."""


_WHOLE_TREE = Policy("record", DFS, blame=False, own=False, downstream=False)
_NO_BOUND = 10**9
"""More calls than in any tree that can be searched completely."""


@dataclass(frozen=True, slots=True)
class CallTape:
    """The answers of one pipeline."""

    steps: tuple[str, ...]
    """Names of the pipeline's steps, in order."""
    answers: Mapping[TapeKey, str]
    feedback: bool = True
    """True if the feedback is part of the key. Without it, policies with different feedback can use one tape. That is
    correct only if the recorded model got no feedback."""
    finishes: Mapping[TapeKey, Finish] = field(default_factory=dict)
    """Why answers ended, if known."""

    @classmethod
    def of(cls, trees: Iterable[SearchTree], *, feedback: bool = True) -> CallTape:
        """Return the tape of searches over one pipeline.

        Raises:
            UsageError: no tree, or trees of different pipelines.
        """
        first: dict[TapeKey, SearchNode] = {}
        pipelines: dict[tuple[str, ...], None] = {}
        for tree in trees:
            pipelines[tree.steps] = None
            for node in tree.nodes:
                first.setdefault(_key(node.key, feedback=feedback), node)
        if len(pipelines) != 1:
            listed = "; ".join(", ".join(steps) for steps in pipelines) or "none"
            raise UsageError(f"a tape holds searches over one pipeline: got {listed}; make one for each")
        answers = {key: node.answer for key, node in first.items()}
        finishes = {key: node.finish for key, node in first.items() if node.finish is not None}
        return cls(next(iter(pipelines)), answers, feedback, finishes)

    @classmethod
    def record(cls, steps: Sequence[Step], config: SearchConfig | None = None) -> CallTape:
        """Return a tape of every answer that a policy without feedback can request. Makes all of these calls.

        The calls cover the whole tree: with 2, 2, 2 and 3 answers to a prefix, at most 2 + 2·2 + 2·2·2 + 2·2·2·3 = 38.
        `max_total_calls` does not bound them.

        Raises:
            UsageError: for the same reasons as `search`, or because a step raised; the message names the step.
        """
        config = config or SearchConfig()
        budgets = {
            step.name: replace(budget, backtrack_budget=_NO_BOUND, calls=None)
            for step, budget in zip(steps, config.budgets(steps), strict=True)
        }
        config = replace(config, step_budgets=budgets, max_total_calls=_NO_BOUND, classify=None)
        result = Search(steps, config, _WHOLE_TREE, to_first_success=False).run()
        if result.error is not None:
            raise UsageError(f"the tree cannot be recorded: {result.error}; fix the step")
        return cls.of([result.tree], feedback=False)

    def replay(self, steps: Sequence[Step]) -> list[Step]:
        """Return the steps with their `ask` replaced by this tape.

        The pipeline may omit steps of the recorded pipeline, as control strategies do.

        Raises:
            UsageError: the tape was recorded with a different pipeline.
        """
        remaining = iter(self.steps)
        for step in steps:
            if step.name not in remaining:  # consumes up to the step, so the order counts
                raise UsageError(
                    f"the cassette is of another pipeline: got step {step.name!r}, recorded are "
                    f"{', '.join(self.steps)} in this order; record this pipeline"
                )
        return [replace(step, ask=self._ask) for step in steps]

    def _ask(self, context: StepContext) -> str | StepAnswer:
        key = context.key if self.feedback else _key(context.key, feedback=False)
        answer = self.answers.get(key)
        if answer is None:
            raise NoRecordedAnswer(
                f"step {context.step!r} has no recorded answer {context.attempt} to this path and feedback; "
                "record the search again"
            )
        return StepAnswer(answer, self.finishes.get(key)) if self.finishes else answer

    def data(self) -> dict[str, object]:
        """Return the tape as plain JSON data."""
        calls: list[dict[str, object]] = []
        for key, answer in sorted(self.answers.items()):
            finish = self.finishes.get(key)
            call: dict[str, object] = {**key._asdict(), "answer": answer}
            calls.append(call if finish is None else {**call, "finish": finish.value})
        return {"version": VERSION, "steps": list(self.steps), "feedback": self.feedback, "calls": calls}

    @classmethod
    def read(cls, data: Mapping[str, object]) -> CallTape:
        """Return the tape for the output of `data`.

        Raises:
            UsageError: not the data of a tape, an unknown version, or one call with two answers.
        """
        from pydantic import TypeAdapter, ValidationError

        version = data.get("version") if isinstance(data, Mapping) else None  # read from a file, so it may be a list
        if version != VERSION:
            raise UsageError(f"a call tape has version {VERSION}: got {version!r}; record it again")
        try:
            stored = TypeAdapter(_Stored).validate_json(json.dumps(data), strict=True)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"]))
            raise UsageError(f"not a call tape: {where}: {first['msg']}; record it again") from None
        answers, finishes = dict[TapeKey, str](), dict[TapeKey, Finish | None]()
        for place, call in enumerate(stored.calls):
            key = TapeKey(call.step, call.prefix, call.feedback, call.index)
            answer, finish = answers.setdefault(key, call.answer), finishes.setdefault(key, call.finish)
            if (answer, finish) != (call.answer, call.finish):
                raise UsageError(
                    f"not a call tape: got two answers to one call, again at calls.{place}; record it again"
                )
        ends = {key: finish for key, finish in finishes.items() if finish is not None}
        return cls(tuple(stored.steps), answers, stored.feedback, ends)


@dataclass(frozen=True, slots=True)
class _Call:
    step: str
    prefix: str
    feedback: str
    index: int
    answer: str
    finish: Finish | None = None


@dataclass(frozen=True, slots=True)
class _Stored:
    """A tape as untrusted data."""

    steps: list[str]
    feedback: bool
    calls: list[_Call]


def _key(key: TapeKey, *, feedback: bool) -> TapeKey:
    return key if feedback or not key.feedback else key._replace(feedback="")

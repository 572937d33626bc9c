"""Recursion over a schema and a value: each question is answered once, within a budget, off the interpreter's stack."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from typing import Generic, TypeVar

Question = TypeVar("Question")
Answer = TypeVar("Answer")
Work = Generator[Question, Answer, Answer]
"""Yields the questions that it depends on, gets their answers, and returns its own."""


class OverBudgetError(Exception):
    """More steps were needed than are allowed."""


class Questions(Generic[Question, Answer]):
    """Answers a question by way of the questions that it depends on."""

    def __init__(
        self, work: Callable[[Question], Work[Question, Answer]], key: Callable[[Question], Hashable], limit: int
    ) -> None:
        self._work = work
        self._key = key
        self._limit = limit
        self._known: dict[Hashable, Answer] = {}
        self.steps = 0

    def step(self) -> None:
        """Count a step. Raises OverBudgetError."""
        self.steps += 1
        if self.steps > self._limit:
            raise OverBudgetError

    def answer(self, question: Question) -> Answer:
        """Return the answer. Raises OverBudgetError."""
        open_work = [(self._key(question), self._work(question))]
        answer: Answer | None = None
        while True:
            key, work = open_work[-1]
            try:
                asked = work.send(answer)  # type: ignore[arg-type] # None starts it
            except StopIteration as done:
                answer = self._known[key] = done.value
                open_work.pop()
                if not open_work:
                    return done.value  # type: ignore[no-any-return] # what a generator returns is not typed
                continue
            self.step()
            key = self._key(asked)
            answer = self._known.get(key)
            if answer is None:
                open_work.append((key, self._work(asked)))

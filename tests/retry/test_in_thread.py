"""Drivers that call their functions in turn are usable from asyncio code."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any

import pytest

from pytest_planguard import Contract, ModelExecutor, Step, StepContext, UsageError, arun_with_fallback, asearch, search
from pytest_planguard.retry.loop import in_thread

NUMBER = Contract(int, name="Number")
NAME: ContextVar[str] = ContextVar("name", default="")


async def _twice(number: int) -> int:
    await asyncio.sleep(0)
    return 2 * number


def test_calls_are_awaited_in_the_loop_with_the_context_of_the_caller() -> None:
    """Whatever the driver sets in its thread is seen by the call, too."""
    seen: list[tuple[str, bool]] = []

    async def ask() -> None:
        await asyncio.sleep(0)
        seen.append((NAME.get(), threading.current_thread() is threading.main_thread()))

    def drive(wait: Callable[..., Any]) -> int:
        wait(ask)()
        NAME.set("inner")
        wait(ask)()
        return wait(_twice)(wait(_twice)(1))

    async def main() -> int:
        NAME.set("outer")
        return await in_thread(drive)

    assert asyncio.run(main()) == 4
    assert seen == [("outer", True), ("inner", True)]


def test_a_cancelled_driver_calls_nothing_more() -> None:
    """Its current call is cancelled; the next one raises."""
    ended: list[BaseException] = []
    done = threading.Event()

    async def main() -> None:
        begun = asyncio.Event()

        async def ask() -> None:
            begun.set()
            await asyncio.sleep(60)

        def drive(wait: Callable[..., Any]) -> None:
            for _ in range(2):
                try:
                    wait(ask)()
                except BaseException as error:
                    ended.append(error)
            done.set()

        task = asyncio.create_task(in_thread(drive))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0)

    asyncio.run(main())
    assert done.wait(5)
    assert [type(error).__name__ for error in ended] == ["CancelledError"] * 2


def _steps(answers: Sequence[str], kind: Callable[[Callable[[StepContext], str]], Any]) -> list[Step]:
    given = list(answers)
    return [Step("first", kind(lambda context: f"{context.attempt}"), NUMBER),
            Step("second", kind(lambda context: given.pop(0)), NUMBER)]  # fmt: skip


def _async(ask: Callable[[StepContext], str]) -> Any:
    async def asked(context: StepContext) -> str:
        await asyncio.sleep(0)
        return ask(context)

    return asked


@pytest.mark.parametrize("answers", [["1"], ['"one"', "1"], []])
def test_an_awaited_search_is_the_same_search(answers: list[str]) -> None:
    """With its errors."""
    assert asyncio.run(asearch(_steps(answers, _async))) == search(_steps(answers, lambda ask: ask))


def test_models_are_awaited_one_after_the_other() -> None:
    """With the options of the other form."""

    async def ask(model: str, messages: list[dict[str, Any]]) -> str:
        await asyncio.sleep(0)
        return "1" if model == "b" else "one"

    result = asyncio.run(ModelExecutor(["a", "b"], timeout_s=5).arun("t", ask, NUMBER, "go"))
    assert (result.model, result.value, [run.model for run in result.runs]) == ("b", 1, ["a", "b"])
    again = asyncio.run(arun_with_fallback("t", ["a", "b"], ask, NUMBER, messages="go", timeout_s=5))
    assert (again.model, again.value) == ("b", 1)
    with pytest.raises(UsageError, match=r"^no model to ask"):
        asyncio.run(arun_with_fallback("t", [], ask, NUMBER, messages="go"))

# pyright: strict, reportUnnecessaryTypeIgnoreComment=true
"""Every public name as a user writes it; read by mypy and pyright (`make types`, test_api.py), never run.

Each wrong use feeds back a `# type: ignore[code]`, and both checkers complain about one that is not needed: so a wrong
use that begins to pass fails the test.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, assert_type

import pytest
from pydantic import BaseModel

import pytest_planguard
from pytest_planguard import (
    AgentPipeline,
    AgentStage,
    AttemptHistory,
    BlameRule,
    Budget,
    CallTape,
    CheckContext,
    ContentConstraint,
    Contract,
    ContractFailed,
    Convergence,
    Conversation,
    FailureKind,
    Finding,
    Gate,
    JudgeOptions,
    ModelExecutor,
    Outcome,
    PlanguardError,
    PlanguardWarning,
    Problem,
    RunState,
    SchemaValidationError,
    SearchConfig,
    SearchResult,
    Severity,
    Step,
    StepBudget,
    StepContext,
    StreamThresholds,
    TaskContracts,
    UsageError,
    Verdict,
    aconverge,
    aconverge_stream,
    arun_with_fallback,
    asearch,
    assert_strength,
    called,
    compare,
    contains,
    converge,
    converge_stream,
    count,
    custom,
    diff_options,
    diff_values,
    distinct,
    edits_apply,
    excludes,
    file,
    ignored,
    in_order,
    in_range,
    judge,
    judge_logs,
    level_guards,
    load_run,
    max_length,
    min_length,
    near,
    next_messages,
    non_empty,
    not_called,
    not_copied,
    one_of,
    only_calls,
    plan_graph,
    plan_rules,
    read_cassette,
    redline,
    regex,
    render_conversation,
    run_experiment,
    run_with_fallback,
    same_date,
    same_items,
    same_length,
    same_text,
    search,
    similar,
    tape,
    tool_arg,
    validation_feedback,
    watch_stream,
)
from pytest_planguard import Contracts as Contracts  # type: ignore[attr-defined] # a misspelt name
from pytest_planguard.testing import Planguard


class Ticket(BaseModel):
    """A user's own model."""

    title: str
    steps: list[str]


def is_short(value: object) -> bool:
    """A user's own rule for one value."""
    return len(str(value)) < 80


CONSTRAINTS: list[ContentConstraint] = [
    ContentConstraint("title", "min_length", {"chars": 3}, "retry"),
    ContentConstraint("title", "non_empty", severity=Severity.FAIL),
    contains("title", "printer", ignore_case=True),
    count("steps", 1, 5),
    count("steps", min=1, severity="warn"),
    custom("title", is_short, name="short"),
    distinct("steps"),
    excludes("title", "as an AI", language="en"),
    in_range("score", 0, 1.5),
    max_length("title", 80),
    min_length("title", 3),
    non_empty("steps[*]"),
    not_copied("title", min_words=5, sources=["prompt", "feedback"], texts=("an example",)),
    one_of("priority", "low", "high", match="casefold"),
    regex("title", r"^\w", match="search"),
    same_length("steps", "owners", within="plan"),
]

CONTRACTS = [
    Contract(Ticket),
    Contract(list[Ticket], constraints=CONSTRAINTS, format="json", strict=True, name="tickets", extract="whole"),
    Contract({"type": "object"}, judged="save_ticket", argument="ticket_json"),
    Contract(None, constraints=(distinct("steps"),), describe=True),
    Contract(Ticket, wrap_list=True),
    Contract(Ticket, calls=[called("search", at_least=0, at_most=3), called("book", args=Contract(Ticket))]),
]


def checks_an_answer(contract: Contract) -> Verdict:
    """A verdict and its findings."""
    contract.check(b"{}")
    contract.check({"title": "x"}, finish="length", refusal=None)
    verdict = contract.check("{}", context=CheckContext(prompt_texts=("write a ticket",)))
    assert_type(verdict, Verdict)
    assert_type(verdict.ok, bool)
    assert_type(verdict.kind, FailureKind | None)
    assert_type(validation_feedback(verdict), str)
    return verdict


def measures_a_contract(contract: Contract) -> float:
    """The share of mutants that it kills."""
    return assert_strength(contract, ["{}"], at_least=0.8, context=CheckContext(), seed=3).share


def expects_values(planguard: Planguard, answer: str) -> float:
    """The score of an answer that was held against its expected value."""
    comparators = {
        "title": same_text(fold=False, optional=True),
        "steps": same_items(key="id"),
        "steps[*]": similar(0.9),
        "price": near(0.01, rel=0.1),
        "day": same_date(day_first=True),
        "note": ignored(),
    }
    score = planguard.expect(answer, {"title": "Printer"}, contract=Contract(Ticket, compare=comparators))
    assert_type(score.total, float)
    return score.total + sum(field.f1 for field in score.fields)


def gives_typed_values(answer: str) -> Ticket:
    """A contract of a class has values of that class; one of anything else says nothing."""
    contract = Contract(Ticket, constraints=[distinct("steps")])
    assert_type(contract, Contract[Ticket])
    assert_type(contract.check(answer).value, Ticket | None)
    assert_type(Contract(list[Ticket]).parse(answer), list[Ticket])
    assert_type(Contract({"type": "object"}), Contract[Any])
    assert contract.parse(answer).titel  # type: ignore[attr-defined]
    return contract.parse(answer)


async def gets_tickets_in_a_test(planguard: Planguard, ask: Callable[[Any], str]) -> Ticket:
    """What the fixture returns is typed by the contract that is named in the call."""
    contract = Contract(Ticket)

    async def ask_later(messages: Any) -> str:
        return ask(messages)

    assert_type(planguard.check("{}", contract=contract), Ticket)
    assert_type(planguard.check("{}"), Any)
    assert_type(planguard.stage(["claude", "-p", "{prompt}"], "go", cwd=".", contract=contract), Ticket)
    assert_type(planguard.stage(["claude"], "go", cwd=Path(), timeout_s=60), Any)
    assert_type(planguard.recorded(ask, name="ask", ignore=["client"])("go"), str)
    assert_type(planguard.observe(Conversation.from_messages([{"role": "user"}])), Convergence)
    plan = AgentStage("plan", contract, lambda values: f"/plan {values['specify']}", letter="p")
    pipeline = AgentPipeline(("claude", "-p", "{prompt}"), (plan,), {"prep": ("plan",)})
    assert_type(planguard.pipeline(pipeline, "-p", cwd="."), Mapping[str, Any])
    assert_type(await planguard.aconverge(ask_later, "go", contract=contract), Ticket)
    ticket = planguard.converge(ask, "go", contract=contract)
    assert_type(ticket, Ticket)
    assert ticket.titel  # type: ignore[attr-defined]
    return ticket


def reads_a_finding(finding: Finding) -> bool:
    """Where it stands, how much it matters, what class it is."""
    assert_type(finding.path, tuple[str | int, ...])
    assert_type(finding.severity.bad, bool)
    return finding.severity is Severity.RETRY and finding.kind is FailureKind.MISSING


def asks_again(contract: Contract) -> Convergence:
    """The loop owned by planguard; `ask` may return text or an SDK's response."""

    def ask(messages: Sequence[Mapping[str, Any]]) -> str:
        return str(messages[-1]["content"])

    convergence = converge(ask, [{"role": "user", "content": "go"}], contract, max_attempts=3, placement="inject")
    assert_type(convergence.outcome, Outcome)
    assert_type(convergence.ok, bool)
    bounds = Budget(attempts=4, tokens=20_000, price=lambda usage: (usage.output_tokens or 0) * 1e-6)
    return converge(ask, "go", contract, budget=bounds)


async def asks_again_later(contract: Contract) -> bool:
    """The same, awaited."""

    async def ask(messages: Sequence[Mapping[str, Any]]) -> str:
        return str(messages[-1]["content"])

    convergence = await aconverge(ask, "go", contract)
    assert_type(convergence, Convergence)
    return convergence.outcome is Outcome.CONVERGED


def watches_streams(contract: Contract, pieces: list[str]) -> Convergence:
    """The items of a watched stream keep their type."""
    thresholds = StreamThresholds(partial=True, max_characters=9_000)
    watched = watch_stream(pieces, contract, thresholds=thresholds, log="run")
    for piece in watched:
        assert_type(piece, str)
    if watched.aborted is not None:
        assert_type(watched.aborted.character, int)
    return converge_stream(lambda messages: iter(pieces), "go", contract, policy="abort-and-retry", max_attempts=2)


async def watches_async_streams(contract: Contract, pieces: AsyncIterator[bytes]) -> Convergence:
    """The same, awaited."""
    async for piece in watch_stream(pieces, contract, policy="observe"):
        assert_type(piece, bytes)

    async def ask(messages: Sequence[Mapping[str, Any]]) -> AsyncIterator[bytes]:
        return pieces

    return await aconverge_stream(ask, "go", contract)


def pauses(gate: Gate) -> bool:
    """A gate that lets pass returns None."""
    result = Gate("run", timeout_s=60).check("ExpertTask", {"go": "No"}) or gate.check("Redline", state="blocked")
    return result is not None and not result.resumed


def falls_back(contract: Contract) -> Iterator[str]:
    """The order is a list of names; the value is whatever the contract makes."""

    def ask(model: str, messages: Sequence[Mapping[str, Any]]) -> str:
        return model + str(messages)

    history = AttemptHistory("run")
    history.write_matrix(Path("matrix.json"))
    order = history.fallback_order("Plan", ["a", "b"], explore=0.1)
    assert_type(order, list[str])
    executor: ModelExecutor = ModelExecutor(order, history=history)
    ModelExecutor(order, histroy=history)  # type: ignore[call-arg]
    assert_type(executor.run("Plan", ask, contract, "go").ok, bool)
    result = run_with_fallback("Plan", order, ask, contract, messages="go", history=history)
    run_with_fallback("Plan", order, ask, contract, messages="go", histroy=history)  # type: ignore[call-arg]
    yield result.model or "none"


def raises_and_warns(verdict: Verdict) -> None:
    """Errors and warnings are classes of their own."""
    with pytest.raises(UsageError), pytest.warns(PlanguardWarning):
        regex("title", "(")
    raise SchemaValidationError("no ticket", provider_name="openai", findings=verdict.findings)


def words_feedback(verdict: Verdict) -> list[dict[str, Any]]:
    """Feedback for a loop of the app's own."""
    assert_type(validation_feedback(verdict, attempt=1, max_attempts=3, style="compact"), str)
    return next_messages([{"role": "user", "content": "go"}], "{}", verdict, attempt=1, max_attempts=3)


def judges_a_recording(path: Path) -> str:
    """A cassette without the app."""
    contract = Contract(None, rules=plan_rules("spec-kit", ignore=["id-gap"], severity={"parallel-safe": "retry"}))
    judgement = judge(read_cassette(path).exchanges, [contract], options=JudgeOptions(4, copy_check=True))
    assert_type(judgement.conversations, tuple[Convergence, ...])
    return render_conversation(judgement.conversations[0], color=True)


@tape
def asks_a_model(prompt: str) -> str:
    """Its calls are recorded."""
    return prompt


@tape(name="later", ignore=["client"])
async def asks_later(prompt: str, client: object) -> Ticket:
    """A coroutine function stays one."""
    return Ticket(title=f"{prompt} {client}", steps=[])


async def judges_what_agents_print(path: Path) -> bool:
    """The part that is judged, a demanded call, and conversations without a cassette."""
    assert_type(asks_a_model("go"), str)
    assert_type(await asks_later("go", None), Ticket)
    plan = Contract(
        Ticket, judged=file("plan.md"), calls=[called("Bash", "make check"), "Read", in_order("Read", "Bash")]
    )
    assert_type(plan, Contract[Ticket])
    printed = Contract(Ticket, judged="text", calls=[not_called("rm"), only_calls("Bash")])
    assert_type(Conversation.from_events(path, "go").judge([plan, printed]), Convergence)
    Contract(Ticket, judged=tool_arg("write_file", "content"), calls=3)  # type: ignore[call-overload]
    return Conversation.from_messages([{"role": "user", "content": "go"}], tools=[]).judge(plan).ok


def compares_runs(path: Path) -> bool:
    """Two runs, and two values."""
    options = diff_options(keys=["id"], ignore=["meta"], ignore_case=True)
    assert_type(len(diff_values({"a": 1}, {"a": 2}, options).changes), int)
    return compare(load_run(str(path)), load_run("last"), options).unread


def catches_errors() -> type[Exception]:
    """All have one base."""
    errors: list[type[PlanguardError]] = [UsageError, ContractFailed, SchemaValidationError]
    return errors[0]


def lists_its_names() -> list[str]:
    """The version is a text, the names are a list."""
    assert_type(pytest_planguard.__version__, str)
    return pytest_planguard.__all__


def wrong_uses(contract: Contract, verdict: Verdict) -> None:
    """Each line is an error to both checkers."""
    Contract(Ticket, fromat="json")  # type: ignore[call-overload]
    Contract(Ticket, format="toml")  # type: ignore[call-overload]
    Contract(Ticket, constraints=["distinct"])  # type: ignore[list-item]
    one_of("priority", "low", match="fuzzy")  # type: ignore[arg-type]
    min_length("title", "3")  # type: ignore[arg-type]
    min_length("title", 3, severity="fial")  # type: ignore[arg-type]
    not_copied("title", sources=["internet"])  # type: ignore[list-item]
    validation_feedback("{}")  # type: ignore[arg-type]
    converge(aconverge, "go", contract, placement="shout")  # type: ignore[arg-type]
    assert verdict.okay  # type: ignore[attr-defined]
    verdict.value = 1  # type: ignore[misc] # a verdict is frozen
    assert pytest_planguard.Contracts  # type: ignore[attr-defined]


def searches() -> SearchConfig:
    """The values of a plan search."""
    step: Step = Step("plan", lambda context: "{}", level_guards()["medium"], StepBudget(rmax=2))
    rules = (BlameRule("goal-reachable", 1),)
    tape: CallTape = CallTape(("plan",), {})
    written: str = SearchConfig().plan([step])
    assert written
    assert step
    assert tape
    return SearchConfig({"plan": StepBudget()}, blame=rules)


def states(folder: str) -> dict[str, tuple[str, ...]]:
    """What a changed answer makes invalid."""
    return RunState(folder).invalid()


def redlines() -> tuple[ContentConstraint, ...]:
    """Constraints of severity fail."""
    return redline("verdict:no", language="en")


def asks(context: StepContext) -> str:
    """What a step is asked with."""
    return f"{context.attempt}: {context.messages('go')}"


def by_task(tasks: TaskContracts) -> Contract[Ticket]:
    """A task's contract knows its values."""
    every: tuple[str, ...] = tasks.tasks
    return tasks.add(every[0], Ticket, redlines())


def sums_up(lines: list[str]) -> int:
    """Summaries of logs add up."""
    return (judge_logs(lines, contracts="app:TICKET") + judge_logs(lines, contracts="app:TICKET")).groups


def draws(text: str) -> int:
    """The graph of a plan."""
    graph = plan_graph(text)
    assert_type(graph.waves, tuple[tuple[str, ...], ...])
    return graph.longest_chain


def edits() -> Contract[str]:
    """The rule that an answer's edits apply."""
    return Contract[str](str, rules=[edits_apply({"a.py": "x = 1"}), edits_apply(lambda: {"a.py": "x = 1"})])


def compares_policies(steps: list[Step]) -> SearchResult:
    """A search, and a comparison of policies over problems."""
    run_experiment([Problem("trip", lambda trial: steps)], ["cbj"], trials=3)
    return search(steps, SearchConfig())


async def awaits(steps: list[Step], contract: Contract, ask: Callable[[str, Any], Awaitable[str]]) -> SearchResult:
    """The same with steps and models that are awaited."""
    assert_type((await ModelExecutor(["a"]).arun("Plan", ask, contract, "go")).ok, bool)
    result = await arun_with_fallback("Plan", ["a"], ask, contract, messages="go", timeout_s=5)
    assert_type(result.ok, bool)
    return await asearch(steps)


def recorded_tree(steps: list[Step]) -> CallTape:
    """Every answer that a search may request."""
    return CallTape.record(steps, SearchConfig())

"""The tasks of a run in figures."""

from dataclasses import replace

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding, Severity
from pytest_planguard.runs.figures import defaults_filled, figures_of_tasks
from pytest_planguard.runs.model.judged_answers import AttemptRow, FedBackRow

from ..support.runs import attempt, case, finding, good, missing, run


def retried(grade: str) -> AttemptRow:
    """A bad attempt whose finding the next request treats so."""
    return replace(
        attempt("{}", finding("missing", ("a",))), fed_back=(FedBackRow("missing", ("a",), grade),), model="m"
    )


def default(message: str = "left out, took the default 1") -> Finding:
    """A field that the schema filled."""
    return Finding("defaulted", ("a",), message, FailureKind.MISSING, Severity.WARN)


def test_which_tasks_feed_back_what_was_wrong() -> None:
    """Cases of one task count together; one without a task stands for itself; a refused retry is a missing one."""
    rows = [
        case("a1", retried("verbatim"), attempt("{}"), task="Carries"),
        case("a2", retried("weak"), retried("located"), attempt("{}"), task="Carries"),
        case("b1", retried("verbatim"), attempt("{}"), task="Partly"),
        case("b2", retried("missing"), attempt("{}"), task="Partly"),
        replace(missing("c1"), task="Never"),
        good("alone"),
    ]
    found = {task.task: task for task in figures_of_tasks(run("r", rows))}
    assert {name: task.wiring for name, task in found.items()} == {
        "Carries": "in full",
        "Never": "never",
        "Partly": "in part",
        "alone": "no retry",
    }
    carries = found["Carries"]
    assert (carries.cases, carries.retries, carries.fed_back, carries.missing) == (2, 3, 3, 0)
    assert carries.failures == {("m", "content"): 3}
    assert (found["Never"].retries, found["Never"].missing) == (1, 1)


def test_defaults_are_counted() -> None:
    """Of final answers, the ones beyond the list too."""
    filled = AttemptRow("{}", True, findings=(default(), default("1,234 more fields took the default")))
    assert defaults_filled(filled) == 1_235
    first = replace(attempt("{}", finding("missing", ("a",))), findings=(default(),))
    (task,) = figures_of_tasks(run("r", [case("a", first, filled)]))
    assert task.defaults == 1_235

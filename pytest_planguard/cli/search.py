"""`planguard search`: compare search policies over recorded searches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import UsageError
from ..replay.paths import replace_file
from ..runs.load.contracts import load_thing
from .commands import epilog, format_option, keep_inputs
from .main import UnjudgedError
from .output import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..plan_search.call_tape import CallTape
    from ..plan_search.experiment import Problem, Trial
    from ..plan_search.result import SearchResult
    from ..plan_search.step import Step

EXAMPLES = """
  planguard search app/steps.py:STEPS tapes/                            the policy cbj over every tape
  planguard search app/steps.py:STEPS tapes/ --policy cbj,blind,full    three policies, compared with full
  planguard search app/steps.py:STEPS tapes/a.json --html tree.html     the first search as a page, with every answer
"""
EXIT_CODES = {
    0: "it was printed; a comparison does not gate",
    2: "the command itself is wrong: the steps, a policy, a tape of another pipeline",
    3: "a tape cannot be read, or the code of a step raised",
}


@click.command(epilog=epilog(EXAMPLES, EXIT_CODES))
@click.argument("steps", metavar="STEPS")
@click.argument("tapes", metavar="TAPE...", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option(
    "--policy",
    "names",
    default="cbj",
    show_default=True,
    metavar="NAMES",
    help="Policies, separated by commas: dfs, cbj, best, beam, broadening, deepening, restarts, or a control: "
    "single, classify-then-plan, full, retry_last, blind, blind_resample.",
)
@click.option(
    "--budget", type=click.IntRange(0), default=30, show_default=True, metavar="N", help="Calls of each search."
)
@click.option(
    "--level", default="medium", show_default=True, metavar="NAME", help="The guard level that counts as success."
)
@click.option(
    "--curve",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Draw the share of problems solved within each number of calls, for each policy, into this SVG file.",
)
@click.option(
    "--html",
    "page",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the first search as a page: how it ended, and its tree with every answer and finding.",
)
@format_option(("text", "markdown", "json"))
def search(
    steps: str,
    tapes: tuple[Path, ...],
    names: str,
    budget: int,
    level: str,
    curve: Path | None,
    page: Path | None,
    output: str,
) -> None:
    """Replay recorded plan searches with other policies, and compare them.

    STEPS names a list of steps, module:NAME or path/file.py:NAME. A TAPE is a JSON file that holds a recorded search,
    or a folder of them; each is one problem. No model is called. A call that is on no tape is censored, not counted as
    failed.
    """
    from ..plan_search.experiment import BUDGETS, run_experiment
    from ..plan_search.step import SearchConfig
    from ..plan_search.strategies import strategy_named
    from ..report.forms import draw
    from ..report.pages.search import experiment_svg, scorecard, scorecard_page, search_page
    from ..report.plain_text import json_text

    keep_inputs(curve, page)
    strategies = [strategy_named(name.strip()) for name in names.split(",")]
    config = SearchConfig(max_total_calls=budget, target_guard_level=level)
    problems = [_problem(path, _steps(steps)) for path in _files(tapes)]
    shown: list[SearchResult] = []
    raised: list[tuple[str, SearchResult]] = []

    def keep(trial: Trial, result: SearchResult) -> None:
        """Keep the first search, which may be shown, and the first one in which a step raised."""
        if not shown:
            shown.append(result)
        if result.error is not None and not raised:
            raised.append((trial.problem, result))

    experiment = run_experiment(problems, strategies, config, on_result=keep)
    if page is not None:
        _write(page, draw(search_page(shown[0]), "html"))
    for problem, result in raised:
        say(draw(search_page(result), "text"), err=True)
        raise UnjudgedError(f"{problem}: {result.error}")
    controls = [strategy.name for strategy in strategies if strategy.control]
    budgets = [*(b for b in BUDGETS if b < budget), budget]
    if curve is not None:
        _write(curve, experiment_svg(experiment, budgets))
    rows = scorecard(experiment, budgets=budgets, controls=controls)
    say(json_text(rows) if output == "json" else draw(scorecard_page(rows), output))


def _steps(spec: str) -> Sequence[Step]:
    from ..plan_search.step import Step

    steps = load_thing(spec, "STEPS")
    if callable(steps):
        try:
            steps = steps()
        except Exception as error:
            raise UnjudgedError(f"STEPS {spec} raised {type(error).__name__}: {error}; repair it") from error
    if not isinstance(steps, (list, tuple)) or not all(isinstance(step, Step) for step in steps):
        raise UsageError(f"STEPS {spec}: expected a list of steps: got {type(steps).__name__}; name a list of Step")
    return steps


def _files(paths: Sequence[Path]) -> list[Path]:
    listed = [file for path in paths for file in (sorted(path.glob("**/*.json")) if path.is_dir() else [path])]
    files = list(dict.fromkeys(listed))  # both a folder and a file in it may be named
    if not files:
        raise UsageError(f"no tape in {', '.join(map(str, paths))}: got folders without .json files; record a search")
    return files


def _problem(path: Path, steps: Sequence[Step]) -> Problem:
    from ..plan_search.experiment import Problem

    tape, category = _tape(path)
    try:
        replayed = tape.replay(steps)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error
    return Problem(path.as_posix(), lambda _: replayed, category)


def _tape(path: Path) -> tuple[CallTape, str]:
    """Return the tape of a file, and the category of its problem."""
    from ..plan_search.call_tape import CallTape

    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except RecursionError as error:
        raise UnjudgedError(f"{path} is not a tape: got lists or objects nested too deep; record it again") from error
    except (OSError, ValueError) as error:
        raise UnjudgedError(f"{path} is not a tape: {error}; record it again") from error
    if not isinstance(data, dict):
        raise UnjudgedError(f"{path} is not a tape: got a {type(data).__name__}; record it again")
    try:
        return CallTape.read(data), _category(data.get("category", ""))
    except UsageError as error:
        raise UnjudgedError(f"{path}: {error}") from error


def _category(value: object) -> str:
    if not isinstance(value, str):
        raise UsageError(f"not a call tape: category must be a text: got {type(value).__name__}; write its name")
    return value


def _write(path: Path, text: str) -> None:
    try:
        replace_file(path, text.encode())
    except OSError as error:
        raise UnjudgedError(f"{path} cannot be written: got {error.strerror or error}; name another file") from error

"""Contract tests for language model output, and tests that retries converge.

Three modules are public: this one (for tests), `pytest_planguard.extend` (for extensions) and
`pytest_planguard.testing` (for testing a plugin). Each lists its names for type checkers. Any other module may
change without notice. Each name is loaded when you first use it, so importing the package is cheap.
"""

# ruff: noqa: I001  # ordered as in the reference

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    # Contracts
    from .contract.contract import Contract as Contract
    from .contract.check import tool_arg as tool_arg
    from .contract.check import file as file
    from .contract.constraints.scene import CheckContext as CheckContext
    from .contract.verdict import Verdict as Verdict
    from .contract.verdict import SchemaValidationError as SchemaValidationError
    from .contract.finding import Finding as Finding
    from .contract.failure_kinds import FailureKind as FailureKind
    from .contract.finding import Severity as Severity

    # Edits of files
    from .contract.constraints.text_edits import edits_apply as edits_apply

    # Rules about tool calls
    from .contract.calls import called as called
    from .contract.calls import not_called as not_called
    from .contract.calls import in_order as in_order
    from .contract.calls import only_calls as only_calls

    # Content constraints
    from .contract.constraints.constraint import ContentConstraint as ContentConstraint
    from .contract.constraints.builders import contains as contains
    from .contract.constraints.builders import count as count
    from .contract.constraints.builders import custom as custom
    from .contract.constraints.builders import distinct as distinct
    from .contract.constraints.builders import excludes as excludes
    from .contract.constraints.builders import in_range as in_range
    from .contract.constraints.builders import max_length as max_length
    from .contract.constraints.builders import min_length as min_length
    from .contract.constraints.builders import non_empty as non_empty
    from .contract.constraints.builders import not_copied as not_copied
    from .contract.constraints.builders import one_of as one_of
    from .contract.constraints.builders import regex as regex
    from .contract.constraints.builders import same_length as same_length

    # Expected values
    from .contract.comparison.comparators import near as near
    from .contract.comparison.comparators import same_text as same_text
    from .contract.comparison.comparators import similar as similar
    from .contract.comparison.comparators import same_date as same_date
    from .contract.comparison.comparators import same_items as same_items
    from .contract.comparison.comparators import ignored as ignored

    # Strength of a contract
    from .contract.strength.measure import assert_strength as assert_strength

    # Plan rules
    from .plans.judging.contract_rules import plan_rules as plan_rules
    from .plans.judging.judge_files import plan_graph as plan_graph

    # Retries
    from .retry.loop import converge as converge
    from .retry.loop import aconverge as aconverge
    from .retry.budget import Budget as Budget
    from .retry.results import Convergence as Convergence
    from .retry.outcomes import Outcome as Outcome

    # Feedback for a loop of your own
    from .contract.feedback.feedback import validation_feedback as validation_feedback
    from .contract.feedback.next_request import next_messages as next_messages

    # Cassettes
    from .replay.taped_call import tape as tape
    from .replay.files.reader import read_cassette as read_cassette
    from .retry.conversation import Conversation as Conversation
    from .retry.judging.judge import judge as judge
    from .runs.logs.judging import judge_logs as judge_logs
    from .retry.judging.judging_options import JudgeOptions as JudgeOptions
    from .report.conversation import render_conversation as render_conversation

    # Runs and comparisons
    from .runs.load.load import load_run as load_run
    from .runs.compare.compare import compare as compare
    from .runs.value_diff import diff_values as diff_values
    from .runs.value_diff_options import diff_options as diff_options

    # Pipelines: streams, gates, the choice of a model
    from .pipeline.agent_pipeline import AgentPipeline as AgentPipeline
    from .pipeline.agent_pipeline import AgentStage as AgentStage
    from .pipeline.gate import Gate as Gate
    from .pipeline.conditions import redline as redline
    from .pipeline.state_files import RunState as RunState
    from .pipeline.conditions import TaskContracts as TaskContracts
    from .pipeline.history import AttemptHistory as AttemptHistory
    from .pipeline.model_executor import arun_with_fallback as arun_with_fallback
    from .pipeline.model_executor import run_with_fallback as run_with_fallback
    from .pipeline.model_executor import ModelExecutor as ModelExecutor
    from .pipeline.watch_stream import aconverge_stream as aconverge_stream
    from .pipeline.watch_stream import converge_stream as converge_stream
    from .pipeline.stream_detectors import StreamThresholds as StreamThresholds
    from .pipeline.watch_stream import watch_stream as watch_stream

    # Plan search
    from .plan_search.loop import search as search
    from .plan_search.loop import asearch as asearch
    from .plan_search.result import SearchResult as SearchResult
    from .plan_search.experiment import run_experiment as run_experiment
    from .plan_search.experiment import Problem as Problem
    from .plan_search.plan_guards import level_guards as level_guards
    from .plan_search.step import StepBudget as StepBudget
    from .plan_search.step import Step as Step
    from .plan_search.context import StepContext as StepContext
    from .plan_search.step import SearchConfig as SearchConfig
    from .plan_search.call_tape import CallTape as CallTape
    from .plan_search.blame import BlameRule as BlameRule

    # Errors and warnings
    from .errors import PlanguardError as PlanguardError
    from .errors import UsageError as UsageError
    from .errors import ContractFailed as ContractFailed
    from .errors import PlanguardWarning as PlanguardWarning

    __all__: list[str]

    def __dir__() -> list[str]: ...
else:
    # Hidden from type checkers: with a visible module __getattr__, every misspelt name would type-check.
    from functools import cache

    def _lazy_names(module, file, *others):
        """Return `__getattr__` and `__dir__` of a public module. Both read the imports above from its file, as text."""

        @cache
        def homes():
            import re
            from pkgutil import get_data

            lines = get_data(__name__, file).decode()
            return {name: home for home, name in re.findall(r"(?m)^    from (\S+) import (\w+) as \2$", lines)}

        def get(name):
            from importlib import import_module
            from sys import modules

            if name != "__all__" and name not in homes():
                raise AttributeError(f"module {module!r} has no attribute {name!r}")
            package = modules[module].__package__
            value = [*homes()] if name == "__all__" else getattr(import_module(homes()[name], package), name)
            setattr(modules[module], name, value)
            return value

        return get, lambda: sorted([*homes(), *others])

    __getattr__, __dir__ = _lazy_names(__name__, "__init__.py", "__version__")

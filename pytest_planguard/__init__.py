"""Contract tests for language model output, and tests that retries converge.

Three modules are public: this one (for tests), `pytest_planguard.extend` (for extensions) and
`pytest_planguard.testing` (for testing a plugin). Each lists its public names in `__all__`. Any other module may change
without notice. Each name is loaded when you first use it, so importing the package is cheap.
"""

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .contract.answer_parts import file as file
    from .contract.answer_parts import text as text
    from .contract.answer_parts import tool_arg as tool_arg
    from .contract.calls import called as called
    from .contract.calls import in_order as in_order
    from .contract.calls import not_called as not_called
    from .contract.calls import only_calls as only_calls
    from .contract.comparison.comparators import ignored as ignored
    from .contract.comparison.comparators import near as near
    from .contract.comparison.comparators import same_date as same_date
    from .contract.comparison.comparators import same_items as same_items
    from .contract.comparison.comparators import same_text as same_text
    from .contract.comparison.comparators import similar as similar
    from .contract.comparison.score import Score as Score
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
    from .contract.constraints.constraint import ContentConstraint as ContentConstraint
    from .contract.constraints.scene import CheckContext as CheckContext
    from .contract.constraints.text_edits import edits_apply as edits_apply
    from .contract.constraints.text_edits import read_edits as read_edits
    from .contract.contract import Contract as Contract
    from .contract.failure_kinds import FailureKind as FailureKind
    from .contract.feedback.feedback import build_feedback as build_feedback
    from .contract.feedback.feedback import validation_feedback as validation_feedback
    from .contract.feedback.next_request import next_messages as next_messages
    from .contract.feedback.prompt_template import fill_variables as fill_variables
    from .contract.feedback.prompt_template import lint_prompt as lint_prompt
    from .contract.finding import Finding as Finding
    from .contract.finding import Severity as Severity
    from .contract.strength.measure import assert_strength as assert_strength
    from .contract.verdict import SchemaValidationError as SchemaValidationError
    from .contract.verdict import Verdict as Verdict
    from .errors import CassetteError as CassetteError
    from .errors import ContractFailed as ContractFailed
    from .errors import PlanguardError as PlanguardError
    from .errors import PlanguardWarning as PlanguardWarning
    from .errors import RunError as RunError
    from .errors import TransientError as TransientError
    from .errors import UsageError as UsageError
    from .pipeline.agent_pipeline import AgentPipeline as AgentPipeline
    from .pipeline.agent_pipeline import AgentStage as AgentStage
    from .pipeline.gate import Gate as Gate
    from .pipeline.gate import GateOutcome as GateOutcome
    from .pipeline.history import AttemptHistory as AttemptHistory
    from .pipeline.matrix import fallback_order as fallback_order
    from .pipeline.matrix import matrix_of as matrix_of
    from .pipeline.matrix import write_matrix as write_matrix
    from .pipeline.run_with_fallback import ModelExecutor as ModelExecutor
    from .pipeline.run_with_fallback import arun_with_fallback as arun_with_fallback
    from .pipeline.run_with_fallback import run_with_fallback as run_with_fallback
    from .pipeline.state_files import RunState as RunState
    from .pipeline.stream.converge_stream import aconverge_stream as aconverge_stream
    from .pipeline.stream.converge_stream import converge_stream as converge_stream
    from .pipeline.stream.findings import StreamThresholds as StreamThresholds
    from .pipeline.stream.monitor import stream_log as stream_log
    from .pipeline.stream.watch import awatch_stream as awatch_stream
    from .pipeline.stream.watch import watch_stream as watch_stream
    from .pipeline.task_contracts import TaskContracts as TaskContracts
    from .pipeline.task_contracts import redline as redline
    from .plan_search.blame import BlameRule as BlameRule
    from .plan_search.blame import BlameTable as BlameTable
    from .plan_search.call_tape import CallTape as CallTape
    from .plan_search.call_tape import record_tree as record_tree
    from .plan_search.context import StepContext as StepContext
    from .plan_search.experiment import Problem as Problem
    from .plan_search.experiment import run_experiment as run_experiment
    from .plan_search.loop import asearch as asearch
    from .plan_search.loop import search as search
    from .plan_search.plan_guards import level_guards as level_guards
    from .plan_search.plan_guards import pipeline_plan as pipeline_plan
    from .plan_search.result import SearchResult as SearchResult
    from .plan_search.step import SearchConfig as SearchConfig
    from .plan_search.step import Step as Step
    from .plan_search.step import StepBudget as StepBudget
    from .plan_search.strategies import strategy_named as strategy_named
    from .plans.judging.contract_rules import plan_rules as plan_rules
    from .plans.judging.judge_files import plan_graph as plan_graph
    from .plans.model.plan_graph import PlanGraph as PlanGraph
    from .replay.files.reader import read_cassette as read_cassette
    from .replay.taped_call import tape as tape
    from .report.conversation import render_conversation as render_conversation
    from .report.text_table import render_table as render_table
    from .retry.conversation import Conversation as Conversation
    from .retry.driving.budget import Budget as Budget
    from .retry.driving.loop import aconverge as aconverge
    from .retry.driving.loop import converge as converge
    from .retry.judging.judge import judge as judge
    from .retry.judging.judging_options import JudgeOptions as JudgeOptions
    from .retry.outcomes import Outcome as Outcome
    from .retry.results import Convergence as Convergence
    from .runs.compare.compare import CompareOptions as CompareOptions
    from .runs.compare.compare import compare as compare
    from .runs.load.load import load_run as load_run
    from .runs.logs.judge_logs import judge_logs as judge_logs
    from .runs.logs.summary import LogSummary as LogSummary
    from .runs.value_diff.diff_options import diff_options as diff_options
    from .runs.value_diff.equality import RichOptions as RichOptions
    from .runs.value_diff.field_diff import diff_values as diff_values

    __all__: list[str]

    def __dir__() -> list[str]: ...
else:
    # Hidden from type checkers: with a visible module __getattr__, every misspelt name would type-check.
    from importlib import import_module
    from sys import modules

    _TOPICS = {
        "Contracts": {
            "Contract": "contract.contract",
            "text": "contract.answer_parts",
            "tool_arg": "contract.answer_parts",
            "file": "contract.answer_parts",
            "CheckContext": "contract.constraints.scene",
            "Verdict": "contract.verdict",
            "SchemaValidationError": "contract.verdict",
            "Finding": "contract.finding",
            "FailureKind": "contract.failure_kinds",
            "Severity": "contract.finding",
        },
        "Edits of files": {
            "edits_apply": "contract.constraints.text_edits",
            "read_edits": "contract.constraints.text_edits",
        },
        "Rules about tool calls": {
            "called": "contract.calls",
            "not_called": "contract.calls",
            "in_order": "contract.calls",
            "only_calls": "contract.calls",
        },
        "Content constraints": {
            "ContentConstraint": "contract.constraints.constraint",
            "contains": "contract.constraints.builders",
            "count": "contract.constraints.builders",
            "custom": "contract.constraints.builders",
            "distinct": "contract.constraints.builders",
            "excludes": "contract.constraints.builders",
            "in_range": "contract.constraints.builders",
            "max_length": "contract.constraints.builders",
            "min_length": "contract.constraints.builders",
            "non_empty": "contract.constraints.builders",
            "not_copied": "contract.constraints.builders",
            "one_of": "contract.constraints.builders",
            "regex": "contract.constraints.builders",
            "same_length": "contract.constraints.builders",
        },
        "Expected values": {
            "near": "contract.comparison.comparators",
            "same_text": "contract.comparison.comparators",
            "similar": "contract.comparison.comparators",
            "same_date": "contract.comparison.comparators",
            "same_items": "contract.comparison.comparators",
            "ignored": "contract.comparison.comparators",
            "Score": "contract.comparison.score",
        },
        "Strength of a contract": {
            "assert_strength": "contract.strength.measure",
        },
        "Plan rules": {
            "plan_rules": "plans.judging.contract_rules",
            "plan_graph": "plans.judging.judge_files",
            "PlanGraph": "plans.model.plan_graph",
        },
        "Retries": {
            "converge": "retry.driving.loop",
            "aconverge": "retry.driving.loop",
            "Budget": "retry.driving.budget",
            "Convergence": "retry.results",
            "Outcome": "retry.outcomes",
        },
        "Feedback for a loop of your own": {
            "build_feedback": "contract.feedback.feedback",
            "validation_feedback": "contract.feedback.feedback",
            "next_messages": "contract.feedback.next_request",
            "fill_variables": "contract.feedback.prompt_template",
            "lint_prompt": "contract.feedback.prompt_template",
        },
        "Cassettes": {
            "tape": "replay.taped_call",
            "read_cassette": "replay.files.reader",
            "Conversation": "retry.conversation",
            "judge": "retry.judging.judge",
            "judge_logs": "runs.logs.judge_logs",
            "LogSummary": "runs.logs.summary",
            "JudgeOptions": "retry.judging.judging_options",
            "render_conversation": "report.conversation",
            "render_table": "report.text_table",
        },
        "Runs and comparisons": {
            "load_run": "runs.load.load",
            "compare": "runs.compare.compare",
            "CompareOptions": "runs.compare.compare",
            "diff_values": "runs.value_diff.field_diff",
            "diff_options": "runs.value_diff.diff_options",
            "RichOptions": "runs.value_diff.equality",
        },
        "Pipelines: streams, gates, the choice of a model": {
            "AgentPipeline": "pipeline.agent_pipeline",
            "AgentStage": "pipeline.agent_pipeline",
            "Gate": "pipeline.gate",
            "redline": "pipeline.task_contracts",
            "RunState": "pipeline.state_files",
            "TaskContracts": "pipeline.task_contracts",
            "GateOutcome": "pipeline.gate",
            "fallback_order": "pipeline.matrix",
            "AttemptHistory": "pipeline.history",
            "arun_with_fallback": "pipeline.run_with_fallback",
            "run_with_fallback": "pipeline.run_with_fallback",
            "ModelExecutor": "pipeline.run_with_fallback",
            "matrix_of": "pipeline.matrix",
            "write_matrix": "pipeline.matrix",
            "aconverge_stream": "pipeline.stream.converge_stream",
            "converge_stream": "pipeline.stream.converge_stream",
            "stream_log": "pipeline.stream.monitor",
            "StreamThresholds": "pipeline.stream.findings",
            "awatch_stream": "pipeline.stream.watch",
            "watch_stream": "pipeline.stream.watch",
        },
        "Plan search": {
            "search": "plan_search.loop",
            "asearch": "plan_search.loop",
            "SearchResult": "plan_search.result",
            "run_experiment": "plan_search.experiment",
            "Problem": "plan_search.experiment",
            "strategy_named": "plan_search.strategies",
            "level_guards": "plan_search.plan_guards",
            "pipeline_plan": "plan_search.plan_guards",
            "StepBudget": "plan_search.step",
            "Step": "plan_search.step",
            "StepContext": "plan_search.context",
            "SearchConfig": "plan_search.step",
            "CallTape": "plan_search.call_tape",
            "record_tree": "plan_search.call_tape",
            "BlameRule": "plan_search.blame",
            "BlameTable": "plan_search.blame",
        },
        "Errors and warnings": {
            "PlanguardError": "errors",
            "UsageError": "errors",
            "ContractFailed": "errors",
            "CassetteError": "errors",
            "RunError": "errors",
            "TransientError": "errors",
            "PlanguardWarning": "errors",
        },
    }
    """The public names by topic, each with its module."""

    def _lazy_names(module, topics, *others):
        """Return `__all__`, `__getattr__` and `__dir__` of a module whose names load on first use."""
        homes = {name: home for names in topics.values() for name, home in names.items()}

        def get(name):
            if name not in homes:
                raise AttributeError(f"module {module!r} has no attribute {name!r}")
            value = getattr(import_module(f"{__name__}.{homes[name]}"), name)
            setattr(modules[module], name, value)
            return value

        return list(homes), get, lambda: sorted([*homes, *others])

    __all__, __getattr__, __dir__ = _lazy_names(__name__, _TOPICS, "__version__")

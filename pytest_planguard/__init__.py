"""Contract tests for what language models write, and proof that retries converge.

The names below load on first use, so importing the package costs nothing until one is needed.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
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
    from .contract.context import CheckContext as CheckContext
    from .contract.contract import Contract as Contract
    from .contract.failure_kinds import FailureKind as FailureKind
    from .contract.feedback.feedback import validation_feedback as validation_feedback
    from .contract.finding import Finding as Finding
    from .contract.severity import Severity as Severity
    from .contract.verdict import SchemaValidationError as SchemaValidationError
    from .contract.verdict import Verdict as Verdict
    from .errors import PlanguardWarning as PlanguardWarning
    from .errors import UsageError as UsageError

    # For pipelines: the stream monitor, gates, the choice of a model.
    from .pipeline.gates.gate import Gate as Gate
    from .pipeline.gates.gate import GateOutcome as GateOutcome
    from .pipeline.models.fallback_order import fallback_order as fallback_order
    from .pipeline.models.history import AttemptHistory as AttemptHistory
    from .pipeline.models.run_with_fallback import run_with_fallback as run_with_fallback
    from .pipeline.stream.converge_stream import aconverge_stream as aconverge_stream
    from .pipeline.stream.converge_stream import converge_stream as converge_stream
    from .pipeline.stream.stream_log import stream_log as stream_log
    from .pipeline.stream.thresholds import StreamThresholds as StreamThresholds
    from .pipeline.stream.watch import awatch_stream as awatch_stream
    from .pipeline.stream.watch import watch_stream as watch_stream
    from .retry.convergence import Convergence as Convergence
    from .retry.convergence import Outcome as Outcome
    from .retry.driving.loop import aconverge as aconverge
    from .retry.driving.loop import converge as converge
else:
    # Hidden from type checkers: a visible module __getattr__ makes every misspelt name type-check.
    _HOME = {
        "AttemptHistory": "pipeline.models.history",
        "CheckContext": "contract.context",
        "ContentConstraint": "contract.constraints.constraint",
        "Contract": "contract.contract",
        "Convergence": "retry.convergence",
        "FailureKind": "contract.failure_kinds",
        "Finding": "contract.finding",
        "Gate": "pipeline.gates.gate",
        "GateOutcome": "pipeline.gates.gate",
        "Outcome": "retry.convergence",
        "PlanguardWarning": "errors",
        "SchemaValidationError": "contract.verdict",
        "Severity": "contract.severity",
        "StreamThresholds": "pipeline.stream.thresholds",
        "UsageError": "errors",
        "Verdict": "contract.verdict",
        "aconverge": "retry.driving.loop",
        "aconverge_stream": "pipeline.stream.converge_stream",
        "awatch_stream": "pipeline.stream.watch",
        "contains": "contract.constraints.builders",
        "converge": "retry.driving.loop",
        "converge_stream": "pipeline.stream.converge_stream",
        "count": "contract.constraints.builders",
        "custom": "contract.constraints.builders",
        "distinct": "contract.constraints.builders",
        "excludes": "contract.constraints.builders",
        "fallback_order": "pipeline.models.fallback_order",
        "in_range": "contract.constraints.builders",
        "max_length": "contract.constraints.builders",
        "min_length": "contract.constraints.builders",
        "non_empty": "contract.constraints.builders",
        "not_copied": "contract.constraints.builders",
        "one_of": "contract.constraints.builders",
        "regex": "contract.constraints.builders",
        "run_with_fallback": "pipeline.models.run_with_fallback",
        "same_length": "contract.constraints.builders",
        "stream_log": "pipeline.stream.stream_log",
        "validation_feedback": "contract.feedback.feedback",
        "watch_stream": "pipeline.stream.watch",
    }

    def __getattr__(name):
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
        return value


__all__ = [
    "AttemptHistory",
    "CheckContext",
    "ContentConstraint",
    "Contract",
    "Convergence",
    "FailureKind",
    "Finding",
    "Gate",
    "GateOutcome",
    "Outcome",
    "PlanguardWarning",
    "SchemaValidationError",
    "Severity",
    "StreamThresholds",
    "UsageError",
    "Verdict",
    "aconverge",
    "aconverge_stream",
    "awatch_stream",
    "contains",
    "converge",
    "converge_stream",
    "count",
    "custom",
    "distinct",
    "excludes",
    "fallback_order",
    "in_range",
    "max_length",
    "min_length",
    "non_empty",
    "not_copied",
    "one_of",
    "regex",
    "run_with_fallback",
    "same_length",
    "stream_log",
    "validation_feedback",
    "watch_stream",
]


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])

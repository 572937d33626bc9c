"""Contract tests for what language models write, and proof that retries converge.

The names below load on first use, so importing the package costs nothing until one is needed.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .contract.finding import Finding as Finding
    from .contract.kinds import FailureKind as FailureKind
    from .contract.severity import Severity as Severity
    from .contract.verdict import Verdict as Verdict
    from .errors import SchemaValidationError as SchemaValidationError
    from .errors import UsageError as UsageError
    from .retry.convergence import Convergence as Convergence
    from .retry.convergence import Outcome as Outcome
else:
    # Hidden from type checkers: a visible module __getattr__ makes every misspelt name type-check.
    _HOME = {
        "Convergence": "retry.convergence",
        "FailureKind": "contract.kinds",
        "Finding": "contract.finding",
        "Outcome": "retry.convergence",
        "SchemaValidationError": "errors",
        "Severity": "contract.severity",
        "UsageError": "errors",
        "Verdict": "contract.verdict",
    }

    def __getattr__(name):
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
        return value


__all__ = [
    "Convergence",
    "FailureKind",
    "Finding",
    "Outcome",
    "SchemaValidationError",
    "Severity",
    "UsageError",
    "Verdict",
]


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])

"""One answer that a test has judged: kept for its row, and its value or why it fails."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..document.file_suffixes import format_of
from ..errors import ContractFailed
from .case import Checked

if TYPE_CHECKING:
    from ..contract import Contract
    from ..contract.verdict import Verdict
    from .case import Case


def checked_value(case: Case, answer: object, contract: Contract, finish: str | None) -> Any:
    """The validated value of an answer: text, bytes, a file's path, or an already parsed value.

    Raises:
        ContractFailed: the answer does not keep the contract.
    """
    __tracebackhide__ = True
    path = answer if isinstance(answer, Path) else None
    content = path.read_bytes() if path else answer
    verdict = contract.check(content, finish=finish, format=format_of(path) if path else None)
    case.checked.append(Checked(contract, verdict))
    if verdict.ok:
        return verdict.value
    raise ContractFailed(_check_text(verdict, answer))


def _check_text(verdict: Verdict, answer: object) -> str:
    """The places stand in the first line: it is all that a summary and a CI server show of a failure."""
    from ..report.text import named, render_verdict

    source = f" ({answer})" if isinstance(answer, Path) else ""
    first, _, rest = render_verdict(verdict).partition("\n")
    return f"planguard: {first}: {named(verdict.errors)}{source}\n{rest}"

"""The feedback of a retry: findings as text, of bounded length and deterministic."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..failure_kinds import Phase
from ..finding import Finding
from ..own_checks import fed_back
from ..verdict import Verdict
from .style import Correction, Template, Worded, fill
from .texts import STYLES


@dataclass(frozen=True, slots=True)
class Feedback:
    """The text of a retry, and the findings that it contains."""

    text: str
    """At most 2,000 characters; "" if nothing is wrong or the style writes nothing."""
    findings: tuple[Finding, ...]
    """The findings in the text, in the same order."""
    omitted: int
    """Bad findings that are not in the text, because of its limit or because they belong to a later phase."""

    @property
    def digest(self) -> str:
        """12 hex digits: a digest of the findings' codes and paths. The same problems give the same digest."""
        import hashlib  # loads OpenSSL

        parts = sorted(f"{item.code}\0{item.path!r}" for item in self.findings)
        return hashlib.sha256("\n".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:12]


def build_feedback(
    verdict: Verdict | Iterable[Finding],
    *,
    attempt: int | None = None,
    max_attempts: int | None = None,
    style: str = "default",
    template: Template | None = None,
) -> Feedback:
    """Return the feedback on one answer. This is a pure function of its findings.

    If there are syntax problems, only those are fed back, because fields that seem missing may be in the broken part.
    Findings of severity info and warn are never fed back.

    Args:
        verdict: the verdict, or only findings.
        attempt: the 1-based number of the attempt that failed.
        max_attempts: the total number of attempts allowed, including the first.
        style: "default", "compact", "command", "revise", "amendment", "tool_result", "json", "autospec", "seed",
            "format_errors" or "blind".
        template: your own template around the style's lines, or a callable that writes the whole text.

    Raises:
        UsageError: an unknown style, or a template with an unknown field.
    """
    found = verdict.findings if isinstance(verdict, Verdict) else tuple(verdict)
    bad = fed_back(found)
    said = [item for item in bad if item.kind.phase is Phase.PARSE] or bad
    correction = Correction(tuple(said), attempt, max_attempts, _document(verdict))
    worded = Worded("", 0)
    if said:
        named = STYLES.lookup(style)
        worded = named.word(correction) if template is None else fill(template, correction, named)
    shown = tuple(said[: worded.shown])
    return Feedback(worded.text, shown, len(bad) - len(shown))


def validation_feedback(verdict: Verdict, *, style: str = "default") -> str:
    """Return the feedback to send for a verdict; "" if the verdict is ok. For apps that run their own loop."""
    return build_feedback(verdict, style=style).text


def _document(verdict: Verdict | Iterable[Finding]) -> str:
    """Return the name of the document that the model must return."""
    if not isinstance(verdict, Verdict):
        return "JSON document"
    if verdict.format == "json" and isinstance(verdict.data, dict):
        return "JSON object"
    return {"json": "JSON document", "yaml": "YAML document"}.get(verdict.format, "Markdown document")

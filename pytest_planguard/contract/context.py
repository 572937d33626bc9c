"""What the model had before its eyes, for constraints that look at more than the answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CheckContext:
    """The texts that an answer may have been copied from. All empty: copies cannot be judged."""

    prompt_texts: tuple[str, ...] = ()
    """System and user turns of the request, the task included."""
    example_texts: tuple[str, ...] = ()
    """Worked examples: few-shot assistant turns, or documents that the prompt shows."""
    feedback_texts: tuple[str, ...] = ()
    """Feedback on earlier attempts of the same conversation."""
    answer_texts: tuple[str, ...] = ()
    """For each feedback text, what the model itself had said before it: feedback quotes that, and keeping one's own
    words copies nothing. Where one is missing, nothing was said."""

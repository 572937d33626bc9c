"""Check one answer. Thousands of good ones need the schema alone; everything else is checked in full."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...document.answer import bare_json, read
from ..verdict import Verdict

if TYPE_CHECKING:
    from ...document.answer import Document
    from ..constraints.scene import CheckContext
    from ..failure_kinds import FailureKind
    from .checker import Checker


def check_answer(
    checker: Checker,
    answer: object,
    finish: str | None,
    refusal: str | None,
    context: CheckContext | None,
    *,
    located: bool = True,
) -> Verdict:
    """Return the verdict on one answer: its text, or a value that was parsed already. Never raises for any answer.

    `located` is whether findings get places in the text; those of a value that was parsed already have none.
    """
    if finish is not None or refusal is not None:
        from .full_check import declined

        refused = declined(checker, answer, finish, refusal)
        if refused is not None:
            return refused
    if not isinstance(answer, (str, bytes)):
        from .full_check import check_value

        return check_value(checker, answer, finish, context)
    document = read(answer, format=checker.format, extract=checker.extract)
    return _check_text(checker, document, finish, context, located)


def _check_text(
    checker: Checker, document: Document, finish: str | None, context: CheckContext | None, located: bool
) -> Verdict:
    # YAML without a schema and Markdown may be words that only look like a document: the full check tells.
    sure = document.format == "json" or (document.format == "yaml" and checker.schema.json_schema() is not None)
    around = document.problems or document.notes or finish is not None
    plain = sure and not (around or checker.constraints or checker.rules)
    validated = checker.schema.validate(document.data, document.json_text) if plain else None
    if validated is not None and not validated[1]:
        return Verdict(checker.name, document.text, (), validated[0], document.data, document.format)
    from .full_check import full_check

    return full_check(checker, document, finish, context, located=located, validated=validated)


def failure_kind(checker: Checker, answer: object) -> FailureKind | None:
    """Return the kind that the verdict on an answer has, by the schema alone where nothing else can have a say."""
    kinds = _kinds_by_schema(checker, answer)
    if kinds is None or len(kinds) > 1:  # of several kinds that of the first finding in the text counts
        return check_answer(checker, answer, None, None, None).kind
    return next(iter(kinds), None)


def _kinds_by_schema(checker: Checker, answer: object) -> set[FailureKind] | None:
    """Return the kinds of what the schema says of a bare JSON answer; None where only a check in full can tell."""
    if checker.constraints or checker.rules or checker.format not in ("auto", "json"):
        return None
    bare = bare_json(answer) if isinstance(answer, (str, bytes)) else None
    if bare is None:
        return None
    kinds = {found.kind for found in checker.schema.validate(*bare)[1] if found.severity.bad}
    if kinds:
        from .wrapped_answers import may_be_diagnosed

        return None if may_be_diagnosed(bare[0]) else kinds
    return kinds

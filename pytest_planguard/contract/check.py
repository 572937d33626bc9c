"""Check one answer: its judged part and its document, then its schema, constraints and rules; locate the findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from ..document.answer import Document, read
from ..errors import UsageError, nearest, offer
from .failure_kinds import FailureKind
from .finding import Finding, any_bad
from .finding_places import in_order, with_positions
from .schema.schema import to_json_text
from .verdict import Verdict

if TYPE_CHECKING:
    from ..document.answer import Extract, Format
    from .constraints.constraint import ContentConstraint
    from .constraints.scene import CheckContext
    from .schema.schema import SchemaCheck

PartKind = Literal["text", "tool", "file"]


@dataclass(frozen=True, slots=True)
class JudgedPart:
    """One part of an answer, for `Contract(..., judged=…)`."""

    kind: Literal["tool", "file"]
    name: str
    """The name of the tool, or the path of the file."""
    argument: str | None = None
    """The one argument of the tool that holds the document; None to judge all arguments."""


def tool_arg(tool: str, argument: str | None = None) -> JudgedPart:
    """Judge the arguments of a tool call, or one argument: `tool_arg("write_file", "content")`.

    Args:
        tool: the tool's name.
        argument: the argument's name; by default all arguments are judged together.

    Raises:
        UsageError: a name is empty or not a string.
    """
    inner = None if argument is None else _filled("tool_arg", argument)
    return JudgedPart("tool", _filled("tool_arg", tool), inner)


def file(path: str) -> JudgedPart:
    """Judge a file that a command writes. The path is relative to the command's working directory.

    Raises:
        UsageError: the path is empty or not a string.
    """
    return JudgedPart("file", _filled("file", path))


def _filled(function: str, name: str) -> str:
    if isinstance(name, str) and name.strip():
        return name
    example = "'plan.md'" if function == "file" else "'write_file', 'content'"
    raise UsageError(f"{function} needs a name: got {name!r}; write {function}({example})")


DocumentRule = Callable[[Any, Document], Iterable[Finding]]
"""A rule about the whole document. It takes the plain data and the document (for positions), and returns findings."""
CUSTOM = "custom"
"""The type of constraint that runs a user's code."""
_COVERING = frozenset({"type", "missing", "schema_echo", "wrapped", "encoded"})
"""Codes of findings that prevent values below their path from being judged."""
_PLAIN_ENDS = (None, "", "stop", "tool_calls")
"""Finish reasons of answers that were neither refused nor cut off."""
MAX_REPLACED = 100
"""Maximum number of a validator's findings to keep when one finding replaces them."""


@dataclass(frozen=True, slots=True)
class Checker:
    """The parts of a contract that a check needs."""

    name: str
    schema: SchemaCheck
    constraints: Sequence[ContentConstraint]
    rules: Sequence[DocumentRule]
    format: Format
    extract: Extract

    def check(
        self, answer: object, finish: str | None, refusal: str | None, context: CheckContext | None, *, located: bool
    ) -> Verdict:
        """Return the verdict on one answer: its text, or an already parsed value. Never raises for any answer.

        If `located`, findings in a text get their places; a parsed value has none.
        """
        is_text = isinstance(answer, (str, bytes))
        text = answer if isinstance(answer, (str, bytes)) else to_json_text(answer)
        if refusal or finish not in _PLAIN_ENDS:
            from .document_findings import refusal_finding

            refused = refusal_finding(finish, refusal)
            if refused is not None:
                said = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
                return Verdict(self.name, said or "", (refused,))
        if text is None:
            message = "the value has no JSON form: it is circular or too deep"
            return Verdict(self.name, "", (Finding("invalid_json", (), message, FailureKind.INVALID_JSON),))
        document = read(text, format=self.format if is_text else "json", extract=self.extract)
        if context is not None and context.state:
            document = replace(document, state=context.state)
        found, document = self._parsed(document, finish)
        value = None
        # Don't judge an incomplete answer.
        half = document.data is None or any(item.code == "truncated" and item.severity.bad for item in found)
        if not (half and any_bad(found)):
            value, broken = self._shape(document)
            found += broken
            if self.constraints or self.rules:
                found += self._content(document, value, context, [item for item in broken if item.severity.bad])
        if not found:
            return Verdict(self.name, document.text, (), value, document.data, document.format)
        ok = not any_bad(found)
        if not ok and located and is_text:
            found = with_positions(found, document)
        found.sort(key=in_order)
        return Verdict(self.name, document.text, tuple(found), value if ok else None, document.data, document.format)

    def _parsed(self, document: Document, finish: str | None) -> tuple[list[Finding], Document]:
        """Return the findings about the document, and the document; its data is dropped if it is only prose."""
        if document.format == "json" and not (document.problems or document.notes) and finish in _PLAIN_ENDS:
            return [], document
        from .document_findings import parse_findings, stray_text

        found = parse_findings(document, finish)
        if self.format == "auto" and not any_bad(found):
            stray = stray_text(document, self.schema, self.constraints)
            if stray is not None:
                return [*found, stray], replace(document, data=None)
        return found, document

    def kind(self, answer: object) -> FailureKind | None:
        """Return the failure kind of an answer. Only the schema runs if nothing else can change the kind."""
        if isinstance(answer, (str, bytes)) and not (self.constraints or self.rules):
            document = read(answer, format=self.format, extract=self.extract)
            if document.json_text is not None and not document.notes:
                found = self.schema.validate(document.data, document.json_text)[1]
                # Warnings are left out: a default that was taken has a kind, but is no failure.
                kinds = {item.kind for item in found if item.severity.bad}
                if not kinds:
                    return None
                from .document_findings import may_be_diagnosed

                # If there are several kinds, the kind of the first finding in the text counts.
                if len(kinds) == 1 and not may_be_diagnosed(document.data):
                    return kinds.pop()
        return self.check(answer, None, None, None, located=True).kind

    def _shape(self, document: Document) -> tuple[object, list[Finding]]:
        """Return the validated value and the schema's findings. If one finding explains them all, return only that."""
        value, found = self.schema.validate(document.data, document.json_text)
        if any_bad(found):
            from .document_findings import diagnose

            whole = diagnose(self.schema, document.data)
            return None, found if whole is None else [replace(whole, replaces=tuple(found[:MAX_REPLACED]))]
        return value, found

    def _content(
        self, document: Document, value: object, context: CheckContext | None, broken: Sequence[Finding]
    ) -> list[Finding]:
        """Return the findings of constraints and rules, except at places that the schema already reports.

        A user's checks get the validated value as plain data. If the schema fails, they see only the valid parts. A
        check that reads an invalid part, or raises, ends there without further findings.
        """
        from .own_checks import CRASHED, guarded

        found, schema, seen = [], self.schema, None
        if self.rules or any(rule.constraint_type == CUSTOM for rule in self.constraints):
            sound = schema.sound(document.data, document.json_text, broken) if broken else None
            seen = sound if broken else schema.plain(value, document.data)
        data = schema.wrapped(document.data)
        as_written: Callable[[Iterable[Finding]], list[Finding]] = list if data is document.data else schema.as_written
        for rule in self.constraints:
            own = rule.constraint_type == CUSTOM
            says = rule.sound_findings if own and broken else rule.findings
            found += as_written(says(seen if own else data, context))
        for check in self.rules:
            items = as_written(_rule_findings(check, guarded(seen) if broken else seen, document))
            found += [item for item in items if not (broken and item.code == CRASHED)]
        spoken = {item.path for item in broken}
        covered = {item.path for item in broken if item.code in _COVERING}
        return [
            item
            for item in _without_repeats(found)
            # The root, (), is a parent of every other path.
            if item.path not in spoken and not any(item.path[:depth] in covered for depth in range(len(item.path)))
        ]


def _without_repeats(found: Iterable[Finding]) -> list[Finding]:
    """Report a missing field only once if two constraints need it, with the higher severity."""
    kept: dict[object, Finding] = {}
    for item in found:
        key = item.identity if item.code in ("missing", "type") else (item.identity, item.message, item.severity)
        known = kept.get(key)
        if known is None or item.severity.rank > known.severity.rank:
            kept[key] = item
    return list(kept.values())


def _rule_findings(rule: DocumentRule, data: object, document: Document) -> Iterator[Finding]:
    from .own_checks import asked, crash_finding

    try:
        for item in asked(lambda: rule(data, document), data):
            if not isinstance(item, Finding):
                raise TypeError(f"a rule returns findings; got {item!r:.80}: write Finding(code, path, message)")
            yield item
    except Exception as exc:  # a user's rule may raise anything; the other findings must not be lost
        yield crash_finding(f"the rule {getattr(rule, '__name__', type(rule).__name__)}", exc)


def refuse_unfit_rules(name: str, schema: object, check: SchemaCheck, rules: Iterable[DocumentRule]) -> None:
    """Refuse Markdown rules for a JSON schema, and rules on a field that the schema does not have.

    Raises:
        UsageError: a rule does not fit; the message says what to write.
    """
    from .schema.schema_fields import missing_field

    for rule in rules:
        at = getattr(rule, "at", None)
        if at is None and getattr(rule, "reads", None) != "markdown":
            continue
        try:
            fields = check.json_schema() or {}
        except UsageError:  # a type refers to an undefined name: the first check reports it
            return
        what = getattr(rule, "__name__", "a rule")
        if at is not None:
            lacking = missing_field(fields, at.steps, closed=not isinstance(schema, Mapping))
            if lacking is not None and lacking.closed:
                rest = offer(nearest(lacking.step, lacking.known), lacking.known, listed="Its fields")
                raise UsageError(f"{name} has no field {lacking.step!r}: got {what} at {at.text!r}{rest}")
        elif not _may_be_text(fields):
            texts = [key for key, field in fields.get("properties", {}).items() if field.get("type") == "string"]
            raise UsageError(
                f"{what} judges Markdown: got {name}, whose answers are JSON; name the field that holds the plan: "
                f'at="{texts[-1] if texts else "FIELD"}"'
            )


def _may_be_text(schema: Mapping[str, Any]) -> bool:
    return not schema or schema.get("type") == "string" or any(map(_may_be_text, schema.get("anyOf", ())))

"""Rules about words that a finished plan should not contain."""

import re
from collections.abc import Iterator
from itertools import dropwhile

from ...contract.failure_kinds import FailureKind
from ...contract.finding import Severity
from ...contract.phrasing import as_json
from ..model.index import PlanIndex
from ..model.plan import Plan, Prose
from ..reading.named_in_text import blanked
from .rule import Hit, Rules

RULES = Rules()

_QUOTED = re.compile(r"`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”|'[^'\n]*'(?!\w)")  # `TBD`, "TBD", “TBD”, 'TBD'
_CLARIFY = re.compile(r"\[NEEDS CLARIFICATION:?[^\]\n]*\]")  # "[NEEDS CLARIFICATION: which?]"
_TOPIC = re.compile(
    r"\b(?:no|any|all|zero|without|remaining|remove[sd]?|resolve[sd]?|scan(?:ned)?(?: for)?|free of)\b[^.;:\n]{0,40}$"
    r"|\b(?:keine?|aucune?|ning[uú]n|sin|sem|nenhum|geen|nessun|brak)\b[^.;:\n]{0,20}$|[无無没沒][^。；\n]{0,10}$"
    r"|\b(?:search|scan|grep|look)(?:ed|s|ing)?\b[^.;\n]{0,50}$",
    re.IGNORECASE,
)
"""Words before a placeholder that is only mentioned: "No TBD or TODO left", "Remaining [NEEDS CLARIFICATION] items"."""
_FILLS_IN = re.compile(r"(?:\A|\n|[:：|=–—]|[ \t]-)[ \t*_`(]*\Z")
"""The text before a placeholder that replaces a value, and is not just mentioned: "Purpose: TBD", "| TBD |"."""
_NAMED = re.compile(r"[ \t`*]*(?:items?|markers?|marks?|tags?)\b", re.IGNORECASE)
"""The word after a mark that is only mentioned: "[NEEDS CLARIFICATION] items are routed to …"."""
_ADVICE = re.compile(
    r"\b(?:use|using|mark(?:ed)?(?:[ \t]+(?:it|them|all|as|with|ambiguities))*)[ \t*(]*$", re.IGNORECASE
)
"""Advice in a template to the plan's author: "Mark it: Use [NEEDS CLARIFICATION: specific question]"."""
_RESULT = re.compile(
    r"\b(?:actual|after|measured?|measurements?|observed|outcome|results?|score)\b|实测|实际|結果|结果|実測",
    re.IGNORECASE,
)
"""The head of a column for results of the work: "Measured", "Actual (ms)". Before the work, they are not known."""
_RESIDUE = re.compile(
    r"\[(?:FEATURE NAME|###-feature-name|Brief Title|(?:PROJECT|ENTITY|COMPONENT|STORY|EPIC|SERVICE) NAME)\]"
    r"|(?:^|(?<=[:|*#]))[ \t]*(\[(?:FEATURE|DATE|Title)\])(?=[ \t*]*(?:$|\|))"  # not "deletion on [DATE]" of a dialog
    r"|\bTXXX\b|\bTKTK\b",
    re.MULTILINE,
)
_OPEN = re.compile(
    r"(?<![\w-])(?:(?P<always>TBD)(?![\w-])|(?P<first>TODO|FIXME)(?=[ \t]*:))|"  # "TBD" anywhere, "… TODO: name it"
    r"(?:^|(?<=\|)|(?<=:))[ \t*_]*(?P<lone>TODO|FIXME)(?![\w-])(?=[ \t*_.]*(?:$|\||\())",  # a separate text or cell
    re.MULTILINE,
)


@RULES.add(
    Severity.RETRY,
    "`- [ ] T003 [NEEDS CLARIFICATION: which database?]`",
    "Answer the question, or write the text.",
    kind=FailureKind.CONTENT,
    about="prose",
)
def no_placeholders(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """No template text and no `[NEEDS CLARIFICATION: …]` is left (retry), and no TBD, TODO or FIXME (warn).

    Text in code and quotes does not count, and TODO as a topic (“TODO comments”) is fine.
    """
    for prose in plan.prose:
        yield from _in(prose)


def _in(prose: Prose) -> Iterator[Hit]:
    text = blanked(_QUOTED, prose.text)
    for pattern, severity, message in (
        (_CLARIFY, None, "an unanswered question"),
        (_RESIDUE, None, "leftover template text"),
        (_OPEN, Severity.WARN, "a leftover placeholder"),
    ):
        for found in pattern.finditer(text):
            word = next(filter(None, found.groups()), found[0])
            start = found.start() + found[0].index(word)
            before = max(0, start - 60)
            mentioned = _NAMED.match(text, start + len(word)) or _TOPIC.search(text, before, start)
            if (
                (mentioned and ":" not in word)
                or (pattern is _CLARIFY and _ADVICE.search(text, before, start))
                or (pattern is _OPEN and _RESULT.search(_column(text, start)))
            ):
                continue
            is_struck = "~~" in text[before:start].rpartition("\n")[2]
            is_left = pattern is _RESIDUE or ":" in word or _FILLS_IN.search(text, before, start) is not None
            sure = is_left and not is_struck
            yield Hit(prose.at(start), f"{message}: {word[:60]}", None, as_json(word), severity=severity, sure=sure)


def _column(text: str, offset: int) -> str:
    """Return the head of the column at an offset; "" outside tables."""
    rows = [*dropwhile(lambda row: not row.lstrip().startswith("|"), text[:offset].split("\n"))]
    column = rows[-1].count("|") if len(rows) > 2 and set(rows[1]) <= set("|:- \t") else 0
    return rows[0].split("|")[column] if 0 < column <= rows[0].count("|") else ""

"""Rules about what is left to do: the progress of tasks, and words that a finished plan should not contain.

The words for a status are data of each format: in `plans/formats`, or as `STATUSES` in its profile.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator

from ...contract.failure_kinds import FailureKind
from ...contract.finding import Severity
from ...contract.phrasing import as_json, choices
from ..index import PlanIndex
from ..plan import Plan, Prose, Task, line_at
from ..reading.named_in_text import blanked
from ..status import Status
from .rule import Hit, Rules

RULES = Rules()


@RULES.add(
    Severity.RETRY,
    "`status: Done`, where the words are Pending, InProgress, Completed and Blocked.",
    "Use one of the words that the finding lists.",
    rests_on=("form",),
)
def status_enum(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """Every status is a word that the format knows; the usual spellings of each are accepted."""
    statuses = plan.traits.statuses
    for task in plan.tasks:
        if task.status is None and task.status_text is not None:
            actual = as_json(task.status_text)
            message = f"{task.id or as_json(task.title)} has the unknown status {actual}"
            near = (task.status_text, statuses)
            place = task.status_place or (task.place if plan.find is None else task.place.sub("status"))
            yield Hit(place, message, choices(statuses) if statuses else None, actual, near=near)
    if plan.status is None and plan.status_text is not None:
        actual = as_json(plan.status_text)
        near = (plan.status_text, statuses)
        message = f"the plan has the unknown status {actual}"
        yield Hit(plan.status_place, message, choices(statuses), actual, near=near, sure=False)  # the team's own word


@RULES.add(Severity.WARN, "Task 3 is done, and its subtask 3.2 is pending.", "Correct the status that is out of date.")
def status_consistent(plan: Plan, index: PlanIndex) -> Iterator[Hit]:
    """Finished work depends only on finished work.

    No done task needs an open one, no done parent has open subtasks, and no story is Done with open boxes. Some
    formats also allow only one task in progress.
    """
    yield from _done_before(index)
    yield from _done_with_open_children(index)
    yield from _document_done(plan, index)
    active = [task for task in plan.tasks if task.status is Status.ACTIVE] if plan.traits.one_active else []
    for task in active[1:]:
        related = (("the first one", active[0].place),)
        message = f"{len(active)} {plan.traits.noun}s are in progress at once"
        yield Hit(task.place, message, "at most one in progress", str(len(active)), None, related)


def _done_before(index: PlanIndex) -> Iterator[Hit]:
    settled = (None, Status.CANCELLED, Status.DONE)
    for task, edge, target in index.resolved:
        if task.status is not Status.DONE or target.status in settled:
            continue
        message = f"{task.name} is done, but {target.name}, which it needs, is not"
        related = ((f"{target.name} is here", target.place),)
        sure = index.in_own_words(task, edge)
        yield Hit(edge.place, message, "done", str(target.status), None, related, sure=sure)


def _done_with_open_children(index: PlanIndex) -> Iterator[Hit]:
    done: dict[str, list[Task]] = {}
    for task in index.plan.tasks:
        if (above := _parent(task, index)) is not None and above.status is Status.DONE:
            done.setdefault(above.key, []).append(task)
    left = [(index.by_key[key], open_) for key, children in done.items() if (open_ := [*filter(_is_open, children)])]
    is_habit = len(left) * 2 > len(done)  # the project ticks tasks but not their steps
    for parent, open_ in left:
        message = f"{parent.id or as_json(parent.title)} is done, but {len(open_)} of its subtasks {_are(open_)} not"
        related = tuple((f"{child.id or child.title} is open", child.place) for child in open_[:5])
        sure = _is_left(open_, index) and not is_habit
        yield Hit(parent.place, message, "every subtask done", None, None, related, sure=sure)


def _document_done(plan: Plan, index: PlanIndex) -> Iterator[Hit]:
    if plan.status is not Status.DONE:
        return
    open_ = [task for task in plan.tasks if _is_open(task)]
    if open_:
        expected = plan.traits.noun
        message = f"the plan is done, but {len(open_)} of its {expected}s {_are(open_)} not"
        related = tuple((f"{task.id or task.title} is open", task.place) for task in open_[:5])
        # a step of a done task is reported with that task, or is a habit
        own = [task for task in open_ if (parent := _parent(task, index)) is None or parent.status is not Status.DONE]
        sure = _is_left(own, index)
        yield Hit(plan.status_place, message, f"every {expected} done", None, None, related, sure=sure)


def _are(tasks: list[Task]) -> str:
    return "is" if len(tasks) == 1 else "are"


def _parent(task: Task, index: PlanIndex) -> Task | None:
    return None if task.parent is None else index.by_key.get(task.parent)


_DROPPED = re.compile(
    r"\b(?:deferred|skip(?:ped)?|skipp[ée]e?|cancell?ed|dropped|postponed|not applicable|n/a|obsolete|moved to|won't|"
    r"out of scope|optional|report[ée]e?|diferid[oa]|adiad[oa]|follow-?up|not needed|"
    r"(?:separate|later|future|next|another) (?:story|stories|task|epic|phase|sprint|pr|ticket|change|release))\b"
    r"|\(\W*(?:see |in |->)?(?:task|story|epic|phase|sprint) ?\d[\w.-]*\W*\)"
    r"|^\W*(?:rollback|roll back|fallback|contingency|if|in case|note|optional(?:ly)?)\b"
    r"|跳过|推迟|取消|延期|スキップ|~~",
    re.IGNORECASE,
)
"""Words that mark dropped work: "- [-] Write unit tests (deferred)", "(separate story)"."""


def _is_open(task: Task) -> bool:
    """Return True if the mark or the status of a task says that work remains."""
    return task.status is not None and task.status.open and not task.optional


def _is_left(tasks: list[Task], index: PlanIndex) -> bool:
    """Return True if some task is certainly unfinished: its box is open, and no text says it is dropped."""
    left = [task for task in tasks if task.status is Status.TODO]  # `[-]` may also mean dropped work
    return any(not any(_DROPPED.search(one.title) for one in _line_of(task, index)) for task in left)


def _line_of(task: Task, index: PlanIndex) -> list[Task]:
    """Return a task and its ancestors. Their number is limited, since parents may form a cycle in a broken plan."""
    line = [task]
    while len(line) < 10 and (parent := _parent(line[-1], index)) is not None:
        line.append(parent)
    return line


_QUOTED = re.compile(r"`[^`\n]*`|\"[^\"\n]*\"|“[^“”\n]*”|'[^'\n]*'(?!\w)")  # `TBD`, "TBD", “TBD”, 'TBD'
# "[NEEDS CLARIFICATION: which of [a] and b?"; not over the next one, so that each of many reads only its own text.
_CLARIFY = re.compile(r"\[NEEDS CLARIFICATION(?:(?!\[NEEDS )[^\]\n])*\]")
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
_TABLE = re.compile(r"^(?P<head>[ \t]*\|[^\n]*)\n[|: \t-]*$", re.MULTILINE)
"""The first two lines of a table: "| Step | Measured |", "|---|---|"."""
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
    in_results = _in_results(text)
    for pattern, severity, message in (
        (_CLARIFY, None, "an unanswered question"),
        (_RESIDUE, None, "leftover template text"),
        (_OPEN, Severity.WARN, "a leftover placeholder"),
    ):
        for found in pattern.finditer(text):
            word = next(filter(None, found.groups()), found[0])
            start = found.start() + found[0].index(word)
            before = max(0, start - 60)  # more than the patterns below need; the whole text for each hit is quadratic
            mentioned = _NAMED.match(text, start + len(word)) or _TOPIC.search(text, before, start)
            if (
                (mentioned and ":" not in word)
                or (pattern is _CLARIFY and _ADVICE.search(text, before, start))
                or (pattern is _OPEN and in_results(start))
            ):
                continue
            is_struck = "~~" in text[before:start].rpartition("\n")[2]
            is_left = pattern is _RESIDUE or ":" in word or _FILLS_IN.search(text, before, start) is not None
            sure = is_left and not is_struck
            yield Hit(prose.at(start), f"{message}: {word[:60]}", None, as_json(word), severity=severity, sure=sure)


def _in_results(text: str) -> Callable[[int], bool]:
    """Return a function that says if an offset is in a table's column for results."""
    table = _TABLE.search(text)
    if table is None:
        return lambda _: False
    are_results = [_RESULT.search(head) is not None for head in table["head"].split("|")]
    # All at once: a row may have thousands of cells.
    bars = [bar.start() for bar in re.finditer(r"\|", text)]

    def holds(offset: int) -> bool:
        number = bisect_left(bars, offset) - bisect_left(bars, offset - line_at(text, offset)[1])
        return offset > table.end() and 0 < number < len(are_results) and are_results[number]

    return holds

"""OpenSpec: a change's tasks.md (`## 1. Group`, `- [ ] 1.1 text`), its deltas, and current specs."""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace

from ...contract.finding import Severity
from ..plan import Defect, Place, Plan, Ref, Requirement, Traits
from ..reading.named_in_text import WAITS_FOR, files_in
from ..reading.outline import Block, Source
from ..reading.profile import Profile, signs
from ..reading.task_drafts import Collector, Draft, unboxed_tasks

_GROUP = re.compile(r"(?P<number>\d+)[.)][ \t]*")  # "2. " of "## 2. Setup"
_TASK = re.compile(
    r"(?:\*\*)?(?:Task[ \t]+(?=\d))?(?P<id>\d+[a-z]?(?:\.\d+)+[a-z]?|\d{1,3}(?=[.)][ \t])|T\d{3,}[a-z]?|"
    r"[A-Z]{1,4}-\d+(?=[ \t:：.)])|[A-Z]{1,2}\d+(?=[:：]))"
    r"(?:\*\*)?[ \t]*[.:：)]?(?:[ \t]+|$)"
)
"""The id of a task: "1.2", "T003", and a team's own ids: "T-4: Improve it"."""
_HEADED = re.compile(r"(?P<id>TASK-(?:[A-Z]+\d*-)?\d+)\b[ \t]*[:：.—–-]?[ \t]*", re.IGNORECASE)
"""A task as a heading with its boxes below: "#### TASK-M1-010: Login"."""
_NUMBERED = re.compile(r"(?:\*\*)?(?P<group>\d+)\.\d+(?:\.\d+)*(?:\*\*)?[.:)]?[ \t]+\S")  # "**1.2** Write it"
_NUMBER = r"\d+(?:\.\d+)+"  # "1.2"
_REST = re.compile(r".*", re.DOTALL)  # the ids may follow anywhere
_DEPENDS = re.compile(rf"\b(?:{WAITS_FOR}|after)[ \t]+(?=(?:tasks?[ \t]+)?\d+\.\d)", re.IGNORECASE)
"""The words before the dependencies of a task: "(depends on 1.2)", "after 1.1"."""

TRAITS = Traits(
    id_pattern=r"\d+[a-z]?(\.\d+)*[a-z]?|T\d{3,}[a-z]?|[A-Z]{1,4}-?\d+|TASK-[\w-]+", id_example="1.1", ids_optional=True
)


def read(source: Source) -> Plan:
    """Read a task list in numbered groups."""
    collector = Collector(source)
    defects: list[Defect] = []
    headed: Draft | None = None
    for block in collector.blocks:
        if block.kind == "heading" and (named := _HEADED.match(block.text)) is not None:
            headed = collector.matched(block, named)
        elif block.kind == "heading" and block.level > 1:
            headed = None if headed is None or block.level <= headed.level else headed
            found = _GROUP.match(block.text)
            title = block.text[found.end() :] if found else block.text
            collector.section(block, title, number=found["number"] if found else None)
        elif block.kind == "item" and (block.mark is not None or _has_number_of_group(collector, block)):
            _task(collector, block, defects, headed)
    if not any(block.mark is not None for block in collector.blocks):
        defects += [*_numbered_headings(collector), *unboxed_tasks(collector)]
    plan = collector.plan("openspec-tasks", TRAITS)
    return replace(plan, defects=(*defects, *plan.defects))


def _numbered_headings(collector: Collector) -> Iterator[Defect]:
    """Read "### 2.1 Add the signature" as a task, in a list without boxes. Yield one defect for all of them."""
    if collector.tasks:
        return
    for block in collector.blocks:
        found = _TASK.match(block.text) if block.kind == "heading" and block.level > 2 else None
        if found is not None and "." in found["id"] and not block.text.startswith("Task"):  # each gets its own
            collector.matched(block, found)
    if collector.tasks:
        first = collector.tasks[0]
        message = f"the {len(collector.tasks)} tasks are headings"
        yield Defect("task-form", message, first.place, f"- [ ] {first.id} {first.title}"[:80], is_habit=True)


def _has_number_of_group(collector: Collector, block: Block) -> bool:
    """Return True if an item without a box is a task, because its number belongs to its group."""
    found = _NUMBERED.match(block.text)
    number = collector.sections[-1].number if collector.sections else None
    return found is not None and block.owner < 0 and number is not None and found["group"] == number


def _task(collector: Collector, block: Block, defects: list[Defect], headed: Draft | None) -> None:
    """Read a box as a task. A box inside another box, or below a headed task, is a subtask."""
    draft = collector.matched(block, _TASK.match(block.text))
    above = collector.above(block) or headed
    draft.parent = above.key if above is not None else None
    if block.mark is None:
        message, seen = f"task {draft.id} has no checkbox", f"- {draft.title}"[:60]
        defects.append(Defect("task-form", message, draft.place, f"- [ ] {draft.id} …", seen))
    collector.waits(draft, block, _DEPENDS, _REST, _NUMBER)
    collector.files(draft, block, files_in(block.text))


_SECTION = re.compile(r"(ADDED|MODIFIED|REMOVED|RENAMED) Requirements[ \t]*", re.IGNORECASE)  # "ADDED Requirements"
# A heading has no blanks at its end, so a name runs to the end: no lazy name tries each of many blanks.
_REQUIREMENT = re.compile(r"Requirement:[ \t]*(?P<name>\S.*)", re.IGNORECASE)  # "Requirement: Renewal"
_LISTED = re.compile(r"`?#{3}[ \t]*Requirement:[ \t]*(?P<name>[^`\n]*[^` \t\n])[ \t]*`?", re.IGNORECASE)
"""A removed requirement as an item: "- `### Requirement: Renewal`"."""
_SIDE = re.compile(r"(?P<side>FROM|TO):[ \t]*`?#{3}[ \t]*Requirement:(?P<name>[^\n]*\S)", re.IGNORECASE)
"""One side of a rename: "- FROM: `### Requirement: Renewal`"."""
_METADATA = re.compile(r"\*\*[^*]+\*\*:")  # "**Reason**: no longer used", which is not a requirement
_SCENARIO = re.compile(r"(?:Scenario:[ \t]*)?(?P<name>.*)", re.IGNORECASE)  # "Scenario: It expires"
_SEVERITIES = {"req-scenario": Severity.RETRY}
DELTA = Traits(needs_tasks=False, validated=True, normative=True, scenario="scenario", severities=_SEVERITIES)
SPEC = replace(
    DELTA,
    needs_requirements=("requirement",),
    required=("Purpose", "Requirements"),
    severities={**_SEVERITIES, "required-sections": Severity.RETRY, "delta-orphan": Severity.RETRY},
)


def read_delta(source: Source) -> Plan:
    """Read the delta of a change: its sections, requirements, renames and contradictions."""
    collector = Collector(source)
    reader = _Reader(collector)
    for index, block in enumerate(collector.blocks):
        reader.take(index, block)
    plan = collector.plan("openspec-delta", DELTA)
    defects = (*plan.defects, *reader.defects(), *_conflicts(reader.entries, reader.renames))
    return replace(plan, requirements=tuple(reader.requirements), renames=tuple(reader.renames), defects=defects)


def read_spec(source: Source) -> Plan:
    """Read a current spec: purpose and requirements with their scenarios."""
    collector = Collector(source)
    requirements: list[Requirement] = []
    defects: list[Defect] = []
    inside = False
    for index, block in enumerate(collector.blocks):
        if block.kind != "heading":
            continue
        if block.level == 2:
            inside = block.text.strip().lower() == "requirements"
            if _SECTION.fullmatch(block.text):
                message = f"{block.text} is a section of a change, and this is a current spec"
                defects.append(Defect("delta-section", message, _place(block, block.text), "## Requirements"))
        elif block.level == 3 and (found := _REQUIREMENT.fullmatch(block.text)):
            requirements.append(_requirement(collector.blocks, index, found["name"]))
            if not inside:
                where = "outside ## Requirements, where OpenSpec does not read it"
                message = f"the requirement {found['name']!r} is {where}"
                defects.append(Defect("delta-orphan", message, requirements[-1].place, "## Requirements"))
    plan = collector.plan("openspec-spec", SPEC)
    return replace(plan, requirements=tuple(requirements), defects=(*plan.defects, *defects))


def _requirement(blocks: Sequence[Block], index: int, name: str, scope: str = "") -> Requirement:
    body, scenarios, headings = _body(blocks, index)
    return Requirement(name, "requirement", _place(blocks[index], name), scope, body, scenarios, headings)


def _place(block: Block, name: str) -> Place:
    at = block.text.find(name)
    return Place(("requirements", name), block.at(max(at, 0), max(at, 0) + len(name)))


def _body(blocks: Sequence[Block], index: int) -> tuple[str, int, tuple[str, ...]]:
    """Return a requirement's text up to its first heading, the number of non-empty scenarios, and all their names."""
    headings: list[str] = []
    words: list[tuple[str, bool]] = []
    scenarios, before, filled = 0, True, True
    for block in blocks[index + 1 :]:
        if block.kind == "heading":
            if block.level <= 3:
                break
            if block.level == 4:
                before, filled = False, False
                headings += [found["name"]] if (found := _SCENARIO.fullmatch(block.text)) else []
            before = False
        elif before and block.kind in ("item", "text"):
            words.append((block.text, block.kind == "item"))
        elif not filled:  # a heading "Scenario: …" with nothing below it is no scenario; one text counts
            scenarios, filled = scenarios + 1, True
    plain = [text for text, is_item in words if is_item or not _METADATA.match(text)]
    return "\n".join(plain or [text for text, _ in words]), scenarios, tuple(headings)


class _Reader:
    """Reads the blocks of a delta."""

    def __init__(self, collector: Collector) -> None:
        self._blocks = collector.blocks
        self._section: str | None = None
        self._present: dict[str, Place] = {}
        self._orphans: list[Defect] = []
        self._pending: Ref | None = None
        self._unpaired: list[Ref] = []
        self.entries: dict[str, dict[str, Ref]] = {"ADDED": {}, "MODIFIED": {}, "REMOVED": {}}
        """The first mention of each requirement by section and name."""
        self.renames: list[tuple[Ref, Ref]] = []
        self.requirements: list[Requirement] = []

    def take(self, index: int, block: Block) -> None:
        """Read one block."""
        if block.kind == "heading" and block.level == 2:
            found = _SECTION.fullmatch(block.text)
            self._section = found[1].upper() if found else None
            if found is not None:
                self._present.setdefault(found[1].upper(), Place(("sections", block.text), block.at()))
        elif block.kind == "heading" and block.level == 3 and (found := _REQUIREMENT.fullmatch(block.text)):
            self._heading(index, block, found["name"])
        elif block.kind == "item" and self._section == "REMOVED" and (found := _LISTED.fullmatch(block.text)):
            self.entries["REMOVED"].setdefault(found["name"], Ref(found["name"], _place(block, found["name"])))
        elif block.kind in ("item", "text") and self._section == "RENAMED":
            for side in _SIDE.finditer(block.text):
                name = side["name"].removesuffix("`").strip()
                self._side(side["side"].upper(), Ref(name, _place(block, name)))

    def _heading(self, index: int, block: Block, name: str) -> None:
        place = _place(block, name)
        if self._section is None:
            message = f"the requirement {name!r} is outside every delta section"
            self._orphans.append(Defect("delta-orphan", message, place, "a delta section"))
        elif self._section != "RENAMED":
            is_removed = self._section == "REMOVED"
            removed = Requirement(name, "requirement", place, "REMOVED")
            self.requirements += [removed if is_removed else _requirement(self._blocks, index, name, self._section)]
            self.entries[self._section].setdefault(name, Ref(name, place))

    def _side(self, side: str, entry: Ref) -> None:
        if side == "FROM":
            self._unpaired += [self._pending] if self._pending is not None else []
            self._pending = entry
        elif self._pending is not None:
            self.renames.append((self._pending, entry))
            self._pending = None
        else:
            self._unpaired.append(entry)

    def defects(self) -> Iterator[Defect]:
        """Yield the defects of the sections themselves."""
        yield from self._orphans
        for entry in [*self._unpaired, *([self._pending] if self._pending is not None else [])]:
            message = f"the rename of {entry.name!r} has only one side"
            yield Defect("delta-conflict", message, entry.place, "FROM and TO")
        if any(self.entries.values()) or self.renames:
            return
        for section, place in self._present.items():
            yield Defect("delta-section", f"{section} Requirements has no requirements", place, "### Requirement: …")
        if not self._present:
            yield Defect("delta-section", "the delta has no section of changes", expected="## ADDED Requirements")


def _conflicts(names: dict[str, dict[str, Ref]], renames: Sequence[tuple[Ref, Ref]]) -> Iterator[Defect]:
    """Yield requirements with contradictory statements in a delta."""
    for one, other in (("MODIFIED", "REMOVED"), ("MODIFIED", "ADDED"), ("ADDED", "REMOVED")):
        for name in sorted(names[one].keys() & names[other].keys()):
            yield _conflict(names[other][name], f"is under {one} and under {other}")
    for side, words in enumerate(("is renamed twice", "is the new name of two requirements")):
        seen: set[str] = set()
        for entry in [rename[side] for rename in renames]:
            if entry.name in seen:
                yield _conflict(entry, words)
            seen.add(entry.name)
    removed = {tuple(name.lower().split()) for name in names["REMOVED"]}
    for old, new in renames:
        yield from _against(names, removed, old, new)


def _against(
    names: dict[str, dict[str, Ref]], removed: Container[tuple[str, ...]], old: Ref, new: Ref
) -> Iterator[Defect]:
    """Yield the contradictions of a rename. `removed` has the words of each removed name, in lower case."""
    if old.name in names["MODIFIED"]:
        yield _conflict(names["MODIFIED"][old.name], f"is modified under its old name; it is now {new.name!r}")
    if new.name in names["ADDED"]:
        yield _conflict(new, "is added, but another requirement is renamed to it")
    if tuple(old.name.lower().split()) in removed:
        yield _conflict(old, "is renamed and removed")


def _conflict(entry: Ref, words: str) -> Defect:
    return Defect("delta-conflict", f"{entry.name!r} {words}", entry.place, "one of the two")


_SPEC_PLACE = r"(^|/)openspec/specs/.*spec\.md$"
_spec_signs = signs(
    (r"^## Purpose\b", 15),
    (r"^## Requirements\b", 10),
    (r"(?i)^### Requirement:", 30),
    (r"^#### Scenario:", 20),
    (r"(?i)^## (ADDED|MODIFIED|REMOVED|RENAMED) Requirements", -60),
)


def _spec_score(source: Source) -> int:
    """Return the score of the content. At a spec's own path, OpenSpec reads any file as one."""
    return _spec_signs(source) or int(source.path is not None and re.search(_SPEC_PLACE, source.path) is not None)


PROFILES = (
    Profile(
        "openspec-tasks",
        "openspec",
        "A change's tasks.md: boxes 1.1, 1.2 in groups `## 1.`.",
        signs(
            (r"^## \d+\. ", 20),
            (r"^- \[.\] \d+\.\d+ ", 25),
            (r"^- \[.\] ", 5),
            (r"\A\n- \[.\] ", 20),  # no text before the first box: the document is a list of boxes
            (r"^# Tasks\b", 20),
            (r"(?i)^#{2,4} Task \d", 5),  # not a form of OpenSpec; the path decides
        ),
        read,
        own_places=(r"(^|/)openspec/changes/.*tasks\.md$",),
    ),
    Profile(
        "openspec-delta",
        "openspec",
        "A change's spec.md: requirements that are added, modified, removed or renamed.",
        signs(
            (r"(?i)^## (ADDED|MODIFIED|REMOVED|RENAMED) Requirements", 70),
            (r"(?i)^### Requirement:", 20),
            (r"(?i)^#{1,2} (Requirement|(Spec )?Delta|Delta Spec)\b", 3),
        ),
        read_delta,
        own_places=(r"(^|/)openspec/changes/.*/specs/.*\.md$",),
    ),
    Profile(
        "openspec-spec",
        "openspec",
        "A current spec: a purpose and requirements with scenarios.",
        _spec_score,
        read_spec,
        own_places=(_SPEC_PLACE,),
    ),
)

"""spec-kit's spec.md, and the formats of it and of tasks.md."""

import re
from collections.abc import Sequence
from dataclasses import replace

from ..plan import Place, Plan, Requirement, Traits
from ..reading.outline import Block, Source
from ..reading.profile import Profile, signs
from ..reading.task_drafts import Collector, goal_of, said_by
from .spec_kit_tasks import read_tasks

_REQUIREMENT = re.compile(
    r"\*\*((?:FR|NFR|SC|RF|RNF|CE|CS)-\d+[a-z]?)(?:\*\*|:)|((?:FR|NFR|SC|RF|RNF|CE|CS)-\d+[a-z]?)(?=:)"
)
"""The id of a requirement: "**FR-001**: …", "**FR-001: …**", "FR-001: …"."""
_KINDS = {"RF": "FR", "RNF": "NFR", "CE": "SC", "CS": "SC"}
"""Prefixes of other languages, "RF-001" for example, with the English ones."""
# "**Acceptance Scenarios**:", "Escenarios"
_ACCEPTANCE = re.compile(
    r"Acceptance (?:Scenarios?|Criteria)|Scenarios?\b|Escenarios?\b|Cenários?\b|Criterios?\b", re.IGNORECASE
)
# "Given a session, When it ends, …"
_GIVEN = re.compile(r"\b(?:given\b.*\bwhen|dado\b.*\b(?:cuando|quando))\b", re.IGNORECASE | re.DOTALL)
# "User Story 1 - Login", "用户故事 1"
_USER_STORY = re.compile(
    r"(?:(?:User )?Story|Historia de Usuario|História de Usuário|User[ -]Story|用户故事|使用者故事)[ \t]*(\d+)\b",
    re.IGNORECASE,
)

SPEC = Traits(
    needs_tasks=False, required=("User Scenarios", "Requirements", "Success Criteria"), needs_requirements=("FR", "NFR")
)


def read_spec(source: Source) -> Plan:
    """Read spec.md: user stories, requirements, success criteria."""
    collector = Collector(source)
    requirements: list[Requirement] = []
    for index, block in enumerate(collector.blocks):
        if block.kind == "heading" and (story := _USER_STORY.match(block.text)) is not None:
            name, said = f"US{story[1]}", said_by(collector.blocks, index, story.end())
            place, scenarios = Place(("stories", name), block.at(0, story.end())), _scenarios(collector.blocks, index)
            requirements.append(Requirement(name, "story", place, text=said, scenarios=scenarios))
        elif block.kind == "item" and (found := _REQUIREMENT.match(block.text)) is not None:
            name = found[1] or found[2]
            start = found.start(1 if found[1] else 2)
            place = Place(("requirements", name), block.at(start, start + len(name)))
            prefix, words = name.partition("-")[0], block.text[found.end() :].strip(" :*")
            requirements.append(Requirement(name, _KINDS.get(prefix, prefix), place, text=words))
    goal = goal_of(collector.blocks, ("Input",), ("summary",))
    return replace(collector.plan("spec-kit-spec", SPEC, goal), requirements=tuple(requirements))


def _scenarios(blocks: Sequence[Block], index: int) -> int | None:
    """Return the number of scenarios below the heading of a story; None if its text is in another language."""
    level, count, marked, words = blocks[index].level, 0, False, ""
    for block in blocks[index + 1 :]:
        if block.kind == "heading" and block.level <= level:
            break
        words += block.text
        marked = marked or _ACCEPTANCE.search(block.text) is not None
        count += block.kind == "item" and marked
        count += block.kind == "text" and _GIVEN.search(block.text) is not None
    foreign = any(ord(character) > 0x2FF and character.isalpha() for character in words)
    return None if foreign and not count else count


PROFILES = (
    Profile(
        "spec-kit-tasks",
        "spec-kit",
        "tasks.md: checkbox items T001 with [P] and [US1], under phases.",
        signs(
            (r"^- \[.\] (\*\*)?\[?T\d{3,}[A-Za-z]?\b", 60),
            (r"^- \[.\] .*\[US\d+\]", 10),
            (r"^## Phase \d+", 10),
            (r"^# (Implementation )?Tasks:", 4),
            (r"^#{3,4} (- \[.\] )?\[?T\d{3,}\b", 40),
            (r"^- \[.\] \d+\.\d+ ", -15),  # numbered groups are OpenSpec's form, regardless of the path
        ),
        read_tasks,
        places=(r"(^|/)(?<!\.trae/)specs/[^/]+/tasks\.md$",),
        own_places=(r"(^|/)\.specify/(.*/)?tasks\.md$",),
    ),
    Profile(
        "spec-kit-spec",
        "spec-kit",
        "spec.md: user stories, FR and SC requirements.",
        signs(
            (r"^# Feature Specification:", 60),
            (r"^- \*\*FR-\d+\*\*", 30),
            (r"^### User Story \d+", 20),
            (r"^- \*\*SC-\d+\*\*", 10),
            (r"^\*\*Feature Branch\*\*", 10),
            (r"(?i)^### (Historia de Usuario|História de Usuário|用户故事|使用者故事) ?\d", 20),
            (r"^- \*\*RF-\d+\*\*", 30),
        ),
        read_spec,
        places=(r"(^|/)(?<!\.trae/)specs/[^/]+/spec\.md$",),
        own_places=(r"(^|/)\.specify/(.*/)?spec\.md$",),
    ),
)

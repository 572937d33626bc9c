"""The formats of OpenSpec."""

from __future__ import annotations

from ..profile import Profile, signs
from .specs import read_delta, read_proposal, read_spec
from .tasks import read, render

PROFILES = (
    Profile(
        "openspec-tasks",
        "openspec",
        "markdown",
        "A change's tasks.md: boxes 1.1, 1.2 in groups `## 1.`.",
        signs(
            (r"^## \d+\. ", 20),
            (r"^- \[.\] \d+\.\d+ ", 25),
            (r"^- \[.\] ", 5),
            (r"\A\n- \[.\] ", 20),  # nothing stands before the first box: the document is a list of boxes
            (r"^# Tasks\b", 20),
            (r"(?i)^#{2,4} Task \d", 5),  # no form of OpenSpec; the place decides
        ),
        read,
        render,
        places=(r"(^|/)openspec/changes/.*tasks\.md$",),
        own_places=(r"(^|/)openspec/changes/.*tasks\.md$",),
    ),
    Profile(
        "openspec-delta",
        "openspec",
        "markdown",
        "A change's spec.md: requirements that are added, modified, removed or renamed.",
        signs(
            (r"(?i)^## (ADDED|MODIFIED|REMOVED|RENAMED) Requirements", 70),
            (r"(?i)^### Requirement:", 20),
            (r"(?i)^#{1,2} (Requirement|(Spec )?Delta|Delta Spec)\b", 3),
        ),
        read_delta,
        places=(r"(^|/)openspec/changes/.*/specs/.*\.md$",),
        own_places=(r"(^|/)openspec/changes/.*/specs/.*\.md$",),
    ),
    Profile(
        "openspec-spec",
        "openspec",
        "markdown",
        "A spec that stands: a purpose and requirements with scenarios.",
        signs(
            (r"^## Purpose\b", 15),
            (r"^## Requirements\b", 10),
            (r"(?i)^### Requirement:", 30),
            (r"^#### Scenario:", 20),
            (r"(?i)^## (ADDED|MODIFIED|REMOVED|RENAMED) Requirements", -60),
        ),
        read_spec,
        places=(r"(^|/)openspec/specs/.*spec\.md$",),
        own_places=(r"(^|/)openspec/specs/.*spec\.md$",),
    ),
    Profile(
        "openspec-proposal",
        "openspec",
        "markdown",
        "A change's proposal.md: why, what changes, impact.",
        signs(
            (r"^## Why\b", 20),
            (r"^## What Changes\b", 25),
            (r"^## Impact\b", 10),
            (r"(?i)^# (Change:|(Change )?Proposal\b)", 10),
            (r"(?i)^## (Intent|Problem|Motivation|Proposed (Solution|Changes))\b", 3),
            (r"(?i)^## (Scope|Approach|Solution|Summary|What Changed)\b", 3),
        ),
        read_proposal,
        places=(r"(^|/)openspec/changes/.*proposal\.md$",),
        own_places=(r"(^|/)openspec/changes/.*proposal\.md$",),
    ),
)

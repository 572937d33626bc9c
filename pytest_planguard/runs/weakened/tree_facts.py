"""What is asked of the code of one tree, and what a process that imports it says: contracts, tests, settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Setting = bool | int | float | str | None | list[str]
"""A setting that can be compared."""
SPEC = "-c"
"""Begins the label of a contract that the command line names: "-c 1". Others have the label "TEST#NUMBER"."""


@dataclass(frozen=True, slots=True)
class Part:
    """One demand of a contract beside its schema."""

    kind: str
    """"constraint", "rule", "call", "compare" or "option"."""
    about: str
    """What is the same while the demand changes: "min_length at title"."""
    value: Setting = None
    """What it demands, in words or as a number."""
    severity: int = 0
    """How much it matters, as `Severity.rank`."""


@dataclass(frozen=True, slots=True)
class ContractFacts:
    """A contract as it can be compared with another version of itself."""

    name: str
    schema: dict[str, Any] | None = None
    """As JSON Schema."""
    tools: dict[str, dict[str, Any]] = field(default_factory=dict)
    """JSON Schemas of the arguments that its call rules demand, by tool."""
    parts: tuple[Part, ...] = ()
    code: dict[str, str] = field(default_factory=dict)
    """Files that it is made of, from the root of the tree, with a digest of what they say."""
    refused: tuple[str, ...] = ()
    """Recorded and generated answers that it refuses."""
    accepted: tuple[str, ...] = ()
    """Recorded answers that it accepts."""


@dataclass(frozen=True, slots=True)
class TestFacts:
    """A marked test."""

    __test__ = False
    contracts: tuple[str, ...] = ()
    """Labels."""
    settings: dict[str, Setting] = field(default_factory=dict)
    """What its markers say, defaults included."""
    held_back: tuple[str, ...] = ()
    """What may keep its failure from counting: "skip", "xfail", "skip() in its code"."""


@dataclass(frozen=True, slots=True)
class Held:
    """A contract of the base held against what stands in its place."""

    base: str
    candidate: str
    """Labels."""
    accepts: tuple[str, ...] = ()
    """What the base refuses, and the candidate accepts."""
    refuses: tuple[str, ...] = ()
    """Recorded answers that the base accepts, and the candidate refuses."""


@dataclass(frozen=True, slots=True)
class TreeFacts:
    """The code of one tree."""

    contracts: dict[str, ContractFacts] = field(default_factory=dict)
    tests: dict[str, TestFacts] = field(default_factory=dict)
    settings: dict[str, Setting] = field(default_factory=dict)
    """Of the whole session."""
    hooks: tuple[str, ...] = ()
    """Hooks of pytest that the project implements, and by which a result can be turned: "conftest.py: pytest_…"."""
    code: dict[str, str] = field(default_factory=dict)
    """Files of the project that pytest loads as plugins, such as conftest.py, with a digest of what they say."""
    held: tuple[Held, ...] = ()
    problems: tuple[str, ...] = ()
    """What could not be imported or collected: nothing is known about it."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a process is asked about a tree."""

    contracts: tuple[str, ...] = ()
    """As `--contract` names them."""
    answers: tuple[str, ...] = ()
    """Recorded answers of both trees."""
    base: TreeFacts | None = None
    """What the base has said, where this tree is the candidate."""
    paths: tuple[str, ...] = ()
    """Where to look for modules first: what leads to the project itself, in this tree."""
    elsewhere: str = ""
    """The folder of the other tree: a module that comes from there is none of this tree. "" for no such folder."""
    collect: bool = True
    """Whether the tests are collected."""

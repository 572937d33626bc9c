"""The facts about the code of one tree: the question to a process that imports it, and its answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Setting = bool | int | float | str | None | list[str]
"""A setting that can be compared."""
SPEC = "-c"
"""Prefix of the label of a contract from the command line: "-c 1". Others have the label "TEST#NUMBER"."""


@dataclass(frozen=True, slots=True)
class Part:
    """One demand of a contract, apart from its schema."""

    kind: str
    """"constraint", "rule", "call", "compare" or "option"."""
    about: str
    """The part that stays the same when the demand changes: "min_length at title"."""
    value: Setting = None
    """The demand, in words or as a number."""
    severity: int = 0
    """Its weight, as `Severity.rank`."""


@dataclass(frozen=True, slots=True)
class ContractFacts:
    """A contract in a form that can be compared with another version of it."""

    name: str
    schema: dict[str, Any] | None = None
    tools: dict[str, dict[str, Any]] = field(default_factory=dict)
    """JSON Schemas of the arguments that its call rules demand, by tool."""
    parts: tuple[Part, ...] = ()
    code: dict[str, str] = field(default_factory=dict)
    """Files of the contract, relative to the root of the tree, with a digest of their content."""
    refused: tuple[str, ...] = ()
    """Recorded and generated answers that it rejects."""
    accepted: tuple[str, ...] = ()
    """Recorded answers that it accepts."""


@dataclass(frozen=True, slots=True)
class TestFacts:
    """A marked test."""

    __test__ = False
    contracts: tuple[str, ...] = ()
    """Labels of contracts."""
    settings: dict[str, Setting] = field(default_factory=dict)
    """The settings of its markers, including defaults."""
    held_back: tuple[str, ...] = ()
    """Reasons why its failure may not count: "skip", "xfail", "skip() in its code"."""


@dataclass(frozen=True, slots=True)
class Held:
    """A contract of the base compared with its counterpart in the candidate."""

    base: str
    candidate: str
    """Label of the counterpart."""
    accepts: tuple[str, ...] = ()
    """Answers that the base refuses and the candidate accepts."""
    refuses: tuple[str, ...] = ()
    """Recorded answers that the base accepts and the candidate rejects."""


@dataclass(frozen=True, slots=True)
class TreeFacts:
    """The code of one tree."""

    contracts: dict[str, ContractFacts] = field(default_factory=dict)
    tests: dict[str, TestFacts] = field(default_factory=dict)
    settings: dict[str, Setting] = field(default_factory=dict)
    """Settings of the whole session."""
    hooks: tuple[str, ...] = ()
    """pytest hooks in the project that could change a result: "conftest.py: pytest_…"."""
    code: dict[str, str] = field(default_factory=dict)
    """Project files that pytest loads as plugins, such as conftest.py, with a digest of their content."""
    held: tuple[Held, ...] = ()
    problems: tuple[str, ...] = ()
    """Parts that could not be imported or collected, so that nothing is known about them."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a process about a tree."""

    contracts: tuple[str, ...] = ()
    """The contracts, as `--contract` names them."""
    answers: tuple[str, ...] = ()
    """Recorded answers of both trees."""
    base: TreeFacts | None = None
    """The facts of the base, if this tree is the candidate."""
    paths: tuple[str, ...] = ()
    """Paths to search for modules first: those that lead to the project itself, in this tree."""
    elsewhere: str = ""
    """The folder of the other tree, or "". A module from there doesn't belong to this tree."""
    collect: bool = True

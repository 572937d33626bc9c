"""A contract as facts that another process can compare: schema, rules, code, and its verdicts on answers."""

from __future__ import annotations

import ast
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from types import ModuleType

from ...contract import Contract
from ...contract.calls import CallRule
from ...contract.finding import Severity
from ...contract.strength.evidence import GoodAnswer, evidence_of
from ...contract.strength.measure import all_mutants
from ...runs.weakened.tree_facts import ContractFacts, Part
from .isolation import file_in

MOST_ANSWERS = 200
"""Recorded answers to check a contract on."""
SEEDS = 20
"""Good answers to make mutants from."""
MOST_MUTANTS = 400
MOST_MODULES = 200
"""Modules to search for the parts of a contract."""


def contract_facts(contract: Contract[object], answers: Sequence[str], tree: Path) -> ContractFacts:
    """Return the comparable facts of a contract. `answers` are recorded answers of any contract."""
    verdicts = [contract.check(answer, located=False) for answer in answers[:MOST_ANSWERS]]
    accepted = [verdict for verdict in verdicts if verdict.ok]
    refused = [verdict.text for verdict in verdicts if not verdict.ok]
    seeds = [GoodAnswer(str(number), verdict.data) for number, verdict in enumerate(accepted[:SEEDS])]
    return ContractFacts(
        contract.name,
        contract.json_schema,
        {tool: schema for rule in contract.calls for tool, schema in _arguments(rule)},
        tuple(_parts(contract)),
        {str(path.relative_to(tree)): code_digest(path) for path in _files(contract, tree)},
        (*refused, *_refused_mutants(contract, seeds)),
        tuple(verdict.text for verdict in accepted),
    )


def _refused_mutants(contract: Contract[object], seeds: Sequence[GoodAnswer]) -> Iterator[str]:
    made = (
        mutant.of(seeds[mutant.answer].data) for group in all_mutants(seeds, evidence_of(seeds)) for mutant in group
    )
    for data in islice(made, MOST_MUTANTS):
        text = json.dumps(data, ensure_ascii=False, default=str)
        if not contract.check(text, located=False).ok:
            yield text


def _arguments(rule: CallRule) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield each tool of a call rule with the schema that the rule demands for its arguments."""
    schema = getattr(getattr(rule, "args", None), "json_schema", None)
    if isinstance(schema, dict):
        yield str(getattr(rule, "tool", "")), schema


def _parts(contract: Contract[object]) -> Iterator[Part]:
    for rule in contract.constraints:
        about = f"{rule.constraint_type} at {rule.field or 'the whole answer'}"
        yield Part("constraint", about, _text(dict(rule.params)), Severity(rule.severity).rank)
    for number, check in enumerate(contract.rules):
        yield Part(
            "rule", str(getattr(check, "__qualname__", None) or getattr(check, "code", None) or _kind(check, number))
        )
    for call in contract.calls:
        yield Part("call", " ".join(map(str, (type(call).__name__, getattr(call, "tool", "")))).strip(), str(call))
    for field, how in (contract.compare or {}).items():
        yield Part("compare", field, repr(how))
    options = ("strict", "extract", "wrap_list", "format", "judged", "argument")
    yield from (Part("option", name, getattr(contract, name)) for name in options)


def _kind(check: object, number: int) -> str:
    return f"{type(check).__name__} {number + 1}"


def _text(value: object) -> str:
    return json.dumps(
        value,
        sort_keys=True,
        ensure_ascii=False,
        default=lambda one: sorted(map(str, one)) if isinstance(one, set | frozenset) else str(type(one)),
    )


def _files(contract: Contract[object], tree: Path) -> list[Path]:
    """Return the files of the tree that a contract needs: those of its schema and rules, and what these use."""
    made_of = [contract.schema, *contract.rules, *(getattr(call, "args", None) for call in contract.calls)]
    waiting = [module for thing in made_of for module in _modules([thing, getattr(thing, "func", None)])]
    found: dict[Path, None] = {}
    while waiting and len(found) < MOST_MODULES:
        module = waiting.pop()
        path = file_in(module, tree)
        if path is not None and path not in found:
            found[path] = None
            waiting += _modules(vars(module).values())
    return sorted(found)


def _modules(values: Iterable[object]) -> Iterator[ModuleType]:
    for value in [*values]:
        name = getattr(value, "__module__", None)
        module = value if isinstance(value, ModuleType) else sys.modules.get(name) if isinstance(name, str) else None
        if module is not None:
            yield module


def code_digest(path: Path) -> str:
    """Return a digest of the code in a file, which ignores comments, empty lines and layout."""
    try:
        content = path.read_bytes()
        said = ast.dump(ast.parse(content)).encode()
    except (OSError, SyntaxError, ValueError, RecursionError):
        said = path.read_bytes() if path.is_file() else b""
    return hashlib.sha256(said).hexdigest()[:16]

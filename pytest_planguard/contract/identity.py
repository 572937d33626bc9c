"""A contract's digest: equal in every process, different when what is demanded differs."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .contract import Contract


def digest_of(contract: Contract) -> str:
    """12 hex digits over the schema, the constraints, the rules' names and the options."""
    parts = {
        "schema": contract.json_schema or _name(contract.schema),
        "constraints": [
            [rule.field, rule.constraint_type, dict(rule.params), rule.severity] for rule in contract.constraints
        ],
        "rules": list(contract.rules),
        "options": [contract.format, contract.strict, contract.extract, contract.judged, contract.argument],
    }
    text = json.dumps(parts, sort_keys=True, default=_name)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _name(value: Any) -> Any:
    """A callable by its qualified name (its code differs between Python versions), a set sorted, a value by its type.

    Never `repr`: an address in it would differ between processes.
    """
    if isinstance(value, (set, frozenset)):
        return sorted(map(str, value))
    named = getattr(value, "func", value)  # a functools.partial is named by what it calls
    module = getattr(named, "__module__", type(value).__module__)
    return f"{module}.{getattr(named, '__qualname__', type(value).__qualname__)}"

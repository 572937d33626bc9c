"""What one validator says about one document."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

Path = tuple[Any, ...]


@dataclass
class Found:
    """The validator's own texts by the name of the rendering, and its errors where it gives them one by one."""

    texts: dict[str, str] = field(default_factory=dict)
    errors: list[tuple[str, str]] = field(default_factory=list)
    """Place as the validator spells it, and message."""

    def plain(self) -> dict[str, Any]:
        return {"texts": self.texts, "errors": self.errors}


Check = Callable[[dict[str, Any], Any], Found | None]
"""None where the document is accepted."""
CHECKS: dict[str, Check] = {}


def validator(name: str) -> Callable[[Check], Check]:
    """Register a check under the validator's name."""

    def keep(check: Check) -> Check:
        CHECKS[name] = check
        return check

    return keep


def leaves(errors: Any, path: Path = ()) -> Iterable[tuple[Path, str]]:
    """Path and message of a nested dict of messages, the shape of marshmallow, DRF and their like."""
    if isinstance(errors, dict):
        for key, inner in errors.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(errors, list) and any(isinstance(e, dict) for e in errors):
        for at, inner in enumerate(errors):
            yield from leaves(inner, (*path, at))
    elif isinstance(errors, list):
        for inner in errors:
            yield from leaves(inner, path)
    else:
        yield path, str(errors)


def dotted(path: Iterable[Any]) -> str:
    return ".".join(map(str, path))


def bracketed(path: Iterable[Any]) -> str:
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


def pointer(path: Iterable[Any]) -> str:
    return "".join(f"/{step}" for step in path)

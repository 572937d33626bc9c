"""Compare the cassettes of two trees: removals, changes by hand, and the schemas shown to the model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...contract.phrasing import plural
from ..compare.classification import good_samples
from ..compare.run_diff import Bucket
from ..gate.weakening import Weakening
from ..model.case_samples import each_of
from .schema_changes import SchemaChange, schema_changes

if TYPE_CHECKING:
    from ...replay.files.reader import Cassette
    from ..compare.run_diff import CaseDiff


def renamed_cases(cases: Sequence[CaseDiff], before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    """Return the new keys of renamed cases by their old ones. A case is renamed if its cassette moved unchanged.

    `before` and `after` have the id of each file's content by its path.
    """
    moved = {
        content: case.key
        for case in cases
        if case.bucket is Bucket.ADDED and (content := _content(case.candidate, after)) is not None
    }
    return {
        case.key: moved[content]
        for case in cases
        if case.bucket is Bucket.REMOVED and (content := _content(case.base, before)) in moved
    }


def _content(rows: Sequence[Any], contents: Mapping[str, str]) -> str | None:
    return contents.get(rows[0].cassette or "") if rows else None


def case_changes(cases: Sequence[CaseDiff], renamed: Mapping[str, str]) -> Iterator[Weakening]:
    """Yield the cases that are gone, and good ones that now have several samples, some of them bad."""
    for case in cases:
        if case.bucket is Bucket.REMOVED and case.key not in renamed:
            yield Weakening(case.key, "cassettes", "its cassette is gone")
        before, after = each_of(case.base), each_of(case.candidate)
        if len(after) > len(before) > 0 and not all(row.ok for row in after):
            was = f"{good_samples(after)}, and {len(before):,} of the base"
            yield Weakening(case.key, "cassettes", f"{plural(len(after), 'sample')} now: {was}")


def cassette_changes(before: Mapping[str, Cassette], after: Mapping[str, Cassette]) -> Iterator[Weakening]:
    """Yield the cassettes that were changed by hand. The keys of both mappings are common names."""
    for name, cassette in after.items():
        old = before.get(name)
        known = () if old is None else old.doubts
        for doubt in cassette.doubts:
            if doubt not in known:
                yield Weakening(name, "cassettes", doubt)
        if old is not None and old.document.mark is not None and cassette.document.mark is None:
            yield Weakening(name, "cassettes", "its end mark, which reveals changes by hand, is gone")


def shown_schemas(
    before: Mapping[str, Cassette], after: Mapping[str, Cassette]
) -> tuple[tuple[str, SchemaChange], ...]:
    """Return the changes in the schemas that requests showed the model: each tool's schema, and the answer's."""
    old, new = _schemas(before), _schemas(after)
    return tuple(
        (name, change) for name in sorted(old.keys() & new.keys()) for change in schema_changes(old[name], new[name])
    )


def _schemas(cassettes: Mapping[str, Cassette]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for cassette in cassettes.values():
        for exchange in cassette.exchanges:
            found |= {f"tool {name}": schema for name, schema in exchange.tools.items()}
            if exchange.output_schema is not None:
                found[f"answer {exchange.output_schema.get('title', '')}".strip()] = exchange.output_schema
    return found

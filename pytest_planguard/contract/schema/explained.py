"""The codes of pydantic and JSON Schema, explained by the family of findings that they become."""

from __future__ import annotations

import re

from ...registry import CATALOGUE, Explanation, Sort, explained
from ..failure_kinds import FailureKind
from .json_schema_errors import KEYWORD_KINDS
from .pydantic_messages import EXTRA_CODES, MISSING_CODES, words

_FAMILIES = (
    (
        "missing",
        "A required field, or the tag of a union, is not there",
        "`missing`, `union_tag_not_found`",
        "`required`",
        "Add the field.",
    ),
    (
        "extra",
        "A field is there that the schema does not know",
        "`extra_forbidden`, `unexpected_keyword_argument`",
        "`additionalProperties`, `unevaluatedProperties`",
        "Remove the field, or rename it to the one that the hint names.",
    ),
    (
        "type",
        "A value has another type",
        "`int_parsing`, `list_type`, `is_instance_of`",
        "`type`",
        "Give the value the type that the finding names.",
    ),
    (
        "enum",
        "A value is none of the listed ones",
        "`literal_error`, `enum`, `union_tag_invalid`",
        "`enum`, `const`",
        "Use a listed value.",
    ),
    (
        "range",
        "A number or a date is beyond its bounds",
        "`greater_than_equal`, `multiple_of`, `date_past`",
        "`minimum`, `exclusiveMaximum`, `multipleOf`",
        "Use a value within the bounds.",
    ),
    (
        "length",
        "A text, list or object is longer or shorter than allowed",
        "`too_short`, `string_too_long`",
        "`minLength`, `maxItems`, `minProperties`",
        "Add or remove what is too little or too much.",
    ),
    (
        "format",
        "A text lacks its form",
        "`string_pattern_mismatch`, `date_parsing`, `uuid_version`",
        "`pattern`, `format`",
        "Write the text in the form that the finding names.",
    ),
    (
        "rule",
        "A validator of the schema's own, or a keyword without a form of our own, says no",
        "`value_error`, `assertion_error`, `recursion_loop`",
        "`not`, `uniqueItems`, `contains`, `dependentRequired`",
        "Read the validator's own words in the message.",
    ),
)
_WHY = {
    "pydantic": "pydantic has over a hundred codes; a finding keeps its own as `validator_code` and takes our kind.",
    "JSON Schema": "Validators name the keyword that fails; a finding keeps it as `validator_code` and takes our kind.",
}
_NAME = re.compile(r"[a-z]+(?:_[a-z]+)+")
"""How pydantic spells a code ("date_past"); a word of one part, such as "missing", must be known."""


def _family_rows(validator: str) -> list[tuple[str, str, str, str, str]]:
    return [
        (
            f"{validator}: {kind}",
            f"{what}. Becomes a finding `{kind}`.",
            _WHY[validator],
            f"{pydantic if validator == 'pydantic' else schema}",
            fix,
        )
        for kind, what, pydantic, schema, fix in _FAMILIES
    ]


def _listed_codes() -> frozenset[str]:
    from pydantic_core import core_schema

    return frozenset(core_schema.ErrorType.__args__)  # type: ignore[attr-defined]  # a Literal


def pydantic_kind(code: str) -> FailureKind | None:
    """Return the kind that a code of pydantic becomes; None for a word that is no code of the installed pydantic."""
    if not _NAME.fullmatch(code) and code not in MISSING_CODES | {"enum"}:
        return None
    if code not in _listed_codes():
        return None
    if code in MISSING_CODES or code == "union_tag_not_found":
        return FailureKind.MISSING
    if code in EXTRA_CODES:
        return FailureKind.EXTRA
    return words(code, {})[0]


def _family(code: str) -> Explanation | None:
    """Return the family of a validator's code: pydantic's where both know it."""
    kind = pydantic_kind(code)
    if kind is not None:
        return _BY_NAME[f"pydantic: {kind.value}"]
    keyword = KEYWORD_KINDS.get(code)
    return None if keyword is None else _BY_NAME[f"JSON Schema: {keyword.value}"]


_ENTRIES = explained(Sort.FAMILY, [*_family_rows("pydantic"), *_family_rows("JSON Schema")])
_BY_NAME = {entry.name: entry for entry in _ENTRIES}
CATALOGUE.register(_ENTRIES, _family)

"""The page of plan rules, from the rules themselves: `python -m tests.plans.rules_page` writes it."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_planguard.plans.profiles.formats import PROFILES
from pytest_planguard.plans.rules.catalogue import RULES, explain, list_rules

from ..support.paths import ROOT

PAGE = ROOT / "docs" / "reference" / "plan-rules.md"
_INTRODUCTION = """\
# Plan rules

Every structural rule, with its default severity. A format may weigh a rule differently, and `severity={…}` and
`ignore=[…]` of `plan_rules` have the last word. `info` and `warn` pass; `retry` and `fail` do not, and `retry` goes
into the next request. This page is generated from the rules themselves.

A finding weighs so much where the reading that it rests on is sure. Where nobody named the format of a document, what
the rule rests on may be the project's own way of writing: the finding is then a remark (`info`), as each rule says.
Name the format to have all rules weigh in full.

Duplicate ids and references that lead nowhere are reported by their own rules and left out of the dependency graph, so
that they cause no further findings.
"""


def page() -> str:
    """A table of the rules, a section for each, and a table of the formats."""
    return "\n".join([_INTRODUCTION, *_table(), *_sections(), *_formats()]) + "\n"


def _table() -> Iterator[str]:
    yield from ("| rule | severity | checks |", "|---|---|---|")
    for line in list_rules().splitlines():  # "id-gap                info, off    Ids leave no number out."
        code, severity, checks = line[:22].rstrip(), line[22:35].rstrip(), line[35:]
        yield f"| [`{code}`](#{code}) | {severity} | {_cell(checks)} |"


def _sections() -> Iterator[str]:
    for rule in RULES:
        heading, _, what, _, *_ = explain(rule).splitlines()  # "dep-self (retry)", "", "No task waits for itself.", ""
        severity = heading.removeprefix(f"{rule.code} (").removesuffix(")")
        yield from ("", f"## {rule.code}", "", f"Default severity: {severity}.", "", what, "")
        yield from (f"Example: {rule.example}", "", f"Fix: {rule.mend}")


def _formats() -> Iterator[str]:
    yield from ("", "## Formats", "", "| format | family | document | written too |", "|---|---|---|---|")
    for profile in PROFILES:
        yield f"| `{profile.name}` | {profile.family} | {_cell(profile.about)} | {'yes' if profile.render else ''} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")

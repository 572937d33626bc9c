"""Plan files are hostile input: a finding or a clear verdict, in bounded time."""

from collections.abc import Callable

import pytest

from pytest_planguard.plans.judging.judge_files import check_text

from ..support.artifacts import validate_artifact
from ..support.cost import no_hang
from ..support.one_item import in_one_item

ALIASES = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
HOSTILE: dict[str, tuple[str, Callable[[], str | bytes]]] = {
    "40,000 headers": ("x.md", lambda: "### Task 1: A\n" * 40_000),
    "5,000 tasks": ("x.md", lambda: "- [ ] T001 x (depends on T002)\n" * 5_000),
    "10 MB of Markdown": ("x.md", lambda: "word " * 2_000_000),
    "1 MB of YAML": ("x.yaml", lambda: "a:\n" + "  - bbbbb\n" * 100_000),
    "one long line": ("x.md", lambda: "- [ ] T001 " + "Create:a.py" * 100_000),
    "one long path": ("x.md", lambda: "- [ ] T001 in " + "a.a/" * 200_000),
    "open brackets": ("x.md", lambda: "- [ ] T001 " + "[" * 200_000),
    "stars": ("x.md", lambda: "**Goal:" + "*" * 200_000),
    "a long range": ("x.md", lambda: "- [ ] T001 (depends on T000000001-T999999999)\n"),
    "deep nesting": ("x.json", lambda: "[" * 100_000),
    "deep mapping": ("x.yaml", lambda: "".join(f"{' ' * n}a:\n" for n in range(1_000))),
    "alias bomb": ("x.yaml", lambda: ALIASES),
    "self alias": ("x.yaml", lambda: "tasks: &a {b: *a}\n"),
    "NUL bytes": ("x.md", lambda: b"\x00" * 1000),
    "wrong encoding": ("x.yaml", lambda: "größe: 1".encode("latin-1")),
    "UTF-16": ("x.json", lambda: '{"tasks": []}'.encode("utf-16")),
    "a lone surrogate": ("x.json", lambda: '{"tasks": [{"id": 1, "title": "\\ud800", "status": "pending"}]}'),
    "huge numbers": ("x.json", lambda: '{"master": {"tasks": [{"id": ' + "9" * 5000 + ', "title": "x"}]}}'),
    "huge ids": ("x.md", lambda: f"- [ ] T{'1' * 50_000} a\n- [ ] T{'2' * 50_000} b\n"),
}


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_judged_in_bounded_time(name: str) -> None:
    """Whatever the file, there is a report, and no step is quadratic in its size."""
    path, make = HOSTILE[name]
    text = make()
    with no_hang():
        report = check_text(text, path=path, severity={"id-gap": "info", "id-order": "info"})
    assert report.plan is not None or report.findings
    assert len(report.findings) < 10_000


@pytest.mark.parametrize("name", [name for name, (path, _) in HOSTILE.items() if path == "x.yaml" and "MB" not in name])
def test_hostile_artifacts_are_invalid_in_bounded_time(name: str) -> None:
    """The same for the schemas, in strict mode, which asks for more."""
    text = HOSTILE[name][1]()
    with no_hang():
        assert not validate_artifact(text, "tasks", strict=True).valid

"""Which files `planguard check` reads, and what each of them is taken for."""

from pathlib import Path

import click
import pytest

from pytest_planguard.cli.inputs.sources import (
    ExistingPath,
    Source,
    SourceKind,
    are_lines,
    find_sources,
    fixed_part,
    hidden_plan_folders,
    kind_of,
)

from ...support.one_item import in_one_item

RECORDING = b"interactions:\n- request: {}\nversion: 1\n"


def write(folder: Path, *names: str) -> None:
    """Write a small recording under each name."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(RECORDING)


def test_a_folder_stands_for_its_recordings_in_order_of_their_names(tmp_path: Path) -> None:
    """Recordings, half-written ones too, and answers are read; hidden files, Markdown and code are not."""
    write(tmp_path, "b/two.yaml", "a/one.yml", "a/answers.jsonl", "c.yaml.part", "README.md", "app.py", ".git/x.yaml")
    found = [source.path.relative_to(tmp_path).as_posix() for source in find_sources([tmp_path])]
    assert found == ["a/answers.jsonl", "a/one.yml", "b/two.yaml", "c.yaml.part"]


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    """A file that is named and stands in a named folder is judged once, as a file that was named."""
    write(tmp_path, "one.yaml")
    assert find_sources([tmp_path / "one.yaml", tmp_path]) == (Source(tmp_path / "one.yaml", named=True),)


def test_a_pattern_names_the_files_that_fit_it(tmp_path: Path) -> None:
    """Some shells expand none; a file whose name looks like a pattern is itself."""
    write(tmp_path, "a/one.yaml", "b/c/two.yaml", "[a].yaml")
    found = [source.path.relative_to(tmp_path).as_posix() for source in find_sources([tmp_path / "**" / "*o*.yaml"])]
    assert found == ["a/one.yaml", "b/c/two.yaml"]
    assert find_sources([tmp_path / "[a].yaml"]) == (Source(tmp_path / "[a].yaml", named=True),)
    pattern = ExistingPath(patterns=True)
    assert pattern.convert(str(tmp_path / "a" / "*.yaml"), None, None) == tmp_path / "a" / "*.yaml"
    with pytest.raises(click.BadParameter, match="does not exist"):
        pattern.convert(str(tmp_path / "a" / "*.json"), None, None)


@in_one_item
@pytest.mark.parametrize(
    ("name", "content", "named", "with_contract", "kind"),
    [
        ("a.yaml", RECORDING, True, False, SourceKind.CASSETTE),
        ("a.yaml", RECORDING, False, True, SourceKind.CASSETTE),
        ("a.json", b'{"version": 1, "interactions": []}', True, True, SourceKind.CASSETTE),
        ("early.yaml", b"- request: {}\n  response: {}\n", False, True, SourceKind.CASSETTE),
        ("early.json", b'[{"request": {}, "response": {}}]', True, True, SourceKind.CASSETTE),
        ("a.json", b'{\n  "interactions": [\n', False, False, SourceKind.CASSETTE),
        ("a.json", b'{"title": "the word \\"interactions\\": is no key"}', True, True, SourceKind.DOCUMENT),
        ("a.json", b'{"title": "x"}', False, True, SourceKind.DOCUMENT),
        ("a.json", b'{"title": "x"}', False, False, SourceKind.OTHER),
        ("settings.yaml", b"a: 1\n", False, True, SourceKind.OTHER),
        ("plan.yaml", b"a: 1\n", True, True, SourceKind.DOCUMENT),
        ("plan.md", b"# Plan\n", True, True, SourceKind.DOCUMENT),
        ("empty.yaml", b"", False, False, SourceKind.CASSETTE),
        ("empty.yaml", b"  \n", True, False, SourceKind.CASSETTE),
        ("broken.yaml", b"a: [1\nb: }", False, True, SourceKind.CASSETTE),
        ("binary.yaml", b"\x00\xff\x00", False, False, SourceKind.CASSETTE),
        ("a.yaml.part", RECORDING, False, True, SourceKind.CASSETTE),
    ],
)
def test_what_a_file_is(name: str, content: bytes, named: bool, with_contract: bool, kind: SourceKind) -> None:
    """The key `interactions` makes a recording; what is broken goes to the reader, which says what is wrong."""
    assert kind_of(Source(Path(name), named), content, with_contract=with_contract) is kind


def test_a_line_of_blanks_is_searched_once() -> None:
    """A megabyte of blanks costs no more than reading it; a quadratic search would take hours."""
    assert (
        kind_of(Source(Path("a.json"), named=True), b" " * 1_000_000 + b"1", with_contract=True) is SourceKind.DOCUMENT
    )


def test_hidden_folders_of_planning_tools_are_found(tmp_path: Path) -> None:
    """Directly in a named folder, in the order of their names, and only if something in them would be read."""
    for home in (".claude", ".kiro", ".specify", ".planning", ".taskmaster", ".cursor", ".agent-os", ".other"):
        (tmp_path / home / "specs").mkdir(parents=True)
        (tmp_path / home / "specs" / "tasks.md").touch()
    (tmp_path / ".cursor" / "specs" / "tasks.md").rename(tmp_path / ".cursor" / "specs" / "notes.txt")
    (tmp_path / "sub" / ".kiro").mkdir(parents=True)
    (tmp_path / "sub" / ".kiro" / "tasks.md").touch()
    file = tmp_path / "plan.md"
    file.touch()
    found = hidden_plan_folders([file, tmp_path], (".md",))
    homes = [".kiro", ".specify", ".planning", ".taskmaster", ".claude", ".agent-os"]
    assert [home.relative_to(tmp_path).as_posix() for home in found] == homes


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b'{"a": 1}\n{"b": 2}\n', True),
        (b'\n{"a": 1}\n \n[2]\n"c"', True),
        (b'{"a": 1}\n', False),
        (b"", False),
        (b'{"a": 1}\n3\n', False),
        (b'{"a": 1}\ntrue\n', False),
        (b'{"a": 1}\n{"b": \n', False),
        (b'{"a": 1}\r{"b": 2}', False),
        (b"[" * 100_000 + b"\n[]", False),
    ],
    ids=["objects", "blank lines", "one", "none", "number", "word", "broken", "carriage return", "deep"],
)
def test_standard_input_may_have_lines(content: bytes, lines: bool) -> None:
    """Several objects, lists or strings, each on a line of its own."""
    assert are_lines(content) is lines


@pytest.mark.parametrize(
    ("pattern", "fixed"),
    [("logs/**/*.jsonl", "logs"), ("a/b/[c]/d", "a/b"), ("*.jsonl", "."), ("a/b.jsonl", "a/b.jsonl"), ("a/?", "a")],
)
def test_the_fixed_part_of_a_pattern(pattern: str, fixed: str) -> None:
    """A link in that folder may not lead out of it."""
    assert fixed_part(Path(pattern)) == Path(fixed)

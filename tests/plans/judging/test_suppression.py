"""Comments with a reason switch findings off, and settings for some paths weigh rules otherwise."""

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.plans.judging.policy import policy_of

from ...support.one_item import in_one_item
from ...support.plans import text_of

TASKS = text_of("spec-kit-tasks")[1].replace("] T002 [P]", "] T001 [P]")
LINE = "- [ ] T001 [P] Configure"


def codes(text: str, words: tuple[str, ...] = (), path: str = "specs/004/tasks.md") -> list[tuple[str, int, str]]:
    """Code, line and severity of every finding."""
    report = policy_of(words).judge({path: text})[path]
    return [(one.code, one.span.line if one.span else 0, one.severity.value) for one in report.findings]


@pytest.mark.parametrize(
    ("comment", "line"),
    [
        ("<!-- planguard-disable-next-line id-unique -- numbered by the old tool -->\n", LINE),
        ("<!-- planguard-disable-next-line id-gap, id-unique -- kept -->\n", LINE),
        ("", f"{LINE.replace('Configure', '')}<!-- planguard-disable-line id-unique -- kept --> Configure"),
        ("<!-- planguard-disable-file id-unique -- kept -->\n", LINE),
    ],
)
def test_a_comment_with_a_reason_switches_a_rule_off(comment: str, line: str) -> None:
    """For the next line, its own line, or the file."""
    assert codes(TASKS) == [("id-unique", 10, "retry")]
    assert codes(TASKS.replace(LINE, comment + line)) == []


@pytest.mark.parametrize(
    "comment",
    [
        "<!-- planguard-disable-next-line id-unique -->",
        "<!-- planguard-disable-next-line id-uniqe -- kept -->",
        "<!-- planguard-disable-next-line -- kept -->",
        "<!-- planguard-disable-next-line -- kept: numbered by the old tool! -->",
        "<!-- planguard-disable-next-line  --kept. -->",
    ],
)
def test_a_comment_without_a_reason_or_a_rule_is_a_finding(comment: str) -> None:
    """It switches nothing off."""
    found = codes(TASKS.replace(LINE, f"{comment}\n{LINE}"))
    assert found == [("id-unique", 11, "retry"), ("suppression", 10, "retry")]


def test_another_line_and_another_rule_stay() -> None:
    """A comment is about its rule and its line alone."""
    comment = "<!-- planguard-disable-next-line id-unique -- kept -->\n"
    assert codes(comment + TASKS) == [("id-unique", 11, "retry")]
    other = comment.replace("id-unique", "id-gap")
    assert codes(TASKS.replace(LINE, other + LINE)) == [("id-unique", 11, "retry")]


def test_comments_in_yaml() -> None:
    """As in YAML: after the value, or in the line above."""
    comment = "# planguard-disable-line count-matches -- one to come"
    text = text_of("autospec-tasks")[1].replace("total_tasks: 4", f"total_tasks: 5  {comment}")
    assert codes(text, path="tasks.yaml") == codes(text_of("autospec-tasks")[1], path="tasks.yaml")


@in_one_item
@pytest.mark.parametrize("start", ["", "\n\n", "```yaml\n"])
@pytest.mark.parametrize(
    ("written", "works"),
    [("5 {comment}", True), ('"5 {comment}"', False), ("'5 {comment}'", False), ("5\n  note: >\n    {comment}", False)],
)
def test_a_comment_in_a_string_of_yaml_is_none(start: str, written: str, *, works: bool) -> None:
    """Wherever the document begins in the file."""
    comment = "# planguard-disable-file count-matches -- one to come"
    text = text_of("autospec-tasks")[1].replace("total_tasks: 4", f"total_tasks: {written}")
    found = codes(start + text.replace("{comment}", comment), path="tasks.yaml")
    before = codes(start + text.replace("{comment}", ""), path="tasks.yaml")
    assert "count-matches" in [code for code, _, _ in before] or '"' in written or "'" in written
    assert found == ([one for one in before if one[0] != "count-matches"] if works else before)


@pytest.mark.parametrize(
    ("words", "path", "severity"),
    [
        (("specs/*:id-unique=warn",), "specs/004/tasks.md", ["warn"]),
        (("legacy/*:id-unique=warn",), "specs/004/tasks.md", ["retry"]),
        (("specs/*:id-unique=off",), "specs/004/tasks.md", []),
        (("specs/*:id-unique=off", "*/004/*:id-unique=fail"), "specs/004/tasks.md", ["fail"]),
    ],
)
def test_rules_are_weighed_by_path(words: tuple[str, ...], path: str, severity: list[str]) -> None:
    """The last setting that fits counts."""
    assert [level for _, _, level in codes(TASKS, words, path)] == severity


def test_wrong_words_for_paths_are_answered() -> None:
    """An unknown rule, a missing level."""
    for words, message in (
        (["specs/*:id-uniqe=off"], "unknown plan rule 'id-uniqe'"),
        (["specs/*:id-unique"], "specs/*:id-unique: expected GLOB:CODE=LEVEL, for example legacy/*:id-unique=warn"),
    ):
        with pytest.raises(UsageError) as error:
            policy_of(words)
        assert str(error.value).startswith(message)
    assert policy_of(["a:id-gap=off"]).digest != policy_of(["b:id-gap=off"]).digest


COMMENT = "<!-- planguard-disable-file id-unique -- kept -->"


@pytest.mark.parametrize(
    "shown",
    [
        f"Write `{COMMENT}` at the top.",
        f"Write `` `{COMMENT}` ``.",
        f"Write `a {COMMENT}\nb`.",
        f"```markdown\n{COMMENT}\n```",
        f"- An item:\n\n  ~~~\n  {COMMENT}\n  ~~~",
        f"    {COMMENT}",
        f"Write \\{COMMENT}",
        "# planguard-disable-file id-unique -- a heading, no comment",
        "```yaml\n# planguard-disable-file id-unique -- kept\n```",
    ],
)
def test_a_comment_that_is_only_shown_has_no_effect(shown: str) -> None:
    """In inline code, in a fence, in an indented block, and after a backslash."""
    assert codes(f"{TASKS}\n## Notes\n\n{shown}\n") == [("id-unique", 10, "retry")]


@pytest.mark.parametrize(
    "text",
    [
        f"{TASKS}\n## Notes\n\nSee `T001`. {COMMENT} And `T001`.\n",
        f"{TASKS}\n## Notes\n\nSee <!-- one ` alone --> {COMMENT} and `it.\n",
        f"{TASKS}\n- [ ] T004 Write `a`\n  {COMMENT}\n",
        f"{TASKS}\n```\na\n```\n{COMMENT}\n```\nb\n```\n".replace("-- kept", "-- as in `old.md`"),
        f"---\n# planguard-disable-file id-unique -- kept\ntitle: x\n---\n\n{TASKS}",
        f"{TASKS}\n{COMMENT}\n".replace("\n", "\r\n"),
    ],
)
def test_a_comment_beside_code_has_its_effect(text: str) -> None:
    """Between code in a paragraph, in an item, between fences, with code in its reason, in front matter, with CRLF."""
    assert "id-unique" not in [code for code, _, _ in codes(text)]


def test_a_comment_after_many_pieces_keeps_its_line() -> None:
    """A long document is parsed in pieces; lines count from the start."""
    long = "".join(f"Paragraph {number} with `code` and some more words.\n\n" for number in range(2_000))
    comment = "<!-- planguard-disable-next-line id-uniqe -- kept -->"
    text = f"{TASKS}\n## Notes\n\n{long}{comment}\n"
    assert codes(text)[-1] == ("suppression", text.count("\n"), "retry")


@pytest.mark.parametrize(
    "value", ['"a # planguard-disable-file count-matches -- x"', "|\n  # planguard-disable-file count-matches -- x"]
)
def test_a_string_in_yaml_is_no_comment(value: str) -> None:
    """In quotes and in a block."""
    text = text_of("autospec-tasks")[1].replace("total_tasks: 4", "total_tasks: 5") + f"note: {value}\n"
    assert "count-matches" in [code for code, _, _ in codes(text, path="tasks.yaml")]
    comment = "# planguard-disable-file count-matches -- one to come\n"
    assert "count-matches" not in [code for code, _, _ in codes(text + comment, path="tasks.yaml")]

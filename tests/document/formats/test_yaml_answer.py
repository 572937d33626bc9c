"""YAML and Markdown in answers, and how "auto" tells the formats apart."""

import pytest

from pytest_planguard.document.answer import read

from ...support.one_item import in_one_item


@in_one_item
@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("a: 1\n", []),
        ("---\na: 1\n...\n", []),
        ("{a: 1}", []),
        ("```yaml\na: 1\n```", ["fence"]),
        ("Sure!\n\n```yml\na: 1\n```\nBye.", ["prose", "fence", "prose"]),
        ("<think>b: 2</think>\na: 1", ["thinking"]),
        ('```json\n{"a": 1}\n```', ["fence"]),
        ("```\na: 1\n```", ["fence"]),
        ("```python\nx = 1\n```\n\n```yaml\na: 1\n```", ["prose", "fence"]),
        ("Here is the plan:\n\na: 1", ["prose"]),
        ("Here you go\n\na: 1", ["prose"]),
        ("a: 1\n\nLet me know if you need more.", ["prose"]),
        ("a: 1\r\n\r\nLet me know, I can help.", ["prose"]),
    ],
)
def test_yaml_is_taken_out(text, notes):
    """A YAML document is found bare, fenced and in prose; what stood around it is noted, or forbidden."""
    document = read(text, format="yaml")
    assert (document.data, document.problems, document.format) == ({"a": 1}, (), "yaml")
    assert [n.code for n in document.notes] == notes
    whole = read(text, format="yaml", extract="whole")
    assert [p.code for p in whole.problems] == notes
    assert document.locate(("a",)) is not None


@in_one_item
@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("", "empty", "None"),
        ("Just prose.", "prose", "1:1"),
        ("prose", "prose", "1:1"),
        ("# only a comment", "prose", "1:1"),
        ("```yaml\n# nothing\n```", "prose", "1:1"),
        ("I'm sorry, I can't help with that.", "refusal", "1:1"),
        ("a: 1\na: 2", "duplicate_key", "2:1"),
        ("a: 1\n---\nb: 2", "multiple", "2:1"),
        ("```yaml\na: 1\n```\n```yaml\na: 2\n```", "multiple", "4:1"),
        ("```yaml\na: 1\nb:", "truncated", "3:3"),
        ("a: 1\nsumm", "truncated", "2:5"),
        ("a: 1\n\nsumm", "truncated", "3:5"),
        ("a: 1\nmore words here", "invalid_yaml", "2:16"),
        ("a: b: c", "invalid_yaml", "1:5"),
        ("Text:\n\n```yaml\na: [1\n```", "invalid_yaml", "5:1"),
    ],
)
def test_yaml_problems(text, code, place):
    """Each way of being no sound YAML document has a code and a place in the whole answer."""
    document = read(text, format="yaml")
    assert [(p.code, str(p.span)) for p in document.problems] == [(code, place)]


def test_the_other_place_is_named():
    """Equal keys and several documents name where the first one stands."""
    assert [(w, str(s)) for w, s in read("a: 1\na: 2").problems[0].related] == [("the first of the equal keys", "1:1")]
    assert [(w, str(s)) for w, s in read("x: 1\n---\ny: 2\n").problems[0].related] == [("the first document", "1:1")]


def test_fences_in_block_scalars_belong_to_the_document():
    """A YAML value may contain a fenced block."""
    text = "a: |\n  ```yaml\n  b: 2\n  ```\n"
    assert read(text, format="yaml").data == {"a": "```yaml\nb: 2\n```\n"}


def test_indentation_and_the_last_line_end_are_kept():
    """Nothing of a YAML document is trimmed: an indented first line and the end of a block scalar have meaning."""
    assert read("\n  a: |\n    x\n  b: |+\n    y\n\n", format="yaml").data == {"a": "x\n", "b": "y\n\n"}


AUTO = [
    ('{"a": 1}', "json", {"a": 1}),
    ('Text {"a": 1} text.', "json", {"a": 1}),
    ("a: 1", "yaml", {"a": 1}),
    ("title: Hello there, all of you.", "yaml", {"title": "Hello there, all of you."}),
    ("- a\n- b", "yaml", ["a", "b"]),
    ("Tasks:\n  - id: 1\n", "yaml", {"Tasks": [{"id": 1}]}),
    ("# plan\ntasks:\n  - id: 1\n", "yaml", {"tasks": [{"id": 1}]}),
    ("# plan\n- id: 1\n- id: 2\n", "yaml", [{"id": 1}, {"id": 2}]),
    ("```yaml\nA: x\n```", "yaml", {"A": "x"}),
    ("Here:\n```\na: 1\n```", "yaml", {"a": 1}),
    ("# Plan\n\n- one\n- two", "markdown", "# Plan\n\n- one\n- two"),
    ("## Plan\n\nText.", "markdown", "## Plan\n\nText."),
    ("Steps are:\n1. One\n2. Two", "markdown", "Steps are:\n1. One\n2. Two"),
    ("Table:\n\n| a | b |\n|---|---|\n| 1 | 2 |", "markdown", "Table:\n\n| a | b |\n|---|---|\n| 1 | 2 |"),
    ("Sure:\n```markdown\n# T\n```py\nx\n```\nmore\n```", "markdown", "# T\n```py\nx\n```\nmore"),
]


@in_one_item
@pytest.mark.parametrize(("text", "format_name", "data"), AUTO)
def test_auto_decides_by_content(text, format_name, data):
    """JSON before YAML before Markdown, each only where the content shows it."""
    document = read(text)
    assert (document.format, document.data, document.problems) == (format_name, data, ())


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Note: this is prose.", "prose"),
        ("Note: this.\nWarning: that.", "prose"),
        ("Just: a: b", "prose"),
        ("note: a: b", "prose"),
        ("I need more. Could you please share:\n1. The region?\n2. The size?", "ask_back"),
        ("[Link](x) to it", "prose"),
        ("plan:\n  - id: 1\n    needs: [", "truncated"),
        ("plan:\n  - id: 1\n bad: x", "invalid_yaml"),
        ("x", "prose"),
        ("```yaml\n```", "prose"),
    ],
)
def test_auto_takes_prose_for_prose(text, code):
    """A colon makes no YAML, a list of questions no Markdown; what is nested and broken is broken YAML."""
    assert [p.code for p in read(text).problems] == [code]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (" \n", "empty"),
        ("I can't help with that.", "refusal"),
        ("Which one?", "ask_back"),
        ("```markdown\n# T\n", "truncated"),
        ("<think># T", "truncated"),
    ],
)
def test_markdown_problems(text, code):
    """Markdown without structure may be a refusal or a question; a fence around all of it must be closed."""
    assert [p.code for p in read(text, format="markdown").problems] == [code]


def test_markdown_is_its_text():
    """The data of a Markdown document is its text, wrapper taken off; only the whole has a place."""
    document = read("<think>x</think>\nPlain words.\n", format="markdown")
    assert (document.data, [n.code for n in document.notes]) == ("Plain words.", ["thinking"])
    assert str(document.locate(())) == "2:1"
    assert document.locate(("a",)) is None

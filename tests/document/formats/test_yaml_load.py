"""YAML to plain data: the YAML 1.2 core schema, bounds, and every fault by name."""

import sys

import pytest
from hypothesis import given

from pytest_planguard.document.formats.yaml_events import YamlFailure
from pytest_planguard.document.formats.yaml_load import load_yaml
from pytest_planguard.document.path_pattern import walk
from pytest_planguard.document.positions import LineIndex

from ...support.json_values import JSON_VALUES


@pytest.fixture(params=["libyaml", "python"])
def _parser(request, monkeypatch):
    """Both parsers of PyYAML: with and without libyaml."""
    import yaml

    if request.param == "python":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)


@pytest.mark.usefixtures("_parser")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[no, yes, on, off, y, n]", ["no", "yes", "on", "off", "y", "n"]),
        ("[true, True, FALSE, ~, null, ]", [True, True, False, None, None]),
        ("[012, 0o14, 0x1F, +1, -2]", [12, 12, 31, 1, -2]),
        ("[1:30, 1_000, 2026-01-01, 0b1, =]", ["1:30", "1_000", "2026-01-01", "0b1", "="]),
        ("[1e3, .5, -1., +1.5E-2, .]", [1000.0, 0.5, -1.0, 0.015, "."]),
        ("['1', \"true\", 'it''s']", ["1", "true", "it's"]),
        ("a:\nb: ''", {"a": None, "b": ""}),
        ("1: a\ntrue: b\n~: c\n'': d", {"1": "a", "true": "b", "~": "c", "": "d"}),
        ("a: |\n  x\n  y\nb: >-\n  x\n  y\n", {"a": "x\ny\n", "b": "x y"}),
        ("&k a: 1\nb: {*k : 2}", {"a": 1, "b": {"a": 2}}),
        ("a: &x [1]\nb: *x", {"a": [1], "b": [1]}),
        ("base: &b {x: 1, y: 2}\nc: {<<: *b, y: 3}", {"base": {"x": 1, "y": 2}, "c": {"x": 1, "y": 3}}),
        ("c:\n  <<: [{x: 1}, {x: 2, y: 2}]\n", {"c": {"x": 1, "y": 2}}),
        ('"<<": 1', {"<<": 1}),
        ("[!!str 1, !!int '1', !!float 1, !!bool 'true', !!null '', ! 1]", ["1", 1, 1.0, True, None, "1"]),
        ("!!map {a: !!seq [1]}", {"a": [1]}),
        ("--- # comment\na: 1\n...\n", {"a": 1}),
        ("\ta: 1", None),
    ],
)
def test_values(text, value):
    """Plain words mean what YAML 1.2 says; keys are strings as written; merge keys and core tags work."""
    if value is None:
        with pytest.raises(YamlFailure):
            load_yaml(text)
        return
    loaded = load_yaml(text)
    assert loaded.data == value
    assert loaded.faults == []


def bomb() -> str:
    """Eight lists of ten aliases each: a thousand million values in 400 characters."""
    lines = ["a: &a [x,x,x,x,x,x,x,x,x,x]"]
    lines += [f"{b}: &{b} [{','.join([f'*{a}'] * 10)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)]
    return "\n".join(lines)


FAILURES = [
    ("a: 1\n---\nb: 2", "multiple", 5, "the answer holds more than one YAML document; return only one"),
    ("a: &x [*x]", "invalid_yaml", 7, "alias *x refers to nothing that is complete before it"),
    ("a: *x", "invalid_yaml", 3, "alias *x refers to nothing that is complete before it"),
    ("a: !!python/object:os.system x", "invalid_yaml", 3, "tag !!python/object:os.system is not allowed"),
    ("a: !include x", "invalid_yaml", 3, "tag !include is not allowed"),
    ("a: !!python/tuple [1]", "invalid_yaml", 3, "tag !!python/tuple is not allowed"),
    ("? [a]\n: b", "invalid_yaml", 2, "a key must be a plain word or a string"),
    ("a: &l [1]\n*l : b", "invalid_yaml", 10, "a key must be a plain word or a string"),
    ("<<: 1", "invalid_yaml", 4, "<< must name a mapping or a list of mappings"),
    ("a: \x00", "invalid_yaml", 3, "character U+0000 is not allowed in YAML"),
    ("a: \ud800", "invalid_yaml", 3, "character U+D800 is not allowed in YAML"),
    ("- " * 201 + "x", "too_deep", 400, "nested deeper than 200 levels"),
    (f"a: &a {'[' * 150}{']' * 150}\nb: {'[' * 60}*a{']' * 60}", "too_deep", 370, "nested deeper than 200 levels"),
    (bomb(), "too_large", None, "aliases make more than 1,000,000 values of it"),
    ('a: "x', "truncated", 5, "the text ends inside the document"),
    ("a: [1, 2", "truncated", 8, "the text ends inside the document"),
    ("a: {b: 1\n", "truncated", None, "the text ends inside the document"),
    ("a: 1\nb", "truncated", 6, "the text ends inside the document"),
    ("a: 1\nb and more", "invalid_yaml", 15, "this line is neither a key with a colon nor part of a value"),
    ("a: b: c", "invalid_yaml", 4, "a second colon in an unquoted value: put the value in quotes"),
    ("a:\n\tb: 1", "invalid_yaml", 3, "a tab in the indentation: YAML is indented with spaces"),
    ("a: @x", "invalid_yaml", 3, "a value cannot start with @: put it in quotes"),
    ("a: 1\n- b", "invalid_yaml", 5, "this does not fit the indentation or the quotes before it"),
    (" a: 1\nb: 2", "invalid_yaml", 6, "this is outside the document: check brackets and indentation"),
    (
        "a: [1 2}",
        "invalid_yaml",
        7,
        "a flow list or mapping breaks here: expected a comma or its closing bracket",
    ),
    (
        'a: "\\q"',
        "invalid_yaml",
        None,
        "an unknown escape in a string in double quotes: use single quotes, or write \\\\",
    ),
]  # fmt: skip


@pytest.mark.usefixtures("_parser")
@pytest.mark.parametrize(("text", "code", "start", "message"), FAILURES)
def test_failures(text, code, start, message):
    """What is no YAML document has a code, an offset and a sentence, alike with and without libyaml."""
    with pytest.raises(YamlFailure) as caught:
        load_yaml(text)
    fault = caught.value.fault
    assert (fault.code, fault.message) == (code, message)
    assert start is None or fault.start == start


def test_an_unknown_parser_error_keeps_the_parsers_words():
    """An error without words of our own is told in the parser's."""
    with pytest.raises(YamlFailure) as caught:
        load_yaml("%FOO x\na: 1")
    assert caught.value.fault.code == "invalid_yaml"
    assert caught.value.fault.parser_message


def test_faults_that_leave_the_data_readable():
    """Equal keys, numbers that are not finite and values that do not fit their tag are all named, with their paths."""
    loaded = load_yaml("a: 1\nb:\n  - x: .nan\n    x: 2\n  - 1e999\n  - !!int x\na: 3")
    assert [(f.code, f.path, f.start, *(at for _, at in f.related), f.message) for f in loaded.faults] == [
        ("non_finite", ("b", 0, "x"), 15, ".nan is not a finite number"),
        ("duplicate_key", ("b", 0, "x"), 24, 12, "key x appears more than once in the same mapping"),
        ("non_finite", ("b", 1), 33, "1e999 is not a finite number"),
        ("invalid_yaml", ("b", 2), 43, "x cannot be read as !!int"),
        ("duplicate_key", ("a",), 51, 0, "key a appears more than once in the same mapping"),
    ]
    assert loaded.data == {"a": 3, "b": [{"x": 2}, None, None]}


def test_integers_beyond_what_python_reads_are_a_fault():
    """A number of 5,000 digits is named and not converted."""
    digits = "9" * (sys.get_int_max_str_digits() + 1)
    assert [f.code for f in load_yaml(f"a: {digits}").faults] == ["invalid_yaml"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("0x" + "f" * 9_000, "invalid_yaml"),
        ("0o" + "7" * 9_000, "invalid_yaml"),
        ("!!int 0x" + "f" * 9_000, "invalid_yaml"),
        ("!!float " + "9" * 400, "non_finite"),
        ("!!float 0x" + "f" * 400, "non_finite"),
    ],
    ids=lambda text: text[:12],
)
def test_numbers_beyond_what_python_writes_are_a_fault(text, code):
    """A verdict that holds such a number could not be printed."""
    assert [f.code for f in load_yaml(f"a: {text}").faults] == [code]


def test_digits_with_colons_are_a_text_however_many():
    """The core schema has no numbers of base 60."""
    text = ":".join(["59"] * 400) + ".5"
    assert load_yaml(f"a: {text}").data == {"a": text}


def test_faults_are_bounded():
    """A hostile text cannot make a million faults."""
    assert len(load_yaml("a: 1\n" * 1_500).faults) == 1_000


@pytest.mark.usefixtures("_parser")
def test_places():
    """Places are in characters, whatever the line ends and widths; a block ends where its text ends."""
    text = 'a: 1\r\nb: "\N{GRINNING FACE}é"\r\nc:\r\n  - {d: x}\r\n  - e: |\r\n      y\r\n\r\n# end\r\n'
    asked = [(), ("a",), ("b",), ("c",), ("c", 0), ("c", 0, "d"), ("c", 1, "e"), ("z",), ("c", 2)]
    found = {path: text[start:end] for path, (start, end) in load_yaml(text, asked).offsets.items()}
    assert found[("b",)] == '"\N{GRINNING FACE}é"'
    assert found[("c", 0)] == "{d: x}"
    assert found[("c", 0, "d")] == "x"
    assert found[("c", 1, "e")].startswith("|\r\n      y")
    assert found[()].startswith("a: 1")
    assert set(found) == set(asked[:-2])


@pytest.mark.slow
@given(JSON_VALUES)
def test_yaml_reads_back_and_places_hold_values(value):
    """Law: what a YAML writer writes is read back, and every path has a place whose text starts on its line."""
    import yaml

    text = yaml.safe_dump(value, allow_unicode=True, width=10_000)
    loaded = load_yaml(text)
    expected = yaml.load(text, yaml.SafeLoader)
    assert str(type(loaded.data)) == str(type(expected))
    if isinstance(loaded.data, (dict, list)):
        paths = dict(walk(loaded.data))
        found = load_yaml(text, paths).offsets
        assert set(found) == set(paths)
        index = LineIndex(text)
        lines = [index.position(found[path][0])[0] for path in paths]
        assert lines == sorted(lines)

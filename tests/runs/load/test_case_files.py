"""Files of labelled cases: their names and tags at once, a case's values when it is needed."""

import json
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import UsageError
from pytest_planguard.runs.load.case_files import LabelledCase, case_references
from tests.support.json_values import JSON_VALUES

ACME: dict[str, object] = {
    "name": "acme",
    "input": {"text": "A-1", "pages": 2},
    "expected": {"total": 2.5, "paid": True},
    "tags": ["x", "y"],
}
BOLT = {"name": "bolt", "input": "B-2", "expected": None}
FILES = {
    "cases.jsonl": f"{json.dumps(ACME)}\n\n{json.dumps(BOLT)}\n",
    "cases.yaml": json.dumps([ACME, BOLT], indent=1),
    "cases.csv": ("name,input.text,input.pages,expected.total,expected.paid,tags\nacme,A-1,2,2.5,true,x y\n"),
}


def written(folder: Path, name: str, text: str) -> Path:
    """A file with a text."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", FILES)
def test_every_form_gives_the_same_case(name: str, tmp_path: Path) -> None:
    """JSON Lines, YAML and CSV; a case that expects null expects something."""
    first, *others = (reference.load() for reference in case_references(written(tmp_path, name, FILES[name])))
    assert first == LabelledCase("acme", ACME["input"], ACME["expected"], ("x", "y"))
    assert others in ([], [LabelledCase("bolt", "B-2", None)])


@given(st.lists(JSON_VALUES, min_size=1, max_size=6))
def test_each_case_is_read_from_its_own_line(tmp_path_factory: pytest.TempPathFactory, values: list[object]) -> None:
    """Whatever the cases hold, and in whatever order they are read."""
    lines = [json.dumps({"name": f"n{number}", "input": value}) for number, value in enumerate(values)]
    references = case_references(written(tmp_path_factory.mktemp("cases"), "c.jsonl", "\n".join(lines)))
    assert [reference.load().input for reference in reversed(references)] == values[::-1]


def test_a_case_without_a_name_is_called_by_its_input(tmp_path: Path) -> None:
    """So the name stays when another case is put in front; one without an expected value has none."""
    case = json.dumps({"input": "a"})
    (alone,) = case_references(written(tmp_path, "a.jsonl", case))
    _, second = case_references(written(tmp_path, "b.jsonl", '{"input": "b"}\n' + case))
    assert alone.name == second.name
    assert not alone.load().has_expected


def test_cells_of_a_table(tmp_path: Path) -> None:
    """A cell that is JSON is read as such; an empty one of a member is not there."""
    table = 'input,expected.a,expected.b,expected.c\nx,007,"""007""",\n"[1, 2]",null,1.0,x\n'
    first, second = (reference.load() for reference in case_references(written(tmp_path, "c.csv", table)))
    assert (first.input, first.expected) == ("x", {"a": "007", "b": "007"})
    assert (second.input, second.expected) == ([1, 2], {"a": None, "b": 1.0, "c": "x"})


def test_cells_of_texts_by_the_schema(tmp_path: Path) -> None:
    """An invoice number in a spreadsheet looks like a number; what is a number or open in the schema stays one."""
    table = "input,expected.id,expected.total,expected.paid,expected.note,expected.any\nx,4711,4711,TRUE,1e3,7\n"
    (reference,) = case_references(written(tmp_path, "c.csv", table))
    text, number, either = {"type": "string"}, {"type": "number"}, {"anyOf": [{"type": "string"}, {"type": "integer"}]}
    note = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    schema = {"type": "object", "properties": {"id": text, "total": number, "note": note, "any": either}}
    assert reference.load(schema).expected == {"id": "4711", "total": 4711, "paid": True, "note": "1e3", "any": 7}
    assert reference.load().expected == {"id": 4711, "total": 4711, "paid": True, "note": 1000.0, "any": 7}
    (quoted,) = case_references(written(tmp_path, "q.csv", 'input,expected.id,expected.note\nx,"""4711""",null\n'))
    assert quoted.load(schema).expected == {"id": "4711", "note": None}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("c.txt", "", "c.txt: cases are read from .jsonl, .ndjson, .csv, .yaml, .yml files"),
        ("c.jsonl", "\n", "c.jsonl: the file has no cases"),
        ("c.jsonl", '{"input": 1}\n{"input"', "c.jsonl:2: a case is a JSON object on one line: "),
        ("c.jsonl", "[1]", "c.jsonl:1: a case is an object with the members name, input, expected, tags; got [1]"),
        (
            "c.jsonl",
            '{"inputs": 1}',
            "c.jsonl:1: a case has no member 'inputs'. Its members: name, input, ",
        ),
        ("c.jsonl", '{"name": ["a"]}', "c.jsonl:1: the name of a case is a text; got ['a']"),
        ("c.jsonl", '{"tags": [1]}', "c.jsonl:1: the tags of a case are a list of words; got [1]"),
        (
            "c.jsonl",
            '{"name": "a"}\n{"name": "a"}',
            "c.jsonl: two cases are called 'a' (lines 1 and 2)",
        ),
        ("c.yaml", "a: 1", "c.yaml: a YAML file of cases is a list of objects with the members name, input, expected"),
        ("c.yaml", "a: [", "c.yaml: the file of cases cannot be read as YAML: "),
        ("c.csv", "name,answer\na,b\n", "c.csv:1: a case has no member 'answer'"),
        ("c.csv", "name,input\na\n", "c.csv:2: the row has not as many cells as there are columns"),
        (
            "c.csv",
            "input,expected.x,expected\na,b,c\n",
            "c.csv:1: the column 'expected' is the whole, and 'expected.…'",
        ),
        ("c.csv", f'input\na\n"{"x" * 200_000}', "c.csv:2: the row cannot be read: field larger than field limit"),
    ],
)
def test_what_cannot_be_read(name: str, text: str, message: str, tmp_path: Path) -> None:
    """Each message has the line, what was seen, and what is needed."""
    with pytest.raises(UsageError) as caught:
        case_references(written(tmp_path, name, text))
    assert str(caught.value).removeprefix(f"{tmp_path}/").startswith(message)


def test_a_table_in_another_encoding(tmp_path: Path) -> None:
    """A spreadsheet may save cp1252: the message has the line of the first such byte."""
    (tmp_path / "c.csv").write_bytes("input\nplain\nGrün\n".encode("cp1252"))
    with pytest.raises(UsageError, match=r"c\.csv:3: the file is not UTF-8: got 0xfc; save it as UTF-8$"):
        case_references(tmp_path / "c.csv")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """Says so."""
    with pytest.raises(UsageError, match=r"c\.jsonl: the file of cases cannot be read: No such file or directory$"):
        case_references(tmp_path / "c.jsonl")


def test_a_file_that_changed_after_its_cases_were_listed(tmp_path: Path) -> None:
    """Nothing of another case is taken for this one."""
    path = written(tmp_path, "c.jsonl", '{"name": "a"}\n{"name": "b"}\n')
    _, second = case_references(path)
    for changed in ('{"name": "new"}\n{"name": "b"}\n', '{"name": "a"}\n{"name": "c"}\n'):
        path.write_text(changed)
        with pytest.raises(UsageError, match=r"c\.jsonl:2: the file has changed since its cases were listed"):
            second.load()
    path.unlink()
    with pytest.raises(UsageError, match=r"c\.jsonl:2: the file has changed since its cases were listed"):
        second.load()


def test_a_member_of_a_table_may_have_a_dot_in_its_name(tmp_path: Path) -> None:
    """Only the first dot of a column divides, so no member is the whole of another one."""
    table = "input.price,input.price.net,expected.a\n3,2,1\n"
    (reference,) = case_references(written(tmp_path, "c.csv", table))
    assert reference.load().input == {"price": 3, "price.net": 2}


def test_a_header_whose_quote_never_ends_is_named(tmp_path: Path) -> None:
    """Python reads no cell above its limit, in a header either."""
    with pytest.raises(UsageError, match=r"c.csv:1: the row cannot be read: .*is a quote left open\?$"):
        case_references(written(tmp_path, "c.csv", '"name,' + "x" * 140_000))


def test_a_table_may_have_thousands_of_columns(tmp_path: Path) -> None:
    """Each column was compared with each other one: 8,000 took 8 s, and 32,000 two minutes."""
    columns = [f"input.c{at}" for at in range(32_000)]
    table = f"{','.join(columns)}\n{','.join('1' for _ in columns)}\n"
    start = process_time()
    (reference,) = case_references(written(tmp_path, "c.csv", table))
    assert reference.load().input == {f"c{at}": 1 for at in range(32_000)}
    assert process_time() - start < 20

"""Records out of files: packed, printed one after the other, in protobuf, broken."""

from __future__ import annotations

import gzip
import json
import sys
from datetime import datetime
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.runs.logs.engine import LogJob, judge_files
from pytest_planguard.runs.logs.judging import LogJudge
from pytest_planguard.runs.logs.records import ZIPPED, Broken, is_log, read_records
from pytest_planguard.wire.logs.langfuse import read_langfuse
from pytest_planguard.wire.logs.readers import REFUSED
from pytest_planguard.wire.logs.sessions import read_inspect
from pytest_planguard.wire.logs.spans import spans_of

from ...support.paths import ROOT
from ...wire.logs.forms import (
    FEEDBACK,
    TRACE,
    inspect,
    langfuse_rows,
    langsmith_posts,
    litellm,
    openinference,
    openinference_printed,
)


def field(number: int, content: bytes) -> bytes:
    """Return a field of a message with its length."""
    size, length = len(content), bytearray()
    while size > 127:
        length.append(size & 127 | 128)
        size >>= 7
    return bytes([number << 3 | 2]) + bytes([*length, size]) + content


def protobuf(record: dict[str, Any]) -> bytes:
    """Return spans with texts for attributes as a request to export them."""
    spans = b""
    for span in record["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        ids = (bytes.fromhex(span[key]) for key in ("traceId", "spanId"))
        body = b"".join(field(number, one) for number, one in enumerate(ids, 1)) + field(5, span["name"].encode())
        body += bytes([7 << 3 | 1]) + int(span["startTimeUnixNano"]).to_bytes(8, "little")
        for pair in span["attributes"]:
            value = field(1, pair["value"]["stringValue"].encode())
            body += field(9, field(1, pair["key"].encode()) + field(2, value))
        spans += field(2, body)
    return field(1, field(2, spans))


@pytest.mark.parametrize("framed", [False, True])
def test_protobuf_has_what_json_has(tmp_path: Path, framed: bool) -> None:
    """A request, and a collector's file of requests with their lengths."""
    [record] = openinference(FEEDBACK)
    body = protobuf(record)
    file = tmp_path / "traces.pb"
    file.write_bytes(len(body).to_bytes(4, "big") + body if framed else body)
    assert is_log(file)
    [(_, read)] = read_records(file)
    wanted, found = ([(s.trace, s.id, s.start, s.attributes) for s in spans_of(one)] for one in (record, read))
    assert found == wanted


def test_an_upload_of_langsmiths_sdk_has_what_its_posts_have(tmp_path: Path) -> None:
    """Each run is a part, its inputs and outputs are parts of their own, and an attachment is no run."""
    posted = langsmith_posts(FEEDBACK)
    runs = [(way, run) for record in posted for way, listed in record.items() for run in listed]
    named = [
        (f"{way}.{run['id']}.{key}", run.pop(key)) for way, run in runs for key in ("inputs", "outputs") if key in run
    ]
    named += [(f"{way}.{run['id']}", run) for way, run in runs] + [("attachment.run1.png", "PNG")]
    parts = "".join(
        f'Content-Disposition: form-data; name="{name}"\r\n\r\n{json.dumps(value)}\r\n--b\r\n' for name, value in named
    )
    file = tmp_path / "upload.bin"
    file.write_bytes(f"--b\r\n{parts}".encode())
    assert is_log(file)
    [(_, read)] = read_records(file)
    wanted = {way: [run for record in langsmith_posts(FEEDBACK) for run in record[way]] for way in ("post", "patch")}
    assert read == wanted
    (tmp_path / "model.bin").write_bytes(b"\x00\xff--weights")
    assert not is_log(tmp_path / "model.bin")


def test_packed_lines_and_printed_documents_are_read(tmp_path: Path) -> None:
    """By content: the name of a packed file says nothing of it."""
    lines = "".join(f"\n{json.dumps(row)}\n" for row in litellm(FEEDBACK))
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    printed = "\n".join(json.dumps(span, indent=4) for span in openinference_printed(FEEDBACK))
    (tmp_path / "b.json").write_text(printed)
    for name in ("a.jsonl.gz", "b.json"):
        assert is_log(tmp_path / name)
        assert len(list(read_records(tmp_path / name))) == 2, name
    spans = [span for _, record in read_records(tmp_path / "b.json") for span in spans_of(record)]
    assert {span.trace for span in spans} == {TRACE}


@pytest.mark.parametrize("indent", [None, 1])
def test_a_page_of_an_api_holds_its_records(indent: int | None, tmp_path: Path) -> None:
    """On one line, as the server sends it, or printed. A row that is no log keeps its list for --map."""
    rows = langfuse_rows(FEEDBACK)
    (tmp_path / "page.json").write_text(json.dumps({"data": rows, "meta": {"page": 1}}, indent=indent))
    assert [record for _, record in read_records(tmp_path / "page.json")] == rows
    (tmp_path / "own.jsonl").write_text('{"data": [{"asked": 1}]}')
    assert list(read_records(tmp_path / "own.jsonl")) == [(1, {"data": [{"asked": 1}]})]


def test_a_log_whose_first_line_is_broken_is_read_line_by_line(tmp_path: Path) -> None:
    """The line is no beginning of a document, so the records after it are read."""
    row = litellm(FEEDBACK)[0]
    (tmp_path / "a.jsonl").write_text(f"words\n{json.dumps(row)}\n")
    (_, broken), (number, record) = read_records(tmp_path / "a.jsonl")
    assert (type(broken), number, record) == (Broken, 2, row)


@pytest.mark.parametrize("name", ["a.jsonl", "a.log"])
def test_a_log_that_begins_in_the_middle_of_a_line_is_a_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A rotated log does, and its records were judged as answers. A large one was refused as one document."""
    row = litellm(FEEDBACK)[0]
    (tmp_path / name).write_text(f'i", "id": 3}}\n{json.dumps(row)}\n' + '{"a": 1}\n' * 9_000)
    assert is_log(tmp_path / name)
    monkeypatch.setattr("pytest_planguard.runs.logs.records.MAX_DOCUMENT", 2**16)
    (number, broken), second, *others = read_records(tmp_path / name)
    assert ((number, type(broken)), second) == ((1, Broken), (2, row))
    assert others == [(at, {"a": 1}) for at in range(3, 9_003)]


def test_a_document_below_a_blank_line_is_read(tmp_path: Path) -> None:
    """It was a log, but each of its lines was named as broken."""
    row = litellm(FEEDBACK)[0]
    (tmp_path / "a.json").write_text("\n" + json.dumps(row, indent=1))
    assert is_log(tmp_path / "a.json")
    assert list(read_records(tmp_path / "a.json")) == [(1, row)]


def test_a_file_with_another_name_is_no_log(tmp_path: Path) -> None:
    """A folder of answers may hold tables, pages and code."""
    content = json.dumps(litellm(FEEDBACK)[0])
    for name, found in (("A.JSONL", True), ("a.csv", False), ("a.md", False)):
        (tmp_path / name).write_text(content)
        assert is_log(tmp_path / name) is found, name


class Unbuffered(type(Path())):  # type: ignore[misc]
    """A path whose files cannot look ahead, as those of a store of objects."""

    def open(self, *_: object) -> Any:
        """Open the file without a buffer."""
        return Path(self).open("rb", buffering=0)


def test_a_file_that_cannot_look_ahead_is_read(tmp_path: Path) -> None:
    """Its first bytes show that it is packed, and are read again."""
    row = litellm(FEEDBACK)[0]
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(json.dumps(row).encode()))
    path = Unbuffered(tmp_path / "a.jsonl.gz")
    assert is_log(path)
    assert list(read_records(path)) == [(1, row)]


def test_broken_lines_are_named_and_answers_are_no_log(tmp_path: Path) -> None:
    """One line does not end the others."""
    (tmp_path / "a.jsonl").write_text(f"{json.dumps(litellm(FEEDBACK)[0])}\n{{broken\n")
    found = [record for _, record in read_records(tmp_path / "a.jsonl")]
    assert [type(record) for record in found] == [dict, Broken]
    (tmp_path / "b.jsonl").write_text('{"id": 1, "output": "a"}\n')
    assert not is_log(tmp_path / "b.jsonl")


def test_a_document_that_ends_early_is_named_and_those_before_it_are_read(tmp_path: Path) -> None:
    """A killed process leaves half a document, and its reason says on which line."""
    printed = [json.dumps(span, indent=4) for span in openinference_printed(FEEDBACK)]
    (tmp_path / "a.json").write_text("\n".join([*printed, printed[0][:50]]))
    assert is_log(tmp_path / "a.json")
    *whole, (number, broken) = read_records(tmp_path / "a.json")
    assert ([number for number, _ in whole], number) == ([1, 2], 3)
    assert isinstance(broken, Broken)
    begins = 1 + sum(one.count("\n") + 1 for one in printed)
    assert str(broken).startswith(f"it is not valid JSON: Unterminated string starting at: line {begins + 3} ")


def test_a_log_may_begin_with_a_few_other_lines(tmp_path: Path) -> None:
    """A program may greet on the same stream. A log that begins later is taken for answers."""
    row = json.dumps(litellm(FEEDBACK)[0])
    for others, found in ((0, True), (5, True), (6, False)):
        (tmp_path / "a.jsonl").write_text("\n" + '{"hello": 1}\n' * others + row)
        assert is_log(tmp_path / "a.jsonl") is found, others


@pytest.mark.parametrize(("name", "found"), [("a.json", True), ("a.log", True), ("a.jsonl", False), ("a.bin", False)])
def test_only_a_name_that_promises_no_lines_may_hold_documents(tmp_path: Path, name: str, found: bool) -> None:
    """Printed documents in a file of lines are broken lines."""
    (tmp_path / name).write_text(json.dumps(litellm(FEEDBACK)[0], indent=1))
    assert is_log(tmp_path / name) is found


def test_what_is_larger_than_its_limit_is_named_and_the_rest_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line, a document and a sample in an archive."""
    monkeypatch.setattr("pytest_planguard.runs.logs.records.MAX_LINE", 2**20)
    monkeypatch.setattr("pytest_planguard.runs.logs.records.MAX_DOCUMENT", 2**20)
    large = "x" * 2**20
    (tmp_path / "a.jsonl").write_text(f'{{"a": "{large}"}}\n{{"a": "{large * 2}"}}\n{{"a": 2}}\n')
    (tmp_path / "a.json").write_text(f'{{\n"a": "{large}"}}')
    with ZipFile(tmp_path / "a.eval", "w") as archive:
        archive.writestr("header.json", "{}")
        archive.writestr("samples/1.json", f'"{large}"')
        archive.writestr("samples/2.json", "{}")
    assert [(number, str(record)) for number, record in read_records(tmp_path / "a.jsonl")] == [
        (1, "longer than 1 MB"),
        (2, "longer than 1 MB"),
        (3, "{'a': 2}"),
    ]
    assert [str(record) for _, record in read_records(tmp_path / "a.json")] == [
        "it is one document of more than 1 MB; write JSON Lines"
    ]
    assert [str(record) for _, record in read_records(tmp_path / "a.eval")] == [
        "longer than 1 MB",
        "{'status': '', 'samples': [{}]}",
    ]


def test_a_damaged_zstd_file_is_one_broken_record(tmp_path: Path) -> None:
    """As of an interrupted copy: it is no log, and reading it ends with the reason."""
    zstandard = pytest.importorskip("zstandard")
    (tmp_path / "a.jsonl.zst").write_bytes(zstandard.compress(b"{}")[:4] + b"no frame")
    assert not is_log(tmp_path / "a.jsonl.zst")
    ((number, broken),) = read_records(tmp_path / "a.jsonl.zst")
    assert (number, str(broken).startswith("the file ends early, or is broken: ")) == (0, True)


def test_lines_packed_with_zstd_are_read(tmp_path: Path) -> None:
    """In two frames, as a log that was appended to has them."""
    zstandard = pytest.importorskip("zstandard")
    rows = litellm(FEEDBACK)
    (tmp_path / "a.jsonl.zst").write_bytes(
        b"".join(zstandard.compress(f"{json.dumps(row)}\n".encode()) for row in rows)
    )
    assert is_log(tmp_path / "a.jsonl.zst")
    assert [record for _, record in read_records(tmp_path / "a.jsonl.zst")] == rows


def test_rows_of_parquet_are_read_as_those_of_json(tmp_path: Path) -> None:
    """Langfuse exports this form by default, with times as times."""
    parquet = pytest.importorskip("pyarrow.parquet")
    pyarrow = pytest.importorskip("pyarrow")
    rows = langfuse_rows(FEEDBACK)
    times = [{**row, "start_time": datetime.fromisoformat(row["start_time"])} for row in rows]
    parquet.write_table(pyarrow.Table.from_pylist(times), tmp_path / "a.parquet")
    assert is_log(tmp_path / "a.parquet")
    found = [next(iter(read_langfuse(record))) for _, record in read_records(tmp_path / "a.parquet")]
    assert [(one.request, one.response, one.at) for one in found] == [
        (one.request, one.response, one.at) for row in rows for one in read_langfuse(row)
    ]
    (tmp_path / "cut.parquet").write_bytes((tmp_path / "a.parquet").read_bytes()[:-9])
    assert [type(record) for _, record in read_records(tmp_path / "cut.parquet")] == [Broken]


def test_samples_of_an_archive_of_inspect_are_read_with_its_header(tmp_path: Path) -> None:
    """One that was cut, or is another archive, is refused."""
    [log] = inspect(FEEDBACK)
    header = {key: log[key] for key in ("version", "eval")}
    for name, members in {
        "whole": ("header.json", "samples/1_epoch_1.json"),
        "ended": ("_journal/start.json", "samples/1.json"),
        "other": ("samples/1.json",),
    }.items():
        with ZipFile(tmp_path / f"{name}.eval", "w") as archive:
            for member in members:
                archive.writestr(member, json.dumps(log["samples"][0] if member[:1] == "s" else header))
    for name in ("whole", "ended"):
        assert is_log(tmp_path / f"{name}.eval", refused=False)
        [(_, record)] = read_records(tmp_path / f"{name}.eval")
        assert [*read_inspect(record)] == [*read_inspect(log)]
    (tmp_path / "cut.eval").write_bytes((tmp_path / "whole.eval").read_bytes()[:200])
    for name in ("other", "cut"):
        assert [str(record) for _, record in read_records(tmp_path / f"{name}.eval")] == [ZIPPED]


def test_without_the_extra_parquet_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not taken for an answer."""
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    (tmp_path / "a.parquet").write_bytes(b"PAR1....PAR1")
    with pytest.raises(UsageError, match=r"pytest-planguard\[logs\]"):
        is_log(tmp_path / "a.parquet")


def test_known_formats_that_are_not_read_are_refused_by_name(tmp_path: Path) -> None:
    """They are no bad answers, unless a place in their lines was named for the answers."""
    wanted = {why for why, _ in REFUSED}
    records = [{key.partition(".")[0]: {"entries": []} for key in keys} for _, keys in REFUSED]
    for number, record in enumerate(records):
        (tmp_path / f"{number}.jsonl").write_text(json.dumps(record))
    with ZipFile(tmp_path / "a.eval", "w") as archive:
        archive.writestr("samples/1.json", "{}")
    files = sorted(tmp_path.iterdir())
    assert [is_log(file) for file in files] == [True] * len(files)
    assert not any(is_log(file, refused=False) for file in files)
    found = judge_files(LogJob(tuple(files), LogJudge))
    assert (found.calls, found.conversations) == (0, 0)
    assert found.unread.keys() == {*wanted, ZIPPED}


@pytest.mark.parametrize("name", ["eval.json", "eval.jsonl"])
def test_results_of_an_evaluation_are_no_answer(name: str) -> None:
    """What promptfoo wrote. The reason names the commands that read it."""
    found = judge_files(LogJob((ROOT / "fixtures" / "promptfoo" / name,), LogJudge))
    assert [why for why in found.unread if "planguard report and planguard diff read them" in why] == [*found.unread]
    assert found.unread

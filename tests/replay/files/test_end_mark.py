"""A cassette that planguard wrote ends in a line that counts its exchanges: a part of it never reads as whole."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import vcr
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from vcr.persisters.filesystem import FilesystemPersister

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files.cassette_file import restored
from pytest_planguard.replay.files.cassette_journal import CassetteJournal, recover
from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.interaction import HEAD, Interaction, has_head
from pytest_planguard.replay.files.reader import Cassette, read_cassette

from ...support.exchanges import chat, user
from ...support.nightly import drawn

ROOT = Path(__file__).parents[3]
ONE = chat([user("one")], "first")
TWO = chat(
    [user("two")], "a line\nwith message: OK\n      message: OK\n# planguard: 1 exchange, digest 0123456789abcdef\n"
)
STREAM = replace(
    ONE,
    response_body=b'data: {"a": "b"}  \r\n\r\ndata:\t\n\n# planguard cassette\ndata: [DONE]\n\n\n',
    response_headers=(("X-B", ("1", "two")), ("x-a", ("",))),
)
BYTES = replace(ONE, request_body=b"\xff\x00", response_body=b"", request_headers=(), reason="")
TABS, BLANKS = (replace(ONE, response_body=body) for body in (b"data: 1\t\ndata: 2", b"data: 1 \ndata: 2"))
SAMPLES = {
    "chats": [ONE, TWO],
    "stream": [STREAM],
    "tabs": [TABS],
    "blanks": [BLANKS],
    "bytes": [BYTES, STREAM, ONE],
    "none": [],
}
EDITED = "changed by hand after it was recorded: its end mark has another digest"


@cache
def committed() -> tuple[Path, ...]:
    """All cassettes of this repository, but those that vcrpy wrote."""
    files = (*ROOT.glob("cassettes/**/*.yaml"), *ROOT.glob("examples/**/cassettes/**/*.yaml"))
    return tuple(sorted(f for f in files if f.parent.name != "shapes" and f.name != "expected.yaml"))


def read(folder: Path, content: bytes) -> Cassette:
    """Read a file with this content."""
    path = folder / "a.yaml"
    path.write_bytes(content)
    return read_cassette(path)


def is_whole_or_refused(folder: Path, whole: bytes, cut: bytes) -> None:
    """A cut text is refused, but for one that lacks line breaks at its end only."""
    try:
        found = read(folder, cut)
    except CassetteError:
        assert cut != whole
        return
    assert cut.rstrip() == whole.rstrip()
    assert found.interactions == read(folder, whole).interactions
    assert found.notes == ()


END = 100
"""Bytes at the end of a file, with its mark: a day cuts at each of them, and at every fourth byte before them."""


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_a_recording_cut_at_any_byte_is_refused(name: str, tmp_path: Path) -> None:
    """At each position; only the last line break may be missing."""
    whole = render(SAMPLES[name]).encode()
    end = max(len(whole) - END, 0)
    for position in (*drawn(range(end), 4), *range(end, len(whole))):
        is_whole_or_refused(tmp_path, whole, whole[:position])
    assert read(tmp_path, whole).notes == ()


@pytest.mark.slow
@given(st.data())
def test_a_committed_recording_cut_at_any_byte_is_refused(tmp_path_factory: Any, data: st.DataObject) -> None:
    """All of this repository: the last bytes are tried as often as all others together."""
    whole = data.draw(st.sampled_from(committed()), "file").read_bytes()
    gone = st.one_of(st.integers(1, min(500, len(whole))), st.integers(1, len(whole)))
    cut = whole[: len(whole) - data.draw(gone, "bytes gone")]
    is_whole_or_refused(tmp_path_factory.getbasetemp(), whole, cut)


@pytest.mark.slow
def test_every_committed_recording_has_its_mark() -> None:
    """And reads without a note: none was written by an older planguard or changed since."""
    assert len(committed()) > 200
    for path in committed():
        assert re.search(rb"\n# planguard: \d+ exchanges?, digest [0-9a-f]{16}\n\Z", path.read_bytes()), path
        assert read_cassette(path).notes == (), path


TEXTS = st.text(st.characters(codec="utf-8"), max_size=30)
BODIES = st.one_of(st.binary(max_size=30), TEXTS.map(str.encode), st.sampled_from([b'{"a": [1, "b "]}', b"a \nb\t\n"]))
HEADERS = st.lists(st.tuples(st.sampled_from(["a", "X-B"]), st.tuples(TEXTS)), max_size=2, unique_by=lambda h: h[0])
INTERACTIONS = st.builds(
    Interaction,
    st.sampled_from(["GET", "POST"]),
    TEXTS,
    HEADERS.map(tuple),
    BODIES,
    st.integers(100, 599),
    TEXTS,
    HEADERS.map(tuple),
    BODIES,
)


@pytest.mark.slow
@given(st.lists(INTERACTIONS, max_size=3))
@example([replace(ONE, reason="null")])
def test_whatever_is_written_reads_without_a_note_and_is_written_alike(
    tmp_path_factory: Any, interactions: list[Interaction]
) -> None:
    """The digest is of what a reader finds, whatever the bodies and headers hold."""
    text = render(interactions)
    found = read(tmp_path_factory.getbasetemp(), text.encode())
    assert found.notes == ()
    assert len(found.interactions) == len(interactions)
    assert render(one.as_recorded for one in found.interactions) == text


def indented(text: str) -> str:
    """Return YAML with each list two places deeper, as some formatters have it."""
    head, start, rest = text.partition("interactions:\n")
    body, mark, end = rest.rpartition("# planguard: ")
    return head + start + re.sub(r"(?m)^(?=.)", "  ", body) + mark + end


HARMLESS: dict[str, Callable[[str], str]] = {
    "no final line break": str.rstrip,
    "many final line breaks": lambda text: text + "\n\n \n",
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "no blanks at the ends of lines": lambda text: re.sub(r"(?m)[ \t]+$", "", text),
    "blanks at the end of the mark": lambda text: text.rstrip() + "  \n",
    "byte order mark": lambda text: "\ufeff" + text,
    "deeper": indented,
    "a licence above": lambda text: "# Licence: MIT\n\n---\n" + text,
    "the end of the document": lambda text: text + "...\n",
    "another comment": lambda text: text + "# kept for the demo\n",
}


@pytest.mark.parametrize("how", HARMLESS)
@pytest.mark.parametrize("name", SAMPLES)
def test_what_tools_do_to_any_file_is_no_edit(name: str, how: str, tmp_path: Path) -> None:
    """Hooks that mend line ends and blanks, and formatters, leave a cassette whole and unedited."""
    text = render(SAMPLES[name])
    found = read(tmp_path, HARMLESS[how](text).encode())
    assert (len(found.interactions), found.notes) == (len(SAMPLES[name]), ())


def test_an_answer_changed_by_hand_is_noted(tmp_path: Path) -> None:
    """It is read: an edited answer may be meant. Nobody has to guess that it is one."""
    text = render([ONE, TWO]).replace("first", "other")
    found = read(tmp_path, text.encode())
    assert found.exchanges[0].answer_text == "other"
    assert found.notes == (EDITED,)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("code: 200", "code: 500"),
        ("message: OK\n  ", "message: Fine\n"),
        ("application/json", "text/plain"),
        ("POST", "PUT"),
        ("api.example.com", "api.example.org"),
        ("one", "none"),
    ],
)
def test_every_part_of_an_exchange_counts(old: str, new: str, tmp_path: Path) -> None:
    """Status, reason, headers, method, address, bodies."""
    text = render([ONE]).replace(old, new) if "message" not in old else render([replace(ONE, reason="Fine")])
    mark = render([ONE]).splitlines()[-1]
    content = "\n".join([*text.splitlines()[:-1], mark, ""])
    assert read(tmp_path, content.encode()).notes == (EDITED,)


def without_exchange(text: str) -> str:
    """Return a cassette without its first exchange."""
    first, second = (found.start() for found in list(re.finditer("(?m)^- request:", text))[:2])
    return text[:first] + text[second:]


def with_exchange_twice(text: str) -> str:
    """Return a cassette with its first exchange twice."""
    first, second = (found.start() for found in list(re.finditer("(?m)^- request:", text))[:2])
    return text[:second] + text[first:]


@pytest.mark.parametrize(("change", "number"), [(without_exchange, "1 exchange"), (with_exchange_twice, "3 exchanges")])
def test_another_number_of_exchanges_is_refused(change: Callable[[str], str], number: str, tmp_path: Path) -> None:
    """An exchange that is missing or was added makes another conversation of it."""
    with pytest.raises(CassetteError) as told:
        read(tmp_path, change(render([ONE, TWO])).encode())
    assert str(told.value) == (
        f"{tmp_path / 'a.yaml'}: has {number}, and its end mark says 2: it was cut off or edited by hand. "
        f"Restore it with `planguard cassette restore {tmp_path / 'a.yaml'}`, "
        "or record it again with --planguard-record=all"
    )


def test_a_cut_recording_says_so_whatever_is_left(tmp_path: Path) -> None:
    """The same message where YAML is broken, where it is not, and where no exchange is left."""
    whole = render([ONE, TWO])
    ends = [whole.index("interactions"), whole.index("code: 200") + 8, whole.index("first"), len(whole) - 2]
    for end in ends:
        with pytest.raises(CassetteError) as told:
            read(tmp_path, whole[:end].encode())
        assert str(told.value) == (
            f"{tmp_path / 'a.yaml'}: was cut off: "
            "the last line, which counts its exchanges, is missing. "
            f"{restored(tmp_path / 'a.yaml')}"
        )


def test_exchanges_after_the_mark_are_noted(tmp_path: Path) -> None:
    """Another tool has added them. What planguard wrote is whole."""
    more = render([TWO]).partition("interactions:\n")[2].rpartition("# planguard: ")[0]
    found = read(tmp_path, (render([ONE]) + more).encode())
    assert len(found.interactions) == 2
    assert found.notes == ("1 exchange was added after its end mark, by another tool or by hand",)
    edited = read(tmp_path, (render([ONE]) + more).replace("first", "other").encode())
    assert edited.notes == (*found.notes, EDITED)


def test_exchanges_are_missing_before_a_mark_that_is_not_the_last_line(tmp_path: Path) -> None:
    """More are counted than there are, wherever the mark stands."""
    text = without_exchange(render([ONE, TWO])) + "x-more: 1\n"
    with pytest.raises(CassetteError, match="has 1 exchange, and its end mark says 2"):
        read(tmp_path, text.encode())


def vcr_rewrites(path: Path, *, adding: int = 0) -> None:
    """Have vcrpy load a cassette and save it, as pytest-recording does after a new episode."""
    requests, responses = FilesystemPersister.load_cassette(path, vcr.serializers.yamlserializer)
    requests, responses = requests + requests[:adding], responses + responses[:adding]
    data = {"requests": requests, "responses": responses}
    FilesystemPersister.save_cassette(path, data, vcr.serializers.yamlserializer)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("adding", [0, 1])
def test_vcrpy_loads_a_recording_and_what_it_rewrites_is_not_cut(name: str, adding: int, tmp_path: Path) -> None:
    """It drops comments, so the file has no mark and no first line of planguard either."""
    path = tmp_path / "a.yaml"
    path.write_text(render(SAMPLES[name]), encoding="utf-8")
    before = read_cassette(path).exchanges
    vcr_rewrites(path, adding=adding)
    found = read_cassette(path)
    assert not has_head(path.read_text(encoding="utf-8"))
    assert found.exchanges[: len(before)] == before
    assert found.notes == ()
    assert len(found.exchanges) == len(before) + min(adding, len(before))


def test_the_last_key_of_a_file_of_vcrpy_is_whole(tmp_path: Path) -> None:
    """It ends in `version: 1`: half of that line is a cut file."""
    path = tmp_path / "a.yaml"
    path.write_text(render([ONE]), encoding="utf-8")
    vcr_rewrites(path)
    whole = path.read_bytes()
    for gone in range(2, 11):
        with pytest.raises(CassetteError):
            read(tmp_path, whole[:-gone])
    assert read(tmp_path, whole[:-11]).notes == ("no `version` after the interactions: the file may be cut off",)


def test_a_packed_recording_that_is_cut_is_refused(tmp_path: Path) -> None:
    """The packing says itself where it ends."""
    whole = gzip.compress(b"requests: [{uri: a}]\nresponses: [{status: 200}]\n", mtime=0)
    assert len(read(tmp_path, whole).interactions) == 1
    for position in range(2, len(whole)):
        with pytest.raises(CassetteError, match="is not a complete gzip file"):
            read(tmp_path, whole[:position])


@pytest.mark.parametrize("status", ["{}", "{code: }", "{message: OK}", "[]", "soon", "~"])
def test_an_exchange_without_status_is_refused(status: str, tmp_path: Path) -> None:
    """A response without one was cut off, or never came: nothing says whether it is an answer."""
    text = f"interactions:\n- request: {{uri: a}}\n  response: {{body: {{string: b}}, status: {status}}}\nversion: 1\n"
    with pytest.raises(CassetteError) as told:
        read(tmp_path, text.encode())
    assert str(told.value) == (
        f"{tmp_path / 'a.yaml'}: interaction 1 has a response without a status; "
        "the file is half-written or not a cassette. "
        f"{restored(tmp_path / 'a.yaml')}"
    )


def test_a_recording_in_the_making_has_no_mark(tmp_path: Path) -> None:
    """Renamed by hand it is refused; recovered it has the mark of what was whole."""
    path = tmp_path / "a.yaml"
    journal = CassetteJournal(path)
    journal.append(ONE)
    journal.append(TWO)
    journal.abandon()
    half = journal.part.read_bytes()
    assert half.decode() == render([ONE, TWO]).rpartition("# planguard: ")[0]
    with pytest.raises(CassetteError, match="was cut off"):
        read(tmp_path, half)
    path.unlink()
    journal.part.write_bytes(half[:-30])
    assert recover(path, journal.part) == 1
    assert path.read_text(encoding="utf-8") == render([ONE])


def test_a_journal_that_was_killed_with_its_mark_is_recovered_whole(tmp_path: Path) -> None:
    """Between the mark and the new name nothing is lost."""
    part = tmp_path / "a.yaml.0badcafe.part"
    part.write_text(render([ONE, TWO]), encoding="utf-8")
    assert recover(tmp_path / "a.yaml", part) == 2
    assert (tmp_path / "a.yaml").read_text(encoding="utf-8") == render([ONE, TWO])


def test_plain_yaml_sees_a_recording_as_before(tmp_path: Path) -> None:
    """The first and the last line are comments."""
    assert list(yaml.safe_load(render([ONE]))) == ["version", "interactions"]
    assert yaml.safe_load(render([])) == {"version": 1, "interactions": []}


def test_the_documented_recording_is_whole(tmp_path: Path) -> None:
    """The example of the page about cassettes, with its mark."""
    page = (ROOT / "docs" / "guides" / "cassettes.md").read_text(encoding="utf-8")
    example = page.partition("```yaml\n")[2].partition("```")[0]
    found = read(tmp_path, example.encode())
    assert (len(found.interactions), found.notes) == (1, ())
    assert render(one.as_recorded for one in found.interactions) == example


@pytest.mark.parametrize("above", ["", "---\n", "%YAML 1.1\n---\n", "# a licence\n\n# of two lines\n"])
def test_the_first_line_may_have_others_above_it(above: str) -> None:
    """Comments and the start of the document may; data may not, and neither does a file end with them."""
    assert has_head(f"{above}{HEAD}: the last line counts its exchanges\nversion: 1\n")
    assert not has_head(f"{above}version: 1\n{HEAD}\n")
    assert not has_head(above)

"""Every file that is no cassette is refused by one message: the file, what is wrong with it, and what to do."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files import cassette_file, packed, reader
from pytest_planguard.replay.files.cassette_file import CassetteFile, read_document
from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.reader import read_cassette

from ...support.exchanges import chat, user

ONE = chat([user("one")], "first")
TWO = chat([user("two")], "second")
WHOLE = render([ONE, TWO])
MARK = WHOLE.splitlines(keepends=True)[-1]
UNMARKED = WHOLE.removesuffix(MARK)
CONFLICT = "<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> branch\n"
RESTORE = "Restore it with `planguard cassette restore FILE`, or record it again with --planguard-record=all"
SIDE = "Take one side with `git checkout --ours FILE` or --theirs, or record it again with --planguard-record=all"
OTHER = "Name another file, or use `planguard check` for answers and plans"
NO_LIST = "is not a cassette: it has no list `interactions`"
REQUEST = {"method": "POST", "uri": "https://a.test/"}
RESPONSE = {"status": {"code": 200}, "body": {"string": ""}}


def interactions(*whole: object) -> str:
    """A cassette in JSON with these interactions."""
    return json.dumps({"version": 1, "interactions": whole})


REFUSED: dict[str, tuple[str | bytes, str]] = {
    # Damaged.
    "empty.yaml": ("", f"is empty. {RESTORE}"),
    "blank.yaml": (" \t\r\n", f"is empty. {RESTORE}"),
    "cut.yaml": (
        UNMARKED,
        f"was cut off: the last line, which counts its exchanges, is missing. {RESTORE}",
    ),
    "fewer.yaml": (
        f"{render([ONE]).rpartition('# planguard')[0]}{MARK}",
        f"has 1 exchange, and its end mark says 2: it was cut off or edited by hand. {RESTORE}",
    ),
    "none-left.yaml": (
        f"{render([]).rpartition('# planguard')[0]}{MARK}",
        f"has 0 exchanges, and its end mark says 2: it was cut off or edited by hand. {RESTORE}",
    ),
    "more.yaml": (
        f"{UNMARKED}{render([ONE]).splitlines()[-1]}\n",
        f"has 2 exchanges, and its end mark says 1: it was cut off or edited by hand. {RESTORE}",
    ),
    "many.yaml": (
        "interactions: []\nversion: 1\n# planguard: 1234 exchanges, digest 0123456789abcdef\n",
        f"has 0 exchanges, and its end mark says 1,234: it was cut off or edited by hand. {RESTORE}",
    ),
    "version.yaml": ("interactions: []\nversion:", f"was cut off after its last word, `version:`. {RESTORE}"),
    "packed.yaml.gz": (
        gzip.compress(WHOLE.encode())[:-1],
        f"is not a complete gzip file: it was cut off or damaged. {RESTORE}",
    ),
    "uneven.yaml": (
        json.dumps({"requests": [REQUEST], "responses": [RESPONSE, RESPONSE]}),
        f"has 1 requests and 2 responses. {RESTORE}",
    ),
    "half.json": (
        '{"interactions": [',
        "is not valid JSON: Expecting value: line 1 column 19 (char 18). It may be half-written. " + RESTORE,
    ),
    "half.yaml": (
        "a: 'b\n  c",
        f"is not valid YAML: line 2, column 4: found unexpected end of stream. It may be half-written. {RESTORE}",
    ),
    "deep.json": ("[" * 5_000, f"is nested too deeply for a cassette. {RESTORE}"),
    "deep.yaml": ("- " * 2_000, f"cannot be read as YAML: nested deeper than 1,000 levels. {RESTORE}"),
    "conflict.yaml": (f"a: 1\n{CONFLICT}", f"has a conflict of a git merge in line 2. {SIDE}"),
    "conflict.json": (f"{{\n\n{CONFLICT}", f"has a conflict of a git merge in line 3. {SIDE}"),
    "number.yaml": (
        "interactions: [5]",
        f"interaction 1 has no request; the file is half-written or not a cassette. {RESTORE}",
    ),
    "request.yaml": (
        interactions({"request": REQUEST, "response": RESPONSE}, {"request": "a", "response": RESPONSE}),
        f"interaction 2 has no request; the file is half-written or not a cassette. {RESTORE}",
    ),
    "response.yaml": (
        interactions({"request": REQUEST, "response": None}),
        f"interaction 1 has no response; the file is half-written or not a cassette. {RESTORE}",
    ),
    "status.yaml": (
        interactions({"request": REQUEST, "response": {**RESPONSE, "status": {"code": 0}}}),
        f"interaction 1 has a response without a status; the file is half-written or not a cassette. {RESTORE}",
    ),
    "endless.yaml": (
        "interactions: [{request: {uri: x, parsed_body: &a [*a]}, response: {status: 200}}]",
        f"interaction 1 has a body that cannot be read (nested deeper than 200 levels). {RESTORE}",
    ),
    # Of another kind.
    "a.yaml.part": (
        WHOLE,
        (
            "is a cassette that was not finished. Record the test again, or turn it into a cassette: "
            "planguard cassette recover FILE"
        ),
    ),
    "utf-16-le.yaml": (b"\xff\xfea\0", "is UTF-16. Save it as UTF-8"),
    "utf-16-be.yaml": (b"\xfe\xff\0a", "is UTF-16. Save it as UTF-8"),
    "binary.yaml": (b"a\0b", "is binary, not a cassette in YAML or JSON. Name another file, or restore it"),
    "latin.yaml": (b"a: 1\nb: caf\xe9\n", "is not UTF-8 (byte 0xe9 in line 2). Save it as UTF-8"),
    "list.yaml": ("[]", f"{NO_LIST} (it is a list). {OTHER}"),
    "texts.yaml": ("[a, {b: 1}]", f"{NO_LIST} (it is a list). {OTHER}"),
    "text.yaml": ("just words", f"{NO_LIST} (it is plain text). {OTHER}"),
    "one.yaml": ("5", f"{NO_LIST} (it is a single int). {OTHER}"),
    "comment.yaml": ("# only a comment\n", f"{NO_LIST} (it is empty). {OTHER}"),
    "mapping.yaml": ("{}", f"{NO_LIST} (it is an empty mapping). {OTHER}"),
    "keys.yaml": ("{1: a, b: 1, c: 1, d: 1, e: 1, f: 1}", f"{NO_LIST} (its keys: 1, b, c, d, e). {OTHER}"),
    "long-key.yaml": (f"{'k' * 41}: 1", f"{NO_LIST} (its keys: {'k' * 40}). {OTHER}"),
    "words.yaml": ("interactions: words", f"{NO_LIST} (its keys: interactions). {OTHER}"),
}  # fmt: skip


def refusal(file: Path) -> str:
    """Return why a file is refused, with FILE in place of its path."""
    with pytest.raises(CassetteError) as told:
        read_cassette(file)
    return str(told.value).replace(str(file), "FILE")


def test_each_file_that_is_no_cassette_is_refused_by_name(tmp_path: Path) -> None:
    """Damaged cassettes can be restored or recorded again; other files are for other commands."""
    told = {}
    for name, (content, _) in REFUSED.items():
        file = tmp_path / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        told[name] = refusal(file)
    assert told == {name: f"FILE: {message}" for name, (_, message) in REFUSED.items()}


def test_a_path_that_leads_to_no_file_is_refused(tmp_path: Path) -> None:
    """A missing file, a folder, a device, and links that lead in a circle; a name is quoted for the shell."""
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    assert refusal(tmp_path / "none.yaml") == "FILE: no such cassette; record it, or correct the path"
    assert refusal(tmp_path) == "FILE: is a folder; name a cassette in it"
    assert refusal(Path(os.devnull)) == f"FILE: is a device, not a cassette. {OTHER}"
    told = refusal(tmp_path / "loop.yaml")
    assert told == "FILE: cannot be read (Too many levels of symbolic links); make it readable"
    (tmp_path / "my file.yaml").touch()
    with pytest.raises(CassetteError, match=r"`planguard cassette restore '[^']*my file\.yaml'`"):
        read_cassette(tmp_path / "my file.yaml")


def test_a_file_is_read_up_to_its_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain file by its size, a packed one by what it unpacks to, and all bodies together."""
    content = interactions({"request": REQUEST, "response": {**RESPONSE, "body": {"string": "12345678"}}}).encode()
    plain, zipped = tmp_path / "a.json", tmp_path / "a.json.gz"
    plain.write_bytes(content)
    zipped.write_bytes(gzip.compress(content))
    for bound, too_large in ((len(content), False), (len(content) - 1, True)):
        monkeypatch.setattr(cassette_file, "MAX_UNPACKED", bound)
        monkeypatch.setattr(packed, "MAX_UNPACKED", bound)
        if too_large:
            assert (
                refusal(plain)
                == f"FILE: has {bound + 1} bytes, more than the {bound} that are read. Split the cassette"
            )
            assert (
                refusal(zipped) == f"FILE: has more than the {bound} bytes that planguard unpacks. Split the cassette"
            )
        else:
            assert len(read_cassette(plain).interactions) == len(read_cassette(zipped).interactions) == 1
    monkeypatch.undo()
    monkeypatch.setattr(reader, "_MOST", 8)
    assert len(read_cassette(plain).interactions) == 1
    monkeypatch.setattr(reader, "_MOST", 7)
    assert refusal(plain) == f"FILE: its bodies have more than the 7 bytes that are read; {RESTORE}"


def test_pieces_of_a_body_are_read_up_to_their_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All pieces of one request together."""
    file = tmp_path / "a.json"
    file.write_text(interactions({"request": {**REQUEST, "body": ["abc", "de"]}, "response": RESPONSE}), "utf-8")
    monkeypatch.setattr(reader, "MAX_UNPACKED", 5)
    assert read_cassette(file).interactions[0].request.body == b"abcde"
    monkeypatch.setattr(reader, "MAX_UNPACKED", 4)
    assert refusal(file) == (
        "FILE: interaction 1 has a body that cannot be read (its pieces have more than the 4 bytes that are read). "
        f"{RESTORE}"
    )


@pytest.mark.parametrize(
    ("document", "form_notes", "doubts"),
    [
        ({"version": 1, "interactions": []}, (), ()),
        ({"interactions": []}, (), ("no `version` after the interactions: the file may be cut off",)),
        ([{"request": REQUEST}], ("an early vcrpy file: a bare list without version",), ()),
        ({"requests": [REQUEST], "responses": [RESPONSE]}, ("requests and responses in a list each",), ()),
        ({"requests": [], "responses": [], "interactions": [], "version": 1}, (), ()),
    ],
)
def test_what_is_noted_of_a_form(
    tmp_path: Path, document: object, form_notes: tuple[str, ...], doubts: tuple[str, ...]
) -> None:
    """An early form is read as it is; a file that ends before its version may be cut off."""
    file = tmp_path / "a.json"
    file.write_text(json.dumps(document), "utf-8")
    found = read_document(file)
    assert isinstance(found, CassetteFile)
    assert (found.form_notes, found.doubts) == (form_notes, doubts)


@pytest.mark.parametrize(
    ("added", "note"),
    [
        (1, "1 exchange was added after its end mark, by another tool or by hand"),
        (2, "2 exchanges were added after its end mark, by another tool or by hand"),
    ],
)
def test_exchanges_after_the_end_mark_are_counted(tmp_path: Path, added: int, note: str) -> None:
    """They are read, and noted."""
    file = tmp_path / "a.yaml"
    block = render([TWO]).partition("interactions:\n")[2].rpartition("# planguard")[0]
    file.write_text(render([ONE]) + block * added, "utf-8")
    cassette = read_cassette(file)
    assert (len(cassette.interactions), cassette.notes) == (1 + added, (note,))

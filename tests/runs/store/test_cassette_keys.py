"""The case of a cassette by its path: the same key as the test's row has, or none."""

import hashlib
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.replay.files.names import cassette_path
from pytest_planguard.runs.load.load import named_by_tests
from pytest_planguard.runs.store.cassette_folders import RecordedCase, by_digest, recorded_case

from ...support.runs import good

IDS = st.from_regex(r"test_[a-z0-9_]{1,20}(\[[a-z0-9_]{1,10}(-[a-z0-9_]{1,10}){0,2}\])?", fullmatch=True)


def path_of(identity: str, variant: str = "default", model: str | None = None) -> str:
    """Where planguard puts the cassette of a test of tests/test_app.py, without its suffix."""
    name, hashed = identity.rpartition("::")[2], identity if model is None else f"{identity}\n{model}"
    found = cassette_path("", "test_app.py", variant, hashed, name, folder="cassettes")
    return f"tests/{found.with_suffix('').as_posix()}"


@given(IDS)
def test_the_path_of_a_recording_gives_back_the_id_of_its_test(name: str) -> None:
    """For every plain id, parametrised or not."""
    assert recorded_case(path_of(f"::{name}")) == RecordedCase(f"tests/test_app.py::{name}", None)


@given(st.text(max_size=30))
def test_a_name_never_gives_another_id(name: str) -> None:
    """What cannot be told from the path is told by nothing: the digest decides."""
    found = recorded_case(path_of(f"::test_{name}"))
    assert found is None or found.key == f"tests/test_app.py::test_{name}"


@given(st.text(max_size=60))
def test_any_path_is_read(path: str) -> None:
    """No path ends a comparison."""
    recorded_case(path)


def test_the_variant_stands_apart() -> None:
    """A folder of its own is a variant; a path without one says nothing of it."""
    path = path_of("::test_it[a]", "small")
    assert recorded_case(path) == RecordedCase("tests/test_app.py::test_it[a]", "small")
    assert recorded_case(path.replace("/small/", "/")) == RecordedCase("tests/test_app.py::test_it[a]", None)


@pytest.mark.parametrize(
    "path",
    [
        "tests/cassettes/test_app/default/session",
        "tests/cassettes/test_app/default/test_it-12345678",
        f"recordings/test_app/default/test_it-{hashlib.sha256(b'::test_it').hexdigest()[:8]}",
        path_of("::TestTickets::test_it"),
    ],
)
def test_what_the_path_does_not_tell_has_no_other_key(path: str) -> None:
    """A name of the user's own, another digest, a folder of another name, a test in a class."""
    assert recorded_case(path) is None


@pytest.mark.parametrize("own", ["::TestTickets::test_it", "::test_it[The printer. On fire!]"])
def test_a_known_id_names_the_case_that_its_path_does_not_tell(own: str) -> None:
    """A list of known failures has the id of a test in a class, and of a parameter with spaces."""
    ids = ["tests/test_app.py::test_it", f"tests/test_app.py{own}"]
    assert recorded_case(path_of(own)) is None
    assert recorded_case(path_of(own), by_digest(ids)) == RecordedCase(ids[1], None)


def test_a_known_id_with_a_model_names_the_case_without_it() -> None:
    """Two models of a parametrized test have two cassettes, and one id."""
    path, ids = path_of("::test_it", model="small"), ["tests/test_app.py::test_it"]
    assert recorded_case(path, by_digest(ids, "small")) == RecordedCase(ids[0], None)
    assert recorded_case(path, by_digest(ids)) is None
    assert recorded_case(path, model="small") == RecordedCase(ids[0], None)
    named, other = (good(path, model="gpt-5-mini", for_model=model) for model in ("small", "large"))
    assert [row.key for row in named_by_tests([named, other], [])] == [ids[0], path]
    in_class = path_of("::TestIt::test_it", model="small")
    (row,) = named_by_tests([good(in_class, for_model="small")], ["tests/test_app.py::TestIt::test_it"])
    assert (row.key, row.for_model) == ("tests/test_app.py::TestIt::test_it", "small")


def test_naming_many_rows_takes_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each id is hashed once, not once per row: three thousand parameters took five seconds."""
    ids = [f"tests/test_app.py::test_it[no. {number}]" for number in range(1_000)]
    rows = [good(path_of(one.removeprefix("tests/test_app.py"))) for one in ids]
    real, hashed = hashlib.sha256, count()
    monkeypatch.setattr(hashlib, "sha256", lambda content: (next(hashed), real(content))[1])
    assert [row.key for row in named_by_tests(rows, ids)] == ids
    assert next(hashed) < 10 * len(ids)

"""What identifies a case does not depend on the process, the position, or who answers."""

import dataclasses
import enum
import hashlib
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from pytest_planguard.plugin.marker.identity import (
    _without_position,
    case_key,
    cassette_path,
    digest_of,
    inputs_digest,
    named_model,
    plain,
    prove_command,
    record_command,
    shown_path,
    variant_of,
)
from pytest_planguard.plugin.marker.marker import Spec
from pytest_planguard.plugin.options import SETTINGS, Settings


@dataclasses.dataclass
class Task:
    name: str
    tags: set[str]


class Model(BaseModel):
    name: str


class Colour(enum.Enum):
    RED = 1


def test_values_become_plain_json():
    """Dataclasses, models, sets, functions and anything else have a plain form."""
    assert plain(Task("a", {"y", "x"})) == {"name": "a", "tags": ["x", "y"]}
    assert plain(Model(name="a")) == {"name": "a"}
    assert plain(Task) == "Task"
    assert plain(Colour.RED) == "<Colour.RED: 1>"
    assert plain((1, None, {2: "b"})) == [1, None, {"2": "b"}]


def test_an_address_is_no_content():
    """Two objects without content of their own are the same input in every process."""
    assert digest_of(object()) == digest_of(object())


def test_a_value_that_contains_itself():
    """A digest is found for a structure of any depth and shape."""
    endless: list[object] = []
    endless.append(endless)
    assert digest_of(endless) == digest_of(endless)


@given(st.dictionaries(st.text(), st.integers() | st.text()))
def test_the_order_of_keys_does_not_matter(value):
    """The same content gives the same digest."""
    assert digest_of(dict(reversed(value.items()))) == digest_of(value)


@given(st.dictionaries(st.text(), st.text()))
def test_texts_are_digested_as_everything_is(value):
    """The short way for a dict of texts gives the digest of its canonical JSON."""
    canonical = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert digest_of(value) == hashlib.sha256(canonical.encode(errors="surrogatepass")).hexdigest()


@pytest.mark.slow
def test_the_same_in_another_process():
    """No hash seed takes part."""
    code = "from pytest_planguard.plugin.marker.identity import digest_of; print(digest_of({'a', 'b', 'c'}))"
    done = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout for _ in range(2)]
    assert done[0] == done[1] == f"{digest_of({'a', 'b', 'c'})}\n"


def test_the_model_is_left_out_of_an_id():
    """Wherever it stands, with its dash."""
    assert _without_position("gpt-4-case1", "model", "gpt-4") == "case1"
    assert _without_position("case1-gpt-4", "model", "gpt-4") == "case1"
    assert _without_position("a-gpt-4-b", "model", "gpt-4") == "a-b"
    assert _without_position("gpt-4", "model", "gpt-4") == ""
    assert _without_position("model0-x", "model", object()) == "x"


class Named(str, enum.Enum):  # noqa: UP042 - StrEnum has another `str`
    """Models by name, as before StrEnum."""

    SMALL = "gpt-4"


@pytest.mark.parametrize("model", ["gro\xdf/v1", "通义", "a\\b", Named.SMALL])
def test_the_model_is_left_out_as_pytest_writes_it(request: pytest.FixtureRequest, model: str):
    """Outside ASCII in escapes, and an enum's member by its text."""
    assert case_key(request.node, Spec((), 1)) == request.node.nodeid.partition("[")[0]
    assert _without_position(f"case1-{model}", "model", model) == "case1"  # if the ini file turns escapes off


class Client:
    """A parameter without a text that is the same in the next process."""


FIRST, SECOND = Client(), Client()


@pytest.mark.parametrize("model", ["small", Named.SMALL, "a-b"])
@pytest.mark.parametrize("llm", [FIRST, SECOND])
@pytest.mark.parametrize("other", ["xllm7", "y"])
def test_a_model_has_a_name_even_if_it_is_an_object(
    request: pytest.FixtureRequest, other: str, llm: Client, model: str
):
    """Two objects with an address as text are told apart as in the test's id."""
    assert other in request.node.name
    assert named_model(request.node) == f"llm{0 if llm is FIRST else 1}, {model}"


@pytest.mark.parametrize("model", [FIRST, SECOND], ids=["fast", "smart"])
def test_objects_with_ids_of_the_user_are_told_apart_by_their_key(request: pytest.FixtureRequest, model: Client):
    """The key keeps an id that is not the model's text, so the name need not tell."""
    assert case_key(request.node, Spec((), 1)).endswith(f"[{'fast' if model is FIRST else 'smart'}]")
    assert named_model(request.node) == f"<{__name__}.Client object>"


def test_a_test_without_a_parameter_for_it_names_no_model(request: pytest.FixtureRequest):
    """Its entries are for any model."""
    assert named_model(request.node) is None


def test_only_whole_parts_of_an_id_are_replaced():
    """A name that merely contains the model's stays as it is."""
    assert _without_position("gpt-40-x", "model", "gpt-4") == "gpt-40-x"


def test_a_position_becomes_a_digest():
    """The id of an inserted case does not shift the others."""
    assert _without_position("case7-x", "case", {"a": 1}) == f"case~{digest_of({'a': 1})[:8]}-x"
    assert _without_position("case7", "case", "case7") == "case7"


KEY = "ghp_" + "a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8"


@pytest.mark.parametrize("key", [KEY])
def test_a_secret_in_an_id_stays_out_of_the_file_name(request: pytest.FixtureRequest, key: str):
    """The id holds the parameter: test_login[ghp_a1b2…]."""
    name = cassette_path(request.node, Spec((), 1), request.node.nodeid).name
    assert key in request.node.nodeid
    assert name.startswith("test_a_secret_in_an_id_stays_out_of_the_file_name-redacted-")


def nested(levels: int, value: object) -> object:
    """A value within so many lists."""
    return value if levels == 0 else [nested(levels - 1, value)]


def test_a_value_too_deep_is_its_type():
    """41 levels are told apart, and no more."""
    assert plain(nested(2, {1: nested(1, 2)})) == [[{"1": [2]}]]
    assert plain(nested(41, 1)) == nested(41, 1)
    assert plain(nested(42, 1)) == nested(41, "list")
    assert plain(nested(41, Task("a", {"b"}))) == nested(41, "Task")
    assert plain(nested(40, Task("a", {"b"}))) == nested(40, {"name": "a", "tags": "set"})


def test_a_set_is_sorted_whatever_is_in_it():
    """By text, since a number and a word have no order."""
    assert plain({"b", 10, 9, None}) == ["b", 10, 9, None]
    assert plain(frozenset({(2, 1), (1, 2)})) == [[1, 2], [2, 1]]


@pytest.mark.parametrize("model", ["small"])
@pytest.mark.parametrize("case", [{"a": 1}, "plain"])
def test_the_key_of_a_parametrized_test(request: pytest.FixtureRequest, case: object, model: str):
    """The user's own, or the id without the model and without a position."""
    base = request.node.nodeid.partition("[")[0]
    told = "plain" if case == "plain" else f"case~{digest_of(case)[:8]}"
    assert case_key(request.node, Spec((), 1)) == f"{base}[{told}]"
    assert case_key(request.node, Spec((), 1, key="mine")) == "mine"
    assert inputs_digest(request.node, Spec((), 1)) == digest_of({"case": case})[:12]
    assert inputs_digest(request.node, Spec((), 1, inputs=None)) == digest_of(None)[:12]


@pytest.mark.parametrize(
    ("spec", "settings", "variant"),
    [
        (Spec((), 1), Settings(), None),
        (Spec((), 1, variant="marked"), Settings(default_variant="ini"), "marked"),
        (Spec((), 1), Settings(default_variant="ini"), "ini"),
        (Spec((), 1, variant="marked"), Settings(variant="asked"), "asked"),
        (Spec((), 1, model="m"), Settings(), "m"),
        (Spec((), 1, model="m"), Settings(variant="asked"), "asked--m"),
    ],
)
def test_the_variant_of_a_case(spec: Spec, settings: Settings, variant: str | None):
    """The command line comes before the marker, and that before the ini file; each model has its own."""
    assert variant_of(spec, settings) == variant


def test_a_path_is_shown_from_the_start_folder(tmp_path: Path):
    """Up to two levels above it; a path farther away is shown whole."""
    start = tmp_path / "a" / "b" / "c"
    config: Any = SimpleNamespace(invocation_params=SimpleNamespace(dir=start))
    assert shown_path(config, start / "a" / "b.yaml") == "a/b.yaml"
    assert shown_path(config, start.parent.parent / "b.yaml") == "../../b.yaml"
    far = start.parent.parent.parent / "b.yaml"
    assert shown_path(config, far) == far.as_posix()


def test_a_command_can_be_typed_as_it_is_shown(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch):
    """Brackets are quoted, and the variant of this run is part of it."""
    assert record_command(pytestconfig, "", "all") == "pytest --planguard-record=all"
    assert record_command(pytestconfig, "t.py::t", "stale") == "pytest t.py::t --planguard-record=stale"
    assert prove_command(pytestconfig, "t.py::t[a b]") == "pytest 't.py::t[a b]' --planguard-prove"
    monkeypatch.setitem(pytestconfig.stash, SETTINGS, Settings(variant="new"))
    assert record_command(pytestconfig, "t.py", "all") == "pytest t.py --planguard-record=all --planguard-variant=new"
    assert prove_command(pytestconfig, "t.py") == "pytest t.py --planguard-prove --planguard-variant=new"


@pytest.mark.parametrize("model", ["small"])
def test_where_a_cassette_is(request: pytest.FixtureRequest, model: str):
    """Beside the test file by its name, the variant and the key; a file that the marker names is beside it too."""
    key, here = case_key(request.node, Spec((), 1)), request.node.path.parent
    path = cassette_path(request.node, Spec((), 1), key)
    assert path.parent == here / "cassettes" / "test_identity" / "default"
    assert path.name.startswith("test_where_a_cassette_is-")
    assert cassette_path(request.node, Spec((), 1, variant="v"), key).parent.name == "v"
    assert cassette_path(request.node, Spec((), 1, key="my key"), "my key").name.startswith("my-key-")
    assert cassette_path(request.node, Spec((), 1, cassette="sub/a.yaml"), key) == here / "sub" / "a.yaml"
    assert cassette_path(request.node, Spec((), 1, cassette="a.yaml", variant="v"), key) == here / "v" / "a.yaml"
